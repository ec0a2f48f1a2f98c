//! Errors of subcommands.

use std::io;
use std::path::{Path, PathBuf};

use jounce::core::StepError;
use jounce::document::VehicleSpecError;
use jounce::file::FileError;
use jounce::tires::tir::TirError;
use proving_ground::ProvingError;
use proving_ground::scenario::ScenarioError;

/// Failure of a subcommand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A drive cannot start or continue.
    #[error(transparent)]
    Drive(#[from] ProvingError),
    /// A drive has no ground under its start, on a mesh that may lie on its side.
    #[error("{0}; if the mesh lies on its side, its up axis is the other one: --up z or --up y")]
    NoStart(ProvingError),
    /// A vehicle specification.
    #[error(transparent)]
    Spec(#[from] VehicleSpecError),
    /// A tire property file.
    #[error(transparent)]
    Tire(#[from] TirError),
    /// A tire file that makes no tire, with all that was found.
    #[error("{0}")]
    Tires(String),
    /// A scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A scenario's step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An input file cannot be read, or an output file cannot be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A recording for Rerun was asked of a program built without it.
    #[error(
        "--rrd: this program was built without Rerun; build it with `cargo run --release -p jounce-lab --features rerun`"
    )]
    NoRerun,
    /// An input file has a syntax error.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Position and reason.
        message: String,
    },
}

impl LabError {
    /// Converts failures to read or write the file at `path`.
    pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// The text of the file at `path`, without its byte-order mark.
///
/// # Errors
/// If it cannot be read, or is not text. The error names the file.
pub(crate) fn read_text(path: &Path) -> Result<String, LabError> {
    jounce::scene::read_text(path).map_err(LabError::of_file(path))
}

impl From<FileError> for LabError {
    fn from(error: FileError) -> Self {
        Self::Drive(error.into())
    }
}
