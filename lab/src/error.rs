//! Why a subcommand cannot do what it is asked.

use std::io;
use std::path::PathBuf;

use jounce::core::StepError;
use jounce::document::VehicleSpecError;
use jounce::file::FileError;
use jounce::tires::tir::TirError;
use proving_ground::ProvingError;
use proving_ground::scenario::ScenarioError;

/// Why a subcommand cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// Nothing can be driven, or the drive cannot go on.
    #[error(transparent)]
    Drive(#[from] ProvingError),
    /// What a vehicle is made of.
    #[error(transparent)]
    Spec(#[from] VehicleSpecError),
    /// A tire property file.
    #[error(transparent)]
    Tire(#[from] TirError),
    /// A scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A scenario's step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A file of the user's cannot be read, or one of ours not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the user's is not written as it must be.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Where and why.
        message: String,
    },
}

impl From<FileError> for LabError {
    fn from(error: FileError) -> Self {
        Self::Drive(error.into())
    }
}
