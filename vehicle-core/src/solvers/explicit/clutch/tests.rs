//! The coupled speeds against their equations, written out as a matrix in double precision
//! (ALGORITHMS §4.7).

use super::*;
use crate::base::lanes::Groups;
use crate::contracts::drivetrain::WheelControl;
use crate::params::profile::ExplicitSettings;
use crate::stages::model::VehicleModel;
use crate::testing::model_of;
use crate::testing::uneven::{close, uneven};
use proptest::prelude::*;
use rstest::rstest;

const H: f32 = 1.0 / 60.0;
/// Six wheels in two groups.
const WHEELS: usize = 6;
/// Lanes and the engine.
const UNKNOWNS: usize = 2 * LANES + 1;
const ENGINE: usize = UNKNOWNS - 1;

/// A drive in the middle of a step.
#[derive(Clone, Debug)]
struct Case {
    torque_share: [f32; UNKNOWNS],
    speed_share: [f32; UNKNOWNS],
    brake: [f32; UNKNOWNS],
    direct: [f32; UNKNOWNS],
    tire: [f32; UNKNOWNS],
    /// Spins of all lanes, and the engine's speed.
    speeds: [f32; UNKNOWNS],
    engine: EngineCoupling,
}

/// Numbers of the lanes that are wheels.
fn of_wheels(range: core::ops::Range<f32>) -> impl Strategy<Value = [f32; UNKNOWNS]> {
    prop::array::uniform6(range)
        .prop_map(|wheels| core::array::from_fn(|n| wheels.get(n).copied().unwrap_or(0.0)))
}

/// The numbers of some wheels the other way round.
fn turned(mut of: [f32; UNKNOWNS], backwards: [bool; 6]) -> [f32; UNKNOWNS] {
    for (number, back) in of.iter_mut().zip(backwards) {
        *number = if back { -*number } else { *number };
    }
    of
}

fn couplings() -> impl Strategy<Value = EngineCoupling> {
    let numbers = (0.3f32..2.0, 0f32..0.5, -200f32..300.0, 0f32..30.0);
    let ratio = prop_oneof![-12f32..-2.0, 2f32..12.0];
    (numbers, ratio).prop_map(
        |((inertia, damping, torque, clutch), ratio)| EngineCoupling {
            inertia,
            idle_speed: -1e6,
            idle_torque: f32::INFINITY,
            max_speed: 1e6,
            damping,
            torque,
            friction: 0.0,
            ratio,
            clutch,
            capacity: None,
            accuracy: ClutchAccuracy::Exact,
            throttle: 1.0,
        },
    )
}

/// Wheels that turn, brakes too weak to stop them, an engine in the middle of its range.
fn cases() -> impl Strategy<Value = Case> {
    let shares = (of_wheels(0.0..0.4), of_wheels(0.0..0.4), any::<[bool; 6]>());
    let torques = (
        of_wheels(0.0..60.0),
        of_wheels(-60.0..60.0),
        of_wheels(-60.0..60.0),
    );
    let speeds = (of_wheels(5.0..40.0), any::<[bool; 6]>(), 1e3f32..2e3);
    (shares, torques, speeds, couplings()).prop_map(|(shares, torques, speeds, engine)| {
        let mut spins = turned(speeds.0, speeds.1);
        spins[ENGINE] = speeds.2;
        Case {
            // A wheel that is geared backwards is so in both.
            torque_share: turned(shares.0, shares.2),
            speed_share: turned(shares.1, shares.2),
            brake: torques.0,
            direct: torques.1,
            tire: torques.2,
            speeds: spins,
            engine,
        }
    })
}

fn model() -> VehicleModel {
    let mut params = uneven();
    let pair = [params.wheels[1].clone(), params.wheels[2].clone()];
    params.wheels.extend(pair);
    for wheel in &mut params.wheels {
        wheel.suspension.sprung_mass = 250.0;
    }
    params.wheels[4].inertia = 3.3;
    params.wheels[5].damping = 0.9;
    model_of(params)
}

fn group(of: &[f32; UNKNOWNS], g: usize) -> W4 {
    W4::from_fn(|lane| of[g * LANES + lane])
}

