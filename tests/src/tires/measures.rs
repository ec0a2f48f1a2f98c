//! Measurement and comparison of forces.

use crate::finding::{Failure, Measure, expect};

/// The largest measured value, and its point.
pub(super) fn worst<P: core::fmt::Debug>(found: impl Iterator<Item = (f64, P)>) -> Measure {
    let mut worst: Option<(f64, P)> = None;
    for (value, at) in found {
        // NaN counts as the worst.
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if worst.as_ref().is_none_or(|(most, _)| value > *most) {
            worst = Some((value, at));
        }
    }
    worst.map_or(Measure::KEPT, |(value, at)| Measure {
        value,
        note: format!("at {at:?}"),
    })
}

pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

pub(super) fn difference(a: [f64; 2], b: [f64; 2]) -> f64 {
    length([a[0] - b[0], a[1] - b[1]])
}

/// Fails if a declaration is too wide to be meaningful.
pub(super) fn reached(what: &str, declared: f32, most: f64) -> Result<(), Failure> {
    expect(most >= 0.8 * f64::from(declared), || {
        format!("{what} {declared} is declared, and {most:.4} is all there is")
    })
}
