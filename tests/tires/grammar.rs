//! Files of the `.tir` grammar, each with its expected content in a JSON file next to it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::reference::{self, Comparison};
use jounce::tires::magic_formula::Version;
use jounce::tires::tir::{MagicFormulaFile, Reading, Side, TirDocument};
use serde_json::{Map, Value};

/// Suffix of files with expectations.
pub(crate) const EXPECTED: &str = "expected.json";

/// Maximum relative error of a number: the factor of a unit rounds once.
const BOUND: f64 = 4e-16;

/// Compares the file next to `path` with its expectations.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let at = |what: String| format!("{name}: {what}");
    let text = reference::text(path).map_err(|error| error.to_string())?;
    let expected: Map<String, Value> =
        serde_json::from_str(&text).map_err(|error| at(error.to_string()))?;
    let bytes = fs::read(path.with_file_name(format!("{name}.tir")));
    let bytes = bytes.map_err(|error| at(error.to_string()))?;
    let file = MagicFormulaFile::from_bytes(&bytes, Reading::Tolerant);
    let file = file.map_err(|error| at(error.to_string()))?;
    if file.document.to_bytes() != bytes {
        return Err(at("does not come back byte by byte".to_owned()));
    }
    let strict = MagicFormulaFile::from_bytes(&bytes, Reading::Strict);
    if strict.is_ok() && file.warnings.count() > 0 {
        return Err(at("strict reading takes what was warned of".to_owned()));
    }
    let mut found = Found {
        file: &file,
        rows: 0,
        worst: 0.0,
    };
    for (key, value) in &expected {
        found
            .hold(key, value)
            .map_err(|what| at(format!("{key}: {what}")))?;
    }
    Ok(vec![Comparison {
        name: name.clone(),
        rows: found.rows,
        max_error: found.worst,
        bound: BOUND,
        note: format!("{} warnings", file.warnings.count()),
    }])
}

/// A file of the grammar is tested with its expectations; one without them is an error.
pub(crate) fn is_expected(path: &Path) -> Result<(), String> {
    let expected = path.with_file_name(format!("{}.{EXPECTED}", reference::stem(path)));
    if expected.exists() {
        Ok(())
    } else {
        Err(format!("{}: nothing is expected of it", path.display()))
    }
}

/// Reads files of one megabyte that repeat one construct, and the real ones: none may take more
/// memory than 64 KiB plus ten times its size.
pub(crate) fn memory(files: &[PathBuf]) -> Result<Vec<Comparison>, String> {
    const FIXED: usize = 64 << 10;
    const LENGTH: usize = 1 << 20;
    let head = "[UNITS]\nLENGTH='mm'\n[MODEL]\nFITTYP=61\n[LATERAL_COEFFICIENTS]\n";
    let repeated = [
        "\n",
        "A=\n",
        "PCY1=1\n",
        "x\n",
        "[a]\n",
        "=",
        "'",
        "1 2\n",
        "9",
        "$",
        "\u{e9}",
        "\u{20ac}\n",
    ];
    let made = repeated.iter().map(|piece| {
        let text = format!("{head}{}", piece.repeat(LENGTH / piece.len()));
        // The same in Windows-1252, where a character takes up to three bytes more in our text.
        let latin = [text.as_bytes(), b"\x80".repeat(LENGTH).as_slice()].concat();
        [text.into_bytes(), latin]
    });
    let real = files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "tir"));
    let real: Result<Vec<_>, _> = real.map(fs::read).collect();
    let real = real.map_err(|error| error.to_string())?;
    let (mut rows, mut worst) = (0, 0.0_f64);
    for bytes in made.flatten().chain(real) {
        let used = allocation_counter::measure(|| {
            drop(MagicFormulaFile::from_bytes(&bytes, Reading::Tolerant));
        });
        let allowed = FIXED + 10 * bytes.len();
        worst = worst.max(used.bytes_max as f64 / allowed as f64);
        rows += 1;
    }
    Ok(vec![Comparison {
        name: "tir_memory".to_owned(),
        rows,
        max_error: worst,
        bound: 1.0,
        note: "greatest share of 64 KiB + 10 times the file".to_owned(),
    }])
}

/// Result of a comparison.
struct Found<'a> {
    file: &'a MagicFormulaFile,
    rows: usize,
    worst: f64,
}

