//! The clutch against the explicit solver's closed form and Coulomb's law; roots of random piecewise linear
//! functions.

mod spins;

use super::*;
use crate::base::lanes::{Groups, LANES};
use crate::contracts::drivetrain::{ClutchAccuracy, Control, EngineCoupling};
use crate::exchange::state::{DriveState, WheelState};
use crate::params::LoadFilter;
use crate::solvers::explicit;
use crate::solvers::rows::wheel::WheelStart;
use crate::stages::load::LoadLine;
use crate::stages::model::VehicleModel;
use crate::testing;
use alloc::vec::Vec;
use core::cell::Cell;
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;

/// 1 kg·m², 100 to 600 rad/s.
const ENGINE: EngineCoupling = EngineCoupling {
    idle_speed: 0.0,
    idle_torque: f32::INFINITY,
    inertia: 1.0,
    max_speed: 600.0,
    damping: 0.2,
    torque: 0.0,
    friction: 0.0,
    ratio: 0.0,
    clutch: 0.0,
    capacity: None,
    accuracy: ClutchAccuracy::Exact,
    throttle: 0.0,
};

fn viscous(strength: f32, ratio: f32, engine: EngineCoupling) -> EngineCoupling {
    EngineCoupling {
        ratio,
        clutch: strength,
        ..engine
    }
}

fn dry(capacity: f32, ratio: f32, engine: EngineCoupling) -> EngineCoupling {
    EngineCoupling {
        capacity: Some(capacity),
        ..viscous(10.0, ratio, engine)
    }
}

/// Wheels in the air behind a clutch.
struct Shaft {
    model: VehicleModel,
    start: WheelStart,
    split: WheelControl,
    tangent: RowBlock<2>,
}

impl Shaft {
    fn new(spin: [f32; LANES], torque: [f32; LANES]) -> Self {
        let start = WheelStart {
            spin: W4::from_array(spin),
            torque: W4::from_array(torque),
            friction: W4::ONE,
            rest_load: W4::splat(4000.0),
            rim_weight: W4::ONE,
            ..WheelStart::default()
        };
        Self {
            model: testing::model(),
            start,
            split: WheelControl {
                drive: start.torque,
                torque_share: W4::from_array([0.2, 0.2, 0.3, 0.3]),
                speed_share: W4::from_array([0.2, 0.2, 0.3, 0.3]),
                ..WheelControl::default()
            },
            tangent: RowBlock::default(),
        }
    }

    fn spins(&self) -> Spins {
        let driven = Driven {
            consts: self.model.wheels().first(),
            rim_weight: self.start.rim_weight,
            split: &self.split,
            row: &TireRow::default(),
            tangent: &self.tangent,
        };
        Spins::new(&driven, W4::ZERO, 4.0, H)
    }

    fn rows(&self) -> WheelRows {
        let k = self.model.wheels().first();
        let rows = [TireRow::default(); 2];
        WheelRows::new(
            k,
            &self.start,
            &rows,
            &LoadLine::of(&LoadFilter::OFF),
            &self.tangent,
            H,
        )
    }

    /// Spins of the wheels and the engine's speed behind a clutch.
    fn solve(&self, coupling: &EngineCoupling, engine: f32, guess: f32) -> (f32, W4, f32) {
        let spins = self.spins();
        let mut blocks = self.rows();
        let mean_at = |torque| spins.mean_at(&blocks, torque);
        let (torque, speed) = solve(coupling, mean_at, engine, guess, H);
        let mut tangent = self.tangent;
        let share = self.split.torque_share * W4::splat(torque * coupling.ratio * H);
        blocks.drive = share;
        blocks.sweep(&mut tangent, W4::ZERO, &testing::wheel_consts().axles);
        (torque, blocks.spin, speed)
    }

    fn mean(&self, spin: W4) -> f32 {
        (self.split.speed_share * spin).sum()
    }

