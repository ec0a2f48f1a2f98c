//! Chassis and ground bodies.

use std::collections::HashMap;

use glam::{BVec3, DVec3, Mat3, Quat, Vec3};
use oxijolt::{AllowedDofs, BodyRef, MotionType, PhysicsWorld};
use vehicle_core::{
    BodyError, BodyId, BodyState, GroundMotion, LockedAxes, Motion, Reaction, RigidBodies,
    StepResult, math,
};

use crate::{JoltLink, JoltScene, JoltWorld};

/// Rounding of a standing body's acceleration, as a share of gravity, or in rad/s².
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// A force (`N`) and a torque about the center of mass (`N·m`), in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct JoltPush {
    force: Vec3,
    torque: Vec3,
}

/// Effect of the step results on a body in the coming step, after which Jolt forgets the forces.
#[derive(Clone, Copy, Debug, Default)]
struct JoltServed {
    /// The force of the body's own vehicle.
    motion: JoltPush,
    /// The body's own share of gravity, if it has none in this step.
    weightless: Option<f32>,
}

/// Effects of the step results on all bodies in the coming step.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoltLedger(HashMap<oxijolt::BodyId, JoltServed>);

impl JoltLedger {
    fn entry(&mut self, body: oxijolt::BodyId) -> &mut JoltServed {
        self.0.entry(body).or_default()
    }

    pub(crate) fn close(&mut self, world: &mut PhysicsWorld) {
        for (body, served) in self.0.drain() {
            if let (Some(factor), Ok(mut body)) = (served.weightless, world.body_mut(body)) {
                // It was the body's own.
                let _ = body.set_gravity_factor(factor);
            }
        }
    }
}

/// A dynamic body.
fn dynamic(
    link: &JoltLink,
    world: &PhysicsWorld,
    id: BodyId,
) -> Result<oxijolt::BodyId, BodyError> {
    let body = link.body(id).ok_or(BodyError::Missing(id))?;
    let found = world.body(body).map_err(|_| BodyError::Missing(id))?;
    if found.motion_type() == MotionType::Dynamic && !found.is_soft_body() {
        Ok(body)
    } else {
        Err(BodyError::NotDynamic(id))
    }
}

/// Inverse of the inertia tensor about the center of mass (`1/(kg·m²)`, world axes).
fn inverse_inertia(body: &BodyRef<'_>) -> Mat3 {
    // Rows are columns of a symmetric tensor.
    body.inverse_inertia()
        .map_or(Mat3::ZERO, |rows| Mat3::from_cols_array_2d(&rows))
}

/// The axes of the world that a body does not move along or turn about.
fn locked_axes(body: &BodyRef<'_>) -> LockedAxes {
    let free = body.allowed_dofs();
    if free == AllowedDofs::ALL {
        return LockedAxes::NONE;
    }
    let locked = |axes: [AllowedDofs; 3]| BVec3::from_array(axes.map(|axis| !free.contains(axis)));
    LockedAxes {
        translation: locked([
            AllowedDofs::TRANSLATION_X,
            AllowedDofs::TRANSLATION_Y,
            AllowedDofs::TRANSLATION_Z,
        ]),
        rotation: locked([
            AllowedDofs::ROTATION_X,
            AllowedDofs::ROTATION_Y,
            AllowedDofs::ROTATION_Z,
        ]),
    }
}

impl JoltScene<'_> {
    /// Writes the state of `ids[i]` to `out[i]`, by the rules of [`RigidBodies::read`].
    ///
    /// # Errors
    /// For the first id that does not name a dynamic body.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    pub fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), out.len(), "one slot per body");
        for (&id, state) in ids.iter().zip(out) {
            let body = dynamic(self.link, self.world, id)?;
            let body = self.world.body(body).map_err(|_| BodyError::Missing(id))?;
            *state = self.state(id, &body);
        }
        Ok(())
    }

    /// The motion of a body under a wheel; `None` if it is fixed or does not exist.
    #[must_use]
    pub fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let body = self.world.body(self.link.body(id)?).ok()?;
        match body.motion_type() {
            MotionType::Static => None,
            MotionType::Dynamic => Some(GroundMotion::of(&self.state(id, &body))),
            MotionType::Kinematic => Some(GroundMotion {
                position: self.center_of_mass(id, &body),
                rotation: body.rotation().into(),
                linear_velocity: body.linear_velocity().into(),
                angular_velocity: body.angular_velocity().into(),
                mass: None,
                inverse_inertia: Mat3::ZERO,
            }),
        }
    }

    /// Center of mass (`m`, world).
    fn center_of_mass(&self, id: BodyId, body: &BodyRef<'_>) -> DVec3 {
        let arm = Quat::from(body.rotation()) * self.link.center_of_mass(id);
        DVec3::from(body.position()) + arm.as_dvec3()
    }

    fn state(&self, id: BodyId, body: &BodyRef<'_>) -> BodyState {
        let rotation = self.link.frame(id).vehicle_rotation(body.rotation().into());
        let axes = math::matrix(rotation);
        BodyState {
            position: self.center_of_mass(id, body),
            rotation,
            linear_velocity: body.linear_velocity().into(),
            angular_velocity: body.angular_velocity().into(),
            mass: body.mass().unwrap_or_default(),
            inverse_inertia: axes.transpose() * inverse_inertia(body) * axes,
            locked_axes: locked_axes(body),
            linear_damping: body.linear_damping().unwrap_or_default(),
            angular_damping: body.angular_damping().unwrap_or_default(),
            asleep: body.is_sleeping(),
        }
    }
}

