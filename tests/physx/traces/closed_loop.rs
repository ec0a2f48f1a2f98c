//! Complete drives in the standalone world, compared with complete drives in PhysX.

use crate::reference::Comparison;
use glam::{DVec3, Vec3};
use proving_ground::scenario::{Frame, Replay, Scenario};
use proving_ground::world::WorldKind;

use super::{NoiseFloor, Recorded, WINDOWS, place, rigid};

/// Minimum bound on a position (`m`).
const LEAST: f64 = 0.02;
/// Bound as a multiple of the trace's own noise.
const NOISE: f64 = 5.0;
/// Bound as a share of the path.
const PATH: f64 = 5e-4;
/// Maximum additional drift of a parked car, compared with PhysX (`m`).
const DRIFT: f64 = 1e-3;

/// A path outside its bound is repeated from this many starts moved by up to [`START`], the
/// perturbation of the start in PhysX's noise floor.
const STARTS: u32 = 16;
/// Maximum perturbation of a start on each axis (`m`).
const START: f32 = 1e-5;

pub(crate) fn compare(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    noise: &NoiseFloor,
) -> Result<Vec<Comparison>, String> {
    let ours = replay(name, scenario, frames, WorldKind::Standalone, Vec3::ZERO)?;
    let free = &frames[..rigid::frames_before(scenario, frames)];
    let (gears, from) = compare_gears(name, free, &ours);
    let mut path = compare_path(name, scenario.dt(), free, &ours, noise, from);
    let measured = noise.knows(name);
    if !path.holds() && (scenario.has_limited_slip() || !measured) {
        path = nearest(name, scenario, free, noise, path)?;
    }
    if !path.holds() && !measured {
        let noise = spread(name, scenario, free, &ours)?;
        path = compare_path(name, scenario.dt(), free, &ours, &noise, from);
    }
    if free.len() == frames.len() {
        let drift = compare_drift(name, scenario.dt(), frames, &ours);
        let gears = scenario.has_engine().then_some(gears);
        return Ok(gears.into_iter().chain([path]).chain(drift).collect());
    }
    path.note += ", then a rigid contact";
    let ours = replay(name, scenario, frames, rigid::world(scenario), Vec3::ZERO)?;
    let outcome = rigid::compare_outcome(name, scenario, frames, &ours);
    Ok([gears, path].into_iter().chain(outcome).collect())
}

/// Drives the schedule. Times of falling asleep are not compared: timers of the gearbox before a
/// sleep are taken from the file, so that both continue from the same state.
pub(super) fn replay(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    world: WorldKind,
    moved: Vec3,
) -> Result<Vec<Frame>, String> {
    let mut replay = Replay::moved(scenario, world, moved).map_err(|error| error.to_string())?;
    let mut ours = Vec::with_capacity(scenario.frames());
    let mut recorded = frames.iter().peekable();
    while let Some(frame) = replay.next() {
        let frame = frame.map_err(|error| format!("{name}: {error}"))?;
        if let Some(theirs) = recorded.next_if(|theirs| theirs.f == ours.len()) {
            let drive = &mut replay.vehicle_mut().state_mut().drive;
            let same = (drive.gear.0, drive.target_gear.0) == (theirs.gear, theirs.target_gear);
            if frame.skipped && theirs.skipped && same {
                drive.switch_time = theirs.switch_time;
                drive.autobox_time = theirs.autobox_time;
            }
        }
        ours.push(frame);
    }
    Ok(ours)
}

/// A limited-slip launch amplifies rounding by about 54 in a substep, one of `vehicle2` by more, so
/// that starts 1e-5 m apart end centimetres apart: in such a trace a single path of ours proves
/// nothing. PhysX's path must then be within the same bound of one of ours from a start moved by at
/// most the noise floor's perturbation. The result line states this, with the error of the unmoved
/// start's path.
fn nearest(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    noise: &NoiseFloor,
    unmoved: Comparison,
) -> Result<Comparison, String> {
    let mut best = unmoved.clone();
    for k in 1..=STARTS {
        let moved = Vec3::splat(START * k as f32 / STARTS as f32);
        let ours = replay(name, scenario, frames, WorldKind::Standalone, moved)?;
        let (_, from) = compare_gears(name, frames, &ours);
        let path = compare_path(name, scenario.dt(), frames, &ours, noise, from);
        if path.max_error / path.bound < best.max_error / best.bound {
            best = path;
        }
    }
    best.note += &format!(
        ", chaotic: nearest of {STARTS} starts within {START:.0e} m; unmoved {:.1e} of {:.1e}",
        unmoved.max_error, unmoved.bound
    );
    Ok(best)
}