    /// The explicit solver's result.
    fn explicitly(&self, coupling: &EngineCoupling, engine: f32) -> (W4, f32) {
        let mut control = Control::idle(LANES);
        control.coupling = Some(*coupling);
        control.wheels[0] = self.split;
        let mut wheels = Groups::for_wheels(LANES, |_| WheelState {
            spin: self.start.spin,
            ..WheelState::AT_REST
        });
        let mut drive = DriveState {
            engine_speed: engine,
            ..DriveState::default()
        };
        let consts = self.model.wheels();
        let none = |_| W4::ZERO;
        explicit::clutch::solve(true, consts, &control, none, &mut wheels, &mut drive, H);
        (wheels[0].spin, drive.engine_speed)
    }
}

proptest! {
    /// Without brakes, friction and limits, both solvers have the same linear equations.
    #[test]
    fn a_viscous_clutch_matches_the_explicit_solver(
        spin in prop::array::uniform4(-60f32..60.0), torque in prop::array::uniform4(-500f32..500.0),
        engine in 300f32..400.0, push in -200f32..500.0,
        strength in 0.1f32..100.0, ratio in prop_oneof![-15f32..-2.0, 2f32..15.0],
        guess in -300f32..300.0,
    ) {
        let shaft = Shaft::new(spin, torque);
        let law = EngineCoupling { torque: push, ..ENGINE };
        let coupling = viscous(strength, ratio, law);
        let (spin, speed) = shaft.explicitly(&coupling, engine);
        prop_assume!(speed > 0.0 && speed < law.max_speed);
        let (passed, own_spin, own_speed) = shaft.solve(&coupling, engine, guess);
        // The search ends at a slip of 1e-5 of the engine's speed, which changes the wheels' speeds by at
        // most that over the ratio.
        let near = 1e-4 * (1.0 + engine);
        prop_assert!((own_speed - speed).abs() < near, "{own_speed} {speed} {passed}");
        for lane in 0..LANES {
            let (a, b) = (own_spin.lane(lane), spin.lane(lane));
            prop_assert!((a - b).abs() < near, "{a} {b}");
        }
        let slip = own_speed - ratio * shaft.mean(own_spin);
        prop_assert!((passed - strength * slip).abs() < strength * near, "{passed} {slip}");
    }

    /// A friction clutch sticks if its capacity suffices; otherwise it slips and transmits exactly its
    /// capacity, from the faster to the slower side.
    #[test]
    fn a_friction_clutch_sticks_or_slips(
        spin in 0f32..60.0, engine in 50f32..500.0, push in 0f32..500.0,
        capacity in 1f32..3000.0, ratio in 2f32..15.0, guess in -3000f32..3000.0,
    ) {
        let shaft = Shaft::new([spin; 4], [0.0; 4]);
        let coupling = dry(capacity, ratio, EngineCoupling { torque: push, ..ENGINE });
        let (passed, spins, speed) = shaft.solve(&coupling, engine, guess);
        let slip = speed - ratio * shaft.mean(spins);
        prop_assert!(passed.abs() <= capacity);
        // The search ends within 1e-5 of the engine's speed; at 3000 N·m and 15:1, the slip's rounding is as
        // large.
        let near = 2e-4 * (1.0 + engine);
        if passed.abs() < capacity {
            prop_assert!(slip.abs() < near, "{passed} {slip}");
        } else {
            prop_assert!(slip * passed.signum() > -near, "{passed} {slip}");
        }
    }

    #[test]
    fn an_engine_never_turns_backwards(
        spin in -100f32..100.0, engine in 0f32..600.0, push in -500f32..500.0, friction in 0f32..300.0,
        ratio in -15f32..15.0, strength in 0f32..100.0, capacity in prop::option::of(0f32..3000.0),
    ) {
        let shaft = Shaft::new([spin; 4], [0.0; 4]);
        let law = EngineCoupling { torque: push, friction, ..ENGINE };
        let coupling = EngineCoupling { capacity, ..viscous(strength, ratio, law) };
        let (passed, spins, speed) = shaft.solve(&coupling, engine, 0.0);
        prop_assert!(speed >= 0.0 && speed.is_finite());
        prop_assert!(passed.is_finite() && spins.is_finite());
    }

    /// A clutch does not increase the energy of engine and wheels.
    #[test]
    fn a_clutch_adds_no_energy(
        spin in prop::array::uniform4(-60f32..60.0), engine in 0f32..500.0,
        ratio in 2f32..15.0, capacity in prop::option::of(1f32..3000.0),
    ) {
        let shaft = Shaft::new(spin, [0.0; 4]);
        let law = EngineCoupling { damping: 0.0, ..ENGINE };
        let coupling = EngineCoupling { capacity, ..viscous(10.0, ratio, law) };
        let energy = |spin: W4, engine: f32| 0.5 * (2.5 * (spin * spin).sum() + engine * engine);
        let (_, spins, speed) = shaft.solve(&coupling, engine, 0.0);
        let start = energy(shaft.start.spin, engine);
        prop_assert!(energy(spins, speed) <= start * (1.0 + 1e-5));
    }
}

