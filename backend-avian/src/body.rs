//! Chassis and ground bodies.

use avian3d::dynamics::integrator::VelocityIntegrationData;
use avian3d::dynamics::rigid_body::mass_properties::MassPropertyHelper;
use avian3d::dynamics::solver::islands::WakeBody;
use avian3d::dynamics::solver::solver_body::{SolverBodies, SolverBodyFlags, SolverBodyIndex};
use avian3d::prelude::{
    AngularDamping, AngularVelocity, ComputedAngularInertia, ComputedCenterOfMass, ComputedMass,
    LinearDamping, LinearVelocity, LockedAxes as AvianLocks, Position, RigidBody,
    RigidBodyDisabled, Rotation, SleepTimer, Sleeping,
};
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemState;
use bevy::prelude::{
    Commands, DetectChangesMut as _, Entity, Has, Query, Res, ResMut, Resource, Without, World,
};
use glam::{Mat3, Vec3};
use vehicle_core::params::ChassisParams;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundMotion, LockedAxes, Motion, Reaction, RigidBodies,
    StepResult,
};

use crate::convert::{body_entity, body_id, locked_axes, mass_properties};
use crate::{AvianWorld, ChassisFrame};
use parry_query::{from_anchor, to_anchor};

/// Gives a chassis exactly these mass properties, whatever its current and future colliders.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `center_of_mass` from the vehicle's origin (`m`, vehicle axes).
///
/// Effective immediately, before the next step. Does not wake the body.
///
/// # Errors
/// If the id does not name a dynamic body.
///
/// # Panics
/// If the mass or a principal moment is negative or `NaN`.
pub fn set_mass_properties(
    world: &mut World,
    chassis: BodyId,
    frame: &Frame,
    mass: f32,
    inertia: Mat3,
    center_of_mass: Vec3,
) -> Result<(), BodyError> {
    let kind = |&entity: &Entity| world.get::<RigidBody>(entity).copied();
    let entity = body_entity(chassis).ok_or(BodyError::Missing(chassis))?;
    match kind(&entity) {
        None => return Err(BodyError::Missing(chassis)),
        Some(RigidBody::Dynamic) => {}
        Some(_) => return Err(BodyError::NotDynamic(chassis)),
    }
    let properties = mass_properties(frame, mass, inertia, center_of_mass);
    world.entity_mut(entity).insert(properties);
    // Avian's own update, otherwise done at the start of the next step.
    if let Ok(mut helper) = SystemState::<MassPropertyHelper>::new(world).get_mut(world) {
        helper.update_mass_properties(entity);
    }
    Ok(())
}

/// Makes an entity with a body, modeled along the axes of `frame`, the chassis of a vehicle: gives it its [`ChassisFrame`] and
/// the vehicle's [mass properties](set_mass_properties).
///
/// # Errors
/// If the entity is not a dynamic body.
pub fn attach(
    world: &mut World,
    body: Entity,
    frame: Frame,
    vehicle: &impl AsRef<ChassisParams>,
) -> Result<BodyId, BodyError> {
    let (chassis, params) = (body_id(body), vehicle.as_ref());
    let (mass, inertia, center) = (params.mass, params.inertia_tensor(), params.center_of_mass);
    set_mass_properties(world, chassis, &frame, mass, inertia, center)?;
    world.entity_mut(body).insert(ChassisFrame(frame));
    Ok(chassis)
}

/// All components of a body that are read or written.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct BodyComponents {
    kind: &'static RigidBody,
    disabled: Has<RigidBodyDisabled>,
    asleep: Has<Sleeping>,
    position: &'static Position,
    rotation: &'static Rotation,
    center: &'static ComputedCenterOfMass,
    mass: &'static ComputedMass,
    inertia: &'static ComputedAngularInertia,
    locks: Option<&'static AvianLocks>,
    linear_damping: Option<&'static LinearDamping>,
    angular_damping: Option<&'static AngularDamping>,
    frame: Option<&'static ChassisFrame>,
    linear: &'static mut LinearVelocity,
    angular: &'static mut AngularVelocity,
    /// Accelerations of the coming step, cleared by Avian after it.
    push: Option<&'static mut VelocityIntegrationData>,
    timer: Option<&'static mut SleepTimer>,
}

impl BodyComponentsReadOnlyItem<'_, '_> {
    /// Whether forces move the body: a body without mass does not respond to them.
    fn is_dynamic(&self) -> bool {
        let mass = self.mass.value();
        self.kind.is_dynamic() && !self.disabled && mass > 0.0 && mass.is_finite()
    }

    /// Center of mass (`m`, world).
    fn center_of_mass(&self) -> Vec3 {
        self.position.0 + self.rotation.0 * self.center.0
    }

    fn locked_axes(&self) -> LockedAxes {
        self.locks
            .map_or(LockedAxes::NONE, |locks| locked_axes(*locks))
    }

