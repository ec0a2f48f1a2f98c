use super::*;
use rstest::rstest;

const BACK: CarKeys = CarKeys {
    brake: true,
    ..CarKeys::FREE
};
const AHEAD: CarKeys = CarKeys {
    throttle: true,
    ..CarKeys::FREE
};

fn seen(gear: i8, forward_speed: f32) -> VehicleReport {
    VehicleReport {
        gear: Gear(gear),
        target_gear: Gear(gear),
        forward_speed,
        ..VehicleReport::STANDING
    }
}

fn look(reverse: &mut AutoReverse, keys: CarKeys, seen: &VehicleReport) -> CarKeys {
    reverse.keys(&ReverseSpeeds::PHYSX, &keys, seen)
}

#[test]
fn braking_on_in_a_car_that_has_stopped_reverses_in_the_second_update() {
    let mut reverse = AutoReverse::default();
    assert_eq!(look(&mut reverse, BACK, &seen(1, 3.0)), BACK);
    assert_eq!(look(&mut reverse, BACK, &seen(1, 0.05)), BACK);
    let asked = look(&mut reverse, BACK, &seen(1, 0.02));
    assert_eq!(asked.gear, GearCommand::Engage(Gear::REVERSE));
    assert!(!asked.throttle && asked.brake);
    let changed = look(&mut reverse, BACK, &seen(-1, 0.0));
    assert_eq!(changed.gear, GearCommand::Hold);
    assert!(changed.throttle && !changed.brake);
}

#[test]
fn accelerating_on_in_a_car_that_has_stopped_from_reverse_goes_ahead() {
    let mut reverse = AutoReverse::default();
    let braking = look(&mut reverse, AHEAD, &seen(-1, -2.0));
    assert!(braking.brake && !braking.throttle);
    let _ = look(&mut reverse, AHEAD, &seen(-1, -0.05));
    let asked = look(&mut reverse, AHEAD, &seen(-1, -0.02));
    assert_eq!(asked.gear, GearCommand::Engage(Gear::FIRST));
    assert!(!asked.throttle && asked.brake);
    assert_eq!(look(&mut reverse, AHEAD, &seen(1, 0.0)), AHEAD);
}

#[rstest]
#[case::in_first(1, -1, false)]
#[case::in_reverse(-1, 1, false)]
#[case::in_neutral(0, -1, true)]
#[case::up_through_the_gears(1, 2, false)]
fn no_pedal_drives_the_wrong_way_while_gears_change(
    #[case] gear: i8,
    #[case] target: i8,
    #[case] drives: bool,
) {
    let changing = VehicleReport {
        target_gear: Gear(target),
        ..seen(gear, 0.0)
    };
    let keys = look(&mut AutoReverse::default(), BACK, &changing);
    assert_eq!((keys.throttle, keys.brake), (drives, !drives));
    let pad = CarPad {
        brake: 0.7,
        ..CarPad::FREE
    };
    let pad = AutoReverse::default().pad(&ReverseSpeeds::PHYSX, &pad, &changing);
    let expected = if drives { (0.7, 0.0) } else { (0.0, 0.7) };
    assert_eq!((pad.throttle, pad.brake), expected);
}

#[test]
fn lower_reverse_gears_are_left_like_the_first() {
    let mut reverse = AutoReverse::default();
    let braking = look(&mut reverse, AHEAD, &seen(-2, -0.05));
    assert!(braking.brake && !braking.throttle);
    let asked = look(&mut reverse, AHEAD, &seen(-2, -0.02));
    assert_eq!(asked.gear, GearCommand::Engage(Gear::FIRST));
    let rolling = look(&mut AutoReverse::default(), CarKeys::FREE, &seen(-2, 0.2));
    assert_eq!(rolling.gear, GearCommand::Engage(Gear::FIRST));
}

