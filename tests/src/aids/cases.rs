//! The cases of the table.

use jounce::aids::{
    Abs, AidSuite, HillHold, RearChannels, StabilityControl, TractionControl, ValveAbs,
};
use proving_ground::ProvingError;
use proving_ground::stage::Setup;

use super::dwell::{Dwell, sine_with_dwell, steering_at_0_3_g};
use super::rig::Road;
use super::starts::{best_launch, hill_start, launch};
use super::stops::{best_constant, stop};
use crate::stability::{CarFinding, Goal, StabilityCase};

/// Constant slips among which the best one is sought (–).
const STOP_SLIPS: [f32; 10] = [0.03, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.18, 0.22, 0.28];
const LAUNCH_SLIPS: [f32; 6] = [0.03, 0.05, 0.07, 0.1, 0.13, 0.16];
/// Amplitudes of the sine with dwell over the angle of 0.3 g (–), as FMVSS 126 drives them, up to 270° of the steering wheel.
const LADDER: [f32; 7] = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 8.5];
/// The least amplitude from which on a car must move 1.83 m aside (–).
const RESPONSIVE: f32 = 5.0;

const DRY: Road = Road::level(0.9);
const SLIPPERY: Road = Road::level(0.3);
const SPLIT: Road = Road {
    frictions: [0.8, 0.1],
    ..Road::level(0.8)
};
const WAVES: Road = Road {
    waves: 0.02,
    ..Road::level(0.9)
};

/// An ABS whose valves fill and empty brakes at once: on waves, those of a passenger car are too slow.
const AT_ANY_RATE: Abs = Abs {
    fill_rate: 1e9,
    release_rate: 1e9,
    ..Abs::car()
};

