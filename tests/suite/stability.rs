//! Accuracy of vehicles: every case, in every world, with both settings of the rows solver; one
//! test each.

use proving_ground::world::WorldKind;
use vehicle_conformance::harness::{Trial, row_trial};
use vehicle_conformance::stability::{CASES, Preset};

/// One test per case, world and setting.
pub(crate) fn all() -> Vec<Trial> {
    let mut trials = Vec::new();
    for world in WorldKind::all() {
        for preset in [Preset::Shipped, Preset::Coarse] {
            trials.extend(CASES.iter().map(|case| {
                let name = format!("stability::{world:?}::{preset:?}::{}", case.name);
                row_trial(name.to_lowercase(), case, (world, *world), preset)
            }));
        }
    }
    trials
}
