//! Models that register themselves: with the feature `typetag`, a linked crate only needs to
//! implement [`TireSpec`] or [`DriveSpec`].
//!
//! This is a convenience. Explicit registration ([`Registries`](super::Registries)) is the main
//! way: a crate that is not referenced is not linked, and its models are then unknown.
//!
//! ```
//! use jounce::document::tagged::Tagged;
//!
//! let sedan = jounce::presets::sedan();
//! let kind = sedan.spec().build(&Tagged)?;
//! assert_eq!(kind.params(), sedan.model().params());
//! # Ok::<(), jounce::document::vehicle::VehicleSpecError>(())
//! ```

use core::fmt::Debug;
use std::sync::Arc;

use drivetrain::{
    DirectDrive, DirectDriveParams, ElectricDrive, ElectricDriveParams, EngineDrive,
    EngineDriveParams,
};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use tire_models::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, FrictionParams, LinearParams,
    LuGreParams, MagicFormulaParams, MichiganParams, Pacejka89Params, Pacejka94Params,
    RelaxingParams, SlipCurvesParams, SpecError, ThermalParams, TireOver, TireParams, TmEasyParams,
    TmSimpleParams,
};
use toml::{Table, Value};
use vehicle_core::{Checked, Drivetrain, InvalidParams, TireModel};

use super::spec::{ModelSpec, Models};

/// Parameters of a tire model that registers itself.
#[typetag::serde(tag = "model")]
pub trait TireSpec: Debug + Send + Sync {
    /// Builds the model.
    ///
    /// # Errors
    /// With every rule that the parameters violate.
    fn build(&self) -> Result<Arc<dyn TireModel>, InvalidParams>;
}

/// Parameters of a drive that registers itself.
#[typetag::serde(tag = "model")]
pub trait DriveSpec: Debug + Send + Sync {
    /// Builds the drive.
    ///
    /// # Errors
    /// With every rule that the parameters violate.
    fn build(&self) -> Result<Arc<dyn Drivetrain>, InvalidParams>;
}

/// Implements a trait of this module for parameters of this workspace.
macro_rules! tagged {
    ($spec:ident, $contract:ident, $make:path, $($name:literal => $params:ty),* $(,)?) => {$(
        #[typetag::serde(name = $name)]
        impl $spec for $params {
            fn build(&self) -> Result<Arc<dyn $contract>, InvalidParams> {
                Ok(Arc::new($make(Checked::new(self.clone())?)))
            }
        }
    )*};
}

tagged!(
    TireSpec, TireModel, TireParams::build,
    "michigan" => MichiganParams,
    "linear" => LinearParams,
    "friction" => FrictionParams,
    "slip-curves" => SlipCurvesParams,
    "dugoff" => DugoffParams,
    "fiala" => FialaParams,
    "brush" => BrushParams,
    "tmsimple" => TmSimpleParams,
    "tmeasy" => TmEasyParams,
    "lugre" => LuGreParams,
    "bakker-87" => Bakker87Params,
    "pacejka-89" => Pacejka89Params,
    "pacejka-94" => Pacejka94Params,
    "magic-formula" => MagicFormulaParams,
);

/// Parameters of a tire model on top of another one, which is described under `law`.
#[derive(Debug, Serialize)]
struct Over<P> {
    law: Box<dyn TireSpec>,
    #[serde(flatten)]
    params: P,
}

/// Implemented by hand: with `flatten`, unknown keys would be accepted.
impl<'de, P: DeserializeOwned> Deserialize<'de> for Over<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Table::deserialize(deserializer)?;
        let law = table.remove("law").ok_or(D::Error::missing_field("law"))?;
        Ok(Self {
            law: Box::deserialize(law).map_err(D::Error::custom)?,
            params: P::deserialize(Value::Table(table)).map_err(D::Error::custom)?,
        })
    }
}

/// Implements [`TireSpec`] for parameters on top of another law.
macro_rules! tagged_over {
    ($($name:literal => $params:ty),* $(,)?) => {$(
        #[typetag::serde(name = $name)]
        impl TireSpec for Over<$params> {
            fn build(&self) -> Result<Arc<dyn TireModel>, InvalidParams> {
                let params = Checked::new(self.params.clone())?;
                Ok(Arc::new(TireOver::build(self.law.build()?, params)))
            }
        }
    )*};
}

tagged_over!("relaxing" => RelaxingParams, "thermal" => ThermalParams);
tagged!(DriveSpec, Drivetrain, EngineDrive::new, "engine" => EngineDriveParams);
tagged!(DriveSpec, Drivetrain, DirectDrive::new, "direct" => DirectDriveParams);
tagged!(DriveSpec, Drivetrain, ElectricDrive::new, "electric" => ElectricDriveParams);

/// All self-registered models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tagged;

impl Models for Tagged {
    fn tire(&self, spec: &ModelSpec) -> Result<Arc<dyn TireModel>, SpecError> {
        read::<Box<dyn TireSpec>>("tire", spec)?
            .build()
            .map_err(|source| invalid("tire", spec, source))
    }

    fn drive(&self, spec: &ModelSpec) -> Result<Arc<dyn Drivetrain>, SpecError> {
        read::<Box<dyn DriveSpec>>("drive", spec)?
            .build()
            .map_err(|source| invalid("drive", spec, source))
    }
}

fn name(spec: &ModelSpec) -> String {
    let name = spec.0.get("model").and_then(Value::as_str);
    name.unwrap_or_default().to_owned()
}

fn read<S: DeserializeOwned>(noun: &'static str, spec: &ModelSpec) -> Result<S, SpecError> {
    S::deserialize(Value::Table(spec.0.clone())).map_err(|source| SpecError::Malformed {
        noun,
        model: name(spec),
        path: ".".to_owned(),
        source: Box::new(source),
    })
}

fn invalid(noun: &'static str, spec: &ModelSpec, source: InvalidParams) -> SpecError {
    SpecError::Invalid {
        noun,
        model: name(spec),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Registries;

    fn spec(text: &str) -> ModelSpec {
        ModelSpec(text.parse().unwrap())
    }

    const RELAXING: &str = "model = 'relaxing'\nrelaxation_length = [0.2, 0.4]\n\
                            law = { model = 'dugoff', slip_stiffness = 1e5, cornering_stiffness = 8e4 }";

    #[test]
    fn models_over_models_are_those_of_the_registry() {
        let (tagged, named) = (Tagged, Registries::with_builtins());
        let input = vehicle_core::TireInput::default();
        let [a, b] = [
            tagged.tire(&spec(RELAXING)).unwrap().properties(&input),
            named.tire(&spec(RELAXING)).unwrap().properties(&input),
        ];
        assert_eq!(a, b);
    }

    #[test]
    fn a_misspelt_key_is_refused_here_too() {
        let misspelt = RELAXING.replace("relaxation_length", "relaxation_lenght");
        let error = Tagged.tire(&spec(&misspelt)).unwrap_err();
        assert!(error.to_string().contains("relaxation_lenght"), "{error}");
        let more = format!("{RELAXING}\ntrail = 0.1");
        let error = Tagged.tire(&spec(&more)).unwrap_err();
        assert!(error.to_string().contains("trail"), "{error}");
    }
}
