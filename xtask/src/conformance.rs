//! The program of the package `vehicle-conformance`, with the worlds that it needs.

use std::path::PathBuf;

use clap::Args;

use crate::cargo::Cargo;

/// The world whose engine is built only where it is needed.
const AVIAN: &str = "avian";

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Only this world, beside the standalone one that judges: standalone, rapier or avian; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "trust")]
    backend: Vec<String>,
    /// Print one JSON object, and nothing else on the standard output
    #[arg(long, conflicts_with = "trust")]
    json: bool,
    /// Write a page with the paths of all worlds, and the tables
    #[arg(long, value_name = "FILE.html", conflicts_with = "trust")]
    report: Option<PathBuf>,
    /// Measure instead how far cars can be trusted: parked, released, at every time step
    #[arg(long)]
    trust: bool,
    /// With --trust: with long substeps, which have bounds of their own
    #[arg(long, requires = "trust")]
    coarse: bool,
    /// With --trust: with short substeps
    #[arg(long, requires = "trust", conflicts_with = "coarse")]
    fine: bool,
}

impl Conformance {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        let avian = self.backend.is_empty() || self.backend.iter().any(|name| name == AVIAN);
        let mut features = Vec::new();
        if avian {
            features.extend(["--features", "vehicle-conformance/avian"]);
            features.extend(cargo.newer_rust()?);
        }
        run(cargo, &features, &self.words()?)
    }

    /// The words of the program's command line.
    fn words(&self) -> Result<Vec<String>, String> {
        let mut words = vec![if self.trust { "trust" } else { "suite" }.to_owned()];
        for (set, word) in [
            (self.coarse, "--coarse"),
            (self.fine, "--fine"),
            (self.json, "--json"),
        ] {
            words.extend(set.then(|| word.to_owned()));
        }
        for name in &self.backend {
            words.extend(["--backend".to_owned(), name.clone()]);
        }
        if let Some(path) = &self.report {
            // Relative to where the user is, not to where cargo will be started.
            let path = std::path::absolute(path).map_err(|error| error.to_string())?;
            words.extend(["--report".to_owned(), path.display().to_string()]);
        }
        Ok(words)
    }
}

/// Accepts the present golden traces.
pub(crate) fn bless(cargo: &Cargo) -> Result<(), String> {
    run(cargo, &[], &["bless".to_owned()])
}

fn run(cargo: &Cargo, features: &[&str], words: &[String]) -> Result<(), String> {
    let run = ["run", "-p", "vehicle-conformance", "--release", "--quiet"];
    let words = words.iter().map(String::as_str);
    let arguments: Vec<&str> = run.into_iter().chain(features.iter().copied()).collect();
    cargo.run(
        &arguments
            .into_iter()
            .chain(["--"])
            .chain(words)
            .collect::<Vec<_>>(),
    )
}
