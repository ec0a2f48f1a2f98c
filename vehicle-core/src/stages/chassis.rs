//! The private copy of the chassis that substeps move; the engine's body is not changed.

use glam::{BVec3, Mat3, Quat, Vec3, Vec4};

use crate::base::lanes::V3x4;
use crate::base::locked_axes::LockedAxes;
use crate::base::math;
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::contracts::rigid_bodies::BodyState;

/// A chassis within a step. Vectors are in world axes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chassis {
    /// Rotation vehicle → world, without [`Chassis::arc`].
    pub rotation: Quat,
    /// Rotation vehicle → world as a matrix, without [`Chassis::arc`].
    pub matrix: Mat3,
    /// Rotation by the last [`Chassis::glide`] (`rad`), which is not yet part of `rotation`.
    pub arc: Vec3,
    /// Velocities of the center of mass (`m/s`) and of rotation (`rad/s`).
    pub velocity: VelocityLanes,
    /// Displacement of the center of mass since the step's start (`m`).
    pub moved: Vec3,
    /// Sum of the rotations by [`Chassis::glide`] (`rad`); rotations below a milliradian add like vectors.
    pub turned: Vec3,
    /// Time since the step's start (`s`).
    pub elapsed: f32,
    /// 1/mass (`1/kg`).
    pub inverse_mass: f32,
    /// Inverse inertia tensor (`1/(kg·m²)`, vehicle axes), with nothing about locked axes.
    pub inverse_inertia: Mat3,
    /// Axes of the world in which it does not move.
    pub locked_axes: LockedAxes,
    /// Factor of changes of velocity (–): 0 along and about locked axes, else 1.
    pub freedom: VelocityLanes,
}

/// Quantities of the chassis that wheels need in a substep, in the vehicle frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Rotation vehicle → world.
    pub matrix: Mat3,
    /// Velocity of the center of mass (`m/s`).
    pub linear: Vec3,
    /// Angular velocity (`rad/s`).
    pub angular: Vec3,
    /// Gravity (`m/s²`).
    pub gravity: Vec3,
    /// Displacement of the center of mass since the step's start (`m`, world axes).
    pub moved: Vec3,
    /// Time since the step's start (`s`).
    pub elapsed: f32,
}

impl View {
    /// A world vector with its linear and angular part in the vehicle frame.
    #[inline]
    #[must_use]
    pub fn twist_to_vehicle(&self, world: &VelocityLanes) -> VelocityLanes {
        world.rotated_back_by(&math::columns_of(&self.matrix))
    }
}

impl Chassis {
    /// The chassis in the engine's pose, with these velocities (the engine's plus the carry).
    #[inline]
    #[must_use]
    pub fn new(body: &BodyState, linear: Vec3, angular: Vec3) -> Self {
        let velocity = Velocity { linear, angular }.in_lanes();
        Self::with_matrix(body, math::matrix(body.rotation), velocity)
    }

    /// A chassis whose rotation is known as a `matrix`, too.
    #[inline]
    #[must_use]
    pub fn with_matrix(body: &BodyState, matrix: Mat3, velocity: VelocityLanes) -> Self {
        let freedom = body.locked_axes.freedom().in_lanes();
        Self {
            rotation: body.rotation,
            matrix,
            arc: Vec3::ZERO,
            velocity: velocity.scaled(&freedom),
            moved: Vec3::ZERO,
            turned: Vec3::ZERO,
            elapsed: 0.0,
            inverse_mass: 1.0 / body.mass,
            inverse_inertia: (body.locked_axes).of_body(body.inverse_inertia, body.rotation),
            locked_axes: body.locked_axes,
            freedom,
        }
    }

    /// The view in the vehicle frame, under `gravity` (`m/s²`, world axes).
    #[inline]
    #[must_use]
    pub fn view(&self, gravity: Vec3) -> View {
        let velocity = self.velocity.truncated();
        View {
            matrix: self.matrix,
            linear: self.to_vehicle(velocity.linear),
            angular: self.to_vehicle(velocity.angular),
            gravity: self.to_vehicle(gravity),
            moved: self.moved,
            elapsed: self.elapsed,
        }
    }

    /// The chassis' view, and the `wind` (`m/s`, world axes) in the vehicle frame: four vectors at once, with the
    /// bits of one by one.
    #[inline]
    #[must_use]
    pub fn view_in_wind(&self, gravity: Vec4, wind: Vec3) -> (View, Vec3) {
        self.view_in_axes(&math::columns_of(&self.matrix), gravity, wind)
    }

