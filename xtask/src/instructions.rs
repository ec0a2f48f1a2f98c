//! Instructions of an update, counted by valgrind and held against the stored counts.
//!
//! Counts do not depend on what else a machine does. They change with the compiler, so the stored ones name it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cargo::Cargo;
use crate::test::EVERYTHING;
use crate::{files, kinds, profile, sections};

/// The stored counts, from the root.
const STORED: &str = "benches/instructions.json";
/// The page with the table of functions, the command that writes it, and the cases in it.
const PAGE: &str = "benches/INSTRUCTIONS.md";
const COMMAND: &str = "cargo xtask bench --instructions --accept";
const EXPLAINED: [&str; 5] = ["sedan-explicit", "sedan", "sports-car", "truck", "suv"];
/// More than this share above the stored count fails.
const ALLOWED: f64 = 0.03;

/// Instructions of an update, by case.
#[derive(Debug)]
struct Counts {
    /// Output of `rustc --version`.
    compiler: String,
    /// Per update.
    instructions: BTreeMap<String, u64>,
}

/// Counts; compares with the stored counts, or stores the new ones.
pub(crate) fn run(cargo: &Cargo, accept: bool) -> Result<(), String> {
    let silent = || Stdio::null();
    let valgrind = Command::new("valgrind")
        .arg("--version")
        .stdout(silent())
        .stderr(silent())
        .status();
    if !valgrind.is_ok_and(|status| status.success()) {
        println!("instructions: left out, as valgrind is missing");
        return Ok(());
    }
    let program = build(cargo)?;
    let cases = cases(&program)?;
    let folder = cargo.target().join("instructions");
    let now = Counts {
        compiler: compiler()?,
        instructions: count(&program, &cases, &folder)?,
    };
    let path = cargo.root().join(STORED);
    if accept {
        let functions = profile::table(&folder, &EXPLAINED, &cases)?;
        let kinds = kinds::table(&program, &folder, &EXPLAINED, &cases)?;
        files::write(&path, &now.text())?;
        let tables = format!("{functions}\n{kinds}");
        return sections::store(&cargo.root().join(PAGE), COMMAND, &tables);
    }
    let stored = Counts::read(&files::read(&path)?);
    compare(&stored.ok_or_else(|| format!("{STORED}: no counts"))?, &now)
}

impl Counts {
    fn read(text: &str) -> Option<Self> {
        let file: Value = serde_json::from_str(text).ok()?;
        let cases = file["instructions"].as_object()?.iter();
        let counts = cases.map(|(name, count)| Some((name.clone(), count.as_u64()?)));
        Some(Self {
            compiler: file["compiler"].as_str()?.to_owned(),
            instructions: counts.collect::<Option<_>>()?,
        })
    }

    fn text(&self) -> String {
        let file = json!({ "compiler": self.compiler, "instructions": self.instructions });
        format!("{file:#}\n")
    }
}

fn compiler() -> Result<String, String> {
    let failed = |error: &dyn core::fmt::Display| format!("rustc --version: {error}");
    let output = Command::new("rustc")
        .arg("--version")
        .output()
        .map_err(|error| failed(&error))?;
    let text = String::from_utf8(output.stdout).map_err(|error| failed(&error))?;
    Ok(text.trim().to_owned())
}

/// Updates that each case of the bench counts.
fn cases(program: &Path) -> Result<BTreeMap<String, u64>, String> {
    let listed = Command::new(program)
        .output()
        .map_err(files::named(program))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let case = |line: &str| {
        let (name, updates) = line.split_once(' ')?;
        Some((name.to_owned(), updates.parse().ok()?))
    };
    Ok(listed.lines().filter_map(case).collect())
}

/// Counts every case; what callgrind wrote stays in `folder`.
fn count(
    program: &Path,
    cases: &BTreeMap<String, u64>,
    folder: &Path,
) -> Result<BTreeMap<String, u64>, String> {
    fs::create_dir_all(folder).map_err(files::named(folder))?;
    let each = |(name, updates): (&String, &u64)| {
        let all = callgrind(program, name, &folder.join(name))?;
        Ok((name.clone(), all / updates))
    };
    cases.iter().map(each).collect()
}

