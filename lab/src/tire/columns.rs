//! Columns of tables of points and measurements: quantities, units, and signs in each frame.

use jounce::tires::frames::{Quantity, TireFrame};
use jounce::tires::magic_formula::Dimension;
use jounce::tires::tir::Units;

use crate::error::LabError;

/// A possible column of a table.
#[derive(Debug, PartialEq)]
pub(super) struct Column {
    /// Name of the column in the header line.
    pub name: &'static str,
    /// Quantity in the column.
    pub quantity: Quantity,
    /// Unit of the column as powers of that of slip ratio and of dimensions.
    unit: &'static [(Base, i32)],
}

/// Base units.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    Slip,
    Speed,
    Of(Dimension),
}

const FORCE: (Base, i32) = (Base::Of(Dimension::Force), 1);
const LENGTH: (Base, i32) = (Base::Of(Dimension::Length), 1);
const ANGLE: (Base, i32) = (Base::Of(Dimension::Angle), 1);

const fn column(name: &'static str, quantity: Quantity, unit: &'static [(Base, i32)]) -> Column {
    Column {
        name,
        quantity,
        unit,
    }
}

/// Slip, load and other inputs.
pub(super) const INPUTS: [Column; 7] = [
    column("Fz", Quantity::Load, &[FORCE]),
    column("kappa", Quantity::SlipRatio, &[(Base::Slip, 1)]),
    column("alpha", Quantity::SlipAngle, &[ANGLE]),
    column("gamma", Quantity::Inclination, &[ANGLE]),
    column(
        "phit",
        Quantity::TurnSlip,
        &[(Base::Of(Dimension::Length), -1)],
    ),
    column("Vx", Quantity::LongitudinalForce, &[(Base::Speed, 1)]),
    column(
        "p",
        Quantity::LongitudinalForce,
        &[(Base::Of(Dimension::Pressure), 1)],
    ),
];

/// Outputs of a tire; `clamped` has a bit for each input outside the file's range.
pub(super) const OUTPUTS: [Column; 13] = [
    column("Fx", Quantity::LongitudinalForce, &[FORCE]),
    column("Fy", Quantity::LateralForce, &[FORCE]),
    column("Mx", Quantity::OverturningMoment, &[FORCE, LENGTH]),
    column("My", Quantity::RollingMoment, &[FORCE, LENGTH]),
    column("Mz", Quantity::AligningMoment, &[FORCE, LENGTH]),
    column("mux", Quantity::LongitudinalForce, &[]),
    column("muy", Quantity::LongitudinalForce, &[]),
    column(
        "Kxk",
        Quantity::LongitudinalForce,
        &[FORCE, (Base::Slip, -1)],
    ),
    column(
        "Kya",
        Quantity::CorneringStiffness,
        &[FORCE, (Base::Of(Dimension::Angle), -1)],
    ),
    column("sigmax", Quantity::LongitudinalForce, &[LENGTH]),
    column("sigmay", Quantity::LongitudinalForce, &[LENGTH]),
    column("t", Quantity::LongitudinalForce, &[LENGTH]),
    column("clamped", Quantity::LongitudinalForce, &[]),
];

/// Every column.
pub(super) fn all() -> impl Iterator<Item = &'static Column> + Clone {
    INPUTS.iter().chain(&OUTPUTS)
}

/// Named speeds (`m/s`).
const SPEEDS: [(&str, f64); 3] = [("m/s", 1.0), ("km/h", 1.0 / 3.6), ("mph", 0.447_04)];

/// Units of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TableUnits {
    units: Units,
    speed: f64,
    slip: f64,
}

impl TableUnits {
    /// N, m, rad, m/s, Pa, and slip as a number.
    pub(super) const SI: Self = Self {
        units: Units::SI,
        speed: 1.0,
        slip: 1.0,
    };

    /// SI, except for the named units: `%` of slip ratio, speeds, and the units of `.tir` files.
    ///
    /// # Errors
    /// If a name is unknown, or its quantity is not one of a table.
    pub(super) fn of_names(names: &[String]) -> Result<Self, LabError> {
        let mut table = Self::SI;
        for name in names {
            let mut speeds = SPEEDS.iter();
            if name == "%" {
                table.slip = 0.01;
            } else if let Some((_, speed)) = speeds.find(|(unit, _)| unit == name) {
                table.speed = *speed;
            } else {
                match table.units.count_in(name) {
                    Some("length" | "force" | "angle" | "pressure") => {}
                    _ => return Err(unknown(name)),
                }
            }
        }
        // Pressure has its own unit, independent of force and length.
        table.units.pressure.get_or_insert(1.0);
        Ok(table)
    }

    /// SI units in one unit of a column.
    pub(super) fn factor(&self, column: &Column) -> f64 {
        let factors = column.unit.iter().map(|&(base, power)| {
            let unit = match base {
                Base::Slip => self.slip,
                Base::Speed => self.speed,
                Base::Of(dimension) => self.units.factor(dimension),
            };
            unit.powi(power)
        });
        factors.product()
    }
}

fn unknown(name: &str) -> LabError {
    LabError::Syntax {
        file: "--units".to_owned(),
        message: format!(
            "{name:?}: must be a unit of length, force, angle, pressure or speed, or % of slip ratio"
        ),
    }
}

/// Names of frames on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FrameName {
    /// ISO 8855, TYDEX W: y left, z up
    IsoW,
    /// Pacejka's book: y right, z down, positive slip angle gives positive side force
    AdaptedSae,
    /// SAE J670 of 1976: y right, z down, positive slip angle gives negative side force, negative load
    SaeJ670,
}

impl From<FrameName> for TireFrame {
    fn from(name: FrameName) -> Self {
        match name {
            FrameName::IsoW => Self::IsoW,
            FrameName::AdaptedSae => Self::AdaptedSae,
            FrameName::SaeJ670 => Self::SaeJ670,
        }
    }
}
