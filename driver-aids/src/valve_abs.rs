//! An anti-lock braking system of valves that hold, release and rebuild the pressure of each brake.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors, WheelSensors};

use crate::sensing::handbrake_holds;
use crate::slip_target::check_fraction;

/// An anti-lock braking system (ABS) of valves in Bosch's phases: a rim that decelerates too fast or slips too much closes the
/// inlet, then the outlet opens until the rim recovers; then the brake is filled fast to most of the torque at which the wheel
/// began to lock, and slowly beyond. It needs substeps of 1/240 s while the driver brakes.
///
/// As a real one, it does not know the friction; unlike it, it knows the speed over the ground, which real ones estimate from the
/// fastest wheels. Phases after Bosch, Automotive Handbook, antilock braking systems; numbers are tuned for passenger cars.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "ValveAbs::car")]
pub struct ValveAbs {
    /// Slip from which on the outlet opens, at a deceleration of 9 m/s² (–), within 0…1; it shrinks with the deceleration.
    pub slip: f32,
    /// Acceleration of the rim below which the inlet closes (`m/s²`), < 0.
    pub falling: f32,
    /// Acceleration of the rim above which it recovers (`m/s²`), > 0.
    pub rising: f32,
    /// Rate at which the pedal fills a brake (`N·m/s`), > 0.
    pub pedal_rate: f32,
    /// Rate at which a brake is filled slowly (`N·m/s`), > 0.
    pub fill_rate: f32,
    /// Rate at which a brake is emptied (`N·m/s`), > 0.
    pub release_rate: f32,
    /// Time for which a valve does not move after its command (`s`), ≥ 0.
    pub dead_time: f32,
    /// Torque of which the accumulator takes the fluid (`N·m`), > 0: once it is full, brakes empty as fast as the pump runs.
    pub accumulator: f32,
    /// Torque of which the pump returns the fluid (`N·m/s`), > 0.
    pub pump_rate: f32,
    /// Speed below which wheels may lock (`m/s`), ≥ 0.
    pub least_speed: f32,
}

/// Longest substep with which the phases work (`s`).
const SUBSTEP: f32 = 1.0 / 240.0;
/// Deceleration to which `slip` belongs (`m/s²`), and the least part of it that counts (–).
const FULL_DECELERATION: f32 = 9.0;
const LEAST_PART: f32 = 0.3;
/// Part of the torque at which a wheel began to lock up to which its brake is filled fast (–).
const FAST_PART: f32 = 0.8;
/// Time constant of the filter of rim accelerations (`s`).
const FILTER: f32 = 0.01;
/// Number of values that a wheel remembers.
const VALUES: usize = 6;

/// Phase of a wheel's valves, as remembered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// The brake follows the pedal.
    Pedal,
    /// The outlet is open.
    Release,
    /// Both valves are closed until the rim has recovered.
    Hold,
    /// The brake is filled, fast and then slowly.
    Fill,
}

impl Phase {
    fn of(value: f32) -> Self {
        match value as u8 {
            1 => Self::Release,
            2 => Self::Hold,
            3 => Self::Fill,
            _ => Self::Pedal,
        }
    }

    fn value(self) -> f32 {
        f32::from(self as u8)
    }
}

impl ValveAbs {
    /// Valves of a passenger car.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            slip: 0.13,
            falling: -25.0,
            rising: 6.0,
            pedal_rate: 15_000.0,
            fill_rate: 6_000.0,
            release_rate: 14_000.0,
            dead_time: 0.005,
            accumulator: 1200.0,
            pump_rate: 3500.0,
            least_speed: 1.5,
        }
    }

    /// The next phase of a wheel with this slip, positive braking, and acceleration of the rim (`m/s²`).
    fn next(&self, phase: Phase, slip: f32, threshold: f32, rim: f32) -> Phase {
        let slips = slip > threshold;
        match phase {
            Phase::Pedal | Phase::Fill if slips || rim < self.falling => Phase::Hold,
            Phase::Release if !slips || rim > self.rising => Phase::Hold,
            Phase::Hold if slips && rim < 0.0 => Phase::Release,
            Phase::Hold if !slips && rim > self.falling && rim < self.rising => Phase::Fill,
            phase => phase,
        }
    }

    /// Advances a wheel's valves and returns the torque of its brake (`N·m`).
    fn advance(
        &self,
        wheel: &WheelSensors,
        (memory, stored): (&mut [f32], &mut f32),
        (pedal, threshold, h): (f32, f32, f32),
    ) -> f32 {
        let [phase, torque, locked_at, rim, acceleration, since] = memory else {
            return pedal;
        };
        let direction = wheel.ground_velocity[0].signum();
        let speed = direction * wheel.spin * wheel.radius;
        let change = (speed - *rim) / h;
        *acceleration += (change - *acceleration) * h / (FILTER + h);
        *rim = speed;
        let before = Phase::of(*phase);
        let next = self.next(before, -direction * wheel.slip, threshold, *acceleration);
        if next != before {
            if matches!(before, Phase::Pedal | Phase::Fill) {
                *locked_at = *torque;
            }
            (*phase, *since) = (next.value(), 0.0);
        }
        let moved = math::lesser(math::greater(*since + h - self.dead_time, 0.0), h);
        *since += h;
        match next {
            Phase::Pedal => *torque += self.pedal_rate * h,
            Phase::Hold => {}
            Phase::Release => {
                let room = math::greater(self.accumulator - *stored, 0.0);
                let most = math::lesser(self.release_rate * moved, room + self.pump_rate * h);
                let drained = math::lesser(most, *torque);
                *torque -= drained;
                *stored += drained;
            }
            Phase::Fill if *torque < FAST_PART * *locked_at => *torque += self.pedal_rate * moved,
            Phase::Fill => *torque += self.fill_rate * moved,
        }
        *torque = math::lesser(*torque, pedal);
        *torque
    }
}

