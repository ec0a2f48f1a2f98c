//! The program that compares every world with the suite, built like the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use crate::cargo::Cargo;
use crate::test::{self, EVERYTHING};
use crate::{engines, files, sections};

/// The example of the package `vehicle-conformance`.
const PROGRAM: &str = "conformance";

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// With engines in other languages, Box3D and Jolt, as far as their compilers are here
    #[arg(long)]
    engines: bool,
    /// Only this world, besides the standalone reference: standalone, rapier or avian; with --aids, any, and only it; may be
    /// repeated
    #[arg(long, value_name = "NAME", conflicts_with = "trust")]
    backend: Vec<String>,
    /// Print one JSON object and nothing else on standard output
    #[arg(long, conflicts_with = "trust")]
    json: bool,
    /// Write a page with the paths in all worlds, and the tables
    #[arg(long, value_name = "FILE.html", conflicts_with = "trust")]
    report: Option<PathBuf>,
    /// Measure instead how accurate vehicles are, parked and driven, at every time step
    #[arg(long)]
    trust: bool,
    /// Measure instead what driver aids reach, in the standalone world and Rapier, with --engines in all that can be built
    #[arg(long, conflicts_with_all = ["trust", "json", "report"])]
    aids: bool,
    /// Measure instead how wheels meet curbs, walls, stairs and cracks, in the standalone world or those of --backend
    #[arg(long, conflicts_with_all = ["trust", "aids", "engines", "json", "report"])]
    ground: bool,
    /// With --ground: with this contact (sections, sweeps or rays) instead of sections; may be repeated
    #[arg(long, value_name = "NAME", requires = "ground")]
    contact: Vec<String>,
    /// With --trust: with long substeps, which have their own bounds
    #[arg(long, requires = "trust")]
    coarse: bool,
    /// With --trust: with short substeps
    #[arg(long, requires = "trust", conflicts_with = "coarse")]
    fine: bool,
    /// With --trust: store the table in tests/TRUST.md
    #[arg(long, requires = "trust", conflicts_with_all = ["coarse", "fine", "engines"])]
    accept: bool,
}

/// The page with the trust table, and the command that writes it.
const TRUST_PAGE: &str = "tests/TRUST.md";
const TRUST_COMMAND: &str = "cargo xtask conformance --trust --accept";

impl Conformance {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let words = self.words()?;
        if (self.aids || self.ground) && !self.needs_engines() {
            return start(cargo, &words);
        }
        let engines = if self.aids || self.engines {
            engines::together()
        } else {
            engines::avian()
        };
        let everything = engines.arguments(cargo)?;
        let everything = test::words(&everything);
        if !self.accept {
            return start_with(cargo, &everything, &words);
        }
        let folder = cargo.target().join("trust");
        files::remove(&folder)?;
        fs::create_dir_all(&folder).map_err(files::named(&folder))?;
        let table = folder.join("trust.md");
        let page = ["--page".to_owned(), table.display().to_string()];
        // Known failures are out of their bounds, too: the table has them.
        let result = start_with(cargo, &everything, &[words, page.to_vec()].concat());
        let stored = files::read(&table)?;
        sections::store(&cargo.root().join(TRUST_PAGE), TRUST_COMMAND, &stored)?;
        result
    }

    /// Whether engines beside Rapier are named.
    fn needs_engines(&self) -> bool {
        let built_in = |name: &String| ["standalone", "rapier"].contains(&name.as_str());
        self.engines || !self.backend.iter().all(built_in)
    }

    /// Arguments of the program.
    fn words(&self) -> Result<Vec<String>, String> {
        let task = match (self.aids, self.ground, self.trust) {
            (true, ..) => "aids",
            (_, true, _) => "ground",
            (.., true) => "trust",
            _ => "suite",
        };
        let mut words = vec![task.to_owned()];
        for (set, word) in [
            (self.coarse, "--coarse"),
            (self.fine, "--fine"),
            (self.json, "--json"),
        ] {
            words.extend(set.then(|| word.to_owned()));
        }
        for name in &self.contact {
            words.extend(["--contact".to_owned(), name.clone()]);
        }
        for name in &self.backend {
            words.extend(["--backend".to_owned(), name.clone()]);
        }
        if let Some(path) = &self.report {
            words.extend(["--report".to_owned(), absolute(path)?]);
        }
        Ok(words)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Scenarios {
    /// Seed of the random numbers: the same one gives the same scenarios
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Number of scenarios
    #[arg(long, value_name = "N", default_value_t = 24)]
    count: u64,
    /// Write a file for each into this folder instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Scenarios {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let numbers = [("--seed", self.seed), ("--count", self.count)];
        let mut words = vec!["scenarios".to_owned()];
        for (word, number) in numbers {
            words.extend([word.to_owned(), number.to_string()]);
        }
        if let Some(folder) = &self.out {
            words.extend(["--out".to_owned(), absolute(folder)?]);
        }
        start(cargo, &words)
    }
}

/// A path from the user's folder, not from the one in which programs are started.
fn absolute(path: &Path) -> Result<String, String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    Ok(path.display().to_string())
}

/// Builds the program with the features of the tests, so that it shares their builds, and runs it.
pub(crate) fn start(cargo: &Cargo, words: &[String]) -> Result<(), String> {
    start_with(cargo, &EVERYTHING, words)
}

/// Builds the program with these packages and features, and runs it.
fn start_with(cargo: &Cargo, everything: &[&str], words: &[String]) -> Result<(), String> {
    let build = ["build", "--quiet", "--example", PROGRAM];
    let messages = ["--message-format=json-render-diagnostics"];
    let text = cargo.read(&[&build[..], &messages, everything].concat())?;
    let program = text.lines().find_map(executable);
    let program = program.ok_or_else(|| format!("cargo built no {PROGRAM}"))?;
    let mut command = Command::new(&program);
    let status = command.args(words).current_dir(cargo.root()).status();
    match status.map_err(|error| format!("{program}: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("{PROGRAM} {}: {status}", words.join(" "))),
    }
}

/// The path of the program, if the message of cargo names it.
fn executable(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let ours = message["target"]["name"] == PROGRAM && message["profile"]["test"] == false;
    ours.then(|| message["executable"].as_str().map(str::to_owned))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_told_from_its_tests() {
        let message = |test: bool| {
            serde_json::json!({
                "target": { "name": PROGRAM },
                "profile": { "test": test },
                "executable": "/t/x",
            })
        };
        assert_eq!(
            executable(&message(false).to_string()).as_deref(),
            Some("/t/x")
        );
        assert_eq!(executable(&message(true).to_string()), None);
        assert_eq!(executable("warning"), None);
    }
}
