//! Contact of wheels with uneven ground, measured: curbs, walls, stairs and cracks, against an independent judge.
//!
//! [`table`] measures every case of [`CASES`] in a world, with one contact of the ladder.

mod judge;
mod rig;
mod trial;
mod cases;

use core::fmt;

use jounce::core::params::{Probe, SweepSettings};
use proving_ground::ProvingError;
use proving_ground::world::WorldKind;

pub use cases::{CASES, GroundCase, RADII, RATES};
pub use judge::{Judge, JudgedAxle, jolts};
pub use rig::{Line, Rig, Start, judged_car};
pub use trial::Trial;

/// Contacts of wheels, by the names of vehicle files.
pub const CONTACTS: [(&str, Probe); 3] = [
    ("sections", Probe::Sections),
    ("sweeps", Probe::Sweep(SweepSettings::DEFAULT)),
    ("rays", Probe::Ray),
];

/// A measured case.
#[derive(Debug)]
pub struct GroundRow {
    /// The case.
    pub case: &'static GroundCase,
    /// What was found: with every radius at every rate; or why nothing was.
    pub found: Result<Vec<f64>, ProvingError>,
}

impl GroundRow {
    /// Measures a case.
    #[must_use]
    pub fn of(case: &'static GroundCase, world: WorldKind, probe: Probe) -> Self {
        let trials = RADII.iter().flat_map(|radius| {
            RATES.iter().map(move |rate| Trial {
                world,
                probe,
                radius: *radius,
                rate: *rate,
            })
        });
        Self {
            case,
            found: trials.map(|trial| (case.measure)(&trial)).collect(),
        }
    }

    /// Whether every value is within the bound.
    #[must_use]
    pub fn is_right(&self) -> bool {
        let within = |value: &f64| *value <= self.case.most;
        self.found
            .as_ref()
            .is_ok_and(|found| found.iter().all(within))
    }
}

impl fmt::Display for GroundRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GroundCase {
            what, most, digits, ..
        } = self.case;
        let mark = if self.is_right() { "ok" } else { "OUT" };
        write!(f, "{mark:<5}{what:<62}{most:>7} ")?;
        match &self.found {
            Err(error) => write!(f, " {error}"),
            Ok(found) => found
                .iter()
                .try_for_each(|value| write!(f, " {value:>8.digits$}")),
        }
    }
}

/// Every case in a world, with one contact.
#[must_use]
pub fn table(world: WorldKind, probe: Probe) -> Vec<GroundRow> {
    let rows = CASES.iter().map(|case| GroundRow::of(case, world, probe));
    rows.collect()
}