fn control(case: &Case, coupling: Option<EngineCoupling>) -> Control {
    Control {
        wheels: Groups::for_wheels(WHEELS, |g| WheelControl {
            torque_share: group(&case.torque_share, g),
            speed_share: group(&case.speed_share, g),
            brake: group(&case.brake, g),
            drive: group(&case.direct, g),
            coupling_ratio: W4::ONE,
            ..WheelControl::default()
        }),
        coupling,
        ..Control::idle(WHEELS)
    }
}

/// All speeds after a step.
fn solved(case: &Case, control: &Control, settings: &ExplicitSettings) -> [f32; UNKNOWNS] {
    let mut wheels = Groups::for_wheels(WHEELS, |g| WheelState {
        spin: group(&case.speeds, g),
        ..WheelState::AT_REST
    });
    let mut drive = DriveState {
        engine_speed: case.speeds[ENGINE],
        ..DriveState::default()
    };
    let model = model();
    let tire = |g| group(&case.tire, g);
    solve(
        settings.equal_bound_spins,
        model.wheels(),
        control,
        tire,
        &mut wheels,
        &mut drive,
        H,
    );
    core::array::from_fn(|n| match n {
        ENGINE => drive.engine_speed,
        n => wheels[n / LANES].spin.lane(n % LANES),
    })
}

type Matrix = [[f64; UNKNOWNS]; UNKNOWNS];

/// The equations M·x = b of the step's end: wheels in their lanes, the engine last.
fn equations(case: &Case) -> (Matrix, [f64; UNKNOWNS]) {
    let (mut m, mut b) = ([[0.0; UNKNOWNS]; UNKNOWNS], case.speeds.map(f64::from));
    let engine = &case.engine;
    let (ratio, clutch) = (f64::from(engine.ratio), f64::from(engine.clutch));
    let h = f64::from(H);
    let share = |n: usize| f64::from(case.speed_share[n]);
    let model = model();
    for (n, wheel) in model.params().wheels.iter().enumerate() {
        let per_inertia = h / f64::from(wheel.inertia);
        let torque = per_inertia * clutch * ratio * f64::from(case.torque_share[n]);
        (0..WHEELS).for_each(|j| m[n][j] = torque * ratio * share(j));
        m[n][n] += 1.0 + per_inertia * f64::from(wheel.damping);
        m[n][ENGINE] = -torque;
        let brake = f64::from(case.brake[n] * case.speeds[n].signum());
        b[n] += per_inertia * (f64::from(case.tire[n] + case.direct[n]) - brake);
    }
    (WHEELS..ENGINE).for_each(|n| m[n][n] = 1.0);
    let per_inertia = h / f64::from(engine.inertia);
    (0..WHEELS).for_each(|j| m[ENGINE][j] = -per_inertia * clutch * ratio * share(j));
    m[ENGINE][ENGINE] = 1.0 + per_inertia * (clutch + f64::from(engine.damping));
    b[ENGINE] += per_inertia * f64::from(engine.torque);
    (m, b)
}

/// The solution, by elimination.
fn eliminated(mut m: Matrix, mut b: [f64; UNKNOWNS]) -> [f64; UNKNOWNS] {
    for n in 0..UNKNOWNS {
        for i in (0..UNKNOWNS).filter(|&i| i != n) {
            let times = m[i][n] / m[n][n];
            let (pivot, known) = (m[n], b[n]);
            (0..UNKNOWNS).for_each(|j| m[i][j] -= times * pivot[j]);
            b[i] -= times * known;
        }
    }
    core::array::from_fn(|n| b[n] / m[n][n])
}

/// Holds speeds against those of the equations, where braked wheels that would turn back stand.
fn alike(
    case: &Case,
    actual: [f32; UNKNOWNS],
    expected: [f64; UNKNOWNS],
) -> Result<(), TestCaseError> {
    let most = expected
        .into_iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    for n in 0..UNKNOWNS {
        let braked = n < WHEELS && case.brake[n] > 0.0;
        // Whether a wheel that just stands does so is decided by rounding.
        if braked && expected[n].abs() < 1e-4 * most {
            continue;
        }
        let stands = braked && expected[n] * f64::from(case.speeds[n]) <= 0.0;
        let speed = if stands { 0.0 } else { expected[n] as f32 };
        prop_assert!(
            close(actual[n], speed, 0.3 * most as f32),
            "{n} {actual:?} {expected:?}"
        );
    }
    Ok(())
}

