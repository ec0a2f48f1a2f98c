//! The suite in every world of the lab: one test per behaviour and world.

use std::process::ExitCode;

use conformance::{Backend, harness};
use lab::world::WorldKind;

fn main() -> ExitCode {
    let backends = WorldKind::all().iter().map(|kind| kind as &dyn Backend);
    harness::main_for_all(&backends.collect::<Vec<_>>())
}
