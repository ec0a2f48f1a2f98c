use super::*;
use crate::rate::Rate;
use alloc::string::ToString;
use proptest::prelude::*;

fn sample() -> Checked<CarSmoothing> {
    Checked::new(CarSmoothing::physx_sample()).unwrap()
}

fn at_speed(forward_speed: f32) -> VehicleReport {
    VehicleReport {
        forward_speed,
        ..VehicleReport::STANDING
    }
}

#[test]
fn both_keys_steer_straight_and_the_limit_reduces_both() {
    let (smoothing, mut hands) = (sample(), CarHands::default());
    let keys = CarKeys {
        left: true,
        right: true,
        ..CarKeys::FREE
    };
    let command = hands.press(&smoothing, &keys, &at_speed(0.0), 0.2).unwrap();
    assert_eq!((command.steer, hands.left), (0.0, 0.5));
    hands.left = 0.0;
    let right = CarKeys {
        left: false,
        ..keys
    };
    let command = hands.press(&smoothing, &right, &at_speed(30.0), 0.2);
    assert_eq!(command.unwrap().steer, 0.125);
}

#[test]
fn lever_and_autobox_are_handed_on() {
    let (smoothing, mut hands) = (sample(), CarHands::default());
    let keys = CarKeys {
        gear: GearCommand::Up,
        automatic: false,
        ..CarKeys::FREE
    };
    let command = hands.press(&smoothing, &keys, &at_speed(0.0), 0.1).unwrap();
    assert_eq!((command.gear, command.automatic), (GearCommand::Up, false));
}

#[test]
fn nan_is_refused_and_changes_nothing() {
    let (smoothing, mut hands) = (sample(), CarHands::default());
    let full = CarPad {
        throttle: 1.0,
        ..CarPad::FREE
    };
    hands
        .follow(&smoothing, &full, &at_speed(3.0), 0.05)
        .unwrap();
    let before = hands;
    let bad = CarPad {
        steer: f32::NAN,
        ..full
    };
    let refused = hands.follow(&smoothing, &bad, &at_speed(3.0), 0.05);
    let message = refused.unwrap_err().to_string();
    assert_eq!(message, "input.steer = NaN: must be finite");
    let blind = at_speed(f32::NAN);
    assert!(hands.follow(&smoothing, &full, &blind, 0.05).is_err());
    assert!(
        hands
            .press(&smoothing, &CarKeys::FREE, &blind, 0.05)
            .is_err()
    );
    for dt in [0.0, f32::NAN, f32::INFINITY, -1.0] {
        let refused = hands.follow(&smoothing, &full, &at_speed(3.0), dt);
        assert!(matches!(refused, Err(InputFault::TimeStep(_))));
    }
    assert_eq!(hands, before);
}

#[test]
fn values_out_of_range_are_clamped_and_flagged() {
    let (smoothing, mut hands) = (sample(), CarHands::default());
    let beyond = CarPad {
        brake: 7.0,
        ..CarPad::FREE
    };
    let command = hands.follow(&smoothing, &beyond, &at_speed(0.0), 1.0);
    assert_eq!(command.unwrap().brake, 1.0);
    assert!(hands.clamped);
    hands
        .follow(&smoothing, &CarPad::FREE, &at_speed(0.0), 1.0)
        .unwrap();
    assert!(!hands.clamped);
}

proptest! {
    #[test]
    fn commands_stay_in_range_for_any_input(
        steps in proptest::collection::vec(
            (any::<f32>(), any::<f32>(), any::<bool>(), any::<bool>(), 0.0..2.0_f32),
            1..40,
        ),
    ) {
        let (smoothing, mut hands) = (sample(), CarHands::default());
        for (raw, speed, left, by_keys, dt) in steps {
            let keys = CarKeys { left, right: !left, throttle: left, ..CarKeys::FREE };
            let pad = CarPad { steer: raw, throttle: raw, brake: -raw, ..CarPad::FREE };
            let before = hands;
            let command = if by_keys {
                hands.press(&smoothing, &keys, &at_speed(speed), dt)
            } else {
                hands.follow(&smoothing, &pad, &at_speed(speed), dt)
            };
            let Ok(command) = command else {
                prop_assert_eq!(hands, before);
                continue;
            };
            for pedal in [command.throttle, command.brake, command.handbrake] {
                prop_assert!((0.0..=1.0).contains(&pedal));
            }
            prop_assert!(command.steer.abs() <= 1.0);
        }
    }
}

/// A different rate for every channel.
fn uneven() -> Checked<CarSmoothing> {
    let rate = |n: f32| Rate::new(n, 2.0 * n);
    let rates = CarRates {
        throttle: rate(1.0),
        brake: rate(1.25),
        handbrake: rate(1.5),
        steer_left: rate(1.75),
        steer_right: rate(2.0),
    };
    Checked::new(CarSmoothing {
        grip: None,
        rates,
        steer_limit: SteerLimit::none(),
    })
    .unwrap()
}

const HALF: CarHands = CarHands {
    throttle: 0.5,
    brake: 0.5,
    handbrake: 0.5,
    left: 0.5,
    right: 0.5,
    steer_limit: 0.0,
    clamped: true,
};

#[test]
fn each_key_moves_its_own_channel() {
    let all = CarKeys {
        throttle: true,
        brake: true,
        handbrake: true,
        left: true,
        right: true,
        ..CarKeys::FREE
    };
    for (keys, moved) in [(all, 0.125), (CarKeys::FREE, -0.25)] {
        let mut hands = HALF;
        let seen = VehicleReport::STANDING;
        let command = hands.press(&uneven(), &keys, &seen, 0.125).unwrap();
        let expected = [1.0, 1.25, 1.5, 1.75, 2.0].map(|rate| 0.5 + moved * rate);
        let found = [
            hands.throttle,
            hands.brake,
            hands.handbrake,
            hands.left,
            hands.right,
        ];
        assert_eq!(found, expected);
        assert_eq!(command.steer, expected[4] - expected[3]);
        assert_eq!((command.clutch, hands.clamped), (0.0, false));
    }
}

