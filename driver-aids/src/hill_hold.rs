//! Hill hold: the brakes hold a car on a slope until the engine does.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{Pedals, brake_by_load, sum};

/// Hill hold: after the driver stopped on a slope and released the brake pedal, it keeps the brakes applied until the torques on
/// the wheels suffice for the slope, or some seconds have passed.
///
/// It knows the torques on the wheels and the slope exactly; real ones estimate them from the engine's torque and an accelerometer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "HillHold::car")]
pub struct HillHold {
    /// Least slope on which it holds (–, the sine), ≥ 0.
    pub least_slope: f32,
    /// Time after which it releases the brakes in any case (`s`), > 0.
    pub duration: f32,
    /// Rate at which it releases them (`1/s`, over the force that holds the car), > 0.
    pub release_rate: f32,
    /// Force of the brakes over the slope's (–), >= 1.
    pub reserve: f32,
}

/// Speed below which a car stands (`m/s`).
const STANDS: f32 = 0.1;
/// Pedal from which on a driver brakes (–).
const PRESSED: f32 = 0.05;

impl HillHold {
    /// A hill hold of a passenger car: two seconds.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            least_slope: 0.03,
            duration: 2.0,
            release_rate: 10.0,
            reserve: 1.5,
        }
    }

    /// Whether the torques on the wheels suffice for a slope with this force (`N`), positive against forward motion.
    fn suffices(sensors: &Sensors<'_>, slope: f32) -> bool {
        let driving = sum(sensors.wheels, |wheel| wheel.drive / wheel.radius);
        driving * slope.signum() >= slope.abs()
    }
}

impl DriverAid for HillHold {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.not_negative("least_slope", self.least_slope, "");
        inspector.positive("duration", self.duration, "s");
        inspector.positive("release_rate", self.release_rate, "1/s");
        let reserve = self.reserve;
        let holds = reserve >= 1.0 && reserve.is_finite();
        inspector.rule(holds, "reserve", reserve, "", "must be finite and >= 1");
    }

    fn name(&self) -> &str {
        "hill-hold"
    }

    /// Part of the holding force, 0…1, which is the activity; time since the driver released the pedal (`s`).
    fn memory(&self, _wheels: usize) -> usize {
        2
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn rests(&self, memory: &[f32], brakes: bool) -> bool {
        !brakes && memory[0] <= 0.0
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [held, waited] = memory else {
            return;
        };
        let weight = sensors.mass * sensors.gravity.length();
        let slope = -sensors.mass * sensors.gravity.x;
        let stands = sensors.velocity.x.abs() < STANDS;
        if Pedals::of(sensors).brake > PRESSED {
            *held = f32::from(u8::from(stands && slope.abs() > self.least_slope * weight));
            *waited = 0.0;
            return;
        }
        if *held <= 0.0 {
            return;
        }
        *waited += sensors.duration;
        if *held < 1.0 || *waited > self.duration || Self::suffices(sensors, slope) {
            *held = math::greater(*held - self.release_rate * sensors.duration, 0.0);
        }
        let force = *held * self.reserve * slope.abs();
        brake_by_load(force, sensors.wheels, requests.wheels);
    }
}
