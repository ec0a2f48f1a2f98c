//! Motion of a rigid body.

use core::ops::{Add, Mul, Sub};

use glam::{Mat3, Vec3, Vec4};

use super::lanes::V3x4;
use super::math;

/// A linear and an angular velocity, or a change of both; the user defines the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Velocity {
    /// Velocity of the center of mass (`m/s`).
    pub linear: Vec3,
    /// Angular velocity (`rad/s`).
    pub angular: Vec3,
}

impl Velocity {
    /// Zero.
    pub const ZERO: Self = Self {
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
    };

    /// Velocity of the point of the same body at `arm` (`m`).
    #[must_use]
    pub fn at(self, arm: Vec3) -> Self {
        Self {
            linear: self.linear + self.angular.cross(arm),
            ..self
        }
    }

    /// This velocity in lanes.
    #[inline]
    #[must_use]
    pub(crate) fn in_lanes(&self) -> VelocityLanes {
        VelocityLanes {
            linear: self.linear.extend(0.0),
            angular: self.angular.extend(0.0),
        }
    }

    /// Whether all numbers are finite.
    #[inline]
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let VelocityLanes { linear, angular } = self.in_lanes();
        linear.is_finite() && angular.is_finite()
    }

    /// Whether the linear velocity is below `limit` in `m/s`, and the angular velocity below it in `rad/s`.
    #[must_use]
    pub fn is_below(&self, limit: f32) -> bool {
        let below = |v: Vec3| v.dot(v) < limit * limit;
        below(self.linear) && below(self.angular)
    }
}

/// A [`Velocity`] in lanes, as solvers compute with it; the fourth lanes count for nothing.
#[derive(Clone, Copy, Debug)]
pub struct VelocityLanes {
    /// Velocity of the center of mass (`m/s`).
    pub linear: Vec4,
    /// Angular velocity (`rad/s`).
    pub angular: Vec4,
}

impl VelocityLanes {
    /// Zero.
    pub const ZERO: Self = Self {
        linear: Vec4::ZERO,
        angular: Vec4::ZERO,
    };

    /// This velocity in the axes of a frame with these columns of its rotation, both vectors at once.
    #[inline]
    #[must_use]
    pub(crate) fn rotated_back_by(&self, columns: &[Vec4; 3]) -> Self {
        let both = V3x4::from_lanes([self.linear, self.angular, Vec4::ZERO, Vec4::ZERO]);
        let [linear, angular, ..] = both.rotated_back_by(columns).by_wheel();
        Self { linear, angular }
    }

    /// This velocity in the axes to which the rotation leads.
    #[inline]
    #[must_use]
    pub fn rotated(&self, rotation: &Mat3) -> Self {
        Self {
            linear: math::rotated_lanes(rotation, self.linear),
            angular: math::rotated_lanes(rotation, self.angular),
        }
    }

    /// linear·linear + angular·angular.
    #[inline]
    #[must_use]
    pub(crate) fn dot(&self, other: &Self) -> f32 {
        let products = self.linear * other.linear + self.angular * other.angular;
        products.x + products.y + products.z
    }

    /// Each number times that of `factors`.
    #[inline]
    #[must_use]
    pub(crate) fn scaled(&self, factors: &Self) -> Self {
        Self {
            linear: self.linear * factors.linear,
            angular: self.angular * factors.angular,
        }
    }

    /// This velocity without the padding.
    #[inline]
    #[must_use]
    pub fn truncated(self) -> Velocity {
        Velocity {
            linear: self.linear.truncate(),
            angular: self.angular.truncate(),
        }
    }
}

impl PartialEq for VelocityLanes {
    fn eq(&self, o: &Self) -> bool {
        self.truncated() == o.truncated()
    }
}

/// Sums, differences and multiples, vector by vector.
macro_rules! vector_by_vector {
    ($type:ident) => {
        impl Add for $type {
            type Output = Self;
            #[inline]
            fn add(self, o: Self) -> Self {
                Self {
                    linear: self.linear + o.linear,
                    angular: self.angular + o.angular,
                }
            }
        }

        impl Sub for $type {
            type Output = Self;
            #[inline]
            fn sub(self, o: Self) -> Self {
                Self {
                    linear: self.linear - o.linear,
                    angular: self.angular - o.angular,
                }
            }
        }

        impl Mul<f32> for $type {
            type Output = Self;
            #[inline]
            fn mul(self, s: f32) -> Self {
                Self {
                    linear: self.linear * s,
                    angular: self.angular * s,
                }
            }
        }
    };
}

vector_by_vector!(Velocity);
vector_by_vector!(VelocityLanes);

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;

    fn vectors() -> impl Strategy<Value = [Vec3; 2]> {
        prop::array::uniform2(prop::array::uniform3(-30f32..30.0).prop_map(Vec3::from))
    }

    proptest! {
        /// Both vectors in lanes are the vectors, to the bit, and are rotated as each alone.
        #[test]
        fn lanes_are_both_vectors(
            [linear, angular] in vectors(), [a, b] in vectors(), axis in -3f32..3.0,
        ) {
            let (one, other) = (Velocity { linear, angular }, Velocity { linear: a, angular: b });
            let lanes = one.in_lanes();
            prop_assert_eq!(lanes.truncated(), one);
            prop_assert_eq!((lanes + other.in_lanes()).truncated(), one + other);
            prop_assert_eq!((lanes - other.in_lanes()).truncated(), one - other);
            prop_assert_eq!((lanes * axis).truncated(), one * axis);
            let along = linear.dot(a) + angular.dot(b);
            prop_assert!((lanes.dot(&other.in_lanes()) - along).abs() < 2e-3, "{along}");
            let turn = Quat::from_scaled_axis(Vec3::new(axis, 1.0, -axis));
            let world = lanes.rotated(&math::matrix(turn)).truncated();
            let back = lanes.rotated_back_by(&math::columns(turn)).truncated();
            for (actual, expected) in [
                (world.linear, turn * linear),
                (world.angular, turn * angular),
                (back.linear, turn.inverse() * linear),
                (back.angular, turn.inverse() * angular),
            ] {
                prop_assert!((actual - expected).length() < 1e-4, "{actual} {expected}");
            }
        }

        /// The fourth lanes count for nothing.
        #[test]
        fn fourth_lanes_do_not_matter([linear, angular] in vectors(), axis in -3f32..3.0) {
            let lanes = Velocity { linear, angular }.in_lanes();
            let odd = VelocityLanes {
                linear: linear.extend(f32::NAN),
                angular: angular.extend(f32::INFINITY),
            };
            prop_assert_eq!(odd, lanes);
            prop_assert_eq!(odd.dot(&lanes), lanes.dot(&lanes));
            let turn = Quat::from_scaled_axis(Vec3::splat(axis));
            let matrix = math::matrix(turn);
            prop_assert_eq!(odd.rotated(&matrix), lanes.rotated(&matrix));
            let columns = math::columns_of(&matrix);
            prop_assert_eq!(odd.rotated_back_by(&columns), lanes.rotated_back_by(&math::columns(turn)));
        }
    }
}