    pub(crate) fn state(&self) -> BodyState {
        let frame = self.frame.copied().unwrap_or_default().0;
        BodyState {
            position: to_anchor(self.center_of_mass()),
            rotation: frame.vehicle_rotation(self.rotation.0),
            linear_velocity: self.linear.0,
            angular_velocity: self.angular.0,
            mass: self.mass.value(),
            inverse_inertia: frame.tensor_to_vehicle(self.inertia.inverse().to_mat3()),
            locked_axes: self.locked_axes(),
            linear_damping: self.linear_damping.map_or(0.0, |damping| damping.0),
            angular_damping: self.angular_damping.map_or(0.0, |damping| damping.0),
            asleep: self.asleep,
        }
    }

    fn ground_motion(&self) -> Option<GroundMotion> {
        if self.kind.is_static() || self.disabled {
            return None;
        }
        if self.is_dynamic() {
            return Some(GroundMotion::of(&self.state()));
        }
        Some(GroundMotion {
            position: to_anchor(self.center_of_mass()),
            rotation: self.rotation.0,
            linear_velocity: self.linear.0,
            angular_velocity: self.angular.0,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        })
    }
}

impl BodyComponentsItem<'_, '_> {
    /// Wakes a body, and restarts its time until sleep.
    fn wake(&mut self, entity: Entity, commands: &mut Commands) {
        if self.asleep {
            // Avian's own command restores contacts and the whole island.
            commands.queue_silenced(WakeBody(entity));
        } else if let Some(timer) = &mut self.timer {
            timer.bypass_change_detection().0 = 0.0;
        }
    }

    /// Sets velocities. Avian wakes a sleeping body on a velocity change, unless change detection
    /// is bypassed.
    fn set_velocity(&mut self, linear: Vec3, angular: Vec3) {
        self.linear.bypass_change_detection().0 = linear;
        self.angular.bypass_change_detection().0 = angular;
    }

    fn accelerate(&mut self, push: Acceleration) {
        if let Some(sum) = &mut self.push {
            sum.linear_increment += push.linear;
            sum.angular_increment += push.angular;
        }
    }
}

/// An acceleration (`m/s²`) and an angular acceleration (`rad/s²`), in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Acceleration {
    linear: Vec3,
    angular: Vec3,
}

/// The motion that a body was given for the coming step.
#[derive(Clone, Copy, Debug)]
struct Told {
    body: Entity,
    push: Acceleration,
    /// Whether the body's velocities were set, too.
    through: bool,
}

/// The vehicles' accelerations for the coming step, so that a second step result replaces the first.
#[derive(Resource, Clone, Debug, Default)]
pub(crate) struct Accelerations {
    /// Sorted by entity; keeps its capacity.
    told: Vec<Told>,
}

impl Accelerations {
    /// Records a body's new entry; returns what it had before in the same step.
    fn replace(&mut self, told: Told) -> Acceleration {
        match self.find(told.body) {
            Ok(i) => core::mem::replace(&mut self.told[i], told).push,
            Err(i) => {
                self.told.insert(i, told);
                Acceleration::default()
            }
        }
    }

    fn knows(&self, body: Entity) -> bool {
        self.find(body).is_ok()
    }

    fn find(&self, body: Entity) -> Result<usize, usize> {
        self.told.binary_search_by_key(&body, |told| told.body)
    }
}

/// Exempts bodies with a prescribed step motion from gyroscopic torque, for which Avian has no
/// switch: they would miss their targets.
pub(crate) fn hold_told_rotations(
    ledger: Res<Accelerations>,
    indices: Query<&SolverBodyIndex>,
    mut bodies: ResMut<SolverBodies>,
) {
    for told in ledger.told.iter().filter(|told| told.through) {
        let index = indices.get(told.body).map_or(usize::MAX, |i| i.0 as usize);
        if let Some(body) = bodies.bodies_mut().get_mut(index) {
            body.flags.remove(SolverBodyFlags::GYROSCOPIC_MOTION);
        }
    }
}

/// Runs after Avian has cleared the accelerations of the step: removes ours, and clears those of
/// sleeping bodies, in which Avian accumulates gravity that would act on waking.
pub(crate) fn end_step(
    mut ledger: ResMut<Accelerations>,
    mut sleeping: Query<&mut VelocityIntegrationData, Without<SolverBodyIndex>>,
) {
    ledger.told.clear();
    for mut push in &mut sleeping {
        push.linear_increment = Vec3::ZERO;
        push.angular_increment = Vec3::ZERO;
    }
}

/// A dynamic body.
pub(crate) fn dynamic<'a>(
    bodies: Query<'a, 'a, BodyComponentsReadOnly>,
    id: BodyId,
) -> Result<(Entity, BodyComponentsReadOnlyItem<'a, 'a>), BodyError> {
    let entity = body_entity(id).ok_or(BodyError::Missing(id))?;
    let body = bodies.get_inner(entity);
    let body = body.map_err(|_| BodyError::Missing(id))?;
    if body.is_dynamic() {
        Ok((entity, body))
    } else {
        Err(BodyError::NotDynamic(id))
    }
}