#[test]
fn each_trigger_moves_its_own_channel() {
    let full = CarPad {
        throttle: 1.0,
        brake: 1.0,
        handbrake: 1.0,
        steer: 1.0,
        ..CarPad::FREE
    };
    let mut hands = CarHands { left: 0.0, ..HALF };
    let seen = VehicleReport::STANDING;
    let command = hands.follow(&uneven(), &full, &seen, 0.125).unwrap();
    let found = [
        command.throttle,
        command.brake,
        command.handbrake,
        command.steer,
    ];
    assert_eq!(found, [0.625, 0.656_25, 0.6875, 0.75]);
    // The pad takes over the steering of the keys.
    let mut hands = HALF;
    let command = hands
        .follow(&uneven(), &CarPad::FREE, &seen, 0.125)
        .unwrap();
    assert_eq!((command.steer, hands.left, hands.right), (0.0, 0.0, 0.0));
}

#[test]
fn every_raw_value_is_clamped_to_its_range() {
    let pad = |x: f32| CarPad {
        throttle: x,
        brake: x,
        handbrake: x,
        steer: x,
        ..CarPad::FREE
    };
    let values = |pad: &CarPad| [pad.throttle, pad.brake, pad.handbrake, pad.steer];
    for (raw, expected, clamped) in [
        (7.0, [1.0; 4], true),
        (-7.0, [0.0, 0.0, 0.0, -1.0], true),
        (0.5, [0.5; 4], false),
        (-0.0, [0.0; 4], false),
    ] {
        let (found, said) = pad(raw).examined().unwrap();
        assert_eq!((values(&found), said), (expected, clamped), "{raw}");
    }
    for n in 0..4 {
        let mut bad = CarPad::FREE;
        let fields = [
            &mut bad.throttle,
            &mut bad.brake,
            &mut bad.handbrake,
            &mut bad.steer,
        ];
        *fields.into_iter().nth(n).unwrap() = f32::NAN;
        assert!(bad.examined().is_err());
    }
}

/// Both keys are reduced in proportion.
#[test]
fn steering_beyond_the_limit_is_reduced() {
    let still = Rate::new(0.0, 0.0);
    let smoothing = CarSmoothing {
        grip: None,
        rates: CarRates::symmetric(still, still, still),
        steer_limit: SteerLimit {
            by_speed: vehicle_core::Curve(alloc::vec![[0.0, 0.25]]),
            sharpness: 0.0,
        },
    };
    let smoothing = Checked::new(smoothing).unwrap();
    for (left, right, left_after, right_after) in [
        (0.25, 0.75, 0.125, 0.375),
        (0.75, 0.25, 0.375, 0.125),
        (0.5, 0.75, 0.5, 0.75),
        (0.5, 0.625, 0.5, 0.625),
    ] {
        let mut hands = CarHands {
            left,
            right,
            ..HALF
        };
        let seen = VehicleReport::STANDING;
        let command = hands.press(&smoothing, &CarKeys::FREE, &seen, 0.1).unwrap();
        assert_eq!((hands.left, hands.right), (left_after, right_after));
        assert_eq!(command.steer, right_after - left_after);
    }
}

#[test]
fn faults_name_their_part() {
    let mut bad = CarSmoothing::physx_keys();
    bad.rates.brake.rise = -1.0;
    bad.steer_limit.sharpness = -1.0;
    let faults = Checked::new(bad).unwrap_err().0;
    let paths = faults.iter().map(|fault| fault.path.as_str());
    assert!(paths.eq(["rates.brake.rise", "steer_limit.sharpness"]));
}

/// With grip control, rates of steering count in limits: full steering takes as long at every limit.
#[rstest::rstest]
#[case::slow(0.0, 1.0)]
#[case::fast(20.0, 0.2)]
fn a_car_of_its_own_steers_to_the_limit_in_the_same_time(#[case] speed: f32, #[case] limit: f32) {
    let smoothing = Checked::new(CarSmoothing {
        rates: CarRates::symmetric(
            Rate::new(3.0, 5.0),
            Rate::new(10.0, 10.0),
            Rate::new(5.0, 5.0),
        ),
        steer_limit: SteerLimit {
            by_speed: vehicle_core::Curve(alloc::vec![[0.0, 1.0], [20.0, 0.2]]),
            sharpness: 0.0,
        },
        grip: Some(GripControl {
            lateral_acceleration: 8.0,
            brake: 1.0,
            axles: [1.2, -1.4],
            angles: [0.6, 0.0],
            tolerance: 0.1,
            slide: 0.2,
        }),
    })
    .unwrap();
    let (mut keyed, mut padded) = (CarHands::default(), CarHands::default());
    let keys = CarKeys {
        right: true,
        ..CarKeys::FREE
    };
    let pad = CarPad {
        steer: 1.0,
        ..CarPad::FREE
    };
    let seen = at_speed(speed);
    for share in [0.5, 1.0, 1.0] {
        let pressed = keyed.press(&smoothing, &keys, &seen, 0.1).unwrap().steer;
        let followed = padded.follow(&smoothing, &pad, &seen, 0.1).unwrap().steer;
        assert!((pressed - share * limit).abs() < 1e-6, "{pressed}");
        assert!((followed - share * limit).abs() < 1e-6, "{followed}");
    }
}
