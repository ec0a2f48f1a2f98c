//! The contract [`RigidBodies`]: the chassis and other bodies, which an engine owns.

use glam::{DVec3, Mat3, Quat, Vec3};

use crate::base::ids::BodyId;
use crate::base::locked_axes::LockedAxes;
use crate::base::math;
use crate::base::velocity::Velocity;
pub use crate::exchange::step_error::BodyError;
use crate::exchange::step_result::{Reaction, StepResult};

/// State of a chassis in the engine at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Center of mass (`m`, world). Only differences of it are used.
    pub position: DVec3,
    /// Rotation vehicle frame → world (an engine's own body axes are converted by [`Frame`](crate::Frame)).
    pub rotation: Quat,
    /// Velocity of the center of mass (`m/s`, world axes).
    pub linear_velocity: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular_velocity: Vec3,
    /// Mass (`kg`), > 0.
    pub mass: f32,
    /// Inverse of the inertia tensor about the center of mass (`1/(kg·m²)`, vehicle axes); its components about locked axes are
    /// ignored.
    pub inverse_inertia: Mat3,
    /// Axes along and about which the engine does not let the body move.
    pub locked_axes: LockedAxes,
    /// Linear damping by the engine (`1/s`): it multiplies velocities by `1 − damping·dt`, or divides them by
    /// `1 + damping·dt`, which differs in second order.
    pub linear_damping: f32,
    /// Angular damping by the engine (`1/s`), by the rule of `linear_damping`.
    pub angular_damping: f32,
    /// Whether the engine has put the body to sleep.
    pub asleep: bool,
}

impl BodyState {
    /// Initial value to read into: at the world's origin, without mass.
    pub const BLANK: Self = Self {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: 0.0,
        inverse_inertia: Mat3::ZERO,
        locked_axes: LockedAxes::NONE,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    };

    /// Forward speed of the center of mass (`m/s`).
    #[inline]
    #[must_use]
    pub fn forward_speed(&self) -> f32 {
        math::matrix(self.rotation).x_axis.dot(self.linear_velocity)
    }

    /// Lateral speed of the center of mass (`m/s`), positive to the left.
    #[must_use]
    pub fn lateral_speed(&self) -> f32 {
        math::matrix(self.rotation).y_axis.dot(self.linear_velocity)
    }

    /// The velocity of its center of mass (`m/s`, `rad/s`, world axes).
    #[inline]
    #[must_use]
    pub(crate) fn velocity(&self) -> Velocity {
        Velocity {
            linear: self.linear_velocity,
            angular: self.angular_velocity,
        }
    }
}

/// Motion of a ground body in the coming step; an engine that does not know it yet reports that of the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundMotion {
    /// Center of mass (`m`, world).
    pub position: DVec3,
    /// Rotation of the body, any axes → world; only its changes are used.
    pub rotation: Quat,
    /// Velocity of the center of mass (`m/s`, world axes).
    pub linear_velocity: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular_velocity: Vec3,
    /// Mass (`kg`) of a body that reactions can push; `None` for a kinematic one.
    pub mass: Option<f32>,
    /// Inverse of such a body's inertia tensor about the center of mass (`1/(kg·m²)`, world axes); 0 for a kinematic one.
    pub inverse_inertia: Mat3,
}

impl GroundMotion {
    /// A dynamic body, such as another vehicle's chassis.
    #[must_use]
    pub fn of(body: &BodyState) -> Self {
        let axes = math::matrix(body.rotation);
        Self {
            position: body.position,
            rotation: body.rotation,
            linear_velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
            mass: Some(body.mass),
            inverse_inertia: body
                .locked_axes
                .free_inverse_inertia(axes * body.inverse_inertia * axes.transpose()),
        }
    }

    /// Whether no number of the motion is `NaN` or infinite, and no mass 0 or negative.
    #[must_use]
    pub(crate) fn is_sound(&self) -> bool {
        self.position.is_finite()
            && self.linear_velocity.is_finite()
            && self.angular_velocity.is_finite()
            && self.mass.is_none_or(|mass| mass > 0.0)
            && self.inverse_inertia.is_finite()
    }

    /// The velocity of its center of mass (`m/s`, `rad/s`, world axes).
    #[must_use]
    pub(crate) fn velocity(&self) -> Velocity {
        Velocity {
            linear: self.linear_velocity,
            angular: self.angular_velocity,
        }
    }
}

/// Reads and moves the bodies of a world.
pub trait RigidBodies {
    /// Writes the state of `ids[i]` to `out[i]`.
    ///
    /// # Errors
    /// For the first id that names no dynamic body; states before it have been written.
    ///
    /// # Panics
    /// If `ids.len() != out.len()`.
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError>;

    /// The motion of a body under a wheel; `None` if it is fixed or does not exist.
    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion>;

    /// Applies `results[i]` to `ids[i]`, **for the next step only**.
    ///
    /// * User forces are unchanged: exactly the forces that a result added are removed.
    /// * A body is woken only if [`StepResult::wake`] is set; neither a velocity nor a force of a result wakes it. Waking
    ///   restarts the body's sleep timer.
    /// * A body that is not woken falls asleep by the engine's own rule. A sleeping body does not move; an engine may keep a
    ///   velocity change until the body wakes, or drop it.
    /// * A body without a motion ([`StepResult::motion_for`]) is not changed.
    /// * A second result of a body before a step replaces the forces of the first: gravity is canceled once.
    /// * [`Motion::StepMotion`](crate::Motion): velocities are set, not added. Gravity is canceled in all substeps of the
    ///   engine, so that a body with zero velocity does not move at all; user forces and contacts act as usual. An engine that
    ///   adds a gyroscopic torque cancels it, too.
    /// * A motion does not act along or about [locked axes](BodyState::locked_axes):
    ///   [`Motion::in_free_axes`](crate::Motion::in_free_axes).
    ///
    /// # Errors
    /// For the first id that names no dynamic body; results before it have been applied.
    ///
    /// # Panics
    /// If `ids.len() != results.len()`.
    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError>;

    /// Applies reactions to dynamic bodies under wheels, for the next step only, and wakes these bodies. Reactions that
    /// do not [act](Reaction::acts), and those on bodies that do not exist or are not dynamic, are skipped.
    fn react(&mut self, reactions: &[Reaction]);
}

impl<T: RigidBodies + ?Sized> RigidBodies for &mut T {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        (**self).read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        (**self).ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        (**self).apply(ids, results)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        (**self).react(reactions);
    }
}
