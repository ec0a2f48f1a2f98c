//! All that makes a kind of vehicle.

use serde::{Deserialize, Serialize};
use tire_models::SpecError;
use vehicle_core::{Checked, InvalidParams, VehicleKind, VehicleParams};

use super::Record;
use super::profile_steps;
use super::schema::Schema;
use super::spec::{ModelSpec, Models};

/// A kind of vehicle as data: parameters, and the models that they name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleSpec {
    /// What it is called.
    pub name: String,
    /// Everything that is no tire model and no drivetrain.
    pub params: VehicleParams,
    /// The tire models that wheels name by index.
    pub tires: Vec<ModelSpec>,
    /// The drivetrain.
    pub drive: ModelSpec,
}

impl Record for VehicleSpec {
    const SCHEMA: Schema = Schema {
        name: "vehicle",
        steps: profile_steps::OF_VEHICLE,
    };
}

/// Why a description makes no kind.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleSpecError {
    /// A model cannot be made.
    #[error(transparent)]
    Model(#[from] SpecError),
    /// Parameters break their rules.
    #[error(transparent)]
    Params(#[from] InvalidParams),
}

impl VehicleSpec {
    /// Makes the kind.
    ///
    /// # Errors
    /// If a model is unknown, or parameters break their rules.
    pub fn build(&self, models: &impl Models) -> Result<VehicleKind, VehicleSpecError> {
        let params = Checked::new(self.params.clone())?;
        let tires = self.tires.iter().map(|spec| models.tire(spec));
        let tires = tires.collect::<Result<Vec<_>, _>>()?;
        Ok(VehicleKind::new(
            params,
            &tires,
            models.drive(&self.drive)?,
        )?)
    }
}
