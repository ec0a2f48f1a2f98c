//! Requirements on changes of forces.

use jounce::core::TireInput;

use super::LawUnderTest;
use super::grid::{Point, SLIPS, directions, planar, still};
use super::measures::{difference, reached, worst};
use crate::finding::{Failure, Measure};

/// Slip difference of slopes (–).
const STEP: f32 = 1.0 / 1024.0;

pub(super) fn steepness(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let rest = f64::from(subject.declared.load);
    let slopes = still(subject).flat_map(|p| {
        directions().flat_map(move |[x, y]| {
            let at = move |slip: f32| Point {
                slip: [slip * x, slip * y],
                ..p
            };
            (0..512u16).map(move |n| {
                let here = at(f32::from(n) * STEP);
                let there = at(f32::from(n + 1) * STEP);
                let [a, b] = [here, there].map(|point| planar(&point.forces(subject)));
                (difference(a, b) / (f64::from(STEP) * rest), here)
            })
        })
    });
    let found = worst(slopes);
    let declared = subject.declared.slip_stiffness;
    reached("slip stiffness", declared, found.value)?;
    Ok(Measure {
        value: found.value / f64::from(declared) - 1.0,
        ..found
    })
}

/// Minimum reference speed of slips [m/s]: the rows solver's.
const LEAST_SPEED: f32 = 0.05;
/// Step of speeds (`m/s`).
const SPEED_STEP: f32 = 1.0 / 128.0;

/// A wheel with this ground speed and these sliding speeds forward and to the left (`m/s`).
fn passing(subject: &LawUnderTest<'_>, forward: f32, [along, left]: [f32; 2]) -> TireInput {
    let rim = forward + along;
    let over = forward.abs().max(rim.abs()).max(LEAST_SPEED);
    TireInput {
        slip_ratio: along / over,
        tan_slip_angle: left / over,
        forward_speed: forward,
        lateral_speed: left,
        rim_speed: rim,
        ..Point::plain(subject, [0.0; 2]).input(subject)
    }
}

/// Number of bisections of a jump's interval.
const HALVINGS: u8 = 10;

/// Jump of the forces between two nearby values [N]: the remaining difference as they converge.
fn jump(forces: impl Fn(f32) -> [f64; 2], [mut a, mut b]: [f32; 2]) -> f64 {
    let (mut at_a, mut at_b) = (forces(a), forces(b));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (a + b);
        let between = forces(middle);
        if difference(at_a, between) > difference(between, at_b) {
            (b, at_b) = (middle, between);
        } else {
            (a, at_a) = (middle, between);
        }
    }
    difference(at_a, at_b)
}

pub(super) fn turns_round(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let load = f64::from(subject.declared.load);
    let slides = directions().flat_map(|[x, y]| [0.0, 0.01, 0.5].map(|v| [v * x, v * y]));
    let jumps = slides.flat_map(|slide| {
        let at = move |forward| passing(subject, forward, slide);
        (-256..256i16).map(move |n| {
            let speeds = [n, n + 1].map(|n| f32::from(n) * SPEED_STEP);
            let found = jump(|v| planar(&subject.tire.forces(&at(v))), speeds);
            (found / load, at(speeds[0]))
        })
    });
    Ok(worst(jumps))
}

/// Steps between the ends of a varied quantity.
const CHANGES: u16 = 64;

/// The maximum jump over load while a point varies between two ends.
fn changed(
    subject: &LawUnderTest<'_>,
    points: &[Point],
    [from, to]: [f32; 2],
    change: fn(Point, f32) -> Point,
) -> Measure {
    let load = f64::from(subject.declared.load);
    let step = (to - from) / f32::from(CHANGES);
    let jumps = points.iter().flat_map(|&point| {
        (0..CHANGES).map(move |n| {
            let ends = [n, n + 1].map(|n| from + f32::from(n) * step);
            let at = |value| planar(&change(point, value).forces(subject));
            (jump(at, ends) / load, change(point, ends[0]))
        })
    });
    worst(jumps)
}

pub(super) fn follows(subject: &LawUnderTest<'_>) -> Result<Measure, Failure> {
    let slips = directions().flat_map(|[x, y]| SLIPS.map(|slip| [slip * x, slip * y]));
    let points: Vec<_> = slips.map(|slip| Point::plain(subject, slip)).collect();
    let most = 2.0 * subject.declared.load;
    let load = changed(subject, &points, [0.0, most], |p, load| Point { load, ..p });
    let camber = changed(subject, &points, [-0.1, 0.1], |p, camber| Point {
        camber,
        ..p
    });
    Ok(if load.value > camber.value {
        load
    } else {
        camber
    })
}
