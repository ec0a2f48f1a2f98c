//! A free rigid body of the standalone world.

#[cfg(feature = "serde")]
mod record;

use glam::{DVec3, Mat3, Quat, Vec3};
use jointed_wheels::rows::Mover;
use vehicle_core::checked::Inspector;
use vehicle_core::rigid_bodies::BodyState;
use vehicle_core::{LockedAxes, UnitScale, inertia, math};

use crate::error::{GroundError, check, finite_point};
use crate::sleep::Sleep;
#[cfg(feature = "serde")]
use record::BodyRecord;

/// A box that stays out of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CollisionBox {
    /// Half of the box's length, width, height (`m`, vehicle axes), > 0.
    pub half_extents: Vec3,
    /// Center of the box relative to the center of mass (`m`, vehicle axes).
    pub center: Vec3,
    /// Coulomb's friction coefficient against any ground (–), ≥ 0; 0.5 is steel on asphalt.
    pub friction: f32,
    /// Layers that the box touches, one bit each; 0 for none. Hulls of other bodies are in every layer.
    pub layers: u32,
}

/// Description of a body: pose, velocity, mass, damping and hull at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BodyDesc {
    /// Center of mass (`m`, world).
    pub position: DVec3,
    /// Rotation vehicle frame → world, of unit length within 1 %.
    pub rotation: Quat,
    /// Velocity of the center of mass (`m/s`, world axes).
    pub linear_velocity: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular_velocity: Vec3,
    /// Mass (`kg`), > 0.
    pub mass: f32,
    /// Inertia tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see
    /// [`vehicle_core::inertia`].
    pub inertia: Mat3,
    /// Velocities are multiplied by `1 − damping·dt` each step (`1/s`), ≥ 0; an engine's own rule may differ in second
    /// order.
    pub linear_damping: f32,
    /// Damping of the angular velocity (`1/s`), ≥ 0, by the rule of `linear_damping`.
    pub angular_damping: f32,
    /// Upper bound of the angular speed (`rad/s`), > 0.
    pub max_angular_speed: f32,
    /// Kinetic energy per mass (`J/kg`) below which the body falls asleep, ≥ 0; 0 means never.
    pub sleep_threshold: f32,
    /// The box that collides with the ground; without one only wheels touch it.
    pub hull: Option<CollisionBox>,
    /// Coefficient of restitution of the hull when it hits the ground faster than 2 m/s (PhysX's
    /// threshold) (–), 0…1. Slower, an engine may have a rule of its own.
    pub restitution: f32,
}

impl BodyDesc {
    /// Inertia tensor of a box of uniform density (`kg·m²`) from its mass (`kg`) and half extents (`m`).
    #[must_use]
    pub fn box_inertia(mass: f32, half_extents: Vec3) -> Mat3 {
        let square = half_extents * half_extents;
        let moments = Vec3::new(
            square.y + square.z,
            square.x + square.z,
            square.x + square.y,
        );
        Mat3::from_diagonal(moments * (mass / 3.0))
    }

    /// A body at rest, with the vehicle frame along the world's axes, without damping, hull or
    /// restitution; angular speed limit 100 rad/s and sleep threshold 0.005 J/kg (PhysX's defaults
    /// for meters).
    #[must_use]
    pub const fn at_rest(position: DVec3, mass: f32, inertia: Mat3) -> Self {
        Self {
            position,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass,
            inertia,
            linear_damping: 0.0,
            angular_damping: 0.0,
            max_angular_speed: 100.0,
            sleep_threshold: 0.005,
            hull: None,
            restitution: 0.0,
        }
    }

    /// This body for a world in other units. Thresholds of the contacts of hulls stay those of meters.
    #[must_use]
    pub fn in_units(&self, units: UnitScale) -> Self {
        let length = units.length as f32;
        Self {
            position: self.position * units.length,
            linear_velocity: self.linear_velocity * length,
            mass: self.mass * units.mass as f32,
            inertia: self.inertia * units.factor(2, 1) as f32,
            sleep_threshold: self.sleep_threshold * units.factor(2, 0) as f32,
            hull: self.hull.map(|hull| CollisionBox {
                half_extents: hull.half_extents * length,
                center: hull.center * length,
                ..hull
            }),
            ..*self
        }
    }

