//! The golden traces of this folder, compared by tolerance. `cargo xtask bless` accepts new ones.

use vehicle_conformance::golden::{GoldenTrace, TOLERANCE, cases};

#[test]
fn drives_are_as_they_were() {
    let mut failed = Vec::new();
    for case in cases() {
        let golden = GoldenTrace::load(&case).unwrap();
        let trace = case.record().unwrap();
        let (worst, place) = trace.deviation(&golden).unwrap();
        let same = if trace.hash == golden.hash {
            "as blessed"
        } else {
            "not as blessed"
        };
        let line = format!(
            "{} {}: {worst:.1e} ({place}), bound {TOLERANCE:.0e}; state {:016x}, {same}",
            case.car, case.ground, trace.hash
        );
        println!("{line}");
        if worst.is_nan() || worst > TOLERANCE {
            failed.push(line);
        }
    }
    assert!(
        failed.is_empty(),
        "check the change; if it is intended, run `cargo xtask bless`:\n{}",
        failed.join("\n")
    );
}

#[test]
fn the_same_drive_gives_the_same_bits() {
    let case = cases()[1];
    assert_eq!(case.record().unwrap(), case.record().unwrap());
}
