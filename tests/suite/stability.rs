//! Accuracy of vehicles: every case, in every world, with both settings of the rows solver; one
//! test each. Cars that the table does not show are held to some of its rows.

use proving_ground::world::WorldKind;
use vehicle_conformance::harness::{Trial, row_trial};
use vehicle_conformance::stability::{CASES, Cell, Preset, StabilityRow};

/// Rows that other cars are held to, in the standalone world and on Rapier.
const OTHERS: [&str; 14] = [
    "parked-nose-down",
    "parked-across",
    "loaded",
    "sideways",
    "swinging",
    "pressed-at-speed",
    "loads-at-speed",
    "carried-off",
    "hit",
    "slalom-way",
    "slalom-heading",
    "mirrored",
    "braking-way",
    "braking-heading",
];

/// Presets that are not in the table.
const CARS: [&str; 8] = [
    "suv",
    "pickup",
    "rally-car",
    "truck-6x6",
    "eighteen-wheeler",
    "tractor",
    "tadpole",
    "delta",
];

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
        if matches!(world, WorldKind::Standalone | WorldKind::Rapier) {
            trials.extend(OTHERS.map(|case| others(*world, case)));
        }
    }
    trials
}

/// The test of a row with the cars that are not in the table.
fn others(world: WorldKind, case: &'static str) -> Trial {
    let name = format!("stability::{world:?}::others::{case}");
    Trial::new(name.to_lowercase(), move || {
        let case = CASES.iter().find(|known| known.name == case);
        let case = case.ok_or("the table has no such row")?;
        let row = StabilityRow::with(&CARS, case, world, Preset::Shipped);
        let holds = |cell: &Cell| matches!(cell, Cell::Found { holds: true, .. });
        if row.cells.iter().all(holds) {
            Ok(())
        } else {
            Err(format!("{CARS:?}\n{row}"))
        }
    })
}
