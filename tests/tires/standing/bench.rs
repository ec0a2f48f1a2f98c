//! A car that ships, on the tire that is tried.

use std::sync::Arc;

use jounce::core::TireModel;
use jounce::file::Car;
use jounce::presets;
use jounce::tires::TireRegistry;
use toml::{Table, Value};

use crate::laws::Tire;

/// The car.
const CAR: &str = "sedan";

/// How much stronger its brakes are, so that tires give way first [−].
const BRAKES: f64 = 2.0;

/// A car on a tire.
pub(crate) struct Bench {
    pub(crate) tire: Arc<dyn TireModel>,
    pub(crate) car: Car,
}

impl Bench {
    /// The sedan on the rows solver.
    pub(crate) fn new(tire: &Tire) -> Result<Self, String> {
        Self::on(tire, "rows")
    }

    /// The sedan on a solver, by its name in files.
    pub(crate) fn on(tire: &Tire, solver: &str) -> Result<Self, String> {
        let model = TireRegistry::with_builtins().build(tire.table.clone());
        let files = presets::FILES.into_iter();
        let (_, text) = files.into_iter().find(|(name, _)| *name == CAR).ok_or("no car")?;
        let mut file: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let street = Table::from_iter([("street".to_owned(), Value::Table(tire.table.clone()))]);
        file.insert("tires".to_owned(), Value::Table(street));
        file.insert("solver".to_owned(), Value::String(solver.to_owned()));
        let axles = file["axles"].as_array_mut().ok_or("no axles")?;
        for axle in axles {
            let torque = &mut axle["brakes"]["max_torque"];
            *torque = Value::Float(BRAKES * torque.as_float().ok_or("no brakes")?);
        }
        let car = Car::parse(&file.to_string(), CAR).map_err(|e| e.to_string())?;
        Ok(Self { tire: model.map_err(|e| e.to_string())?, car })
    }
}
