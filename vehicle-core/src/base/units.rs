//! Units other than meters and kilograms.
//!
//! All computation is in SI. A world in centimeters, inches or grams is wrapped in [`InUnits`](crate::InUnits);
//! seconds and radians are common to all.

use crate::base::checked::{Check, Inspector};

/// Units per meter and per kilogram.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct UnitScale {
    /// Units of length per meter (–), 1e-3…1e4.
    pub length: f64,
    /// Units of mass per kilogram (–), 1e-3…1e4.
    pub mass: f64,
}

impl UnitScale {
    /// Meters and kilograms.
    pub const SI: Self = Self {
        length: 1.0,
        mass: 1.0,
    };
    /// Centimeters and kilograms.
    pub const CENTIMETERS: Self = Self {
        length: 100.0,
        mass: 1.0,
    };
    /// Inches and kilograms.
    pub const INCHES: Self = Self {
        length: 1.0 / 0.0254,
        mass: 1.0,
    };
    /// Meters and grams.
    pub const GRAMS: Self = Self {
        length: 1.0,
        mass: 1000.0,
    };

    /// Factor from SI to these units (–) for a quantity of dimension length^`length`·mass^`mass`.
    #[must_use]
    pub fn factor(self, length: i32, mass: i32) -> f64 {
        power(self.length, length) * power(self.mass, mass)
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

impl Check for UnitScale {
    fn check(&self, i: &mut Inspector) {
        // Products of their powers must stay within single precision.
        i.within_range("length", self.length as f32, 1e-3, 1e4, "per meter");
        i.within_range("mass", self.mass as f32, 1e-3, 1e4, "per kilogram");
    }
}

#[cfg(test)]
mod tests;
