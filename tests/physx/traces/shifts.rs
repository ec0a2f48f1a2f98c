//! Changes of gears in complete drives.

use crate::reference::Comparison;
use crate::rounding::TIMES;

use super::Recorded;
use super::own::{Drives, Point};

/// A gear, with the one that is being engaged, from a frame on.
struct Shift {
    gears: [i8; 2],
    from: usize,
    /// Number of frames by which rounding may make the change earlier or later.
    early_late: usize,
}

/// The shifts of a drive: what it is in, and from when on.
fn shifts(drive: &[Point]) -> Vec<([i8; 2], usize)> {
    let mut shifts: Vec<([i8; 2], usize)> = Vec::new();
    for (f, point) in drive.iter().enumerate() {
        if shifts.last().is_none_or(|(gears, _)| *gears != point.gears) {
            shifts.push((point.gears, f));
        }
    }
    shifts
}

/// The shifts that all our drives make, and their times.
fn common(drives: &Drives) -> (Vec<Shift>, usize) {
    let moved: Vec<_> = drives.moved.iter().map(|drive| shifts(drive)).collect();
    let mut common = Vec::new();
    for (n, (gears, from)) in shifts(&drives.ours).into_iter().enumerate() {
        let mut apart = 0;
        let mut until = usize::MAX;
        for other in &moved {
            match other.get(n) {
                Some((same, at)) if *same == gears => apart = apart.max(at.abs_diff(from)),
                Some((_, at)) => until = until.min((*at).min(from)),
                None => until = until.min(from),
            }
        }
        if until < usize::MAX {
            return (common, until);
        }
        let early_late = (TIMES * apart as f64) as usize;
        common.push(Shift {
            gears,
            from,
            early_late,
        });
    }
    // A drive that shifts once more.
    let more = moved.iter().filter_map(|other| other.get(common.len()));
    let until = more.map(|(_, at)| *at).min();
    (common, until.unwrap_or(usize::MAX))
}

/// Gears in every recorded frame in which both cars are awake, as long as rounding does not decide which. A shift may
/// be as early or late as rounding makes ours. Times of falling asleep are not compared, nor gears that only one car
/// changed because the other slept.
pub(super) fn compare(name: &str, frames: &[Recorded], drives: &Drives) -> Comparison {
    let (shifts, until) = common(drives);
    let (mut compared, mut different, mut apart, mut slept) = (0, 0_u32, 0, false);
    for theirs in frames.iter().take_while(|theirs| theirs.f < until) {
        let mine = drives.ours[theirs.f];
        let gears = [theirs.gear, theirs.target_gear];
        let same = mine.gears == gears;
        slept = (slept && !same) || mine.asleep || theirs.asleep;
        if slept {
            continue;
        }
        compared += 1;
        let is_near = |n: usize| {
            let here = &shifts[n];
            let next = shifts.get(n + 1);
            here.gears == gears
                && here.from <= theirs.f + here.early_late
                && next.is_none_or(|next| theirs.f < next.from + next.early_late)
        };
        apart += usize::from(!same);
        different += u32::from(!same && !(0..shifts.len()).any(is_near));
    }
    let widest = shifts.iter().map(|shift| shift.early_late).max();
    Comparison {
        name: format!("{name}/closed/gears"),
        rows: compared,
        max_error: f64::from(different),
        bound: 0.0,
        note: format!(
            "frames with another gear, beside {apart} within {} frames of a shift",
            widest.unwrap_or(0)
        ),
    }
}
