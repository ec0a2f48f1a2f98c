//! Driver aids measured: stops, launches, evasive steering, starts on slopes.
//!
//! [`table`] measures every case of [`CASES`] with [`CARS`]. A stop is held against the best one with any constant slip of all
//! wheels, a launch against the best one with any constant slip and means.

mod rig;
mod stops;
mod starts;
mod dwell;
mod cases;

use proving_ground::world::WorldKind;

use crate::stability::{Preset, StabilityCase, StabilityRow};

pub use cases::CASES;
pub use dwell::{Dwell, sine_with_dwell, steering_at_0_3_g};
pub use rig::{Rig, Road};
pub use starts::{HillStart, best_launch, hill_start, launch};
pub use stops::{Stop, best_constant, stop};

/// The cars of the table, by their names in [`presets`](jounce::presets).
pub const CARS: [&str; 3] = ["sedan", "sports-car", "suv"];

/// Every case with every car in one world.
#[must_use]
pub fn table(world: WorldKind) -> Vec<StabilityRow> {
    CASES.iter().map(|case| row(case, world)).collect()
}

/// A case with every car in one world.
#[must_use]
pub fn row(case: &'static StabilityCase, world: WorldKind) -> StabilityRow {
    StabilityRow::with(&CARS, case, world, Preset::Shipped)
}
