//! Differentials and tracks in driving vehicles.

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::world::WorldKind;
use serde_json::{Value, json};
use vehicle_conformance::stability::Scene;

use super::{FREE, stage};

/// The sports car, rear-wheel drive, with another table of differentials.
fn with(differential: &Value) -> Car {
    changed(|table| {
        let differential = toml::Value::try_from(differential).expect("it is a table");
        table["drivetrain"]["differential"] = differential;
    })
}

fn changed(change: impl Fn(&mut toml::Table)) -> Car {
    let mut files = presets::FILES.into_iter();
    let (_, text) = files
        .find(|(name, _)| *name == "sports-car")
        .expect("it ships");
    let mut table: toml::Table = text.parse().expect("it is valid");
    change(&mut table);
    Car::parse(&table.to_string(), "sports-car").expect("it is valid")
}

/// On tracks, which must be short to turn.
fn tracked(special: bool) -> Car {
    changed(|table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        for (axle, x) in axles.iter_mut().zip([0.6, -0.6]) {
            axle["x"] = x.into();
        }
        table["chassis"]["centre_of_mass"][0] = 0.0.into();
        let tank = json!({ "model": "tank", "special": special });
        table["drivetrain"]["differential"] = toml::Value::try_from(tank).expect("a table");
    })
}

const BEND: CarCommand = CarCommand {
    throttle: 0.3,
    steer: -1.0,
    ..FREE
};

const HARD: CarCommand = CarCommand {
    throttle: 0.8,
    ..FREE
};

/// `LockingDifferential`: in a bend, the wheels of a locked axle turn at the same speed, those of
/// an open one do not.
#[test]
fn the_wheels_of_a_locked_axle_turn_alike() {
    let ratios = json!({ "torque_ratios": [0, 0, 0.5, 0.5], "speed_ratios": [0, 0, 0.5, 0.5] });
    let locking = |limit: Value| {
        let mut table = json!({
            "model": "locking", "front": [0, 1], "rear": [2, 3], "ratios": ratios,
        });
        if !limit.is_null() {
            table["rear_limit"] = limit;
        }
        with(&table)
    };
    for world in WorldKind::all().iter().copied() {
        let apart = |car: &Car| {
            let mut stage = stage(world, car, &Scene::IN_FIRST);
            stage.run(4.0, &BEND).unwrap();
            let spins = stage.spins();
            assert!(spins[3] > 5.0, "{world:?}: {spins:?}");
            spins[3] - spins[2]
        };
        let open = apart(&locking(Value::Null));
        let locked = apart(&locking(json!({ "bias": 1.0, "target": 1.0 })));
        println!("{world:?}: {open:.3} rad/s apart, locked {locked:.2e} rad/s");
        assert!(open > 1.0 && locked.abs() < 1e-3, "{world:?}");
    }
}

/// `TankDifferential`: a tracked vehicle follows a car's commands, and the wheels of a track have
/// the same circumferential speed although their radii differ.
#[test]
fn tracks_follow_a_cars_steering() {
    for special in [false, true] {
        let car = tracked(special);
        for (steer, left) in [(0.0, 0.0), (0.7, -1.0), (-0.7, 1.0)] {
            let mut stage = stage(WorldKind::Standalone, &car, &Scene::IN_FIRST);
            stage.run(3.0, &CarCommand { steer, ..HARD }).unwrap();
            let rate = stage.body().unwrap().angular_velocity.z;
            let wheels = car.kind().params().wheels.clone();
            let spins = stage.spins().into_iter();
            let rims: Vec<f32> = spins
                .zip(&wheels)
                .map(|(spin, w)| spin * w.radius)
                .collect();
            println!("special {special}, steer {steer}: {rate:.3} rad/s, {rims:?} m/s");
            assert!(
                rate * left >= 0.0 && (rate.abs() > 0.1) == (left != 0.0),
                "{rate}"
            );
            for side in 0..2 {
                assert!((rims[side] - rims[side + 2]).abs() < 1e-3, "{rims:?}");
            }
        }
    }
}
