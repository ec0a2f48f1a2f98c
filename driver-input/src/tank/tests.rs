use super::*;
use crate::rate::Rate;
use rstest::rstest;

fn sample(mode: TankMode) -> Checked<TankSmoothing> {
    let rates = TankRates::PHYSX_SAMPLE;
    Checked::new(TankSmoothing {
        rates,
        mode,
        brake_keys: BrakeKeys::PullAndBrake,
    })
    .unwrap()
}

#[rstest]
#[case::standard(TankMode::Standard, [0.0, 0.25], [0.35, 0.0])]
#[case::special(TankMode::Special, [0.25, 0.25], [0.6, 0.0])]
fn a_track_is_driven_or_braked(
    #[case] mode: TankMode,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
) {
    let keys = TankKeys {
        brake: [true, false],
        thrust: [true, true],
        ..TankKeys::FREE
    };
    let mut hands = TankHands::default();
    let command = hands.press(&sample(mode), &keys, 0.1).unwrap();
    for side in 0..2 {
        assert!((command.thrust[side] - thrust[side]).abs() < 1e-6);
        assert!((command.brake[side] - brake[side]).abs() < 1e-6);
    }
}

#[rstest]
#[case::accelerating(true, -1.0, 0.0)]
#[case::not(false, 0.0, 1.0)]
fn brake_keys_of_special_tracks_pull_backwards_or_brake_at_any_rate(
    #[case] throttle: bool,
    #[case] thrust: f32,
    #[case] brake: f32,
    #[values(30.0, 120.0)] rate: f32,
) {
    let keys = TankKeys {
        throttle,
        brake: [true, false],
        ..TankKeys::FREE
    };
    let mut hands = TankHands::default();
    let mut command = TankCommand::default();
    for _ in 0..rate as u32 {
        command = hands
            .press(&sample(TankMode::Special), &keys, 1.0 / rate)
            .unwrap();
    }
    assert_eq!((command.thrust[0], command.brake[0]), (thrust, brake));
}

#[test]
fn only_special_tracks_run_backwards() {
    let pad = TankPad {
        thrust: [-1.0, 1.0],
        ..TankPad::FREE
    };
    let mut hands = TankHands::default();
    let command = hands.follow(&sample(TankMode::Special), &pad, 1.0).unwrap();
    assert_eq!((command.thrust, hands.clamped), ([-1.0, 1.0], false));
    let mut hands = TankHands::default();
    let command = hands
        .follow(&sample(TankMode::Standard), &pad, 1.0)
        .unwrap();
    assert_eq!((command.thrust, hands.clamped), ([0.0, 1.0], true));
}

#[test]
fn nan_is_refused_and_changes_nothing() {
    let mut hands = TankHands::default();
    let bad = TankPad {
        brake: [0.0, f32::INFINITY],
        throttle: 1.0,
        ..TankPad::FREE
    };
    let special = sample(TankMode::Special);
    assert!(hands.follow(&special, &bad, 0.1).is_err());
    assert!(hands.press(&special, &TankKeys::FREE, f32::NAN).is_err());
    assert_eq!(hands, TankHands::default());
}

/// Controls that do not move.
fn still(mode: TankMode, brake_keys: BrakeKeys) -> Checked<TankSmoothing> {
    let still = Rate::new(0.0, 0.0);
    let rates = TankRates {
        throttle: still,
        brake: [still; 2],
        thrust: [still; 2],
    };
    Checked::new(TankSmoothing {
        rates,
        mode,
        brake_keys,
    })
    .unwrap()
}

