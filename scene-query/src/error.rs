//! Errors of grounds, their files, and bodies of the standalone world.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use vehicle_core::checked::{Fault, Inspector, InvalidParams};
use vehicle_core::{BodyError, BodyId};

use crate::text::read_text;

/// A faulty line of a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// Line number, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The fault of the line.
    pub what: String,
}

/// All faults of a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidText {
    /// Name of the file, as given by the caller.
    pub file: String,
    /// The faults, in the order of lines.
    pub faults: Vec<LineFault>,
}

/// Number of faults that a message shows.
const SHOWN: usize = 20;

/// Shows the first 20 faults, and the number of the others.
impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().take(SHOWN).enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            match fault.line {
                0 => write!(f, "{separator}{}: {}", self.file, fault.what)?,
                line => write!(f, "{separator}{}:{line}: {}", self.file, fault.what)?,
            }
        }
        match self.faults.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            1 => write!(f, "\n{}: 1 more fault", self.file),
            more => write!(f, "\n{}: {more} more faults", self.file),
        }
    }
}

impl core::error::Error for InvalidText {}

/// Reason why a ground, a body or a joint could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// Invalid numbers, all of them.
    #[error(transparent)]
    Invalid(#[from] InvalidParams),
    /// Forward and up are not perpendicular.
    #[error(transparent)]
    Axes(#[from] Fault),
    /// The text of a file is invalid.
    #[error(transparent)]
    Text(#[from] InvalidText),
    /// A file could not be read.
    #[error("{path}: {source}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A body does not exist.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A joint between a body and itself.
    #[error("{0:?} cannot be joined to itself")]
    JoinedToItself(BodyId),
    /// The wheels of this body share their contacts already.
    #[error("the wheels of {0:?} share their contacts already")]
    SharedTwice(BodyId),
}

/// Runs `look` over parameters under `name` and returns every fault.
pub(crate) fn check(name: &str, look: impl FnOnce(&mut Inspector)) -> Result<(), GroundError> {
    let mut inspector = Inspector::new();
    inspector.within(name, look);
    Ok(inspector.verdict()?)
}

/// `value` must be finite and > 0.
pub(crate) fn positive(i: &mut Inspector, name: &str, value: f64, unit: &str) {
    let holds = value > 0.0 && value.is_finite();
    i.rule(holds, name, value, unit, "must be finite and > 0");
}

/// `value` must be finite.
pub(crate) fn finite(i: &mut Inspector, name: &str, value: f64, unit: &str) {
    i.rule(value.is_finite(), name, value, unit, "must be finite");
}

/// Every component of `value` must be finite.
pub(crate) fn finite_point(i: &mut Inspector, name: &str, value: glam::DVec3, unit: &str) {
    i.rule(value.is_finite(), name, value, unit, "must be finite");
}

/// Reads a text file; an error names it.
pub(crate) fn read(path: &Path) -> Result<String, GroundError> {
    read_text(path).map_err(|source| GroundError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_named() {
        let error = read(Path::new("no/such.obj")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.obj: "), "{error}");
    }

    #[test]
    fn a_message_ends_after_twenty_faults() {
        let fault = |line| LineFault {
            line,
            what: "a".into(),
        };
        let error = InvalidText {
            file: "x.obj".into(),
            faults: (1..=4000).map(fault).collect(),
        };
        let text = error.to_string();
        assert_eq!(text.lines().count(), 21);
        assert!(
            text.ends_with("\nx.obj:20: a\nx.obj: 3980 more faults"),
            "{text}"
        );
    }

    #[test]
    fn every_line_is_reported() {
        let faults = vec![
            LineFault {
                line: 3,
                what: "a".into(),
            },
            LineFault {
                line: 0,
                what: "b".into(),
            },
        ];
        let error = InvalidText {
            file: "x.obj".into(),
            faults,
        };
        assert_eq!(error.to_string(), "x.obj:3: a\nx.obj: b");
    }
}