const fn case(
    (name, what): (&'static str, &'static str),
    goal: Goal,
    digits: usize,
    measure: fn(&Setup<'_>) -> Result<CarFinding, ProvingError>,
) -> StabilityCase {
    StabilityCase {
        name,
        what,
        goal,
        coarse: goal,
        peer: "none",
        digits,
        measure,
    }
}

/// Every case.
pub const CASES: [StabilityCase; 18] = [
    case(
        ("stop-dry", "ABS on 0.9: over the best constant slip [%]"),
        Goal::AtMost(3.0),
        2,
        |setup| over_best(setup, DRY, &fitted(&Abs::car())),
    ),
    case(
        (
            "stop-slippery",
            "ABS on 0.3: over the best constant slip [%]",
        ),
        Goal::AtMost(3.0),
        2,
        |setup| over_best(setup, SLIPPERY, &fitted(&Abs::car())),
    ),
    case(
        (
            "stop-waves",
            "ABS at any rate, 20 mm waves: over the best [%]",
        ),
        Goal::AtMost(6.0),
        2,
        |setup| over_best(setup, WAVES, &fitted(&AT_ANY_RATE)),
    ),
    case(
        ("own-waves", "ABS, 20 mm waves: over the best [%]"),
        Goal::AtMost(6.0),
        2,
        |setup| over_best(setup, WAVES, &fitted(&Abs::car())),
    ),
    case(
        ("stop-spread", "ABS on 0.9 and 0.3: spread [%]"),
        Goal::AtMost(0.5),
        2,
        |setup| spread(setup, &[DRY, SLIPPERY], &fitted(&Abs::car())),
    ),
    case(
        (
            "waves-spread",
            "ABS, 20 mm waves, at any and its rate: spread [%]",
        ),
        Goal::AtMost(2.5),
        2,
        waves_spread,
    ),
    case(
        ("stop-locked", "ABS on 0.3: longest lock above 10 km/h [s]"),
        Goal::Below(0.2),
        2,
        |setup| {
            let aids = fitted(&Abs::car());
            each_rate(|rate| Ok(stop(setup, &aids, SLIPPERY, rate)?.locked.into()))
        },
    ),
    case(
        ("split-yaw", "ABS on 0.8/0.1, select-low: yaw [°]"),
        Goal::Below(6.0),
        1,
        |setup| split_yaw(setup, &fitted(&Abs::car())),
    ),
    case(
        (
            "split-braking",
            "its deceleration over UN R13-H, annex 6 (-)",
        ),
        Goal::AtLeast(1.0),
        2,
        split_braking,
    ),
    case(
        ("valves-spread", "valves on 0.9 and 0.3: spread [%]"),
        Goal::AtMost(0.5),
        2,
        |setup| spread(setup, &[DRY, SLIPPERY], &valves()),
    ),
    case(
        ("valves-locked", "valves on 0.3: longest lock [s]"),
        Goal::Below(0.2),
        2,
        |setup| each_rate(|rate| Ok(stop(setup, &valves(), SLIPPERY, rate)?.locked.into())),
    ),
    case(
        ("valves-split", "valves on 0.8/0.1: yaw [°]"),
        Goal::Below(6.0),
        1,
        |setup| split_yaw(setup, &valves()),
    ),
    case(
        ("launch", "traction control on 0.3: of the best [%]"),
        Goal::AtLeast(97.0),
        1,
        launched,
    ),
    case(
        ("hill-back", "hill hold on 20 %: rolls back [mm]"),
        Goal::Below(10.0),
        2,
        |setup| each_rate(|rate| Ok(1000.0 * hill_start(setup, &hold(), 0.2, rate)?.back)),
    ),
    case(
        ("hill-off", "hill hold: off after the torque suffices [s]"),
        Goal::AtMost(0.25),
        2,
        |setup| each_rate(|rate| Ok(hill_start(setup, &hold(), 0.2, rate)?.late.into())),
    ),
    case(
        ("dwell-without", "sine with dwell, no aid: ratio at 1 s (-)"),
        Goal::AtLeast(0.35),
        2,
        |setup| ladder(setup, &AidSuite::default(), |dwell| dwell.ratios[0]),
    ),
    case(
        ("dwell-with", "with stability control: over its bounds (-)"),
        Goal::AtMost(1.0),
        2,
        |setup| {
            ladder(setup, &stability(), |dwell| {
                (dwell.ratios[0] / 0.35).max(dwell.ratios[1] / 0.2)
            })
        },
    ),
    case(
        ("dwell-aside", "with it, 5 A and more: displacement [m]"),
        Goal::AtLeast(1.83),
        2,
        aside,
    ),
];

fn each_rate(
    measure: impl FnMut(f32) -> Result<f64, ProvingError>,
) -> Result<CarFinding, ProvingError> {
    CarFinding::at_rates(measure)
}

fn hold() -> AidSuite {
    AidSuite {
        hill_hold: Some(HillHold::car()),
        ..AidSuite::default()
    }
}

fn stability() -> AidSuite {
    AidSuite {
        stability_control: Some(StabilityControl::car()),
        ..AidSuite::default()
    }
}

fn fitted(abs: &Abs) -> AidSuite {
    AidSuite {
        abs: Some(*abs),
        ..AidSuite::default()
    }
}

fn valves() -> AidSuite {
    AidSuite {
        valve_abs: Some(ValveAbs::car()),
        ..AidSuite::default()
    }
}

/// Excess of distances over the best one with a constant slip (`%`).
fn over_best(setup: &Setup<'_>, road: Road, aids: &AidSuite) -> Result<CarFinding, ProvingError> {
    let (best, slip) = best_constant(setup, road, &STOP_SLIPS)?;
    let found = each_rate(|rate| {
        let distance = stop(setup, aids, road, rate)?.distance;
        Ok(100.0 * (distance / best - 1.0))
    })?;
    Ok(CarFinding {
        note: format!("best {best:.1} m at {slip}"),
        ..found
    })
}

/// Spread of distances over the rates on each road (`%`).
fn spread(setup: &Setup<'_>, roads: &[Road], aids: &AidSuite) -> Result<CarFinding, ProvingError> {
    let mut found = CarFinding::default();
    for road in roads {
        let stops = each_rate(|rate| Ok(stop(setup, aids, *road, rate)?.distance))?;
        found.values.push(CarFinding::spread(&stops.values));
        let separator = if found.note.is_empty() { "" } else { "; " };
        found.note += &format!("{separator}{} m", stops.text(1));
    }
    Ok(found)
}

/// Spreads on waves, with brakes of any rate and with a car's.
fn waves_spread(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let [any, own] = [AT_ANY_RATE, Abs::car()].map(|abs| spread(setup, &[WAVES], &fitted(&abs)));
    let (any, own) = (any?, own?);
    Ok(CarFinding {
        values: [any.values, own.values].concat(),
        note: format!("{}; {}", any.note, own.note),
    })
}

/// Greatest yaw angle on split friction (`°`).
fn split_yaw(setup: &Setup<'_>, aids: &AidSuite) -> Result<CarFinding, ProvingError> {
    each_rate(|rate| Ok(stop(setup, aids, SPLIT, rate)?.yaw.to_degrees().into()))
}

/// Deceleration on split friction over 0.75·(4·low + high)/5 of the frictions; four channels beside it are told.
fn split_braking(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let [high, low] = SPLIT.frictions.map(f64::from);
    let least = 0.75 * (4.0 * low + high) / 5.0 * 9.81;
    let speed = 100.0 / 3.6;
    let found = each_rate(|rate| {
        let distance = stop(setup, &fitted(&Abs::car()), SPLIT, rate)?.distance;
        Ok(speed * speed / (2.0 * distance) / least)
    })?;
    let four = fitted(&Abs {
        rear: RearChannels::Each,
        ..Abs::car()
    });
    let four = stop(setup, &four, SPLIT, 60.0)?;
    let (distance, yaw) = (four.distance, four.yaw.to_degrees());
    Ok(CarFinding {
        note: format!("four channels {distance:.0} m, {yaw:.0}°"),
        ..found
    })
}

/// Part of the best launch (`%`).
fn launched(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let road = SLIPPERY;
    let best = best_launch(setup, road, &LAUNCH_SLIPS)?;
    let control = AidSuite {
        traction_control: Some(TractionControl::car()),
        ..AidSuite::default()
    };
    let found = each_rate(|rate| {
        let reached = launch(setup, &control, road, rate)?;
        Ok(100.0 * f64::from(reached / best))
    })?;
    let without = launch(setup, &AidSuite::default(), road, 60.0)?;
    Ok(CarFinding {
        note: format!("{best:.2} m/s², without {without:.2}"),
        ..found
    })
}

/// Greatest value over the amplitudes.
fn ladder(
    setup: &Setup<'_>,
    aids: &AidSuite,
    value: impl Fn(&Dwell) -> f32,
) -> Result<CarFinding, ProvingError> {
    let angle = steering_at_0_3_g(setup)?;
    let worst = |rate: f32| {
        let mut worst = f32::NEG_INFINITY;
        for times in LADDER {
            let dwell = sine_with_dwell(setup, aids, times * angle, rate)?;
            worst = worst.max(value(&dwell));
        }
        Ok(worst.into())
    };
    each_rate(worst)
}

/// Least displacement from five times the angle of 0.3 g on (`m`).
fn aside(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let angle = steering_at_0_3_g(setup)?;
    let least = |rate: f32| {
        let mut least = f32::INFINITY;
        for times in LADDER.into_iter().filter(|times| *times >= RESPONSIVE) {
            let dwell = sine_with_dwell(setup, &stability(), times * angle, rate)?;
            least = least.min(dwell.displacement);
        }
        Ok(least.into())
    };
    each_rate(least)
}