#[rstest]
#[case::pedal(viscous(0.0, 8.0, ENGINE))]
#[case::plates_apart(dry(0.0, 8.0, ENGINE))]
#[case::neutral(viscous(10.0, 0.0, ENGINE))]
#[case::neutral_plates(dry(500.0, 0.0, ENGINE))]
fn an_open_clutch_transmits_no_torque(#[case] coupling: EngineCoupling) {
    let shaft = Shaft::new([50.0; 4], [0.0; 4]);
    let (passed, spins, speed) = shaft.solve(&coupling, 120.0, 400.0);
    assert_eq!(passed, 0.0);
    assert!((speed - 120.0 / (1.0 + 0.2 * H)).abs() < 1e-4, "{speed}");
    let damped = 50.0 / (1.0 + 0.25 * H / 2.5);
    assert!((spins.lane(2) - damped).abs() < 1e-4, "{spins:?}");
}

// The engine alone, its clutch open, with dry friction.
#[rstest]
#[case::locked(0.0, 30.0, 50.0, 0.0)]
#[case::broken_loose(0.0, 80.0, 50.0, 0.5)]
#[case::running(100.0, 80.0, 50.0, 100.5)]
#[case::dying(0.5, 0.0, 50.0, 0.0)]
#[case::stalled_by_more(0.5, -600.0, 0.0, 0.0)]
#[case::at_the_limit(599.9, 300.0, 0.0, 600.0)]
#[case::beyond_the_limit(700.0, 300.0, 0.0, 700.0)]
#[case::beyond_without_throttle(700.0, 0.0, 0.0, 700.0)]
fn an_uncoupled_engine_follows_its_own_law(
    #[case] before: f32,
    #[case] torque: f32,
    #[case] friction: f32,
    #[case] after: f32,
) {
    let law = EngineCoupling {
        torque,
        friction,
        damping: 0.0,
        ..ENGINE
    };
    let open = viscous(0.0, 8.0, law);
    let (_, speed) = solve(&open, |_| Sloped::default(), before, 0.0, H);
    assert!((speed - after).abs() < 1e-3, "{speed}");
}

