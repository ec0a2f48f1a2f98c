use super::*;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::{Checked, Drivetrain, Shafts};

use crate::electric::ElectricDriveParams;
use crate::electric::tests::{hybrid, hybrid_with};

fn split() -> PowerSplitParams {
    hybrid().params().power_split.clone().unwrap()
}

fn shafts() -> Shafts {
    hybrid().shafts(4).unwrap()
}

/// A standing carrier turns the sun backward by the teeth; all turn as one.
#[rstest]
#[case::electric(0.0, 100.0, -260.0)]
#[case::cranked(100.0, 0.0, 360.0)]
#[case::as_one(70.0, 70.0, 70.0)]
fn speeds_are_those_of_the_teeth(#[case] carrier: f32, #[case] ring: f32, #[case] sun: f32) {
    assert_relative_eq!(split().sun_speed(carrier, ring), sun, max_relative = 1e-6);
    let (row, ring) = (&shafts().rows[1], ring / 3.0);
    let parts = [carrier, 0.0, sun, ring, ring, 7.0, 7.0];
    let slip: f32 = row.speeds.iter().zip(parts).map(|(w, s)| w * s).sum();
    assert!(slip.abs() < 1e-3, "{slip}");
}

/// The row takes no power, whatever the speeds that it lets pass.
#[test]
fn torques_on_the_members_are_in_proportion_to_the_teeth() {
    let row = &shafts().rows[1];
    // Per torque on the sun: 1 + ρ from the engine, ρ at the ring, 3 times that at the wheels.
    let expected = [-3.6, 0.0, 1.0, 3.9, 3.9, 0.0, 0.0];
    for (torque, expected) in row.torques.iter().zip(expected) {
        assert_relative_eq!(*torque, expected, max_relative = 1e-6);
    }
    assert_relative_eq!(split().direct_ratio(), 7.8 / 3.6, max_relative = 1e-6);
}

proptest! {
    /// The engine gives the torque that is asked, as far as it can.
    #[test]
    fn a_throttle_gives_its_torque(asked in -50.0_f32..250.0, speed in 20.0_f32..560.0) {
        let engine = hybrid().params().engine.clone().unwrap();
        let net = |throttle: f32| {
            engine.torque(throttle, speed) - engine.damping(throttle, 1.0) * speed
        };
        let throttle = engine.throttle_for(asked, speed);
        prop_assert!((0.0..=1.0).contains(&throttle));
        let expected = asked.clamp(net(0.0), net(1.0).max(net(0.0)));
        prop_assert!((net(throttle) - expected).abs() < 1e-2, "{} {}", net(throttle), expected);
    }
}

#[test]
fn every_fault_is_named() {
    let bad = PowerSplitParams {
        wheels: vec![],
        planetary: 0.0,
        ratio: -1.0,
        operating_line: Curve(vec![[-1.0, 0.0]]),
        speed_rate: 0.0,
        start_power: 5.0,
        stop_power: 6.0,
        electric_speed: Some(0.0),
        charge: [0.7, 0.6],
        charge_power: -1.0,
    };
    assert_eq!(Checked::new(bad).unwrap_err().0.len(), 10);
    assert!(Checked::new(split()).is_ok());
}

/// An engine needs a power split, a power split an engine and one generator.
#[rstest]
#[case::no_engine(|p: &mut ElectricDriveParams| p.engine = None)]
#[case::no_split(|p: &mut ElectricDriveParams| p.power_split = None)]
#[case::no_generator(|p: &mut ElectricDriveParams| p.motors[1].wheels = vec![2, 3])]
#[case::two_generators(|p: &mut ElectricDriveParams| p.motors[0].wheels = vec![])]
fn parts_of_a_power_split_belong_together(#[case] change: fn(&mut ElectricDriveParams)) {
    let error = hybrid_with(change).unwrap_err();
    assert!(!error.0.is_empty(), "{error}");
}