impl DriverAid for ValveAbs {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        check_fraction("slip", self.slip, inspector);
        let falling = self.falling;
        let falls = falling < 0.0 && falling.is_finite();
        inspector.rule(falls, "falling", falling, "m/s²", "must be finite and < 0");
        inspector.positive("rising", self.rising, "m/s²");
        for (name, value, unit) in [
            ("pedal_rate", self.pedal_rate, "N·m/s"),
            ("fill_rate", self.fill_rate, "N·m/s"),
            ("release_rate", self.release_rate, "N·m/s"),
            ("accumulator", self.accumulator, "N·m"),
            ("pump_rate", self.pump_rate, "N·m/s"),
        ] {
            inspector.positive(name, value, unit);
        }
        inspector.not_negative("dead_time", self.dead_time, "s");
        inspector.not_negative("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "valve-abs"
    }

    /// For each wheel: phase, torque (`N·m`), torque at which it began to lock (`N·m`), speed (`m/s`) and acceleration (`m/s²`)
    /// of the rim, time in the phase (`s`). Then the torque of which the accumulator has the fluid (`N·m`), whether the driver
    /// brakes, and the activity.
    fn memory(&self, wheels: usize) -> usize {
        VALUES * wheels + 3
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory.last().copied().unwrap_or(0.0)
    }

    fn longest_substep(&self, memory: &[f32]) -> f32 {
        match memory {
            [.., brakes, _] if *brakes > 0.0 => SUBSTEP,
            _ => f32::INFINITY,
        }
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [valves @ .., stored, brakes, activity] = memory else {
            return;
        };
        let h = sensors.duration;
        *stored = math::greater(*stored - self.pump_rate * h, 0.0);
        (*brakes, *activity) = (0.0, 0.0);
        let part = sensors.acceleration.x.abs() / FULL_DECELERATION;
        let threshold = self.slip * part.clamp(LEAST_PART, 1.0);
        for (n, memory) in valves.chunks_mut(VALUES).enumerate() {
            let (wheel, request) = (&sensors.wheels[n], &mut requests.wheels[n]);
            let fast = wheel.enabled && wheel.ground_velocity[0].abs() > self.least_speed;
            if request.brake > 0.0 && fast && !handbrake_holds(sensors, wheel) {
                *brakes = 1.0;
                let asked = (request.brake, threshold, h);
                request.brake = self.advance(wheel, (memory, stored), asked);
                if Phase::of(memory[0]) != Phase::Pedal {
                    *activity = 1.0;
                }
            } else {
                memory.fill(0.0);
                // The rim's speed, for its acceleration when the driver brakes.
                memory[3] = (wheel.spin * wheel.radius).abs() * f32::from(u8::from(fast));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let abs = ValveAbs::car();
        let mut phase = Phase::Pedal;
        for (slip, rim, expected) in [
            (0.02, -9.0, Phase::Pedal),
            (0.1, -40.0, Phase::Hold),
            (0.14, -40.0, Phase::Release),
            (0.2, -20.0, Phase::Release),
            (0.15, 10.0, Phase::Hold),
            (0.03, 8.0, Phase::Hold),
            (0.02, 0.0, Phase::Fill),
            (0.05, -9.0, Phase::Fill),
            (0.14, -9.0, Phase::Hold),
        ] {
            phase = abs.next(phase, slip, 0.13, rim);
            assert_eq!(phase, expected, "{slip} {rim}");
            assert_eq!(Phase::of(phase.value()), phase);
        }
    }
}
