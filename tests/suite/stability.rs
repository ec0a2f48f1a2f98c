//! Accuracy of vehicles: every case, in every world, with both settings of the rows solver; one
//! test each. Vehicles that the table does not show are held to the same rows.

use proving_ground::world::WorldKind;
use vehicle_conformance::harness::{Trial, listed_trial, row_trial};
use vehicle_conformance::stability::{CASES, Preset, StabilityCase, StabilityRow};

/// Presets that are not in the table: all others that are driven by pedals and gears and solved by rows.
const OTHERS: [&str; 11] = [
    "suv",
    "pickup",
    "rally-car",
    "truck-6x6",
    "truck-6x6-agile",
    "eighteen-wheeler",
    "eighteen-wheeler-far",
    "tractor",
    "tank",
    "tadpole",
    "delta",
];

/// Worlds in which these vehicles are measured.
const WORLDS: [WorldKind; 2] = [WorldKind::Standalone, WorldKind::Rapier];

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
        if WORLDS.contains(world) {
            trials.extend(CASES.iter().map(|case| others(world, case)));
        }
    }
    trials
}

/// The test of a row with the vehicles that are not in the table.
fn others(world: &'static WorldKind, case: &'static StabilityCase) -> Trial {
    let name = format!("stability::{world:?}::others::{}", case.name);
    listed_trial(
        name.to_lowercase(),
        (world, case.key_of_others()),
        move || {
            let row = StabilityRow::with(&OTHERS, case, *world, Preset::Shipped);
            (format!("{OTHERS:?}"), row)
        },
    )
}
