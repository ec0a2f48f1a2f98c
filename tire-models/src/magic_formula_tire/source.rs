//! Source of the coefficients of a vehicle file's tire: a `.tir` file or a preset.

use std::path::Path;

use toml::{Table, Value};

use super::MagicFormulaParams;
use crate::presets;
use crate::registry::{Unresolved, table_of};
use crate::tir::{Format, MagicFormulaFile, Reading, TirDocument, TirFault};

/// The key of a `.tir` file, relative to the vehicle file.
const FILE: &str = "file";
/// The key of a preset tire.
const PRESET: &str = "preset";

/// Coefficients that a vehicle takes from a tire, unless the file leaves them to the template's.
const ASKED: [&str; 2] = ["VERTICAL_STIFFNESS", "VERTICAL_DAMPING"];

/// The table with the tire that it references, if any. The table's own values override those of the
/// tire, coefficient by coefficient.
pub(super) fn inlined(mut table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
    let tire = match (table.remove(FILE), table.remove(PRESET)) {
        (None, None) => return Ok(table),
        (Some(path), None) => named(FILE, &path, |path| opened(path, folder))?,
        (None, Some(name)) => named(PRESET, &name, ready)?,
        (Some(path), Some(_)) => {
            return Err(unresolved(FILE, &path, "a tire has a file or a preset"));
        }
    };
    let mut inlined =
        table_of(&MagicFormulaParams::from_file(&tire)).expect("parameters are a table");
    if let Some(Value::Table(coefficients)) = inlined.get_mut("coefficients") {
        coefficients.retain(|key, _| !ASKED.contains(&key) || !tire.defaulted.contains(&key));
    }
    overlay(&mut inlined, table);
    Ok(inlined)
}

/// The tire named by the value of `key`.
fn named(
    key: &'static str,
    value: &Value,
    find: impl Fn(&str) -> Result<MagicFormulaFile, String>,
) -> Result<MagicFormulaFile, Unresolved> {
    let name = value.as_str().ok_or("must be a text".to_owned());
    name.and_then(find)
        .map_err(|reason| unresolved(key, value, reason))
}

fn unresolved(key: &'static str, value: &Value, reason: impl Into<String>) -> Unresolved {
    Unresolved {
        key: key.to_owned(),
        value: value.to_string(),
        reason: reason.into(),
    }
}

fn opened(path: &str, folder: Option<&Path>) -> Result<MagicFormulaFile, String> {
    let folder = folder.ok_or("a text that is no file has no folder to look for it")?;
    let path = folder.join(path);
    let document = TirDocument::open(&path).map_err(|error| error.to_string())?;
    let other = Format::of(&document).ok().map(Format::model);
    let file = MagicFormulaFile::from_document(document, Reading::Tolerant);
    file.and_then(MagicFormulaFile::whole).map_err(|error| {
        let hint = match (&error.fault, other) {
            (TirFault::OtherFormat { .. }, Some(model)) => format!("; write model = {model:?}"),
            _ => String::new(),
        };
        format!("{}{hint}", error.in_file(path.display()))
    })
}

fn ready(name: &str) -> Result<MagicFormulaFile, String> {
    presets::by_name(name).ok_or_else(|| {
        let known = presets::FILES.map(|(name, _)| name);
        format!("no such preset; known are: {}", known.join(", "))
    })
}

/// Merges `above` over `below`, table by table.
fn overlay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    /// A folder with a valid file and one whose third line has a fault.
    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("tires-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("tires")).unwrap();
        let text = "[MODEL]\nFITTYP = 61\nPDY1 = 0.9\nFNOMIN = 4000\nUNLOADED_RADIUS = 0.3\n\
                    PCX1 = 1.6\nPDX1 = 1.1\nPKX1 = 20\nPCY1 = 1.3\nPKY1 = -18\nPKY2 = 1.8\n";
        std::fs::write(folder.join("tires/good.tir"), text).unwrap();
        std::fs::write(folder.join("bad.tir"), text.replace("0.9", "soft")).unwrap();
        folder
    }

    #[test]
    fn a_file_is_inlined_and_other_keys_override_it() {
        let folder = folder("good");
        let text = "file = 'tires/good.tir'\nmirrored = true\ncoefficients = { LMUY = 0.8 }\n\
                    settings = { turn_slip = true }";
        let inlined = inlined(table(text), Some(&folder)).unwrap();
        assert_eq!(inlined["version"].as_str(), Some("6.1"));
        assert_eq!(inlined["mirrored"].as_bool(), Some(true));
        assert_eq!(inlined["settings"]["turn_slip"].as_bool(), Some(true));
        assert_eq!(inlined["settings"]["variant"].as_str(), Some("mf-tyre"));
        assert_eq!(inlined["coefficients"]["PDY1"].as_float(), Some(0.9));
        assert_eq!(inlined["coefficients"]["LMUY"].as_float(), Some(0.8));
        // The file leaves it open, and so does the table.
        assert!(
            !inlined["coefficients"]
                .as_table()
                .unwrap()
                .contains_key("VERTICAL_STIFFNESS")
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_fault_of_a_file_names_file_line_and_key() {
        let folder = folder("bad");
        let error = inlined(table("file = 'bad.tir'"), Some(&folder)).unwrap_err();
        let path = folder.join("bad.tir");
        let reason = format!("{}:3: PDY1: not a number: \"soft\"", path.display());
        assert_eq!((&*error.key, error.reason), ("file", reason));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[rstest]
    #[case::no_folder(
        "file = 'x.tir'",
        "file = \"x.tir\": a text that is no file has no folder"
    )]
    #[case::no_text("preset = 3", "preset = 3: must be a text")]
    #[case::unknown("preset = 'slick'", "preset = \"slick\": no such preset; known are: ")]
    #[case::both(
        "preset = 'a'\nfile = 'b'",
        "file = \"b\": a tire has a file or a preset"
    )]
    fn unresolved_references_are_named(#[case] text: &str, #[case] message: &str) {
        let error = inlined(table(text), None).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }

    #[test]
    fn a_table_without_references_is_unchanged() {
        let text = "version = '6.1'\ncoefficients = { PDY1 = 1.0 }";
        assert_eq!(inlined(table(text), None), Ok(table(text)));
    }
}
