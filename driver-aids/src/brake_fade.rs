//! Heat of brake discs, and the torque that it takes away.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

/// Discs that take the heat of braking and give it off to the air: hot ones brake less, by the pedal, the handbrake and every aid
/// that acts before.
///
/// Each disc is one mass. With the brake's power P and the heat G that the air takes per kelvin, its temperature T over the air's
/// obeys `C·Ṫ = P − G·T`, which is solved exactly in each substep. No aid of a real car, but as an aid it can be switched off;
/// its activity is the part of the torque that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "BrakeFade::car")]
pub struct BrakeFade {
    /// Heat capacity of the disc of a front wheel and of a rear one (`J/K`), C, > 0.
    pub capacity: [f32; 2],
    /// Heat that the air takes from a disc while the vehicle stands, per difference of temperature (`W/K`), > 0.
    pub cooling: f32,
    /// Heat that it takes beside that, per difference of temperature and speed (`W·s/(K·m)`), ≥ 0.
    pub cooling_by_speed: f32,
    /// Temperatures over the air's from which the torque falls, and from which on it stays (`K`), ascending, > 0.
    pub fade: [f32; 2],
    /// Part of the torque that stays (–), 0…1.
    pub least: f32,
}

impl BrakeFade {
    /// Discs of a passenger car: 9 and 5 kg of gray iron with 500 J/(kg·K), and pads whose friction falls between 350 and
    /// 650 °C (B. Breuer, K. Bill, *Bremsenhandbuch*, 5th ed. 2017).
    #[must_use]
    pub const fn car() -> Self {
        Self {
            capacity: [4500.0, 2500.0],
            cooling: 4.0,
            cooling_by_speed: 1.2,
            fade: [330.0, 630.0],
            least: 0.5,
        }
    }

    /// Part of the torque that a brake has whose disc has this temperature over the air's (`K`), 0…1.
    #[must_use]
    pub fn torque_share(&self, rise: f32) -> f32 {
        let [begins, ends] = self.fade;
        let lost = ((rise - begins) / (ends - begins)).clamp(0.0, 1.0);
        1.0 - lost * (1.0 - self.least)
    }

    /// Temperature over the air's (`K`) after `duration` (`s`) with a constant power of the brake (`W`), from `rise` (`K`), of a disc
    /// with this heat capacity (`J/K`) at a speed (`m/s`): exact, so that it does not depend on the time step.
    #[must_use]
    pub fn after(
        &self,
        rise: f32,
        power: f32,
        (capacity, speed): (f32, f32),
        duration: f32,
    ) -> f32 {
        let cooling = self.cooling + self.cooling_by_speed * speed.abs();
        let end = power / cooling;
        rise + (rise - end) * math::exp_m1(-cooling * duration / capacity)
    }
}

impl DriverAid for BrakeFade {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        let [front, rear] = self.capacity;
        inspector.positive("capacity[0]", front, "J/K");
        inspector.positive("capacity[1]", rear, "J/K");
        inspector.positive("cooling", self.cooling, "W/K");
        inspector.not_negative("cooling_by_speed", self.cooling_by_speed, "W·s/(K·m)");
        let [begins, ends] = self.fade;
        inspector.positive("fade[0]", begins, "K");
        inspector.finite("fade[1]", ends, "K");
        let rule = "must be above the temperature from which the torque falls";
        inspector.rule(ends > begins, "fade[1]", ends, "K", rule);
        inspector.within_range("least", self.least, 0.0, 1.0, "");
    }

    fn name(&self) -> &str {
        "brake-fade"
    }

    /// For each wheel, its spin at the start of the last substep (`rad/s`); then the temperatures of the discs over the air's (`K`).
    fn memory(&self, wheels: usize) -> usize {
        2 * wheels
    }

    fn counters(&self, wheels: usize) -> usize {
        wheels
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        let (_, rises) = memory.split_at(memory.len() / 2);
        1.0 - self.torque_share(rises.iter().copied().fold(0.0, math::greater))
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let (spins, rises) = memory.split_at_mut(memory.len() / 2);
        let of_wheels = sensors.wheels.iter().zip(requests.wheels.iter_mut());
        for ((wheel, request), (before, rise)) in of_wheels.zip(spins.iter_mut().zip(rises)) {
            // The brake's torque is that of the last substep.
            let power = wheel.brake * 0.5 * (before.abs() + wheel.spin.abs());
            let capacity = self.capacity[usize::from(wheel.position.x < 0.0)];
            let disc = (capacity, sensors.velocity.x);
            *rise = self.after(*rise, power, disc, sensors.duration);
            *before = wheel.spin;
            request.brake *= self.torque_share(*rise);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensing::tests::{CAR, UNASKED, car};
    use vehicle_core::{CarCommand, Command, WheelRequest};

    #[test]
    fn torque_falls_between_two_temperatures() {
        let discs = BrakeFade::car();
        let shares = [0.0, 330.0, 480.0, 630.0, 2000.0].map(|rise| discs.torque_share(rise));
        assert_eq!(shares, [1.0, 1.0, 0.75, 0.5, 0.5]);
    }

    /// T = P/G·(1 − exp(−G·t/C)) at a constant speed, in one step or in many.
    #[test]
    fn constant_power_warms_by_an_exponential() {
        let discs = BrakeFade::car();
        let cooling = f64::from(discs.cooling + 20.0 * discs.cooling_by_speed);
        let expected = 9000.0 / cooling * (1.0 - f64::exp(-cooling * 60.0 / 4500.0));
        for steps in [1_u16, 60, 3600] {
            let h = 60.0 / f32::from(steps);
            let step = |rise, _| discs.after(rise, 9000.0, (4500.0, -20.0), h);
            let rise = f64::from((0..steps).fold(0.0, step));
            assert!(
                (rise - expected).abs() < 1e-3 * expected,
                "{rise} {expected}"
            );
        }
    }

    /// Without air, a disc has all energy that its brake took from the wheel: the mean of a falling spin counts.
    #[test]
    fn discs_take_the_energy_of_their_brakes() {
        let discs = BrakeFade {
            cooling: 1e-3,
            cooling_by_speed: 0.0,
            ..BrakeFade::car()
        };
        let command = Command::Car(CarCommand::default());
        let (mut memory, mut wheels) = ([0.0; 8], CAR);
        let (mut energy, h, deceleration) = (0.0, 1.0 / 60.0, 20.0);
        for step in 0..181 {
            let spin = 66.0 - deceleration * h * step as f32;
            for wheel in &mut wheels {
                (wheel.spin, wheel.brake) = (spin, if step > 0 { 800.0 } else { 0.0 });
            }
            if step > 0 {
                energy += 800.0 * (spin + 0.5 * deceleration * h) * h;
            }
            let mut asked = [WheelRequest {
                brake: 800.0,
                ..UNASKED
            }; 4];
            let mut requests = Requests {
                wheels: &mut asked,
                engine: None,
            };
            discs.assist(&car(&wheels, &command), &mut memory, &mut requests);
        }
        for (rise, capacity) in [(memory[4], 4500.0), (memory[7], 2500.0)] {
            assert!(
                (rise * capacity / energy - 1.0).abs() < 1e-3,
                "{rise} {energy}"
            );
        }
        assert_eq!(discs.activity(&memory), 0.0);
        memory[6] = 630.0;
        assert_eq!(discs.activity(&memory), 0.5);
    }
}
