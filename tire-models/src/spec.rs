//! Tire models by name: from `model = "michigan"` and its parameters to a [`TireModel`].
//!
//! Registration is explicit. A third party's crate implements [`TireParams`] and is registered by
//! the program that reads the file:
//!
//! ```
//! use tire_models::{LinearParams, TireRegistry};
//!
//! let registry = TireRegistry::with_builtins().register::<LinearParams>("acme");
//! let table = toml::from_str(
//!     r#"
//!     model = "acme"
//!     slip_stiffness = 20.0
//!     cornering_stiffness = 15.0
//!     camber_stiffness = 1.0
//!     trail = 0.03
//!     "#,
//! )?;
//! let tire = registry.build(table)?;
//! # let _ = tire;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use toml::{Table, Value};
use vehicle_core::{Check, Checked, InvalidParams, TireModel};

use crate::{LinearParams, MichiganParams};

/// Parameters that a file can hold and that make a tire model.
pub trait TireParams: DeserializeOwned + Check {
    /// The model that they make.
    type Model: TireModel + 'static;

    /// Makes the model; checked parameters cannot fail.
    fn build(params: Checked<Self>) -> Self::Model;
}

/// Why a table did not become a tire model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TireSpecError {
    /// The table does not name a model.
    #[error("a tire needs `model = \"...\"`, one of: {}", known.join(", "))]
    NoModel {
        /// Every registered name, in alphabetical order.
        known: Vec<String>,
    },
    /// Nothing is registered under this name.
    #[error("no tire model is called {name:?}; known are: {}", known.join(", "))]
    UnknownModel {
        /// The name that the table gives.
        name: String,
        /// Every registered name, in alphabetical order.
        known: Vec<String>,
    },
    /// A parameter is missing, misspelled or of the wrong type.
    #[error("tire model {model:?}: {source}")]
    Malformed {
        /// The name of the model.
        model: String,
        /// What is wrong.
        source: toml::de::Error,
    },
    /// Parameters break their rules.
    #[error("tire model {model:?}: {source}")]
    Invalid {
        /// The name of the model.
        model: String,
        /// Every rule broken.
        source: InvalidParams,
    },
}

type Builder = fn(&str, Table) -> Result<Arc<dyn TireModel>, TireSpecError>;

/// Which name stands for which tire model.
#[derive(Clone, Debug)]
pub struct TireRegistry {
    builders: BTreeMap<String, Builder>,
}

impl TireRegistry {
    /// A registry that knows the models of this crate: `michigan` and `linear`.
    #[must_use]
    pub fn with_builtins() -> Self {
        let empty = Self {
            builders: BTreeMap::new(),
        };
        empty
            .register::<MichiganParams>("michigan")
            .register::<LinearParams>("linear")
    }

    /// Lets `name` stand for the model with parameters `P`; a later registration replaces an
    /// earlier one.
    #[must_use]
    pub fn register<P: TireParams>(mut self, name: &str) -> Self {
        self.builders.insert(name.to_owned(), build::<P>);
        self
    }

    /// Every registered name, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.builders.keys().map(String::as_str)
    }

    /// Makes the model that `table` describes: its name under `model`, its parameters beside it.
    ///
    /// # Errors
    /// If the name is missing or unknown, or the parameters do not fit the model.
    pub fn build(&self, mut table: Table) -> Result<Arc<dyn TireModel>, TireSpecError> {
        let known = || self.names().map(str::to_owned).collect();
        let Some(Value::String(name)) = table.remove("model") else {
            return Err(TireSpecError::NoModel { known: known() });
        };
        match self.builders.get(&name) {
            Some(build) => build(&name, table),
            None => Err(TireSpecError::UnknownModel {
                name,
                known: known(),
            }),
        }
    }
}

fn build<P: TireParams>(model: &str, table: Table) -> Result<Arc<dyn TireModel>, TireSpecError> {
    let model = || model.to_owned();
    let params =
        P::deserialize(Value::Table(table)).map_err(|source| TireSpecError::Malformed {
            model: model(),
            source,
        })?;
    let checked = Checked::new(params).map_err(|source| TireSpecError::Invalid {
        model: model(),
        source,
    })?;
    Ok(Arc::new(P::build(checked)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::TireInput;

    fn build_from(text: &str) -> Result<Arc<dyn TireModel>, TireSpecError> {
        TireRegistry::with_builtins().build(toml::from_str(text).unwrap())
    }

    #[test]
    fn a_written_tire_acts_as_the_same_tire_in_code() {
        let text = format!(
            "model = \"michigan\"\n{}",
            toml::to_string(&MichiganParams::physx()).unwrap()
        );
        let input = TireInput {
            slip_ratio: 0.1,
            tan_slip_angle: -0.1,
            radius: 0.3,
            load: 4000.0,
            rest_load: 4000.0,
            friction: 1.0,
            gravity: 9.81,
            ..TireInput::default()
        };
        let in_code = crate::Michigan::new(Checked::new(MichiganParams::physx()).unwrap());
        let from_file = build_from(&text).unwrap();
        assert_eq!(from_file.forces(&input), in_code.forces(&input));
    }

    #[rstest]
    #[case::missing("a = 1", "a tire needs `model = \"...\"`, one of: linear, michigan")]
    #[case::unknown(
        "model = \"magic\"",
        "no tire model is called \"magic\"; known are: linear, michigan"
    )]
    fn a_wrong_name_lists_the_right_ones(#[case] text: &str, #[case] message: &str) {
        assert_eq!(build_from(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_misspelled_parameter_is_refused() {
        let text = "model = \"linear\"\nslip_stifness = 1.0";
        let error = build_from(text).unwrap_err();
        assert!(matches!(error, TireSpecError::Malformed { .. }));
        assert!(error.to_string().contains("slip_stifness"), "{error}");
    }

    #[test]
    fn every_fault_comes_through() {
        let text = "model = \"linear\"\nslip_stiffness = -1.0\ncornering_stiffness = 0.0\n\
                    camber_stiffness = 0.0\ntrail = 0.0";
        let error = build_from(text).unwrap_err();
        let TireSpecError::Invalid { source, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(source.0.len(), 2);
    }
}
