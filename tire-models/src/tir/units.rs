//! `[UNITS]`: the units of lengths, forces and angles in a file.

use super::document::same;
use super::error::{TirError, TirFault};
use crate::magic_formula::Dimension;

/// A file's units in SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Meters.
    pub length: f64,
    /// Newtons.
    pub force: f64,
    /// Radians.
    pub angle: f64,
    /// Kilograms.
    pub mass: f64,
    /// Seconds.
    pub time: f64,
    /// Pascals; `None` derives pressure from force and length.
    pub pressure: Option<f64>,
}

impl Default for Units {
    fn default() -> Self {
        Self::SI
    }
}

type Names = &'static [(&'static str, f64)];

const POUND: f64 = 0.453_592_37;
const STANDARD_GRAVITY: f64 = 9.806_65;
const POUND_FORCE: f64 = POUND * STANDARD_GRAVITY;
const FOOT: f64 = 0.3048;
const INCH: f64 = 0.0254;

const LENGTHS: Names = &[
    ("meter", 1.0),
    ("meter", 1.0),
    ("m", 1.0),
    ("mm", 1e-3),
    ("millimeter", 1e-3),
    ("cm", 1e-2),
    ("centimeter", 1e-2),
    ("km", 1e3),
    ("kilometer", 1e3),
    ("inch", INCH),
    ("in", INCH),
    ("foot", FOOT),
    ("ft", FOOT),
    ("mile", 1609.344),
];
const FORCES: Names = &[
    ("newton", 1.0),
    ("n", 1.0),
    ("knewton", 1e3),
    ("kn", 1e3),
    ("pound_force", POUND_FORCE),
    ("lbf", POUND_FORCE),
    ("kpound_force", 1e3 * POUND_FORCE),
    ("ounce_force", POUND_FORCE / 16.0),
    ("kg_force", STANDARD_GRAVITY),
    ("dyne", 1e-5),
];
const ANGLES: Names = &[
    ("radian", 1.0),
    ("radians", 1.0),
    ("rad", 1.0),
    ("degree", DEGREE),
    ("degrees", DEGREE),
    ("deg", DEGREE),
];
const MASSES: Names = &[
    ("kg", 1.0),
    ("g", 1e-3),
    ("lb", POUND),
    ("kilogram", 1.0),
    ("gram", 1e-3),
    ("pound_mass", POUND),
    ("ounce_mass", POUND / 16.0),
    ("slug", POUND_FORCE / FOOT),
    ("slinch", POUND_FORCE / INCH),
    ("tonne", 1e3),
];
const TIMES: Names = &[
    ("second", 1.0),
    ("seconds", 1.0),
    ("sec", 1.0),
    ("s", 1.0),
    ("millisecond", 1e-3),
    ("ms", 1e-3),
    ("minute", 60.0),
    ("hour", 3600.0),
];
const PRESSURES: Names = &[
    ("pascal", 1.0),
    ("pa", 1.0),
    ("kpascal", 1e3),
    ("kpa", 1e3),
    ("mpa", 1e6),
    ("bar", 1e5),
    ("psi", POUND_FORCE / (INCH * INCH)),
];
const QUANTITIES: [(&str, Names); 6] = [
    ("length", LENGTHS),
    ("force", FORCES),
    ("angle", ANGLES),
    ("mass", MASSES),
    ("time", TIMES),
    ("pressure", PRESSURES),
];
const DEGREE: f64 = core::f64::consts::PI / 180.0;

impl Units {
    /// Meters, newtons, radians, kilograms, seconds.
    pub const SI: Self = Self {
        length: 1.0,
        force: 1.0,
        angle: 1.0,
        mass: 1.0,
        time: 1.0,
        pressure: None,
    };

    /// One unit of a dimension in SI units.
    #[must_use]
    pub fn factor(&self, dimension: Dimension) -> f64 {
        match dimension {
            Dimension::None => 1.0,
            Dimension::Length => self.length,
            Dimension::Force => self.force,
            Dimension::Angle => self.angle,
            Dimension::Mass => self.mass,
            Dimension::Inertia => self.mass * self.length * self.length,
            Dimension::Stiffness => self.force / self.length,
            Dimension::YawStiffness => self.force * self.length / self.angle,
            Dimension::Damping => self.force * self.time / self.length,
            Dimension::Speed => self.length / self.time,
            Dimension::Acceleration => self.length / (self.time * self.time),
            Dimension::Pressure => self
                .pressure
                .unwrap_or(self.force / (self.length * self.length)),
            Dimension::Frequency => 1.0 / self.time,
        }
    }

