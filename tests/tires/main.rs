//! Tire laws compared with tables of other implementations, every file of the reference folder; and
//! every built-in law with the suite for third-party laws ([`vehicle_conformance::tires`]), on
//! slopes ([`standing`]) and about speed 0 ([`crossing`]).
//!
//! The folder is `$JOUNCE_REFERENCE/tires`, by default this package's copy; `SCHEMA.md` there says where
//! the tables come from. Each comparison prints one line `name rows max_error bound`; a kind of file or a
//! column that is not known fails.

#[path = "../shared/reference.rs"]
mod reference;

mod crossing;
mod grammar;
mod kinds;
mod laws;
mod lugre;
mod magic_formula;
mod relaxation;
mod small;
mod standing;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use reference::Comparison;
use vehicle_conformance::harness::{self, Trial};

use kinds::Kind;

fn main() -> ExitCode {
    let mut trials = match reference::files(&reference::folder("tires")) {
        Ok(files) => trials(files),
        Err(error) => vec![Trial::new("reference folder", move || {
            Err(error.to_string())
        })],
    };
    trials.extend(laws::all());
    trials.extend(standing::all());
    trials.extend(crossing::all());
    harness::run(trials)
}

/// One trial per file, and one of the memory that reading takes.
fn trials(files: Vec<PathBuf>) -> Vec<Trial> {
    let all = files.clone();
    let memory = Trial::new("tir_memory", move || grammar::memory(&all).and_then(report));
    files.into_iter().map(trial).chain([memory]).collect()
}

/// One file.
fn trial(path: PathBuf) -> Trial {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Trial::new(name.into_owned(), move || check(&path))
}

/// Compares a file according to its kind.
fn check(path: &Path) -> Result<(), String> {
    let lines = match Kind::of(path)? {
        Kind::MagicFormula(version) => magic_formula::compare(path, version)?,
        Kind::Small(law) => small::compare(path, law)?,
        Kind::LuGre => lugre::compare(path)?,
        Kind::Relaxation => relaxation::compare(path)?,
        Kind::Expected => grammar::compare(path)?,
        Kind::Grammar => return grammar::is_expected(path),
        Kind::SmallParameters => return small::Parameters::read(path).map(drop),
        Kind::Index => return Ok(()),
        Kind::Parameters => return kinds::belongs_to_a_table(path),
    };
    report(lines)
}

/// Prints lines; fails with those outside their bounds.
fn report(lines: Vec<Comparison>) -> Result<(), String> {
    let mut failed = Vec::new();
    for line in lines {
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