// In gear, wheels act on the engine through a friction clutch: 60 N·m at the wheels are 7.5 N·m at the
// engine (8:1).
#[rstest]
#[case::locked(60.0, 10.0, true)]
#[case::turned(60.0, 5.0, false)]
fn static_friction_of_a_stopped_engine_holds_the_wheels(
    #[case] pull: f32,
    #[case] friction: f32,
    #[case] locks: bool,
) {
    let shaft = Shaft::new([0.0; 4], [0.2 * pull, 0.2 * pull, 0.3 * pull, 0.3 * pull]);
    let coupling = dry(700.0, 8.0, EngineCoupling { friction, ..ENGINE });
    let (passed, spins, speed) = shaft.solve(&coupling, 0.0, 0.0);
    assert_eq!(speed > 1e-3, !locks, "{speed}");
    if locks {
        assert!((passed + 7.5).abs() < 0.02, "{passed}");
        // Tolerance of the search: 1e-5 of slip, over the ratio.
        assert!(spins.abs().lt(W4::splat(1e-4)).all(), "{spins:?}");
    } else {
        assert!(spins.gt(W4::splat(1e-4)).all(), "{spins:?}");
    }
}

#[test]
fn only_wheels_accelerate_an_engine_beyond_its_limit() {
    let push = EngineCoupling {
        torque: 400.0,
        damping: 0.0,
        ..ENGINE
    };
    // 80 rad/s at 8:1: the wheels drive the engine to 640 rad/s.
    let shaft = Shaft::new([80.0; 4], [0.0; 4]);
    let (_, spins, speed) = shaft.solve(&dry(3000.0, 8.0, push), 600.0, 0.0);
    assert!(speed > 600.0 && speed < 640.0, "{speed}");
    assert!((8.0 * shaft.mean(spins) - speed).abs() < 0.01, "{speed}");
    // Coupled to the engine, wheels in the air stay at its limit.
    let shaft = Shaft::new([75.0; 4], [0.0; 4]);
    let (_, _, speed) = shaft.solve(&dry(3000.0, 8.0, push), 600.0, 0.0);
    assert!((speed - 600.0).abs() < 0.02, "{speed}");
}

/// Spins are continuous in torque and rise with it, for tires that grip, slide or stand.
#[test]
fn spins_against_torque_are_continuous_and_rise() {
    let mut shaft = Shaft::new([20.0, 20.0, 0.0, -5.0], [0.0; 4]);
    shaft.start.brake = W4::from_array([0.0, 500.0, 2000.0, 300.0]);
    let driven = Driven {
        consts: shaft.model.wheels().first(),
        rim_weight: shaft.start.rim_weight,
        split: &shaft.split,
        row: &TireRow {
            force: W4::splat(200.0),
            gain: W4::splat(2000.0),
        },
        tangent: &shaft.tangent,
    };
    let bound = W4::splat(4000.0 * H);
    let spins = Spins::new(&driven, bound, 4.0, H);
    let rows = shaft.rows();
    let mut before = spins.mean_at(&rows, -40_000.0);
    let mut kinks = 0;
    for n in -3999..4000 {
        let step = 10.0;
        let now = spins.mean_at(&rows, n as f32 * step);
        assert!(now.slope >= 0.0);
        // Between two torques, the value rises by a slope between those at both.
        let rise = (now.value - before.value) / step;
        let (least, most) = (now.slope.min(before.slope), now.slope.max(before.slope));
        let slack = 1e-6 + 0.02 * most;
        assert!(
            rise > least - slack && rise < most + slack,
            "{rise} {now:?} {before:?}"
        );
        kinks += u32::from(now.slope != before.slope);
        before = now;
    }
    // Each wheel slides at both ends and grips between; braked ones also stand somewhere.
    assert!(kinks >= 8, "{kinks}");
}

/// A falling function, linear between kinks.
#[derive(Clone, Debug)]
struct Falling {
    /// Torques, ascending, and the slopes after them.
    kinks: Vec<(f32, f32)>,
    /// Slope before all of them, and the value at the left end.
    first: f32,
    start: f32,
}

impl Falling {
    fn at(&self, torque: f32) -> Sloped {
        let mut value = f64::from(self.start);
        let mut slope = self.first;
        let (mut from, to) = (-4000.0, torque);
        for &(kink, after) in &self.kinks {
            if to < kink {
                break;
            }
            value += f64::from(slope * (kink - from));
            (from, slope) = (kink, after);
        }
        value += f64::from(slope * (to - from));
        Sloped {
            value: value as f32,
            slope,
        }
    }
}

