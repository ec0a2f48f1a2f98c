//! Measurements repeated by several copies of this program: where a program's pages lie in memory may make one
//! contestant a tenth slower, another not, in every run of the same file; those of a copy lie elsewhere.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::result::Measured;

/// Copies of this program beside it, removed in the end.
struct Copies(Vec<PathBuf>);

impl Copies {
    /// All are made before the first runs: one that is gone could leave its pages to the next.
    fn new(count: usize) -> Result<Self, String> {
        let own = env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let name = own.file_name().unwrap_or_default().to_string_lossy();
        let mut copies = Self(Vec::new());
        for n in 1..=count {
            let copy = own.with_file_name(format!("copy-{n}-{name}"));
            copies.0.push(copy.clone());
            fs::copy(&own, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
        }
        Ok(copies)
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        for copy in &self.0 {
            // What is left behind harms nothing.
            let _ = fs::remove_file(copy);
        }
    }
}

/// Measures with each of `count` copies in turn; `progress` is told which.
pub(crate) fn measure(
    count: usize,
    vehicles: &[usize],
    progress: impl Fn(&str),
) -> Result<Measured, String> {
    let copies = Copies::new(count)?;
    let numbers: Vec<_> = vehicles.iter().map(usize::to_string).collect();
    let results = copies.0.iter().enumerate().map(|(n, copy)| {
        progress(&format!("copy {} of {count}", n + 1));
        measure_by(copy, &numbers.join(","))
    });
    Ok(Measured::together(&results.collect::<Result<Vec<_>, _>>()?))
}

/// Results of one copy of the program.
fn measure_by(copy: &Path, vehicles: &str) -> Result<Measured, String> {
    let fault = |what: &dyn core::fmt::Display| format!("{}: {what}", copy.display());
    let mut command = Command::new(copy);
    command.args(["--copies", "1", "--json", "--vehicles", vehicles]);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| fault(&error))?;
    if !output.status.success() {
        return Err(fault(&output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| fault(&error))
}
