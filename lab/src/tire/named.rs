//! Remarks on the Magic Formulas of a vehicle's tires.

use core::fmt;
use std::path::Path;

use jounce::document::ModelSpec;
use jounce::file::{Car, FileError};
use jounce::tires::magic_formula::Version;
use jounce::tires::magic_formula::coefficients::KEYS;
use jounce::tires::tir::{BrokenRule, MagicFormulaFile, Reading, Warnings, validate};
use jounce::tires::{MagicFormulaParams, presets};
use serde::Deserialize as _;
use toml::{Table, Value};

use super::check::caps;
use super::source::{Tire, tire};
use crate::error::{LabError, read_text};

/// The name of the law in vehicle files.
const LAW: &str = "magic-formula";

/// A tire of a vehicle file with parameters in a `.tir` file or a preset.
pub(crate) struct NamedTire {
    /// Name of the tire in the vehicle file, or the names of several tires with the same remarks.
    name: String,
    /// The file, as in the vehicle file, or the name of a preset tire.
    source: String,
    warnings: Warnings,
    /// Keys given by neither.
    defaulted: Vec<&'static str>,
    findings: Vec<BrokenRule>,
    /// Effect of inputs out of range.
    capped: Option<String>,
}

/// The tires of a `car` that name a file or a preset; `vehicle` is its file, or the name of a
/// preset.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn named_tires(
    vehicle: &str,
    car: &Car,
    reading: Reading,
) -> Result<Vec<NamedTire>, LabError> {
    let mut ready = jounce::presets::FILES.iter();
    let ready = ready.find(|(name, _)| *name == vehicle);
    let (content, folder) = match ready {
        Some((_, text)) => ((*text).to_owned(), None),
        None => (read_text(Path::new(vehicle))?, Path::new(vehicle).parent()),
    };
    let table: Table = content.parse().map_err(|source| FileError::Syntax {
        file: vehicle.to_owned(),
        source,
    })?;
    let tires = table.get("tires").and_then(Value::as_table);
    let mut tables: Vec<_> = tires.into_iter().flatten().collect();
    // A vehicle's tires are indexed in the order of their names.
    tables.sort_by_key(|(name, _)| *name);
    let mut found = Vec::new();
    for ((name, table), spec) in tables.into_iter().zip(&car.spec().tires) {
        let Some(table) = table.as_table().and_then(innermost) else {
            continue;
        };
        if text(table, "model") != Some(LAW) {
            found.extend(of_old_law(name, table, folder)?);
            continue;
        }
        let Some(file) = file_of(table, folder, reading)? else {
            continue;
        };
        let mut defaulted = file.defaulted;
        retain_absent(&mut defaulted, table);
        found.push(NamedTire {
            name: name.clone(),
            source: source_of(table).unwrap_or_default().to_owned(),
            capped: Some(caps(&file.coefficients, file.version)),
            warnings: file.warnings,
            defaulted,
            findings: findings_of(spec),
        });
    }
    Ok(merged(found))
}

/// The tire of a law before 1996 with parameters in a `.tir` file, if it names one.
fn of_old_law(
    name: &str,
    table: &Table,
    folder: Option<&Path>,
) -> Result<Option<NamedTire>, LabError> {
    let Some((folder, file)) = folder.zip(text(table, "file")) else {
        return Ok(None);
    };
    let Tire::Old(law) = tire(&folder.join(file), Reading::Tolerant)? else {
        return Ok(None);
    };
    Ok(Some(NamedTire {
        name: name.to_owned(),
        source: file.to_owned(),
        warnings: Warnings::default(),
        defaulted: Vec::new(),
        findings: law.findings(),
        capped: law.capped(),
    }))
}

/// The keys of a version's files, for the version that a table gives.
pub(super) fn keys_of(table: &Table) -> Vec<&'static str> {
    let version = table.get("version").cloned();
    let version = version.and_then(|version| Version::deserialize(version).ok());
    let own = KEYS
        .iter()
        .filter(|key| version.is_none_or(|version| key.belongs_to(version)));
    own.map(|key| key.name).collect()
}

/// The findings about the coefficients of a tire's Magic Formula, if it has one.
fn findings_of(spec: &ModelSpec) -> Vec<BrokenRule> {
    law_of(spec).map_or_else(Vec::new, |p| validate(p.version, &p.coefficients))
}

