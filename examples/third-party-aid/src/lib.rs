//! An anti-lock braking system (ABS): a [`DriverAid`] that keeps the slip of braked wheels.
//!
//! It is ideal in that the solver keeps the slip at the end of each substep, within the rates at which its valves
//! empty and fill the brakes; and realistic in that it knows neither friction nor the tire's best slip.

pub mod stop;

use jounce::core::{DriverAid, Inspector, Requests, Sensors, WheelSensors};

/// An ABS of four channels, the two of the rear axle at the lower of both torques if `select_low`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abs {
    /// Greatest braking slip (–), within 0…1.
    pub slip: f32,
    /// Rate at which valves empty a brake (`N·m/s`), > 0.
    pub release: f32,
    /// Rate at which they fill it (`N·m/s`), > 0.
    pub build: f32,
    /// Speed below which it lets wheels lock (`m/s`), ≥ 0.
    pub least_speed: f32,
    /// Wheels whose brakes share the torque of the weaker one, as those of a rear axle do so that the car keeps its lateral grip.
    pub select_low: Option<[usize; 2]>,
}

impl Abs {
    /// For a passenger car.
    pub const CAR: Self = Self {
        slip: 0.1,
        release: 18_000.0,
        build: 18_000.0,
        least_speed: 1.5,
        select_low: Some([2, 3]),
    };

    /// Whether the ABS acts on a wheel: one that is enabled and faster over the ground than its least speed.
    fn acts_on(&self, wheel: &WheelSensors) -> bool {
        wheel.enabled && wheel.ground_velocity[0].abs() > self.least_speed
    }
}

/// Part of the greatest slip at which the other wheel of an axle brakes no harder (–).
const AT_LIMIT: f32 = 0.9;

impl DriverAid for Abs {
    fn check(&self, wheels: usize, inspector: &mut Inspector) {
        let (slip, low) = (self.slip, self.select_low);
        let range = slip > 0.0 && slip < 1.0;
        inspector.rule(range, "slip", slip, "", "must be within 0..1");
        inspector.positive("release", self.release, "N·m/s");
        inspector.positive("build", self.build, "N·m/s");
        inspector.not_negative("least_speed", self.least_speed, "m/s");
        for wheel in low.into_iter().flatten() {
            let rule = format!("must be one of {wheels} wheels");
            inspector.rule(wheel < wheels, "select_low", wheel, "", rule);
        }
    }

    fn assist(&self, sensors: &Sensors<'_>, _memory: &mut [f32], requests: &mut Requests<'_>) {
        let h = sensors.duration;
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            if !self.acts_on(wheel) || request.brake <= 0.0 {
                continue;
            }
            // Valves fill the brake no faster than this, and empty it.
            request.brake = request.brake.min(wheel.brake + self.build * h);
            request.release = (request.brake - wheel.brake).max(0.0) + self.release * h;
            let backward = wheel.ground_velocity[0] < 0.0;
            request.slip_range = if backward {
                [f32::NEG_INFINITY, self.slip]
            } else {
                [-self.slip, f32::INFINITY]
            };
        }
        if let Some([left, right]) = self.select_low {
            for (own, other) in [(left, right), (right, left)] {
                let other = &sensors.wheels[other];
                if self.acts_on(other) && other.slip.abs() > AT_LIMIT * self.slip {
                    let request = &mut requests.wheels[own];
                    request.brake = request.brake.min(other.brake);
                }
            }
        }
    }
}