    /// The body as the contract [`RigidBodies`](vehicle_core::RigidBodies) reads it, awake.
    #[must_use]
    pub fn state(&self) -> BodyState {
        self.state_with(inertia::inverse(self.inertia))
    }

    const fn state_with(&self, inverse_inertia: Mat3) -> BodyState {
        BodyState {
            position: self.position,
            rotation: self.rotation,
            linear_velocity: self.linear_velocity,
            angular_velocity: self.angular_velocity,
            mass: self.mass,
            inverse_inertia,
            locked_axes: LockedAxes::NONE,
            linear_damping: self.linear_damping,
            angular_damping: self.angular_damping,
            asleep: false,
        }
    }

    /// Checks all numbers, for worlds that are to refuse such a body.
    ///
    /// # Errors
    /// With every one that violates its rule.
    pub fn check(&self) -> Result<(), GroundError> {
        check("body", |i| {
            check_pose(i, self.position, self.rotation);
            check_velocities(i, self.linear_velocity, self.angular_velocity);
            i.positive("mass", self.mass, "kg");
            let sound = inertia::is_sound(self.inertia);
            let rule = "must be finite, symmetric and positive definite";
            i.rule(sound, "inertia", self.inertia, "kg·m²", rule);
            i.not_negative("linear_damping", self.linear_damping, "1/s");
            i.not_negative("angular_damping", self.angular_damping, "1/s");
            i.positive("max_angular_speed", self.max_angular_speed, "rad/s");
            i.not_negative("sleep_threshold", self.sleep_threshold, "J/kg");
            i.within_range("restitution", self.restitution, 0.0, 1.0, "");
            if let Some(hull) = self.hull {
                i.within("hull", |i| {
                    let half = hull.half_extents;
                    let positive = half.is_finite() && half.min_element() > 0.0;
                    let rule = "must be finite and > 0 in every component";
                    i.rule(positive, "half_extents", half, "m", rule);
                    i.finite_vector("center", hull.center, "m");
                    i.not_negative("friction", hull.friction, "");
                });
            }
        })
    }
}

/// A unit rotation: unchanged if its length is 1 within rounding, so that a body put back in its
/// pose continues bit for bit.
pub(crate) fn as_unit(rotation: Quat) -> Quat {
    let [x, y, z, w] = rotation.to_array();
    let square = x * x + y * y + z * z + w * w;
    if (square - 1.0).abs() <= 4.0 * f32::EPSILON {
        rotation
    } else {
        math::unit(rotation)
    }
}

/// Checks a position (`m`, world) and a rotation to world axes.
pub(crate) fn check_pose(i: &mut Inspector, position: DVec3, q: Quat) {
    finite_point(i, "position", position, "m");
    check_rotation(i, q);
}

/// Checks a rotation.
pub(crate) fn check_rotation(i: &mut Inspector, q: Quat) {
    let square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    let holds = (square - 1.0).abs() < 0.02;
    i.rule(
        holds,
        "rotation",
        q,
        "",
        "must be a unit quaternion within 1 %",
    );
}

/// Checks a linear (`m/s`) and an angular (`rad/s`) velocity.
pub(crate) fn check_velocities(i: &mut Inspector, linear: Vec3, angular: Vec3) {
    i.finite_vector("linear_velocity", linear, "m/s");
    i.finite_vector("angular_velocity", angular, "rad/s");
}

/// A free rigid body of the standalone world.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "BodyRecord", into = "BodyRecord"))]
pub struct Body {
    pub(crate) now: BodyDesc,
    /// Principal moments of inertia (`kg·m²`).
    moments: Vec3,
    /// Principal axes as columns, in vehicle axes.
    axes: Mat3,
    pub(crate) sleep: Sleep,
    /// Axes of the world along and about which it does not move.
    locked: LockedAxes,
    /// Linear (`m/s²`) and angular (`rad/s²`) acceleration of its vehicle over the next step (world axes).
    motion: [Vec3; 2],
    /// Linear (`m/s²`) and angular (`rad/s²`) acceleration by the wheels that stand on it, over the next step (world axes).
    reaction: [Vec3; 2],
    /// The user's force (`N`) and torque about the center of mass (`N·m`, world axes).
    push: [Vec3; 2],
}