    /// Applies a key of `[UNITS]`; keys of other quantities are ignored.
    pub(super) fn set(
        &mut self,
        line: impl Into<Option<u32>>,
        key: &str,
        unit: &str,
    ) -> Result<(), TirError> {
        let Some((quantity, names)) = QUANTITIES.into_iter().find(|(q, _)| same(q, key)) else {
            return Ok(());
        };
        let Some(in_si) = of_name(names, unit) else {
            let unit = super::remark::excerpt(unit);
            let fault = TirFault::UnknownUnit { quantity, unit };
            return Err(TirError::at(line, key, fault));
        };
        self.replace(quantity, in_si);
        Ok(())
    }

    /// Sets the unit of the quantity that a unit with this name measures, and returns the quantity:
    /// `length`, `force`, `angle`, `mass`, `time` or `pressure`. `None` and no change if there is
    /// no such unit.
    pub fn count_in(&mut self, unit: &str) -> Option<&'static str> {
        let (quantity, in_si) = QUANTITIES
            .into_iter()
            .find_map(|(quantity, names)| Some((quantity, of_name(names, unit)?)))?;
        self.replace(quantity, in_si);
        Some(quantity)
    }

    /// The names of units of a quantity, as [`Units::count_in`] names it; none of an unknown one.
    pub fn names(quantity: &str) -> impl Iterator<Item = &'static str> {
        let known = QUANTITIES
            .into_iter()
            .filter(move |(name, _)| *name == quantity);
        known.flat_map(|(_, names)| names.iter().map(|(name, _)| *name))
    }

    fn replace(&mut self, quantity: &str, in_si: f64) {
        match quantity {
            "length" => self.length = in_si,
            "force" => self.force = in_si,
            "angle" => self.angle = in_si,
            "mass" => self.mass = in_si,
            "time" => self.time = in_si,
            _ => self.pressure = Some(in_si),
        }
    }
}

/// A unit's value in SI units, by name.
fn of_name(names: Names, unit: &str) -> Option<f64> {
    let mut names = names.iter();
    let known = names.find(|(name, _)| same(name, unit));
    known.map(|&(_, in_si)| in_si)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;

    fn imperial() -> Units {
        let mut units = Units::SI;
        for (key, unit) in [
            ("LENGTH", "Inch"),
            ("FORCE", "pound_force"),
            ("ANGLE", "degrees"),
            ("MASS", "slinch"),
            ("TIME", "second"),
        ] {
            units.set(1, key, unit).unwrap();
        }
        units
    }

    #[rstest]
    #[case(Dimension::None, 1.0)]
    #[case(Dimension::Length, 0.0254)]
    #[case(Dimension::Force, 4.448_221_615)]
    #[case(Dimension::Mass, 175.126_835_2)]
    #[case(Dimension::Stiffness, 175.126_835_2)]
    #[case(Dimension::Pressure, 6_894.757_293)]
    #[case(Dimension::Speed, 0.0254)]
    #[case(Dimension::Inertia, 0.112_984_829)]
    #[case(Dimension::Angle, 0.017_453_292_52)]
    fn inches_and_pounds(#[case] dimension: Dimension, #[case] in_si: f64) {
        assert_relative_eq!(imperial().factor(dimension), in_si, max_relative = 1e-9);
    }

    #[test]
    fn an_unknown_unit_is_an_error_and_an_unknown_quantity_is_ignored() {
        let mut units = Units::SI;
        let error = units.set(7, "LENGTH", "furlong").unwrap_err();
        let words = "line 7: LENGTH: not a unit of length that is known: \"furlong\"";
        assert_eq!(error.to_string(), words);
        assert_eq!(units.set(8, "TEMPERATURE", "kelvin"), Ok(()));
        assert_eq!(units, Units::SI);
    }
}
