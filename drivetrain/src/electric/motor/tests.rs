use super::*;
use alloc::vec;
use rstest::rstest;

/// 400 N·m up to 500 rad/s, 200 kW up to 1200 rad/s, and up to 1600 rad/s.
pub(in super::super) const MOTOR: fn(&[usize]) -> MotorParams = |wheels| MotorParams {
    wheels: wheels.to_vec(),
    ratio: 9.0,
    inertia: 0.05,
    peak_torque: 400.0,
    peak_power: 200_000.0,
    weakening_speed: Some(1200.0),
    max_speed: 1600.0,
    torque_curve: None,
    share: None,
    losses: MotorLosses {
        copper: 0.06,
        iron: 1.5,
        constant: 200.0,
    },
    heat: None,
};

#[rstest]
#[case::standing(0.0, 400.0)]
#[case::constant_torque(300.0, 400.0)]
#[case::base_speed(500.0, 400.0)]
#[case::constant_power(1000.0, 200.0)]
#[case::backward(-1000.0, 200.0)]
#[case::weakening(1500.0, 200_000.0 * 1200.0 / (1500.0 * 1500.0))]
#[case::half_cut(1560.0, 0.5 * 200_000.0 * 1200.0 / (1560.0 * 1560.0))]
#[case::maximum(1600.0, 0.0)]
#[case::faster(3000.0, 0.0)]
fn torque_is_constant_then_power_is(#[case] speed: f32, #[case] expected: f32) {
    let limit = MOTOR(&[0]).limit(speed);
    assert!((limit - expected).abs() < 1e-3, "{limit}");
}

#[test]
fn a_measured_curve_limits_the_torque_too() {
    let motor = MotorParams {
        torque_curve: Some(Curve(vec![[0.0, 350.0], [400.0, 350.0], [1600.0, 110.0]])),
        ..MOTOR(&[0])
    };
    let limits = [100.0, 400.0, 1000.0].map(|speed| motor.limit(speed));
    assert_eq!(limits, [350.0, 350.0, 200.0]);
}

/// −dT/dΩ is P/Ω² at constant power.
#[rstest]
#[case::constant_torque(300.0, 0.0)]
#[case::constant_power(1000.0, 0.2)]
#[case::backward(-1000.0, 0.2)]
#[case::weakening(1400.0, 2.0 * 200_000.0 * 1200.0 / (1400.0 * 1400.0 * 1400.0))]
fn the_slope_is_that_of_the_limit(#[case] speed: f32, #[case] expected: f32) {
    let slope = MOTOR(&[0]).limit_slope(speed);
    assert!(
        (slope - expected).abs() < 1e-3 * expected.max(0.01),
        "{slope}"
    );
}

#[rstest]
#[case::off(0.0, 0.0, 0.0)]
#[case::stalled(100.0, 0.0, 800.0)]
#[case::coasting(0.0, -400.0, 800.0)]
#[case::driving(-100.0, 400.0, 1400.0)]
fn losses_are_a_sum(#[case] torque: f32, #[case] speed: f32, #[case] expected: f32) {
    assert_eq!(MOTOR(&[0]).losses.at(torque, speed), expected);
}

/// The rotor turns at the ratio times the mean of its wheels, and each has half of the torque.
#[test]
fn the_gear_is_an_open_differential() {
    let gear = MOTOR(&[2, 3]).gear(1, 2, 4);
    assert_eq!(gear.speeds, [0.0, 1.0, 0.0, 0.0, -4.5, -4.5]);
    assert_eq!(gear.torques, [0.0, -1.0, 0.0, 0.0, 4.5, 4.5]);
}

#[test]
fn every_fault_is_named() {
    let bad = MotorParams {
        wheels: vec![2, 2],
        ratio: 0.0,
        inertia: -1.0,
        peak_torque: 0.0,
        peak_power: f32::NAN,
        weakening_speed: Some(0.0),
        max_speed: 0.0,
        torque_curve: Some(Curve(vec![[0.0, -1.0]])),
        share: Some(-1.0),
        losses: MotorLosses {
            copper: -1.0,
            iron: -1.0,
            constant: -1.0,
        },
        heat: None,
    };
    let mut inspector = Inspector::new();
    bad.check(&mut inspector);
    let faults = inspector.verdict().unwrap_err().0;
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let expected = [
        "wheels[1]",
        "ratio",
        "inertia",
        "peak_torque",
        "peak_power",
        "weakening_speed",
        "max_speed",
        "torque_curve.[0].y",
        "share",
        "losses.copper",
        "losses.iron",
        "losses.constant",
    ];
    assert_eq!(paths, expected);
}