/// Builds the bench as everything else is built, and returns its path.
fn build(cargo: &Cargo) -> Result<PathBuf, String> {
    let messages = [
        "build",
        "--bench",
        "instructions",
        "--message-format=json-render-diagnostics",
    ];
    let text = cargo.read(&[&messages[..], &EVERYTHING].concat())?;
    let program = text.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let ours = message["target"]["name"] == "instructions";
        ours.then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    program.ok_or_else(|| "cargo built no bench `instructions`".to_owned())
}

/// Instructions of a case (all of its updates).
fn callgrind(program: &Path, case: &str, out: &Path) -> Result<u64, String> {
    let failed = |what: &dyn core::fmt::Display| format!("valgrind, {case}: {what}");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*counted*"])
        .args(["--dump-instr=yes", "--dump-line=no"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .arg(case)
        .output()
        .map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr)));
    }
    let text = files::read(out)?;
    summed(&text).ok_or_else(|| failed(&"no sum, or 0"))
}

/// The sum of instructions in a file of callgrind's; `None` if nothing was counted.
fn summed(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("summary:"))?;
    let sum = line.split_whitespace().next()?.parse().ok()?;
    (sum > 0).then_some(sum)
}

/// Prints all counts, and fails if one has grown or a case is missing on either side.
fn compare(stored: &Counts, now: &Counts) -> Result<(), String> {
    if stored.compiler != now.compiler {
        println!("counted by {}, stored by {}", now.compiler, stored.compiler);
    }
    println!(
        "{:<28} {:>8} {:>8} {:>7}",
        "instructions (update, probe)", "stored", "now", "change"
    );
    let mut faults = Vec::new();
    for (name, count) in &now.instructions {
        let Some(known) = stored.instructions.get(name) else {
            faults.push(format!("{name}: nothing is stored"));
            continue;
        };
        let change = *count as f64 / *known as f64 - 1.0;
        println!("{name:<28} {known:>8} {count:>8} {:>6.1} %", 100.0 * change);
        if change > ALLOWED {
            faults.push(format!("{name}: {known} → {count}"));
        }
    }
    let gone = stored
        .instructions
        .keys()
        .filter(|name| !now.instructions.contains_key(*name));
    faults.extend(gone.map(|name| format!("{name}: not counted")));
    if faults.is_empty() {
        Ok(())
    } else {
        let faults = faults.join(", ");
        Err(format!(
            "{faults}; `cargo xtask bench --instructions --accept` stores what is meant to be"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cases: &[(&str, u64)]) -> Counts {
        Counts {
            compiler: "rustc".to_owned(),
            instructions: cases
                .iter()
                .map(|&(name, count)| (name.to_owned(), count))
                .collect(),
        }
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let counts = counts(&[("a", 1), ("b", 2)]);
        let read = Counts::read(&counts.text()).expect("it is complete");
        assert_eq!(read.instructions, counts.instructions);
        assert!(Counts::read("{}").is_none());
    }

    #[test]
    fn sums_are_read() {
        assert_eq!(
            summed("events: Ir\nfn=(1)\n1 2\nsummary: 1234\n"),
            Some(1234)
        );
        assert_eq!(summed("summary: 0\n"), None);
        assert_eq!(summed("events: Ir\n"), None);
    }

    #[test]
    fn growth_and_lost_cases_fail() {
        let stored = counts(&[("a", 1000), ("b", 500)]);
        assert_eq!(
            compare(&stored, &counts(&[("a", 1029), ("b", 200)])),
            Ok(())
        );
        let grown = compare(&stored, &counts(&[("a", 1031), ("b", 500)])).unwrap_err();
        assert!(grown.starts_with("a: 1000 → 1031"), "{grown}");
        let lost = compare(&stored, &counts(&[("a", 1000), ("c", 1)])).unwrap_err();
        assert!(
            lost.contains("c: nothing is stored, b: not counted"),
            "{lost}"
        );
    }
}
