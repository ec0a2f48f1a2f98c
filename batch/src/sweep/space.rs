//! Distributions of what a sweep varies, and their samples.

use core::f64::consts::TAU;

use serde::{Deserialize, Serialize};
use toml::Value;

use crate::error::BatchError;
use crate::random::{Draws, Uniform};

/// Distribution of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distribution {
    /// Uniform between two ends; a fixed number if both are equal.
    Uniform(Uniform),
    /// Uniform in the logarithm between two ends, both > 0.
    LogUniform(Uniform),
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, ≥ 0.
        deviation: f64,
    },
    /// Any of these values, all numbers or all texts, with the same probability.
    OneOf(Vec<Value>),
}

impl Distribution {
    /// The value of a sample, which depends on the seed, the number of the sample and the name alone.
    pub(super) fn sample(&self, seed: u64, sample: u64, name: &str) -> Value {
        let draws = Draws::new(seed, sample, 0);
        let unit = |salt| draws.unit(term(name, salt));
        match self {
            Self::Uniform(range) => range.at(unit(0)).into(),
            Self::LogUniform(Uniform { low, high }) => {
                (low * libm::exp(libm::log(high / low) * unit(0))).into()
            }
            Self::Normal { mean, deviation } => {
                // Box and Muller: A Note on the Generation of Random Normal Deviates, 1958.
                let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(0)));
                (mean + deviation * radius * libm::cos(TAU * unit(1))).into()
            }
            Self::OneOf(values) => values[(unit(0) * values.len() as f64) as usize].clone(),
        }
    }

    /// True if the values of the axis are texts.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::OneOf(values) if matches!(values.first(), Some(Value::String(_))))
    }

    /// Checks the distribution of `name`.
    ///
    /// # Errors
    /// With the rule that it breaks.
    pub(super) fn check(&self, name: &str) -> Result<(), BatchError> {
        let (holds, expected) = match self {
            Self::Uniform(range) => (ascends(*range), "finite and ascending"),
            Self::LogUniform(range) => (
                ascends(*range) && range.low > 0.0,
                "finite, ascending and > 0",
            ),
            Self::Normal { mean, deviation } => (
                mean.is_finite() && deviation.is_finite() && *deviation >= 0.0,
                "finite, with a deviation >= 0",
            ),
            Self::OneOf(values) => (
                is_uniform(values),
                "at least one value, all finite numbers or all texts",
            ),
        };
        if holds {
            return Ok(());
        }
        let found = format!("{self:?}");
        let name = format!("space[{name:?}]");
        Err(BatchError::argument(name, expected, found, ""))
    }
}

fn ascends(Uniform { low, high }: Uniform) -> bool {
    low.is_finite() && high.is_finite() && low <= high
}

fn is_uniform(values: &[Value]) -> bool {
    let is_number = |value: &Value| number(value).is_some_and(f64::is_finite);
    let are_texts = values.iter().all(Value::is_str);
    !values.is_empty() && (are_texts || values.iter().all(is_number))
}

/// The number that a value is.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    }
}

/// The term of a name's random numbers: its hash, so that other names of a space do not change them (Fowler, Noll, Vo: FNV-1a).
fn term(name: &str, salt: u8) -> u64 {
    let bytes = name.bytes().chain([salt]);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Uniform = Uniform {
        low: 2.0,
        high: 8.0,
    };

    fn numbers(distribution: &Distribution) -> Vec<f64> {
        let sample = |n| number(&distribution.sample(7, n, "grip")).unwrap();
        (0..4000).map(sample).collect()
    }

    fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
        values.into_iter().sum::<f64>() / 4000.0
    }

    #[test]
    fn samples_have_the_moments_of_their_distribution() {
        let uniform = numbers(&Distribution::Uniform(RANGE));
        assert!((mean(uniform.iter().copied()) - 5.0).abs() < 0.12);
        assert!(uniform.iter().all(|value| (2.0..8.0).contains(value)));
        let log = numbers(&Distribution::LogUniform(RANGE));
        assert!((mean(log.iter().map(|value| value.log2())) - 2.0).abs() < 0.04);
        assert!(log.iter().all(|value| (2.0..8.0).contains(value)));
        let normal = numbers(&Distribution::Normal {
            mean: 3.0,
            deviation: 2.0,
        });
        assert!((mean(normal.iter().copied()) - 3.0).abs() < 0.13);
        let square = |value: &f64| (value - 3.0) * (value - 3.0);
        assert!((mean(normal.iter().map(square)) - 4.0).abs() < 0.36);
        let one = numbers(&Distribution::OneOf(vec![1.into(), 4.5.into()]));
        assert!((mean(one.iter().copied()) - 2.75).abs() < 0.12);
        assert!(one.iter().all(|value| [1.0, 4.5].contains(value)));
    }

    #[test]
    fn names_seeds_and_samples_have_numbers_of_their_own() {
        let uniform = Distribution::Uniform(RANGE);
        let first = uniform.sample(1, 0, "grip");
        assert_eq!(uniform.sample(1, 0, "grip"), first);
        for other in [(2, 0, "grip"), (1, 1, "grip"), (1, 0, "mass")] {
            assert_ne!(uniform.sample(other.0, other.1, other.2), first);
        }
    }

    #[test]
    fn bad_distributions_are_refused() {
        let check = |it: Distribution| it.check("grip").map_err(|error| error.to_string());
        let range = |low, high| Uniform { low, high };
        assert!(check(Distribution::OneOf(vec![1.into(), 2.5.into()])).is_ok());
        assert!(check(Distribution::LogUniform(RANGE)).is_ok());
        for bad in [
            Distribution::Uniform(range(2.0, 1.0)),
            Distribution::Uniform(range(0.0, f64::NAN)),
            Distribution::LogUniform(range(0.0, 1.0)),
            Distribution::Normal {
                mean: 0.0,
                deviation: -1.0,
            },
            Distribution::OneOf(Vec::new()),
            Distribution::OneOf(vec![1.into(), "a".into()]),
            Distribution::OneOf(vec![f64::INFINITY.into()]),
        ] {
            let told = check(bad).unwrap_err();
            assert!(told.starts_with("space[\"grip\"] = "), "{told}");
        }
    }
}