/// The findings about the coefficients of a tire's Magic Formula that hold within a range of loads (`N`) and of
/// camber either way (`rad`): the others are about states that the tire does not come to.
pub(crate) fn findings_within(
    spec: &ModelSpec,
    [least, most]: [f32; 2],
    camber: f32,
) -> Vec<BrokenRule> {
    let Some(MagicFormulaParams {
        version,
        mut coefficients,
        ..
    }) = law_of(spec)
    else {
        return Vec::new();
    };
    let everywhere = validate(version, &coefficients);
    let c = &mut coefficients;
    // Outside its own ranges, a formula goes on as at their ends.
    let cut = |x: f32, low: f64, high: f64| f64::from(x).max(low).min(high);
    (c.FZMIN, c.FZMAX) = (cut(least, c.FZMIN, c.FZMAX), cut(most, c.FZMIN, c.FZMAX));
    (c.CAMMIN, c.CAMMAX) = (
        cut(-camber, c.CAMMIN, c.CAMMAX),
        cut(camber, c.CAMMIN, c.CAMMAX),
    );
    let within = validate(version, c);
    let known = |rule: &BrokenRule| everywhere.iter().any(|other| other.keys == rule.keys);
    within.into_iter().filter(known).collect()
}

/// The parameters of a tire's Magic Formula, if it has one.
fn law_of(spec: &ModelSpec) -> Option<MagicFormulaParams> {
    let table = innermost(&spec.0).filter(|table| text(table, "model") == Some(LAW))?;
    let mut table = table.clone();
    table.remove("model");
    MagicFormulaParams::deserialize(table).ok()
}

/// The table of a law, also below other models.
fn innermost(table: &Table) -> Option<&Table> {
    match table.get("law") {
        Some(law) => innermost(law.as_table()?),
        None => Some(table),
    }
}

/// The parameters that a Magic Formula's table references by a file or a preset; only files have a
/// folder.
pub(super) fn file_of(
    table: &Table,
    folder: Option<&Path>,
    reading: Reading,
) -> Result<Option<MagicFormulaFile>, LabError> {
    if let Some(ready) = text(table, "preset").and_then(presets::by_name) {
        return Ok(Some(ready));
    }
    let path = folder.zip(text(table, "file"));
    let file = path.map(|(folder, file)| MagicFormulaFile::open(folder.join(file), reading));
    Ok(file.transpose()?)
}

/// Keeps only keys that the table's own coefficients do not give.
pub(super) fn retain_absent(keys: &mut Vec<&'static str>, table: &Table) {
    if let Some(given) = table.get("coefficients").and_then(Value::as_table) {
        let is_given = |key: &str| given.keys().any(|given| given.eq_ignore_ascii_case(key));
        keys.retain(|key| !is_given(key));
    }
}

fn source_of(table: &Table) -> Option<&str> {
    text(table, "file").or_else(|| text(table, "preset"))
}

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Value::as_str)
}

impl NamedTire {
    /// Remarks on the tire, without its name.
    fn remarks(&self) -> String {
        let mut text = format!(
            "({}): {} warning(s), {} finding(s), {} absent key(s) at their defaults\n",
            self.source,
            self.warnings.count(),
            self.findings.len(),
            self.defaulted.len(),
        );
        let mut line = |line: &str| text += &format!("    {line}\n");
        if let Some(capped) = &self.capped {
            line(capped);
        }
        self.warnings.to_string().lines().for_each(&mut line);
        for finding in &self.findings {
            line(&finding.to_string());
        }
        if !self.defaulted.is_empty() {
            line(&format!("absent: {}", self.defaulted.join(" ")));
        }
        text
    }
}

/// Joins the names of tires with the same remarks, such as a tire and its mirror image.
fn merged(tires: Vec<NamedTire>) -> Vec<NamedTire> {
    let mut merged: Vec<NamedTire> = Vec::new();
    for tire in tires {
        let remarks = tire.remarks();
        match merged.iter_mut().find(|known| known.remarks() == remarks) {
            Some(known) => known.name = format!("{}, {}", known.name, tire.name),
            None => merged.push(tire),
        }
    }
    merged
}

impl fmt::Display for NamedTire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  tire {} {}", self.name, self.remarks())
    }
}
