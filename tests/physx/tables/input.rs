//! Series of raw and processed input, step by step. Steering keeps PhysX's left and right here: the
//! rules are the same for both.

use jounce::core::{Checked, Curve, VehicleReport};
use jounce::input::{
    BrakeKeys, CarHands, CarKeys, CarPad, CarRates, CarSmoothing, Rate, SteerLimit, TankHands,
    TankKeys, TankMode, TankPad, TankRates, TankSmoothing,
};

use super::{Outputs, all};
use crate::row::Row;

/// The rates of five channels.
fn rates(row: &Row<'_>) -> [Rate; 5] {
    let (rise, fall) = (row.list("rise"), row.list("fall"));
    core::array::from_fn(|n| Rate::new(rise[n], fall[n]))
}

/// Whether a raw value means that its key is down.
fn down(raw: f32) -> bool {
    raw != 0.0
}

pub(crate) fn car(row: &Row<'_>) -> Option<Outputs> {
    let [throttle, brake, handbrake, steer_left, steer_right] = rates(row);
    let table = row.list("steer_vs_speed");
    let smoothing = Checked::new(CarSmoothing {
        grip: None,
        rates: CarRates {
            throttle,
            brake,
            handbrake,
            steer_left,
            steer_right,
        },
        steer_limit: SteerLimit {
            by_speed: Curve(table.chunks(2).map(|p| [p[0], p[1]]).collect()),
            sharpness: row.number("steer_filter_sharpness"),
        },
    })
    .expect("PhysX's rates are valid");
    let raw = ["raw_accel", "raw_brake", "raw_handbrake", "raw_steer"].map(|key| row.list(key));
    let (speed, in_air) = (row.list("forward_speed"), row.flags("in_air"));
    let (by_keys, dt) = (row.text("kind") == "key", row.number("dt"));
    let mut hands = CarHands::default();
    let steps = (0..speed.len()).map(|n| {
        let [throttle, brake, handbrake, steer] = [0, 1, 2, 3].map(|channel| raw[channel][n]);
        let seen = VehicleReport {
            forward_speed: speed[n],
            in_air: in_air[n],
            ..VehicleReport::STANDING
        };
        let keys = CarKeys {
            throttle: down(throttle),
            brake: down(brake),
            handbrake: down(handbrake),
            left: steer < 0.0,
            right: steer > 0.0,
            ..CarKeys::FREE
        };
        let pad = CarPad {
            throttle,
            brake,
            handbrake,
            steer,
            ..CarPad::FREE
        };
        let command = if by_keys {
            hands.press(&smoothing, &keys, &seen, dt)
        } else {
            hands.follow(&smoothing, &pad, &seen, dt)
        };
        command.expect("PhysX's raw values are valid");
        hands
    });
    let steps: Vec<CarHands> = steps.collect();
    let series = |f: fn(&CarHands) -> f32| all(steps.iter().map(f));
    Some(vec![
        ("out_accel", series(|h| h.throttle)),
        ("out_brake", series(|h| h.brake)),
        ("out_handbrake", series(|h| h.handbrake)),
        ("out_steer_left", series(|h| h.left)),
        ("out_steer_right", series(|h| h.right)),
    ])
}

pub(crate) fn tank(row: &Row<'_>) -> Option<Outputs> {
    let [throttle, brake_left, brake_right, thrust_left, thrust_right] = rates(row);
    let smoothing = Checked::new(TankSmoothing {
        rates: TankRates {
            throttle,
            brake: [brake_left, brake_right],
            thrust: [thrust_left, thrust_right],
        },
        brake_keys: BrakeKeys::PullBack,
        mode: match row.text("mode") {
            "SPECIAL" => TankMode::Special,
            _ => TankMode::Standard,
        },
    })
    .expect("PhysX's rates are valid");
    let throttle = row.list("raw_accel");
    let brake = ["raw_brake_left", "raw_brake_right"].map(|key| row.list(key));
    let thrust = ["raw_thrust_left", "raw_thrust_right"].map(|key| row.list(key));
    let (by_keys, dt) = (row.text("kind") == "key", row.number("dt"));
    let mut hands = TankHands::default();
    let steps = (0..throttle.len()).map(|n| {
        let sides = |channel: &[Vec<f32>; 2]| [channel[0][n], channel[1][n]];
        let keys = TankKeys {
            throttle: down(throttle[n]),
            brake: sides(&brake).map(down),
            thrust: sides(&thrust).map(down),
            ..TankKeys::FREE
        };
        let pad = TankPad {
            throttle: throttle[n],
            brake: sides(&brake),
            thrust: sides(&thrust),
            ..TankPad::FREE
        };
        let command = if by_keys {
            hands.press(&smoothing, &keys, dt)
        } else {
            hands.follow(&smoothing, &pad, dt)
        };
        command.expect("PhysX's raw values are valid");
        hands
    });
    let steps: Vec<TankHands> = steps.collect();
    let series = |f: fn(&TankHands) -> f32| all(steps.iter().map(f));
    Some(vec![
        ("out_accel", series(|h| h.throttle)),
        ("out_brake_left", series(|h| h.brake[0])),
        ("out_brake_right", series(|h| h.brake[1])),
        ("out_thrust_left", series(|h| h.thrust[0])),
        ("out_thrust_right", series(|h| h.thrust[1])),
    ])
}
