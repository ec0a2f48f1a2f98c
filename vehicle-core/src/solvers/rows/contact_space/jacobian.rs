//! Jacobians of rows, and the response of the chassis to their impulses.

use glam::{Mat3, Vec3};

use crate::base::lanes::{V3x4, W4};
use crate::base::velocity::VelocityLanes;

/// Jacobian of one row at each of four wheels (vehicle frame).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian {
    /// Direction of an impulse on the chassis; zero where there is no row, otherwise unit, but for its part along locked axes.
    pub direction: V3x4,
    /// Angular part, point × direction (`m`).
    pub(super) arm: V3x4,
    /// Angular part of M⁻¹Jᵀ, inverse inertia × arm (`rad/s` per `N·s`).
    pub(super) angular_response: V3x4,
}

impl Jacobian {
    /// Rows without effect.
    pub(super) const NONE: Self = Self {
        direction: V3x4::ZERO,
        arm: V3x4::ZERO,
        angular_response: V3x4::ZERO,
    };

    /// Rows along `direction` through `point` (`m`, from the center of mass), of a chassis with this inverse inertia (`1/(kg·m²)`).
    #[inline]
    #[must_use]
    pub fn new(direction: V3x4, point: V3x4, inverse_inertia: &Mat3) -> Self {
        Self::of_arm(direction, point.cross(direction), inverse_inertia)
    }

    /// Rows along `direction` with this angular part (`m`), of a chassis with this inverse inertia (`1/(kg·m²)`).
    #[inline]
    #[must_use]
    pub fn of_arm(direction: V3x4, arm: V3x4, inverse_inertia: &Mat3) -> Self {
        Self {
            direction,
            arm,
            angular_response: arm.rotated(inverse_inertia),
        }
    }

    /// Rows along `direction` with this angular part (`m`), of a chassis whose axes are principal, with these inverse moments
    /// of inertia (`1/(kg·m²)`).
    #[inline]
    #[must_use]
    pub fn about_principal_axes(direction: V3x4, arm: V3x4, inverse_moments: Vec3) -> Self {
        let by = V3x4::splat(inverse_moments);
        Self {
            direction,
            arm,
            angular_response: V3x4 {
                x: arm.x * by.x,
                y: arm.y * by.y,
                z: arm.z * by.z,
            },
        }
    }

    /// Rows of a chassis that moves along some axes only: impulses along the others move nothing. `free` projects vectors on
    /// the axes along which it moves.
    pub fn lock(&mut self, free: &Mat3) {
        self.direction = self.direction.rotated(free);
    }

    /// Speeds along the rows, J·v (`m/s`).
    #[inline]
    #[must_use]
    pub fn speeds(&self, velocity: &VelocityLanes) -> W4 {
        let linear = self.direction.dot(V3x4::splat_lanes(velocity.linear));
        linear + self.arm.dot(V3x4::splat_lanes(velocity.angular))
    }
}

/// The inverse moments of inertia (`1/(kg·m²)`) of a chassis whose axes are principal: the diagonal of an inverse inertia
/// without products.
#[inline]
#[must_use]
pub fn inverse_moments(inverse: &Mat3) -> Option<Vec3> {
    let [[x, xy, xz], [yx, y, yz], [zx, zy, z]] = inverse.to_cols_array_2d();
    ([xy, xz, yx, yz, zx, zy] == [0.0; 6]).then(|| Vec3::new(x, y, z))
}