fn falling() -> impl Strategy<Value = Falling> {
    // As in a substep: wheels slide at both ends; between them, where wheels grip and the engine stands,
    // slopes fall to a hundredth.
    let slope = |from: f32, to: f32| (from..to).prop_map(|exponent| -10f32.powf(exponent));
    let kinks = prop::collection::vec((-3500f32..3500.0, slope(-2.5, -0.5)), 0..4);
    let ends = (slope(-1.5, -0.5), slope(-1.5, -0.5));
    (kinks, ends, -200f32..1500.0).prop_map(|(mut kinks, (first, last), start)| {
        kinks.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(end) = kinks.last_mut() {
            end.1 = last;
        }
        Falling {
            kinks,
            first,
            start,
        }
    })
}

proptest! {
    #[test]
    fn the_zero_of_a_falling_function_is_found(
        slip in falling(), guess in -4000f32..4000.0, most in 1e5f32..1e6,
    ) {
        let calls = Cell::new(0);
        let counted = |torque| {
            calls.set(calls.get() + 1);
            slip.at(torque)
        };
        let torque = root(counted, guess, most, 101.0 * CLUTCH_SLIP, CLUTCH_STEPS);
        prop_assert!(torque.abs() <= most);
        prop_assert!(calls.get() <= CLUTCH_STEPS);
        let value = slip.at(torque).value;
        // The tolerance is 1e-5 of the scale; values are rounded to 1e-4.
        let enough = 2e-3;
        prop_assert!(value.abs() < enough, "{value} at {torque} after {}", calls.get());
    }

    #[test]
    fn a_linear_function_takes_two_steps(
        start in -500f32..500.0, slope in -0.3f32..-0.003, guess in -4000f32..4000.0,
        most in 1f32..3000.0,
    ) {
        let line = Falling { kinks: Vec::new(), first: slope, start };
        let calls = Cell::new(0);
        let counted = |torque| {
            calls.set(calls.get() + 1);
            line.at(torque)
        };
        let torque = root(counted, guess, most, 101.0 * CLUTCH_SLIP, CLUTCH_STEPS);
        let zero = (-4000.0 - start / slope).clamp(-most, most);
        // The search ends at a slip of 1e-3.
        prop_assert!((torque - zero).abs() < 0.01 + 1e-3 / -slope, "{torque} {zero}");
        // Rounding of value and step may require one more.
        prop_assert!(calls.get() <= 3, "{}", calls.get());
    }
}

/// Wheels in the air at `spin`, the engine nearly at rest: the torque is so large that the slip's rounding
/// exceeds the tolerance of the search.
#[rstest]
#[case::wheels_run_away(
    viscous(4.424_844_7, 14.261_659, EngineCoupling { torque: 495.400_33, ..ENGINE }), 34.8986, 0.090_112_34, -962.6465
)]
#[case::engine_runs_away(
    viscous(17.155_617, 10.980_632, EngineCoupling { torque: 0.778_287_65, ..ENGINE }), 43.621_04, 0.468_411_24, -945.536
)]
#[case::plates_slip(
    dry(2747.2102, 13.805_898, EngineCoupling { torque: 249.370_45, ..ENGINE }), 53.789_46, 1.027_203_3, -1739.3517
)]
fn a_search_stopped_by_rounding_keeps_its_result(
    #[case] coupling: EngineCoupling,
    #[case] spin: f32,
    #[case] engine: f32,
    #[case] guess: f32,
) {
    let shaft = Shaft::new([spin; 4], [0.0; 4]);
    let (passed, spins, speed) = shaft.solve(&coupling, engine, guess);
    let slip = speed - coupling.ratio * shaft.mean(spins);
    let expected = match coupling.capacity {
        Some(_) => 0.0,
        None => passed / coupling.clutch,
    };
    assert!(passed.abs() < 3000.0, "{passed}");
    assert!((slip - expected).abs() < 0.01, "{slip} {passed}");
}

