//! Torques from the engine through clutch, gears and differentials to the wheels, as the library reports them.

use jounce::core::Vehicle;
use jounce::core::report::EngineReport;
use serde::Serialize;

/// Torques of a drive after an update (`N·m`); negative ones brake.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TorqueFlow {
    /// Torques of engine, clutch and gearbox; `None` for motors at the wheels.
    pub engine: Option<EngineFlow>,
    /// Torques from the center differential to each axle, from the front.
    pub axles: Vec<AxleFlow>,
}

/// Torques before the differentials (`N·m`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EngineFlow {
    /// Torque of the engine.
    pub engine: f32,
    /// Torque through the clutch.
    pub clutch: f32,
    /// Torque out of the gearbox, with the final gear.
    pub gears: f32,
}

/// Torque on an axle and its distribution among the wheels (`N·m`).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AxleFlow {
    /// Sum over the wheels of the axle.
    pub torque: f32,
    /// Names of the axle's wheels and torques on them.
    pub wheels: Vec<(String, f32)>,
    /// Whether a lock or a track couples wheels of the axle, which then share the torque.
    pub locked: bool,
}

/// Wheels this close along the vehicle are on one axle (`m`).
const AXLE: f32 = 0.1;

impl TorqueFlow {
    /// Collects the torques of a vehicle after an update.
    #[must_use]
    pub fn of(vehicle: &Vehicle) -> Self {
        let engine = EngineReport::of(vehicle).map(|engine| EngineFlow {
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
