//! Tire and drive models by name, with their parameters.

use std::sync::Arc;

use drivetrain::{
    DirectDrive, DirectDriveParams, ElectricDrive, ElectricDriveParams, EngineDrive,
    EngineDriveParams,
};
use serde::de::DeserializeOwned;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tire_models::{Registry, SpecError, TireRegistry, table_of};
use toml::{Table, Value};
use vehicle_core::{Drivetrain, TireModel};

/// A model by name: `model = "…"` together with its parameters.
///
/// In formats that are not self-describing, it is the text of that table.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpec(
    /// The name under `model`, and the parameters.
    pub Table,
);

impl ModelSpec {
    /// Describes a model with these parameters.
    ///
    /// # Errors
    /// If they do not form a table.
    pub fn new(model: &str, params: &impl Serialize) -> Result<Self, toml::ser::Error> {
        let mut table = table_of(params)?;
        table.insert("model".to_owned(), Value::String(model.to_owned()));
        Ok(Self(table))
    }

    /// Parameters of the model, if it has this name.
    #[must_use]
    pub fn params_of<P: DeserializeOwned>(&self, model: &str) -> Option<P> {
        let mut table = self.0.clone();
        let own = table.remove("model")?;
        if own.as_str() != Some(model) {
            return None;
        }
        P::deserialize(table).ok()
    }
}

impl Serialize for ModelSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.0.serialize(serializer)
        } else {
            self.0.to_string().serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for ModelSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Table::deserialize(deserializer).map(Self);
        }
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// Builds models from their descriptions.
pub trait Models {
    /// Builds a tire model.
    ///
    /// # Errors
    /// If its name is unknown or its parameters do not fit.
    fn tire(&self, spec: &ModelSpec) -> Result<Arc<dyn TireModel>, SpecError>;

    /// Builds a drive.
    ///
    /// # Errors
    /// If its name is unknown or its parameters do not fit.
    fn drive(&self, spec: &ModelSpec) -> Result<Arc<dyn Drivetrain>, SpecError>;
}

/// Maps names to drives.
pub type DriveRegistry = Registry<dyn Drivetrain>;

/// A registry of the drives of [`drivetrain`]: `engine`, `direct` and `electric`.
#[must_use]
pub fn drives_with_builtins() -> DriveRegistry {
    DriveRegistry::empty("drive")
        .with::<EngineDriveParams>("engine", |params| Arc::new(EngineDrive::new(params)))
        .with::<DirectDriveParams>("direct", |params| Arc::new(DirectDrive::new(params)))
        .with::<ElectricDriveParams>("electric", |params| Arc::new(ElectricDrive::new(params)))
}

/// Explicitly registered models, by name.
#[derive(Clone, Debug)]
pub struct Registries {
    /// Tires.
    pub tires: TireRegistry,
    /// Drives.
    pub drives: DriveRegistry,
}

impl Registries {
    /// The models of this workspace.
    #[must_use]
    pub fn with_builtins() -> Self {
        Self {
            tires: TireRegistry::with_builtins(),
            drives: drives_with_builtins(),
        }
    }
}

impl Models for Registries {
    fn tire(&self, spec: &ModelSpec) -> Result<Arc<dyn TireModel>, SpecError> {
        self.tires.build(spec.0.clone())
    }

    fn drive(&self, spec: &ModelSpec) -> Result<Arc<dyn Drivetrain>, SpecError> {
        self.drives.build(spec.0.clone())
    }
}
