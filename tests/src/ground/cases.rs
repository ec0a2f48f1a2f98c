//! The cases of the table: what happens at curbs, walls, stairs and cracks.

use jounce::core::CarCommand;
use proving_ground::ProvingError;
use proving_ground::stage::FREE;

use super::rig::Line;
use super::trial::{Passage, Trial};

/// Steps in a second (`Hz`).
pub const RATES: [f32; 3] = [60.0, 120.0, 240.0];
/// Radii of wheels (`m`).
pub const RADII: [f32; 2] = [0.35, 0.5];
/// Steps of the stairs, and their height and depth (`m`).
const STAIRS: (u32, f64, f64) = (6, 0.17, 0.3);

/// Brakes by which a car slows down and still passes every curb.
const BRAKED: CarCommand = CarCommand { brake: 0.1, ..FREE };

/// One measurement: each value has the bound.
#[derive(Clone, Copy, Debug)]
pub struct GroundCase {
    /// Short name.
    pub name: &'static str,
    /// The measured quantity, with its unit.
    pub what: &'static str,
    /// The most that is right.
    pub most: f64,
    /// Decimal places.
    pub digits: usize,
    /// The measurement.
    pub measure: fn(&Trial) -> Result<f64, ProvingError>,
}

const fn case(
    name: &'static str,
    what: &'static str,
    (most, digits): (f64, usize),
    measure: fn(&Trial) -> Result<f64, ProvingError>,
) -> GroundCase {
    GroundCase {
        name,
        what,
        most,
        digits,
        measure,
    }
}

/// Every case.
pub const CASES: [GroundCase; 17] = [
    case(
        "curb-vertical",
        "curbs up: vertical jolt off the judge's [%]",
        (10.0, 1),
        |trial| trial.beside_the_judge(FREE, |found, right| off(found.jolt.y, right.jolt.y)),
    ),
    case(
        "curb-horizontal",
        "curbs up: horizontal jolt off the judge's [%]",
        (15.0, 1),
        |trial| trial.beside_the_judge(FREE, |found, right| off(found.jolt.x, right.jolt.x)),
    ),
    case(
        "curb-jolt",
        "curbs up: greatest change of velocity in 1/60 s [g]",
        (5.0, 2),
        |trial| Ok(trial.over_curbs(1.0, &[FREE])?.jolt.max_element()),
    ),
    case(
        "curb-exit",
        "curbs up: speed behind them off the judge's [m/s]",
        (0.1, 3),
        |trial| trial.beside_the_judge(FREE, exit_off),
    ),
    case(
        "curb-spread",
        "curbs up: spread of that speed over all rates and phases [m/s]",
        (0.06, 3),
        |trial| trial.spread(&RATES),
    ),
    case(
        "curb-clip",
        "curbs up and down: the shown wheel in the ground [mm]",
        (10.0, 1),
        |trial| {
            let [up, down] = [1.0, -1.0].map(|sign| trial.over_curbs(sign, &[FREE]));
            Ok(1e3 * up?.clip.max(down?.clip))
        },
    ),
    case(
        "curb-down",
        "curbs down: greatest change of velocity in 1/60 s [g]",
        (1.0, 2),
        |trial| Ok(trial.over_curbs(-1.0, &[FREE])?.jolt.max_element()),
    ),
    case(
        "braked-vertical",
        "curbs up, braked: vertical jolt off the judge's [%]",
        (10.0, 1),
        |trial| trial.beside_the_judge(BRAKED, |found, right| off(found.jolt.y, right.jolt.y)),
    ),
    case(
        "braked-horizontal",
        "curbs up, braked: horizontal jolt off the judge's [%]",
        (15.0, 1),
        |trial| trial.beside_the_judge(BRAKED, |found, right| off(found.jolt.x, right.jolt.x)),
    ),
    case(
        "braked-exit",
        "curbs up, braked: speed behind them off the judge's [m/s]",
        (0.1, 3),
        |trial| trial.beside_the_judge(BRAKED, exit_off),
    ),
    case(
        "curb-driven",
        "curbs up, driven: greatest change of velocity in 1/60 s [g]",
        (5.0, 2),
        |trial| Ok(trial.over_curbs(1.0, &[throttle(0.5)])?.jolt.max_element()),
    ),
    case(
        "curb-oblique",
        "curbs up at 30°: the same change [g]",
        (5.0, 2),
        |trial| Ok(trial.over_oblique_curbs()?.jolt.max_element()),
    ),
    case(
        "step",
        "a step of 0.7 radii at 5 m/s stops the car: rise of the body [mm]",
        (30.0, 1),
        |trial| {
            let line = Line::curb(0.7 * f64::from(trial.radius));
            let found = trial.over(&line, 5.0, FREE)?;
            Ok(if_stopped(found.stops(), 1e3 * found.rise))
        },
    ),
    case(
        "wall",
        "a wall at 8 m/s stops the car: the shown wheel in it [mm]",
        (30.0, 1),
        |trial| {
            let found = trial.over(&Line::curb(3.0), 8.0, FREE)?;
            Ok(if_stopped(found.stops(), 1e3 * found.clip))
        },
    ),
    case(
        "crack",
        "a crack of 0.1 m at 10 m/s: how far the body sinks or rises [mm]",
        (10.0, 2),
        |trial| {
            let line = Line(vec![[0.0, 0.0], [0.0, -0.5], [0.1, -0.5], [0.1, 0.0]]);
            let found = trial.over(&line, 10.0, FREE)?;
            Ok(1e3 * found.rise.max(found.sink))
        },
    ),
    case(
        "stairs",
        "six stairs of 0.17 m at 6 m/s are climbed: missing height [mm]",
        (50.0, 1),
        |trial| {
            let (count, rise, depth) = STAIRS;
            let corners = (0..count).flat_map(|n| {
                let (x, z) = (depth * f64::from(n), rise * f64::from(n + 1));
                [[x, z], [x + depth, z]]
            });
            let line = Line([[0.0, 0.0]].into_iter().chain(corners).collect());
            let found = trial.over(&line, 6.0, throttle(0.3))?;
            Ok(1e3 * (rise * f64::from(count) - found.height).abs())
        },
    ),
    case(
        "seams",
        "seams of level triangles at 40 m/s: vertical acceleration [g]",
        (0.01, 4),
        |trial| {
            let line = (0..400).map(|n| [0.1 * f64::from(n) - 5.0, 0.0]);
            Ok(trial.over(&Line(line.collect()), 40.0, FREE)?.jolt.y)
        },
    ),
];

fn throttle(throttle: f32) -> CarCommand {
    CarCommand { throttle, ..FREE }
}

/// Percentage by which a number is off another one.
fn off(found: f64, right: f64) -> f64 {
    100.0 * (found / right - 1.0).abs()
}

/// Difference of the speeds behind an obstacle from the judge's (`m/s`).
fn exit_off(found: &Passage, right: &Passage) -> f64 {
    let [least, most] = found.exits.map(|exit| (exit - right.exits[0]).abs());
    least.max(most)
}

/// A value of a car that was to stop; infinite if it did not.
fn if_stopped(stopped: bool, value: f64) -> f64 {
    if stopped { value } else { f64::INFINITY }
}
