//! Chassis and ground bodies.

use glam::{Mat3, Quat, Vec3};
use rapier3d::dynamics::{
    MassProperties, RigidBody, RigidBodyHandle, RigidBodyPosition, RigidBodySet, RigidBodyType,
    RigidBodyVelocity,
};
use rapier3d::geometry::ColliderSet;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, GroundMotion, Motion, Reaction, RigidBodies, StepResult,
    math,
};

use crate::convert::{body_handle, locked_axes, mass_properties};
use crate::guided;
use crate::ledger::Push;
use crate::{RapierScene, RapierWorld};
use parry_query::{from_anchor, to_anchor};

/// Gives a chassis exactly these mass properties, whatever colliders it has.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `center_of_mass` from the vehicle's origin (`m`, vehicle axes).
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
    center_of_mass: Vec3,
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
    let properties = mass_properties(frame, mass, inertia, center_of_mass);
    body.set_additional_mass_properties(properties, false);
    body.recompute_mass_properties_from_colliders(colliders);
    Ok(())
}

/// Torque about the center of mass that gives a body this angular acceleration (`N·m`, `rad/s²`, world axes); about an
/// axis that cannot turn there is none.
fn torque_for(body: &RigidBody, acceleration: Vec3) -> Vec3 {
    let local = &body.mass_properties().local_mprops;
    let locked = locked_axes(body.locked_axes());
    if locked.any() {
        let axes = math::matrix(*body.rotation());
        let inverse = axes * inverse_inertia(local) * axes.transpose();
        return locked.torque_for(inverse, acceleration);
    }
    let axes = math::matrix(math::compose(
        *body.rotation(),
        local.principal_inertia_local_frame,
    ));
    axes * (local.principal_inertia() * (axes.transpose() * acceleration))
}

/// Inverse of the inertia tensor about the center of mass (`1/(kg·m²)`, body axes): the bits of Rapier's
/// `reconstruct_inverse_inertia_matrix`, for half of the work.
fn inverse_inertia(local: &MassProperties) -> Mat3 {
    let axes = Mat3::from_quat(local.principal_inertia_local_frame);
    tensor(axes, local.inv_principal_inertia)
}

/// A tensor from its principal axes and moments: axes · diag(moments) · axesᵀ.
fn tensor(axes: Mat3, moments: Vec3) -> Mat3 {
    let scaled = Mat3::from_cols(
        axes.x_axis * moments.x,
        axes.y_axis * moments.y,
        axes.z_axis * moments.z,
    );
    math::product(&scaled, &axes.transpose())
}

/// Center of mass (`m`, world). The one cached by Rapier is stale before a body's first step.
pub(crate) fn center_of_mass(body: &RigidBody) -> Vec3 {
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

/// The inverse inertia tensor of the body that was read last, with all that it was computed from: those of a fleet are
/// mostly alike.
#[derive(Default)]
struct LastInertia(Option<(Quat, Vec3, Frame, Mat3)>);

impl LastInertia {
    /// Inverse of the inertia tensor about the center of mass (`1/(kg·m²)`, vehicle axes).
    #[inline]
    fn inverse(&mut self, local: &MassProperties, frame: &Frame) -> Mat3 {
        let (axes, moments) = (
            local.principal_inertia_local_frame,
            local.inv_principal_inertia,
        );
        match self.0 {
            Some((last_axes, last_moments, last_frame, tensor))
                if last_axes == axes && last_moments == moments && last_frame == *frame =>
            {
                tensor
            }
            _ => {
                let tensor = frame.tensor_to_vehicle(inverse_inertia(local));
                self.0 = Some((axes, moments, *frame, tensor));
                tensor
            }
        }
    }
}

/// The state of a dynamic body with these axes.
#[inline(always)]
fn state_of(body: &RigidBody, frame: &Frame, inertia: &mut LastInertia) -> BodyState {
    let local = &body.mass_properties().local_mprops;
    BodyState {
        position: to_anchor(center_of_mass(body)),
        rotation: frame.vehicle_rotation(*body.rotation()),
        linear_velocity: body.linvel(),
        angular_velocity: body.angvel(),
        mass: body.mass(),
        inverse_inertia: inertia.inverse(local, frame),
        locked_axes: locked_axes(body.locked_axes()),
        linear_damping: body.linear_damping(),
        angular_damping: body.angular_damping(),
        asleep: body.is_sleeping(),
    }
}

impl RapierScene<'_> {
    /// Writes the state of `ids[i]` to `out[i]`, by the rules of [`RigidBodies::read`].
    ///
    /// # Errors
    /// For the first id that does not name a dynamic body.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    pub fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "one slot per body");
        let (mut place, mut inertia) = (0, LastInertia::default());
        for (&id, state) in ids.iter().zip(out) {
            let body = dynamic(self.bodies, id)?;
            *state = state_of(body, self.link.frame_from(&mut place, id), &mut inertia);
        }
        Ok(())
    }

    /// The motion of a body under a wheel, `None` if it is fixed or does not exist; `dt` (`s`) as in [`RapierWorld::new`].
    #[must_use]
    pub fn ground_motion(&self, id: BodyId, dt: f32) -> Option<GroundMotion> {
        let body = self.bodies.get(body_handle(id))?;
        if !body.is_dynamic_or_kinematic() {
            return None;
        }
        if dynamic(self.bodies, id).is_ok() {
            let state = state_of(body, self.link.frame(id), &mut LastInertia::default());
            return Some(GroundMotion::of(&state));
        }
        let velocities = match body.body_type() {
            RigidBodyType::KinematicPositionBased => {
                self.guided_velocity(body_handle(id), body, dt)
            }
            _ => *body.vels(),
        };
        Some(GroundMotion {
            position: to_anchor(center_of_mass(body)),
            rotation: *body.rotation(),
            linear_velocity: velocities.linvel,
            angular_velocity: velocities.angvel,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        })
    }

    /// Velocity of a body that follows poses in the coming step; zero in a step without duration.
    fn guided_velocity(
        &self,
        handle: RigidBodyHandle,
        body: &RigidBody,
        dt: f32,
    ) -> RigidBodyVelocity<f32> {
        let guided = &self.link.guided;
        guided.note(handle);
        if dt.is_nan() || dt <= 0.0 {
            return RigidBodyVelocity::zero();
        }
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
}

