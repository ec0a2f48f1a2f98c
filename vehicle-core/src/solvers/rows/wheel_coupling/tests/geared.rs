//! Wheel couplings of geared wheels in whole substeps: momentum, brakes, clutch.

use super::*;
use crate::base::lanes::{V3x4, W4};
use crate::contracts::drivetrain::{ClutchAccuracy, EngineCoupling};
use crate::solvers::rows::testing::{self, Anything, H, Rig, anything, car};
use glam::Vec3;

/// Wheel coupling, ratio, and share of torque and speed of six wheels.
#[derive(Clone, Copy, Debug)]
struct Gears {
    wheel_couplings: [u8; 6],
    ratios: [f32; 6],
    shares: [f32; 6],
}

prop_compose! {
    fn gears()(
        wheel_couplings in prop::array::uniform6(0u8..4), shares in prop::array::uniform6(0.1f32..1.0),
        ratios in prop::array::uniform6(prop_oneof![0.4f32..2.5, -2.5f32..-0.4]),
    ) -> Gears {
        let sum: f32 = shares.iter().sum();
        Gears { wheel_couplings, ratios, shares: shares.map(|share| share / sum) }
    }
}

impl Gears {
    /// A vehicle with six such wheels.
    fn rig(&self, anything: &Anything) -> Rig {
        let mut rig = Rig::new(car(|p| testing::with_axles(p, 1)));
        anything.happen_to(&mut rig);
        rig.control.wheel_couplings = 2;
        for (g, wheels) in rig.control.wheels.iter_mut().enumerate() {
            let of = |values: &[f32; 6]| Rig::set(|n| values.get(n).copied().unwrap_or(0.0), g);
            wheels.wheel_coupling = core::array::from_fn(|lane| {
                self.wheel_couplings
                    .get(g * LANES + lane)
                    .copied()
                    .unwrap_or(0)
            });
            wheels.coupling_ratio = of(&self.ratios);
            wheels.torque_share = of(&self.shares);
            wheels.speed_share = of(&self.shares);
        }
        rig
    }

    /// Wheels of a wheel coupling, counted from 1. There are two wheel couplings; other wheels turn alone.
    fn wheels_of(&self, wheel_coupling: u8) -> impl Iterator<Item = usize> {
        (0..6).filter(move |&n| self.wheel_couplings[n] == wheel_coupling)
    }
}

/// A value of wheel `n`.
pub(super) fn of(rig: &Rig, n: usize, value: fn(&Rig, usize) -> W4) -> f64 {
    f64::from(value(rig, n / LANES).lane(n % LANES))
}

pub(super) fn spin(rig: &Rig, n: usize) -> f64 {
    of(rig, n, |rig, g| rig.state.wheels[g].spin)
}

/// An engine of 0.5 kg·m² at 200 rad/s with a clutch of this capacity, geared 8:1.
pub(super) fn couple(rig: &mut Rig, capacity: f32) {
    rig.control.coupling = Some(EngineCoupling {
        inertia: 0.5,
        idle_speed: 0.0,
        idle_torque: f32::INFINITY,
        max_speed: 1e5,
        damping: 0.2,
        torque: 300.0,
        friction: 20.0,
        ratio: 8.0,
        clutch: 10.0,
        capacity: Some(capacity),
        accuracy: ClutchAccuracy::Exact,
        throttle: 1.0,
    });
    rig.state.drive.engine_speed = 200.0;
}

