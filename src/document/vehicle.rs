//! Everything that defines a vehicle model.

use driver_aids::AidSuite;
use serde::{Deserialize, Serialize};
use tire_models::SpecError;
use vehicle_core::{Checked, InvalidParams, VehicleModel, VehicleParams};

use super::Record;
use super::profile_steps;
use super::schema::Schema;
use super::spec::{ModelSpec, Models};

/// A vehicle model as data: parameters, and the models they name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleSpec {
    /// Name that reports and errors show.
    pub name: String,
    /// Everything except tire models and drivetrain.
    pub params: VehicleParams,
    /// The tire models, named by wheels by index.
    pub tires: Vec<ModelSpec>,
    /// The drivetrain.
    pub drive: ModelSpec,
    /// The driver aids.
    #[serde(default)]
    pub aids: AidSuite,
}

impl Record for VehicleSpec {
    const SCHEMA: Schema = Schema {
        name: "vehicle",
        steps: profile_steps::OF_VEHICLE,
    };
}

/// Reason why a description is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleSpecError {
    /// A model cannot be built.
    #[error(transparent)]
    Model(#[from] SpecError),
    /// Parameters violate their rules.
    #[error(transparent)]
    Params(#[from] InvalidParams),
}

impl VehicleSpec {
    /// Builds the model.
    ///
    /// # Errors
    /// If a model is unknown, or parameters violate their rules.
    pub fn build(&self, models: &impl Models) -> Result<VehicleModel, VehicleSpecError> {
        let params = Checked::new(self.params.clone())?;
        let tires = self.tires.iter().map(|spec| models.tire(spec));
        let tires = tires.collect::<Result<Vec<_>, _>>()?;
        let model = VehicleModel::new(params, &tires, models.drive(&self.drive)?)?;
        Ok(model.with_aids(&self.aids.aids())?)
    }
}