impl JoltWorld<'_> {
    fn serve(&mut self, id: BodyId, result: &StepResult) -> Result<(), oxijolt::BodyError> {
        let Some(body) = self.link.body(id) else {
            return Ok(());
        };
        let gravity = Vec3::from(self.world.gravity());
        let mut body = self.world.body_mut(body)?;
        let locked = locked_axes(&body);
        let motion = result.motion_for(body.is_sleeping()).in_free_axes(&locked);
        if result.wake {
            body.activate();
        } else if body.is_sleeping() {
            // Velocities and forces would wake it.
            return Ok(());
        }
        let mass = body.mass().unwrap_or_default();
        let inverse = inverse_inertia(&body);
        let served = self.link.ledger.entry(body.id());
        if let Some(factor) = served.weightless.take() {
            body.set_gravity_factor(factor)?;
        }
        let push = match motion {
            Motion::Keep => JoltPush::default(),
            Motion::VelocityChange { linear, angular } => {
                let now = Vec3::from(body.linear_velocity());
                body.set_linear_velocity((now + linear).into())?;
                let now = Vec3::from(body.angular_velocity());
                body.set_angular_velocity((now + angular).into())?;
                JoltPush::default()
            }
            Motion::Acceleration { linear, angular } => JoltPush {
                force: linear * mass,
                torque: locked.torque_for(inverse, angular),
            },
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                body.set_linear_velocity(linear.into())?;
                body.set_angular_velocity(angular.into())?;
                let factor = body.gravity_factor().unwrap_or_default();
                // A force would restart the time until sleep: who only carries its weight has none.
                let rest = canceled_acceleration - gravity * factor;
                let weightless = rest.length() <= ROUNDING * gravity.length();
                let turned = if canceled_angular_acceleration.length() <= ROUNDING {
                    Vec3::ZERO
                } else {
                    canceled_angular_acceleration
                };
                if weightless {
                    body.set_gravity_factor(0.0)?;
                    served.weightless = Some(factor);
                }
                JoltPush {
                    force: if weightless {
                        Vec3::ZERO
                    } else {
                        -(canceled_acceleration * mass)
                    },
                    torque: -locked.torque_for(inverse, turned),
                }
            }
        };
        let (force, torque) = (
            push.force - served.motion.force,
            push.torque - served.motion.torque,
        );
        served.motion = push;
        if force != Vec3::ZERO {
            body.add_force(force.into())?;
        }
        if torque != Vec3::ZERO {
            body.add_torque(torque.into())?;
        }
        Ok(())
    }

    fn push_back(&mut self, reaction: &Reaction) -> Option<()> {
        let body = dynamic(self.link, self.world, reaction.body).ok()?;
        let point = reaction.anchor + reaction.offset.as_dvec3();
        // Both wake it. Waking costs a car a step without its springs: bodies under wheels stay
        // awake.
        let mut body = self.world.body_mut(body).ok()?;
        body.activate();
        body.add_force_at_point(reaction.force.into(), point.into())
            .ok()?;
        body.add_torque(reaction.torque.into()).ok()
    }
}

/// * A sleeping body that is not woken ignores every step result.
/// * Reactions wake a sleeping body, and keep it awake while they last.
/// * A body whose center of mass is not its origin must be registered with
///   [`JoltLink::add_chassis`].
impl RigidBodies for JoltWorld<'_> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.scene().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.scene().ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        assert_eq!(ids.len(), results.len(), "one result per body");
        for (&id, result) in ids.iter().zip(results) {
            dynamic(self.link, self.world, id)?;
            // Numbers beyond Jolt's limits do nothing.
            let _ = self.serve(id, result);
        }
        Ok(())
    }

    fn react(&mut self, reactions: &[Reaction]) {
        for reaction in reactions.iter().filter(|reaction| reaction.acts()) {
            // A body that is gone, or not dynamic, is passed over.
            let _ = self.push_back(reaction);
        }
    }
}
