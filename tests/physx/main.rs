//! Comparison with PhysX: function tables and traces, every file of the reference folder.
//!
//! The folder is `$JOUNCE_REFERENCE/physx`, by default this package's copy. Each file prints one
//! line `name rows max_error bound`; a kind of file that is not known fails. Random scenarios, of which there are no
//! files, are held against themselves.

#[path = "../shared/reference.rs"]
mod reference;

mod lines;
mod kinds;
mod rounding;
mod row;
mod tables;
mod traces;
mod scenarios;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use vehicle_conformance::harness::{self, Trial};

use kinds::Kind;
use traces::NoiseFloor;

fn main() -> ExitCode {
    let folder = reference::folder("physx");
    let trials = match reference::files(&folder) {
        Ok(files) => trials(files),
        Err(error) => vec![Trial::new("reference folder", move || {
            Err(error.to_string())
        })],
    };
    harness::run(trials.into_iter().chain(scenarios::trials()).collect())
}

/// One trial per file.
fn trials(files: Vec<PathBuf>) -> Vec<Trial> {
    let noise = Arc::new(NoiseFloor::read(&files));
    files
        .into_iter()
        .map(|path| {
            let name = reference::stem(&path);
            let noise = Arc::clone(&noise);
            Trial::new(name, move || check(&path, &noise))
        })
        .collect()
}

/// Decides a file's kind by its content and compares it.
fn check(path: &std::path::Path, noise: &NoiseFloor) -> Result<(), String> {
    let kind = Kind::of(path)?;
    let result = match kind {
        Kind::Table(table) => tables::compare(path, table),
        Kind::Trace => traces::compare(path, noise),
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
