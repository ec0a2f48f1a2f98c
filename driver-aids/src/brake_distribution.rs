//! Electronic brake-force distribution: the rear wheels brake no harder than the front ones allow.

use serde::{Deserialize, Serialize};
use vehicle_core::math;
use vehicle_core::{DriverAid, Inspector, Requests, Sensors};

use crate::sensing::{handbrake_holds, keep_braking_slip};
use crate::slip_target::check_fraction;

/// Electronic brake-force distribution (EBD): keeps the slips of rear wheels below those of the front wheels, so that the front
/// axle locks first and the car stays straight, whatever its load.
///
/// It knows the speed over the ground and the true slips; real ones compare the wheels' speeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default = "BrakeDistribution::car")]
pub struct BrakeDistribution {
    /// Greatest slip of a rear wheel over that of the front wheels (–), > 0.
    pub ratio: f32,
    /// Slip that rear wheels may have in any case (–), within 0…1.
    pub least_slip: f32,
    /// Speed below which it does not act (`m/s`), ≥ 0.
    pub least_speed: f32,
}

impl BrakeDistribution {
    /// A distribution for a passenger car.
    #[must_use]
    pub const fn car() -> Self {
        Self {
            ratio: 1.0,
            least_slip: 0.005,
            least_speed: 1.5,
        }
    }
}

impl DriverAid for BrakeDistribution {
    fn check(&self, _wheels: usize, inspector: &mut Inspector) {
        inspector.positive("ratio", self.ratio, "");
        check_fraction("least_slip", self.least_slip, inspector);
        inspector.not_negative("least_speed", self.least_speed, "m/s");
    }

    fn name(&self) -> &str {
        "brake-distribution"
    }

    /// The activity.
    fn memory(&self, _wheels: usize) -> usize {
        1
    }

    fn activity(&self, memory: &[f32]) -> f32 {
        memory[0]
    }

    fn rests(&self, memory: &[f32], brakes: bool) -> bool {
        !brakes && memory[0] == 0.0
    }

    fn assist(&self, sensors: &Sensors<'_>, memory: &mut [f32], requests: &mut Requests<'_>) {
        memory[0] = 0.0;
        let speed = sensors.velocity.x;
        if speed.abs() < self.least_speed {
            return;
        }
        // Backward, the axles change places.
        let is_front = |x: f32| x * speed > 0.0;
        let front = sensors
            .wheels
            .iter()
            .filter(|wheel| wheel.enabled && is_front(wheel.position.x));
        let slip = front.fold(0.0, |slip, wheel| {
            math::greater(slip, -wheel.slip * speed.signum())
        });
        let slip = math::greater(self.ratio * slip, self.least_slip);
        for (wheel, request) in sensors.wheels.iter().zip(requests.wheels.iter_mut()) {
            let is_rear = wheel.enabled && !is_front(wheel.position.x);
            if slip < 1.0 && is_rear && request.brake > 0.0 && !handbrake_holds(sensors, wheel) {
                keep_braking_slip(request, slip, speed, f32::INFINITY);
                let braking = -wheel.slip * speed.signum();
                memory[0] = math::greater(memory[0], f32::from(u8::from(braking > 0.9 * slip)));
            }
        }
    }
}
