//! Piecewise-linear curves for four wheels at once.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::base::lanes::W4;

/// Least displacement over which a slope is taken.
const MIN_DISPLACEMENT: f32 = 1e-6;

/// A piece of a curve in each lane: `slope·(clamp(x, from, to) − anchor)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CurvePiece {
    from: W4,
    to: W4,
    anchor: W4,
    slope: W4,
}

impl CurvePiece {
    fn clamp(&self, x: W4) -> W4 {
        x.max(self.from).min(self.to)
    }
}

/// A piecewise-linear curve in each lane, as the sum of its pieces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polyline {
    base: W4,
    pieces: Box<[CurvePiece]>,
}

impl Polyline {
    /// Constant outside its points, (x, value) with x ascending; 0 without any.
    #[must_use]
    pub(crate) fn bounded<'a, T: 'a + Copy>(
        points: impl Fn(usize) -> &'a [(f32, T)],
        of: impl Fn(T) -> f32,
    ) -> Self {
        let points: [Vec<(f32, f32)>; 4] =
            core::array::from_fn(|lane| points(lane).iter().map(|&(x, y)| (x, of(y))).collect());
        let base = W4::from_fn(|lane| at_zero(&points[lane]));
        let anchor = |[a, b]: [(f32, f32); 2]| 0.0_f32.max(a.0).min(b.0);
        let pairs = points.map(|points| {
            let mut pairs = pairs(&points);
            // From 0 on to either side: the mirror image of a table then has the same sums.
            pairs.sort_by(|a, b| anchor(*a).abs().total_cmp(&anchor(*b).abs()));
            pairs
        });
        Self::new(base, &pairs, |_, pair| {
            ([pair[0].0, pair[1].0], anchor(pair))
        })
    }

    /// Through the origin, which is among the points or before the first; beyond them it goes on at the slopes of its ends.
    #[must_use]
    pub(crate) fn through_origin<'a>(points: impl Fn(usize) -> &'a [(f32, f32)]) -> Self {
        let points: [Vec<(f32, f32)>; 4] = core::array::from_fn(|lane| {
            let given = points(lane);
            let origin = (!given.contains(&(0.0, 0.0))).then_some((0.0, 0.0));
            origin.into_iter().chain(given.iter().copied()).collect()
        });
        let ends = |lane: usize| [points[lane][0].0, points[lane][points[lane].len() - 1].0];
        let lines = [0, 1, 2, 3].map(|lane| pairs(&points[lane]));
        Self::new(W4::ZERO, &lines, |lane, [a, b]| {
            let [first, last] = ends(lane);
            let from = if a.0 == first && first < 0.0 {
                f32::MIN
            } else {
                a.0
            };
            let to = if b.0 == last { f32::MAX } else { b.0 };
            ([from, to], if b.0 <= 0.0 { b.0 } else { a.0 })
        })
    }

    /// `piece` gives the ends and the anchor of a piece between two points of a lane.
    fn new(
        base: W4,
        pairs: &[Vec<[(f32, f32); 2]>; 4],
        piece: impl Fn(usize, [(f32, f32); 2]) -> ([f32; 2], f32),
    ) -> Self {
        let count = pairs.iter().map(Vec::len).max();
        // Lanes of fewer points have pieces without slope.
        let of = |n: usize, value: &dyn Fn(usize, [(f32, f32); 2]) -> f32| {
            W4::from_fn(|lane| match pairs[lane].get(n) {
                Some(pair) => value(lane, *pair),
                None => 0.0,
            })
        };
        let pieces = (0..count.unwrap_or(0)).map(|n| CurvePiece {
            from: of(n, &|lane, pair| piece(lane, pair).0[0]),
            to: of(n, &|lane, pair| piece(lane, pair).0[1]),
            anchor: of(n, &|lane, pair| piece(lane, pair).1),
            slope: of(n, &|_, [a, b]| {
                if b.0 > a.0 {
                    (b.1 - a.1) / (b.0 - a.0)
                } else {
                    0.0
                }
            }),
        });
        Self {
            base,
            pieces: pieces.collect(),
        }
    }

    /// The value at `x`.
    #[must_use]
    pub(crate) fn at(&self, x: W4) -> W4 {
        let add = |sum: W4, piece: &CurvePiece| sum + (piece.clamp(x) - piece.anchor) * piece.slope;
        self.pieces.iter().fold(self.base, add)
    }

    /// The slope s of the line through the curve at `from` that has the curve's mean between there and `to`, so that a force
    /// along the line does the work of the curve: with the displacement D, and of a piece, the length L within it and R behind it,
    ///
    /// ```text
    /// s = Σ slope·(L² + 2·L·R) / D²
    /// ```
    #[must_use]
    pub(crate) fn mean_slope(&self, from: W4, to: W4) -> W4 {
        let displacement = to - from;
        let length = displacement.abs().max(W4::splat(MIN_DISPLACEMENT));
        let end = from + displacement.lt(W4::ZERO).select(-length, length);
        let length = (end - from).abs();
        let add = |sum: W4, piece: &CurvePiece| {
            let (first, last) = (piece.clamp(from), piece.clamp(end));
            let within = (last - first).abs() / length;
            let behind = (end - last).abs() / length;
            sum + piece.slope * within * (within + behind + behind)
        };
        self.pieces.iter().fold(W4::ZERO, add)
    }
}

