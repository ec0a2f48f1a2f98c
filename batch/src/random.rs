//! Random numbers that depend on nothing but what they are for: no generator has a state, so that no car's numbers depend on
//! another car, on the order of resets or on the number of threads.

use core::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::error::BatchError;

/// Weyl constant and mixing of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014, figure 17;
/// the mix is Stafford's variant 13).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Random numbers of one episode of one car.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    key: u64,
}

impl Draws {
    /// The numbers of a car's episode in batches with this seed.
    #[must_use]
    pub const fn new(seed: u64, car: u64, episode: u64) -> Self {
        let key = mix(seed.wrapping_add(GOLDEN));
        let key = mix((key ^ car).wrapping_add(GOLDEN));
        Self {
            key: mix((key ^ episode).wrapping_add(GOLDEN)),
        }
    }

    /// The number of a term, uniform in 0…1, below 1.
    #[must_use]
    pub const fn unit(self, term: u64) -> f64 {
        let word = mix(self.key.wrapping_add((term + 1).wrapping_mul(GOLDEN)));
        (word >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A uniform distribution; a fixed number if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uniform {
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

impl Uniform {
    /// Always this value.
    #[must_use]
    pub const fn fixed(value: f64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// The value at `unit` of 0…1 of the way.
    #[must_use]
    pub fn at(self, unit: f64) -> f64 {
        self.low + (self.high - self.low) * unit
    }

    /// Checks that the ends ascend and are within `range`.
    ///
    /// # Errors
    /// If they are not.
    pub(crate) fn check(
        self,
        argument: &str,
        range: RangeInclusive<f64>,
        unit: &'static str,
    ) -> Result<(), BatchError> {
        let Self { low, high } = self;
        if range.contains(&low) && low <= high && high <= *range.end() {
            return Ok(());
        }
        let expected = format!("ascending and within {}..={}", range.start(), range.end());
        let found = format!("{low}..{high}");
        Err(BatchError::argument(argument, expected, found, unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix() {
        // The first output of `SplitMix64` with seed 0, as published.
        assert_eq!(mix(GOLDEN), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn numbers_of_cars_episodes_and_terms_are_uniform_and_unrelated() {
        let count = 4000;
        for draw in [
            |n| Draws::new(1, n, 0).unit(0),
            |n| Draws::new(1, 0, n).unit(0),
            |n| Draws::new(n, 0, 0).unit(0),
            |n| Draws::new(1, 0, 0).unit(n),
        ] {
            let values: Vec<f64> = (0..count).map(draw).collect();
            let mean = values.iter().sum::<f64>() / count as f64;
            let products = values
                .windows(2)
                .map(|pair| (pair[0] - 0.5) * (pair[1] - 0.5));
            let covariance = products.sum::<f64>() / count as f64;
            // Four standard deviations.
            assert!((mean - 0.5).abs() < 0.019, "{mean}");
            assert!(covariance.abs() < 0.0053, "{covariance}");
            assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
        }
    }

    #[test]
    fn ends_must_ascend_within_their_range() {
        let check = |low, high| Uniform { low, high }.check("grip", 0.0..=10.0, "");
        assert!(check(0.5, 0.5).is_ok() && check(0.0, 10.0).is_ok());
        let error = check(0.7, 0.6).unwrap_err().to_string();
        assert_eq!(
            error,
            "grip = 0.7..0.6: must be ascending and within 0..=10"
        );
        for (low, high) in [(-1.0, 0.0), (0.0, 10.1), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert!(check(low, high).is_err(), "{low}..{high}");
        }
    }
}
