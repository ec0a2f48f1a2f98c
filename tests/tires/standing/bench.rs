//! A preset car on the tire under test.

use std::sync::Arc;

use jounce::core::TireModel;
use jounce::file::Car;
use jounce::presets;
use jounce::tires::TireRegistry;
use toml::{Table, Value};

use crate::laws::Tire;

/// Factor on the preset's brakes, so that the tires slide first (–).
const BRAKES: f64 = 2.0;

/// Torque of each wheel at full throttle, in the drive without an engine (`N·m`).
const TORQUE: f64 = 200.0;

/// A car on one tire.
pub(crate) struct Bench {
    pub(crate) tire: Arc<dyn TireModel>,
    pub(crate) car: Car,
}

impl Bench {
    /// The car on a solver, by its name in vehicle files.
    pub(crate) fn new(tire: &Tire, solver: &str) -> Result<Self, String> {
        Self::changed(tire, solver, |_| ())
    }

    /// The car on a solver, with direct torque on all wheels, by the throttle.
    pub(crate) fn driven(tire: &Tire, solver: &str) -> Result<Self, String> {
        Self::changed(tire, solver, |file| {
            let torques = vec![Value::Float(TORQUE); 4];
            let drive = [
                ("model".to_owned(), Value::String("direct".to_owned())),
                ("max_torques".to_owned(), Value::Array(torques)),
            ];
            file.insert(
                "drivetrain".to_owned(),
                Value::Table(Table::from_iter(drive)),
            );
        })
    }

    fn changed(tire: &Tire, solver: &str, change: fn(&mut Table)) -> Result<Self, String> {
        let mut file: Table = presets::BENCHMARK_SEDAN
            .parse()
            .map_err(|error: toml::de::Error| error.to_string())?;
        let street = Table::from_iter([("street".to_owned(), Value::Table(tire.table.clone()))]);
        file.insert("tires".to_owned(), Value::Table(street));
        file.insert("solver".to_owned(), Value::String(solver.to_owned()));
        let axles = file["axles"].as_array_mut().ok_or("no axles")?;
        for axle in axles {
            let torque = &mut axle["brakes"]["max_torque"];
            *torque = Value::Float(BRAKES * torque.as_float().ok_or("no brakes")?);
        }
        change(&mut file);
        let car = Car::parse(&file.to_string(), "sedan").map_err(|error| error.to_string())?;
        let built = TireRegistry::with_builtins().build(tire.table.clone());
        Ok(Self {
            tire: built.map_err(|error| error.to_string())?,
            car,
        })
    }
}
