//! Errors of `.tir` files, with their place.

use core::fmt;

use super::remark::{Remark, excerpt};

/// A fault of a `.tir` file, with its place if there is one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct TirError {
    /// The file, if known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The key.
    pub key: Option<String>,
    /// The fault.
    #[source]
    pub fault: TirFault,
}

/// Faults of a `.tir` file, or of numbers to be written into one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TirFault {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(String),
    /// The file has more bytes than [`LARGEST_FILE`](super::LARGEST_FILE).
    #[error("{0} bytes are no tire file")]
    TooLarge(usize),
    /// A byte-order mark of UTF-16 before bytes that are none.
    #[error("the text is not UTF-16, as its byte-order mark says")]
    Utf16,
    /// A number was expected.
    #[error("not a number: {0:?}")]
    NotANumber(String),
    /// A whole number was expected.
    #[error("not a whole number: {0:?}")]
    NotWhole(String),
    /// The quantity has no such unit.
    #[error("not a unit of {quantity} that is known: {unit:?}")]
    UnknownUnit {
        /// The quantity whose unit the key sets.
        quantity: &'static str,
        /// The unit's name.
        unit: String,
    },
    /// Neither `FITTYP` nor `PROPERTY_FILE_FORMAT` says which law the parameters belong to.
    #[error("neither FITTYP nor PROPERTY_FILE_FORMAT says which tire law this is")]
    NoFormat,
    /// A law that is not known.
    #[error("a tire law that is not known: {0}")]
    UnknownFormat(String),
    /// A known law, but not the wanted one.
    #[error("parameters of {found}, not of {wanted}")]
    OtherFormat {
        /// The law of the file.
        found: &'static str,
        /// The law that was asked for.
        wanted: &'static str,
    },
    /// An invalid value of `USE_MODE`.
    #[error("no such mode: {0}")]
    UseMode(i32),
    /// A required key.
    #[error("missing")]
    Missing,
    /// A key without which there is no tire.
    #[error("missing; no default is this tire's own. Is the file whole?")]
    MissingEssential,
    /// A warning, which strict reading treats as an error.
    #[error("{0} (strict reading)")]
    Strict(Remark),
    /// A name or value that a `.tir` file cannot represent.
    #[error("cannot be written: {0}")]
    Unwritable(String),
}

impl From<TirFault> for TirError {
    fn from(fault: TirFault) -> Self {
        Self {
            file: None,
            line: None,
            key: None,
            fault,
        }
    }
}

impl TirError {
    /// Returns this fault with the name of the file that it is in.
    #[must_use]
    pub fn in_file(self, file: impl fmt::Display) -> Self {
        let file = Some(file.to_string());
        Self { file, ..self }
    }

    /// A fault of a key, with its line if it has one.
    pub(super) fn at(line: impl Into<Option<u32>>, key: &str, fault: TirFault) -> Self {
        Self {
            file: None,
            line: line.into(),
            key: Some(excerpt(key)),
            fault,
        }
    }
}

impl fmt::Display for TirError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        write!(f, "{}", self.fault)
    }
}