    /// The chassis' view and the wind in other axes, those of the frame with these columns of its rotation.
    #[inline]
    #[must_use]
    pub fn view_in_axes(&self, columns: &[Vec4; 3], gravity: Vec4, wind: Vec3) -> (View, Vec3) {
        let VelocityLanes { linear, angular } = self.velocity;
        let world = V3x4::from_lanes([linear, angular, gravity, wind.extend(0.0)]);
        let [linear, angular, gravity, wind] = world.rotated_back_by(columns).to_array();
        let [x, y, z] = columns.map(Vec4::truncate);
        let view = View {
            matrix: Mat3::from_cols(x, y, z),
            linear,
            angular,
            gravity,
            moved: self.moved,
            elapsed: self.elapsed,
        };
        (view, wind)
    }

    /// The projection of vectors of a frame with these columns of its rotation on the axes along which the chassis can
    /// move; `None` if it can along all.
    #[inline]
    #[must_use]
    pub fn free_directions(&self, columns: &[Vec4; 3]) -> Option<Mat3> {
        if self.locked_axes.translation == BVec3::FALSE {
            return None;
        }
        let [x, y, z] = columns.map(Vec4::truncate);
        let axes = Mat3::from_cols(x, y, z);
        let free = Mat3::from_diagonal(self.freedom.linear.truncate());
        Some(axes.transpose() * free * axes)
    }

    /// A world vector in the vehicle frame.
    #[inline]
    #[must_use]
    pub fn to_vehicle(&self, world: Vec3) -> Vec3 {
        math::rotated_back(&self.matrix, world)
    }

    /// Applies a force (`N`) and a torque (`N·m`) in the vehicle frame, whose last lanes count for nothing, for `h` (`s`)
    /// (ALGORITHMS §3.11; without gyroscopic term and gravity).
    #[inline]
    pub fn push(&mut self, force: Vec4, torque: Vec4, h: f32) {
        let turned = math::rotated_lanes(&self.inverse_inertia, torque);
        let linear = math::rotated_lanes(&self.matrix, force) * (h * self.inverse_mass);
        let angular = math::rotated_lanes(&self.matrix, turned) * h;
        let change = VelocityLanes { linear, angular };
        self.velocity = self.velocity + change.scaled(&self.freedom);
    }

    /// Moves for `h` (`s`) at its velocities (ALGORITHMS §3.11).
    #[inline]
    pub fn drift(&mut self, h: f32) {
        let velocity = self.velocity.truncated();
        self.moved += velocity.linear * h;
        self.elapsed += h;
        self.rotation = math::turn_first_order(self.rotation, velocity.angular, h);
        self.matrix = math::matrix(self.rotation);
    }

    /// Rotation vehicle → world as it will be after `h` (`s`) at its angular velocity.
    #[inline]
    #[must_use]
    pub fn rotation_after(&self, h: f32) -> Quat {
        math::turn_a_little(self.rotation, self.velocity.angular.truncate(), h)
    }

    /// Moves for `h` (`s`) with a `change` of the velocity (world axes), at the mean of the old and the new one: a
    /// free body follows its parabola, and springs conserve energy. The rotation follows by [`Chassis::turn_by_arc`], where anyone
    /// asks for it.
    #[inline]
    pub fn glide(&mut self, change: &VelocityLanes, h: f32) {
        let before = self.velocity;
        self.velocity = before + change.scaled(&self.freedom);
        let displacement = ((before + self.velocity) * (0.5 * h)).truncated();
        self.moved += displacement.linear;
        self.arc = displacement.angular;
        self.turned += self.arc;
        self.elapsed += h;
    }

    /// Makes the arc of the last [`Chassis::glide`] part of the rotation and its matrix.
    #[inline]
    pub fn turn_by_arc(&mut self) {
        self.rotation = self.rotation_with_arc();
        self.matrix = math::matrix(self.rotation);
        self.arc = Vec3::ZERO;
    }

    /// Rotation vehicle → world after the last [`Chassis::glide`].
    #[inline]
    #[must_use]
    pub fn rotation_with_arc(&self) -> Quat {
        math::turn(self.rotation, self.arc, 1.0)
    }
}

#[cfg(test)]
mod tests;
