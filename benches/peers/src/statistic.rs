//! Medians with their range.

use serde::{Deserialize, Serialize};

use crate::contest::Contender;
use crate::field::StagePart;

/// Median, least and greatest of all turns.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        Self {
            median: values[last / 2],
            min: values[0],
            max: values[last],
        }
    }

    /// Spread over several programs: the median of their medians, the least and the greatest of all their turns.
    pub(crate) fn together(spreads: impl Iterator<Item = Self> + Clone) -> Self {
        let median = Self::of(spreads.clone().map(|spread| spread.median).collect()).median;
        let (min, max) = spreads.fold((f64::MAX, f64::MIN), |(min, max), spread| {
            (min.min(spread.min), max.max(spread.max))
        });
        Self { median, min, max }
    }

    /// Spread of a quantity over the turns of an entry.
    pub(crate) fn of_part(entry: &Contender, part: StagePart) -> Self {
        Self::of(entry.turns.iter().map(part).collect())
    }

    /// Spread of one entry's quantity over another's, turn by turn, so that a slow machine slows both.
    pub(crate) fn of_ratio(long: &Contender, short: &Contender, part: StagePart) -> Self {
        let pairs = long.turns.iter().zip(&short.turns);
        Self::of(
            pairs
                .map(|(long, short)| part(long) / part(short))
                .collect(),
        )
    }

    /// Three digits are more than what is repeated.
    pub(crate) fn rounded(self) -> Self {
        let round = |value: f64| {
            let digits = if value.abs() < 100.0 { 100.0 } else { 1.0 };
            (value * digits).round() / digits
        };
        Self {
            median: round(self.median),
            min: round(self.min),
            max: round(self.max),
        }
    }
}
