//! Steering: a command to wheel angles, with Ackermann geometry on any axles (PhysX 4.1 vehicle
//! SDK, ALGORITHMS §4.6; PhysX 5 `vehicle2`, §7.4).
//!
//! Angles are positive to the left (ISO 8855), the command is positive to the right. Toe is not
//! part of the angles here.

use alloc::format;
use alloc::vec::Vec;
use core::f32::consts::FRAC_PI_2;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, MAX_WHEELS, math, scaled};

use crate::per_wheel::{PerWheel, check_index};
use crate::response::ResponseTable;

/// Angles (left wheel, right wheel) [rad] of an axle that is steered by `angle` [rad], all
/// positive to the left.
///
/// The inner wheel gets `angle`; the outer one the part `accuracy` 0…1 of the way to the angle
/// whose wheel axis meets the inner one's on the line of the other axle, which is `separation`
/// [m] away; `width` [m] is the distance of the two wheels.
#[must_use]
pub fn ackermann(angle: f32, accuracy: f32, width: f32, separation: f32) -> (f32, f32) {
    if angle == 0.0 {
        return (0.0, 0.0);
    }
    let inner = angle.abs();
    let perfect = math::atan(separation / (width + separation / math::tan(inner)));
    let outer = inner + accuracy * (perfect - inner);
    if angle > 0.0 {
        (inner, outer)
    } else {
        (-outer, -inner)
    }
}

/// Two wheels that steer together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteeredAxle {
    /// Index of the left wheel.
    pub left: usize,
    /// Index of the right wheel.
    pub right: usize,
    /// Greatest angles of the left and the right wheel [rad], within 0…π/2. The command moves the
    /// inner wheel by the greater one.
    pub max_steer: [f32; 2],
    /// How much of the Ackermann geometry the axle has, 0 (parallel wheels) … 1.
    pub accuracy: f32,
    /// Distance of the two wheels [m], > 0.
    pub width: f32,
    /// Distance from the axle that does not steer [m], > 0.
    pub separation: f32,
    /// Whether the axle turns the other way, as a steered rear axle does.
    #[serde(default)]
    pub counter: bool,
}

impl SteeredAxle {
    /// Angles (left, right) [rad], positive to the left, for a command −1 (left) … 1 (right).
    #[must_use]
    pub fn angles(&self, command: f32) -> (f32, f32) {
        self.turned(-command * self.max_steer[0].max(self.max_steer[1]))
    }

    /// The same by PhysX 5: the command moves the inner wheel by the mean of both greatest angles.
    #[must_use]
    pub fn mean_angles(&self, command: f32) -> (f32, f32) {
        self.turned(-command * (0.5 * (self.max_steer[0] + self.max_steer[1])))
    }

    /// Angles (left, right) [rad] of the axle that is steered by `angle` [rad].
    fn turned(&self, angle: f32) -> (f32, f32) {
        let (left, right) = ackermann(angle, self.accuracy, self.width, self.separation);
        if self.counter {
            (-left, -right)
        } else {
            (left, right)
        }
    }
}

scaled!(SteeredAxle {
    left: same,
    right: same,
    max_steer: same,
    accuracy: same,
    width: [1, 0],
    separation: [1, 0],
    counter: same,
});

impl Check for SteeredAxle {
    fn check(&self, i: &mut Inspector) {
        check_index("left", self.left, MAX_WHEELS, i);
        check_index("right", self.right, MAX_WHEELS, i);
        for (n, angle) in self.max_steer.into_iter().enumerate() {
            check_max_steer(&format!("max_steer[{n}]"), angle, i);
        }
        i.within_range("accuracy", self.accuracy, 0.0, 1.0, "");
        i.positive("width", self.width, "m");
        i.positive("separation", self.separation, "m");
    }
}

/// A wheel that steers on its own, by the command times its greatest angle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteeredWheel {
    /// Index of the wheel.
    pub wheel: usize,
    /// Angle at full command [rad], within ±π/2; negative to turn the other way.
    pub max_steer: f32,
}

