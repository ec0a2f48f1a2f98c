//! Where the engine's torque goes: clutch, gears, the outputs of the differentials, wheels; as the library reports it.

use jounce::core::Vehicle;
use serde::Serialize;

/// Torques of a drive after an update (`N·m`); negative ones brake.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TorqueFlow {
    /// Of engine, clutch and gearbox; `None` for motors at the wheels.
    pub engine: Option<EngineFlow>,
    /// What the center differential gives to each axle, from the front.
    pub axles: Vec<AxleFlow>,
}

/// Torques before the differentials (`N·m`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EngineFlow {
    /// Of the engine.
    pub engine: f32,
    /// Through the clutch.
    pub clutch: f32,
    /// Out of the gearbox, with the final gear.
    pub gears: f32,
}

/// What an axle gets, and its differential's outputs (`N·m`).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AxleFlow {
    /// In all.
    pub torque: f32,
    /// Names of its wheels and torques on them.
    pub wheels: Vec<(String, f32)>,
    /// Whether a lock or a track makes some of them turn together, which then share what they get.
    pub locked: bool,
}

/// Wheels this close along the vehicle are on one axle (`m`).
const AXLE: f32 = 0.1;

impl TorqueFlow {
    /// Of a vehicle after an update.
    #[must_use]
    pub fn of(vehicle: &Vehicle) -> Self {
        let engine = vehicle.engine_report().map(|engine| EngineFlow {
            engine: engine.torque,
            clutch: engine.clutch_torque,
            gears: engine.clutch_torque * engine.ratio,
        });
        let control = vehicle.control();
        let mut places: Vec<f32> = Vec::new();
        let mut axles: Vec<AxleFlow> = Vec::new();
        for (n, wheel) in vehicle.model().params().wheels.iter().enumerate() {
            let x = wheel.position.x;
            let known = places.iter().position(|place| (place - x).abs() < AXLE);
            let axle = known.unwrap_or_else(|| {
                places.push(x);
                axles.push(AxleFlow::default());
                axles.len() - 1
            });
            let torque = vehicle.wheel_report(n).drive_torque;
            axles[axle].torque += torque;
            axles[axle].wheels.push((wheel.name.clone(), torque));
            axles[axle].locked |= control.wheels[n / 4]
                .wheel_coupling_of(n % 4, control.wheel_couplings)
                .is_some();
        }
        Self { engine, axles }
    }
}
