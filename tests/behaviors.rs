//! Statements of the contracts and of the documentation, each tested in every world that supports it.

mod automatic;
mod beams;
mod constraints;
mod detailed;
mod differentials;
mod driven;
mod dual_clutch;
mod electric;
mod engine;
mod fallen;
mod fleets;
mod fuel;
mod hybrid;
mod laddered;
mod magic_formula;
mod manual;
mod moved;
mod parallel_hybrid;
mod pushed;
mod retuned;
mod rollback;
mod sleep;
mod straight;
mod swept;
mod switched;
mod three_wheels;
mod variator;

use jounce::core::{BodyState, CarCommand, Command, Surfaces, UpdateLevel, Vehicle, phases};
use jounce::drive::EngineDriveParams;
use jounce::file::Car;
use proving_ground::ProvingError;
use proving_ground::stage::{FLAT_OUT, FREE};
use proving_ground::world::{World, WorldKind};
use vehicle_conformance::stability::{GRAVITY, Preset, Scene, Setup, Stage};

/// Steps per second of these tests (`Hz`).
const RATE: f32 = 60.0;

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// The worlds whose bodies collide.
fn engines() -> impl Iterator<Item = WorldKind> {
    let all = WorldKind::all().iter().copied();
    all.filter(|&world| world != WorldKind::Standalone)
}

fn car(name: &str) -> Car {
    Preset::Shipped.car(name)
}

fn stage(world: WorldKind, car: &Car, scene: &Scene) -> Stage {
    Stage::new(&Setup { world, car }, scene, RATE).expect("the scene can be made")
}

/// A scene in the standalone world, at this rate (`Hz`).
fn stage_at(car: &Car, scene: &Scene, rate: f32) -> Stage {
    let world = WorldKind::Standalone;
    Stage::new(&Setup { world, car }, scene, rate).expect("the scene can be made")
}

/// Time until a speed (`m/s`) is reached (`s`), the last step in part.
fn time_to(stage: &mut Stage, command: &CarCommand, speed: f32) -> f32 {
    let mut time = 0.0;
    loop {
        let before = stage.velocity().x;
        stage.step(command).unwrap();
        let after = stage.velocity().x;
        if (before - speed) * (after - speed) <= 0.0 {
            return time + stage.dt * (speed - before) / (after - before);
        }
        time += stage.dt;
        assert!(time < 60.0, "{after} m/s");
    }
}

/// From rest with full throttle, a car reaches 100 km/h in as much time in steps of 30 to 240 Hz, within 0.5 %.
fn sprints_alike(name: &str) {
    let car = car(name);
    let times = [30.0, 60.0, 120.0, 240.0].map(|rate| {
        let mut stage = stage_at(&car, &Scene::IN_FIRST, rate);
        time_to(&mut stage, &FLAT_OUT, 100.0 / 3.6)
    });
    println!("{times:?}");
    for time in times {
        assert!((time / times[3] - 1.0).abs() < 5e-3, "{times:?}");
    }
}

/// Parameters of a car's engine drive.
fn engine_drive(car: &Car) -> EngineDriveParams {
    let mut table = car.spec().drive.0.clone();
    table.remove("model");
    table.try_into().expect("it has an engine")
}

/// A step of `dt` (`s`) with this update level, as in a fleet.
fn step_with(
    update_level: UpdateLevel,
    vehicle: &mut Vehicle,
    world: &mut dyn World,
    command: &Command,
    dt: f32,
) {
    let update_level = phases::required_level(vehicle, update_level);
    if update_level == UpdateLevel::Full {
        phases::probe(vehicle, &*world, &Surfaces::new()).unwrap();
    }
    let id = vehicle.body();
    let mut body = [BodyState::BLANK];
    world.read(&[id], &mut body).unwrap();
    let outcome = match update_level {
        UpdateLevel::Extrapolated => phases::extrapolate(vehicle, &body[0], GRAVITY, dt),
        UpdateLevel::Full | UpdateLevel::KnownGround => {
            phases::update(vehicle, &body[0], command, GRAVITY, dt)
        }
    };
    world.apply(&[id], &[outcome.unwrap()]).unwrap();
    world.advance(GRAVITY, dt);
}

/// Maximum displacement of a braked car within this many seconds (`m`).
fn way(stage: &mut Stage, seconds: f32) -> Result<f64, ProvingError> {
    let start = stage.position()?;
    let mut most = 0.0_f64;
    for _ in 0..vehicle_conformance::stability::steps(seconds, RATE) {
        stage.step(&BRAKED)?;
        most = most.max(stage.position()?.distance(start));
    }
    Ok(most)
}
