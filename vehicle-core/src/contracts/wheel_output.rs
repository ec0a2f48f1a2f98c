//! Output of a drivetrain for one wheel.

use crate::base::lanes::{LANES, Mask4};
use crate::contracts::drivetrain::{Control, WheelControl};

/// Output of a drivetrain for one wheel, as [`Control::wheel`] reads and [`Control::set_wheel`] writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelOutput {
    /// Steering angle without toe (`rad`), positive to the left.
    pub steer: f32,
    /// Braking torque (`N·m`), ≥ 0.
    pub brake: f32,
    /// Direct driving torque (`N·m`).
    pub drive: f32,
    /// Fraction of the clutch torque × ratio for this wheel (–).
    pub torque_share: f32,
    /// Weight of this wheel in the mean wheel speed seen by the clutch (–).
    pub speed_share: f32,
    /// Whether the driver requests the wheel to accelerate.
    pub accelerated: bool,
}

impl Control {
    /// The output for a wheel.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel(&self, wheel: usize) -> WheelOutput {
        let (four, lane) = (&self.wheels[wheel / LANES], wheel % LANES);
        WheelOutput {
            steer: four.steer.lane(lane),
            brake: four.brake.lane(lane),
            drive: four.drive.lane(lane),
            torque_share: four.torque_share.lane(lane),
            speed_share: four.speed_share.lane(lane),
            accelerated: four.accelerated.lane(lane),
        }
    }

    /// Sets the output for a wheel.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn set_wheel(&mut self, wheel: usize, output: &WheelOutput) {
        let lane = wheel % LANES;
        let four: &mut WheelControl = &mut self.wheels[wheel / LANES];
        four.steer = four.steer.with_lane(lane, output.steer);
        four.brake = four.brake.with_lane(lane, output.brake);
        four.drive = four.drive.with_lane(lane, output.drive);
        four.torque_share = four.torque_share.with_lane(lane, output.torque_share);
        four.speed_share = four.speed_share.with_lane(lane, output.speed_share);
        let others = four.accelerated & !Mask4::only(lane);
        four.accelerated = if output.accelerated {
            others | Mask4::only(lane)
        } else {
            others
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_written_and_read_alone() {
        let output = |x: f32| WheelOutput {
            steer: x,
            brake: 2.0 * x,
            drive: -x,
            torque_share: 0.1 * x,
            speed_share: 0.2 * x,
            accelerated: x > 5.0,
        };
        let mut control = Control::idle(6);
        (0..6).for_each(|n| control.set_wheel(n, &output(n as f32 + 3.0)));
        control.set_wheel(1, &output(0.5));
        control.set_wheel(4, &output(2.5));
        for (n, x) in [3.0, 0.5, 5.0, 6.0, 2.5, 8.0].into_iter().enumerate() {
            assert_eq!(control.wheel(n), output(x));
        }
    }
}
