//! Accuracy of vehicles: every case, in every world, with both settings of the rows solver; one
//! test each.

use proving_ground::world::WorldKind;
use vehicle_conformance::harness::Trial;
use vehicle_conformance::stability::{CASES, Preset, StabilityCase, StabilityRow, heading};

/// One test per case, world and setting.
pub(crate) fn all() -> Vec<Trial> {
    let mut trials = Vec::new();
    for &world in WorldKind::all() {
        for preset in [Preset::Shipped, Preset::Coarse] {
            trials.extend(CASES.iter().map(|case| trial(case, world, preset)));
        }
    }
    trials
}

fn trial(case: &'static StabilityCase, world: WorldKind, preset: Preset) -> Trial {
    let name = format!("stability::{world:?}::{preset:?}::{}", case.name).to_lowercase();
    Trial::new(name, move || {
        let row = StabilityRow::of(case, world, preset);
        if row.holds() {
            Ok(())
        } else {
            let heading = heading(&format!("{world:?}"), preset);
            Err(format!("{heading}\n{row}"))
        }
    })
}
