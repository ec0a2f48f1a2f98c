//! Trailer sway control: brakes a car whose trailer swings.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{brake_by_load, lag};
use crate::yaw::reference;

/// Trailer sway control: a car that yaws left and right by turns, without being steered so, is pulled by a swinging trailer; it is
/// braked until the sway has decayed, since sway is damped below the critical speed.
///
/// It sees what real ones see: yaw rate, speed and steering angle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "TrailerSwayControl::car")]
pub struct TrailerSwayControl {
    /// Yaw rate besides the steered one that counts as a swing (`rad/s`), > 0.
    pub yaw_rate: f32,
    /// Swings to alternate sides after which it acts, ≥ 1.
    pub swings: u8,
    /// Longest time between two swings (`s`), > 0.
    pub longest_swing: f32,
    /// Deceleration (`m/s²`, of the car's own mass), > 0.
    pub deceleration: f32,
    /// Speed above which it begins to act (`m/s`), > 0.
    pub speed: f32,
    /// Speed at which the steered yaw rate is greatest (`m/s`), > 0.
    pub characteristic_speed: f32,
}

/// Time constant of the mean yaw rate from which swings are told (`s`).
const MEAN_TIME: f32 = 1.0;

impl TrailerSwayControl {
    /// Sway control of a passenger car.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            yaw_rate: 0.04,
            swings: 4,
            longest_swing: 1.5,
            deceleration: 4.0,
            speed: 15.0,
            characteristic_speed: 22.0,
        }
    }

    /// Counts a swing of the yaw rate `swing` (`rad/s`).
    fn count(&self, swing: f32, h: f32, [side, since, count]: [&mut f32; 3]) {
        if swing.abs() > self.yaw_rate && swing * *side <= 0.0 {
            (*side, *since) = (swing.signum(), 0.0);
            *count = math::lesser(*count + 1.0, 255.0);
        } else if *count > 0.0 {
            *since += h;
        }
        if *since > self.longest_swing {
            (*side, *since, *count) = (0.0, 0.0, 0.0);
        }
    }
}

impl DriverAid for TrailerSwayControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("yaw_rate", self.yaw_rate, "rad/s");
        inspector.rule(self.swings > 0, "swings", self.swings, "", "must be >= 1");
        inspector.positive("longest_swing", self.longest_swing, "s");
        inspector.positive("deceleration", self.deceleration, "m/s²");
        inspector.positive("speed", self.speed, "m/s");
        inspector.positive("characteristic_speed", self.characteristic_speed, "m/s");
    }

    fn name(&self) -> &str {
        "trailer-sway-control"
    }

    /// Mean of the yaw rate besides the steered one (`rad/s`), side of the last swing, time since (`s`), number of swings, activity.
    fn memory(&self, _wheels: usize) -> usize {
        5
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[4]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [mean, side, since, count, activity] = memory else {
            return;
        };
        let goes_on = *activity > 0.0 && sensors.velocity.x > 0.5 * self.speed;
        if sensors.velocity.x < self.speed && !goes_on {
            (*mean, *side, *since, *count, *activity) = (0.0, 0.0, 0.0, 0.0, 0.0);
            return;
        }
        let h = sensors.duration;
        let own = sensors.angular_velocity.z - reference(sensors, self.characteristic_speed, 1.0);
        *mean += (own - *mean) * lag(h, MEAN_TIME);
        self.count(own - *mean, h, [side, since, count]);
        *activity = f32::from(u8::from(*count >= f32::from(self.swings)));
        if *activity > 0.0 {
            let force = sensors.mass * self.deceleration;
            brake_by_load(force, sensors.wheels, requests.wheels);
            if let Some(engine) = &mut requests.engine {
                engine.torque = math::lesser(engine.torque, 0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensing::tests::{CAR, UNASKED, car};
    use glam::Vec3;
    use vehicle_core::Command;

    /// Whether the aid acts within 5 s on a yaw rate (`rad/s`) that is this function of the time (`s`).
    fn acts(yaw_rate: impl Fn(f32) -> f32) -> bool {
        let (aid, command) = (TrailerSwayControl::car(), Command::default());
        let mut memory = [0.0; 5];
        let mut acted = false;
        for step in 0..300 {
            let mut sensors = car(&CAR, &command);
            sensors.angular_velocity = Vec3::Z * yaw_rate(step as f32 / 60.0);
            let mut wheels = [UNASKED; 4];
            let mut requests = Requests {
                wheels: &mut wheels,
                engine: None,
            };
            aid.assist(&sensors, &mut memory, &mut requests);
            let force: f32 = wheels.iter().map(|wheel| wheel.brake / 0.3).sum();
            let expected = 6000.0 * aid.activity(&memory);
            assert!((force - expected).abs() < 1.0, "{force}");
            acted |= force > 0.0;
        }
        acted
    }

    #[test]
    fn it_tells_sway_from_bends() {
        let swing = |amplitude: f32| move |t: f32| amplitude * (4.5 * t).sin();
        assert!(acts(swing(0.08)), "a swing of 0.7 Hz");
        assert!(!acts(swing(0.02)), "a small one");
        assert!(!acts(|t| 0.3 * (t - 2.0).clamp(0.0, 0.5)), "a bend");
        assert!(
            !acts(|t| if t < 1.5 { swing(0.2)(t) } else { 0.0 }),
            "one lane change"
        );
    }
}
