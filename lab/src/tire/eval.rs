//! Forces and moments of a tire at points of a table.

use std::path::Path;

use jounce::tires::magic_formula::{Load, MagicFormula, Settings, Slip};
use jounce::tires::tir::Reading;

use super::argument::tires;
use super::columns::{INPUTS, OUTPUTS};
use super::source::{Tire, fault};
use super::table::Table;
use crate::error::LabError;

/// The points with the tire's outputs, as CSV. A range of slip that forbids one sign is obeyed if
/// `every_range`.
///
/// # Errors
/// If the points are not a table of numbers with known columns, or, naming the tire's file, if it
/// cannot be evaluated.
pub(super) fn evaluate(
    argument: &str,
    points: &Path,
    every_range: bool,
) -> Result<String, LabError> {
    let file = Path::new(argument);
    let mut tires = tires(argument, Reading::Tolerant)?;
    let (_, tire) = tires.remove(0);
    if !tires.is_empty() {
        let message = "has several tires: write FILE#NAME for one of them";
        return Err(fault(file, message));
    }
    let mut table = Table::read(points, INPUTS.iter())?;
    let places = INPUTS.map(|column| table.place(column.name));
    let point = |row: &[Option<f64>]| places.map(|place| place.and_then(|place| row[place]));
    match tire {
        Tire::Formula(tire) => {
            let settings = Settings {
                turn_slip: table.place("phit").is_some(),
                combined_slip: tire.combined_slip(),
                every_range,
                ..Settings::mf_tyre()
            };
            let tire = MagicFormula::<f64>::new(&tire.coefficients, tire.version, settings);
            let tire = tire.map_err(|faults| fault(file, faults))?;
            table.columns.extend(&OUTPUTS);
            for row in &mut table.rows {
                row.extend(outputs(&tire, &point(row)).map(Some));
            }
        }
        Tire::Old(law) => {
            let [fx, fy, .., mz] = &OUTPUTS[..5] else {
                unreachable!("five columns");
            };
            table.columns.extend([fx, fy, mz]);
            for row in &mut table.rows {
                let [force, ratio, angle, inclination, ..] =
                    point(row).map(Option::unwrap_or_default);
                let forces = law.forces([force, ratio, angle, inclination]);
                let forces = [forces.longitudinal, forces.lateral, forces.aligning_moment];
                row.extend(forces.map(Some));
            }
        }
    }
    Ok(table.csv())
}

/// The tire's outputs at a point with the values of [`INPUTS`], in the order of [`OUTPUTS`].
fn outputs(tire: &MagicFormula<f64>, point: &[Option<f64>; INPUTS.len()]) -> [f64; OUTPUTS.len()] {
    let [force, ratio, angle, inclination, turn, speed, pressure] = *point;
    let at = tire.at_load(&Load {
        inclination: inclination.unwrap_or(0.0),
        pressure,
        ..Load::new(force.unwrap_or(0.0))
    });
    let planar = tire.planar(
        &at,
        &Slip {
            ratio: ratio.unwrap_or(0.0),
            angle: angle.unwrap_or(0.0),
            turn: turn.unwrap_or(0.0),
            ..Slip::rolling(speed.unwrap_or(tire.coefficients().LONGVL))
        },
    );
    let aligning = tire.aligning(&at, &planar);
    let relaxation = tire.relaxation(&at, &planar);
    [
        planar.longitudinal,
        planar.lateral,
        tire.overturning(&at, &planar),
        tire.rolling_resistance(&at, &planar),
        aligning.moment,
        planar.friction_x,
        planar.friction_y,
        planar.slip_stiffness,
        planar.cornering_stiffness,
        relaxation.longitudinal_length,
        relaxation.lateral_length,
        aligning.trail,
        f64::from(planar.clamped.bits()),
    ]
}

#[cfg(test)]
mod tests {
    use jounce::tires::presets;

    use super::*;

    /// Every input of a point differs from the default of a table without that column.
    #[test]
    fn every_column_counts() {
        let file = presets::by_name("suv-255-55-r20").unwrap();
        let c = &file.coefficients;
        let settings = Settings {
            turn_slip: true,
            ..Settings::mf_tyre()
        };
        let tire = MagicFormula::<f64>::new(c, file.version, settings).unwrap();
        let usual = [4000.0, 0.0, 0.0, 0.0, 0.0, c.LONGVL, c.INFLPRES].map(Some);
        let usual_outputs = outputs(&tire, &usual);
        let mut few = [None; INPUTS.len()];
        few[0] = usual[0];
        assert_eq!(outputs(&tire, &few), usual_outputs);
        assert_eq!(outputs(&tire, &[None; INPUTS.len()])[..2], [0.0; 2]);
        let other = [5000.0, 0.02, 0.03, 0.04, 0.05, 40.0, 3e5].map(Some);
        for n in 0..INPUTS.len() {
            let mut point = usual;
            point[n] = other[n];
            assert_ne!(outputs(&tire, &point), usual_outputs, "{}", INPUTS[n].name);
        }
    }
}
