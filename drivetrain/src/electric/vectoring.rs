//! Torque vectoring by yaw: motors of both sides turn the vehicle as it is steered.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, Sensors, WheelSensors};

use super::PerMotor;
use super::motor::MotorParams;

/// Torque vectoring between motors on both sides of the vehicle, from the error of the yaw rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct YawVectoringParams {
    /// Torque that each motor beside the middle adds or takes away, at its wheels, per error of the yaw rate (`N·m·s/rad`), > 0.
    pub gain: f32,
    /// Characteristic speed of the vehicle that it is to drive like (`m/s`), > 0: the yaw rate over the steering angle is greatest
    /// there.
    pub characteristic_speed: f32,
    /// Greatest torque that a motor adds or takes away, at its wheels (`N·m`), > 0.
    pub max_torque: f32,
}

/// Forward speed below which wheels are not steered against (`m/s`).
const SLOWEST: f32 = 2.0;

impl YawVectoringParams {
    /// Torques that turn the vehicle, at the wheels of each motor together (`N·m`), forward.
    pub(super) fn torques(&self, motors: &[MotorParams], sensors: &Sensors<'_>) -> PerMotor {
        let mut torques = [0.0; super::MAX_MOTORS];
        let error = self.wanted_yaw_rate(sensors) - sensors.angular_velocity.z;
        let torque = (self.gain * error).clamp(-self.max_torque, self.max_torque);
        for (slot, motor) in torques.iter_mut().zip(motors) {
            let side: f32 = motor
                .wheels
                .iter()
                .filter_map(|w| sensors.wheels.get(*w))
                .map(|w| w.position.y)
                .sum();
            // A wheel on the left that drives turns the vehicle to the right.
            *slot = match side {
                side if side > MIDDLE => -torque,
                side if side < -MIDDLE => torque,
                _ => 0.0,
            };
        }
        if sensors.velocity.x.abs() > SLOWEST {
            torques
        } else {
            [0.0; super::MAX_MOTORS]
        }
    }

    /// Yaw rate of a vehicle with this characteristic speed (`rad/s`), to the left: `v·δ/(l·(1 + v²/v_ch²))` (M. Mitschke, H.
    /// Wallentowitz, *Dynamik der Kraftfahrzeuge*, 5th ed. 2014).
    fn wanted_yaw_rate(&self, sensors: &Sensors<'_>) -> f32 {
        let places = || sensors.wheels.iter().map(|wheel| wheel.position.x);
        let front = places().fold(f32::NEG_INFINITY, f32::max);
        let rear = places().fold(f32::INFINITY, f32::min);
        let wheelbase = front - rear;
        if wheelbase <= 0.0 {
            return 0.0;
        }
        let angle = mean_angle(sensors.wheels, front) - mean_angle(sensors.wheels, rear);
        let speed = sensors.velocity.x;
        let relative = speed / self.characteristic_speed;
        speed * angle / (wheelbase * (1.0 + relative * relative))
    }
}

/// Distance from the middle up to which a motor drives no side (`m`).
const MIDDLE: f32 = 0.05;

/// Mean steering angle of the wheels of the axle at `x` (`m`).
fn mean_angle(wheels: &[WheelSensors], x: f32) -> f32 {
    let axle = wheels
        .iter()
        .filter(|wheel| (wheel.position.x - x).abs() < 0.1);
    let (mut sum, mut count) = (0.0, 0.0);
    for wheel in axle {
        sum += wheel.steering_angle;
        count += 1.0;
    }
    sum / count
}

impl Check for YawVectoringParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("gain", self.gain, "N·m·s/rad");
        i.positive("characteristic_speed", self.characteristic_speed, "m/s");
        i.positive("max_torque", self.max_torque, "N·m");
    }
}

#[cfg(test)]
mod tests;