/// The states of many bodies.
pub(crate) fn read(
    bodies: Query<'_, '_, BodyComponentsReadOnly>,
    ids: &[BodyId],
    out: &mut [BodyState],
) -> Result<(), BodyError> {
    assert_eq!(ids.len(), out.len(), "one slot per body");
    for (&id, state) in ids.iter().zip(out) {
        *state = dynamic(bodies, id)?.1.state();
    }
    Ok(())
}

pub(crate) fn ground_motion(
    bodies: Query<'_, '_, BodyComponentsReadOnly>,
    id: BodyId,
) -> Option<GroundMotion> {
    bodies.get(body_entity(id)?).ok()?.ground_motion()
}

impl AvianWorld<'_, '_> {
    fn serve(&mut self, id: BodyId, result: &StepResult) -> Result<(), BodyError> {
        let (entity, now) = dynamic(self.bodies.as_readonly(), id)?;
        let locked = now.locked_axes();
        let Ok(mut body) = self.bodies.get_mut(entity) else {
            return Err(BodyError::Missing(id));
        };
        // Avian locks axes against forces only, and moves a body at the velocity that it is given.
        let motion = result.motion_for(body.asleep).in_free_axes(&locked);
        let sleeps = body.asleep && !result.wake;
        if result.wake {
            body.wake(entity, &mut self.commands);
        }
        let mut told = Told {
            body: entity,
            push: Acceleration::default(),
            through: false,
        };
        match motion {
            Motion::Keep => {}
            Motion::VelocityChange { linear, angular } => {
                body.set_velocity(body.linear.0 + linear, body.angular.0 + angular);
            }
            // A sleeping body is not accelerated.
            Motion::Acceleration { .. } if sleeps => {}
            Motion::Acceleration { linear, angular } => {
                told.push = Acceleration { linear, angular }
            }
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                body.set_velocity(linear, angular);
                told.push = Acceleration {
                    linear: -canceled_acceleration,
                    angular: -canceled_angular_acceleration,
                };
                told.through = true;
            }
        }
        if told.through || told.push != Acceleration::default() || self.ledger.knows(entity) {
            let before = self.ledger.replace(told);
            body.accelerate(Acceleration {
                linear: -before.linear,
                angular: -before.angular,
            });
            body.accelerate(told.push);
        }
        Ok(())
    }

    fn push(&mut self, reaction: &Reaction) -> Option<()> {
        let (entity, now) = dynamic(self.bodies.as_readonly(), reaction.body).ok()?;
        let arm = from_anchor(reaction.anchor, reaction.offset) - now.center_of_mass();
        let inertia = now.inertia.rotated(now.rotation.0);
        let inverse = now
            .locked_axes()
            .free_inverse_inertia(inertia.inverse().to_mat3());
        let push = Acceleration {
            linear: reaction.force * now.mass.inverse(),
            angular: inverse * (arm.cross(reaction.force) + reaction.torque),
        };
        let sound = push.linear.is_finite() && push.angular.is_finite();
        if (reaction.force, reaction.torque) == (Vec3::ZERO, Vec3::ZERO) || !sound {
            return None;
        }
        let mut body = self.bodies.get_mut(entity).ok()?;
        // Sleeping bodies do not respond, and waking costs a car a step without its springs: bodies
        // under wheels stay awake.
        body.wake(entity, &mut self.commands);
        body.accelerate(push);
        Some(())
    }
}

/// * A kinematic body moves with its velocities, as in Avian; one that a script moves by position
///   alone seems to stand still.
/// * A dynamic body without mass, or a disabled one, counts as not dynamic.
/// * Avian divides velocities by `1 + damping·dt` in every substep where the contract says
///   `1 − damping·dt`; the two differ in second order.
/// * In a system, waking takes effect when its commands are applied, always before the next step;
///   until then the body reads as asleep.
/// * Reactions wake a sleeping body, and keep it awake while they last.
/// * Avian's sleep rule uses speeds at the end of the step: by default, a body sleeps after half a
///   second at less than 0.15 m/s and 0.15 rad/s, together with everything it touches.
/// * A vehicle whose body has a `GravityScale` must be updated with gravity scaled the same way.
/// * Avian applies gyroscopic torques and has no switch for them; bodies with a
///   [`Motion::StepMotion`] are exempt.
impl RigidBodies for AvianWorld<'_, '_> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        read(self.bodies.as_readonly(), ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        ground_motion(self.bodies.as_readonly(), id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        for (&id, result) in ids.iter().zip(results) {
            self.serve(id, result)?;
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions {
            self.push(reaction);
        }
    }
}