/// One sweep of Gauss–Seidel.
fn sweep(m: &Matrix, b: &[f64; UNKNOWNS], x: &mut [f64; UNKNOWNS]) {
    for i in 0..UNKNOWNS {
        let others: f64 = (0..UNKNOWNS)
            .filter(|&j| j != i)
            .map(|j| m[i][j] * x[j])
            .sum();
        x[i] = (b[i] - others) / m[i][i];
    }
}

/// Squared residual over squared right-hand side, by which sweeps stop.
fn unrest(m: &Matrix, b: &[f64; UNKNOWNS], x: &[f64; UNKNOWNS], tolerance: f64) -> f64 {
    let left = |i: usize| (0..UNKNOWNS).map(|j| m[i][j] * x[j]).sum::<f64>() - b[i];
    let squares = |of: &dyn Fn(usize) -> f64| (0..UNKNOWNS).map(|i| of(i) * of(i)).sum::<f64>();
    squares(&left) / (squares(&|i| b[i]) + tolerance)
}

/// A case whose coupling is so mild that sweeps come to something.
fn mild(case: Case, accuracy: ClutchAccuracy) -> Case {
    let engine = EngineCoupling {
        ratio: 0.1 * case.engine.ratio,
        accuracy,
        ..case.engine
    };
    Case { engine, ..case }
}

/// A case with an engine about as fast as the wheels, at so much of all speeds and torques.
fn slowed(mut case: Case, share: f32, engine: f32) -> Case {
    case.speeds[ENGINE] = engine;
    for numbers in [
        &mut case.speeds,
        &mut case.brake,
        &mut case.direct,
        &mut case.tire,
    ] {
        numbers.iter_mut().for_each(|number| *number *= share);
    }
    case.engine.torque *= share;
    case
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// The closed form solves the equations.
    #[test]
    fn the_closed_form_solves_the_equations(case in cases()) {
        let control = control(&case, Some(case.engine));
        let (m, b) = equations(&case);
        alike(&case, solved(&case, &control, &ExplicitSettings::PHYSX_4), eliminated(m, b))?;
    }

    /// Wheel couplings of one wheel: the least squares of as many equations as unknowns solve them, too.
    #[test]
    fn least_squares_solve_what_can_be_solved(case in cases()) {
        let mut control = control(&case, Some(case.engine));
        control.wheel_couplings = 1;
        control.wheels[1].wheel_coupling = [0, 1, 0, 0];
        let (m, b) = equations(&case);
        alike(&case, solved(&case, &control, &ExplicitSettings::DEFAULT), eliminated(m, b))?;
    }

    /// Sweeps are those of Gauss and Seidel, wheels first, then the engine, as many as were asked for.
    #[test]
    fn sweeps_are_those_of_gauss_and_seidel(case in cases(), sweeps in 1u32..5) {
        let case = mild(case, ClutchAccuracy::Iterative { sweeps, tolerance: 0.0 });
        let control = control(&case, Some(case.engine));
        let (m, b) = equations(&case);
        let mut expected = case.speeds.map(f64::from);
        (0..sweeps).for_each(|_| sweep(&m, &b, &mut expected));
        alike(&case, solved(&case, &control, &ExplicitSettings::PHYSX_4), expected)?;
    }

    /// Sweeps end when the squared residual is below the tolerance, of the right-hand side's square.
    #[test]
    fn sweeps_end_when_they_are_accurate_enough(
        case in cases(), digits in 0f32..8.0, slower in 0f32..3.0, engine in 10f32..60.0,
    ) {
        let tolerance = libm::powf(10.0, -digits);
        let case = mild(case, ClutchAccuracy::Iterative { sweeps: 30, tolerance });
        let case = slowed(case, libm::powf(10.0, -slower), engine);
        let control = control(&case, Some(case.engine));
        let (m, b) = equations(&case);
        let mut expected = case.speeds.map(f64::from);
        for _ in 0..30 {
            sweep(&m, &b, &mut expected);
            let unrest = unrest(&m, &b, &expected, f64::from(tolerance)) / f64::from(tolerance);
            // What rounding decides proves nothing.
            prop_assume!(!(0.95..1.05).contains(&unrest));
            if unrest < 1.0 {
                break;
            }
        }
        alike(&case, solved(&case, &control, &ExplicitSettings::PHYSX_4), expected)?;
    }

    /// Every wheel is independent without an engine.
    #[test]
    fn without_an_engine_wheels_are_independent(case in cases()) {
        let engine = EngineCoupling { clutch: 0.0, ..case.engine };
        let (m, mut b) = equations(&Case { engine, ..case.clone() });
        b[ENGINE] = m[ENGINE][ENGINE] * f64::from(case.speeds[ENGINE]);
        let actual = solved(&case, &control(&case, None), &ExplicitSettings::PHYSX_4);
        alike(&case, actual, eliminated(m, b))?;
    }
}