impl Body {
    /// A body from a checked description.
    pub(crate) fn new(desc: &BodyDesc) -> Self {
        let (moments, axes) = inertia::principal(desc.inertia);
        Self {
            now: BodyDesc {
                rotation: as_unit(desc.rotation),
                ..*desc
            },
            moments,
            axes: math::matrix(axes),
            sleep: Sleep::awake(),
            locked: LockedAxes::NONE,
            motion: [Vec3::ZERO; 2],
            reaction: [Vec3::ZERO; 2],
            push: [Vec3::ZERO; 2],
        }
    }

    /// Current pose, velocities and properties of the body.
    #[must_use]
    pub const fn now(&self) -> &BodyDesc {
        &self.now
    }

    /// Whether the body sleeps.
    #[must_use]
    pub const fn is_asleep(&self) -> bool {
        self.sleep.asleep
    }

    /// Time until the body falls asleep if nothing moves it (`s`).
    #[must_use]
    pub const fn wake_counter(&self) -> f32 {
        self.sleep.counter()
    }

    /// State of the body for the contract [`RigidBodies`](vehicle_core::RigidBodies).
    #[must_use]
    pub fn state(&self) -> BodyState {
        BodyState {
            asleep: self.sleep.asleep,
            locked_axes: self.locked,
            ..self.now.state_with(self.inverse_inertia(self.axes))
        }
    }

    /// Replaces its checked description, and wakes it; what acts on it in the next step stays.
    pub(crate) fn describe(&mut self, desc: &BodyDesc) {
        *self = Self {
            locked: self.locked,
            motion: self.motion,
            reaction: self.reaction,
            push: self.push,
            ..Self::new(desc)
        };
        self.lock(self.locked);
    }

    /// Locks these axes of the world alone, and ends the motion along and about them.
    pub(crate) fn lock(&mut self, axes: LockedAxes) {
        self.locked = axes;
        self.set_velocity(self.now.linear_velocity, self.now.angular_velocity);
    }

    /// Axes of the world along and about which it does not move.
    #[must_use]
    pub const fn locked_axes(&self) -> LockedAxes {
        self.locked
    }

    /// Inverse of the inertia (`1/(kg·m²)`) in the axes in which the principal ones are these.
    fn inverse_inertia(&self, axes: Mat3) -> Mat3 {
        axes * Mat3::from_diagonal(Vec3::ONE / self.moments) * axes.transpose()
    }

    /// Columns: its principal axes (world axes).
    fn principal_axes(&self) -> Mat3 {
        math::matrix(self.now.rotation) * self.axes
    }

    /// Replaces the user's force and torque, which are finite, and wakes the body.
    pub(crate) fn set_push(&mut self, force: Vec3, torque: Vec3) {
        self.push = [force, torque];
        self.wake();
    }

    pub(crate) fn wake(&mut self) {
        self.sleep = Sleep::awake();
    }

    /// Changes the velocities in its free axes immediately, unless the sum is not finite or the body sleeps.
    pub(crate) fn add_velocity(&mut self, linear: Vec3, angular: Vec3) {
        if self.sleep.asleep {
            return;
        }
        let linear = self.now.linear_velocity + self.locked.free_linear(linear);
        let angular = self.now.angular_velocity + self.locked.free_angular(angular);
        if linear.is_finite() && angular.is_finite() {
            self.now.linear_velocity = linear;
            self.now.angular_velocity = angular;
        }
    }

    /// Sets the velocities in its free axes immediately. They must be finite.
    pub(crate) fn set_velocity(&mut self, linear: Vec3, angular: Vec3) {
        self.now.linear_velocity = self.locked.free_linear(linear);
        self.now.angular_velocity = self.locked.free_angular(angular);
    }

    /// Replaces its vehicle's accelerations of the next step, which are finite.
    pub(crate) fn set_motion(&mut self, acceleration: [Vec3; 2]) {
        self.motion = acceleration;
    }

    /// Adds to the accelerations of the next step by wheels on it, unless the sum is not finite.
    pub(crate) fn add_reaction(&mut self, linear: Vec3, angular: Vec3) {
        let sum = [self.reaction[0] + linear, self.reaction[1] + angular];
        if sum[0].is_finite() && sum[1].is_finite() {
            self.reaction = sum;
        }
    }

    /// Whether wheels push the body in the next step.
    pub(crate) fn bears(&self) -> bool {
        self.reaction != [Vec3::ZERO; 2]
    }

