//! Powers of length and mass, and the laws of a group.

use super::*;
use crate::params::profile::{Profile, Solver};
use crate::params::{Probe, SweepSettings, VehicleParams};
use crate::{Checked, Command, VehicleState, WheelCommand, testing};
use alloc::string::ToString;
use proptest::prelude::*;
use rstest::rstest;

fn car() -> VehicleParams {
    VehicleParams {
        probe: Probe::Sweep(SweepSettings {
            inflation: 0.02,
            ..SweepSettings::DEFAULT
        }),
        ..testing::four_wheeler()
    }
}

/// Powers of (length, mass) by which a number changes, found by doubling the one or the other.
fn powers(of: impl Fn(&VehicleParams) -> f32) -> (f32, f32) {
    let at = |length, mass| of(&car().scaled(UnitScale { length, mass }));
    let power = |scaled: f32| (scaled / at(1.0, 1.0)).log2();
    (power(at(2.0, 1.0)), power(at(1.0, 2.0)))
}

/// ALGORITHMS §6.5.
#[rstest]
#[case::place(|p: &VehicleParams| p.wheels[0].position.x, (1.0, 0.0))]
#[case::spring(|p: &VehicleParams| p.wheels[0].suspension.stiffness, (0.0, 1.0))]
#[case::damper(|p: &VehicleParams| p.wheels[0].suspension.damping.bump.rate, (0.0, 1.0))]
#[case::wheel_inertia(|p: &VehicleParams| p.wheels[0].inertia, (2.0, 1.0))]
#[case::bearing(|p: &VehicleParams| p.wheels[0].damping, (2.0, 1.0))]
#[case::bar(|p: &VehicleParams| p.anti_roll[0].stiffness, (0.0, 1.0))]
#[case::inertia(|p: &VehicleParams| p.chassis.inertia.z, (2.0, 1.0))]
#[case::load(|p: &VehicleParams| p.load_filter.max_load, (0.0, 0.0))]
#[case::substeps(|p: &VehicleParams| p.substeps.threshold_speed, (1.0, 0.0))]
#[case::slip(|p: &VehicleParams| p.profile.slip.passive_denominator, (1.0, 0.0))]
#[case::sticky(|p: &VehicleParams| p.profile.sticky.speed, (1.0, 0.0))]
#[case::blend(|p: &VehicleParams| p.profile.blend_speed, (1.0, 0.0))]
#[case::carcass(|p: &VehicleParams| p.profile.rows.carcass_stiffness, (-1.0, 0.0))]
fn each_number_has_its_powers(#[case] of: fn(&VehicleParams) -> f32, #[case] expected: (f32, f32)) {
    assert_eq!(powers(of), expected);
}

#[test]
fn a_car_in_other_units_passes_the_checks_that_it_passes_in_metres() {
    let scales = [
        UnitScale::CENTIMETRES,
        UnitScale::INCHES.then(UnitScale::GRAMS),
    ];
    for scale in scales {
        let scaled = Checked::new(car().scaled(scale)).unwrap();
        assert_eq!(scaled.profile.units, scale);
    }
    let mut bad = car();
    bad.profile.units.mass = f64::NAN;
    let error = Checked::new(bad).unwrap_err().to_string();
    assert!(error.contains("profile.units.mass = NaN"), "{error}");
}

#[test]
fn what_is_unknown_or_unlimited_stays_so() {
    let state = VehicleState::at_rest(4, crate::DriveState::default());
    let centimetres = |state: &VehicleState, solver| state.scaled(solver, UnitScale::CENTIMETRES);
    assert_eq!(centimetres(&state, Solver::Rows), state);
    let mut held = state.clone();
    held.wheels[0].hold_forward = W4::splat(0.5);
    let deflected = centimetres(&held, Solver::Rows).wheels[0].hold_forward;
    let timed = centimetres(&held, Solver::Explicit).wheels[0].hold_forward;
    assert_eq!((deflected.lane(1), timed.lane(1)), (50.0, 0.5));
    let profile = Profile::PHYSX_4.scaled(UnitScale::INCHES);
    assert_eq!(profile.max_ground_acceleration, f32::INFINITY);
}

#[test]
fn pedals_have_no_unit_and_torques_have_one() {
    let car = Command::default();
    assert_eq!(car.scaled(UnitScale::INCHES), car);
    let mut wheels = WheelCommand::default();
    (wheels.drive[1], wheels.steer[1]) = (300.0, 0.2);
    let Command::Wheels(scaled) = Command::Wheels(wheels).scaled(UnitScale::CENTIMETRES) else {
        panic!("it stays what it is");
    };
    assert_eq!((scaled.drive[1], scaled.steer[1]), (3_000_000.0, 0.2));
}

fn scales() -> impl Strategy<Value = UnitScale> {
    (0.01..100.0_f64, 0.01..100.0_f64).prop_map(|(length, mass)| UnitScale { length, mass })
}

/// Whether two cars are the same up to rounding, number by number as they are printed.
fn alike(a: &VehicleParams, b: &VehicleParams) -> bool {
    let numbers = |p: &VehicleParams| -> Vec<f64> {
        let text = alloc::format!("{p:?}");
        let parts = text.split(|c: char| !matches!(c, '0'..='9' | '.' | '-' | 'e'));
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
    a.len() == b.len() && a.iter().zip(&b).all(near)
}

proptest! {
    #[test]
    fn there_and_back_is_where_one_was(scale in scales()) {
        prop_assert!(alike(&car().scaled(scale).scaled(scale.inverse()), &car()));
    }

    #[test]
    fn two_changes_are_one(a in scales(), b in scales()) {
        let (twice, once) = (car().scaled(a).scaled(b), car().scaled(a.then(b)));
        prop_assert!(alike(&twice, &once));
        prop_assert!(alike(&once, &car().scaled(b.then(a))));
    }

    #[test]
    fn no_change_changes_no_bit(length in -3..4_i32, mass in -3..4_i32) {
        prop_assert_eq!(UnitScale::SI.factor(length, mass), 1.0);
        prop_assert_eq!(car().scaled(UnitScale::SI), car());
    }
}