impl Found<'_> {
    /// One expectation.
    fn hold(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let file = self.file;
        self.rows += 1;
        match key {
            "note" => Ok(()),
            "format" => {
                let name = match file.version {
                    Version::V52 => "MF5.2",
                    Version::V61 => "MF6.1",
                    Version::V62 => "MF6.2",
                    Version::Motorcycle => "MF-MC",
                };
                let wanted = text(value)?;
                holds(wanted.starts_with(name), &format!("{wanted} is not {name}"))
            }
            "FITTYP" | "effective_FITTYP" => {
                let version = value.as_i64().and_then(|x| i32::try_from(x).ok());
                let version = version.and_then(Version::from_fittyp);
                holds(
                    version == Some(file.version),
                    &format!("{:?}", file.version),
                )
            }
            "TYRESIDE" => {
                let side = match file.side {
                    Some(Side::Left) => "LEFT",
                    Some(Side::Right) => "RIGHT",
                    Some(Side::Symmetric) => "SYMMETRIC",
                    None => "",
                };
                holds(text(value)? == side, side)
            }
            "USE_MODE" => {
                let code = file.use_mode.map(|mode| i64::from(mode.code()));
                holds(value.as_i64() == code, &format!("{code:?}"))
            }
            "mirrored" => {
                let mirrored = file.use_mode.is_some_and(|mode| mode.mirrored);
                holds(value.as_bool() == Some(mirrored), &format!("{mirrored}"))
            }
            "absent" => strings(value)?
                .try_for_each(|key| holds(file.defaulted.contains(&key?), "has a value")),
            "warnings_min" => {
                let count = file.warnings.count() as u64;
                holds(
                    value.as_u64().is_some_and(|least| count >= least),
                    &format!("{count}"),
                )
            }
            "ignored_section" => strings(value)?.try_for_each(|section| self.is_ignored(section?)),
            "tables" => map(value)?
                .iter()
                .try_for_each(|(section, rows)| self.table(section, rows)),
            "SI" => map(value)?
                .iter()
                .try_for_each(|(key, value)| self.number(key, value)),
            _ if value.is_number() => self.number(key, value),
            _ => self.text_in_section(key, text(value)?),
        }
    }

    /// A coefficient, or a number by section and key.
    fn number(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let wanted = value.as_f64().ok_or("not a number")?;
        let coefficient = self.file.coefficients.get(key).or_else(|| {
            let (section, key) = key.split_once('_')?;
            self.file.document.get(section, key)?.parse().ok()
        });
        let found = coefficient.ok_or_else(|| format!("{key} is not known"))?;
        let error = (found - wanted).abs() / wanted.abs().max(f64::MIN_POSITIVE);
        let error = if error.is_nan() { f64::INFINITY } else { error };
        self.worst = self.worst.max(error);
        Ok(())
    }

    /// A text by section and key, as in `UNITS_MASS`.
    fn text_in_section(&self, key: &str, wanted: &str) -> Result<(), String> {
        let (section, key) = key
            .split_once('_')
            .ok_or("an expectation that is not known")?;
        let found = self.file.document.get(section, key);
        holds(found == Some(wanted), &format!("{found:?}"))
    }

    fn table(&self, section: &str, rows: &Value) -> Result<(), String> {
        let wanted: Vec<[f64; 2]> =
            serde_json::from_value(rows.clone()).map_err(|error| error.to_string())?;
        let found = self.file.document.table(section);
        holds(found == wanted, &format!("{section}: {found:?}"))
    }

    /// Checks that a section exists, and that the coefficients are the same without it.
    fn is_ignored(&self, section: &str) -> Result<(), String> {
        let whole = self.file.document.text();
        let start = whole
            .find(&format!("[{section}]"))
            .ok_or("there is no such section")?;
        let rest = &whole[start + 1..];
        let end = rest
            .find("\n[")
            .map_or(whole.len(), |end| start + 1 + end + 1);
        let without = format!("{}{}", &whole[..start], &whole[end..]);
        let without = TirDocument::parse(without.as_bytes())
            .and_then(|document| MagicFormulaFile::from_document(document, Reading::Tolerant))
            .map_err(|error| error.to_string())?;
        let same = without.coefficients == self.file.coefficients
            && without.warnings.count() == self.file.warnings.count();
        holds(same, "not ignored")
    }
}

fn holds(holds: bool, found: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found.to_owned()) }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "not a text".to_owned())
}

fn map(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| "not an object".to_owned())
}

fn strings(value: &Value) -> Result<impl Iterator<Item = Result<&str, String>>, String> {
    let values = value.as_array().ok_or("not a list")?;
    Ok(values.iter().map(text))
}
