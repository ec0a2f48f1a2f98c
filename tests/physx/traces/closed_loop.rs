//! Whole drives on the standalone world against whole drives of PhysX.

use conformance::reference::Comparison;
use conformance::scenario::{Frame, Replay, Scenario};
use glam::DVec3;

use super::{NoiseFloor, Recorded, WINDOWS};

/// Least bound on a position [m].
const LEAST: f64 = 0.02;
/// How many times a trace's own noise is allowed.
const NOISE: f64 = 5.0;
/// Share of the path that is allowed.
const PATH: f64 = 5e-4;
/// What a parked car may drift more than PhysX's [m].
const DRIFT: f64 = 1e-3;

pub(crate) fn compare(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    noise: &NoiseFloor,
) -> Result<Vec<Comparison>, String> {
    let replay = Replay::new(scenario).map_err(|error| error.to_string())?;
    let ours: Vec<Frame> = replay
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{name}: {error}"))?;
    let (gears, from) = compare_gears(name, frames, &ours)?;
    let mut lines = vec![gears, compare_path(name, scenario, frames, &ours, noise, from)];
    lines.extend(compare_drift(name, frames, &ours));
    Ok(lines)
}

fn place(frame: &Frame) -> DVec3 {
    DVec3::new(frame.p[2], frame.p[0], frame.p[1])
}

/// Gears in every recorded frame. A change that is one frame off is the tie of a timer: it is
/// listed, and positions count from there on.
fn compare_gears(
    name: &str,
    frames: &[Recorded],
    ours: &[Frame],
) -> Result<(Comparison, usize), String> {
    let (mut different, mut run, mut ties, mut from) = (0, 0, Vec::new(), 0);
    for theirs in frames {
        let mine = &ours[theirs.f];
        let same = (mine.gear - 1, mine.tgear - 1) == (theirs.gear, theirs.target_gear);
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
    let note = if ties.is_empty() {
        "frames with another gear".to_owned()
    } else {
        format!("frames with another gear, beside timer ties at {}", ties.join(", "))
    };
    let line = Comparison {
        name: format!("{name}/closed/gears"),
        rows: frames.len(),
        max_error: f64::from(different),
        bound: 0.0,
        note,
    };
    Ok((line, from))
}

/// Positions in each window of time, against the largest of three bounds; the worst ratio counts.
fn compare_path(
    name: &str,
    scenario: &Scenario,
    frames: &[Recorded],
    ours: &[Frame],
    noise: &NoiseFloor,
    from: usize,
) -> Comparison {
    let offset = frames
        .iter()
        .find(|frame| frame.f == from && from > 0)
        .map_or(DVec3::ZERO, |frame| place(&ours[from]) - frame.origin.as_dvec3());
    let (mut path, mut last) = (0.0, frames[0].origin.as_dvec3());
    let (mut worst, mut worst_bound, mut worst_ratio) = (0.0, LEAST, -1.0);
    for theirs in frames {
        let there = theirs.origin.as_dvec3();
        path += (there - last).length();
        last = there;
        if theirs.f < from {
            continue;
        }
        let time = (theirs.f as f32 + 1.0) * scenario.dt();
        let window = WINDOWS.iter().filter(|end| time > **end).count();
        let bound = LEAST
            .max(NOISE * noise.of(name, window))
            .max(PATH * path);
        let error = (place(&ours[theirs.f]) - offset - there).length();
        if error / bound > worst_ratio {
            (worst, worst_bound, worst_ratio) = (error, bound, error / bound);
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

/// Where PhysX's car comes to rest, ours must not drift more than PhysX's.
fn compare_drift(name: &str, frames: &[Recorded], ours: &[Frame]) -> Option<Comparison> {
    let last = frames.last().filter(|frame| frame.asleep)?;
    let rested = frames.iter().rev().take_while(|frame| frame.asleep).last()?;
    let theirs = (last.origin - rested.origin).length();
    let mine = (place(&ours[last.f]) - place(&ours[rested.f])).length();
    (last.f > rested.f).then(|| Comparison {
        name: format!("{name}/closed/drift"),
        rows: last.f - rested.f,
        max_error: mine,
        bound: f64::from(theirs) + DRIFT,
        note: "m at rest".to_owned(),
    })
}
