//! Tables with linear interpolation (ALGORITHMS §4.1).

use alloc::format;
use alloc::vec::Vec;

use crate::base::checked::{Check, Inspector};

/// Points (x, y), x ascending; linear between them, constant outside.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Curve(pub Vec<[f32; 2]>);

impl Curve {
    /// Maximum number of points of a curve.
    pub const CAPACITY: usize = 8;

    /// The value at `x`; that of the first point below the range, of the last above it; 0 without points.
    #[inline]
    #[must_use]
    pub fn at(&self, x: f32) -> f32 {
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else {
            return 0.0;
        };
        if x <= first[0] {
            return first[1];
        }
        for pair in self.0.windows(2) {
            let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
            if x < x1 {
                return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
            }
        }
        last[1]
    }
}

impl Check for Curve {
    fn check(&self, i: &mut Inspector) {
        let count = self.0.len();
        let rule = format!("there must be 1 to {} points", Self::CAPACITY);
        i.rule(
            (1..=Self::CAPACITY).contains(&count),
            "",
            count,
            "points",
            rule,
        );
        for (n, [x, y]) in self.0.iter().enumerate() {
            i.within(format!("[{n}]"), |i| {
                i.finite("x", *x, "");
                i.finite("y", *y, "");
                let ascends = n == 0 || *x > self.0[n - 1][0];
                i.rule(ascends, "x", x, "", "must be above the point before");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::checked::Checked;
    use alloc::vec;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case::below(-1.0, 0.8)]
    #[case::first(0.0, 0.8)]
    #[case::between(0.25, 0.9)]
    #[case::point(0.5, 1.0)]
    #[case::falling(0.75, 0.7)]
    #[case::last(1.0, 0.4)]
    #[case::above(7.0, 0.4)]
    fn values_at_points_and_between(#[case] x: f32, #[case] y: f32) {
        let curve = Curve(vec![[0.0, 0.8], [0.5, 1.0], [1.0, 0.4]]);
        assert!((curve.at(x) - y).abs() < 1e-6);
    }

    #[test]
    fn few_points() {
        assert_eq!(Curve::default().at(0.3), 0.0);
        assert_eq!(Curve(vec![[0.2, 5.0]]).at(0.3), 5.0);
    }

    #[rstest]
    #[case::empty(vec![], 1)]
    #[case::nine(vec![[0.0, 0.0]; 9], 9)]
    #[case::not_finite(vec![[0.0, f32::NAN], [1.0, 1.0]], 1)]
    #[case::not_ascending(vec![[0.0, 1.0], [0.0, 2.0]], 1)]
    fn faults(#[case] points: Vec<[f32; 2]>, #[case] count: usize) {
        let error = Checked::new(Curve(points)).map(|_| ()).unwrap_err();
        assert_eq!(error.0.len(), count, "{error}");
    }

    proptest! {
        #[test]
        fn the_value_stays_between_the_points(
            steps in proptest::collection::vec((0.01..1.0_f32, -5.0..5.0_f32), 1..8),
            x in -1.0..9.0_f32,
        ) {
            let mut at = 0.0;
            let points: Vec<_> = steps.iter().map(|&(dx, y)| { at += dx; [at, y] }).collect();
            let least = points.iter().map(|p| p[1]).fold(f32::MAX, f32::min);
            let most = points.iter().map(|p| p[1]).fold(f32::MIN, f32::max);
            let y = Curve(points).at(x);
            prop_assert!(y >= least - 1e-5 && y <= most + 1e-5);
        }

        /// A curve has a point's own value there, to the bit, and between two points their mean by distance.
        #[test]
        fn a_curve_goes_straight_from_point_to_point(
            steps in proptest::collection::vec((0.01..1.0_f32, -5.0..5.0_f32), 2..8), share in 0.0..1.0_f32,
        ) {
            let mut at = -1.0;
            let points: Vec<_> = steps.iter().map(|&(dx, y)| { at += dx; [at, y] }).collect();
            let curve = Curve(points.clone());
            for [x, y] in &points {
                prop_assert_eq!(curve.at(*x), *y);
            }
            for pair in points.windows(2) {
                let [x, y] = [0, 1].map(|n| pair[0][n] * (1.0 - share) + pair[1][n] * share);
                let steepness = (pair[1][1] - pair[0][1]).abs() / (pair[1][0] - pair[0][0]);
                prop_assert!((curve.at(x) - y).abs() < 1e-5 * (1.0 + steepness));
            }
        }
    }
}
