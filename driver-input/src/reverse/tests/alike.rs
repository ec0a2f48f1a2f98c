//! Keys and pads, cars and tanks are equivalent.

use super::*;

/// Situations of either direction of travel, at the thresholds.
fn situations() -> impl Iterator<Item = VehicleReport> {
    let speeds = [-0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.2];
    let gears = [
        (-2, -2),
        (-1, -1),
        (0, 0),
        (1, 1),
        (2, 2),
        (1, -1),
        (-1, 1),
        (0, -1),
    ];
    gears.into_iter().flat_map(move |(gear, target)| {
        let ways = [(0.0, false), (0.2, false), (0.0, true)];
        ways.into_iter().flat_map(move |(lateral_speed, in_air)| {
            speeds.into_iter().map(move |speed| VehicleReport {
                target_gear: Gear(target),
                lateral_speed,
                in_air,
                ..seen(gear, speed)
            })
        })
    })
}

/// Both values of each key.
pub(super) fn all_keys<const N: usize>() -> impl Iterator<Item = [bool; N]> {
    (0..1_u32 << N).map(|bits| core::array::from_fn(|n| bits >> n & 1 == 1))
}

fn trigger(pressed: bool) -> f32 {
    f32::from(u8::from(pressed))
}

/// A fully pulled trigger is equivalent to its key, for the car and for the stored state.
#[test]
fn a_cars_keys_and_pad_are_equivalent() {
    for seen in situations() {
        for [throttle, brake, handbrake, automatic, held] in all_keys() {
            let keys = CarKeys {
                throttle,
                brake,
                handbrake,
                automatic,
                ..CarKeys::FREE
            };
            let pad = CarPad {
                throttle: trigger(throttle),
                brake: trigger(brake),
                handbrake: trigger(handbrake),
                automatic,
                ..CarPad::FREE
            };
            let (mut by_keys, mut by_pad) = (AutoReverse { held }, AutoReverse { held });
            let keys = look(&mut by_keys, keys, &seen);
            let pad = by_pad.pad(&ReverseSpeeds::PHYSX, &pad, &seen);
            let found = (trigger(keys.throttle), trigger(keys.brake), keys.gear);
            assert_eq!((pad.throttle, pad.brake, pad.gear), found, "{seen:?}");
            assert_eq!(by_keys, by_pad);
            assert_eq!((keys.handbrake, keys.automatic), (handbrake, automatic));
        }
    }
}

/// Equal requests of both tracks are a car's pedals; a track without a request requests nothing.
#[test]
fn a_tanks_keys_and_pad_are_equivalent() {
    let speeds = ReverseSpeeds::PHYSX;
    for seen in situations() {
        for [left, right, back_left, back_right, throttle, held] in all_keys() {
            if (left && back_left) || (right && back_right) {
                continue;
            }
            let keys = TankKeys {
                throttle,
                thrust: [left, right],
                brake: [back_left, back_right],
                ..TankKeys::FREE
            };
            let pad = TankPad {
                throttle: trigger(throttle),
                thrust: keys.thrust.map(trigger),
                brake: keys.brake.map(trigger),
                ..TankPad::FREE
            };
            let (mut by_keys, mut by_pad) = (AutoReverse { held }, AutoReverse { held });
            let keys = by_keys.tank_keys(&speeds, &keys, &seen);
            let pad = by_pad.tank_pad(&speeds, &pad, TankMode::Standard, &seen);
            let found = (
                trigger(keys.throttle),
                keys.thrust.map(trigger),
                keys.brake.map(trigger),
            );
            assert_eq!((pad.throttle, pad.thrust, pad.brake), found, "{seen:?}");
            assert_eq!((by_keys, keys.gear), (by_pad, pad.gear));
        }
    }
}

/// A tank whose tracks do the same is a car.
#[test]
fn a_tank_with_equal_tracks_is_a_car() {
    for seen in situations() {
        for [ahead, back, held] in all_keys() {
            let car = CarKeys {
                throttle: ahead,
                brake: back,
                ..CarKeys::FREE
            };
            let tank = TankKeys {
                thrust: [ahead; 2],
                brake: [back; 2],
                ..TankKeys::FREE
            };
            let (mut by_car, mut by_tank) = (AutoReverse { held }, AutoReverse { held });
            let car = look(&mut by_car, car, &seen);
            let tank = by_tank.tank_keys(&ReverseSpeeds::PHYSX, &tank, &seen);
            let found = ([car.throttle; 2], [car.brake; 2], car.gear);
            assert_eq!((tank.thrust, tank.brake, tank.gear), found, "{seen:?}");
            assert_eq!(by_car, by_tank);
        }
    }
}
