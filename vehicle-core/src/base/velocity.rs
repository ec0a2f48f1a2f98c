//! Motion of a rigid body.

use core::ops::{Add, Mul, Sub};

use glam::{Mat3, Vec3};

use super::lanes::{V3x4, W4};

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

    /// That of the point of the same body at `arm` (`m`).
    #[must_use]
    pub fn at(self, arm: Vec3) -> Self {
        Self {
            linear: self.linear + self.angular.cross(arm),
            ..self
        }
    }

    /// The same in the axes of a frame with this rotation: both vectors at once, from a matrix that need not be in memory.
    #[inline]
    #[must_use]
    pub(crate) fn rotated_back(&self, rotation: &Mat3) -> Self {
        let both = V3x4::from_array([self.linear, self.angular, Vec3::ZERO, Vec3::ZERO]);
        let [linear, angular, ..] = both.rotated_back(rotation).to_array();
        Self { linear, angular }
    }

    /// All numbers, two of them twice: four and two as they lie in memory, so that what was just stored is read as it was stored.
    #[inline]
    #[must_use]
    pub(crate) fn numbers(&self) -> [W4; 2] {
        let (v, w) = (self.linear, self.angular);
        [[v.x, v.y, v.z, w.x], [w.y, w.z, w.y, w.z]].map(W4::from_array)
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }

    /// Whether the linear velocity is below `limit` in `m/s`, and the angular one in `rad/s`.
    #[must_use]
    pub fn is_below(&self, limit: f32) -> bool {
        let below = |v: Vec3| v.dot(v) < limit * limit;
        below(self.linear) && below(self.angular)
    }
}

impl Add for Velocity {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self {
            linear: self.linear + o.linear,
            angular: self.angular + o.angular,
        }
    }
}

impl Sub for Velocity {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self {
            linear: self.linear - o.linear,
            angular: self.angular - o.angular,
        }
    }
}

impl Mul<f32> for Velocity {
    type Output = Self;
    #[inline]
    fn mul(self, s: f32) -> Self {
        Self {
            linear: self.linear * s,
            angular: self.angular * s,
        }
    }
}
