//! Maps of an engine: a quantity over speed and another one, with bilinear interpolation.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::Inspector;

/// A quantity over engine speed and another quantity, bilinear between its points and constant outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedMap {
    /// Engine speeds (`rad/s`), ascending, 2 to 32.
    pub speeds: Vec<f32>,
    /// Rows, 2 to 16: the other quantity, ascending, and the values at all speeds.
    pub rows: Vec<(f32, Vec<f32>)>,
}

/// Index of the interval that contains `x`, and the part of it below `x`, 0…1.
fn interval(x: f32, points: impl ExactSizeIterator<Item = f32> + Clone) -> (usize, f32) {
    let last = points.len().saturating_sub(2);
    let above = points.clone().skip(1).take(last);
    let n = above.filter(|&point| point <= x).count();
    let mut from = points.skip(n);
    let (low, high) = (from.next().unwrap_or(0.0), from.next().unwrap_or(1.0));
    (n, ((x - low) / (high - low)).clamp(0.0, 1.0))
}

impl SpeedMap {
    /// Most speeds of a map.
    pub const SPEEDS: usize = 32;
    /// Most rows of a map.
    pub const ROWS: usize = 16;

    /// The value at an engine speed (`rad/s`) and the rows' quantity.
    #[must_use]
    pub fn at(&self, speed: f32, row: f32) -> f32 {
        let (n, across) = interval(speed, self.speeds.iter().copied());
        let (k, up) = interval(row, self.rows.iter().map(|(at, _)| *at));
        let value = |k: usize| {
            let values = self.rows.get(k).map_or(&[][..], |(_, values)| values);
            let at = |n: usize| values.get(n).copied().unwrap_or(0.0);
            at(n) + (at(n + 1) - at(n)) * across
        };
        value(k) + (value(k + 1) - value(k)) * up
    }

    /// Reports faults; the rows' quantity and the values have these units. Values may be negative if they are `signed`.
    pub(crate) fn check(&self, [row_unit, unit]: [&str; 2], signed: bool, i: &mut Inspector) {
        for (name, count, most) in [
            ("speeds", self.speeds.len(), Self::SPEEDS),
            ("rows", self.rows.len(), Self::ROWS),
        ] {
            let rule = format!("there must be 2 to {most}");
            i.rule((2..=most).contains(&count), name, count, name, rule);
        }
        ascending("speeds", "", self.speeds.iter().copied(), "rad/s", i);
        let rows = self.rows.iter().map(|(at, _)| *at);
        ascending("rows", "[0]", rows, row_unit, i);
        for (n, (_, values)) in self.rows.iter().enumerate() {
            let name = format!("rows[{n}][1]");
            let (count, speeds) = (values.len(), self.speeds.len());
            let rule = format!("there must be one per speed, {speeds}");
            i.rule(count == speeds, &name, count, "values", rule);
            for (k, value) in values.iter().enumerate() {
                let name = format!("{name}[{k}]");
                if signed {
                    i.finite(&name, *value, unit);
                } else {
                    i.not_negative(&name, *value, unit);
                }
            }
        }
    }
}

/// Reports points that are negative or not above the one before.
fn ascending(
    name: &str,
    place: &str,
    points: impl Iterator<Item = f32>,
    unit: &str,
    i: &mut Inspector,
) {
    let mut before = None;
    for (n, point) in points.enumerate() {
        let name = format!("{name}[{n}]{place}");
        i.not_negative(&name, point, unit);
        let ascends = before.is_none_or(|before| point > before);
        i.rule(ascends, &name, point, unit, "must be above the one before");
        before = Some(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;
    use rstest::rstest;

    fn map() -> SpeedMap {
        SpeedMap {
            speeds: vec![100.0, 200.0, 400.0],
            rows: vec![
                (0.0, vec![10.0, 20.0, 30.0]),
                (50.0, vec![20.0, 40.0, 80.0]),
                (100.0, vec![0.0, 0.0, 60.0]),
            ],
        }
    }

    #[rstest]
    #[case::point(200.0, 50.0, 40.0)]
    #[case::between_speeds(300.0, 50.0, 60.0)]
    #[case::between_rows(100.0, 25.0, 15.0)]
    #[case::between_four(150.0, 75.0, 15.0)]
    #[case::first_corner(0.0, -5.0, 10.0)]
    #[case::last_corner(900.0, 900.0, 60.0)]
    fn values_are_bilinear(#[case] speed: f32, #[case] row: f32, #[case] expected: f32) {
        assert_eq!(map().at(speed, row), expected);
    }

    proptest! {
        /// A map of a bilinear function, a + b·x + c·y + d·x·y, is this function.
        #[test]
        fn bilinear_functions_are_exact(x in 100.0_f32..400.0, y in 0.0_f32..100.0, c in -1.0_f32..1.0) {
            let of = |x: f32, y: f32| 300.0 + 0.5 * x + c * y + 0.01 * x * y;
            let mut map = map();
            let speeds = map.speeds.clone();
            for (at, values) in &mut map.rows {
                *values = speeds.iter().map(|&x| of(x, *at)).collect();
            }
            prop_assert!((map.at(x, y) - of(x, y)).abs() < 1e-3);
        }
    }

    #[test]
    fn every_fault_is_named() {
        let bad = SpeedMap {
            speeds: vec![200.0, 100.0],
            rows: vec![(-1.0, vec![10.0]), (-2.0, vec![f32::NAN, 1.0])],
        };
        let mut i = Inspector::new();
        bad.check(["N·m", "g/kWh"], false, &mut i);
        let faults = i.verdict().unwrap_err().0;
        let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
        let expected = [
            "speeds[1]",
            "rows[0][0]",
            "rows[1][0]",
            "rows[1][0]",
            "rows[0][1]",
            "rows[1][1][0]",
        ];
        assert_eq!(paths, expected);
        let mut i = Inspector::new();
        let empty = SpeedMap {
            speeds: vec![],
            rows: vec![],
        };
        empty.check(["", ""], false, &mut i);
        assert_eq!(i.verdict().unwrap_err().0.len(), 2);
        assert_eq!(empty.at(3.0, 4.0), 0.0);
    }
}
