//! Source of a tire: a `.tir` file, or a table `model = "…"` of a TOML file.

use std::path::Path;

use jounce::tires::tir::{Format, MagicFormulaFile, Reading, TirDocument, TirError};
use jounce::tires::{MagicFormulaParams, TireRegistry, table_of};
use toml::{Table, Value};

use super::old::OldLaw;

use crate::error::{LabError, read_text};

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tire property file.
    Tir,
    /// A table of a vehicle file.
    Toml,
    /// Points or measurements.
    Csv,
}

impl Kind {
    /// Format of a file, by its extension.
    ///
    /// # Errors
    /// If it is an unknown one.
    pub(super) fn of(path: &Path) -> Result<Self, LabError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        match ending.to_ascii_lowercase().as_str() {
            "tir" => Ok(Self::Tir),
            "toml" => Ok(Self::Toml),
            "csv" => Ok(Self::Csv),
            _ => Err(fault(path, "must end in .tir, .toml or .csv")),
        }
    }
}

/// A fault in a file.
pub(super) fn fault(path: &Path, message: impl ToString) -> LabError {
    LabError::Syntax {
        file: path.display().to_string(),
        message: message.to_string(),
    }
}

/// The tire of a file as a self-contained table, with its `model`.
///
/// # Errors
/// If the file cannot be read, or contains no tire or several.
pub(super) fn table(path: &Path) -> Result<Table, LabError> {
    match Kind::of(path)? {
        Kind::Tir => of_tir(path),
        Kind::Toml => of_toml(path),
        Kind::Csv => Err(fault(path, "holds no tire")),
    }
}

/// The parameters of a Magic Formula in a table.
///
/// # Errors
/// If it describes another law, or has an unknown key.
pub(super) fn magic_formula(path: &Path, table: &Table) -> Result<MagicFormulaParams, LabError> {
    let mut table = table.clone();
    let model = table.remove("model");
    match model.as_ref().and_then(Value::as_str) {
        Some("magic-formula") => Value::Table(table)
            .try_into()
            .map_err(|error: toml::de::Error| fault(path, error)),
        Some(other) => Err(fault(
            path,
            format!("model {other:?} has no .tir file here"),
        )),
        None => Err(fault(path, "a tire needs `model = \"...\"`")),
    }
}

/// The text of a TOML file with a tire named after the file.
pub(super) fn toml_text(path: &Path, tire: Table) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let tires = Table::from_iter([(name.into_owned(), Value::Table(tire))]);
    Table::from_iter([("tires".to_owned(), Value::Table(tires))]).to_string()
}

/// The tire of a `.tir` file.
#[derive(Debug)]
pub(super) enum Tire {
    /// A Magic Formula.
    Formula(Box<MagicFormulaFile>),
    /// A law before 1996.
    Old(OldLaw),
}

/// The tire of a `.tir` file, whatever its law.
///
/// # Errors
/// If the file cannot be read, is a part of a tire, or of a law that is not known; under strict
/// reading also with its first oddity. The error names the file.
pub(super) fn tire(path: &Path, reading: Reading) -> Result<Tire, LabError> {
    let document = TirDocument::open(path)?;
    let in_file = |error: TirError| LabError::Tire(error.in_file(path.display()));
    match Format::of(&document).map_err(in_file)? {
        Format::MagicFormula(_) => {
            let file = MagicFormulaFile::from_document(document, reading);
            let file = file.and_then(MagicFormulaFile::whole).map_err(in_file)?;
            Ok(Tire::Formula(Box::new(file)))
        }
        format => {
            let law = OldLaw::of(format, &document).map_err(in_file)?;
            law.map(Tire::Old).map_err(|faults| fault(path, faults))
        }
    }
}

fn of_tir(path: &Path) -> Result<Table, LabError> {
    let (format, table) = match tire(path, Reading::Tolerant)? {
        Tire::Formula(file) => (
            Format::MagicFormula(file.version),
            table_of(&MagicFormulaParams::from_file(&file)),
        ),
        Tire::Old(law) => return Ok(law.table()),
    };
    let mut table = table.map_err(|error| fault(path, error))?;
    table.insert("model".to_owned(), format.model().into());
    Ok(table)
}

fn of_toml(path: &Path) -> Result<Table, LabError> {
    let text = read_text(path)?;
    let file: Table = text.parse().map_err(|error| fault(path, error))?;
    let tire = if file.contains_key("model") {
        file
    } else {
        only_tire(path, &file)?
    };
    let registry = TireRegistry::with_builtins();
    let tire = registry
        .inlined(tire, path.parent())
        .map_err(|error| fault(path, error))?;
    registry
        .build(tire.clone())
        .map_err(|error| fault(path, error))?;
    Ok(tire)
}

/// The tire of `[tires.x]`, if there is exactly one.
fn only_tire(path: &Path, file: &Table) -> Result<Table, LabError> {
    let tires = file.get("tires").and_then(Value::as_table);
    let tires = tires.ok_or_else(|| fault(path, "has neither a key model nor a table tires"))?;
    let mut each = tires.iter();
    match (each.next(), each.next()) {
        (Some((_, Value::Table(tire))), None) => Ok(tire.clone()),
        _ => {
            let names: Vec<_> = tires.keys().cloned().collect();
            let names = names.join(", ");
            Err(fault(
                path,
                format!("must have one table in tires, and has: {names}"),
            ))
        }
    }
}
