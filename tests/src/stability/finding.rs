//! Measured numbers, and their goals.

use core::fmt;

use proving_ground::ProvingError;

/// Rates of the worlds (`Hz`).
pub(super) const RATES: [f32; 4] = [30.0, 60.0, 120.0, 240.0];

/// Goal of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Less than this.
    Below(f64),
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
    /// Within these bounds.
    Within(f64, f64),
}

impl Goal {
    /// Whether a number satisfies the goal; NaN does not.
    #[must_use]
    pub fn admits(&self, value: f64) -> bool {
        match *self {
            Self::Below(bound) => value < bound,
            Self::AtMost(bound) => value <= bound,
            Self::AtLeast(bound) => value >= bound,
            Self::Within(low, high) => value >= low && value <= high,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Below(bound) => write!(f, "< {bound}"),
            Self::AtMost(bound) => write!(f, "<= {bound}"),
            Self::AtLeast(bound) => write!(f, ">= {bound}"),
            Self::Within(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

/// The result of a case for one car.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CarFinding {
    /// Numbers that must each satisfy the goal.
    pub values: Vec<f64>,
    /// Additional information; may be empty.
    pub note: String,
}

impl CarFinding {
    /// One number per rate of the worlds, 30 to 240 Hz.
    ///
    /// # Errors
    /// With the first failure.
    pub fn at_rates(
        measure: impl FnMut(f32) -> Result<f64, ProvingError>,
    ) -> Result<Self, ProvingError> {
        let values = RATES.into_iter().map(measure).collect::<Result<_, _>>()?;
        Ok(Self {
            values,
            note: String::new(),
        })
    }

    /// One number with a note.
    #[must_use]
    pub fn noted(value: f64, note: String) -> Self {
        Self {
            values: vec![value],
            note,
        }
    }

    /// Spread of results relative to their mean (`%`).
    #[must_use]
    pub fn spread(results: &[f64]) -> f64 {
        let mean = results.iter().sum::<f64>() / results.len() as f64;
        let least = results.iter().copied().fold(f64::INFINITY, f64::min);
        let most = results.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // NaN is neither minimum nor maximum, but makes the mean NaN.
        100.0 * (most - least) / mean
    }

    /// Whether the finding has numbers that all satisfy the goal.
    #[must_use]
    pub fn keeps(&self, goal: &Goal) -> bool {
        !self.values.is_empty() && self.values.iter().all(|value| goal.admits(*value))
    }

    /// The number that is farthest toward or beyond the goal's bound; NaN if one is, or if there is none.
    #[must_use]
    pub fn worst(&self, goal: &Goal) -> f64 {
        let excess = |value: &f64| match *goal {
            Goal::Below(_) | Goal::AtMost(_) => *value,
            Goal::AtLeast(_) => -value,
            Goal::Within(low, high) => (value - 0.5 * (low + high)).abs(),
        };
        if self.values.iter().any(|value| value.is_nan()) {
            return f64::NAN;
        }
        let worst = (self.values.iter()).max_by(|a, b| excess(a).total_cmp(&excess(b)));
        worst.copied().unwrap_or(f64::NAN)
    }

    /// The numbers with this many digits, and the note.
    #[must_use]
    pub fn text(&self, digits: usize) -> String {
        let numbers = self.values.iter().map(|value| format!("{value:.digits$}"));
        let numbers = numbers.collect::<Vec<_>>().join("/");
        if self.note.is_empty() {
            numbers
        } else {
            format!("{numbers} ({})", self.note)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[f64]) -> CarFinding {
        CarFinding {
            values: values.to_vec(),
            note: String::new(),
        }
    }

    #[test]
    fn nan_reaches_no_goal() {
        let goals = [
            Goal::Below(1.0),
            Goal::AtMost(1.0),
            Goal::AtLeast(1.0),
            Goal::Within(0.0, 1.0),
        ];
        for goal in goals {
            assert!(!goal.admits(f64::NAN));
            assert!(!found(&[1.0, f64::NAN]).keeps(&goal));
            assert!(!CarFinding::default().keeps(&goal));
        }
        assert!(CarFinding::spread(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn a_spread_is_relative_to_the_mean() {
        assert!((CarFinding::spread(&[9.9, 10.0, 10.1]) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_worst_is_the_nearest_to_the_bound() {
        let finding = found(&[0.25, -3.0, 0.75]);
        for (goal, worst) in [
            (Goal::Below(1.0), 0.75),
            (Goal::AtMost(1.0), 0.75),
            (Goal::AtLeast(-4.0), -3.0),
            (Goal::Within(-1.0, 3.0), -3.0),
        ] {
            assert_eq!(finding.worst(&goal), worst, "{goal}");
        }
        assert!(found(&[1.0, f64::NAN]).worst(&Goal::Below(9.0)).is_nan());
        assert!(found(&[]).worst(&Goal::Below(9.0)).is_nan());
    }

    #[test]
    fn every_number_counts() {
        let finding = found(&[0.25, 0.75]);
        assert!(finding.keeps(&Goal::Below(0.8)) && !finding.keeps(&Goal::Below(0.5)));
        assert_eq!(finding.text(1), "0.2/0.8");
    }
}
