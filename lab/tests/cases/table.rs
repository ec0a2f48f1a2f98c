//! Runs of the command on the files of a case, and the telemetry that they write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the command in the folder of a case.
pub(crate) struct Run {
    folder: PathBuf,
}

/// Telemetry and summary that a drive wrote.
pub(crate) struct Telemetry {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    summary: Value,
}

impl Run {
    pub(crate) fn new(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self { folder }
    }

    /// Runs the command with these arguments, separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_jounce"))
            .current_dir(&self.folder)
            .args(arguments.split_whitespace())
            .output()
            .unwrap()
    }

    /// A folder of its own for the files that a run with these arguments writes.
    pub(crate) fn out(&self, arguments: &str) -> PathBuf {
        let case = self.folder.file_name().unwrap().to_str().unwrap();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = format!("{case}-{arguments}").chars().map(plain).collect();
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&out).unwrap();
        out
    }

    /// `jounce drive` with these arguments; `None` if it refuses its files.
    pub(crate) fn tries(&self, arguments: &str) -> Option<Telemetry> {
        let out = self.out(arguments);
        let telemetry = out.join("telemetry.csv");
        let _ = fs::remove_file(&telemetry);
        let output = self.command(&format!("drive {arguments} --out {}", out.display()));
        if !telemetry.exists() {
            print!("{}", String::from_utf8_lossy(&output.stderr));
            return None;
        }
        let mut table = csv::Reader::from_path(telemetry).unwrap();
        let texts = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
        let header = texts(table.headers().unwrap().clone());
        let rows = table.records().map(|record| texts(record.unwrap()));
        let summary = fs::read_to_string(out.join("summary.json")).unwrap();
        Some(Telemetry {
            header,
            rows: rows.collect(),
            summary: serde_json::from_str(&summary).unwrap(),
        })
    }

    /// `jounce drive` with these arguments, which it accepts.
    pub(crate) fn drive(&self, arguments: &str) -> Telemetry {
        self.tries(arguments).expect("the drive is accepted")
    }
}

impl Telemetry {
    fn index(&self, column: &str) -> usize {
        let found = self.header.iter().position(|name| name == column);
        found.unwrap_or_else(|| panic!("no column {column}"))
    }

    /// A column of numbers.
    pub(crate) fn column(&self, column: &str) -> Vec<f64> {
        let index = self.index(column);
        let number = |row: &Vec<String>| row[index].parse().unwrap();
        self.rows.iter().map(number).collect()
    }

    /// A column of numbers within a stage of the maneuver.
    pub(crate) fn within(&self, stage: &str, column: &str) -> Vec<f64> {
        let at = self.index("stage");
        let numbers = self.column(column).into_iter().zip(&self.rows);
        let inside = numbers.filter(|(_, row)| row[at] == stage);
        inside.map(|(number, _)| number).collect()
    }

    /// Largest number of a column.
    pub(crate) fn most(&self, column: &str) -> f64 {
        let numbers = self.column(column).into_iter();
        numbers.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Largest amount in a column.
    pub(crate) fn largest(&self, column: &str) -> f64 {
        let numbers = self.column(column).into_iter();
        numbers.map(f64::abs).fold(0.0, f64::max)
    }

    /// Last number of a column.
    pub(crate) fn last(&self, column: &str) -> f64 {
        *self.column(column).last().unwrap()
    }

    /// A value of the summary.
    pub(crate) fn summary(&self, path: &str) -> f64 {
        self.summary.pointer(path).and_then(Value::as_f64).unwrap()
    }
}
