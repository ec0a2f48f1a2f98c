//! Torque vectoring by brakes: an inner wheel is braked so that the car turns in under power.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{Pedals, keep_braking_slip};
use crate::slip_target::check_fraction;
use crate::yaw::{brake_for, followed, inertia, reference};

/// Torque vectoring by brakes: while the driver accelerates in a bend and the car turns less than steered, it brakes the driven
/// inner wheels a little, and the differential passes the torque to the outer ones.
///
/// It knows the friction that bounds its reference; real ones estimate it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "TorqueVectoring::car")]
pub struct TorqueVectoring {
    /// Speed at which the reference turns most for a steering angle (`m/s`), > 0.
    pub characteristic_speed: f32,
    /// Part of the friction's lateral acceleration that the reference may use (–), > 0.
    pub grip: f32,
    /// Yaw acceleration per lack of the yaw rate (`1/s`), > 0.
    pub gain: f32,
    /// Greatest torque of a wheel's brake (`N·m`), > 0.
    pub brake: f32,
    /// Greatest braking slip (–), within 0…1.
    pub slip: f32,
    /// Speed below which it does not act (`m/s`), ≥ 0.
    pub least_speed: f32,
}

impl TorqueVectoring {
    /// Torque vectoring of a passenger car, which turns as a neutral one would.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            characteristic_speed: 30.0,
            grip: 0.9,
            gain: 8.0,
            brake: 500.0,
            slip: 0.1,
            least_speed: 4.0,
        }
    }
}

impl DriverAid for TorqueVectoring {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("characteristic_speed", self.characteristic_speed, "m/s");
        inspector.positive("grip", self.grip, "");
        inspector.positive("gain", self.gain, "1/s");
        inspector.positive("brake", self.brake, "N·m");
        check_fraction("slip", self.slip, inspector);
        inspector.not_negative("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "torque-vectoring"
    }

    /// The reference of the yaw rate (`rad/s`), and the activity.
    fn memory(&self, _wheels: usize) -> usize {
        2
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[1]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [yaw_rate, activity] = memory else {
            return;
        };
        *activity = 0.0;
        let speed = sensors.velocity.x;
        if Pedals::of(sensors).throttle <= 0.0 || speed < self.least_speed {
            *yaw_rate = 0.0;
            return;
        }
        let steered = reference(sensors, self.characteristic_speed, self.grip);
        let wanted = followed(yaw_rate, steered, sensors.duration);
        let lack = wanted - sensors.angular_velocity.z;
        // It turns the car in, never out.
        if lack * wanted <= 0.0 {
            return;
        }
        let moment = self.gain * inertia(sensors) * lack;
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            let share = f32::from(u8::from(wheel.drive != 0.0));
            let torque = math::lesser(brake_for(wheel, moment, share), self.brake);
            if torque > 0.0 {
                request.brake += torque;
                keep_braking_slip(request, self.slip, speed, f32::INFINITY);
                *activity = math::greater(*activity, torque / self.brake);
            }
        }
    }
}
