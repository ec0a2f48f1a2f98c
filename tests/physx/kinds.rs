//! Which kind of file is which, decided by content: a table by its prefix, a trace by its header.

use std::path::Path;

use conformance::reference;
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

/// Kinds of traces. The first property that applies decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trace {
    Vehicle2,
    Tank,
    NoDrive,
    ManyWheelDrive,
    ThreeWheels,
    ExtraWheels,
    SmoothedInput,
    /// Four wheels, plain input.
    FourWheels,
}

/// Kinds that another issue covers: each file of them must fail here.
pub(crate) const LATER: &[(Kind, &str)] = &[(Kind::Trace(Trace::Vehicle2), "later issue: PhysX 5")];

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
        let later = LATER.iter().filter_map(|(kind, _)| match kind {
            Self::Table(prefix) => Some(*prefix),
            _ => None,
        });
        known
            .chain(later)
            .filter(|prefix| stem.starts_with(prefix))
            .max_by_key(|prefix| prefix.len())
            .map(Self::Table)
            .ok_or_else(|| format!("{stem}: unknown kind of file"))
    }

    /// Why the kind is not covered, if it is not.
    pub(crate) fn later(self) -> Option<&'static str> {
        LATER
            .iter()
            .find(|(kind, _)| *kind == self)
            .map(|(_, reason)| *reason)
    }
}

/// The header of a trace; `None` if the file is no trace.
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
            Some("DriveTank") => return Ok(Self::Tank),
            Some("NoDrive") => return Ok(Self::NoDrive),
            Some("DriveNW") => return Ok(Self::ManyWheelDrive),
            Some("Drive4W") => {}
            other => return Err(format!("unknown kind of vehicle {other:?}")),
        }
        let wheels = vehicle.get("wheels").and_then(Value::as_array);
        let disabled = |wheel: &Value| wheel.get("disabled") == Some(&Value::Bool(true));
        let any_disabled = wheels.is_some_and(|wheels| wheels.iter().any(disabled));
        Ok(match () {
            () if text("three_wheel") != "none" || any_disabled => Self::ThreeWheels,
            () if wheels.map(Vec::len) != Some(4) => Self::ExtraWheels,
            () if text("smoothing") != "none" => Self::SmoothedInput,
            () => Self::FourWheels,
        })
    }
}
