//! Roll-over mitigation: brakes the outer front wheel before the inner wheels lift.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors, WheelSensors};

use crate::sensing::{keep_braking_slip, sum};
use crate::slip_target::check_fraction;

/// Roll-over mitigation: where most of the load is on one side, it brakes the front wheel there, which then guides less and slows
/// the car, and the engine does not drive.
///
/// It knows the loads of the wheels; real ones estimate them from lateral acceleration and roll rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "RolloverMitigation::car")]
pub struct RolloverMitigation {
    /// Load transfer from which on it acts (–), within 0…1: the difference of the loads of both sides over their sum.
    pub load_transfer: f32,
    /// Braking force over the wheel's load per excess of the load transfer (–), > 0.
    pub gain: f32,
    /// Greatest braking slip (–), within 0…1.
    pub slip: f32,
    /// Speed below which it does not act (`m/s`), ≥ 0.
    pub least_speed: f32,
}

impl RolloverMitigation {
    /// Roll-over mitigation of a passenger car.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            load_transfer: 0.7,
            gain: 8.0,
            slip: 0.4,
            least_speed: 5.0,
        }
    }

    /// Load transfer (–): positive with more load on the left.
    fn transfer(wheels: &[WheelSensors]) -> f32 {
        let load = sum(wheels, |wheel| wheel.load);
        if load > 0.0 {
            sum(wheels, |wheel| wheel.load * wheel.position.y.signum()) / load
        } else {
            0.0
        }
    }
}

impl DriverAid for RolloverMitigation {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        check_fraction("load_transfer", self.load_transfer, inspector);
        check_fraction("slip", self.slip, inspector);
        inspector.positive("gain", self.gain, "");
        inspector.not_negative("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "rollover-mitigation"
    }

    /// The activity.
    fn memory(&self, _wheels: usize) -> usize {
        1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let transfer = Self::transfer(sensors.wheels);
        let excess = transfer.abs() - self.load_transfer;
        memory[0] = 0.0;
        if excess <= 0.0 || sensors.velocity.x < self.least_speed {
            return;
        }
        memory[0] = math::lesser(self.gain * excess, 1.0);
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            let outer_front = wheel.position.x > 0.0 && wheel.position.y * transfer > 0.0;
            if wheel.enabled && outer_front {
                let torque = memory[0] * wheel.load * wheel.radius;
                request.brake = math::greater(request.brake, torque);
                keep_braking_slip(request, self.slip, sensors.velocity.x, f32::INFINITY);
            }
        }
        if let Some(engine) = &mut requests.engine {
            engine.torque = math::lesser(engine.torque, 0.0);
        }
    }
}
