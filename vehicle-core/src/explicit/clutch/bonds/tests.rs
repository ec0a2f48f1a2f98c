//! Bound wheels against unbound ones, means, and equations without a solution.

use crate::drivetrain::{ClutchAccuracy, Control, EngineCoupling, EngineLaw, WheelControl};
use crate::explicit::clutch;
use crate::kind::VehicleKind;
use crate::lanes::{Groups, LANES, W4};
use crate::profile::Profile;
use crate::state::{DriveState, WheelState};
use crate::testing;
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;

fn coupling(strength: f32, ratio: f32) -> EngineCoupling {
    EngineCoupling {
        engine: EngineLaw {
            inertia: 1.0,
            idle_speed: 80.0,
            max_speed: 600.0,
            damping: 0.2,
            torque: 100.0,
            friction: 0.0,
        },
        ratio,
        clutch: strength,
        capacity: None,
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    }
}

/// Four wheels in these bonds, driven by equal shares.
fn control(bond: [u8; LANES], ratio: [f32; LANES], engine: Option<EngineCoupling>) -> Control {
    Control {
        wheels: Groups::for_wheels(LANES, |_| WheelControl {
            torque_share: W4::splat(0.25),
            speed_share: W4::splat(0.25),
            bond,
            bond_ratio: W4::from_array(ratio),
            ..WheelControl::default()
        }),
        bonds: bond.into_iter().max().unwrap_or(0),
        coupling: engine,
        ..Control::idle(LANES)
    }
}

/// Spins and engine speed after a step.
fn solve(
    profile: &Profile,
    kind: &VehicleKind,
    control: &Control,
    spin: [f32; LANES],
    engine: f32,
) -> ([f32; LANES], f32) {
    let mut wheels = Groups::for_wheels(LANES, |_| WheelState {
        spin: W4::from_array(spin),
        ..WheelState::AT_REST
    });
    let mut drive = DriveState {
        engine_speed: engine,
        ..DriveState::default()
    };
    let none = |_| W4::ZERO;
    clutch::solve(
        profile,
        kind.wheels(),
        control,
        none,
        &mut wheels,
        &mut drive,
        H,
    );
    (wheels[0].spin.to_array(), drive.engine_speed)
}

proptest! {
    /// A wheel that is bound to itself alone is free.
    #[test]
    fn bonds_of_one_wheel_bind_nothing(
        spin in prop::array::uniform4(-60f32..60.0), engine in 100f32..500.0,
        strength in 0f32..50.0, ratio in prop_oneof![-15f32..-2.0, 2f32..15.0],
        brake in prop::array::uniform4(0f32..2000.0),
    ) {
        let kind = testing::kind();
        let profile = Profile::DEFAULT;
        let [free, alone] = [[0; LANES], [1, 2, 3, 4]].map(|bond| {
            let mut control = control(bond, [1.0; LANES], Some(coupling(strength, ratio)));
            control.wheels[0].brake = W4::from_array(brake);
            solve(&profile, &kind, &control, spin, engine)
        });
        prop_assert!((free.1 - alone.1).abs() < 1e-3 * (1.0 + engine));
        for (a, b) in free.0.into_iter().zip(alone.0) {
            prop_assert!((a - b).abs() < 2e-3, "{a} {b}");
        }
    }
}

/// Without an engine, equal wheels come out at their mean.
#[test]
fn bound_wheels_turn_at_their_mean() {
    let mut params = testing::four_wheeler();
    for wheel in &mut params.wheels {
        wheel.damping = 0.0;
    }
    let kind = testing::kind_of(params);
    let control = control([1, 2, 1, 2], [1.0; LANES], None);
    let (spins, engine) = solve(
        &Profile::DEFAULT,
        &kind,
        &control,
        [10.0, -4.0, 20.0, 8.0],
        90.0,
    );
    assert_eq!((spins, engine), ([15.0, 2.0, 15.0, 2.0], 90.0));
}

#[rstest]
#[case::ratios_count(false, 2.0)]
#[case::as_in_physx(true, 1.0)]
fn ratios_count_unless_physx_forgets_them(#[case] equal_bound_spins: bool, #[case] times: f32) {
    let profile = Profile {
        equal_bound_spins,
        ..Profile::DEFAULT
    };
    let bound = control(
        [1, 1, 0, 0],
        [1.0, 2.0, 0.0, 0.0],
        Some(coupling(10.0, 8.0)),
    );
    let (spins, _) = solve(
        &profile,
        &testing::kind(),
        &bound,
        [10.0, 30.0, 5.0, 5.0],
        200.0,
    );
    assert!((spins[1] - times * spins[0]).abs() < 1e-5, "{spins:?}");
    assert!(spins[0] > 10.0 && spins[0] < 20.0, "{spins:?}");
}

/// A bond whose wheels all have the ratio 0 says nothing about its speed.
#[test]
fn what_has_no_solution_keeps_its_speeds() {
    let control = control([1, 1, 0, 0], [0.0; LANES], Some(coupling(10.0, 8.0)));
    let before = [1.0, 2.0, 3.0, 4.0];
    let after = solve(&Profile::DEFAULT, &testing::kind(), &control, before, 90.0);
    assert_eq!(after, (before, 90.0));
}

/// A stalled engine is back at its idle speed at once, bonds or not.
#[rstest]
#[case::free([0; LANES])]
#[case::bound([1, 1, 2, 2])]
fn an_engine_never_falls_below_its_idle_speed(#[case] bond: [u8; LANES]) {
    let mut coupling = coupling(50.0, 12.0);
    coupling.engine.torque = 0.0;
    let control = control(bond, [1.0; LANES], Some(coupling));
    let (_, engine) = solve(
        &Profile::DEFAULT,
        &testing::kind(),
        &control,
        [0.0; LANES],
        85.0,
    );
    assert_eq!(engine, 80.0);
}
