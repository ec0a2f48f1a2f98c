//! The racing line: of all lines within the edges, that of least curvature.
//!
//! The unknowns are the distances of the line from the points of the center line. The integral of the squared curvature is
//! minimized by Gauss–Newton steps, and a logarithmic barrier keeps the line within its bounds (Heilmeier et al., "Minimum
//! curvature trajectory planning and control for an autonomous race car", Vehicle System Dynamics 58(10), 2020; Boyd and
//! Vandenberghe, *Convex Optimization*, 2004, section 11.3).

use glam::DVec2;

use super::banded::RingMatrix;
use crate::track::Track;

/// Weights of the barrier (`1/m`), from the first to the last: each a fifth of the one before.
const WEIGHTS: u32 = 9;
const FIRST_WEIGHT: f64 = 1e-3;
const NEXT: f64 = 0.2;
/// Most Gauss–Newton steps for each weight, and the change of the line below which they end (`m`).
const STEPS: u32 = 12;
const STILL: f64 = 1e-3;
/// Part of the way to its bound that a distance goes at most in a step.
const OF_THE_WAY: f64 = 0.95;
/// Least room that the line has to either side, where the track is hardly wider than the car (`m`).
const LEAST_ROOM: f64 = 0.05;

/// Distances of the line of least curvature from the points of the center line (`m`), positive to its left, `clearance` (`m`)
/// or more from the edges.
pub(super) fn least_curvature(track: &Track, clearance: f64) -> Vec<f64> {
    let bounds: Vec<[f64; 2]> = track
        .widths()
        .iter()
        .map(|widths| bounds(*widths, clearance))
        .collect();
    let bends = Bends::of(track);
    let mut offsets: Vec<f64> = bounds
        .iter()
        .map(|[low, high]| 0.5 * (low + high))
        .collect();
    for n in 0..WEIGHTS {
        let weight = FIRST_WEIGHT * (0..n).map(|_| NEXT).product::<f64>();
        let barrier = Barrier {
            bends: &bends,
            bounds: &bounds,
            weight,
        };
        for _ in 0..STEPS {
            if barrier.step(&mut offsets) < STILL {
                break;
            }
        }
    }
    offsets
}

/// The points of a track's center line, moved to its left by some distances (`m`).
pub(super) fn moved(track: &Track, offsets: &[f64]) -> Vec<DVec2> {
    let center = track.center();
    let points = center.points().iter().zip(offsets).enumerate();
    points
        .map(|(n, (point, offset))| *point + center.left(n) * *offset)
        .collect()
}

/// Least and greatest distance of the line from the center line (`m`), with these widths to the right and the left edge.
fn bounds([right, left]: [f64; 2], clearance: f64) -> [f64; 2] {
    let (low, high) = (clearance - right, left - clearance);
    let middle = 0.5 * (low + high);
    [low.min(middle - LEAST_ROOM), high.max(middle + LEAST_ROOM)]
}

/// The bends of a line between neighboring points, as functions of its distances from the center line.
struct Bends<'a> {
    points: &'a [DVec2],
    lefts: Vec<DVec2>,
    closed: bool,
}

/// A bend at a point: its angle over the square root of its length, whose squares add up to the integral of the squared
/// curvature, and the derivatives by the distances of the point before, the point itself and the one after.
struct Bend {
    value: f64,
    by: [f64; 3],
}

impl<'a> Bends<'a> {
    fn of(track: &'a Track) -> Self {
        let points = track.center().points();
        Self {
            points,
            lefts: (0..points.len()).map(|n| track.center().left(n)).collect(),
            closed: track.is_closed(),
        }
    }

    /// Points with one before and one after, each with these.
    fn triples(&self) -> impl Iterator<Item = [usize; 3]> {
        let count = self.points.len();
        let all = if self.closed { 0..count } else { 1..count - 1 };
        all.map(move |n| [(n + count - 1) % count, n, (n + 1) % count])
    }

