//! `cargo test`: one test per behaviour.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use proving_ground::world::WorldKind;

use crate::backend::Backend;
use crate::suite::{Case, Tier, cases, unknown_failures};

/// Whom courses are compared with.
const JUDGE: WorldKind = WorldKind::Standalone;

/// Runs every case in a backend, each as a test of its own. To be all that the main function of a
/// test with `harness = false` does.
#[must_use]
pub fn main_for(backend: &'static dyn Backend) -> ExitCode {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials(backend)).exit_code()
}

/// One test per case. Courses are compared with the standalone world, which has nobody itself.
pub fn trials(backend: &'static dyn Backend) -> Vec<Trial> {
    let judge = backend.name() == JUDGE.name();
    let cases = cases().filter(|case| !judge || case.tier != Tier::Agreement);
    let tests = cases.map(|case| trial(backend, case));
    let list = move || match &unknown_failures(backend)[..] {
        [] => Ok(()),
        unknown => Err(Failed::from(format!("no case is called {unknown:?}"))),
    };
    let name = format!("{}::expected failures are of cases", backend.name());
    tests
        .chain([Trial::test(name.replace(' ', "_"), list)])
        .collect()
}

fn trial(backend: &'static dyn Backend, case: &'static Case) -> Trial {
    let name = format!("{}::{}::{}", backend.name(), case.tier.letter(), case.name);
    Trial::test(name.replace(' ', "_"), move || {
        let finding = case.find(backend, &[&JUDGE]);
        if finding.verdict.is_good() {
            Ok(())
        } else {
            Err(Failed::from(format!(
                "{}: {}",
                case.name,
                finding.complaint(case)
            )))
        }
    })
}