/// A brake key brakes with what the throttle does not pull backwards; on a standard track, any pull
/// beyond the thrust brakes.
#[rstest]
#[case::standard(TankMode::Standard, BrakeKeys::PullAndBrake, [0.25, 0.0], [0.0, 0.25], [0.25, 0.0], [0.0, 0.25])]
#[case::special(TankMode::Special, BrakeKeys::PullAndBrake, [0.5, 0.25], [0.25, 0.5], [0.375, 0.0], [0.125, 0.25])]
#[case::pulled_only(TankMode::Special, BrakeKeys::PullBack, [0.25, -0.25], [0.0, 0.0], [0.25, -0.25], [0.0, 0.0])]
fn held_keys(
    #[case] mode: TankMode,
    #[case] brake_keys: BrakeKeys,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
    #[case] asked_thrust: [f32; 2],
    #[case] asked_brake: [f32; 2],
) {
    let mut hands = TankHands {
        throttle: 0.5,
        brake: [0.25, 0.5],
        thrust: [0.5, 0.25],
        clamped: true,
    };
    let smoothing = still(mode, brake_keys);
    let command = hands.press(&smoothing, &TankKeys::FREE, 0.1).unwrap();
    assert_eq!(
        (hands.thrust, hands.brake, hands.clamped),
        (thrust, brake, false)
    );
    assert_eq!((command.thrust, command.brake), (asked_thrust, asked_brake));
    assert_eq!(command.throttle, 0.5);
}

/// A different rate for every channel.
#[rstest]
#[case::standard(TankMode::Standard, [0.375, 0.0], [0.0, 0.125])]
#[case::special(TankMode::Special, [0.375, -0.125], [0.0, 0.625])]
fn a_pad_moves_its_own_channels(
    #[case] mode: TankMode,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
) {
    let rates = TankRates {
        throttle: Rate::new(0.5, 9.0),
        brake: [Rate::new(9.0, 9.0), Rate::new(2.5, 9.0)],
        thrust: [Rate::new(1.5, 9.0), Rate::new(0.5, 9.0)],
    };
    let smoothing = Checked::new(TankSmoothing {
        rates,
        mode,
        brake_keys: BrakeKeys::PullAndBrake,
    });
    let least = if mode == TankMode::Special { -1.0 } else { 0.0 };
    let pad = TankPad {
        throttle: 1.0,
        brake: [0.0, 1.0],
        thrust: [1.0, least],
        ..TankPad::FREE
    };
    let mut hands = TankHands::default();
    let command = hands.follow(&smoothing.unwrap(), &pad, 0.25).unwrap();
    assert_eq!(command.throttle, 0.125);
    assert_eq!((command.thrust, command.brake), (thrust, brake));
}

/// A standard track that is braked is released before it is driven.
#[test]
fn a_standard_track_goes_from_braked_to_driven() {
    let (smoothing, mut hands) = (sample(TankMode::Standard), TankHands::default());
    (hands.brake, hands.thrust) = ([0.75, 0.0], [0.0, 0.5]);
    let pad = TankPad {
        thrust: [1.0, 0.0],
        brake: [0.0, 0.75],
        ..TankPad::FREE
    };
    let command = hands.follow(&smoothing, &pad, 0.1).unwrap();
    assert_eq!((command.thrust, command.brake), ([0.0; 2], [0.25, 0.0]));
    let command = hands.follow(&smoothing, &pad, 0.2).unwrap();
    assert_eq!((command.thrust, command.brake), ([0.75, 0.0], [0.0, 0.5]));
}

#[test]
fn every_raw_value_is_clamped_to_its_range() {
    let pad = |x: f32| TankPad {
        throttle: x,
        brake: [x; 2],
        thrust: [x; 2],
        ..TankPad::FREE
    };
    for (raw, mode, pedal, thrust, clamped) in [
        (7.0, TankMode::Special, 1.0, 1.0, true),
        (-7.0, TankMode::Special, 0.0, -1.0, true),
        (-7.0, TankMode::Standard, 0.0, 0.0, true),
        (0.5, TankMode::Standard, 0.5, 0.5, false),
    ] {
        let (found, said) = pad(raw).examined(mode).unwrap();
        assert_eq!((found.throttle, found.brake), (pedal, [pedal; 2]));
        assert_eq!((found.thrust, said), ([thrust; 2], clamped));
    }
}

#[test]
fn a_bad_rate_is_named() {
    let mut bad = sample(TankMode::Special).into_inner();
    bad.rates.throttle.rise = f32::NAN;
    let faults = Checked::new(bad).unwrap_err().0;
    assert_eq!(faults[0].path, "rates.throttle.rise");
}
