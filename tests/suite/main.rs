//! The suite in every world, one test and one process per behavior and world, and the accuracy of vehicles there.

mod stability;

use std::process::ExitCode;

use proving_ground::world::WorldKind;
use vehicle_conformance::{Backend, harness};

fn main() -> ExitCode {
    let backends = WorldKind::all().iter().map(|kind| kind as &dyn Backend);
    let mut trials: Vec<_> = backends.flat_map(harness::trials).collect();
    trials.extend(stability::all());
    harness::run_apart(trials)
}