scaled!(SteeredWheel {
    wheel: same,
    max_steer: same,
});

impl Check for SteeredWheel {
    fn check(&self, i: &mut Inspector) {
        check_index("wheel", self.wheel, MAX_WHEELS, i);
        let holds = self.max_steer.abs() < FRAC_PI_2;
        i.rule(
            holds,
            "max_steer",
            self.max_steer,
            "rad",
            "must be within ±π/2",
        );
    }
}

fn check_max_steer(name: &str, angle: f32, i: &mut Inspector) {
    let holds = (0.0..FRAC_PI_2).contains(&angle);
    i.rule(holds, name, angle, "rad", "must be within 0..π/2");
}

/// What steers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SteeringParams {
    /// Axles with two wheels.
    pub axles: Vec<SteeredAxle>,
    /// Single wheels.
    pub wheels: Vec<SteeredWheel>,
    /// The response to a command's magnitude.
    pub response: ResponseTable,
    /// Whether axles answer linearly, past `response`, and by the mean of their wheels' greatest
    /// angles, as in PhysX 5.
    pub physx_rules: bool,
}

impl SteeringParams {
    /// Angles of all wheels [rad], positive to the left, for a command −1 (left) … 1 (right) at a
    /// forward speed [m/s]; wheels that nothing steers stay straight.
    #[must_use]
    pub fn angles(&self, command: f32, forward_speed: f32) -> PerWheel {
        let mut angles = [0.0; MAX_WHEELS];
        if command == 0.0 {
            return angles;
        }
        let answer = self.response.signed_at(command, forward_speed);
        for axle in &self.axles {
            (angles[axle.left], angles[axle.right]) = if self.physx_rules {
                axle.mean_angles(command)
            } else {
                axle.angles(answer)
            };
        }
        for single in &self.wheels {
            angles[single.wheel] = -answer * single.max_steer;
        }
        angles
    }

    /// Reports indices beyond the `wheels` of a vehicle.
    pub(crate) fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        for (n, axle) in self.axles.iter().enumerate() {
            check_index(&format!("axles[{n}].left"), axle.left, wheels, i);
            check_index(&format!("axles[{n}].right"), axle.right, wheels, i);
        }
        for (n, single) in self.wheels.iter().enumerate() {
            check_index(&format!("wheels[{n}].wheel"), single.wheel, wheels, i);
        }
    }
}

scaled!(SteeringParams {
    axles: inner,
    wheels: inner,
    response: inner,
    physx_rules: same,
});

