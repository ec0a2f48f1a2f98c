//! Kinds of files: a table is recognized by its prefix, a trace by its header.

use std::path::Path;

use crate::reference;
use serde_json::Value;

use crate::tables::{DEFAULTS, DEFAULTS_5, TABLES, THREE_WHEELERS};

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A function table or a series, by the prefix of its name.
    Table(&'static str),
    /// A closed-loop trace, of either generation.
    Trace,
    /// The index of files, or the description of columns.
    Index,
    /// Noise of the traces themselves.
    NoiseFloor,
}

impl Kind {
    /// The kind of a file.
    pub(crate) fn of(path: &Path) -> Result<Self, String> {
        let stem = reference::stem(path);
        match stem.as_str() {
            "SCHEMA" | "FILES" => return Ok(Self::Index),
            "trace_noise_floor" => return Ok(Self::NoiseFloor),
            _ => {}
        }
        if is_trace(path)? {
            return Ok(Self::Trace);
        }
        let known =
            TABLES
                .iter()
                .map(|table| table.prefix)
                .chain([DEFAULTS, DEFAULTS_5, THREE_WHEELERS]);
        known
            .filter(|prefix| stem.starts_with(prefix))
            .max_by_key(|prefix| prefix.len())
            .map(Self::Table)
            .ok_or_else(|| format!("{stem}: unknown kind of file"))
    }
}

/// Whether a file begins with the header of a trace.
fn is_trace(path: &Path) -> Result<bool, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let value: Option<Value> = serde_json::from_str(first).ok();
    Ok(value.is_some_and(|value| value.get("header").is_some()))
}
