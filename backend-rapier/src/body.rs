//! Chassis and ground bodies.

use glam::{Mat3, Vec3};
use rapier3d::dynamics::{
    RigidBody, RigidBodyHandle, RigidBodyPosition, RigidBodySet, RigidBodyType, RigidBodyVelocity,
};
use rapier3d::geometry::ColliderSet;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundMotion, Motion, Outcome, Reaction, RigidBodies, math,
};

use crate::convert::{body_handle, mass_properties};
use crate::guided;
use crate::{RapierScene, RapierWorld};
use parry_query::{from_anchor, to_anchor};

/// Gives a chassis exactly these mass properties, whatever colliders it has.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `centre_of_mass` from the vehicle's origin (`m`, vehicle axes).
///
/// The density of every collider of the body becomes 0; attach further colliders with density 0.
/// Effective immediately, before the next step. Does not wake the body.
///
/// # Errors
/// If the id does not name a dynamic body.
pub fn set_mass_properties(
    bodies: &mut RigidBodySet,
    colliders: &mut ColliderSet,
    chassis: BodyId,
    frame: &Frame,
    mass: f32,
    inertia: Mat3,
    centre_of_mass: Vec3,
) -> Result<(), BodyError> {
    let body = bodies
        .get_mut(body_handle(chassis))
        .ok_or(BodyError::Missing(chassis))?;
    if !body.is_dynamic() {
        return Err(BodyError::NotDynamic(chassis));
    }
    for &handle in body.colliders() {
        if let Some(collider) = colliders.get_mut(handle) {
            collider.set_density(0.0);
        }
    }
    let properties = mass_properties(frame, mass, inertia, centre_of_mass);
    body.set_additional_mass_properties(properties, false);
    body.recompute_mass_properties_from_colliders(colliders);
    Ok(())
}

/// A force (`N`) and a torque about the center of mass (`N·m`), in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Push {
    force: Vec3,
    torque: Vec3,
}

impl Push {
    fn of_user(body: &RigidBody) -> Self {
        Self {
            force: body.user_force(),
            torque: body.user_torque(),
        }
    }

    fn write(self, body: &mut RigidBody) {
        body.reset_forces(false);
        body.reset_torques(false);
        body.add_force(self.force, false);
        body.add_torque(self.torque, false);
    }

    fn plus(self, other: Self) -> Self {
        Self {
            force: self.force + other.force,
            torque: self.torque + other.torque,
        }
    }
}

/// Forces on a body, separated into ours and the user's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct AppliedForces {
    body: RigidBodyHandle,
    /// The acceleration of the body's own vehicle.
    motion: Push,
    /// Wheels of any vehicle on this body.
    reaction: Push,
    /// The user's force.
    user: Push,
    /// The sum last written to the body.
    written: Push,
}

impl AppliedForces {
    fn of(handle: RigidBodyHandle, body: &RigidBody) -> Self {
        let user = Push::of_user(body);
        Self {
            body: handle,
            motion: Push::default(),
            reaction: Push::default(),
            user,
            written: user,
        }
    }

    /// Writes the user's and our forces to the body, after detecting the user's changes.
    fn write(&mut self, body: &mut RigidBody) {
        let now = Push::of_user(body);
        self.user.force = after_change(self.user.force, self.written.force, now.force);
        self.user.torque = after_change(self.user.torque, self.written.torque, now.torque);
        self.written = self.user.plus(self.motion).plus(self.reaction);
        self.written.write(body);
    }
}

/// The user's share of a force that was left as `written` and found as `now`. Only bit-identical
/// values count as unchanged; zero means that the user has reset it.
fn after_change(user: Vec3, written: Vec3, now: Vec3) -> Vec3 {
    if now == written {
        user
    } else if now == Vec3::ZERO {
        Vec3::ZERO
    } else {
        user + (now - written)
    }
}

/// The forces in effect for the coming step. Rapier's forces persist; this limits them to one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ledger {
    /// Sorted by raw handle; keeps its capacity.
    entries: Vec<AppliedForces>,
}

impl Ledger {
    pub(crate) fn take_back(&mut self, bodies: &mut RigidBodySet) {
        for mut entry in self.entries.drain(..) {
            if let Some(body) = bodies.get_mut(entry.body) {
                entry.motion = Push::default();
                entry.reaction = Push::default();
                entry.write(body);
            }
        }
    }

