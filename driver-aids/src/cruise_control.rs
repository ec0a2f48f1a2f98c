//! Cruise control: the engine keeps a speed.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{Pedals, brake_by_load};

/// Cruise control: the engine keeps a set speed, uphill and against the wind, until the driver brakes. With the accelerator the
/// driver goes faster. Behind another vehicle it keeps a distance that grows with the speed, and brakes for it; it does not
/// brake for the set speed.
///
/// The host sets the values that it [remembers](vehicle_core::VehicleState::aid_memory_mut): the first is the set speed (`m/s`), 0
/// while none is set; the third the distance to the vehicle ahead (`m`), 0 while there is none, and the fourth that vehicle's
/// speed (`m/s`). It knows them and the speed over the ground exactly; real ones measure by radar and wheels.
///
/// The distance follows from a constant time headway (P. Ioannou, C. Chien, *Autonomous Intelligent Cruise Control*, IEEE
/// Transactions on Vehicular Technology 42, 1993): with the distance's error ε, `T·v̇ = v_ahead − v + λ·ε`, so that ε
/// decays by `ε̇ = −λ·ε`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "CruiseControl::car")]
pub struct CruiseControl {
    /// Torque of the engine per lack of speed (`N·m·s/m`), > 0.
    pub gain: f32,
    /// Time in which a lasting lack of speed adds as much torque again (`s`), > 0.
    pub time: f32,
    /// Greatest torque that it requests (`N·m`), > 0: at most what the engine has.
    pub greatest_torque: f32,
    /// Least speed that it keeps (`m/s`), > 0; below, it switches itself off.
    pub least_speed: f32,
    /// Time to the place of the vehicle ahead (`s`), T, > 0.
    pub time_gap: f32,
    /// Distance to the vehicle ahead beside that (`m`), ≥ 0.
    pub least_gap: f32,
    /// Greatest deceleration by the brakes behind another vehicle (`m/s²`), ≥ 0; 0: by the engine only.
    pub deceleration: f32,
}

/// Rate at which an error of the distance decays, λ (`1/s`). tuned: at 30 m/s, from 20 m too far, half a `m/s²` at most.
const CLOSING_RATE: f32 = 0.2;
/// Deceleration up to which engine and air brake enough (`m/s²`).
const WITHOUT_BRAKES: f32 = 0.3;

impl CruiseControl {
    /// Cruise control of a passenger car with a small engine; headway and deceleration are within ISO 15622:2018, which asks for at
    /// least 0.8 s and allows 3.5 m/s² at high speed.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            gain: 60.0,
            time: 4.0,
            greatest_torque: 150.0,
            least_speed: 8.0,
            time_gap: 1.8,
            least_gap: 4.0,
            deceleration: 3.0,
        }
    }

    /// Speed (`m/s`) that a vehicle lacks to keep its distance `ahead`, which is (distance, speed); infinite with none ahead.
    fn lack_behind(&self, speed: f32, [distance, ahead]: [f32; 2]) -> f32 {
        if distance > 0.0 {
            let error = distance - self.least_gap - self.time_gap * speed;
            ahead - speed + CLOSING_RATE * error
        } else {
            f32::INFINITY
        }
    }
}

impl DriverAid for CruiseControl {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("gain", self.gain, "N·m·s/m");
        inspector.positive("time", self.time, "s");
        inspector.positive("greatest_torque", self.greatest_torque, "N·m");
        inspector.positive("least_speed", self.least_speed, "m/s");
        inspector.positive("time_gap", self.time_gap, "s");
        inspector.not_negative("least_gap", self.least_gap, "m");
        inspector.not_negative("deceleration", self.deceleration, "m/s²");
    }

    fn name(&self) -> &str {
        "cruise-control"
    }

    /// Set speed (`m/s`), 0 for none; torque by the lasting lack of speed (`N·m`); distance to the vehicle ahead (`m`), 0 for none, and
    /// its speed (`m/s`).
    fn memory(&self, _wheels: usize) -> usize {
        4
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        f32::from(u8::from(memory[0] > 0.0))
    }

    fn rests(&self, memory: &[f32], _brakes: bool) -> bool {
        memory[..2].iter().all(|value| *value == 0.0)
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        let [set, lasting, distance, ahead] = memory else {
            return;
        };
        let speed = sensors.velocity.x;
        if Pedals::of(sensors).brake > 0.0 || speed < self.least_speed {
            *set = 0.0;
        }
        if *set <= 0.0 {
            (*set, *lasting) = (0.0, 0.0);
            return;
        }
        let behind = self.lack_behind(speed, [*distance, *ahead]);
        let lack = math::lesser(*set - speed, behind);
        let torque = self.gain * lack + *lasting;
        let request = torque.clamp(0.0, self.greatest_torque);
        // At a limit, a lasting lack does not count: it would overshoot.
        if request == torque || lack * (request - torque) > 0.0 {
            *lasting += self.gain * lack * sensors.duration / self.time;
            *lasting = lasting.clamp(0.0, self.greatest_torque);
        }
        if let Some(engine) = &mut requests.engine {
            engine.torque = math::greater(engine.torque, request);
            engine.least_torque = engine.torque;
        }
        let braking = -behind / self.time_gap - WITHOUT_BRAKES;
        if braking > 0.0 && request <= 0.0 {
            let braking = math::lesser(braking, self.deceleration);
            brake_by_load(sensors.mass * braking, sensors.wheels, requests.wheels);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the distance that it keeps, a vehicle as fast as the one ahead lacks nothing.
    #[test]
    fn the_kept_distance_grows_with_the_speed() {
        let cruise = CruiseControl::car();
        for speed in [10.0, 30.0] {
            let kept = cruise.least_gap + cruise.time_gap * speed;
            assert!(cruise.lack_behind(speed, [kept, speed]).abs() < 1e-5);
            assert!((cruise.lack_behind(speed, [kept + 5.0, speed]) - 1.0).abs() < 1e-5);
        }
        assert_eq!(cruise.lack_behind(20.0, [0.0, 0.0]), f32::INFINITY);
    }
}