/// An engine of a light flywheel behind an open clutch.
fn uncoupled(accuracy: ClutchAccuracy, torque: f32) -> EngineCoupling {
    EngineCoupling {
        inertia: 0.1,
        idle_speed: 80.0,
        idle_torque: f32::INFINITY,
        max_speed: 600.0,
        damping: 0.1,
        torque,
        friction: 0.0,
        ratio: 4.0,
        clutch: 0.0,
        capacity: None,
        accuracy,
        throttle: 0.0,
    }
}

/// Six wheels and an engine of which nothing is known but their speeds.
fn coasting(engine: EngineCoupling, speeds: [f32; UNKNOWNS]) -> Case {
    let nothing = [0.0; UNKNOWNS];
    Case {
        torque_share: nothing,
        speed_share: nothing,
        brake: nothing,
        direct: nothing,
        tire: nothing,
        speeds,
        engine,
    }
}

/// A braked wheel that would turn back stands, whoever solves it; one that is not braked turns back.
#[rstest]
#[case::closed(Some(ClutchAccuracy::Exact), 0)]
#[case::swept(Some(ClutchAccuracy::physx_estimate(5)), 0)]
#[case::bound(Some(ClutchAccuracy::Exact), 1)]
#[case::alone(None, 0)]
fn brakes_lock_wheels_and_reverse_none(
    #[case] accuracy: Option<ClutchAccuracy>,
    #[case] wheel_couplings: u8,
) {
    let engine = uncoupled(accuracy.unwrap_or_default(), 0.0);
    let case = Case {
        brake: [5000.0, 5000.0, 5000.0, 0.0, 10.0, 0.0, 0.0, 0.0, 0.0],
        tire: [0.0, 0.0, 100.0, -9000.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ..coasting(engine, [3.0, -3.0, 0.0, 1.0, 9.0, 0.0, 0.0, 0.0, 100.0])
    };
    let mut control = control(&case, accuracy.map(|_| engine));
    control.wheel_couplings = wheel_couplings;
    control.wheels[1].wheel_coupling[1] = wheel_couplings;
    let after = solved(&case, &control, &ExplicitSettings::PHYSX_4);
    assert_eq!(after[..3], [0.0; 3], "locked");
    assert!(after[3] < 0.0 && after[4] > 0.0, "{after:?}");
}

/// An engine keeps within its range, whoever solves it.
#[rstest]
#[case::closed(ClutchAccuracy::Exact)]
#[case::swept(ClutchAccuracy::physx_estimate(5))]
fn an_engine_keeps_within_its_range(#[case] accuracy: ClutchAccuracy) {
    let speed = |torque: f32| {
        let engine = uncoupled(accuracy, torque);
        let mut speeds = [0.0; UNKNOWNS];
        speeds[ENGINE] = 300.0;
        let case = coasting(engine, speeds);
        solved(
            &case,
            &control(&case, Some(engine)),
            &ExplicitSettings::PHYSX_4,
        )[ENGINE]
    };
    assert_eq!([speed(1e5), speed(-1e5)], [600.0, 80.0]);
    assert!(speed(0.0) < 300.0 && speed(0.0) > 290.0);
}
