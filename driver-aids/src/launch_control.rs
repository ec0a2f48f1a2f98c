//! Launch control: holds the engine's speed at the start, and then the slip of the driven wheels.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::Pedals;
use crate::slip_target::SlipTarget;

/// Launch control: with full throttle and the brake or clutch pedal pressed, it holds the engine's speed; after the driver releases
/// the pedal, the engine gives no more than the wheel with the least grip transmits.
///
/// With [`SlipTarget::Best`] it knows the tire's law and the friction under it, which real ones do not; its engine follows at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "LaunchControl::car")]
pub struct LaunchControl {
    /// Speed of the engine before the start (`rad/s`), > 0.
    pub engine_speed: f32,
    /// Range below it in which the torque fades (`rad/s`), > 0.
    pub band: f32,
    /// Driving slip that it keeps.
    pub slip: SlipTarget,
    /// Speed at which it ends (`m/s`), > 0.
    pub end_speed: f32,
}

/// Throttle from which on a driver starts (–), and below which the start is broken off.
const STARTS: f32 = 0.9;
/// Pedal from which on brake and clutch count (–).
const PRESSED: f32 = 0.1;
/// Speed below which a car stands (`m/s`).
const STANDS: f32 = 0.5;

impl LaunchControl {
    /// Launch control of a sports car: 3000 1/min.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            engine_speed: 314.0,
            band: 50.0,
            slip: SlipTarget::Best,
            end_speed: 20.0,
        }
    }
}

impl DriverAid for LaunchControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("engine_speed", self.engine_speed, "rad/s");
        inspector.positive("band", self.band, "rad/s");
        self.slip.check("slip", inspector);
        inspector.positive("end_speed", self.end_speed, "m/s");
    }

    fn name(&self) -> &str {
        "launch-control"
    }

    /// 1 from the moment at which both pedals are pressed until the end of the start, which is the activity.
    fn memory(&self, _wheels: usize) -> usize {
        1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let pedals = Pedals::of(sensors);
        let speed = sensors.velocity.x.abs();
        let held = pedals.brake > PRESSED || pedals.clutch > PRESSED;
        if pedals.throttle < STARTS || speed > self.end_speed {
            memory[0] = 0.0;
        } else if speed < STANDS && held {
            memory[0] = 1.0;
        }
        let Some(engine) = requests.engine.as_mut().filter(|_| memory[0] > 0.0) else {
            return;
        };
        if held {
            let part = (self.engine_speed - sensors.engine_speed) / self.band;
            engine.torque = math::lesser(engine.torque, engine.torque * part.clamp(0.0, 1.0));
            return;
        }
        let driven = sensors.wheels.iter().filter(|wheel| wheel.drive != 0.0);
        let slip = driven.fold(f32::INFINITY, |slip, wheel| {
            math::lesser(slip, self.slip.of(wheel))
        });
        engine.greatest_slip = math::lesser(engine.greatest_slip, slip);
        engine.least_torque = math::lesser(engine.torque, 0.0);
    }
}
