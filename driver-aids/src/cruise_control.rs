//! Cruise control: the engine keeps a speed.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::Pedals;

/// Cruise control: the engine keeps a set speed, uphill and against the wind, until the driver brakes; it does not brake itself.
/// With the accelerator the driver goes faster.
///
/// The set speed is the first value that it [remembers](vehicle_core::VehicleState::aid_memory_mut) (`m/s`), 0 while none is set:
/// the host sets it, and may follow another vehicle with it. It knows the speed over the ground, real ones that of wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "CruiseControl::car")]
pub struct CruiseControl {
    /// Torque of the engine per lack of speed (`N·m·s/m`), > 0.
    pub gain: f32,
    /// Time in which a lasting lack of speed adds as much torque again (`s`), > 0.
    pub time: f32,
    /// Greatest torque that it requests (`N·m`), > 0: at most what the engine has.
    pub greatest_torque: f32,
    /// Least speed that it keeps (`m/s`), > 0; below, it switches itself off.
    pub least_speed: f32,
}

impl CruiseControl {
    /// Cruise control of a passenger car with a small engine.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            gain: 60.0,
            time: 4.0,
            greatest_torque: 150.0,
            least_speed: 8.0,
        }
    }
}

impl DriverAid for CruiseControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("gain", self.gain, "N·m·s/m");
        inspector.positive("time", self.time, "s");
        inspector.positive("greatest_torque", self.greatest_torque, "N·m");
        inspector.positive("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "cruise-control"
    }

    /// Set speed (`m/s`), 0 for none; torque by the lasting lack of speed (`N·m`).
    fn memory(&self, _wheels: usize) -> usize {
        2
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        f32::from(u8::from(memory[0] > 0.0))
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [set, lasting] = memory else {
            return;
        };
        let speed = sensors.velocity.x;
        if Pedals::of(sensors).brake > 0.0 || speed < self.least_speed {
            *set = 0.0;
        }
        if *set <= 0.0 {
            (*set, *lasting) = (0.0, 0.0);
            return;
        }
        let lack = *set - speed;
        let torque = self.gain * lack + *lasting;
        let request = torque.clamp(0.0, self.greatest_torque);
        // At a limit, a lasting lack does not count: it would overshoot.
        if request == torque || lack * (request - torque) > 0.0 {
            *lasting += self.gain * lack * sensors.duration / self.time;
            *lasting = lasting.clamp(0.0, self.greatest_torque);
        }
        if let Some(engine) = &mut requests.engine {
            engine.torque = math::greater(engine.torque, request);
            engine.least_torque = engine.torque;
        }
    }
}
