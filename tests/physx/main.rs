//! Held against the real PhysX: function tables and traces, every file of the reference folder.
//!
//! The folder is `$JOUNCE_REFERENCE/physx`, by default this package's copy. Each file prints one
//! line `name rows max_error bound`; a kind of file that is not known fails.

mod kinds;
mod row;
mod tables;
mod traces;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use vehicle_conformance::reference;

use kinds::{Kind, Trace};
use traces::NoiseFloor;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = reference::folder("physx");
    let trials = match reference::files(&folder) {
        Ok(files) => trials(files),
        Err(error) => vec![Trial::test("reference folder", move || {
            Err(Failed::from(error.to_string()))
        })],
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One trial per file.
fn trials(files: Vec<PathBuf>) -> Vec<Trial> {
    let noise = Arc::new(NoiseFloor::read(&files));
    files
        .into_iter()
        .map(|path| {
            let name = reference::stem(&path);
            let noise = Arc::clone(&noise);
            Trial::test(name, move || check(&path, &noise).map_err(Failed::from))
        })
        .collect()
}

/// Decides a file's kind by its content and compares it.
fn check(path: &std::path::Path, noise: &NoiseFloor) -> Result<(), String> {
    let kind = Kind::of(path)?;
    let result = match kind {
        Kind::Table(table) => tables::compare(path, table),
        Kind::Trace(Trace::Vehicle2) => traces::compare_vehicle2(path),
        Kind::Trace(Trace::Legacy) => traces::compare(path, noise),
        Kind::Index | Kind::NoiseFloor => return Ok(()),
    };
    let mut failed = Vec::new();
    for line in result? {
        println!("{line}");
        if !line.holds() {
            failed.push(line.to_string());
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}
