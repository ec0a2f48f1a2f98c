//! Bound wheels against unbound ones, means, and equations without a solution.

use crate::base::lanes::{Groups, LANES, W4};
use crate::contracts::drivetrain::{ClutchAccuracy, Control, EngineCoupling, WheelControl};
use crate::exchange::state::{DriveState, WheelState};
use crate::params::profile::ExplicitSettings;
use crate::solvers::explicit::clutch;
use crate::stages::model::VehicleModel;
use crate::testing;
use crate::testing::model_of;
use crate::testing::uneven::{close, uneven};
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;

fn coupling(strength: f32, ratio: f32) -> EngineCoupling {
    EngineCoupling {
        inertia: 1.0,
        idle_speed: 80.0,
        idle_torque: f32::INFINITY,
        max_speed: 600.0,
        damping: 0.2,
        torque: 100.0,
        friction: 0.0,
        ratio,
        clutch: strength,
        capacity: None,
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    }
}

/// Four wheels in these wheel couplings, driven by equal shares.
fn control(
    wheel_coupling: [u8; LANES],
    ratio: [f32; LANES],
    engine: Option<EngineCoupling>,
) -> Control {
    Control {
        wheels: Groups::for_wheels(LANES, |_| WheelControl {
            torque_share: W4::splat(0.25),
            speed_share: W4::splat(0.25),
            wheel_coupling,
            coupling_ratio: W4::from_array(ratio),
            ..WheelControl::default()
        }),
        wheel_couplings: wheel_coupling.into_iter().max().unwrap_or(0),
        coupling: engine,
        ..Control::idle(LANES)
    }
}

/// Spins and engine speed after a step.
fn solve(
    settings: &ExplicitSettings,
    model: &VehicleModel,
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
        settings.equal_bound_spins,
        model.wheels(),
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
    fn couplings_of_one_wheel_have_no_effect(
        spin in prop::array::uniform4(-60f32..60.0), engine in 100f32..500.0,
        strength in 0f32..50.0, ratio in prop_oneof![-15f32..-2.0, 2f32..15.0],
        brake in prop::array::uniform4(0f32..2000.0),
    ) {
        let model = testing::model();
        let settings = ExplicitSettings::DEFAULT;
        let [free, alone] = [[0; LANES], [1, 2, 3, 4]].map(|wheel_coupling| {
            let mut control = control(wheel_coupling, [1.0; LANES], Some(coupling(strength, ratio)));
            control.wheels[0].brake = W4::from_array(brake);
            solve(&settings, &model, &control, spin, engine)
        });
        prop_assert!((free.1 - alone.1).abs() < 1e-3 * (1.0 + engine));
        for (a, b) in free.0.into_iter().zip(alone.0) {
            prop_assert!((a - b).abs() < 2e-3, "{a} {b}");
        }
    }
}

