//! An anti-lock braking system that keeps the slip of each wheel.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, EngineRequest, Inspector, Requests, Sensors, WheelSensors};

use crate::sensing::{handbrake_holds, keep_braking_slip, mate};
use crate::slip_target::SlipTarget;

/// Control of the two brakes of a rear axle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RearChannels {
    /// Each brake by its own wheel.
    Each,
    /// Both brakes by the wheel with less grip, so that the axle keeps its lateral grip.
    SelectLow,
}

/// An anti-lock braking system (ABS) that keeps braking slips at the end of each substep, within the rates of its valves.
///
/// It knows what real ones only estimate: speed over the ground and slip, and with [`SlipTarget::Best`] the tire's law and the
/// friction under it. A real one hunts for the best slip in cycles: [`ValveAbs`](crate::ValveAbs). A handbrake has no valves: while
/// it is pulled, rear wheels may lock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "Abs::car")]
pub struct Abs {
    /// Braking slip that it keeps.
    pub slip: SlipTarget,
    /// Rate at which valves fill a brake (`N·m/s`), > 0.
    pub fill_rate: f32,
    /// Rate at which valves empty a brake (`N·m/s`), > 0.
    pub release_rate: f32,
    /// Speed below which wheels may lock (`m/s`), ≥ 0.
    pub least_speed: f32,
    /// Control of the rear axle's brakes.
    pub rear: RearChannels,
    /// Rate at which the torques of the front brakes may part while one of the wheels is at its slip (`N·m/s`), ≥ 0: gives the
    /// driver time to steer against the yaw of split friction. `None`: at once.
    pub front_parting_rate: Option<f32>,
}

/// Part of the kept slip from which on a wheel counts as limited (–).
const AT_LIMIT: f32 = 0.9;
/// Torque of the stronger brake of an axle over the weaker one's: factor (–) and offset (`N·m`). With nothing to gain in, both
/// would stay at the weaker one's torque for good.
const OVER_WEAKER: [f32; 2] = [1.02, 10.0];

impl Abs {
    /// An ABS of a passenger car: brakes fill and empty in about a tenth of a second, rear wheels select low.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            slip: SlipTarget::Best,
            fill_rate: 18_000.0,
            release_rate: 18_000.0,
            least_speed: 1.5,
            rear: RearChannels::SelectLow,
            front_parting_rate: None,
        }
    }

    fn acts_on(&self, wheel: &WheelSensors) -> bool {
        wheel.enabled && wheel.ground_velocity[0].abs() > self.least_speed
    }

    fn is_limited(&self, wheel: &WheelSensors) -> bool {
        let braking = -wheel.slip * wheel.ground_velocity[0].signum();
        self.acts_on(wheel) && braking > AT_LIMIT * self.slip.of(wheel)
    }

    /// Lets motors brake no harder than the wheels that they brake keep their slip.
    fn limit_motors(&self, wheels: &[WheelSensors], engine: Option<&mut EngineRequest>) {
        let Some(engine) = engine.filter(|engine| engine.torque < 0.0) else {
            return;
        };
        let moving = wheels.iter().filter(|wheel| self.acts_on(wheel));
        let slips = moving.map(|wheel| self.slip.of(wheel));
        if let Some(slip) = slips.reduce(math::lesser) {
            engine.least_torque = 0.0;
            engine.greatest_slip = math::lesser(engine.greatest_slip, slip);
        }
    }

    /// Torque that a brake may have over that of its axle's other one (`N·m`); remembers how far they have parted.
    fn parting(&self, wheel: &WheelSensors, parted: &mut f32, h: f32) -> f32 {
        if wheel.position.x < 0.0 {
            return match self.rear {
                RearChannels::Each => f32::INFINITY,
                RearChannels::SelectLow => 0.0,
            };
        }
        match self.front_parting_rate {
            None => f32::INFINITY,
            Some(rate) => {
                *parted += rate * h;
                *parted
            }
        }
    }
}

impl DriverAid for Abs {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        self.slip.check("slip", inspector);
        inspector.positive("fill_rate", self.fill_rate, "N·m/s");
        inspector.positive("release_rate", self.release_rate, "N·m/s");
        inspector.not_negative("least_speed", self.least_speed, "m/s");
        let rate = self.front_parting_rate.unwrap_or(0.0);
        inspector.not_negative("front_parting_rate", rate, "N·m/s");
    }

    fn name(&self) -> &str {
        "abs"
    }

    /// For each wheel, the torque by which its brake may exceed its mate's (`N·m`); last, the activity.
    fn memory(&self, wheels: usize) -> usize {
        wheels + 1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory.last().copied().unwrap_or(0.0)
    }

    /// While nothing brakes, after a substep in which it forgot what it did.
    fn rests(&self, memory: &[f32], brakes: bool) -> bool {
        !brakes && memory.iter().all(|value| *value == 0.0)
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let (h, wheels) = (sensors.duration, sensors.wheels);
        let [parted @ .., activity] = memory else {
            return;
        };
        *activity = 0.0;
        for (n, wheel) in wheels.iter().enumerate() {
            let request = &mut requests.wheels[n];
            if !self.acts_on(wheel) || handbrake_holds(sensors, wheel) || request.brake <= 0.0 {
                parted[n] = 0.0;
                continue;
            }
            request.brake = math::lesser(request.brake, wheel.brake + self.fill_rate * h);
            if let Some(other) = mate(wheels, n)
                .map(|n| &wheels[n])
                .filter(|w| self.is_limited(w))
            {
                let over = self.parting(wheel, &mut parted[n], h);
                let [factor, offset] = OVER_WEAKER;
                let weaker = factor * other.brake + offset;
                request.brake = math::lesser(request.brake, weaker + over);
            }
            let release = math::greater(request.brake - wheel.brake, 0.0) + self.release_rate * h;
            let speed = wheel.ground_velocity[0];
            keep_braking_slip(request, self.slip.of(wheel), speed, release);
            if self.is_limited(wheel) {
                *activity = 1.0;
            }
        }
        self.limit_motors(wheels, requests.engine.as_mut());
    }
}