    /// Replaces the motion force of the body's own vehicle.
    fn set_motion(&mut self, handle: RigidBodyHandle, body: &mut RigidBody, motion: Push) {
        match self.find(handle) {
            // No entry, and none needed.
            Err(_) if motion == Push::default() => {}
            found => {
                let entry = self.entry(found, handle, body);
                entry.motion = motion;
                entry.write(body);
            }
        }
    }

    /// Adds to the reaction of wheels on the body.
    fn add_reaction(&mut self, handle: RigidBodyHandle, body: &mut RigidBody, reaction: Push) {
        let found = self.find(handle);
        let entry = self.entry(found, handle, body);
        entry.reaction = entry.reaction.plus(reaction);
        entry.write(body);
    }

    fn entry(
        &mut self,
        found: Result<usize, usize>,
        handle: RigidBodyHandle,
        body: &RigidBody,
    ) -> &mut AppliedForces {
        let index = found.unwrap_or_else(|index| {
            self.entries.insert(index, AppliedForces::of(handle, body));
            index
        });
        &mut self.entries[index]
    }

    /// Whether the body's own vehicle applies a force to it.
    fn moves(&self, handle: RigidBodyHandle) -> bool {
        let pushed = |i: usize| self.entries[i].motion != Push::default();
        self.find(handle).is_ok_and(pushed)
    }

    fn find(&self, handle: RigidBodyHandle) -> Result<usize, usize> {
        let key = handle.into_raw_parts();
        self.entries
            .binary_search_by_key(&key, |entry| entry.body.into_raw_parts())
    }
}

/// Inertia tensor about the center of mass (`kg·m²`, world axes); an axis that cannot turn has none.
fn world_inertia(body: &RigidBody) -> Mat3 {
    let local = body.mass_properties().local_mprops;
    let axes = math::matrix(body.rotation().to_owned())
        * math::matrix(local.principal_inertia_local_frame);
    axes * Mat3::from_diagonal(local.principal_inertia()) * axes.transpose()
}

/// Center of mass (`m`, world). The one cached by Rapier is stale before a body's first step.
pub(crate) fn centre_of_mass(body: &RigidBody) -> Vec3 {
    body.position().transform_point(body.local_center_of_mass())
}

/// A dynamic body.
fn dynamic(bodies: &RigidBodySet, id: BodyId) -> Result<&RigidBody, BodyError> {
    let body = bodies.get(body_handle(id)).ok_or(BodyError::Missing(id))?;
    // A body of mass 0 does not respond to forces: effectively not dynamic.
    if body.is_dynamic() && body.mass() > 0.0 {
        Ok(body)
    } else {
        Err(BodyError::NotDynamic(id))
    }
}

impl RapierScene<'_> {
    /// As [`RigidBodies::read`].
    ///
    /// # Errors
    /// For the first id that does not name a dynamic body.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    pub fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "one slot per body");
        for (&id, state) in ids.iter().zip(out) {
            *state = self.state(id)?;
        }
        Ok(())
    }

    /// As [`RigidBodies::ground_motion`]; `dt` (`s`) as in [`RapierWorld::new`].
    ///
    /// # Panics
    /// If `dt` is not positive.
    #[must_use]
    pub fn ground_motion(&self, id: BodyId, dt: f32) -> Option<GroundMotion> {
        assert!(dt > 0.0, "dt = {dt} s: must be > 0");
        let body = self.bodies.get(body_handle(id))?;
        if !body.is_dynamic_or_kinematic() {
            return None;
        }
        if let Ok(state) = self.state(id) {
            return Some(GroundMotion::of(&state));
        }
        let velocities = match body.body_type() {
            RigidBodyType::KinematicPositionBased => {
                self.guided_velocity(body_handle(id), body, dt)
            }
            _ => *body.vels(),
        };
        Some(GroundMotion {
            position: to_anchor(centre_of_mass(body)),
            rotation: *body.rotation(),
            linear_velocity: velocities.linvel,
            angular_velocity: velocities.angvel,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        })
    }

    /// Velocity of a body that follows poses in the coming step.
    fn guided_velocity(
        &self,
        handle: RigidBodyHandle,
        body: &RigidBody,
        dt: f32,
    ) -> RigidBodyVelocity<f32> {
        let guided = &self.link.guided;
        guided.note(handle);
        if guided::leaves(body) {
            let poses = RigidBodyPosition {
                position: *body.position(),
                next_position: *body.next_position(),
            };
            poses.interpolate_velocity(1.0 / dt, body.local_center_of_mass())
        } else if guided.stands(handle) {
            RigidBodyVelocity::zero()
        } else {
            *body.vels()
        }
    }

    fn state(&self, id: BodyId) -> Result<BodyState, BodyError> {
        let body = dynamic(self.bodies, id)?;
        let frame = self.link.frame(id);
        let local = &body.mass_properties().local_mprops;
        Ok(BodyState {
            position: to_anchor(centre_of_mass(body)),
            rotation: frame.vehicle_rotation(*body.rotation()),
            linear_velocity: body.linvel(),
            angular_velocity: body.angvel(),
            mass: body.mass(),
            inverse_inertia: frame.tensor_to_vehicle(local.reconstruct_inverse_inertia_matrix()),
            linear_damping: body.linear_damping(),
            angular_damping: body.angular_damping(),
            asleep: body.is_sleeping(),
        })
    }
}

