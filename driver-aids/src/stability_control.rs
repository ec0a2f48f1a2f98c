//! Electronic stability control: brakes that turn the car as it is steered.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{beyond, keep_braking_slip};
use crate::slip_target::check_fraction;
use crate::yaw::{brake_for, followed, inertia, reference};

/// Electronic stability control (ESC): compares the yaw rate with that of a linear single-track model, and brakes single wheels
/// against the difference and against side slip. Too much yaw is braked by the outer front and rear wheel, too little by the inner
/// rear one; the engine then does not drive.
///
/// It knows what real ones estimate: side slip, and the friction that bounds the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "StabilityControl::car")]
pub struct StabilityControl {
    /// Speed at which the reference turns most for a steering angle (`m/s`), > 0.
    pub characteristic_speed: f32,
    /// Part of the friction's lateral acceleration that the reference may use (–), > 0.
    pub grip: f32,
    /// Yaw acceleration per excess of the yaw rate (`1/s`), ≥ 0.
    pub yaw_gain: f32,
    /// Yaw acceleration per excess of the side slip (`1/s²`), ≥ 0.
    pub side_slip_gain: f32,
    /// Deviation of the yaw rate that it leaves alone (`rad/s`), ≥ 0.
    pub yaw_tolerance: f32,
    /// Side slip that it leaves alone (`rad`), ≥ 0.
    pub side_slip_tolerance: f32,
    /// Greatest torque of a wheel's brake (`N·m`), > 0.
    pub brake: f32,
    /// Rate at which it fills a brake (`N·m/s`), > 0.
    pub fill_rate: f32,
    /// Greatest braking slip (–), within 0…1.
    pub slip: f32,
    /// Speed below which it does not act (`m/s`), ≥ 0.
    pub least_speed: f32,
}

/// Share of the moment for which the outer rear wheel brakes as well (–).
const REAR_SHARE: f32 = 0.3;

impl StabilityControl {
    /// Stability control of a passenger car. tuned: by the sine with dwell of FMVSS 126.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            characteristic_speed: 22.0,
            grip: 0.9,
            yaw_gain: 15.0,
            side_slip_gain: 11.0,
            yaw_tolerance: 0.05,
            side_slip_tolerance: 0.05,
            brake: 3000.0,
            fill_rate: 15_000.0,
            slip: 0.2,
            least_speed: 5.0,
        }
    }

    /// Moment that turns the car as it is steered (`N·m`), to the left.
    fn moment(&self, sensors: &Sensors<'_>, wanted: f32) -> f32 {
        let velocity = sensors.velocity;
        let side_slip = math::atan(velocity.y / velocity.x);
        let yaw = beyond(sensors.angular_velocity.z - wanted, self.yaw_tolerance);
        let slide = beyond(side_slip, self.side_slip_tolerance);
        inertia(sensors) * (self.side_slip_gain * slide - self.yaw_gain * yaw)
    }

    /// Shares of the moment for a front and a rear wheel.
    fn shares(moment: f32, yaw_rate: f32) -> [f32; 2] {
        if moment * yaw_rate < 0.0 {
            [1.0, REAR_SHARE]
        } else {
            [0.0, 1.0]
        }
    }
}

impl DriverAid for StabilityControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("characteristic_speed", self.characteristic_speed, "m/s");
        inspector.positive("grip", self.grip, "");
        inspector.not_negative("yaw_gain", self.yaw_gain, "1/s");
        inspector.not_negative("side_slip_gain", self.side_slip_gain, "1/s²");
        inspector.not_negative("yaw_tolerance", self.yaw_tolerance, "rad/s");
        inspector.not_negative("side_slip_tolerance", self.side_slip_tolerance, "rad");
        inspector.positive("brake", self.brake, "N·m");
        inspector.positive("fill_rate", self.fill_rate, "N·m/s");
        check_fraction("slip", self.slip, inspector);
        inspector.not_negative("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "stability-control"
    }

    /// Own torque of each brake (`N·m`), then the reference of the yaw rate (`rad/s`) and the activity.
    fn memory(&self, wheels: usize) -> usize {
        wheels + 2
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory.last().copied().unwrap_or(0.0)
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [brakes @ .., yaw_rate, activity] = memory else {
            return;
        };
        *activity = 0.0;
        if sensors.velocity.x < math::greater(self.least_speed, 0.1) {
            brakes.fill(0.0);
            *yaw_rate = 0.0;
            return;
        }
        let steered = reference(sensors, self.characteristic_speed, self.grip);
        let moment = self.moment(sensors, followed(yaw_rate, steered, sensors.duration));
        let [front, rear] = Self::shares(moment, sensors.angular_velocity.z);
        for (n, wheel) in sensors.wheels.iter().enumerate() {
            let share = if wheel.position.x > 0.0 { front } else { rear };
            let filled = brakes[n] + self.fill_rate * sensors.duration;
            let most = math::lesser(self.brake, filled);
            brakes[n] = math::lesser(brake_for(wheel, moment, share), most);
            if brakes[n] > 0.0 {
                let request = &mut requests.wheels[n];
                request.brake += brakes[n];
                keep_braking_slip(request, self.slip, sensors.velocity.x, f32::INFINITY);
                *activity = 1.0;
            }
        }
        if let Some(engine) = requests.engine.as_mut().filter(|_| *activity > 0.0) {
            engine.torque = math::lesser(engine.torque, 0.0);
            engine.least_torque = math::lesser(engine.torque, engine.least_torque);
        }
    }
}
