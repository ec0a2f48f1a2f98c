use super::*;
use rstest::rstest;
use vehicle_core::Checked;

const GRIP: GripControl = GripControl {
    lateral_acceleration: 8.0,
    brake: 0.8,
    axles: [1.2, -1.4],
    angles: [0.6, 0.0],
    tolerance: 0.1,
    slide: 0.2,
};
const PRESSED: CarCommand = CarCommand {
    throttle: 1.0,
    brake: 1.0,
    steer: -0.3,
    ..RELEASED
};
const RELEASED: CarCommand = CarCommand {
    throttle: 0.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.0,
    clutch: 0.0,
    gear: vehicle_core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
    levers: vehicle_core::Levers::RELEASED,
};

/// A car that moves so, forward and to the left (`m/s`), and turns by so much (`rad/s`).
fn moving(forward_speed: f32, lateral_speed: f32, yaw_rate: f32) -> VehicleReport {
    VehicleReport {
        forward_speed,
        lateral_speed,
        yaw_rate,
        ..VehicleReport::STANDING
    }
}

#[test]
fn on_a_straight_only_the_brake_is_limited() {
    let kept = GRIP.keep(&PRESSED, &moving(20.0, 0.0, 0.0));
    assert_eq!(
        kept,
        CarCommand {
            brake: 0.8,
            ..PRESSED
        }
    );
}

/// At 0.6 of the lateral acceleration, 0.8 of the friction circle is left.
#[test]
fn a_bend_takes_its_share_of_the_brake() {
    let bend = moving(20.0, 1.4 * 0.24, 0.24);
    let kept = GRIP.keep(&PRESSED, &bend);
    assert!((kept.brake - 0.64).abs() < 1e-6 && kept.throttle == 1.0);
    let beyond = moving(20.0, 1.4 * 0.5, 0.5);
    let kept = GRIP.keep(&PRESSED, &beyond);
    assert!((kept.brake - 0.16).abs() < 1e-6, "{kept:?}");
}

/// A rear that slides to the right at 0.3 rad: the front wheels turn to where they move, the pedals are released.
#[rstest]
#[case::to_the_right(-1.0)]
#[case::to_the_left(1.0)]
fn a_slide_is_countered_and_the_pedals_are_released(#[case] side: f32) {
    let turned = side * 20.0 * 0.3_f32.tan();
    let held = CarCommand {
        handbrake: 1.0,
        steer: 0.3 * side,
        ..PRESSED
    };
    let kept = GRIP.keep(&held, &moving(20.0, turned, 0.0));
    assert_eq!([kept.throttle, kept.brake, kept.handbrake], [0.0; 3]);
    assert!((kept.steer + side * 0.5).abs() < 1e-5, "{kept:?}");
}

#[test]
fn between_tolerance_and_slide_it_is_half_of_both() {
    let turned = 20.0 * 0.15_f32.tan();
    let kept = GRIP.keep(&PRESSED, &moving(20.0, turned, 0.0));
    assert!((kept.throttle - 0.5).abs() < 1e-5);
    let half = 0.5 * (-0.3 - 0.15 / 0.6);
    assert!((kept.steer - half).abs() < 1e-5, "{kept:?}");
}

#[test]
fn in_reverse_a_slide_straightens_the_wheels() {
    let turned = 10.0 * 0.3_f32.tan();
    let kept = GRIP.keep(&PRESSED, &moving(-10.0, turned, 0.0));
    assert!(kept.steer.abs() < 1e-6, "{kept:?}");
    assert_eq!(GRIP.counted(&moving(-10.0, 0.0, 0.0)).forward_speed, -25.0);
    assert_eq!(GRIP.counted(&moving(10.0, 0.0, 0.0)).forward_speed, 10.0);
}

/// A car that reverses at a walk with its full lock, and one whose front slides to the left, beyond where its wheels point.
#[test]
fn in_reverse_the_front_axle_slides() {
    let parking = CarCommand {
        steer: -1.0,
        ..PRESSED
    };
    let starts = GRIP.keep(&parking, &moving(-0.1, 0.0, 0.0));
    assert_eq!(starts.steer, -1.0);
    // The front axle moves where its wheels point: to the right, as the car turns clockwise.
    let rolls = moving(-2.0, 0.0, -2.0 * 0.6_f32.tan() / 1.2);
    assert_eq!(GRIP.keep(&parking, &rolls).steer, -1.0);
    let slides = moving(-10.0, 0.0, 10.0 * 0.5_f32.tan() / 1.2);
    let kept = GRIP.keep(
        &CarCommand {
            steer: 0.3,
            ..PRESSED
        },
        &slides,
    );
    assert_eq!([kept.steer, kept.throttle, kept.brake], [0.0; 3]);
}

#[test]
fn in_the_air_and_at_a_standstill_nothing_is_changed() {
    let turned = moving(20.0, 15.0, 1.0);
    let flying = VehicleReport {
        in_air: true,
        ..turned
    };
    assert_eq!(GRIP.keep(&PRESSED, &flying), PRESSED);
    let held = CarCommand {
        handbrake: 1.0,
        steer: 1.0,
        ..RELEASED
    };
    assert_eq!(GRIP.keep(&held, &VehicleReport::STANDING), held);
}

/// A steered rear axle that rolls where it points does not slide.
#[test]
fn a_steered_rear_axle_slides_against_its_wheels() {
    let grip = GripControl {
        angles: [0.6, -0.5],
        ..GRIP
    };
    let left = CarCommand {
        steer: -0.8,
        throttle: 1.0,
        ..RELEASED
    };
    let rolling = moving(2.9, -3.0 * 0.4_f32.tan(), 0.0);
    assert_eq!(grip.keep(&left, &rolling), left);
    assert_eq!(GRIP.keep(&left, &rolling).throttle, 0.0);
}

#[test]
fn bad_numbers_are_named() {
    let bad = GripControl {
        lateral_acceleration: 0.0,
        brake: 1.5,
        axles: [1.0, f32::NAN],
        angles: [0.0, f32::NAN],
        tolerance: -0.1,
        slide: -0.2,
    };
    let faults = Checked::new(bad).unwrap_err().0;
    let paths = faults.iter().map(|fault| fault.path.as_str());
    assert!(paths.eq([
        "lateral_acceleration",
        "brake",
        "axles[1]",
        "angles[0]",
        "angles[1]",
        "tolerance",
        "slide",
    ]));
}
