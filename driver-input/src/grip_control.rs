//! A driver who keeps a car within its grip: counter-steers when its rear slides, and comes off the pedals.

use serde::{Deserialize, Serialize};
use vehicle_core::{CarCommand, Check, Inspector, VehicleReport, math};

/// Below this speed, slip angles are not counted in full (`m/s`).
const WALKING: f32 = 3.0;
/// Factor by which a speed in reverse counts more than forward (–): the slip of the rear axle then adds to the angle at which
/// a turning car stands by its geometry, from which it takes forward.
const REVERSING: f32 = 2.5;
/// Speeds in reverse between which the driver comes off the throttle (`m/s`): up to some 45 km/h. Beyond its critical speed, which
/// is the characteristic speed forward, a car that its rear axle leads spins by itself.
const REVERSE_SPEEDS: [f32; 2] = [9.0, 13.0];
/// Share of the braking that is left in the fastest bend (–).
const LEAST_BRAKING: f32 = 0.2;

/// How a driver keeps a car within its grip, by where its axles go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GripControl {
    /// Lateral acceleration of the fastest bend (`m/s²`), > 0. Of the brake, what it leaves of the friction circle is used.
    pub lateral_acceleration: f32,
    /// Maximum brake pedal, 0…1: on a straight no wheel locks.
    pub brake: f32,
    /// The front and the rear axle ahead of the center of mass (`m`): the rear one is < 0.
    pub axles: [f32; 2],
    /// Angles of their wheels at full steering (`rad`), positive if they steer to the side of the command; that of the
    /// front axle is > 0.
    pub angles: [f32; 2],
    /// Slip angle of the rear axle (`rad`), ≥ 0, up to which the driver's command is unchanged.
    pub tolerance: f32,
    /// Slip angle of the rear axle (`rad`), > `tolerance`, at which the front wheels are turned where they move, and the
    /// pedals released.
    pub slide: f32,
}

impl GripControl {
    /// The command with which the driver goes on in the state `seen`.
    #[must_use]
    pub fn keep(&self, command: &CarCommand, seen: &VehicleReport) -> CarCommand {
        if seen.in_air {
            return *command;
        }
        let used = (seen.forward_speed * seen.yaw_rate / self.lateral_acceleration).abs();
        let left = math::sqrt(1.0 - used.min(1.0) * used.min(1.0)).max(LEAST_BRAKING);
        let slides = self.slides(command.steer, seen);
        // A car that reverses is led by its rear axle: only wheels that stand straight take its yaw.
        let along = if seen.forward_speed < 0.0 {
            0.0
        } else {
            -self.direction(0, seen) / self.angles[0]
        };
        let [eases, ends] = REVERSE_SPEEDS;
        let reverse = ((ends + seen.forward_speed) / (ends - eases)).clamp(0.0, 1.0);
        CarCommand {
            throttle: command.throttle * (1.0 - slides) * reverse,
            brake: command.brake.min(self.brake * left) * (1.0 - slides),
            handbrake: command.handbrake.min(left) * (1.0 - slides),
            steer: (command.steer + (along - command.steer) * slides).clamp(-1.0, 1.0),
            ..*command
        }
    }

    /// The state for whose speed the steering limit counts: faster than `seen` in reverse.
    pub(crate) fn counted(&self, seen: &VehicleReport) -> VehicleReport {
        let factor = if seen.forward_speed < 0.0 {
            REVERSING
        } else {
            1.0
        };
        VehicleReport {
            forward_speed: factor * seen.forward_speed,
            ..*seen
        }
    }

    /// How much the axle that trails slides, 0…1: the rear one, in reverse the front one. Below a walk, the angle of its
    /// wheels counts as little as the direction in which it moves.
    fn slides(&self, steer: f32, seen: &VehicleReport) -> f32 {
        let (trailing, sign) = if seen.forward_speed < 0.0 {
            (0, -1.0)
        } else {
            (1, 1.0)
        };
        let speed = seen.forward_speed.abs();
        let turned = steer * self.angles[trailing] * (speed / speed.max(WALKING));
        let slip = sign * self.direction(trailing, seen) + turned;
        let beyond = (slip.abs() - self.tolerance) / (self.slide - self.tolerance);
        beyond.clamp(0.0, 1.0)
    }

    /// Direction in which an axle moves (`rad`), to the left of the car's.
    fn direction(&self, axle: usize, seen: &VehicleReport) -> f32 {
        let left = seen.lateral_speed + self.axles[axle] * seen.yaw_rate;
        math::atan(left / seen.forward_speed.abs().max(WALKING))
    }
}

impl Check for GripControl {
    fn check(&self, i: &mut Inspector) {
        i.positive("lateral_acceleration", self.lateral_acceleration, "m/s²");
        i.within_range("brake", self.brake, 0.0, 1.0, "");
        for (n, ahead) in self.axles.into_iter().enumerate() {
            i.finite(["axles[0]", "axles[1]"][n], ahead, "m");
        }
        i.positive("angles[0]", self.angles[0], "rad");
        i.finite("angles[1]", self.angles[1], "rad");
        i.not_negative("tolerance", self.tolerance, "rad");
        let holds = self.slide > self.tolerance && self.slide.is_finite();
        i.rule(holds, "slide", self.slide, "rad", "must be above tolerance");
    }
}

#[cfg(test)]
mod tests;