impl RapierWorld<'_> {
    fn serve(&mut self, id: BodyId, result: &StepResult) -> Result<(), BodyError> {
        let body = dynamic(self.bodies, id)?;
        let motion = result.motion_for(body.is_sleeping());
        // Rapier locks axes against forces only, and moves a body at the velocity that it is given.
        let motion = motion.in_free_axes(&locked_axes(body.locked_axes()));
        let handle = body_handle(id);
        // Mutable access puts a body on Rapier's list of changed bodies.
        if motion == Motion::Keep && !result.wake && !self.link.ledger.moves(handle) {
            return Ok(());
        }
        let Some(body) = self.bodies.get_mut(handle) else {
            return Err(BodyError::Missing(id));
        };
        if result.wake {
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
                push.torque = torque_for(body, angular);
            }
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                body.set_linvel(linear, false);
                body.set_angvel(angular, false);
                // Rapier's own product, so that the two cancel bit for bit.
                push.force = -(canceled_acceleration * body.mass());
                push.torque = -torque_for(body, canceled_angular_acceleration);
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

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        self.link.guided.look(self.bodies);
        for (&id, result) in ids.iter().zip(results) {
            self.serve(id, result)?;
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
                let arm = from_anchor(reaction.anchor, reaction.offset) - center_of_mass(body);
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

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::dynamics::RigidBodyBuilder;
    use rapier3d::math::Pose;

    /// The inverse inertia is Rapier's own, also for axes that it has exchanged, and for one that cannot turn.
    #[test]
    fn an_inverse_inertia_is_rapiers_bit_by_bit() {
        let moments = Vec3::new(431.7, 0.0, 1913.3);
        let half = core::f32::consts::FRAC_1_SQRT_2;
        for axes in [
            Quat::IDENTITY,
            Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            Quat::from_xyzw(-half, 0.0, 0.0, half),
            Quat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize(),
        ] {
            let local =
                MassProperties::with_principal_inertia_frame(Vec3::ZERO, 1213.0, moments, axes);
            let found = inverse_inertia(&local);
            assert_eq!(found, local.reconstruct_inverse_inertia_matrix(), "{axes}");
        }
    }

    /// A torque is inertia times acceleration, also about principal axes that the body does not have as its own.
    #[test]
    fn a_torque_is_inertia_times_acceleration() {
        let (mass, moments) = (1213.0, Vec3::new(431.7, 1302.9, 1913.3));
        let (axes, rotation) = (
            Quat::from_xyzw(0.1, -0.7, 0.3, 0.2).normalize(),
            Quat::from_xyzw(-0.2, 0.4, 0.1, 0.9).normalize(),
        );
        let local = MassProperties::with_principal_inertia_frame(Vec3::ZERO, mass, moments, axes);
        let mut body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(Vec3::ZERO, rotation))
            .additional_mass_properties(local)
            .build();
        body.recompute_mass_properties_from_colliders(&ColliderSet::new());
        let turned = Mat3::from_quat(rotation);
        let inverse = turned * inverse_inertia(&local) * turned.transpose();
        for acceleration in [Vec3::X, Vec3::new(0.3, -2.0, 0.7)] {
            let found = inverse * torque_for(&body, acceleration);
            assert!(found.abs_diff_eq(acceleration, 1e-5), "{found}");
        }
    }

    #[test]
    fn bodies_one_after_the_other_have_each_their_inertia() {
        let turned = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
        let moments = Vec3::new(431.7, 1302.9, 1913.3);
        let of = |moments, axes| {
            MassProperties::with_principal_inertia_frame(Vec3::ZERO, 1213.0, moments, axes)
        };
        let bodies = [
            of(moments, Quat::IDENTITY),
            of(moments, turned),
            of(2.0 * moments, turned),
        ];
        let mut last = LastInertia::default();
        for local in bodies {
            for frame in [Frame::X_FORWARD_Z_UP, Frame::X_FORWARD_Y_UP] {
                let expected = frame.tensor_to_vehicle(inverse_inertia(&local));
                for _ in 0..2 {
                    assert_eq!(last.inverse(&local, &frame), expected);
                }
            }
        }
    }
}
