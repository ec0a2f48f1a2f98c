//! Axes of the world along and about which an engine does not let a body move.

use glam::{BVec3, Mat3, Quat, Vec3};

use super::math;
use super::velocity::Velocity;

/// Axes of the world along which a body does not move and about which it does not turn, as games in two and a half
/// dimensions lock them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LockedAxes {
    /// Axes along which the center of mass does not move.
    pub translation: BVec3,
    /// Axes about which the body does not turn.
    pub rotation: BVec3,
}

impl LockedAxes {
    /// No axis is locked.
    pub const NONE: Self = Self {
        translation: BVec3::FALSE,
        rotation: BVec3::FALSE,
    };

    /// Whether any axis is locked.
    #[inline]
    #[must_use]
    pub fn any(&self) -> bool {
        *self != Self::NONE
    }

    /// A linear velocity or acceleration (world axes) without its part along locked axes.
    #[inline]
    #[must_use]
    pub fn free_linear(&self, v: Vec3) -> Vec3 {
        Vec3::select(self.translation, Vec3::ZERO, v)
    }

    /// An angular velocity or acceleration (world axes) without its part about locked axes.
    #[inline]
    #[must_use]
    pub fn free_angular(&self, v: Vec3) -> Vec3 {
        Vec3::select(self.rotation, Vec3::ZERO, v)
    }

    /// The inverse of an inertia tensor (`1/(kg·m²)`, world axes) that turns about free axes only: the rows and columns
    /// of locked axes are 0, as engines have them.
    #[must_use]
    pub fn free_inverse_inertia(&self, inverse: Mat3) -> Mat3 {
        let columns = [inverse.x_axis, inverse.y_axis, inverse.z_axis];
        let locked: [bool; 3] = self.rotation.into();
        let [x, y, z] = core::array::from_fn(|n| {
            let zero = if locked[n] { Vec3::ZERO } else { columns[n] };
            self.free_angular(zero)
        });
        Mat3::from_cols(x, y, z)
    }

    /// The torque (`N·m`, world axes) that gives a body this angular acceleration (`rad/s²`, world axes) about its free
    /// axes; `inverse` is the inverse of its inertia tensor (`1/(kg·m²)`, world axes).
    #[must_use]
    pub fn torque_for(&self, inverse: Mat3, acceleration: Vec3) -> Vec3 {
        // Locked axes get any moment of inertia: nothing accelerates about them.
        let locked = Vec3::select(self.rotation, Vec3::ONE, Vec3::ZERO);
        let free = self.free_inverse_inertia(inverse) + Mat3::from_diagonal(locked);
        self.free_angular(free.inverse() * self.free_angular(acceleration))
    }

    /// The inverse of an inertia tensor (`1/(kg·m²)`, axes of a body in this `rotation` → world) with nothing about
    /// locked axes.
    #[inline]
    #[must_use]
    pub(crate) fn of_body(&self, inverse: Mat3, rotation: Quat) -> Mat3 {
        if self.rotation == BVec3::FALSE {
            return inverse;
        }
        let axes = math::matrix(rotation);
        let back = axes.transpose();
        back * self.free_inverse_inertia(axes * inverse * back) * axes
    }

    /// A velocity (world axes) without its parts along and about locked axes.
    #[inline]
    #[must_use]
    pub(crate) fn free(&self, v: Velocity) -> Velocity {
        Velocity {
            linear: self.free_linear(v.linear),
            angular: self.free_angular(v.angular),
        }
    }

    /// Factors, 1 or 0, by which a velocity (world axes) loses its parts along and about locked axes.
    #[inline]
    #[must_use]
    pub(crate) fn freedom(&self) -> Velocity {
        self.free(Velocity {
            linear: Vec3::ONE,
            angular: Vec3::ONE,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANE: LockedAxes = LockedAxes {
        translation: BVec3::new(false, true, false),
        rotation: BVec3::new(true, false, true),
    };

    #[test]
    fn only_free_parts_are_left() {
        let v = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(PLANE.free_linear(v), Vec3::new(1.0, 0.0, 3.0));
        assert_eq!(PLANE.free_angular(v), Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(LockedAxes::NONE.free_linear(v), v);
        assert!(PLANE.any() && !LockedAxes::NONE.any());
    }

    /// A body that turns about y alone does so by its moment about y, whatever its products of inertia are.
    #[test]
    fn a_torque_turns_about_free_axes() {
        let inertia = Mat3::from_cols(
            Vec3::new(400.0, 30.0, -50.0),
            Vec3::new(30.0, 1300.0, 20.0),
            Vec3::new(-50.0, 20.0, 1900.0),
        );
        let inverse = inertia.inverse();
        for (locked, expected) in [
            (PLANE, Vec3::new(0.0, 2.0, 0.0)),
            (LockedAxes::NONE, Vec3::new(0.5, 2.0, -1.0)),
        ] {
            let torque = locked.torque_for(inverse, expected);
            let actual = locked.free_inverse_inertia(inverse) * torque;
            assert!(actual.abs_diff_eq(expected, 1e-5), "{actual}");
        }
    }

    /// Locks are of the world's axes, however the body is turned.
    #[test]
    fn a_turned_body_keeps_the_locks_of_the_world() {
        let inverse = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 4.0));
        let rotation = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
        let axes = math::matrix(rotation);
        let world = axes * PLANE.of_body(inverse, rotation) * axes.transpose();
        let expected = PLANE.free_inverse_inertia(axes * inverse * axes.transpose());
        assert!(world.abs_diff_eq(expected, 1e-6), "{world}");
        assert_eq!(LockedAxes::NONE.of_body(inverse, rotation), inverse);
    }
}