/// Without an engine, equal wheels come out at their mean.
#[test]
fn coupled_wheels_turn_at_their_mean() {
    let mut params = testing::four_wheeler();
    for wheel in &mut params.wheels {
        wheel.damping = 0.0;
    }
    let model = model_of(params);
    let control = control([1, 2, 1, 2], [1.0; LANES], None);
    let (spins, engine) = solve(
        &ExplicitSettings::DEFAULT,
        &model,
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
    let settings = ExplicitSettings {
        equal_bound_spins,
        ..ExplicitSettings::DEFAULT
    };
    let bound = control(
        [1, 1, 0, 0],
        [1.0, 2.0, 0.0, 0.0],
        Some(coupling(10.0, 8.0)),
    );
    let (spins, _) = solve(
        &settings,
        &testing::model(),
        &bound,
        [10.0, 30.0, 5.0, 5.0],
        200.0,
    );
    assert!((spins[1] - times * spins[0]).abs() < 1e-5, "{spins:?}");
    assert!(spins[0] > 10.0 && spins[0] < 20.0, "{spins:?}");
}

/// A wheel coupling whose wheels all have the ratio 0 says nothing about its speed.
#[test]
fn speeds_without_a_unique_solution_are_unchanged() {
    let control = control([1, 1, 0, 0], [0.0; LANES], Some(coupling(10.0, 8.0)));
    let before = [1.0, 2.0, 3.0, 4.0];
    let after = solve(
        &ExplicitSettings::DEFAULT,
        &testing::model(),
        &control,
        before,
        90.0,
    );
    assert_eq!(after, (before, 90.0));
}

/// A stalled engine is back at its idle speed at once, wheel couplings or not.
#[rstest]
#[case::free([0; LANES])]
#[case::bound([1, 1, 2, 2])]
fn an_engine_never_falls_below_its_idle_speed(#[case] wheel_coupling: [u8; LANES]) {
    let mut coupling = coupling(50.0, 12.0);
    coupling.torque = 0.0;
    let control = control(wheel_coupling, [1.0; LANES], Some(coupling));
    let (_, engine) = solve(
        &ExplicitSettings::DEFAULT,
        &testing::model(),
        &control,
        [0.0; LANES],
        85.0,
    );
    assert_eq!(engine, 80.0);
}

/// Wheels 0 and 2 turn together, wheel 1 is geared alone, wheel 3 turns on its own.
fn partly_coupled(ratio: f32, engine: EngineCoupling) -> Control {
    let mut control = control([1, 0, 1, 0], [1.0, 0.0, ratio, 0.0], Some(engine));
    control.wheels[0].torque_share = W4::from_array([0.3, 0.2, 0.5, 0.0]);
    control.wheels[0].speed_share = W4::from_array([0.4, 0.0, 0.35, 0.0]);
    control
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Least squares: no change of a wheel coupling's or a wheel's speed makes the sum of the squared equations
    /// less, to first order.
    #[test]
    fn coupled_wheels_minimize_the_residual(
        spin in prop::array::uniform4(5f32..40.0), engine in 200f32..400.0, strength in 1f32..20.0,
        ratio in 0.5f32..2.0, gears in 2f32..9.0,
    ) {
        let model = model_of(uneven());
        let drive = coupling(strength, gears);
        let control = partly_coupled(ratio, drive);
        let (spins, speed) = solve(&ExplicitSettings::DEFAULT, &model, &control, spin, engine);
        prop_assume!(speed > 80.0 && speed < 600.0);
        prop_assert!(close(spins[2], ratio * spins[0], 100.0), "{spins:?}");
        let h = f64::from(H);
        let (wide, c) = (|x: f32| f64::from(x), &control.wheels[0]);
        let shares = |of: W4| of.to_array().map(f64::from);
        let (torque, share) = (shares(c.torque_share), shares(c.speed_share));
        let slip = |w: &[f64; 4], e: f64| {
            e - wide(gears) * (0..4).map(|n| share[n] * w[n]).sum::<f64>()
        };
        // Left-hand minus right-hand sides: linear in all speeds.
        let equations = |w: &[f64; 4], e: f64| -> [f64; 5] {
            core::array::from_fn(|n| {
                if n == 4 {
                    let torque = 100.0 - 0.2 * e - wide(strength) * slip(w, e);
                    return e - wide(engine) - h * torque;
                }
                let wheel = &model.params().wheels[n];
                let clutch = torque[n] * wide(gears) * wide(strength) * slip(w, e);
                let total = clutch - wide(wheel.damping) * w[n];
                w[n] - wide(spin[n]) - h / wide(wheel.inertia) * total
            })
        };
        let (w, e) = (spins.map(f64::from), wide(speed));
        let (none, left) = (equations(&[0.0; 4], 0.0), equations(&w, e));
        let steps = [
            ([1.0, 0.0, wide(ratio), 0.0], 0.0),
            ([0.0, 1.0, 0.0, 0.0], 0.0),
            ([0.0, 0.0, 0.0, 1.0], 0.0),
            ([0.0; 4], 1.0),
        ];
        for (wheels, engine) in steps {
            let after = equations(&wheels, engine);
            let column = |n: usize| after[n] - none[n];
            let slope: f64 = (0..5).map(|n| column(n) * left[n]).sum();
            let size: f64 = (0..5).map(|n| column(n).abs()).sum();
            prop_assert!(slope.abs() < 2e-4 * size * (1.0 + size), "{slope} {size} {spins:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// A balance of single wheels is exact: the weighted sum is 0, one impulse, by weight, closes the momentum of
    /// wheels of any inertia, and without an engine no energy is won. With a coupled axle, the sum is 0 as well.
    #[test]
    fn a_balance_holds_the_means_of_axles(
        spin in prop::array::uniform4(-40f32..40.0), gear in 0.5f32..2.0, engine in any::<bool>(),
    ) {
        let mut params = uneven();
        params.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
        let model = model_of(params);
        let weights = [0.5 * gear, 0.5 * gear, -0.5, -0.5].map(f64::from);
        let sum = |spins: [f32; 4]| -> f64 {
            weights.iter().zip(spins).map(|(weight, spin)| weight * f64::from(spin)).sum()
        };
        let settings = ExplicitSettings::DEFAULT;
        for wheel_coupling in [[1, 2, 3, 4], [1, 1, 2, 3]] {
            let mut control = control(wheel_coupling, [1.0; LANES], engine.then(|| coupling(5.0, 8.0)));
            control.wheels[0].balance = W4::from_array(weights.map(|weight| weight as f32));
            let (spins, _) = solve(&settings, &model, &control, spin, 200.0);
            prop_assert!(sum(spins).abs() < 1e-4, "{spins:?}");
            if engine || wheel_coupling[1] == 1 {
                continue;
            }
            let gained = |n: usize| {
                let inertia = f64::from(model.params().wheels[n].inertia);
                let [before, after] = [spin[n], spins[n]].map(f64::from);
                [inertia * (after - before), 0.5 * inertia * (after * after - before * before)]
            };
            let impulses: [f64; 4] = core::array::from_fn(|n| gained(n)[0] / weights[n]);
            for impulse in impulses {
                prop_assert!((impulse - impulses[0]).abs() < 1e-3, "{impulses:?}");
            }
            let energy: f64 = (0..4).map(|n| gained(n)[1]).sum();
            prop_assert!(energy < 1e-2, "{energy} J");
        }
    }
}

/// A disabled wheel is in no wheel coupling: it keeps what it has of its own.
#[test]
fn a_disabled_wheel_has_no_coupling() {
    let mut params = uneven();
    params.anti_roll.clear();
    params.wheels[2].enabled = false;
    params.wheels[2].suspension.sprung_mass = 1.0;
    params.wheels[0].suspension.sprung_mass = 700.0;
    let model = model_of(params);
    let bound = control([1, 0, 1, 0], [1.0; LANES], None);
    let (spins, _) = solve(
        &ExplicitSettings::DEFAULT,
        &model,
        &bound,
        [10.0, 5.0, 30.0, 5.0],
        90.0,
    );
    let free = control([0; LANES], [1.0; LANES], None);
    let alone = solve(
        &ExplicitSettings::DEFAULT,
        &model,
        &free,
        [10.0, 5.0, 30.0, 5.0],
        90.0,
    )
    .0;
    for (a, b) in spins.into_iter().zip(alone) {
        assert!((a - b).abs() < 1e-5, "{spins:?} {alone:?}");
    }
}

/// Twenty wheels, each bound to itself alone, and the engine: as many unknowns as there can be.
#[test]
fn the_largest_vehicle_can_be_coupled() {
    let mut params = testing::four_wheeler();
    params.anti_roll.clear();
    for wheel in &mut params.wheels {
        wheel.suspension.sprung_mass = 75.0;
    }
    params.wheels = params.wheels.iter().cycle().take(20).cloned().collect();
    let model = model_of(params);
    let spins = |wheel_couplings: u8| {
        let control = Control {
            wheels: Groups::for_wheels(20, |g| WheelControl {
                torque_share: W4::splat(0.05),
                speed_share: W4::splat(0.05),
                wheel_coupling: core::array::from_fn(|lane| (g * LANES + lane + 1) as u8),
                coupling_ratio: W4::ONE,
                ..WheelControl::default()
            }),
            wheel_couplings,
            coupling: Some(coupling(10.0, 8.0)),
            ..Control::idle(20)
        };
        let mut wheels = Groups::for_wheels(20, |g| WheelState {
            spin: W4::splat(10.0 + g as f32),
            ..WheelState::AT_REST
        });
        let mut drive = DriveState {
            engine_speed: 200.0,
            ..DriveState::default()
        };
        let (settings, none) = (ExplicitSettings::DEFAULT, |_| W4::ZERO);
        clutch::solve(
            settings.equal_bound_spins,
            model.wheels(),
            &control,
            none,
            &mut wheels,
            &mut drive,
            H,
        );
        (wheels, drive.engine_speed)
    };
    let ((bound, engine), (free, expected)) = (spins(20), spins(0));
    assert!(close(engine, expected, 200.0), "{engine} {expected}");
    for (bound, free) in bound.iter().zip(free.iter()) {
        assert!(close(bound.spin.lane(3), free.spin.lane(3), 20.0));
    }
}
