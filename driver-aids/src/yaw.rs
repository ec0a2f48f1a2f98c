//! Yaw of a car as its driver steers it, and brakes that turn it.

use vehicle_core::math;
use vehicle_core::{Sensors, WheelSensors};

use crate::sensing::{ends, friction, lag};

/// Time constant with which a car's yaw rate follows the steering (`s`): tuned with the sine with dwell.
const YAW_LAG: f32 = 0.08;

/// The yaw rate that a linear single-track model has at the steering angle (`rad/s`), to the left, within this part of what the
/// friction allows: v·δ/(L·(1 + v²/u²)) at the characteristic speed u.
///
/// See Gillespie, Fundamentals of Vehicle Dynamics (1992), equation 6-19.
pub(crate) fn reference(sensors: &Sensors<'_>, characteristic_speed: f32, grip: f32) -> f32 {
    let [front, rear] = ends(sensors.wheels);
    let (wheelbase, v) = (front - rear, sensors.velocity.x);
    if wheelbase <= 0.1 {
        return 0.0;
    }
    let angle = mean_angle(sensors.wheels, |x| x > 0.0) - mean_angle(sensors.wheels, |x| x <= 0.0);
    let by_speed = v / characteristic_speed;
    let steady = v * angle / (wheelbase * (1.0 + by_speed * by_speed));
    let gravity = sensors.gravity.length();
    let most = grip * friction(sensors.wheels) * gravity / math::greater(v.abs(), 1.0);
    steady.clamp(-most, most)
}

/// The reference as the car follows it, by one remembered value.
pub(crate) fn followed(remembered: &mut f32, reference: f32, duration: f32) -> f32 {
    *remembered += (reference - *remembered) * lag(duration, YAW_LAG);
    *remembered
}

fn mean_angle(wheels: &[WheelSensors], is_at: impl Fn(f32) -> bool) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for wheel in wheels {
        if wheel.enabled && is_at(wheel.position.x) {
            sum += wheel.steering_angle;
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Moment of inertia about the vertical axis (`kg·m²`), as cars have it: mass times the distances of both axles from the center
/// of mass.
pub(crate) fn inertia(sensors: &Sensors<'_>) -> f32 {
    let [front, rear] = ends(sensors.wheels);
    sensors.mass * math::greater(front * -rear, 0.0)
}

/// Braking torque of a wheel (`N·m`) that turns the car by `moment` (`N·m`, to the left) where `share` of it is the wheel's; 0 for
/// a wheel on the other side.
pub(crate) fn brake_for(wheel: &WheelSensors, moment: f32, share: f32) -> f32 {
    let side = wheel.position.y;
    if !wheel.enabled || side * moment <= 0.0 || side.abs() < 0.1 {
        return 0.0;
    }
    share * (moment / side) * wheel.radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensing::tests::{CAR, car};
    use vehicle_core::Command;

    #[test]
    fn the_reference_is_the_single_track_models() {
        let command = Command::default();
        let mut wheels = CAR;
        for wheel in &mut wheels[..2] {
            wheel.steering_angle = 0.01;
        }
        let sensors = car(&wheels, &command);
        assert!((reference(&sensors, 20.0, 0.9) - 20.0 * 0.01 / (2.6 * 2.0)).abs() < 1e-6);
        for wheel in &mut wheels[..2] {
            wheel.steering_angle = -0.5;
        }
        let most = 0.9 * 0.8 * 9.81 / 20.0;
        let sensors = car(&wheels, &command);
        assert!((reference(&sensors, 20.0, 0.9) + most).abs() < 1e-5);
    }

    #[test]
    fn brakes_of_one_side_turn_the_car() {
        assert_eq!(brake_for(&CAR[1], 800.0, 1.0), 0.0);
        assert!((brake_for(&CAR[0], 800.0, 0.5) - 0.5 * 1000.0 * 0.3).abs() < 1e-3);
        assert!((brake_for(&CAR[1], -800.0, 1.0) - 300.0).abs() < 1e-3);
    }
}
