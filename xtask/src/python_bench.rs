//! `cargo xtask bench --python`: cars of the Python package beside those of other programs.

use std::process::Command;

use crate::cargo::Cargo;
use crate::machine::skipped;
use crate::python::{self, FOLDER};

/// The virtual environment, in the build folder: other programs ask for versions that the package's tests do not take.
const ENVIRONMENT: &str = "python-bench";
const PACKAGES: [&str; 2] = ["maturin>=1.9.4,<2", "numpy>=1.26"];
/// Other programs, each with its package.
const RIVALS: [&str; 4] = [
    "mujoco>=4",
    "commonroad-vehicle-models==3.0.2",
    "gymkhana==1.2.0",
    "numba>=0.60",
];

/// Builds the package as for a wheel, and measures.
pub(crate) fn run(cargo: &Cargo, json: bool) -> Result<(), String> {
    let Some(base) = python::interpreter() else {
        skipped("the bench", "Python");
        return Ok(());
    };
    let python = python::environment(&base, &cargo.target().join(ENVIRONMENT), &PACKAGES)?;
    for rival in RIVALS {
        if python::install(&python, &[rival]).is_err() {
            skipped(&format!("{rival} beside ours"), "its package");
        }
    }
    let folder = cargo.root().join(FOLDER);
    python::build(cargo, &python, &folder, "wheel")?;
    let mut command = Command::new(&python);
    // Without caches of compiled scripts among the sources.
    command.arg("-B").arg(folder.join("bench/bench.py"));
    python::finish(command.args(json.then_some("--json")))
}
