//! Inputs that once came out wrong, from public bug reports (`tests/cases`, a README each): every folder is run through
//! the command, and each figure is printed beside what is right.

mod figures;
mod table;

use core::fmt;
use core::ops::RangeInclusive;
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;

use table::Run;

/// A figure of a case, and where it is right.
struct CaseFigure {
    /// Folder in `tests/cases`.
    case: &'static str,
    /// The quantity, with its unit.
    what: &'static str,
    /// Values that are right.
    right: RangeInclusive<f64>,
    /// The value that comes out.
    measure: fn(&Run) -> f64,
}

impl fmt::Display for CaseFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.right.start(), self.right.end());
        write!(f, "{}: {}, right {least} to {most}", self.case, self.what)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")
}

#[rstest]
fn a_case_comes_out_right_or_is_known_to_be_wrong(
    #[values(
        "block-through-hull",
        "coast-shift-lock",
        "coupling-load-negative",
        "hold-speed-low",
        "idle-drives-through-brake",
        "launch-bias",
        "no-rolling-resistance",
        "obj-bom",
        "overhead-clearance",
        "reverse-at-speed",
        "shift-hunting",
        "step-energy",
        "sway-step-dependent",
        "tank-slow-pivot",
        "tir-toml-roundtrip",
        "trailer-jackknife-through"
    )]
    case: &str,
) {
    let mut wrong = Vec::new();
    for figure in figures::FIGURES.iter().filter(|figure| figure.case == case) {
        let found = (figure.measure)(&Run::new(&folder().join(case)));
        let line = format!("{figure}: {found:.4}");
        println!("{line}");
        if !figure.right.contains(&found) {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_folder_has_a_figure_and_every_figure_a_folder() {
    let entries = fs::read_dir(folder()).unwrap();
    let mut folders: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort_unstable();
    assert!(!folders.is_empty());
    let mut cases: Vec<&str> = figures::FIGURES.iter().map(|figure| figure.case).collect();
    cases.dedup();
    assert_eq!(folders, cases);
}
