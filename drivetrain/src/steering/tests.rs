use super::*;
use alloc::vec;
use approx::assert_relative_eq;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::{Checked, Curve};

use crate::response::{ResponseRow, SpeedAxis};

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
#[case::by_the_table(AxleLaw::Maximum, 0.25 * 0.6)]
#[case::past_it(AxleLaw::Mean, 0.55)]
fn fast_cars_steer_less(#[case] axle_law: AxleLaw, #[case] inner: f32) {
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
            speed_axis: SpeedAxis::Magnitude,
        },
        axle_law,
        system: None,
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

/// The turning radii of both wheels differ by the width, at any angle.
#[rstest]
fn ackermann_axes_meet_at_every_angle(
    #[values(-1.2, -0.4, 0.1, 0.9)] angle: f32,
    #[values((1.5, 2.6), (0.9, 4.0))] (width, separation): (f32, f32),
) {
    let (left, right) = ackermann(angle, 1.0, width, separation);
    let radius = |angle| separation / math::tan(angle);
    assert_relative_eq!(radius(right) - radius(left), width, max_relative = 1e-4);
    let (_, none) = ackermann(angle.abs(), 0.0, width, separation);
    assert_eq!(none, angle.abs());
    let outer = |accuracy| ackermann(angle.abs(), accuracy, width, separation).1;
    let half = 0.5 * (outer(0.0) + outer(1.0));
    assert_relative_eq!(outer(0.5), half, max_relative = 1e-6);
}

/// The command gives the inner wheel its fraction of the greater angle, or of the mean.
#[rstest]
fn the_inner_wheel_follows_the_command(
    #[values(-1.0, -0.25, 0.5, 1.0)] command: f32,
    #[values(false, true)] counter: bool,
) {
    let axle = axle(0, 1, counter);
    let inner = |(left, right): (f32, f32)| if command < 0.0 { left } else { right };
    let sign = if counter { 1.0 } else { -1.0 };
    let angle = inner(axle.angles(command));
    assert_relative_eq!(angle, sign * 0.6 * command, max_relative = 1e-6);
    let mean = inner(axle.mean_angles(command));
    assert_relative_eq!(mean, sign * 0.55 * command, max_relative = 1e-6);
}

#[rstest]
#[case::of_the_vehicle(4, &[])]
#[case::a_wheel_less(3, &["wheels[0].wheel"])]
#[case::half(1, &["axles[0].right", "wheels[0].wheel"])]
#[case::none(0, &["axles[0].left", "axles[0].right", "wheels[0].wheel"])]
fn wheels_that_the_vehicle_does_not_have_are_named(
    #[case] wheels: usize,
    #[case] expected: &[&str],
) {
    let steering = SteeringParams {
        axles: vec![axle(0, 1, false)],
        wheels: vec![SteeredWheel {
            wheel: 3,
            max_steer: -0.3,
        }],
        ..SteeringParams::default()
    };
    let mut inspector = Inspector::new();
    steering.check_wheels(wheels, &mut inspector);
    let faults = inspector
        .verdict()
        .map_or_else(|error| error.0, |()| vec![]);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}

#[rstest]
#[case::no_axle_twice([0, 1], 1, 1)]
#[case::sound([0, 1], 3, 0)]
#[case::beyond([0, 1], MAX_WHEELS, 1)]
#[case::axle_of_one([2, 2], 3, 1)]
fn each_wheel_is_steered_once(
    #[case] pair: [usize; 2],
    #[case] wheel: usize,
    #[case] faults: usize,
) {
    let steering = SteeringParams {
        axles: vec![axle(pair[0], pair[1], false)],
        wheels: vec![SteeredWheel {
            wheel,
            max_steer: 0.3,
        }],
        ..SteeringParams::default()
    };
    let error = Checked::new(steering).err();
    assert_eq!(error.map_or(0, |error| error.0.len()), faults);
}

#[rstest]
#[case(0.0, true, true)]
#[case(-0.3, false, true)]
#[case(FRAC_PI_2, false, false)]
#[case(-FRAC_PI_2, false, false)]
fn angles_are_less_than_90_degrees(
    #[case] angle: f32,
    #[case] of_axle: bool,
    #[case] of_wheel: bool,
) {
    let axle = SteeredAxle {
        max_steer: [angle, 0.1],
        ..axle(0, 1, false)
    };
    let single = SteeredWheel {
        wheel: 0,
        max_steer: angle,
    };
    assert_eq!(Checked::new(axle).is_ok(), of_axle);
    assert_eq!(Checked::new(single).is_ok(), of_wheel);
}
