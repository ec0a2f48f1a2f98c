//! Hill descent: the brakes keep a slow speed downhill.

use serde::{Deserialize, Serialize};
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{Pedals, brake_by_load};

/// Hill descent control: while no pedal is pressed, brakes keep a slow speed downhill, forward or backward.
///
/// It knows speed and slope exactly. It acts whenever it is switched on: switch it off on the road.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "HillDescent::car")]
pub struct HillDescent {
    /// Speed that it keeps (`m/s`), > 0.
    pub speed: f32,
    /// Speed above which it does not act (`m/s`), above `speed`.
    pub greatest_speed: f32,
    /// Least slope on which it acts (–, the sine), ≥ 0.
    pub least_slope: f32,
    /// Time in which an excess of speed decays (`s`), > 0.
    pub time: f32,
}

impl HillDescent {
    /// Hill descent of an off-road car: 8 km/h.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            speed: 2.2,
            greatest_speed: 10.0,
            least_slope: 0.05,
            time: 0.3,
        }
    }
}

impl DriverAid for HillDescent {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("speed", self.speed, "m/s");
        let greatest = self.greatest_speed;
        let above = greatest > self.speed;
        inspector.rule(
            above,
            "greatest_speed",
            greatest,
            "m/s",
            "must be above speed",
        );
        inspector.not_negative("least_slope", self.least_slope, "");
        inspector.positive("time", self.time, "s");
    }

    fn name(&self) -> &str {
        "hill-descent"
    }

    /// The activity.
    fn memory(&self, _wheels: usize) -> usize {
        1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        memory[0] = 0.0;
        let pedals = Pedals::of(sensors);
        let speed = sensors.velocity.x;
        // Downhill in the direction of motion (m/s²).
        let pull = sensors.gravity.x * speed.signum();
        let is_slope = pull > self.least_slope * sensors.gravity.length();
        let slow = speed.abs() < self.greatest_speed;
        if pedals.throttle > 0.0 || pedals.brake > 0.0 || !is_slope || !slow {
            return;
        }
        let braking = pull + (speed.abs() - self.speed) / self.time;
        if braking > 0.0 {
            memory[0] = 1.0;
            brake_by_load(sensors.mass * braking, sensors.wheels, requests.wheels);
        }
    }
}