#[test]
fn a_zero_between_flat_ends_is_found() {
    let slip = Falling {
        kinks: alloc::vec![(-2000.0, -0.3), (1800.0, -0.02)],
        first: -0.001,
        start: 165.0,
    };
    let torque = root(
        |torque| slip.at(torque),
        -2500.0,
        2500.0,
        101.0 * CLUTCH_SLIP,
        CLUTCH_STEPS,
    );
    // 165 − 0.001·2000 − 0.3·x = 0.
    assert!((torque - (163.0 / 0.3 - 2000.0)).abs() < 0.1, "{torque}");
}

/// Whatever the clutch's torque, the engine idles; standing wheels then receive the torque transmitted at idle
/// speed.
#[rstest]
#[case::viscous(viscous(5.0, 8.0, IDLING), 5.0 * IDLING.idle_speed)]
#[case::dry(dry(90.0, 8.0, IDLING), 90.0)]
fn an_engine_never_falls_below_its_idle_speed(
    #[case] coupling: EngineCoupling,
    #[case] passed: f32,
) {
    let mut shaft = Shaft::new([0.0; LANES], [0.0; LANES]);
    shaft.start.brake = W4::splat(1e5);
    let (torque, spin, speed) = shaft.solve(&coupling, IDLING.idle_speed, 0.0);
    assert_eq!((spin, speed), (W4::ZERO, IDLING.idle_speed));
    assert!((torque - passed).abs() < 1e-3 * passed, "{torque}");
}

/// The controller's 50 N·m do not make up for 90 N·m of the clutch and 30 N·m of friction; nor do they turn the engine when
/// it stands.
#[rstest]
#[case::running(80.0, (80.0 + H * (50.0 - 90.0 - 30.0)) / (1.0 + H * ENGINE.damping))]
#[case::standing(0.0, 0.0)]
fn an_idle_controller_is_no_stronger_than_its_torque(#[case] before: f32, #[case] expected: f32) {
    let coupling = EngineCoupling {
        idle_torque: 50.0,
        ..dry(90.0, 8.0, IDLING)
    };
    let mut shaft = Shaft::new([0.0; LANES], [0.0; LANES]);
    shaft.start.brake = W4::splat(1e5);
    let (_, spin, speed) = shaft.solve(&coupling, before, 0.0);
    assert_eq!(spin, W4::ZERO);
    assert!((speed - expected).abs() < 1e-4, "{speed} {expected}");
}

/// Closed throttle.
const IDLING: EngineCoupling = EngineCoupling {
    idle_speed: 80.0,
    friction: 30.0,
    ..ENGINE
};

/// An estimate takes at most its sweeps, and ends early where its tolerance says.
#[rstest]
#[case::exact(ClutchAccuracy::Exact, CLUTCH_STEPS, CLUTCH_SLIP)]
#[case::one(ClutchAccuracy::Iterative { sweeps: 1, tolerance: 0.0 }, 1, CLUTCH_SLIP)]
#[case::many(ClutchAccuracy::Iterative { sweeps: 99, tolerance: 1e-4 }, CLUTCH_STEPS, 0.01)]
fn an_estimate_takes_its_steps(
    #[case] accuracy: ClutchAccuracy,
    #[case] steps: u32,
    #[case] enough: f32,
) {
    assert_eq!(iterations(accuracy), (steps, enough));
    let asked = Cell::new(0);
    let slip = |torque: f32| {
        asked.set(asked.get() + 1);
        let bent = if torque > 40.0 { 9.0 } else { 1.0 };
        Sloped {
            value: bent * (40.0 - torque) + 1.0,
            slope: -bent,
        }
    };
    root(slip, 300.0, 1e4, 1e-3, steps);
    assert!(asked.get() <= steps, "{}", asked.get());
}
