//! Other units than metres and kilograms: a world in centimetres, inches, grams.
//!
//! Seconds and radians stay. A quantity of dimension lengthᵃ·massᵇ changes by the a-th power of the
//! units in a metre times the b-th power of those in a kilogram; [`scaled!`](crate::scaled) lists a
//! and b for each field of a struct. Thresholds that are no parameters, such as the speed below which
//! a car may fall asleep, follow [`Profile::units`](crate::Profile::units).
//!
//! ```
//! use vehicle_core::params::ChassisParams;
//! use vehicle_core::units::{Scaled, UnitScale};
//!
//! let chassis = ChassisParams {
//!     mass: 1500.0,
//!     inertia: glam::Vec3::new(600.0, 2400.0, 2600.0),
//!     centre_of_mass: glam::Vec3::Z * 0.5,
//!     support: None,
//! };
//! let in_centimetres = chassis.scaled(UnitScale::CENTIMETRES);
//! assert_eq!(in_centimetres.mass, 1500.0);
//! assert_eq!(in_centimetres.inertia.x, 6_000_000.0);
//! assert_eq!(in_centimetres.centre_of_mass.z, 50.0);
//! ```

use alloc::vec::Vec;

use glam::{DVec3, Mat3, Vec3};

use crate::base::checked::{Check, Inspector};
use crate::base::curve::Curve;
use crate::base::lanes::{Groups, LANES, V3x4, W4};

/// How many units of a system there are in a metre and in a kilogram.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct UnitScale {
    /// Units of length per metre (–), > 0.
    pub length: f64,
    /// Units of mass per kilogram (–), > 0.
    pub mass: f64,
}

impl UnitScale {
    /// Metres and kilograms.
    pub const SI: Self = Self {
        length: 1.0,
        mass: 1.0,
    };
    /// Centimetres and kilograms.
    pub const CENTIMETRES: Self = Self {
        length: 100.0,
        mass: 1.0,
    };
    /// Inches and kilograms.
    pub const INCHES: Self = Self {
        length: 1.0 / 0.0254,
        mass: 1.0,
    };
    /// Metres and grams.
    pub const GRAMS: Self = Self {
        length: 1.0,
        mass: 1000.0,
    };

    /// This change of units and then `next`.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self {
            length: self.length * next.length,
            mass: self.mass * next.mass,
        }
    }

    /// The change back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self {
            length: 1.0 / self.length,
            mass: 1.0 / self.mass,
        }
    }

    /// What a quantity of dimension length^`length`·mass^`mass` is multiplied by (–).
    #[must_use]
    pub fn factor(self, length: i32, mass: i32) -> f64 {
        power(self.length, length) * power(self.mass, mass)
    }

    /// A length (`m`) or speed (`m/s`), in these units.
    #[must_use]
    pub const fn metres(self, length: f32) -> f32 {
        length * self.length as f32
    }
}

impl Default for UnitScale {
    fn default() -> Self {
        Self::SI
    }
}

fn power(base: f64, exponent: i32) -> f64 {
    let power = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * base);
    if exponent < 0 { 1.0 / power } else { power }
}

impl Scaled for UnitScale {
    fn scaled(&self, scale: UnitScale) -> Self {
        self.then(scale)
    }
}

impl Check for UnitScale {
    fn check(&self, i: &mut Inspector) {
        // What powers of them make must stay within single precision.
        i.within_range("length", self.length as f32, 1e-3, 1e4, "per metre");
        i.within_range("mass", self.mass as f32, 1e-3, 1e4, "per kilogram");
    }
}

/// What can be told in other units.
pub trait Scaled {
    /// The same in units of which there are `scale.length` in one of the present units of length, and
    /// `scale.mass` in one of mass.
    #[must_use]
    fn scaled(&self, scale: UnitScale) -> Self;
}

/// A number or several of one dimension.
pub trait Quantity {
    /// All of them multiplied.
    #[must_use]
    fn times(&self, factor: f64) -> Self;
}

impl Quantity for f32 {
    fn times(&self, factor: f64) -> Self {
        (f64::from(*self) * factor) as Self
    }
}

impl Quantity for Vec3 {
    fn times(&self, factor: f64) -> Self {
        Self::from_array(self.to_array().times(factor))
    }
}

