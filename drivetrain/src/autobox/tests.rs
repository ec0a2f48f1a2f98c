use super::*;
use alloc::vec;
use vehicle_core::Checked;

#[test]
fn a_bad_threshold_is_named() {
    let mut bad = AutoboxParams::physx(3);
    bad.down[1] = -0.5;
    assert_eq!(Checked::new(bad).unwrap_err().0[0].path, "down[1]");
}

#[test]
fn every_fault_is_found() {
    let bad = AutoboxParams {
        neutral_up: -0.1,
        up: vec![0.6, f32::NAN],
        down: vec![-0.1],
        latency: -1.0,
        light_throttle: 1.5,
    };
    let error = Checked::new(bad).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "neutral_up",
            "up[1]",
            "down[0]",
            "latency",
            "light_throttle"
        ]
    );
}
