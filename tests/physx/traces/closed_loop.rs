//! Complete drives of ours, compared with complete drives in PhysX.
//!
//! PhysX's is within a fixed multiple of what rounding does to ours, or to PhysX's own: that of the spread of our drives
//! from rounded parameters and starts.

use crate::reference::Comparison;
use crate::rounding::TIMES;
use core::f64::consts::PI;
use glam::DVec3;
use jounce::core::params::Probe;
use proving_ground::ground::Solid;
use proving_ground::scenario::Scenario;
use proving_ground::world::WorldKind;
use serde_json::Value;

use super::own::{Drives, Point, START};
use super::{NoiseFloor, Recorded, explicit, rigid, shifts, worse};

/// Distance between drives of ours, or of PhysX, beyond which paths tell nothing more (`m`).
const APART: f64 = 0.1;
/// Sides of the prism that PhysX's sample sweeps for a wheel.
const SIDES: f64 = 16.0;

pub(crate) fn compare(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
    noise: &NoiseFloor,
) -> Result<Vec<Comparison>, String> {
    let drives = Drives::new(header, scenario, frames, WorldKind::Standalone, START)?;
    let free = &frames[..rigid::frames_before(scenario, frames)];
    let gears = scenario
        .has_engine()
        .then(|| shifts::compare(name, free, &drives));
    let noise = Noise::new(scenario, &drives, &|time| noise.of(name, time));
    let mut path = compare_path(name, free, &drives.ours, &noise);
    let rest = if free.len() == frames.len() {
        compare_drift(name, scenario, frames, &drives)
            .into_iter()
            .collect()
    } else {
        path.note += ", then a rigid contact";
        rigid::compare_outcome(name, header, scenario, frames)?
    };
    Ok(gears.into_iter().chain([path]).chain(rest).collect())
}

/// Greatest distance of PhysX's drive from ours up to each frame (`m`).
struct Noise {
    /// Spread of our drives, or PhysX's.
    spread: Vec<f64>,
    /// Sum of the roundings of a position that is kept in single precision.
    places: Vec<f64>,
    /// Distance by which an edge may be nearer to a swept wheel's center.
    sagitta: f64,
}

impl Noise {
    /// `pair` is how far apart PhysX's own drives are at a time (`s`).
    fn new(scenario: &Scenario, drives: &Drives, pair: &dyn Fn(f32) -> f64) -> Self {
        let (mut widest, mut lost) = (0.0_f64, 0.0);
        let spread = |(f, own): (usize, f64)| {
            widest = widest.max(own).max(pair(f as f32 * scenario.dt()));
            widest
        };
        let places = |point: &Point| {
            lost += rounding(point);
            lost
        };
        Self {
            spread: drives
                .spread()
                .into_iter()
                .enumerate()
                .map(spread)
                .collect(),
            places: drives.ours.iter().map(places).collect(),
            sagitta: sagitta(scenario),
        }
    }

    /// Bound of one frame while paths tell anything; for drives whose starts were `times` as far apart.
    fn bound(&self, f: usize, times: f64) -> Option<f64> {
        let spread = self.spread[f] * times;
        (spread < APART).then(|| TIMES * spread.max(self.places[f]).max(self.sagitta))
    }
}

/// Rounding of a position in single precision (`m`).
fn rounding(point: &Point) -> f64 {
    0.5 * f64::from(f32::EPSILON) * point.place.length()
}

/// Distance by which the faces of PhysX's swept prism are nearer to the wheel's center than a round rim (`m`). The plane of a
/// wheel's ground meets a true cylinder; edges do not.
fn sagitta(scenario: &Scenario) -> f64 {
    let model = scenario.model();
    let params = model.params();
    let is_flat = matches!(scenario.terrain().solid, Solid::HalfSpace { .. });
    if matches!(params.probe, Probe::Ray) || (is_flat && scenario.obstacles().is_empty()) {
        return 0.0;
    }
    let radii = params.wheels.iter().map(|wheel| f64::from(wheel.radius));
    radii.fold(0.0, f64::max) * (1.0 - (PI / SIDES).cos())
}

/// Positions in each frame, against what rounding explains; the worst share of it counts. Times of falling asleep are
/// not compared, nor what one car moves while the other sleeps: it is as if they had started so far apart.
fn compare_path(name: &str, frames: &[Recorded], ours: &[Point], noise: &Noise) -> Comparison {
    let (mut way, mut last) = (0.0, frames[0].origin);
    let (mut alone, mut before) = (DVec3::ZERO, (DVec3::ZERO, [false; 2]));
    let mut path = Comparison {
        name: format!("{name}/closed/path"),
        rows: 0,
        max_error: 0.0,
        bound: 0.0,
        note: String::new(),
    };
    for theirs in frames {
        way += (theirs.origin - last).length();
        last = theirs.origin;
        let mine = &ours[theirs.f];
        let now = (mine.place - theirs.origin, [mine.asleep, theirs.asleep]);
        if now.1[0] != now.1[1] || now.1 != before.1 {
            alone += now.0 - before.0;
        }
        before = now;
        let times = (alone.length() / f64::from(START)).max(1.0);
        let Some(bound) = noise.bound(theirs.f, times) else {
            path.note += &format!(", compared for {way:.1} m");
            break;
        };
        let error = worse(0.0, (now.0 - alone).length());
        if path.rows == 0 || error * path.bound > path.max_error * bound {
            (path.max_error, path.bound) = (error, bound);
            path.note = format!("m after {way:.1} m");
        }
        path.rows += 1;
    }
    path
}

/// Once PhysX's car sleeps for good or, where it never does, all its wheels are held, and all of ours sleep, too, or have
/// had as long as a hold takes to act, ours must not drift more.
fn compare_drift(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    drives: &Drives,
) -> Option<Comparison> {
    let last = frames.last()?;
    let is_parked = |frame: &&Recorded| match last.asleep {
        true => frame.asleep,
        false => frame.held.iter().all(|&held| held),
    };
    let stopped = frames.iter().rev().take_while(is_parked).last()?;
    let sticky = explicit(scenario).sticky;
    let time = sticky.forward_time.max(sticky.side_time);
    let settled = stopped.f + (time / scenario.dt()) as usize;
    let sleep = |frame: &Recorded| frame.asleep && drives.are_asleep(frame.f);
    let since = |frame: &&Recorded| frame.f >= settled || (frame.f >= stopped.f && sleep(frame));
    let first = frames.iter().find(since)?;
    let theirs = (last.origin - first.origin).length();
    let drift = |drive: &Vec<Point>| (drive[last.f].place - drive[first.f].place).length();
    let mine = drift(&drives.ours);
    let apart = drives.moved.iter().map(|moved| (drift(moved) - mine).abs());
    let noise = apart.fold(rounding(&drives.ours[last.f]), f64::max);
    (last.f > first.f).then(|| Comparison {
        name: format!("{name}/closed/drift"),
        rows: last.f - first.f,
        max_error: worse(0.0, mine),
        bound: theirs + TIMES * noise,
        note: "m at rest".to_owned(),
    })
}
