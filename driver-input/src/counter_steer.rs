//! Counter-steering into a slide, from the mean slip angle of the wheels, each weighted by its
//! slip.

use serde::{Deserialize, Serialize};
use vehicle_core::{CarCommand, Check, Checked, Inspector, Vehicle, math};

/// How strongly to steer against a slide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CounterSteer {
    /// Steering per slip angle (`1/rad`), ≥ 0. The reciprocal of the maximum steering angle turns
    /// the front wheels the way the car moves; from about twice that on, steering and the slip of
    /// the last update oscillate.
    pub gain: f32,
    /// Slip angle up to which the driver's steering is unchanged (`rad`), ≥ 0: in a fast corner,
    /// all tires slip.
    pub tolerance: f32,
    /// Maximum added to the driver's steering, 0…1.
    pub limit: f32,
}

impl CounterSteer {
    /// Adds counter-steering against the vehicle's slide of the last update to a command.
    #[must_use]
    pub fn add(settings: &Checked<Self>, command: &CarCommand, vehicle: &Vehicle) -> CarCommand {
        let Self {
            gain,
            tolerance,
            limit,
        } = **settings;
        let slide = slide(vehicle);
        let beyond = slide - slide.clamp(-tolerance, tolerance);
        // The command is positive to the right, slip angles are to the left.
        let counter = (-gain * beyond).clamp(-limit, limit);
        CarCommand {
            steer: (command.steer + counter).clamp(-1.0, 1.0),
            ..*command
        }
    }
}

impl Check for CounterSteer {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("gain", self.gain, "1/rad");
        i.not_negative("tolerance", self.tolerance, "rad");
        i.within_range("limit", self.limit, 0.0, 1.0, "");
    }
}

/// Mean slip angle of a vehicle's wheels (`rad`), positive sliding to the left, each weighted by
/// its longitudinal and lateral slip. Wheels in the air and wheels that roll backwards do not
/// count.
#[must_use]
pub fn slide(vehicle: &Vehicle) -> f32 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for wheel in 0..vehicle.model().wheel_count() {
        let report = vehicle.wheel_report(wheel);
        if report.in_air || report.forward_speed <= 0.0 {
            continue;
        }
        let (along, across) = (report.slip_ratio, math::tan(report.slip_angle));
        let weight = math::sqrt(along * along + across * across);
        sum += weight * report.slip_angle;
        weights += weight;
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

#[cfg(test)]
mod tests;
