//! Forces and moments of a `.tir` file at points of a table.

use std::path::Path;

use jounce::tires::magic_formula::{Load, MagicFormula, Settings, Slip};
use jounce::tires::tir::MagicFormulaFile;

use crate::error::LabError;

/// Columns that points may have; the first one they must.
const INPUTS: [&str; 7] = ["Fz", "kappa", "alpha", "gamma", "phit", "Vx", "p"];
/// Columns that are added; `clamped` has a bit for each input that lay outside of the file's range.
const OUTPUTS: [&str; 13] = [
    "Fx", "Fy", "Mx", "My", "Mz", "mux", "muy", "Kxk", "Kya", "sigmax", "sigmay", "t", "clamped",
];

/// The points with what the tire does there, as CSV.
///
/// # Errors
/// If the points are no table of numbers with known columns, or the tire cannot be evaluated.
pub(super) fn evaluate(file: &MagicFormulaFile, points: &Path) -> Result<String, LabError> {
    let points = Points::read(points)?;
    let settings = Settings {
        turn_slip: points
            .columns
            .iter()
            .any(|&column| INPUTS[column] == "phit"),
        ..Settings::mf_tyre()
    };
    let tire = MagicFormula::<f64>::new(&file.coefficients, file.version, settings)
        .map_err(|faults| points.fault(None, faults.to_string()))?;
    let head = points.columns.iter().map(|&column| INPUTS[column]);
    let mut text = head.chain(OUTPUTS).collect::<Vec<_>>().join(",") + "\n";
    for row in &points.rows {
        let inputs = points.columns.iter().map(|&column| row[column]);
        let cells = inputs.flatten().chain(outputs(&tire, row));
        let cells: Vec<String> = cells.map(|value| value.to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    Ok(text)
}

/// What the tire does at a point, in the order of [`OUTPUTS`].
fn outputs(tire: &MagicFormula<f64>, row: &[Option<f64>; INPUTS.len()]) -> [f64; OUTPUTS.len()] {
    let [force, ratio, angle, inclination, turn, speed, pressure] = *row;
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

/// A table of points.
struct Points {
    name: String,
    /// Places in [`INPUTS`] of the columns that it has.
    columns: Vec<usize>,
    rows: Vec<[Option<f64>; INPUTS.len()]>,
}

impl Points {
    fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read(path).map_err(|source| LabError::File {
            path: path.to_owned(),
            source,
        })?;
        let mut table = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(&*text);
        let mut points = Self {
            name: path.display().to_string(),
            columns: Vec::new(),
            rows: Vec::new(),
        };
        let head = table
            .headers()
            .map_err(|error| points.fault(None, error.to_string()))?;
        for name in head.iter() {
            let known = INPUTS.iter().position(|input| *input == name);
            let column = known.filter(|column| !points.columns.contains(column));
            points.columns.push(column.ok_or_else(|| {
                let rule = format!(
                    "column {name:?}: must be one of {}, once",
                    INPUTS.join(", ")
                );
                points.fault(None, rule)
            })?);
        }
        if !points.columns.contains(&0) {
            return Err(points.fault(None, "there must be a column Fz".to_owned()));
        }
        for record in table.records() {
            let record = record.map_err(|error| points.fault(None, error.to_string()))?;
            let line = record.position().map(csv::Position::line);
            let mut row = [None; INPUTS.len()];
            for (&column, cell) in points.columns.iter().zip(record.iter()) {
                let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
                row[column] = Some(number.ok_or_else(|| {
                    let rule = format!("{} = {cell:?}: must be a finite number", INPUTS[column]);
                    points.fault(line, rule)
                })?);
            }
            points.rows.push(row);
        }
        Ok(points)
    }

    fn fault(&self, line: Option<u64>, message: String) -> LabError {
        let message = match line {
            Some(line) => format!("line {line}: {message}"),
            None => message,
        };
        LabError::Syntax {
            file: self.name.clone(),
            message,
        }
    }
}
