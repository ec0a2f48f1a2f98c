//! The air around a vehicle, and what it does to it.

use core::f32::consts::PI;

use glam::Vec3;

use crate::base::lanes::{W4, are_finite};
use crate::base::math;

/// The air around a vehicle during a step. Only vehicles with [`Aerodynamics`](crate::params::Aerodynamics) feel it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Air {
    /// Density (`kg/m³`), ≥ 0: 1.225 at sea level, 0.74 at 5000 m (ISO 2533), 1000 in water, 0 in a vacuum.
    pub density: f32,
    /// Velocity of the air over the ground (`m/s`, world axes): a wind from the west blows to the east.
    pub wind: Vec3,
}

impl Air {
    /// Still air of the standard atmosphere at sea level, 1.225 kg/m³ (ISO 2533).
    pub const STILL: Self = Self {
        density: 1.225,
        wind: Vec3::ZERO,
    };

    /// This air with a gust in addition: it grows to `peak` (`m/s`, world axes) over the `gradient` length (`m`), >
    /// 0, and falls over as much again; `distance` (`m`) is the distance of the vehicle from its front. For a gust that passes a
    /// standing vehicle, this is the wind's speed times the time since its front arrived.
    ///
    /// The one-minus-cosine gust of aircraft (CS 25.341 (a)(2)): `½·(1 − cos(π·distance/gradient))` of the peak.
    #[must_use]
    pub fn with_gust(self, peak: Vec3, distance: f32, gradient: f32) -> Self {
        let part = distance / gradient;
        if !(part > 0.0 && part < 2.0) {
            return self;
        }
        let (sin, _) = math::sin_cos(0.5 * PI * part);
        Self {
            wind: self.wind + peak * (sin * sin),
            ..self
        }
    }

    /// Whether a step can be made in this air.
    pub(crate) fn is_sound(&self) -> bool {
        let Self { density, wind } = *self;
        density >= 0.0 && are_finite([W4::from_array([density, wind.x, wind.y, wind.z])])
    }
}

impl Default for Air {
    fn default() -> Self {
        Self::STILL
    }
}

/// Load of the air on a vehicle: means over the last substep, in the vehicle frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AirLoad {
    /// Velocity of the center of mass through the air at the substep's start (`m/s`).
    pub velocity: Vec3,
    /// Force (`N`).
    pub force: Vec3,
    /// Moment about the center of mass (`N·m`).
    pub moment: Vec3,
}

impl AirLoad {
    /// Still, or in a vacuum.
    pub const NONE: Self = Self {
        velocity: Vec3::ZERO,
        force: Vec3::ZERO,
        moment: Vec3::ZERO,
    };

    /// Speed through the air (`m/s`).
    #[must_use]
    pub fn speed(&self) -> f32 {
        math::sqrt(self.velocity.dot(self.velocity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::before(-1.0, 0.0)]
    #[case::front(0.0, 0.0)]
    #[case::third(10.0, 0.25)]
    #[case::half(15.0, 0.5)]
    #[case::peak(30.0, 1.0)]
    #[case::falling(45.0, 0.5)]
    #[case::end(60.0, 0.0)]
    #[case::behind(1e9, 0.0)]
    fn a_gust_grows_and_falls_as_one_minus_cosine(#[case] distance: f32, #[case] part: f32) {
        let air = Air {
            wind: Vec3::X,
            ..Air::STILL
        };
        let gust = air.with_gust(Vec3::new(0.0, 8.0, -2.0), distance, 30.0);
        assert!((gust.wind - Vec3::new(1.0, 8.0 * part, -2.0 * part)).length() < 1e-5);
        assert_eq!(gust.density, air.density);
    }

    #[rstest]
    #[case::density(f32::NAN, Vec3::ZERO)]
    #[case::less_than_nothing(-0.1, Vec3::ZERO)]
    #[case::endless(f32::INFINITY, Vec3::ZERO)]
    #[case::wind(1.0, Vec3::new(0.0, f32::INFINITY, 0.0))]
    fn air_that_cannot_be_is_found(#[case] density: f32, #[case] wind: Vec3) {
        assert!(!Air { density, wind }.is_sound());
        assert!(Air::default().is_sound());
    }
}
