//! Stability of cars: they stand where they are parked, roll when released, and behave the same at
//! every time step, in every world.
//!
//! [`table`] measures every case with every car in one world. Goals and the best results of known
//! peers are in [`CASES`].

mod finding;
mod standing;
mod statics;
mod energy;
mod parked;
mod loads;
mod riders;
mod displaced;
mod landing;
mod carried;
mod curved;
mod rolling;
mod slip;
mod limit;
mod strides;
mod cases;

use core::fmt;

use jounce::file::Car;
use proving_ground::world::WorldKind;
use proving_ground::{ProvingError, stage};

use crate::finding::Ending;

pub use cases::{CASES, StabilityCase};
pub use finding::{CarFinding, Goal};
pub use stage::{GRAVITY, PushKind, Scene, Setup, Stage, steps};

/// The cars of the table, by their names in [`jounce::presets`].
pub const CARS: [&str; 4] = ["sedan", "hatchback", "sports-car", "truck"];

/// Length of the rows solver's substeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Substeps of the vehicle files.
    Shipped,
    /// Half as long, with the same bounds.
    Fine,
    /// Twice as long, with separate bounds.
    Coarse,
}

impl Preset {
    /// All presets of substeps.
    pub const ALL: [Self; 3] = [Self::Shipped, Self::Fine, Self::Coarse];

    /// The name by which [`Backend::expected_failures`](crate::Backend::expected_failures) lists a row.
    #[must_use]
    pub fn key(self, case: &StabilityCase) -> String {
        match self {
            Self::Shipped => case.name.to_owned(),
            Self::Fine => format!("fine::{}", case.name),
            Self::Coarse => format!("coarse::{}", case.name),
        }
    }

    /// A preset car with these substeps, and without driver aids, which have a table of their own.
    ///
    /// # Panics
    /// If there is no such car.
    #[must_use]
    pub fn car(self, name: &str) -> Car {
        let shipped = stage::without_aids(name).expect("the name is a preset's");
        let length = match self {
            Self::Shipped => return shipped,
            Self::Fine => 0.5,
            Self::Coarse => 2.0,
        };
        let profile = shipped.model().params().profile;
        let mut settings = *profile.rows().expect("it is solved by rows");
        settings.max_substep *= length;
        let settings = toml::Value::try_from(settings).expect("they are a table");
        shipped.with("rows", settings).expect("settings fit")
    }
}

/// Width of a column of the table; wider cells push the others on.
const WIDTH: usize = 38;

/// The result of one case for one car.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Numbers, and whether they are within the bound.
    Found {
        /// The numbers as printed.
        text: String,
        /// Worst number as printed.
        worst: String,
        /// Whether all numbers are within the bound.
        holds: bool,
    },
    /// The world lacks the ability.
    Unsupported(&'static str),
    /// The drive itself failed.
    Failed(String),
}

impl Cell {
    fn of(case: &StabilityCase, goal: &Goal, result: Result<CarFinding, ProvingError>) -> Self {
        match result {
            Ok(finding) => Self::Found {
                holds: finding.keeps(goal),
                text: finding.text(case.digits),
                worst: format!("{:.*}", case.digits, finding.worst(goal)),
            },
            Err(ProvingError::Lacks { what, .. }) => Self::Unsupported(what),
            Err(error) => Self::Failed(error.to_string()),
        }
    }
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityRow {
    /// [`StabilityCase::name`].
    pub name: &'static str,
    /// The measured quantity, with its unit.
    pub what: &'static str,
    /// The goal.
    pub goal: Goal,
    /// The best peer's result.
    pub peer: &'static str,
    /// One per car.
    pub cells: Vec<Cell>,
}

impl StabilityRow {
    /// Measures a case with every car of the table.
    #[must_use]
    pub fn of(case: &'static StabilityCase, world: WorldKind, preset: Preset) -> Self {
        Self::with(&CARS, case, world, preset)
    }

    /// Measures a case with these cars.
    #[must_use]
    pub fn with(
        cars: &[&str],
        case: &'static StabilityCase,
        world: WorldKind,
        preset: Preset,
    ) -> Self {
        let goal = case.bound(preset);
        let cells = cars.iter().map(|name| {
            let car = preset.car(name);
            let setup = Setup { world, car: &car };
            Cell::of(case, &goal, (case.measure)(&setup))
        });
        Self {
            name: case.name,
            what: case.what,
            peer: case.peer,
            cells: cells.collect(),
            goal,
        }
    }

    /// End of the case's test; `None` if a car is out of the bound.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let is_unsupported = |cell: &Cell| matches!(cell, Cell::Unsupported(_));
        let holds = |cell: &Cell| match cell {
            Cell::Found { holds, .. } => *holds,
            Cell::Unsupported(_) => true,
            Cell::Failed(_) => false,
        };
        if self.cells.iter().all(is_unsupported) {
            Some(Ending::NotAsked)
        } else {
            self.cells.iter().all(holds).then_some(Ending::Passed)
        }
    }
}

impl fmt::Display for StabilityRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = self.goal.to_string();
        let verdict = match self.ending() {
            Some(Ending::NotAsked) => "-",
            Some(_) => "PASS",
            None => "FAIL",
        };
        write!(f, "{verdict:<5}{:<46}{goal:<13}", self.what)?;
        for cell in &self.cells {
            match cell {
                Cell::Found {
                    text, holds: true, ..
                } => write!(f, " {text:<WIDTH$}")?,
                Cell::Found { text, .. } => write!(f, " {:<WIDTH$}", format!("!{text}"))?,
                Cell::Unsupported(message) => {
                    write!(f, " not asked of this world: {message}")?;
                    break;
                }
                Cell::Failed(message) => write!(f, " !{message}")?,
            }
        }
        write!(f, " | {}", self.peer)
    }
}

/// The heading of a table of [`StabilityRow`]s.
#[must_use]
pub fn heading(world: &str, preset: Preset) -> String {
    let cars: String = CARS.iter().map(|name| format!(" {name:<WIDTH$}")).collect();
    format!(
        "{world}, substeps {preset:?}; several numbers: one per rate, 30/60/120/240 Hz\n\
         {:<5}{:<46}{:<13}{cars} | best peer",
        "", "what", "goal"
    )
}

/// Every case with every car in one world.
#[must_use]
pub fn table(world: WorldKind, preset: Preset) -> Vec<StabilityRow> {
    let row = |case| StabilityRow::of(case, world, preset);
    CASES.iter().map(row).collect()
}