    fn at(&self, triple: [usize; 3], offsets: &[f64]) -> Bend {
        let [before, here, after] = triple.map(|n| self.points[n] + self.lefts[n] * offsets[n]);
        let (a, b) = (here - before, after - here);
        let lengths = [a, b].map(|way| libm::hypot(way.x, way.y));
        let angle = libm::atan2(a.perp_dot(b), a.dot(b));
        let length = 0.5 * (lengths[0] + lengths[1]);
        let root = length.sqrt();
        // How the directions of both ways, and their lengths, change with their ends.
        let [turn_a, turn_b] = [a.perp() / a.length_squared(), b.perp() / b.length_squared()];
        let [unit_a, unit_b] = [a / lengths[0], b / lengths[1]];
        let by = |n: usize, turn: DVec2, stretch: DVec2| {
            let left = self.lefts[triple[n]];
            (turn.dot(left) - angle * 0.25 * stretch.dot(left) / length) / root
        };
        Bend {
            value: angle / root,
            by: [
                by(0, turn_a, -unit_a),
                by(1, -turn_a - turn_b, unit_a - unit_b),
                by(2, turn_b, unit_b),
            ],
        }
    }
}

/// What is minimized: the integral of the squared curvature, and a weight times the barrier −log of the distances to both
/// bounds.
struct Barrier<'a> {
    bends: &'a Bends<'a>,
    bounds: &'a [[f64; 2]],
    weight: f64,
}

impl Barrier<'_> {
    fn value(&self, offsets: &[f64]) -> f64 {
        let bends = self
            .bends
            .triples()
            .map(|triple| self.bends.at(triple, offsets).value);
        let rooms = offsets
            .iter()
            .zip(self.bounds)
            .map(|(offset, [low, high])| libm::log((offset - low) * (high - offset)));
        bends.map(|bend| bend * bend).sum::<f64>() - self.weight * rooms.sum::<f64>()
    }

    /// The Gauss–Newton direction.
    fn direction(&self, offsets: &[f64]) -> Vec<f64> {
        let mut matrix = RingMatrix::zero(offsets.len());
        let mut right = vec![0.0; offsets.len()];
        for triple in self.bends.triples() {
            let bend = self.bends.at(triple, offsets);
            for (i, one) in triple.into_iter().enumerate() {
                right[one] -= 2.0 * bend.value * bend.by[i];
                for (j, other) in triple.into_iter().enumerate().take(i + 1) {
                    matrix.add(one, other, 2.0 * bend.by[i] * bend.by[j]);
                }
            }
        }
        for (n, (offset, [low, high])) in offsets.iter().zip(self.bounds).enumerate() {
            let [below, above] = [1.0 / (offset - low), 1.0 / (high - offset)];
            right[n] += self.weight * (below - above);
            matrix.add(n, n, self.weight * (below * below + above * above));
        }
        matrix.solve(&right)
    }

    /// Takes a step, and returns by how much it moves the line (`m`).
    fn step(&self, offsets: &mut Vec<f64>) -> f64 {
        let direction = self.direction(offsets);
        let rooms = offsets.iter().zip(self.bounds).zip(&direction);
        let mut part = rooms.fold(1.0_f64, |part, ((offset, [low, high]), by)| {
            let room = if *by > 0.0 {
                high - offset
            } else {
                low - offset
            };
            if *by == 0.0 {
                part
            } else {
                part.min(OF_THE_WAY * room / by)
            }
        });
        let before = self.value(offsets);
        while part > 1e-6 {
            let next: Vec<f64> = offsets
                .iter()
                .zip(&direction)
                .map(|(offset, by)| offset + part * by)
                .collect();
            if self.value(&next) < before {
                *offsets = next;
                return direction
                    .iter()
                    .fold(0.0, |most, by| most.max((part * by).abs()));
            }
            part *= 0.5;
        }
        0.0
    }
}

#[cfg(test)]
mod tests;