/// The neighbors of a table, in order.
fn pairs(points: &[(f32, f32)]) -> Vec<[(f32, f32); 2]> {
    points.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Value at 0 of a table that is constant outside its points; 0 without any.
fn at_zero(points: &[(f32, f32)]) -> f32 {
    let spans = |pair: &[(f32, f32)]| pair[0].0 < 0.0 && pair[1].0 > 0.0;
    match (points, points.windows(2).find(|pair| spans(pair))) {
        ([], _) => 0.0,
        (_, Some(pair)) => {
            let [a, b] = [pair[0], pair[1]];
            (a.1 * b.0 - b.1 * a.0) / (b.0 - a.0)
        }
        _ => {
            let known = points.iter().rfind(|point| point.0 <= 0.0);
            known.unwrap_or(&points[0]).1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps() -> impl Strategy<Value = Vec<(f32, f32)>> {
        prop::collection::vec((0.005..0.05_f32, 0.001..0.1_f32), 2..32)
    }

    /// Ascending points around the origin.
    fn points(steps: &[(f32, f32)], before: usize) -> Vec<(f32, f32)> {
        let sum =
            |steps: &[(f32, f32)]| steps.iter().fold((0.0, 0.0), |s, d| (s.0 + d.0, s.1 + d.1));
        let before = before.min(steps.len() - 1);
        let left = (0..before).map(|n| sum(&steps[n..before]));
        let right = (before..=steps.len()).map(|n| sum(&steps[before..n]));
        left.map(|(x, y)| (-x, -y)).chain(right).collect()
    }

    proptest! {
        /// Through all points, and on at the end slopes.
        #[test]
        fn a_curve_passes_its_points(steps in steps(), before in 0..32_usize) {
            let points = points(&steps, before);
            let curve = Polyline::through_origin(|_| &points);
            let at = |x: f32| curve.at(W4::splat(x)).lane(2);
            for (x, y) in &points {
                prop_assert!((at(*x) - y).abs() < 1e-4, "{x}: {} {y}", at(*x));
            }
            let [a, b] = [points[points.len() - 2], points[points.len() - 1]];
            let slope = (b.1 - a.1) / (b.0 - a.0);
            prop_assert!((at(b.0 + 1.0) - b.1 - slope).abs() < 1e-3 * (1.0 + slope));
        }

        /// Half of the mean slope times the displacement is the mean of the curve over its start.
        #[test]
        fn a_mean_slope_does_the_work_of_the_curve(
            steps in steps(), before in 0..32_usize, from in -0.5..0.5_f32, displacement in -0.4..0.4_f32,
        ) {
            let points = points(&steps, before);
            let curve = Polyline::through_origin(|_| &points);
            let at = |x: f32| f64::from(curve.at(W4::splat(x)).lane(1));
            let count = 4000;
            let shares = (0..count).map(|n| (n as f32 + 0.5) / count as f32);
            let mean = shares.map(|share| at(from + share * displacement) - at(from)).sum::<f64>() / f64::from(count);
            let slope = curve.mean_slope(W4::splat(from), W4::splat(from + displacement)).lane(1);
            let actual = 0.5 * f64::from(slope) * f64::from(displacement);
            prop_assert!((actual - mean).abs() < 2e-3 * mean.abs() + 1e-4, "{actual} {mean}");
        }
    }

    #[test]
    fn over_no_displacement_it_is_the_slope_there() {
        let points = [(-0.1, -0.3), (0.0, 0.0), (0.1, 0.2)];
        let curve = Polyline::through_origin(|_| &points);
        for (x, slope) in [(-0.5, 3.0), (-0.05, 3.0), (0.05, 2.0), (0.7, 2.0)] {
            let actual = curve.mean_slope(W4::splat(x), W4::splat(x)).lane(0);
            assert!((actual - slope).abs() < 1e-3, "{x}: {actual}");
        }
    }

    proptest! {
        /// A table whose points are turned about the origin gives the opposite at the opposite, to the bit.
        #[test]
        fn the_mirror_image_of_a_table_is_one(
            steps in steps(), start in -0.5..0.1_f32, before in 0..32_usize, x in -0.9..0.9_f32,
        ) {
            let moved = points(&steps, before).into_iter();
            let points: Vec<(f32, f32)> = moved.map(|(x, y)| (x + start, y + 0.3)).collect();
            let image: Vec<(f32, f32)> = points.iter().rev().map(|(x, y)| (-x, -y)).collect();
            let at = |points: &[(f32, f32)], x: f32| {
                Polyline::bounded(|_| points, |y: f32| y).at(W4::splat(x)).lane(0)
            };
            prop_assert_eq!(at(&points, x), -at(&image, -x));
            for (x, y) in &points {
                prop_assert!((at(&points, *x) - y).abs() < 1e-4, "{x} {y}");
            }
        }
    }

    #[test]
    fn lanes_have_their_own_points() {
        let tables: [&[(f32, f32)]; 4] = [
            &[],
            &[(0.2, 5.0)],
            &[(0.0, 1.0), (1.0, 3.0)],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)],
        ];
        let table = Polyline::bounded(|lane| tables[lane], |x| x);
        let at = |x: f32| table.at(W4::splat(x)).to_array();
        assert_eq!(at(-1.0), [0.0, 5.0, 1.0, 0.0]);
        assert_eq!(at(0.5), [0.0, 5.0, 2.0, 0.5]);
        assert_eq!(at(9.0), [0.0, 5.0, 3.0, 0.0]);
    }
}
