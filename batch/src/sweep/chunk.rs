//! Chunks of sweeps.

use jounce::file::{Car, change_value};
use proving_ground::ProvingError;
use proving_ground::drive::{DriveConditions, PreparedDrive};
use proving_ground::maneuver::Maneuver;
use toml::{Table, Value};

use super::figures;
use super::plan::{Sweep, Variable, single};
use super::space::number;
use crate::error::BatchError;

/// A column of a sweep's table, with a value for each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepColumn {
    /// Name.
    pub name: String,
    /// SI unit; empty if it has none, and for keys of files, whose units are the file's.
    pub unit: &'static str,
    /// Values.
    pub values: SweepValues,
}

/// Values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepValues {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; `NaN` where a drive has none.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

/// What came of one sample: its numbers, how it ended, and why it failed.
struct Outcome {
    figures: Vec<f64>,
    end: String,
    fault: String,
}

impl Sweep {
    /// Runs a chunk: the number of each sample (`sample`), its values, numbers of its drive, how it ended (`end`, such as `finished`, or
    /// `refused`), and why a step or the whole drive was refused (`fault`).
    ///
    /// # Errors
    /// If there is no such chunk. A sample that makes no drive is a row of `NaN`.
    pub fn run(&self, chunk: u64) -> Result<Vec<SweepColumn>, BatchError> {
        if chunk >= self.chunks() {
            let expected = format!("below {}", self.chunks());
            return Err(BatchError::argument("chunk", expected, chunk, ""));
        }
        let numbers: Vec<i64> = self.samples(chunk).map(|sample| sample as i64).collect();
        let rows: Vec<_> = self
            .samples(chunk)
            .map(|sample| self.values(sample))
            .collect();
        let outcomes: Vec<_> = rows.iter().map(|values| self.outcome(values)).collect();
        let mut columns = vec![column("sample", "", SweepValues::Whole(numbers))];
        for (n, (name, distribution, _)) in self.variables.iter().enumerate() {
            let values = rows.iter().map(|row| &row[n]);
            columns.push(column(name, "", drawn(values, distribution.is_text())));
        }
        for (n, (name, unit)) in figures::names(&self.maneuver).into_iter().enumerate() {
            let values = outcomes.iter().map(|outcome| outcome.figures[n]);
            columns.push(column(&name, unit, SweepValues::Numbers(values.collect())));
        }
        let texts = |of: fn(&Outcome) -> &String| {
            SweepValues::Texts(outcomes.iter().map(|outcome| of(outcome).clone()).collect())
        };
        columns.push(column("end", "", texts(|outcome| &outcome.end)));
        columns.push(column("fault", "", texts(|outcome| &outcome.fault)));
        Ok(columns)
    }

    fn outcome(&self, values: &[Value]) -> Outcome {
        let drive = self.prepared(values).and_then(|drive| drive.run(|_, _| ()));
        match drive {
            Ok(drive) => Outcome {
                figures: figures::values(&drive),
                end: drive.end.key().to_owned(),
                fault: drive.refusal.unwrap_or_default(),
            },
            Err(error) => Outcome {
                figures: vec![f64::NAN; figures::names(&self.maneuver).len()],
                end: "refused".to_owned(),
                fault: error.to_string(),
            },
        }
    }

    /// The drive of a sample.
    pub(super) fn prepared(&self, values: &[Value]) -> Result<PreparedDrive, ProvingError> {
        let mut conditions = DriveConditions::USUAL;
        let mut maneuver = None;
        let mut keys = Vec::new();
        for ((.., variable), value) in self.variables.iter().zip(values) {
            match variable {
                Variable::Condition(of) => *of(&mut conditions) = single(value),
                Variable::Maneuver(path) => {
                    let file = maneuver.get_or_insert_with(|| self.maneuver_file().clone());
                    put(file, path, value)?;
                }
                Variable::Car(path) => keys.push((path.as_str(), value.clone())),
            }
        }
        let car = match keys.is_empty() {
            true => Car::clone(&self.car),
            false => self.car.with_all(keys)?,
        };
        let maneuver = match maneuver {
            None => self.maneuver.clone(),
            Some(file) => Maneuver::parse(&file.to_string(), "maneuver")?,
        };
        conditions.check_for(&car.model())?;
        let (ground, terrain) = (self.ground.clone(), self.terrain.clone());
        let mut drive = PreparedDrive::new(car, maneuver, ground, terrain);
        drive.conditions = conditions;
        drive.dt = self.dt();
        Ok(drive)
    }
}

/// Puts a value at a path of a maneuver's file.
fn put(file: &mut Table, path: &str, value: &Value) -> Result<(), ProvingError> {
    let changed = change_value(file, path, |_| Ok(value.clone()));
    changed.map_err(|fault| ProvingError::Syntax {
        file: "maneuver".to_owned(),
        message: fault.to_string(),
    })
}

fn column(name: &str, unit: &'static str, values: SweepValues) -> SweepColumn {
    SweepColumn {
        name: name.to_owned(),
        unit,
        values,
    }
}

/// Values that were drawn.
fn drawn<'a>(values: impl Iterator<Item = &'a Value>, are_texts: bool) -> SweepValues {
    match are_texts {
        true => {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            SweepValues::Texts(values.map(text).collect())
        }
        false => {
            let values = values.map(|value| number(value).unwrap_or(f64::NAN));
            SweepValues::Numbers(values.collect())
        }
    }
}
