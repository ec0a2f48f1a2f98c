//! Cars whose bodies are locked to a plane, as games in two and a half dimensions lock them.

use glam::{BVec3, DVec3, Vec3};
use jounce::core::{CarCommand, LockedAxes};
use jounce::presets;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FLAT_OUT, FREE, GRAVITY, Scene, Stage};

use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::contracts::PLANE;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 3] = [
    Case::closed_form(
        "a car in a locked plane drives as a free one",
        "way and pitch [%]",
        1.0,
        as_free,
    )
    .needs(Need::LockedAxes),
    Case::closed_form(
        "a car stays in its plane, wherever it is steered",
        "distance from the plane [m]",
        1e-6,
        in_plane,
    )
    .needs(Need::LockedAxes),
    Case::closed_form(
        "a car that may not turn drives as its forces say",
        "speed [%]",
        0.5,
        upright,
    )
    .needs(Need::LockedAxes),
];

const RATE: f32 = 60.0;
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// A sedan on a plane banked to the left by this many degrees, with locks or without.
fn sedan(backend: &dyn Backend, degrees: f64, scene: &Scene) -> Result<Stage, Failure> {
    let bank = degrees.to_radians();
    let normal = DVec3::new(0.0, -libm::sin(bank), libm::cos(bank));
    let terrain = Terrain::plane("bank".to_owned(), DVec3::ZERO, normal);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let car = presets::sedan();
    Ok(Stage::put(world, &terrain, &car, scene, 1.0 / RATE)?)
}

/// Way (`m`) and pitch (the part of the forward axis along the world's z) after 4 s at full throttle.
fn flat_out(mut stage: Stage) -> Result<[f64; 2], Failure> {
    let start = stage.position()?;
    stage.run(4.0, &FLAT_OUT)?;
    let ahead = stage.body()?.rotation * Vec3::X;
    Ok([stage.position()?.x - start.x, f64::from(ahead.z)])
}

fn as_free(backend: &dyn Backend) -> Result<Measure, Failure> {
    let free = flat_out(sedan(backend, 0.0, &Scene::IN_FIRST)?)?;
    let mut stage = sedan(backend, 0.0, &Scene::IN_FIRST)?;
    stage.world.lock_axes(stage.vehicle.body(), PLANE)?;
    let locked = flat_out(stage)?;
    let off = |n: usize| 100.0 * (locked[n] / free[n] - 1.0).abs();
    Ok(off(0).max(off(1)).into())
}

/// Drives and steers on a bank with locked axes: gravity and tires push the car aside.
fn in_plane(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = sedan(backend, 8.0, &Scene::IN_FIRST)?;
    stage.world.lock_axes(stage.vehicle.body(), PLANE)?;
    let start = stage.position()?;
    let mut worst = 0.0_f64;
    for steer in [1.0, -1.0, 0.3] {
        let command = CarCommand { steer, ..FLAT_OUT };
        for _ in 0..60 {
            stage.step(&command)?;
            let ahead = stage.body()?.rotation * Vec3::X;
            let aside = (stage.position()?.y - start.y).abs();
            worst = worst.max(aside).max(f64::from(ahead.y.abs()));
        }
    }
    let way = stage.position()?.x - start.x;
    expect(way > 5.0, || format!("it drives {way} m"))?;
    Ok(worst.into())
}

/// Down 6° for two seconds, as a car that may pitch: no load moves from axle to axle, but all of them together press as
/// before.
fn upright(backend: &dyn Backend) -> Result<Measure, Failure> {
    const DEGREES: f64 = 6.0;
    let climb = DEGREES.to_radians();
    let normal = DVec3::new(-libm::sin(climb), 0.0, libm::cos(climb));
    let terrain = Terrain::plane("slope".to_owned(), DVec3::ZERO, normal);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let (car, scene) = (presets::benchmark_sedan(), Scene::nose_down(DEGREES));
    let mut stage = Stage::put(world, &terrain, &car, &scene, 1.0 / RATE)?;
    let axes = LockedAxes {
        rotation: BVec3::TRUE,
        ..PLANE
    };
    stage.world.lock_axes(stage.vehicle.body(), axes)?;
    stage.run(1.0, &BRAKED)?;
    stage.run(2.0, &FREE)?;
    let params = stage.vehicle.model().params();
    let wheels = params.wheels.iter();
    let rolling: f32 = wheels.map(|w| w.inertia / (w.radius * w.radius)).sum();
    let share = f64::from(car.mass() / (car.mass() + rolling));
    let ideal = 2.0 * f64::from(-GRAVITY.z) * libm::sin(climb) * share;
    let speed = f64::from(stage.velocity().dot(scene.downhill()));
    Ok((100.0 * (speed / ideal - 1.0).abs()).into())
}
