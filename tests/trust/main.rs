//! How far cars can be trusted: every case of the suite, in every world, with both settings of the
//! rows solver; one test each.

use std::process::ExitCode;

use conformance::trust::{CASES, Case, Preset, Row, heading};
use lab::world::WorldKind;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for &world in WorldKind::all() {
        for preset in [Preset::Shipped, Preset::Coarse] {
            trials.extend(CASES.iter().map(|case| trial(case, world, preset)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(case: &'static Case, world: WorldKind, preset: Preset) -> Trial {
    let name = format!("{world:?}::{preset:?}::{}", case.name).to_lowercase();
    Trial::test(name, move || {
        let row = Row::of(case, world, preset);
        if row.holds() {
            Ok(())
        } else {
            let heading = heading(&format!("{world:?}"), preset);
            Err(Failed::from(format!("{heading}\n{row}")))
        }
    })
}
