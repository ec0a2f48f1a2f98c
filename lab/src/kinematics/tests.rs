//! Comparisons with other programs and closed forms, and refused hard points.

mod closed_forms;
mod faults;
mod into_vehicles;
mod references;

use std::path::Path;

use super::hardpoints::HardPoints;
use super::linkage::Suspension;
use super::mechanism::Demand;
use super::stance::WheelStance;

/// The text of one of our files of hard points.
fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("hardpoints");
    std::fs::read_to_string(folder.join(name).with_extension("toml")).unwrap()
}

fn parsed(text: &str) -> HardPoints {
    HardPoints::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A suspension at a jounce and a travel of its rack (`m`).
fn at(points: &HardPoints, jounce: f64, rack: f64) -> WheelStance {
    let suspension = Suspension::new(points).unwrap();
    let (start, end) = (
        Demand::default(),
        Demand {
            rises: [jounce; 2],
            rack,
        },
    );
    let design = suspension.mechanism.design();
    let pose = suspension.mechanism.follow((design, start), end).unwrap();
    WheelStance::new(&suspension, &pose, end)
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64, bound: f64) {
    let apart = (found - expected).abs();
    assert!(
        apart <= bound,
        "{what}: {found}, expected {expected}: {apart:.2e} apart"
    );
}
