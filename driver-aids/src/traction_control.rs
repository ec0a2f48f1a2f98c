//! Traction control: keeps the slip of driven wheels, by the engine and by their brakes.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors, WheelRequest, WheelSensors};

use crate::sensing::Pedals;
use crate::slip_target::SlipTarget;

/// Traction control: brakes take the difference between driven wheels, and the engine gives no more than all of them transmit.
///
/// It knows what real ones estimate: the slip, and with [`SlipTarget::Best`] the tire's law and the friction under it. Its engine
/// follows at once; real ones lag by 0.1 to 0.3 s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "TractionControl::car")]
pub struct TractionControl {
    /// Driving slip that it keeps.
    pub slip: SlipTarget,
    /// Whether traction control reduces the engine's torque, beside braking.
    pub engine: bool,
    /// Least torque to which it reduces the engine (`N·m`); below 0, the engine brakes.
    pub least_torque: f32,
    /// Greatest torque of a wheel's brake (`N·m`), ≥ 0; 0 without brakes.
    pub brake: f32,
    /// Rate at which it fills a brake (`N·m/s`), > 0.
    pub fill_rate: f32,
    /// Speed above which it leaves the brakes alone (`m/s`), ≥ 0: they would overheat.
    pub brake_speed: f32,
}

/// Part of the kept slip from which on a wheel counts as limited (–).
const AT_LIMIT: f32 = 0.9;

impl TractionControl {
    /// Traction control of a passenger car.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            slip: SlipTarget::Best,
            engine: true,
            least_torque: 0.0,
            brake: 2500.0,
            fill_rate: 15_000.0,
            brake_speed: 25.0,
        }
    }

    /// Lets the solver brake a wheel that spins in the direction in which it is driven.
    fn brake(&self, wheel: &WheelSensors, request: &mut WheelRequest, h: f32) {
        let slip = self.slip.of(wheel);
        let [least, greatest] = request.slip_range;
        request.slip_range = if wheel.drive < 0.0 {
            [math::greater(least, -slip), greatest]
        } else {
            [least, math::lesser(greatest, slip)]
        };
        let most = math::lesser(self.brake, wheel.brake + self.fill_rate * h);
        request.build = math::greater(request.build, math::greater(most - request.brake, 0.0));
    }

    /// Slip for the engine (–): of the wheel with the least, or, where brakes hold the others, with the most grip.
    fn of_driven(&self, wheels: &[WheelSensors], of_slowest: bool) -> f32 {
        let driven = wheels.iter().filter(|wheel| wheel.drive != 0.0);
        let slips = driven.map(|wheel| self.slip.of(wheel));
        if of_slowest {
            slips.fold(0.0, math::greater)
        } else {
            slips.fold(f32::INFINITY, math::lesser)
        }
    }
}

impl DriverAid for TractionControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        self.slip.check("slip", inspector);
        inspector.finite("least_torque", self.least_torque, "N·m");
        inspector.not_negative("brake", self.brake, "N·m");
        inspector.positive("fill_rate", self.fill_rate, "N·m/s");
        inspector.not_negative("brake_speed", self.brake_speed, "m/s");
        let acts = self.engine || self.brake > 0.0;
        inspector.rule(acts, "engine", false, "", "must be true, or brake > 0");
    }

    fn name(&self) -> &str {
        "traction-control"
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
        if Pedals::of(sensors).throttle <= 0.0 {
            return;
        }
        let brakes = self.brake > 0.0 && sensors.velocity.x.abs() < self.brake_speed;
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            if !wheel.enabled || wheel.drive == 0.0 {
                continue;
            }
            if brakes {
                self.brake(wheel, request, sensors.duration);
            }
            let driving = wheel.slip * wheel.drive.signum();
            if driving > AT_LIMIT * self.slip.of(wheel) {
                memory[0] = 1.0;
            }
        }
        let slip = self.of_driven(sensors.wheels, brakes);
        if let Some(engine) = requests
            .engine
            .as_mut()
            .filter(|_| self.engine && slip > 0.0)
        {
            engine.of_slowest = brakes;
            engine.greatest_slip = math::lesser(engine.greatest_slip, slip);
            engine.least_torque = math::lesser(engine.torque, self.least_torque);
        }
    }
}