#[rstest]
#[case::back_in_first(1, -0.2, Some(Gear::REVERSE))]
#[case::ahead_in_reverse(-1, 0.2, Some(Gear::FIRST))]
#[case::back_in_second(2, -0.2, None)]
#[case::slowly(1, -0.05, None)]
#[case::ahead_in_first(1, 0.2, None)]
fn a_free_car_that_rolls_against_its_gear_changes(
    #[case] gear: i8,
    #[case] speed: f32,
    #[case] change: Option<Gear>,
) {
    let keys = look(
        &mut AutoReverse::default(),
        CarKeys::FREE,
        &seen(gear, speed),
    );
    assert_eq!(
        keys.gear,
        change.map_or(GearCommand::Hold, GearCommand::Engage)
    );
}

#[rstest]
#[case::manual_gears(CarKeys { automatic: false, ..BACK }, seen(1, 0.0))]
#[case::in_the_air(BACK, VehicleReport { in_air: true, ..seen(1, 0.0) })]
#[case::sliding(BACK, VehicleReport { lateral_speed: 0.5, ..seen(1, 0.0) })]
#[case::both_pedals(CarKeys { throttle: true, ..BACK }, seen(1, 0.0))]
#[case::blind(BACK, seen(1, f32::NAN))]
fn otherwise_nothing_changes(#[case] keys: CarKeys, #[case] seen: VehicleReport) {
    let mut reverse = AutoReverse::default();
    for _ in 0..3 {
        assert_eq!(look(&mut reverse, keys, &seen), keys);
    }
}

#[test]
fn a_pad_does_the_same() {
    let mut reverse = AutoReverse::default();
    let pad = CarPad {
        brake: 0.7,
        ..CarPad::FREE
    };
    let speeds = ReverseSpeeds::PHYSX;
    assert_eq!(reverse.pad(&speeds, &pad, &seen(1, 0.0)), pad);
    let asked = reverse.pad(&speeds, &pad, &seen(1, 0.0));
    assert_eq!((asked.throttle, asked.brake), (0.0, 0.7));
    assert_eq!(asked.gear, GearCommand::Engage(Gear::REVERSE));
    let changed = reverse.pad(&speeds, &pad, &seen(-1, 0.0));
    assert_eq!((changed.throttle, changed.brake), (0.7, 0.0));
}

#[rstest]
#[case::standard(TankMode::Standard, [0.0, 0.0], [0.6, 0.8], [0.6, 0.8], [0.0, 0.0])]
#[case::special(TankMode::Special, [-0.6, -0.8], [0.0, 0.0], [0.6, 0.8], [0.0, 0.0])]
fn tracks_are_swapped_or_turned_round(
    #[case] mode: TankMode,
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
    #[case] then_thrust: [f32; 2],
    #[case] then_brake: [f32; 2],
) {
    let mut reverse = AutoReverse::default();
    let pad = TankPad {
        thrust,
        brake,
        ..TankPad::FREE
    };
    let speeds = ReverseSpeeds::PHYSX;
    assert_eq!(reverse.tank_pad(&speeds, &pad, mode, &seen(1, 0.0)), pad);
    let asked = reverse.tank_pad(&speeds, &pad, mode, &seen(1, 0.0));
    assert_eq!((asked.thrust, asked.brake), ([0.0; 2], [0.6, 0.8]));
    let changed = reverse.tank_pad(&speeds, &pad, mode, &seen(-1, 0.0));
    assert_eq!((changed.thrust, changed.brake), (then_thrust, then_brake));
}

#[test]
fn one_track_alone_does_not_reverse_a_tank() {
    let mut reverse = AutoReverse::default();
    let keys = TankKeys {
        brake: [true, false],
        ..TankKeys::FREE
    };
    for _ in 0..3 {
        let same = reverse.tank_keys(&ReverseSpeeds::PHYSX, &keys, &seen(1, 0.0));
        assert_eq!(same, keys);
    }
    let both = TankKeys {
        brake: [true; 2],
        ..keys
    };
    for _ in 0..2 {
        let stopping = reverse.tank_keys(&ReverseSpeeds::PHYSX, &both, &seen(1, 0.0));
        assert_eq!((stopping.thrust, stopping.brake), ([false; 2], [true; 2]));
    }
    let changed = reverse.tank_keys(&ReverseSpeeds::PHYSX, &both, &seen(-1, 0.0));
    assert_eq!((changed.thrust, changed.brake), ([true; 2], [false; 2]));
}
