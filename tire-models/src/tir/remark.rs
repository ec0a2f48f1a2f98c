//! Oddities that a reader noticed but could skip.

use core::fmt;

use crate::magic_formula::Version;

/// An oddity in a file, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The line, from 1; `None` for the file as a whole.
    pub line: Option<u32>,
    /// The key, or the beginning of a line without one; may be empty.
    pub key: String,
    /// The remark.
    pub remark: Remark,
}

/// The kinds of oddities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The key was given before, on that line; the later value counts.
    Duplicate(u32),
    /// A key without a value counts as absent.
    Empty,
    /// A comment after a number starts with `!` instead of `$`.
    Exclamation,
    /// A string without a closing quotation mark extends to the end of its line.
    OpenString,
    /// Text after a closing quotation mark or bracket is not read.
    Trailing,
    /// A section name without a closing bracket extends to the end of its line.
    OpenSection,
    /// A line that is neither a key, nor a section, nor a row of a table.
    NotUnderstood,
    /// A key in a section of the tire law that the law does not have.
    UnknownKey,
    /// A file of parameters with units, but without a section that defines them.
    NoUnits,
    /// `FITTYP` and `PROPERTY_FILE_FORMAT` disagree; the former takes precedence.
    FormatsDiffer,
    /// A `FITTYP` that is read as another version of the Magic Formula.
    ReadAs(Version),
    /// A number too large, or a word, in a key that no formula uses; it counts as absent.
    Placeholder,
    /// The file has no key of combined slip.
    NoCombinedSlip,
    /// The file has no key of the aligning moment.
    NoAligning,
    /// A side that is neither `LEFT` nor `RIGHT`; it counts as absent.
    UnknownSide,
    /// An implausible speed of measurement: below 0.1 m/s or above 200 m/s.
    ImplausibleSpeed,
    /// An implausible radius or width: below 0.02 m or above 3 m.
    ImplausibleLength,
    /// An implausible load: below 10 N or above 1 MN.
    ImplausibleLoad,
    /// An implausible pressure: below 0.1 or above 20 bar.
    ImplausiblePressure,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Duplicate(line) => {
                return write!(f, "given on line {line} already; the later value counts");
            }
            Self::Empty => "no value; counts as absent",
            Self::Exclamation => "a comment behind a number should begin with $",
            Self::OpenString => "the string is not closed",
            Self::Trailing => "what follows the value is not read",
            Self::OpenSection => "the section's name is not closed",
            Self::NotUnderstood => "neither a key nor a row of a table",
            Self::UnknownKey => "not a key of this tire law; kept, not used",
            Self::NoUnits => {
                "no [UNITS]; meters, newtons, radians, kilograms and seconds are taken"
            }
            Self::FormatsDiffer => "FITTYP and PROPERTY_FILE_FORMAT differ; FITTYP counts",
            Self::ReadAs(version) => {
                return write!(f, "read as Magic Formula {version}, the nearest known");
            }
            Self::Placeholder => "a placeholder; no formula uses the key, counts as absent",
            Self::NoCombinedSlip => {
                "no key of combined slip (RBX1, RBY1, ...); a friction ellipse is taken instead"
            }
            Self::NoAligning => {
                "no key of the aligning moment (QBZ1, QDZ1, ...); its defaults are no tire's own"
            }
            Self::UnknownSide => "neither LEFT nor RIGHT; counts as absent",
            Self::ImplausibleSpeed => "not a plausible speed; are the units right?",
            Self::ImplausibleLength => "not a plausible length; are the units right?",
            Self::ImplausibleLoad => "not a plausible load; are the units right?",
            Self::ImplausiblePressure => "not a plausible pressure; are the units right?",
        };
        f.write_str(words)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.remark)
    }
}

/// Warnings in the order of lines. Only the first hundred are kept, so that a garbage file does not
/// fill the memory; the others are counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings {
    kept: Vec<Warning>,
    left_out: usize,
}

impl Warnings {
    const MOST: usize = 100;

    pub(super) fn push(&mut self, line: impl Into<Option<u32>>, key: &str, remark: Remark) {
        if self.kept.len() < Self::MOST {
            self.kept.push(Warning {
                line: line.into(),
                key: excerpt(key),
                remark,
            });
        } else {
            self.left_out += 1;
        }
    }

    /// The warnings kept.
    pub fn iter(&self) -> core::slice::Iter<'_, Warning> {
        self.kept.iter()
    }

    /// The total number of warnings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kept.len() + self.left_out
    }
}

impl<'a> IntoIterator for &'a Warnings {
    type Item = &'a Warning;
    type IntoIter = core::slice::Iter<'a, Warning>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for warning in self {
            writeln!(f, "{warning}")?;
        }
        if self.left_out > 0 {
            writeln!(f, "and {} more", self.left_out)?;
        }
        Ok(())
    }
}

/// The beginning of `text`, so that messages stay short.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
