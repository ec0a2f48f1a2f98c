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
    /// A closed-loop trace.
    Trace(Trace),
    /// The index of files, or the description of columns.
    Index,
    /// Noise of the traces themselves.
    NoiseFloor,
}

/// The PhysX generation of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    /// The vehicle2 of PhysX 5.
    Vehicle2,
    /// The legacy vehicle SDK, any drive.
    Legacy,
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
        if let Some(header) = header(path)? {
            return Ok(Self::Trace(Trace::of(&header)?));
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

/// The header of a trace; `None` if the file is not a trace.
fn header(path: &Path) -> Result<Option<Value>, String> {
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let value: Option<Value> = serde_json::from_str(first).ok();
    Ok(value.and_then(|value| value.get("header").cloned()))
}

impl Trace {
    fn of(header: &Value) -> Result<Self, String> {
        let text = |key: &str| header.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("physx").contains("vehicle2") {
            return Ok(Self::Vehicle2);
        }
        let vehicle = header.get("vehicle").ok_or("a trace without a vehicle")?;
        match vehicle.get("type").and_then(Value::as_str) {
            Some("Drive4W" | "DriveNW" | "DriveTank" | "NoDrive") => Ok(Self::Legacy),
            other => Err(format!("unknown kind of vehicle {other:?}")),
        }
    }
}