    /// An angular momentum or torque (world axes) divided by the inertia.
    pub(crate) fn over_inertia(&self, momentum: Vec3) -> Vec3 {
        let axes = self.principal_axes();
        if self.locked.any() {
            return self.free_inverse_inertia() * momentum;
        }
        axes * (axes.transpose() * momentum / self.moments)
    }

    /// Inverse of the inertia (`1/(kg·m²)`, world axes), with nothing about locked axes.
    fn free_inverse_inertia(&self) -> Mat3 {
        self.locked
            .free_inverse_inertia(self.inverse_inertia(self.principal_axes()))
    }

    /// First half of a substep: gravity (`m/s²`, world axes), this step's accelerations and the
    /// user's force, damping, the limit of angular speed.
    pub(crate) fn accelerate(&mut self, gravity: Vec3, dt: f32) {
        let (motion, reaction) = (self.motion, self.reaction);
        if self.sleep.asleep {
            return;
        }
        let [force, torque] = self.push;
        let linear = gravity + motion[0] + reaction[0] + force / self.now.mass;
        let angular = motion[1] + reaction[1] + self.over_inertia(torque);
        self.add_velocity(linear * dt, angular * dt);
        let now = &mut self.now;
        now.linear_velocity *= (1.0 - now.linear_damping * dt).max(0.0);
        now.angular_velocity *= (1.0 - now.angular_damping * dt).max(0.0);
        let speed = math::sqrt(now.angular_velocity.dot(now.angular_velocity));
        if speed > now.max_angular_speed {
            // Normalized first, so that the square of the speed cannot overflow.
            let largest = now.angular_velocity.abs().max_element();
            let direction = math::unit_or_zero(now.angular_velocity / largest);
            now.angular_velocity = direction * now.max_angular_speed;
        }
    }

    /// The body as rows of joints know it: without mass while it sleeps.
    pub(crate) fn mover(&self) -> Mover {
        let (inverse_mass, inverse_inertia) = if self.sleep.asleep {
            (0.0, Mat3::ZERO)
        } else {
            (1.0 / self.now.mass, self.free_inverse_inertia())
        };
        Mover {
            linear: self.now.linear_velocity,
            angular: self.now.angular_velocity,
            inverse_mass,
            inverse_inertia,
        }
    }

    /// Takes the velocities that joints gave it, unless one is not finite.
    pub(crate) fn follow(&mut self, mover: &Mover) {
        let more = [
            mover.linear - self.now.linear_velocity,
            mover.angular - self.now.angular_velocity,
        ];
        if more != [Vec3::ZERO; 2] {
            self.add_velocity(more[0], more[1]);
        }
    }

    /// Turns a body that is symmetric about y as a gyroscope.
    pub(crate) fn precess(&mut self, h: f32) {
        let axle = math::matrix(self.now.rotation).y_axis;
        let Vec3 {
            x: across,
            y: about,
            ..
        } = self.moments;
        let turn = self.now.angular_velocity;
        let share = h * (about / across - 1.0) * turn.dot(axle);
        self.add_velocity(Vec3::ZERO, axle.cross(turn) * share);
    }

    /// Second half of a substep: the pose follows the velocities.
    pub(crate) fn advance(&mut self, dt: f32) {
        if self.sleep.asleep {
            return;
        }
        let now = &mut self.now;
        now.position += now.linear_velocity.as_dvec3() * f64::from(dt);
        now.rotation = math::turn(now.rotation, now.angular_velocity, dt);
    }

    /// The end of a substep: a body that hardly moves may fall asleep. Not before: what sleeps takes no impulse, and
    /// that of the other body would have no opposite.
    pub(crate) fn update_sleep(&mut self, dt: f32) {
        if self.sleep.asleep {
            return;
        }
        let angular = self.principal_axes().transpose() * self.now.angular_velocity;
        let (now, gyration) = (&self.now, self.moments / self.now.mass);
        self.sleep.update(
            now.linear_velocity,
            angular,
            gyration,
            now.sleep_threshold,
            dt,
        );
    }

    /// Clears the accelerations of this step at its end, and the velocities of a sleeping body.
    pub(crate) fn end_step(&mut self) {
        self.motion = [Vec3::ZERO; 2];
        self.reaction = [Vec3::ZERO; 2];
        if self.sleep.asleep {
            let now = &mut self.now;
            now.linear_velocity = Vec3::ZERO;
            now.angular_velocity = Vec3::ZERO;
        }
    }
}

#[cfg(test)]
mod tests;