/// Spread of our drives around `ours` from starts moved by up to [`START`], in each time window (`m`).
fn spread(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    ours: &[Frame],
) -> Result<NoiseFloor, String> {
    let mut windows = vec![0.0_f64; WINDOWS.len() + 1];
    for share in [-1.0, -0.5, 0.5, 1.0] {
        let moved = Vec3::splat(START * share);
        let others = replay(name, scenario, frames, WorldKind::Standalone, moved)?;
        for (a, b) in ours.iter().zip(others) {
            let time = a.f as f32 * scenario.dt();
            let window = WINDOWS.iter().filter(|end| time > **end).count();
            windows[window] = windows[window].max((place(a) - place(&b)).length());
        }
    }
    Ok(NoiseFloor::of_one(name, windows))
}

/// A NaN error counts as the worst.
fn finite_or_worst(error: f64) -> f64 {
    if error.is_nan() { f64::INFINITY } else { error }
}

/// Maximum number of timer ties in a trace.
const MOST_TIES: usize = 2;

/// Gears in every recorded frame in which both cars are awake. A change that is one recorded frame
/// off is a timer tie: it is listed, and positions count from there on. Times of falling asleep are
/// not compared, nor gears that only one car changed because the other slept.
fn compare_gears(name: &str, frames: &[Recorded], ours: &[Frame]) -> (Comparison, usize) {
    let (mut different, mut run, mut ties, mut from) = (0_usize, 0, Vec::new(), 0);
    let (mut compared, mut slept) = (0, false);
    for theirs in frames {
        let mine = &ours[theirs.f];
        let same = (mine.gear - 1, mine.tgear - 1) == (theirs.gear, theirs.target_gear);
        slept = (slept && !same) || mine.asleep || theirs.asleep;
        if slept {
            continue;
        }
        compared += 1;
        run = if same { 0 } else { run + 1 };
        match run {
            0 => {}
            1 => {
                ties.push(theirs.f.to_string());
                from = theirs.f;
            }
            _ => different += 1,
        }
    }
    // A tie lasts one frame; more than two are not ties.
    different += run.min(1) + ties.len().saturating_sub(MOST_TIES);
    let ties = match ties.as_slice() {
        [] => String::new(),
        ties => format!(", beside timer ties at {}", ties.join(", ")),
    };
    let line = Comparison {
        name: format!("{name}/closed/gears"),
        rows: compared,
        max_error: different as f64,
        bound: 0.0,
        note: format!("frames with another gear{ties}"),
    };
    (line, from)
}

/// Positions in each time window, against the largest of three bounds; the worst ratio counts.
fn compare_path(
    name: &str,
    dt: f32,
    frames: &[Recorded],
    ours: &[Frame],
    noise: &NoiseFloor,
    from: usize,
) -> Comparison {
    let offset = frames
        .iter()
        .find(|frame| frame.f == from && from > 0)
        .map_or(DVec3::ZERO, |frame| place(&ours[from]) - frame.origin);
    let (mut path, mut last) = (0.0, frames[0].origin);
    let (mut worst, mut worst_bound, mut worst_ratio) = (0.0, LEAST, -1.0);
    for theirs in frames {
        let there = theirs.origin;
        path += (there - last).length();
        last = there;
        let offset = if theirs.f < from { DVec3::ZERO } else { offset };
        // The noise floor counts the first frame as 0 s: 600 frames of 1/60 s have no "10s_plus".
        let time = theirs.f as f32 * dt;
        let window = WINDOWS.iter().filter(|end| time > **end).count();
        let bound = LEAST.max(NOISE * noise.of(name, window)).max(PATH * path);
        let error = (place(&ours[theirs.f]) - offset - there).length();
        let ratio = finite_or_worst(error / bound);
        if ratio > worst_ratio {
            (worst, worst_bound, worst_ratio) = (finite_or_worst(error), bound, ratio);
        }
    }
    Comparison {
        name: format!("{name}/closed/path"),
        rows: frames.len(),
        max_error: worst,
        bound: worst_bound,
        note: format!("m after {path:.1} m"),
    }
}

/// Below this speed PhysX's car counts as parked (`m/s`).
const PARKED: f32 = 0.01;
/// PhysX may put its car to sleep while it still rocks; ours has this time to settle (`s`).
const SETTLING: f32 = 0.5;

/// Once PhysX's car is parked and ours has had time to settle, ours must not drift more.
fn compare_drift(name: &str, dt: f32, frames: &[Recorded], ours: &[Frame]) -> Option<Comparison> {
    let parked = |frame: &&Recorded| frame.linear.length() < PARKED;
    let last = frames.last()?;
    let stopped = frames.iter().rev().take_while(parked).last()?;
    let settled = stopped.f + (SETTLING / dt) as usize;
    let first = frames.iter().find(|frame| frame.f >= settled)?;
    let theirs = (last.origin - first.origin).length();
    let mine = (place(&ours[last.f]) - place(&ours[first.f])).length();
    (last.f > first.f).then(|| Comparison {
        name: format!("{name}/closed/drift"),
        rows: last.f - first.f,
        max_error: finite_or_worst(mine),
        bound: theirs + DRIFT,
        note: "m at rest".to_owned(),
    })
}
