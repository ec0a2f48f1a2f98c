//! Tire models by name: from `model = "michigan"` and its parameters to a [`TireModel`].
//!
//! Registration is explicit. A third party's crate implements [`TireParams`] and is registered by
//! the program that reads the file:
//!
//! ```
//! use tire_models::{LinearParams, MagicFormulaParams, TireRegistry};
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

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;
use vehicle_core::{Check, Checked, Scaled, TireModel};

use crate::registry::{Registry, Unresolved};
use crate::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, LinearParams, LuGreParams,
    MagicFormulaParams, MichiganParams, Pacejka89Params, Pacejka94Params, RelaxingParams,
    SlipCurvesParams, ThermalParams, TmEasyParams, TmSimpleParams,
};

/// Parameters that a file can hold and that make a tire model.
pub trait TireParams: Serialize + DeserializeOwned + Check + Scaled + 'static {
    /// The model that they make.
    type Model: TireModel + 'static;

    /// Makes the model; checked parameters cannot fail.
    fn build(params: Checked<Self>) -> Self::Model;

    /// A file's table with all that it refers to in it, so that it stands by itself; files lie relative
    /// to `folder`, of texts without one there are none. By default nothing is referred to.
    ///
    /// # Errors
    /// If what a key refers to is not there or not sound.
    fn inlined(table: Table, folder: Option<&Path>) -> Result<Table, Unresolved> {
        let _ = folder;
        Ok(table)
    }
}

/// Parameters that make a tire model over any other one, whose description a file holds beside them under
/// `law`: a tire that relaxes, or warms up.
pub trait TireOver: Serialize + DeserializeOwned + Check + Scaled + 'static {
    /// The model that they make.
    type Model: TireModel + 'static;

    /// Makes the model; checked parameters cannot fail.
    fn build(law: Arc<dyn TireModel>, params: Checked<Self>) -> Self::Model;
}

/// Which name stands for which tire model.
pub type TireRegistry = Registry<dyn TireModel>;

impl TireRegistry {
    /// A registry that knows the models of this crate: `michigan`, `linear`, `slip-curves`, `dugoff`,
    /// `fiala`, `brush`, `tmsimple`, `tmeasy`, `lugre`, `bakker-87`, `pacejka-89`, `pacejka-94`,
    /// `magic-formula`, and over any of them `relaxing` and `thermal`.
    #[must_use]
    pub fn with_builtins() -> Self {
        Self::empty("tire")
            .register::<MichiganParams>("michigan")
            .register::<LinearParams>("linear")
            .register::<SlipCurvesParams>("slip-curves")
            .register::<DugoffParams>("dugoff")
            .register::<FialaParams>("fiala")
            .register::<BrushParams>("brush")
            .register::<TmSimpleParams>("tmsimple")
            .register::<TmEasyParams>("tmeasy")
            .register::<LuGreParams>("lugre")
            .register::<Bakker87Params>("bakker-87")
            .register::<Pacejka89Params>("pacejka-89")
            .register::<Pacejka94Params>("pacejka-94")
            .register::<MagicFormulaParams>("magic-formula")
            .register_over::<RelaxingParams>("relaxing")
            .register_over::<ThermalParams>("thermal")
    }

    /// Lets `name` stand for a model over another one, see [`TireOver`].
    #[must_use]
    pub fn register_over<P: TireOver>(self, name: &str) -> Self {
        self.with_over(name, |law, params| Arc::new(P::build(law, params)))
    }

    /// Lets `name` stand for the model with parameters `P`; a later registration replaces an
    /// earlier one.
    #[must_use]
    pub fn register<P: TireParams>(self, name: &str) -> Self {
        self.with_inline(name, P::inlined, |params| Arc::new(P::build(params)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpecError;
    use rstest::rstest;
    use vehicle_core::{TireInput, UnitScale};

    fn build_from(text: &str) -> Result<Arc<dyn TireModel>, SpecError> {
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
    #[case::missing("a = 1", "a tire needs `model = \"...\"`, one of: ")]
    #[case::unknown("model = \"magic\"", "no tire model is called \"magic\"; known are: ")]
    fn a_wrong_name_lists_the_right_ones(#[case] text: &str, #[case] message: &str) {
        let names: Vec<_> = TireRegistry::with_builtins()
            .names()
            .map(str::to_owned)
            .collect();
        let message = format!("{message}{}", names.join(", "));
        assert_eq!(build_from(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_misspelled_parameter_is_refused() {
        let text = "model = \"linear\"\nslip_stifness = 1.0";
        let error = build_from(text).unwrap_err();
        assert!(matches!(error, SpecError::Malformed { .. }));
        assert!(error.to_string().contains("slip_stifness"), "{error}");
    }

    #[test]
    fn every_fault_comes_through() {
        let text = "model = \"linear\"\nslip_stiffness = -1.0\ncornering_stiffness = 0.0\n\
                    camber_stiffness = 0.0\ntrail = 0.0";
        let error = build_from(text).unwrap_err();
        let SpecError::Invalid { source, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(source.0.len(), 2);
    }

    #[test]
    fn a_description_in_other_units_keeps_its_name() {
        let registry = TireRegistry::with_builtins();
        let text = "model = \"linear\"\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\n\
                    camber_stiffness = 1.0\ntrail = 0.03";
        let scaled = registry.scaled(toml::from_str(text).unwrap(), UnitScale::CENTIMETRES);
        let scaled = scaled.unwrap();
        assert_eq!(scaled["model"].as_str(), Some("linear"));
        assert_eq!(scaled["trail"].as_float(), Some(3.0));
        assert!(registry.build(scaled).is_ok());
        let unknown = registry.scaled(Table::new(), UnitScale::CENTIMETRES);
        assert!(matches!(unknown, Err(SpecError::NoModel { .. })));
    }
}
