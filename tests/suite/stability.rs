//! Accuracy of vehicles, one test per row: every case in the standalone world, with the table's vehicles and with all others.
//!
//! The long form (`JOUNCE_LONG=1`) measures every case in every world, and with coarse settings of the rows solver.

use std::env;

use proving_ground::world::WorldKind;
use vehicle_conformance::harness::{Trial, listed_trial, row_trial};
use vehicle_conformance::stability::{CASES, Preset, StabilityCase, StabilityRow};

/// Presets that are not in the table: all others that are driven by pedals and gears and solved by rows.
const OTHERS: [&str; 14] = [
    "suv",
    "suv-automatic",
    "ev-saloon",
    "ev-saloon-awd",
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

/// Cases of cars that their clutch holds in gear, with the engine off: no torque converter does, and no motor.
const IN_GEAR: [&str; 2] = ["parked-in-gear", "woken"];

/// Cases without the electric saloons: under a load that swings, they walk by up to 83 mm, and why is not known; with wheels locked
/// from 100 km/h, as no ABS lets them be, their way spreads by 0.4 %.
const NOT_ELECTRIC: [&str; 3] = ["swinging", "swinging-by-impulses", "stop"];

/// Worlds in which these vehicles are measured.
const WORLDS: [WorldKind; 2] = [WorldKind::Standalone, WorldKind::Rapier];

/// Cases that are measured in every world, in the short form too: a car that stands, one that is pushed by impulses between
/// steps, one that brakes on a body that moves.
const EVERYWHERE: [&str; 3] = ["parked-across", "pushed-by-impulses", "hauled"];

/// One test per case, world and setting.
pub(crate) fn all() -> Vec<Trial> {
    let long = env::var_os("JOUNCE_LONG").is_some();
    let mut trials = Vec::new();
    for world in WorldKind::all() {
        let alone = *world == WorldKind::Standalone;
        let asked = move |case: &&StabilityCase| long || alone || EVERYWHERE.contains(&case.name);
        let cases = || CASES.iter().filter(asked);
        trials.extend(cases().map(|case| table(world, case, Preset::Shipped)));
        if long {
            trials.extend(cases().map(|case| table(world, case, Preset::Coarse)));
        }
        if (long || alone) && WORLDS.contains(world) {
            trials.extend(cases().map(|case| others(world, case)));
        }
    }
    trials
}

/// The test of a row with the vehicles of the table.
fn table(world: &'static WorldKind, case: &'static StabilityCase, preset: Preset) -> Trial {
    let name = format!("stability::{world:?}::{preset:?}::{}", case.name);
    row_trial(name.to_lowercase(), case, (world, *world), preset)
}

/// The test of a row with the vehicles that are not in the table.
fn others(world: &'static WorldKind, case: &'static StabilityCase) -> Trial {
    let name = format!("stability::{world:?}::others::{}", case.name);
    listed_trial(
        name.to_lowercase(),
        (world, case.key_of_others()),
        move || {
            let holds = |name: &&str| {
                let car = Preset::Shipped.car(name);
                let model = car.model();
                model.drivetrain().shafts(model.wheel_count()).is_none()
            };
            let asked = |name: &&str| {
                let differs = NOT_ELECTRIC.contains(&case.name) && name.starts_with("ev-");
                !differs && (!IN_GEAR.contains(&case.name) || holds(name))
            };
            let vehicles: Vec<&'static str> = OTHERS.into_iter().filter(asked).collect();
            let row = StabilityRow::with(&vehicles, case, *world, Preset::Shipped);
            (format!("{vehicles:?}"), row)
        },
    )
}
