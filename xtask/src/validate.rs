//! `cargo xtask validate`: our cars against closed forms and other programs' cars; with `--record`, those programs' part.

use std::path::Path;
use std::process::Command;

use clap::Args;

use crate::cargo::Cargo;
use crate::{conformance, python};

/// Folder of the recording program, and of its results, in the workspace.
const FOLDER: &str = "tests/reference/commonroad";
/// Where its pictures are, in the workspace.
const PICTURES: &str = "docs/validation";
/// Python packages that recording takes, of the versions that its results name.
const PACKAGES: [&str; 1] = ["commonroad-vehicle-models==3.0.2"];

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    json: bool,
    /// First record the other program's drives again, in a virtual environment of Python in the build folder
    #[arg(long)]
    record: bool,
    /// Draw the pictures of docs/VALIDATION.md again
    #[arg(long)]
    plots: bool,
}

impl Validate {
    pub(crate) fn run(&self, cargo: &Cargo) -> Result<(), String> {
        if self.record {
            record(cargo)?;
        }
        let mut words = vec!["validate".to_owned()];
        words.extend(self.json.then(|| "--json".to_owned()));
        if self.plots {
            let folder = cargo.root().join(PICTURES);
            words.extend(["--plots".to_owned(), folder.display().to_string()]);
        }
        conformance::start(cargo, &words)
    }
}

/// Records all drives, and writes our files of the cars.
fn record(cargo: &Cargo) -> Result<(), String> {
    let environment = cargo.target().join("validation-python");
    let python = python::environment(Path::new("python3"), &environment, &PACKAGES)?;
    let folder = cargo.root().join(FOLDER);
    // Without its cache of compiled scripts in the folder of data.
    let script = [Path::new("-B"), &folder.join("record.py"), &folder];
    python::finish(Command::new(&python).args(script))
}