impl Quantity for DVec3 {
    fn times(&self, factor: f64) -> Self {
        *self * factor
    }
}

impl Quantity for Mat3 {
    fn times(&self, factor: f64) -> Self {
        Self::from_cols_array(&self.to_cols_array().times(factor))
    }
}

impl Quantity for W4 {
    fn times(&self, factor: f64) -> Self {
        Self::from_array(self.to_array().times(factor))
    }
}

impl Quantity for V3x4 {
    fn times(&self, factor: f64) -> Self {
        Self {
            x: self.x.times(factor),
            y: self.y.times(factor),
            z: self.z.times(factor),
        }
    }
}

impl<T: Quantity, const N: usize> Quantity for [T; N] {
    fn times(&self, factor: f64) -> Self {
        self.each_ref().map(|part| part.times(factor))
    }
}

impl<T: Quantity> Quantity for Vec<T> {
    fn times(&self, factor: f64) -> Self {
        self.iter().map(|part| part.times(factor)).collect()
    }
}

impl<T: Quantity> Quantity for Option<T> {
    fn times(&self, factor: f64) -> Self {
        self.as_ref().map(|part| part.times(factor))
    }
}

impl<T: Scaled, const N: usize> Scaled for [T; N] {
    fn scaled(&self, scale: UnitScale) -> Self {
        self.each_ref().map(|part| part.scaled(scale))
    }
}

impl<T: Scaled> Scaled for Vec<T> {
    fn scaled(&self, scale: UnitScale) -> Self {
        self.iter().map(|part| part.scaled(scale)).collect()
    }
}

impl<T: Scaled> Scaled for Option<T> {
    fn scaled(&self, scale: UnitScale) -> Self {
        self.as_ref().map(|part| part.scaled(scale))
    }
}

impl<T: Scaled> Scaled for Groups<T> {
    fn scaled(&self, scale: UnitScale) -> Self {
        Self::for_wheels(LANES * self.count(), |g| self[g].scaled(scale))
    }
}

/// A curve whose axes are multiplied by `x` and by `y` (–).
#[must_use]
pub fn scaled_curve(curve: &Curve, x: f64, y: f64) -> Curve {
    let points = curve.0.iter();
    Curve(points.map(|p| [p[0].times(x), p[1].times(y)]).collect())
}

/// Implements [`Scaled`](crate::base::units::Scaled) for a struct. Every field must be named, so that a new
/// one cannot be forgotten:
///
/// * `field: [a, b]`: a [`Quantity`](crate::base::units::Quantity) of dimension lengthᵃ·massᵇ,
/// * `field: same`: without dimension of length or mass,
/// * `field: inner`: something that is `Scaled` itself,
/// * `field: (f)`: made by a function of a reference to it and of the scale,
/// * `field: {[a, b], [c, d]}`: a [`Curve`](crate::Curve) over x of the one dimension, y of the other.
///
/// ```
/// struct Spring {
///     stiffness: f32,
///     travel: f32,
/// }
/// vehicle_core::scaled!(Spring { stiffness: [0, 1], travel: [1, 0] });
/// ```
#[macro_export]
macro_rules! scaled {
    ($type:ty { $($field:ident : $how:tt),* $(,)? }) => {
        impl $crate::units::Scaled for $type {
            fn scaled(&self, scale: $crate::units::UnitScale) -> Self {
                let Self { $($field),* } = self;
                let _ = scale;
                Self { $($field: $crate::scaled!(@ $field scale $how)),* }
            }
        }
    };
    (@ $field:ident $scale:ident same) => {
        ::core::clone::Clone::clone($field)
    };
    (@ $field:ident $scale:ident inner) => {
        $crate::units::Scaled::scaled($field, $scale)
    };
    (@ $field:ident $scale:ident [$length:expr, $mass:expr]) => {
        $crate::units::Quantity::times($field, $scale.factor($length, $mass))
    };
    (@ $field:ident $scale:ident ($function:path)) => {
        $function($field, $scale)
    };
    (@ $field:ident $scale:ident {[$xl:expr, $xm:expr], [$yl:expr, $ym:expr]}) => {
        $crate::units::scaled_curve($field, $scale.factor($xl, $xm), $scale.factor($yl, $ym))
    };
}

#[cfg(test)]
mod tests;
