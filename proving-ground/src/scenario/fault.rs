//! Reasons why a scenario cannot be replayed.

use std::io;
use std::path::PathBuf;

use jounce::core::InvalidParams;

use crate::error::ProvingError;

/// Reason why a scenario cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file's first object is not a scenario.
    #[error("{file}: {source}")]
    Malformed {
        /// The file.
        file: String,
        /// The reason.
        source: serde_json::Error,
    },
    /// The scenario needs an unsupported feature.
    #[error("{file}: not supported: {what}")]
    Unsupported {
        /// The file.
        file: String,
        /// The feature.
        what: String,
    },
    /// The scenario's parameters violate rules.
    #[error("{file}: {source}")]
    Invalid {
        /// The file.
        file: String,
        /// Every fault.
        source: InvalidParams,
    },
    /// Numbers do not form a valid ground.
    #[error(transparent)]
    Ground(#[from] jounce::scene::GroundError),
    /// The world cannot be created.
    #[error(transparent)]
    World(#[from] ProvingError),
}

impl ScenarioError {
    pub(super) fn unsupported(file: &str, what: impl ToString) -> Self {
        Self::Unsupported {
            file: file.to_owned(),
            what: what.to_string(),
        }
    }

    pub(super) fn invalid(file: &str, source: InvalidParams) -> Self {
        Self::Invalid {
            file: file.to_owned(),
            source,
        }
    }
}
