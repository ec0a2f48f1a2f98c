mod alike;

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
fn holding_the_brake_after_a_stop_reverses_in_the_second_update() {
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
fn holding_the_accelerator_after_a_stop_from_reverse_drives_forward() {
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
fn tracks_are_swapped_or_reversed(
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

/// A pressed pedal keeps a rolling car in its gear.
#[test]
fn only_a_car_without_pedals_changes_as_it_rolls() {
    let rolling = seen(1, -0.2);
    for [throttle, brake, handbrake] in alike::all_keys() {
        let keys = CarKeys {
            throttle,
            brake,
            handbrake,
            ..CarKeys::FREE
        };
        let found = look(&mut AutoReverse::default(), keys, &rolling).gear;
        let free = !throttle && !brake && !handbrake;
        assert_eq!(found == GearCommand::Engage(Gear::REVERSE), free);
        assert_eq!(found == GearCommand::Hold, !free);
    }
    for n in 0..5 {
        let mut pad = TankPad::FREE;
        let [left, right] = &mut pad.thrust;
        let [brake_left, brake_right] = &mut pad.brake;
        let values = [&mut pad.throttle, left, right, brake_left, brake_right];
        *values.into_iter().nth(n).unwrap() = 0.1;
        let speeds = ReverseSpeeds::PHYSX;
        let found = AutoReverse::default().tank_pad(&speeds, &pad, TankMode::Standard, &rolling);
        assert_eq!(found.gear, GearCommand::Hold, "{n}");
    }
}

#[rstest]
#[case::slow_enough(0.09, 0.19, true)]
#[case::too_fast_along(0.1, 0.0, false)]
#[case::too_fast_across(0.0, 0.2, false)]
#[case::too_fast_across_the_other_way(0.0, -0.2, false)]
fn a_standing_vehicle_is_slower_than_both_speeds(
    #[case] forward: f32,
    #[case] across: f32,
    #[case] stands: bool,
) {
    for forward in [forward, -forward] {
        let seen = VehicleReport {
            lateral_speed: across,
            ..seen(1, forward)
        };
        let mut reverse = AutoReverse::default();
        let _ = look(&mut reverse, BACK, &seen);
        assert_eq!(reverse.held, stands);
    }
}

#[rstest]
#[case::at_the_speed_in_first(1, -0.1)]
#[case::at_the_speed_in_reverse(-1, 0.1)]
#[case::in_neutral(0, 0.2)]
#[case::in_neutral_back(0, -0.2)]
fn a_free_car_keeps_its_gear(#[case] gear: i8, #[case] speed: f32) {
    let keys = look(
        &mut AutoReverse::default(),
        CarKeys::FREE,
        &seen(gear, speed),
    );
    assert_eq!(keys.gear, GearCommand::Hold);
}

/// A car held by the other pedal, or by both, waits.
#[rstest]
#[case::ahead(AHEAD, 1, None)]
#[case::back(BACK, 1, Some(Gear::REVERSE))]
#[case::ahead_in_reverse(AHEAD, -1, Some(Gear::FIRST))]
#[case::back_in_reverse(BACK, -1, None)]
#[case::in_neutral(BACK, 0, None)]
#[case::ahead_in_neutral(AHEAD, 0, None)]
#[case::both_in_reverse(CarKeys { brake: true, ..AHEAD }, -1, None)]
#[case::in_second(BACK, 2, Some(Gear::REVERSE))]
fn a_held_car_changes_gear_by_the_holding_pedal(
    #[case] keys: CarKeys,
    #[case] gear: i8,
    #[case] change: Option<Gear>,
) {
    for held in [false, true] {
        let mut reverse = AutoReverse { held };
        let found = look(&mut reverse, keys, &seen(gear, 0.0)).gear;
        let expected = change.filter(|_| held);
        assert_eq!(
            found,
            expected.map_or(GearCommand::Hold, GearCommand::Engage)
        );
    }
}

#[test]
fn every_speed_is_checked() {
    let bad = ReverseSpeeds {
        forward: 0.0,
        sideways: -1.0,
        rolling: f32::NAN,
    };
    let faults = vehicle_core::Checked::new(bad).unwrap_err().0;
    let paths = faults.iter().map(|fault| fault.path.as_str());
    assert!(paths.eq(["forward", "sideways", "rolling"]));
}

/// The gear request is passed through unless a gear change is due.
#[test]
fn the_lever_is_passed_through() {
    let speeds = ReverseSpeeds::PHYSX;
    let gear = GearCommand::Up;
    let gear_request = |found: GearCommand, free: bool| {
        let expected = if free {
            GearCommand::Engage(Gear::REVERSE)
        } else {
            gear
        };
        assert_eq!(found, expected);
    };
    for (speed, free) in [(0.0, false), (-0.2, true)] {
        let (mut reverse, seen) = (AutoReverse::default(), seen(1, speed));
        gear_request(
            look(
                &mut reverse,
                CarKeys {
                    gear,
                    ..CarKeys::FREE
                },
                &seen,
            )
            .gear,
            free,
        );
        let pad = CarPad {
            gear,
            ..CarPad::FREE
        };
        gear_request(reverse.pad(&speeds, &pad, &seen).gear, free);
        let keys = TankKeys {
            gear,
            ..TankKeys::FREE
        };
        gear_request(reverse.tank_keys(&speeds, &keys, &seen).gear, free);
        let pad = TankPad {
            gear,
            ..TankPad::FREE
        };
        for mode in [TankMode::Standard, TankMode::Special] {
            gear_request(reverse.tank_pad(&speeds, &pad, mode, &seen).gear, free);
        }
    }
}

/// The brake holds in forward gears, the accelerator in reverse, and neither in neutral.
#[rstest]
#[case::in_first(1, [false, true])]
#[case::in_second(2, [false, true])]
#[case::in_neutral(0, [false, false])]
#[case::in_reverse(-1, [true, false])]
fn a_car_is_held_by_the_pedal_that_stops_it(#[case] gear: i8, #[case] holds: [bool; 2]) {
    let [ahead, back] = holds;
    for (keys, expected) in [(AHEAD, ahead), (BACK, back), (CarKeys::FREE, false)] {
        let mut reverse = AutoReverse::default();
        let found = look(&mut reverse, keys, &seen(gear, 0.0));
        assert_eq!(reverse.held, expected, "{keys:?}");
        if gear >= 0 {
            assert_eq!((found.throttle, found.brake), (keys.throttle, keys.brake));
        }
    }
}

/// Nothing changes during a gear change or in the air.
#[rstest]
#[case::in_the_air(true, 1)]
#[case::changing(false, 2)]
fn a_free_car_changes_gear_only_when_settled_and_on_the_ground(
    #[case] in_air: bool,
    #[case] target: i8,
) {
    let rolling = VehicleReport {
        in_air,
        target_gear: Gear(target),
        ..seen(1, -0.2)
    };
    let keys = look(&mut AutoReverse::default(), CarKeys::FREE, &rolling);
    assert_eq!(keys.gear, GearCommand::Hold);
}
