//! Differentials and tracks in driving vehicles.

use jounce::core::{CarCommand, Command, TankCommand};
use jounce::drive::{Differential, EngineDriveParams, TankDifferential, TankReport};
use jounce::file::Car;
use jounce::presets;
use proving_ground::world::WorldKind;
use serde_json::{Value, json};
use vehicle_conformance::stability::{Scene, Stage};

use super::{FREE, car, stage};

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

/// A tank on tracks, which must be short to turn.
fn tracked(special: bool) -> Car {
    changed(|table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        for (axle, x) in axles.iter_mut().zip([0.6, -0.6]) {
            axle["x"] = x.into();
        }
        table["chassis"]["center_of_mass"][0] = 0.0.into();
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

/// `LockingDifferential`: a locked center holds the mean spins of its axles alike in a bend, and the wheels of each
/// turn as their ways ask; without it, the axles differ.
#[test]
fn a_locked_center_leaves_axles_open() {
    const QUARTERS: [f32; 4] = [0.25; 4];
    let driven = |limit: Value| {
        let mut table = json!({
            "model": "locking", "front": [0, 1], "rear": [2, 3],
            "ratios": { "torque_ratios": QUARTERS, "speed_ratios": QUARTERS },
        });
        if !limit.is_null() {
            table["center_limit"] = limit;
        }
        with(&table)
    };
    for world in WorldKind::all().iter().copied() {
        let spins = |car: &Car| {
            let mut stage = stage(world, car, &Scene::IN_FIRST);
            stage.run(4.0, &BEND).unwrap();
            stage.spins()
        };
        let free = spins(&driven(Value::Null));
        let locked = spins(&driven(json!({ "bias": 1.0, "target": 1.0 })));
        println!("{world:?}: {free:.3?}, locked {locked:.3?} rad/s");
        let apart = |spins: &[f32]| (spins[0] + spins[1] - spins[2] - spins[3]).abs();
        assert!(apart(&free) > 0.5 && apart(&locked) < 1e-3, "{world:?}");
        for axle in locked.chunks(2) {
            assert!(axle[0] > 5.0 && axle[1] - axle[0] > 0.5, "{world:?}");
        }
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
            let wheels = car.model().params().wheels.clone();
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

/// The tracks of a file's tank.
fn tracks_of(car: &Car) -> TankDifferential {
    let mut drive = car.spec().drive.0.clone();
    drive.remove("model");
    let drive: EngineDriveParams = drive.try_into().expect("it has an engine");
    match drive.differential {
        Differential::Tank(tank) => tank,
        other => unreachable!("{other:?}"),
    }
}

/// `TankReport`: a belt has run as far as the tank went, the two against each other on the spot; it lies on the
/// ground, around its wheels.
#[test]
fn belts_run_as_far_as_the_tank_goes() {
    let car = car("tank");
    let tank = tracks_of(&car);
    let drive = |thrust: [f32; 2], throttle: f32| {
        Command::Tank(TankCommand {
            throttle,
            thrust,
            ..TankCommand::default()
        })
    };
    for world in WorldKind::all().iter().copied() {
        let mut stage = stage(world, &car, &Scene::IN_FIRST);
        let mut report = TankReport::new(&tank);
        let mut follow = |stage: &mut Stage, command: &Command, seconds: f32| {
            let before = report.tracks.iter().map(|track| track.run);
            let before: Vec<f64> = before.collect();
            for _ in 0..(seconds * super::RATE) as u32 {
                stage.obey(command, stage.dt).unwrap();
                report.follow(&tank, &stage.vehicle);
            }
            let run = report.tracks.iter().zip(before).map(|(t, run)| t.run - run);
            (run.collect::<Vec<f64>>(), report.clone())
        };
        let start = stage.position().unwrap();
        let (ahead, report) = follow(&mut stage, &drive([1.0, 1.0], 0.5), 4.0);
        let distance = (stage.position().unwrap() - start).length();
        let body = stage.body().unwrap();
        println!("{world:?}: {distance:.3} m, belts {ahead:.3?} m");
        assert!(distance > 2.0 && ahead.iter().all(|run| (run / distance - 1.0).abs() < 0.03));
        for (track, side) in report.tracks.iter().zip([1.0, -1.0]) {
            assert!(track.y * side > 1.0, "{track:?}");
            assert!(f64::from(track.moved) > 0.0 && track.speed > 0.0);
            let lowest = track
                .outline
                .iter()
                .map(|corner| corner[1])
                .fold(f32::MAX, f32::min);
            let gap = body.position.z + f64::from(lowest - car.center_of_mass().z);
            assert!(gap.abs() < 0.03, "{world:?}: {gap} m above the ground");
            let ends = track.outline.iter().map(|corner| corner[0]);
            let long = ends.clone().fold(f32::MIN, f32::max) - ends.fold(f32::MAX, f32::min);
            assert!(track.length > 2.0 * long && track.length < 3.0 * long);
        }
        follow(&mut stage, &drive([0.0, 0.0], 0.0), 4.0);
        let (spot, _) = follow(&mut stage, &drive([-1.0, 1.0], 1.0), 4.0);
        assert!(spot[0] < -1.0 && spot[1] > 1.0, "{world:?}: {spot:?}");
    }
}

/// The rear wheels let go, so that the car comes around; steering alone does not do that.
#[test]
fn the_handbrake_turns_a_car_around() {
    let car = car("sedan");
    for world in WorldKind::all().iter().copied() {
        let slide = |handbrake: f32| {
            let scene = Scene {
                speed: 14.0,
                ..Scene::LEVEL
            };
            let mut stage = stage(world, &car, &scene);
            let command = CarCommand {
                steer: 1.0,
                handbrake,
                ..FREE
            };
            let mut most = 0.0_f32;
            for _ in 0..(1.5 * super::RATE) as u32 {
                stage.step(&command).unwrap();
                let body = stage.body().unwrap();
                let velocity = body.rotation.inverse() * body.linear_velocity;
                most = most.max(velocity.y.abs().atan2(velocity.x).to_degrees());
            }
            most
        };
        let (with, without) = (slide(1.0), slide(0.0));
        println!("{world:?}: {with}° of sideslip, {without}° without handbrake");
        assert!(with > 60.0 && without < 20.0, "{with}° {without}°");
    }
}
