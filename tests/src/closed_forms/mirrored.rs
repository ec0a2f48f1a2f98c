//! Mirror images: a car whose left and right are alike, on level ground.

use glam::DVec3;
use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, Scene, Stage};

use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 2] = [
    Case::closed_form(
        "a car driven the mirrored way goes the mirrored way",
        "way [mm]",
        0.0,
        mirrored,
    ),
    Case::closed_form(
        "a car that nobody steers spins its wheels straight ahead",
        "way aside [mm]",
        0.0,
        straight,
    ),
];

const RATE: f32 = 60.0;
/// Cars with open, limited-slip and locked axles, with links, hubs, a torque converter, three and six wheels.
const CARS: [&str; 9] = [
    "sedan",
    "hatchback",
    "sports-car",
    "suv",
    "suv-automatic",
    "rally-car",
    "truck-6x6",
    "tadpole",
    "delta",
];

/// Pedals and steering of a wild drive, by the second: the car slides, spins its wheels and locks them.
const DRIVE: [[f32; 3]; 8] = [
    [1.0, 0.0, 0.0],
    [1.0, 0.0, 0.4],
    [0.6, 0.0, -0.8],
    [1.0, 0.0, 0.3],
    [0.0, 1.0, 0.5],
    [1.0, 0.0, -1.0],
    [0.3, 0.4, 0.2],
    [0.0, 1.0, 0.0],
];

fn start(backend: &dyn Backend, car: &Car) -> Result<Stage, Failure> {
    let terrain = Terrain::plane("level".to_owned(), DVec3::ZERO, DVec3::Z);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    Ok(Stage::put(world, &terrain, car, &Scene::LEVEL, 1.0 / RATE)?)
}

/// Commands in sequence, their steering times `side`.
fn commands(side: f32) -> impl Iterator<Item = CarCommand> {
    let each = DRIVE
        .into_iter()
        .map(move |[throttle, brake, steer]| CarCommand {
            throttle,
            brake,
            steer: side * steer,
            ..FREE
        });
    each.flat_map(|command| core::iter::repeat_n(command, RATE as usize))
}

/// Farthest that a car and its mirror image are from each other's mirror images (`mm`).
fn mirrored(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for car in CARS.map(|name| presets::by_name(name).expect("it is a preset")) {
        let mut here = start(backend, &car)?;
        let mut there = start(backend, &car)?;
        for (command, image) in commands(1.0).zip(commands(-1.0)) {
            here.step(&command)?;
            there.step(&image)?;
            let image = there.position()? * DVec3::new(1.0, -1.0, 1.0);
            worst = worst.max(1e3 * here.position()?.distance(image));
        }
    }
    Ok(worst.into())
}

/// Farthest that a car gets aside under full throttle, and braked from there, hands off (`mm`).
fn straight(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for car in CARS.map(|name| presets::by_name(name).expect("it is a preset")) {
        let mut stage = start(backend, &car)?;
        for command in commands(0.0) {
            stage.step(&command)?;
            worst = worst.max(1e3 * stage.position()?.y.abs());
        }
    }
    Ok(worst.into())
}