impl Check for SteeringParams {
    fn check(&self, i: &mut Inspector) {
        for (n, axle) in self.axles.iter().enumerate() {
            i.within(format!("axles[{n}]"), |i| axle.check(i));
        }
        for (n, wheel) in self.wheels.iter().enumerate() {
            i.within(format!("wheels[{n}]"), |i| wheel.check(i));
        }
        i.within("response", |i| self.response.check(i));
        let pairs = self.axles.iter().flat_map(|axle| [axle.left, axle.right]);
        let mut all: Vec<usize> = pairs.chain(self.wheels.iter().map(|w| w.wheel)).collect();
        all.sort_unstable();
        for pair in all.windows(2) {
            let once = pair[0] != pair[1];
            i.rule(once, "wheel", pair[0], "", "must be steered only once");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::{Checked, Curve};

    use crate::response::ResponseRow;

    fn axle(left: usize, right: usize, counter: bool) -> SteeredAxle {
        SteeredAxle {
            left,
            right,
            max_steer: [0.6, 0.5],
            accuracy: 1.0,
            width: 1.5,
            separation: 2.6,
            counter,
        }
    }

    #[test]
    fn wheel_axes_meet_on_the_line_of_the_other_axle() {
        let (left, right) = ackermann(0.5, 1.0, 1.5, 2.6);
        let radius = |angle| 2.6 / math::tan(angle);
        assert_relative_eq!(radius(right) - radius(left), 1.5, max_relative = 1e-5);
    }

    #[rstest]
    #[case::front_right(axle(0, 1, false), 1.0, -1.0)]
    #[case::front_left(axle(0, 1, false), -1.0, 1.0)]
    #[case::rear_right(axle(0, 1, true), 1.0, 1.0)]
    #[case::odd_order(axle(1, 0, false), 1.0, -1.0)]
    fn directions(#[case] axle: SteeredAxle, #[case] command: f32, #[case] sign: f32) {
        let steering = SteeringParams {
            axles: vec![axle],
            ..SteeringParams::default()
        };
        let angles = steering.angles(command, 0.0);
        let inner = if command > 0.0 { axle.right } else { axle.left };
        assert_eq!(angles[inner], sign * 0.6);
        assert!(angles[1 - inner] * sign > 0.0 && angles[1 - inner].abs() < 0.6);
    }

    #[test]
    fn single_wheels_follow_the_command() {
        let steering = SteeringParams {
            wheels: vec![SteeredWheel {
                wheel: 2,
                max_steer: -0.3,
            }],
            ..SteeringParams::default()
        };
        assert_eq!(steering.angles(0.5, 0.0)[2], 0.15);
        assert_eq!(steering.angles(0.0, 0.0), [0.0; MAX_WHEELS]);
    }

    #[rstest]
    #[case::table(false, 0.25 * 0.6)]
    #[case::physx_goes_past_it(true, 0.55)]
    fn fast_cars_steer_less(#[case] physx_rules: bool, #[case] inner: f32) {
        let row = |command, response| ResponseRow {
            command,
            by_speed: Curve(vec![[0.0, response], [40.0, 0.25 * response]]),
        };
        let steering = SteeringParams {
            axles: vec![axle(0, 1, false)],
            wheels: vec![SteeredWheel {
                wheel: 2,
                max_steer: 0.4,
            }],
            response: ResponseTable {
                rows: vec![row(0.0, 0.0), row(1.0, 1.0)],
                physx_rules: false,
            },
            physx_rules,
        };
        let angles = steering.angles(-1.0, -40.0);
        assert_relative_eq!(angles[0], inner, max_relative = 1e-6);
        assert_relative_eq!(angles[2], 0.1, max_relative = 1e-6);
    }

    #[test]
    fn every_fault_is_found() {
        let bad = SteeringParams {
            axles: vec![SteeredAxle {
                left: 20,
                max_steer: [-0.1, 1.6],
                accuracy: 2.0,
                width: 0.0,
                separation: f32::NAN,
                ..axle(0, 1, false)
            }],
            wheels: vec![SteeredWheel {
                wheel: 1,
                max_steer: 2.0,
            }],
            ..SteeringParams::default()
        };
        let error = Checked::new(bad).unwrap_err();
        assert_eq!(error.0.len(), 8, "{error}");
        assert_eq!(error.0[0].path, "axles[0].left");
    }

    proptest! {
        #[test]
        fn the_inner_wheel_gets_the_angle_and_the_outer_less(
            angle in -1.5..1.5_f32, accuracy in 0.0..1.0_f32,
            width in 0.1..5.0_f32, separation in 0.1..10.0_f32,
        ) {
            let (left, right) = ackermann(angle, accuracy, width, separation);
            let (inner, outer) = if angle > 0.0 { (left, right) } else { (right, left) };
            prop_assert_eq!(inner, angle);
            prop_assert!(outer.abs() <= inner.abs() * (1.0 + 1e-6));
            prop_assert!(outer * angle >= 0.0);
            let (mirrored_left, mirrored_right) = ackermann(-angle, accuracy, width, separation);
            prop_assert_eq!((mirrored_right, mirrored_left), (-left, -right));
        }

        #[test]
        fn every_angle_gives_finite_angles(angle in proptest::num::f32::NORMAL) {
            let (left, right) = ackermann(angle, 1.0, 1.5, 2.6);
            prop_assert!(left.is_finite() && right.is_finite());
        }
    }
}
