//! A speed limiter: the engine gives less torque near a speed.

use serde::{Deserialize, Serialize};
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

/// A speed limiter: near the limit, driving torque fades to 0. It does not brake downhill.
///
/// It knows the speed over the ground; real ones know that of wheels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedLimiter {
    /// The limit (`m/s`), > 0.
    pub speed: f32,
    /// Range below it in which torque fades (`m/s`), > 0.
    #[serde(default = "band")]
    pub band: f32,
}

/// Default range in which torque fades (`m/s`).
const fn band() -> f32 {
    1.0
}

impl SpeedLimiter {
    /// A limiter at a speed (`m/s`).
    #[must_use]
    pub const fn at(speed: f32) -> Self {
        Self {
            speed,
            band: band(),
        }
    }
}

impl DriverAid for SpeedLimiter {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("speed", self.speed, "m/s");
        inspector.positive("band", self.band, "m/s");
    }

    fn name(&self) -> &str {
        "speed-limiter"
    }

    /// The activity.
    fn memory(&self, _wheels: usize) -> usize {
        1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let speed = sensors.velocity.x;
        let part = ((self.speed - speed.abs()) / self.band).clamp(0.0, 1.0);
        memory[0] = 1.0 - part;
        if part >= 1.0 {
            return;
        }
        if let Some(engine) = requests
            .engine
            .as_mut()
            .filter(|engine| engine.torque > 0.0)
        {
            engine.torque *= part;
            engine.least_torque = engine.torque;
        }
        for request in requests.wheels.iter_mut() {
            if request.drive * speed > 0.0 {
                request.drive *= part;
            }
        }
    }
}