impl RapierWorld<'_> {
    fn serve(&mut self, id: BodyId, outcome: &Outcome) -> Result<(), BodyError> {
        let motion = outcome.motion_for(dynamic(self.bodies, id)?.is_sleeping());
        let handle = body_handle(id);
        // Mutable access puts a body on Rapier's list of changed bodies.
        if motion == Motion::Keep && !outcome.wake && !self.link.ledger.moves(handle) {
            return Ok(());
        }
        let Some(body) = self.bodies.get_mut(handle) else {
            return Err(BodyError::Missing(id));
        };
        if outcome.wake {
            // A weak wake-up would not restart the time until sleep.
            body.wake_up(true);
        }
        let mut push = Push::default();
        match motion {
            Motion::Keep => {}
            Motion::VelocityChange { linear, angular } => {
                body.set_linvel(body.linvel() + linear, false);
                body.set_angvel(body.angvel() + angular, false);
            }
            Motion::Acceleration { linear, angular } => {
                push.force = linear * body.mass();
                push.torque = world_inertia(body) * angular;
            }
            Motion::StepMotion {
                linear,
                angular,
                carried,
                carried_angular,
            } => {
                body.set_linvel(linear, false);
                body.set_angvel(angular, false);
                // Rapier's own product, so that the two cancel bit for bit.
                push.force = -(carried * body.mass());
                push.torque = -(world_inertia(body) * carried_angular);
            }
        }
        self.link.ledger.set_motion(handle, body, push);
        Ok(())
    }
}

/// * A position-based kinematic body moves with the velocity implied by its next position, if that is set before the
///   update. Without one, it stands, if it was set before the update in earlier steps; otherwise it moves as in the past step.
/// * A dynamic body without mass counts as not dynamic. Rapier computes mass from colliders in the
///   first step; [`set_mass_properties`] or `recompute_mass_properties_from_colliders` does so
///   before it.
/// * Rapier divides velocities by `1 + damping·dt` where the contract says `1 − damping·dt`; the
///   two differ in second order.
/// * Locked axes are not reflected in mass and inertia.
/// * Reactions wake a sleeping body, and keep it awake while they last.
/// * Rapier's sleep rule uses how far a body has moved in the past step, not forces: by default it
///   sleeps after half a second at less than 0.1 m/s.
/// * A vehicle whose body has a `gravity_scale` must be updated with gravity scaled the same way.
impl RigidBodies for RapierWorld<'_> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.scene().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.scene().ground_motion(id, self.dt)
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), outcomes.len(), "one outcome per body");
        self.link.guided.look(self.bodies);
        for (&id, outcome) in ids.iter().zip(outcomes) {
            self.serve(id, outcome)?;
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions.iter().filter(|reaction| reaction.acts()) {
            let handle = body_handle(reaction.body);
            if dynamic(self.bodies, reaction.body).is_err() {
                continue;
            }
            if let Some(body) = self.bodies.get_mut(handle) {
                let arm = from_anchor(reaction.anchor, reaction.offset) - centre_of_mass(body);
                let push = Push {
                    force: reaction.force,
                    torque: arm.cross(reaction.force) + reaction.torque,
                };
                // Sleeping bodies do not respond, and waking costs a car a step without its
                // springs: bodies under wheels stay awake.
                body.wake_up(true);
                self.link.ledger.add_reaction(handle, body, push);
            }
        }
    }
}
