use super::*;
use alloc::vec;
use rstest::rstest;

/// 360 to 400 V behind 80 mΩ, 200 A·h.
pub(in super::super) fn battery() -> BatteryParams {
    BatteryParams {
        capacity: 720_000.0,
        state_of_charge: 0.8,
        voltage: Curve(vec![[0.0, 360.0], [1.0, 400.0]]),
        resistance: 0.08,
        discharge_power: 250_000.0,
        charge_power: 120_000.0,
        discharge_current: None,
        charge_current: None,
        taper: [0.1, 0.9],
    }
}

/// The current gives the power at the terminals: P = V·I − R·I².
#[rstest]
#[case::none(0.0)]
#[case::driving(180_000.0)]
#[case::regenerating(-100_000.0)]
fn the_current_gives_the_power(#[case] power: f32) {
    let current = battery().current(power, 392.0);
    let given = 392.0 * current - 0.08 * current * current;
    assert!(
        (given - power).abs() < 1e-4 * power.abs().max(1.0),
        "{given}"
    );
}

/// No current gives more than V²/4R: it stays at V/2R.
#[test]
fn beyond_the_greatest_power_the_current_stays() {
    let battery = BatteryParams {
        resistance: 0.8,
        ..battery()
    };
    for power in [50_000.0, 100_000.0, 1e9] {
        let current = battery.current(power, 400.0);
        assert!((current - 250.0).abs() < 0.1, "{current}");
    }
}

#[rstest]
#[case::usual(0.5, [120_000.0, 250_000.0])]
#[case::nearly_full(0.95, [60_000.0, 250_000.0])]
#[case::full(1.0, [0.0, 250_000.0])]
#[case::nearly_empty(0.05, [120_000.0, 125_000.0])]
#[case::empty(0.0, [120_000.0, 0.0])]
fn power_falls_at_both_ends(#[case] charge: f32, #[case] expected: [f32; 2]) {
    for (limit, expected) in battery().limits(charge).into_iter().zip(expected) {
        assert!((limit - expected).abs() < 1.0, "{limit} {expected}");
    }
}

/// At 380 V: (380 + 0.08·100)·100 W in, (380 − 0.08·300)·300 W out.
#[test]
fn currents_limit_the_power() {
    let battery = BatteryParams {
        discharge_current: Some(300.0),
        charge_current: Some(100.0),
        ..battery()
    };
    let [charge, discharge] = battery.limits(0.5);
    assert!((charge - 38_800.0).abs() < 1.0, "{charge}");
    assert!((discharge - 106_800.0).abs() < 1.0, "{discharge}");
}

/// Beyond V/2R a greater current gives less power.
#[test]
fn a_resistance_limits_the_power() {
    let battery = BatteryParams {
        resistance: 0.4,
        discharge_current: Some(900.0),
        ..battery()
    };
    let [_, discharge] = battery.limits(0.5);
    assert!((discharge - 380.0 * 380.0 / 1.6).abs() < 1.0, "{discharge}");
}

#[test]
fn every_fault_is_named() {
    let bad = BatteryParams {
        capacity: 0.0,
        state_of_charge: 1.5,
        voltage: Curve(vec![[-0.1, 0.0]]),
        resistance: 0.0,
        discharge_power: 0.0,
        charge_power: -1.0,
        discharge_current: Some(0.0),
        charge_current: Some(f32::NAN),
        taper: [-0.1, 1.1],
    };
    let mut inspector = Inspector::new();
    bad.check(&mut inspector);
    assert_eq!(inspector.verdict().unwrap_err().0.len(), 11);
}
