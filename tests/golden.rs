//! The golden drives, compared with their traces by tolerance. The package `golden-drives` asserts their bits.

use golden_drives::{GoldenTrace, TOLERANCE, cases};

#[test]
fn drives_are_as_they_were() {
    let mut failed = Vec::new();
    for case in cases() {
        let golden = GoldenTrace::load(&case).unwrap();
        let trace = case.record().unwrap().trace;
        let (worst, place) = trace.deviation(&golden).unwrap();
        let line = format!(
            "{} {}: {worst:.1e} ({place}), bound {TOLERANCE:.0e}",
            case.car, case.ground
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