/// Sums over a wheel coupling's wheels, weighted by ratio: momentum after tires, shafts and drives; maximum of the brakes;
/// inertia; and the magnitude of all terms.
fn sums(gears: &Gears, wheel_coupling: u8, before: &Rig, after: &Rig, h: f64) -> [f64; 4] {
    let clutch = 8.0 * f64::from(after.state.drive.clutch_torque);
    gears.wheels_of(wheel_coupling).fold([0.0; 4], |sum, n| {
        let ratio = f64::from(gears.ratios[n]);
        let driven = of(before, n, |rig, g| rig.control.wheels[g].drive)
            + clutch * f64::from(gears.shares[n]);
        let (own, tire) = (2.5 * spin(before, n), 0.5 * h * after.forces(n)[1]);
        let momentum = own + h * driven - tire;
        let brake = h * of(before, n, |rig, g| rig.control.wheels[g].brake);
        [
            sum[0] + ratio * momentum,
            sum[1] + ratio.abs() * brake,
            sum[2] + ratio * ratio * (2.5 + 0.25 * h),
            sum[3] + brake + own.abs() + h * driven.abs() + tire.abs(),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A wheel coupling's speed follows from its wheels' momenta, weighted by ratio, less its brakes, weighted by |ratio|:
    /// in the air and on the ground, with and without an engine.
    #[test]
    fn a_coupling_conserves_momentum_up_to_its_brakes(
        gears in gears(), anything in anything(15.0), airborne in any::<bool>(),
        capacity in prop::option::of(10f32..800.0),
    ) {
        let mut rig = gears.rig(&anything);
        if airborne {
            rig.state.wheels.iter_mut().for_each(|wheels| wheels.ground_normal = V3x4::ZERO);
        }
        if let Some(capacity) = capacity {
            couple(&mut rig, capacity);
        }
        let before = rig.clone();
        rig.advance(anything.h);
        for wheel_coupling in [1, 2] {
            let [momentum, brake, bearing, size] = sums(&gears, wheel_coupling, &before, &rig, f64::from(anything.h));
            let left = (momentum.abs() - brake).max(0.0);
            let speed = momentum.signum() * left / bearing.max(1e-9);
            for n in gears.wheels_of(wheel_coupling) {
                let expected = f64::from(gears.ratios[n]) * speed;
                let rounding = 1e-5 * (1.0 + size + expected.abs());
                prop_assert!((spin(&rig, n) - expected).abs() < rounding, "{n}: {} {expected}", spin(&rig, n));
            }
        }
        // Wheels of no wheel coupling turn alone.
        for n in (0..6).filter(|&n| ![1, 2].contains(&gears.wheel_couplings[n])) {
            let alone = of(&rig, n, |rig, g| rig.state.wheels[g].spin);
            prop_assert!(alone.is_finite());
        }
    }

    /// A sticking clutch turns the engine with the mean speed of all wheels, coupled or not.
    #[test]
    fn a_sticking_clutch_turns_with_the_mean_speed_of_bonds(gears in gears(), anything in anything(10.0)) {
        let mut rig = gears.rig(&anything);
        rig.state.wheels.iter_mut().for_each(|wheels| wheels.ground_normal = V3x4::ZERO);
        rig.control.wheels.iter_mut().for_each(|wheels| wheels.brake = W4::ZERO);
        couple(&mut rig, 1e6);
        rig.advance(anything.h);
        let mean: f64 = (0..6).map(|n| f64::from(gears.shares[n]) * spin(&rig, n)).sum();
        let speed = f64::from(rig.state.drive.engine_speed);
        prop_assume!(speed > 0.0);
        prop_assert!((speed - 8.0 * mean).abs() < 0.02, "{speed} {mean}");
    }
}

// One braked wheel of a wheel coupling whose wheels turn at 20 and 40 rad/s in the air: the faster one's brake has
// twice the effect.
#[rstest::rstest]
#[case::slower([600.0, 0.0], 10.0)]
#[case::faster([0.0, 600.0], 20.0)]
#[case::both([600.0, 600.0], 30.0)]
fn a_brake_acts_by_its_gear_ratio(#[case] brakes: [f32; 2], #[case] taken: f32) {
    let gears = Gears {
        wheel_couplings: [1, 1, 0, 0, 0, 0],
        ratios: [1.0, -2.0, 1.0, 1.0, 1.0, 1.0],
        shares: [0.0; 6],
    };
    let mut rig = Rig::new(car(|p| {
        testing::with_axles(p, 1);
        p.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
    }));
    rig.control.wheel_couplings = 1;
    rig.control.wheels[0].wheel_coupling = [1, 1, 0, 0];
    rig.control.wheels[0].coupling_ratio = Rig::set(|n| gears.ratios[n], 0);
    rig.control.wheels[0].brake = W4::from_array([brakes[0], brakes[1], 0.0, 0.0]);
    let wheels = &mut rig.state.wheels;
    wheels.iter_mut().for_each(|w| w.ground_normal = V3x4::ZERO);
    wheels[0].spin = W4::from_array([20.0, -40.0, 0.0, 0.0]);
    rig.chassis.velocity.linear = Vec3::ZERO.extend(0.0);
    rig.advance(H);
    // 2.5·(1 + 4) kg·m² at 20 rad/s: 250 N·m·s.
    let speed = (250.0 - taken) / 12.5;
    let spins = rig.state.wheels[0].spin;
    assert!((spins.lane(0) - speed).abs() < 1e-4, "{spins:?} {speed}");
    assert!((spins.lane(1) + 2.0 * speed).abs() < 1e-4, "{spins:?}");
}

proptest! {
    /// The mean seen by the clutch, and its slope, are the sums of the wheel couplings' speeds and slopes by share.
    #[test]
    fn the_mean_weighs_couplings_by_their_shares(
        wheels in prop::collection::vec(wheel(), 1..9), share in 0.1f32..1.0, per_torque in 0.001f32..0.1,
        torque in -3000f32..3000.0,
    ) {
        let mut wheel_couplings = wheel_couplings(&wheels, 0.0, 0.0);
        wheel_couplings.wheel_couplings[0].speed_share = share;
        wheel_couplings.wheel_couplings[0].per_torque = per_torque;
        let (mean, alone) = (wheel_couplings.mean_at(torque), wheel_couplings.speed_at(0, per_torque * torque));
        prop_assert!((mean.value - share * alone.value).abs() <= 1e-6 * mean.value.abs());
        let slope = share * per_torque * alone.slope;
        prop_assert!((mean.slope - slope).abs() <= 1e-6 * slope, "{mean:?} {alone:?}");
        // A wheel coupling without a share is not evaluated.
        wheel_couplings.wheel_couplings[0].speed_share = 0.0;
        prop_assert_eq!(wheel_couplings.mean_at(torque), Sloped::default());
    }

    /// Shafts transmit to gripping wheels the impulse beyond the brakes'; sliding wheels turn with their
    /// wheel coupling.
    #[test]
    fn shafts_transmit_the_impulse_beyond_the_brakes(
        wheels in prop::collection::vec(wheel(), 1..9), brake in 0f32..300.0,
        per_torque in 0.01f32..0.1, torque in -10_000f32..10_000.0,
    ) {
        let mut wheel_couplings = wheel_couplings(&wheels, brake, 0.0);
        wheel_couplings.wheel_couplings[0].per_torque = per_torque;
        let impulse = per_torque * torque;
        let speed = wheel_couplings.speed_at(0, impulse);
        let shafts = wheel_couplings.shafts(torque);
        let mut passed = 0.0;
        for (n, wheel) in wheels.iter().enumerate() {
            let spin = wheel.ratio * speed.value;
            let (_, slides) = wheel.tire_at(spin);
            match shafts[n / LANES][n % LANES] {
                Shaft::Adds(added) => {
                    prop_assert!(!slides && speed.slope != 0.0);
                    prop_assert_eq!(added, wheel.need_at(spin).value);
                    passed += wheel.ratio * added;
                }
                Shaft::At(at) => {
                    prop_assert!(slides || speed.slope == 0.0);
                    prop_assert_eq!(at, spin);
                    passed += wheel.ratio * wheel.need_at(spin).value;
                }
                Shaft::Free => prop_assert!(false, "the wheel is coupled"),
            }
        }
        let scale: f32 = wheels.iter().map(|m| m.effective_inertia * speed.value.abs() + 500.0).sum();
        if speed.slope != 0.0 {
            let off = impulse - brake * speed.value.signum() - passed;
            prop_assert!(off.abs() < 1e-4 * (scale + impulse.abs()), "{off}");
        }
        let free = shafts.as_flattened().iter().skip(wheels.len());
        prop_assert!(free.into_iter().all(|shaft| *shaft == Shaft::Free));
    }

    /// The slope of `need_at` is its derivative.
    #[test]
    fn the_slope_of_need_is_its_derivative(wheel in wheel(), spin in -50f32..50.0) {
        let step = 0.005;
        let [before, here, after] = [-step, 0.0, step].map(|by| wheel.need_at(spin + by));
        let rise = f64::from(after.value - before.value) / f64::from(2.0 * step);
        // Where sliding begins, the slopes on both sides differ.
        let least = before.slope.min(here.slope).min(after.slope);
        let most = before.slope.max(here.slope).max(after.slope);
        let slack = 0.05 * most + 0.5;
        prop_assert!(rise > f64::from(least - slack) && rise < f64::from(most + slack), "{rise} {here:?}");
    }

    /// Roots of steep and flat functions are found from any start, and at once if the start is the root.
    #[test]
    fn a_rising_root_is_found_from_any_start(
        root in 0.01f32..100.0, steep in 0.1f32..100.0, bend in -0.9f32..5.0, start in -10f32..200.0,
    ) {
        let calls = core::cell::Cell::new(0);
        // Rising, steeper or flatter beyond the root.
        let at = |x: f32| {
            calls.set(calls.get() + 1);
            let slope = if x < root { steep } else { steep * (1.0 + bend) };
            Sloped { value: slope * (x - root), slope }
        };
        let actual = rising_root(at, 2.0 * root, start);
        prop_assert!((actual - root).abs() < 1e-5 * root, "{actual} {root}");
        prop_assert!(calls.get() <= 6, "{}", calls.get());
        // Starting at the root takes few evaluations.
        calls.set(0);
        prop_assert_eq!(rising_root(at, 2.0 * root, root), root);
        prop_assert_eq!(calls.get(), 1);
    }

    /// A root is found where slopes mislead: between kinks, only bisection makes progress.
    #[test]
    fn a_root_between_kinks_is_found(
        kinks in prop::collection::vec((0f32..100.0, 0.01f32..5.0, 0f32..200.0), 1..8),
        root in 1f32..99.0, rise in 0.05f32..2.0, start in 0f32..100.0,
    ) {
        let calls = core::cell::Cell::new(0);
        // Terms that rise locally, like tires that slide beyond; from the root on, so that no large sums
        // are rounded near it.
        let at = |x: f32| {
            calls.set(calls.get() + 1);
            let line = Sloped { value: rise * (x - root), slope: rise };
            kinks.iter().fold(line, |sum, &(at, width, most)| {
                let part = |x: f32| (x - at) / width;
                let risen = part(x).clamp(-1.0, 1.0) - part(root).clamp(-1.0, 1.0);
                let slope = if part(x).abs() < 1.0 { most / width } else { 0.0 };
                sum.plus(Sloped { value: most * risen, slope })
            })
        };
        let actual = rising_root(at, 100.0, start);
        prop_assert!((actual - root).abs() < 1e-4 * root, "{actual} {root}");
        prop_assert!(calls.get() <= 20, "{}", calls.get());
    }

    /// The slope of a wheel coupling's speed is its derivative in the shaft's impulse.
    #[test]
    fn the_slope_of_a_bonds_speed_is_its_derivative(
        wheels in prop::collection::vec(wheel(), 1..9), brake in 0f32..200.0, impulse in -500f32..500.0,
    ) {
        let wheel_couplings = wheel_couplings(&wheels, brake, 0.0);
        // Between two of a few samples, a shaft may stand, or a wheel begin to slide.
        const SAMPLES: i16 = 200;
        let at = |n: i16| wheel_couplings.speed_at(0, impulse + f32::from(n) / f32::from(SAMPLES));
        let (before, after) = (at(-SAMPLES), at(SAMPLES));
        let rise = 0.5 * (after.value - before.value);
        let slopes = (-SAMPLES..=SAMPLES).map(|n| at(n).slope);
        let (least, most) = slopes.fold((f32::MAX, f32::MIN), |(a, b), s| (a.min(s), b.max(s)));
        // A search ends within 1e-6 of the speed.
        let slack = 0.05 * most + 3e-6 * before.value.abs().max(after.value.abs()) + 1e-5;
        prop_assert!(rise > least - slack && rise < most + slack, "{rise} {before:?} {after:?}");
    }
}

#[test]
fn a_wheel_with_ratio_zero_stands() {
    let mut rig = Rig::new(car(|_| ()));
    rig.control.wheel_couplings = 1;
    rig.control.wheels[0].wheel_coupling = [1, 0, 0, 0];
    rig.state.wheels[0].spin = W4::splat(10.0);
    rig.advance(H);
    assert_eq!(rig.state.wheels[0].spin.lane(0), 0.0);
    assert!(rig.chassis.velocity.truncated().linear.is_finite());
}
