//! Errors of a batch: argument, what was expected, what was found, and the unit.

use core::fmt;

use proving_ground::ProvingError;

/// Reason why a batch could not be made, or a call was refused. A refused call changes nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// An argument with a value that its rule forbids.
    #[error("{0}")]
    Argument(ArgumentFault),
    /// A name that stands for nothing.
    #[error("{argument}: {name:?} is not known{}", meant(nearest))]
    UnknownName {
        /// The argument.
        argument: &'static str,
        /// The name.
        name: String,
        /// Known names that look like it, the nearest first.
        nearest: Vec<String>,
    },
    /// A ground, or a start that has none.
    #[error(transparent)]
    Ground(#[from] ProvingError),
}

/// An argument with a value that its rule forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentFault {
    /// The argument, with an index where it is a list: `actions[3, 1]`.
    pub argument: String,
    /// What the argument must be.
    pub expected: String,
    /// The value found.
    pub found: String,
    /// SI unit of the value; empty if it has none.
    pub unit: &'static str,
}

impl fmt::Display for ArgumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            argument,
            expected,
            found,
            unit,
        } = self;
        let space = if unit.is_empty() { "" } else { " " };
        write!(f, "{argument} = {found}{space}{unit}: must be {expected}")
    }
}

impl BatchError {
    /// An argument that is not as `expected`, in a unit.
    pub fn argument(
        argument: impl Into<String>,
        expected: impl Into<String>,
        found: impl fmt::Display,
        unit: &'static str,
    ) -> Self {
        Self::Argument(ArgumentFault {
            argument: argument.into(),
            expected: expected.into(),
            found: found.to_string(),
            unit,
        })
    }

    /// A name that is none of the `known` ones.
    pub(crate) fn unknown<'a>(
        argument: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut near: Vec<_> = known
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(name, known), known))
            .filter(|(distance, _)| *distance <= 1 + name.len() / 3)
            .collect();
        near.sort_unstable();
        let nearest = near.into_iter().take(3).map(|(_, it)| it.to_owned());
        Self::UnknownName {
            argument,
            name: name.to_owned(),
            nearest: nearest.collect(),
        }
    }
}

fn meant(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        nearest => format!(", did you mean {}?", nearest.join(" or ")),
    }
}

/// `count` must be `expected` numbers.
pub(crate) fn check_length(
    argument: &str,
    count: usize,
    expected: usize,
) -> Result<(), BatchError> {
    if count == expected {
        return Ok(());
    }
    let expected = format!("{expected} values");
    Err(BatchError::argument(argument, expected, count, ""))
}

/// Every number of rows of `width` must be finite: the first that is not is named with its row and column.
pub(crate) fn check_finite(argument: &str, values: &[f32], width: usize) -> Result<(), BatchError> {
    let Some(n) = values.iter().position(|value| !value.is_finite()) else {
        return Ok(());
    };
    let place = match width {
        1 => format!("{argument}[{n}]"),
        _ => format!("{argument}[{}, {}]", n / width, n % width),
    };
    Err(BatchError::argument(place, "finite", values[n], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_named_by_row_and_column() {
        let values = [0.0, 1.0, 2.0, f32::NAN];
        let told = |width| {
            check_finite("actions", &values, width)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(told(2), "actions[1, 1] = NaN: must be finite");
        assert_eq!(told(1), "actions[3] = NaN: must be finite");
        assert!(check_finite("actions", &values[..3], 1).is_ok());
        let error = check_length("mask", 3, 4).unwrap_err();
        assert_eq!(error.to_string(), "mask = 3: must be 4 values");
    }

    #[test]
    fn near_names_are_suggested() {
        let told = |name: &str| {
            let known = ["throttle", "brake", "steer"];
            BatchError::unknown("actions", name, known).to_string()
        };
        let near = "actions: \"throtle\" is not known, did you mean throttle?";
        assert_eq!(told("throtle"), near);
        assert_eq!(told("xyz"), "actions: \"xyz\" is not known");
    }
}
