//! Rotation of wheels, also between ticks.

use vehicle_core::pose::wheel_pose;
use vehicle_core::{VehicleModel, WheelPose, WheelReport};

/// Numbers on which the pose of a wheel depends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WheelTurn {
    pub(super) jounce: f32,
    pub(super) steer: f32,
    pub(super) camber: f32,
    pub(super) angle: f32,
    /// The change of the rolling angle [rad]: angles wrap.
    pub(super) turned: f32,
}

impl WheelTurn {
    /// The rotation of a wheel, following `before`.
    pub(super) fn after(before: &Self, wheel: &WheelReport) -> Self {
        Self {
            jounce: wheel.jounce,
            steer: wheel.steer,
            camber: wheel.camber,
            angle: wheel.angle,
            // A tick without an update adds no rotation.
            turned: if wheel.angle == before.angle {
                0.0
            } else {
                wheel.turned
            },
        }
    }

    pub(super) fn pose(&self, model: &VehicleModel, wheel: usize) -> WheelPose {
        wheel_pose(
            model,
            wheel,
            self.jounce,
            self.steer,
            self.camber,
            self.angle,
        )
    }

    /// Interpolates between this turn (0) and the next (1), or beyond.
    pub(super) fn toward(&self, next: &Self, fraction: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * fraction;
        Self {
            jounce: mix(self.jounce, next.jounce),
            steer: mix(self.steer, next.steer),
            camber: mix(self.camber, next.camber),
            angle: next.angle + next.turned * (fraction - 1.0),
            turned: next.turned,
        }
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::TAU;

    use super::*;
    use rstest::rstest;
    use vehicle_core::state::WheelState;

    #[rstest]
    #[case::on(31.0, 0.2, 0.5, 31.1)]
    #[case::wrapped(31.3, 0.4, 0.5, 31.5)]
    #[case::wrapped_backwards(-31.3, -0.4, 0.25, -31.4)]
    #[case::beyond(31.0, 0.2, 1.5, 31.3)]
    #[case::last(31.3, 0.4, 1.0, 31.7)]
    #[case::more_than_half_a_turn(31.0, 4.0, 0.5, 33.0)]
    fn wheels_keep_rotating_through_the_wrap(
        #[values(TAU, WheelState::ANGLE_WRAP)] wrap: f32,
        #[case] before: f32,
        #[case] turned: f32,
        #[case] fraction: f32,
        #[case] expected: f32,
    ) {
        let at = |angle: f32, turned| WheelTurn {
            angle: angle % wrap,
            turned,
            ..WheelTurn::default()
        };
        let next = at(before + turned, turned);
        let angle = at(before, 0.0).toward(&next, fraction).angle;
        let turns = (angle - expected) / TAU;
        assert!((turns - turns.round()).abs() < 1e-5, "{angle}");
    }

    #[test]
    fn jounce_and_steer_move_evenly() {
        let before = WheelTurn::default();
        let now = WheelTurn {
            jounce: 0.1,
            steer: 0.4,
            camber: -0.2,
            angle: 1.0,
            turned: 1.0,
        };
        let middle = before.toward(&now, 0.5);
        let (jounce, steer, camber) = (middle.jounce, middle.steer, middle.camber);
        assert_eq!((jounce, steer, camber), (0.05, 0.2, -0.1));
        assert_eq!(before.toward(&now, 1.0), now);
        assert_eq!(before.toward(&now, 0.0).jounce, 0.0);
    }
}
