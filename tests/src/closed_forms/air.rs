//! Cars in the air, at several rates.

use glam::{DVec3, Vec3};
use jounce::core::{Air, CarCommand};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, Scene, Stage, car_with};
use serde_json::json;

use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 2] = [
    Case::closed_form(
        "a car coasts as its drag, bearings and tires say, at any rate",
        "speed [%]",
        0.1,
        coasts,
    ),
    Case::closed_form("a braked car stands in a storm", "drift [mm]", 0.5, storm),
];

const RATES: [f32; 4] = [30.0, 60.0, 120.0, 240.0];
const AREA: f64 = 2.15;
const DRAG: f64 = 0.3;

fn on_level(backend: &dyn Backend, car: &Car, scene: &Scene, rate: f32) -> Result<Stage, Failure> {
    let terrain = Terrain::plane("level".to_owned(), DVec3::ZERO, DVec3::Z);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / rate)?;
    let mut stage = Stage::put(world, &terrain, car, scene, 1.0 / rate)?;
    stage.air = Air::STILL;
    Ok(stage)
}

/// `m·dv/dt = −k·v² − d·v − f`, with the wheels' inertia as mass, their bearings' damping and their tires' rolling resistance, for
/// ten seconds from 50 m/s on; the first second, in which the car settles, is not counted. With `s = √(4·k·f − d²)`:
///
/// ```text
/// 2·k·v + d = s·tan(atan((2·k·v₀ + d)/s) − s·t/(2·m))
/// ```
fn coasts(backend: &dyn Backend) -> Result<Measure, Failure> {
    let air = json!({ "area": AREA, "drag": DRAG, "vertical": 0.0 });
    let car = car_with("hatchback", "aerodynamics", air)?;
    let wheels = &car.model().params().wheels.clone();
    let sum = |part: fn(&jounce::core::params::WheelParams) -> f32| -> f64 {
        let parts = wheels.iter().map(|w| part(w) / (w.radius * w.radius));
        f64::from(parts.sum::<f32>())
    };
    let mass = f64::from(car.mass()) + sum(|w| w.inertia);
    // The same on all wheels.
    let [coefficient, rise] = wheels[0].tire.rolling_resistance.map(f64::from);
    let weight = f64::from(car.mass()) * 9.81;
    let drag = 0.5 * f64::from(Air::STILL.density) * AREA * DRAG + rise * weight;
    let (damping, resistance) = (sum(|w| w.damping), coefficient * weight);
    let root = (4.0 * drag * resistance - damping * damping).sqrt();
    let mut worst = 0.0_f64;
    for rate in RATES {
        let scene = Scene {
            speed: 50.0,
            ..Scene::LEVEL
        };
        let mut stage = on_level(backend, &car, &scene, rate)?;
        stage.run(1.0, &FREE)?;
        let start = f64::from(stage.velocity().x);
        stage.run(10.0, &FREE)?;
        let angle = libm::atan((2.0 * drag * start + damping) / root) - root * 10.0 / (2.0 * mass);
        let ideal = (root * libm::tan(angle) - damping) / (2.0 * drag);
        let speed = f64::from(stage.velocity().x);
        worst = worst.max(100.0 * (speed / ideal - 1.0).abs());
    }
    Ok(worst.into())
}

/// Wind of 40 m/s across and aslant, which pushes with a third of what the tires hold.
fn storm(backend: &dyn Backend) -> Result<Measure, Failure> {
    let braked = CarCommand { brake: 1.0, ..FREE };
    let mut worst = 0.0_f64;
    for (rate, wind) in
        RATES
            .into_iter()
            .zip([Vec3::Y, Vec3::NEG_Y, Vec3::new(0.8, 0.6, 0.0), Vec3::Y])
    {
        let mut stage = on_level(backend, &presets::sedan(), &Scene::LEVEL, rate)?;
        stage.air.wind = wind * 40.0;
        stage.run(5.0, &braked)?;
        let start = stage.position()?;
        stage.run(10.0, &braked)?;
        worst = worst.max(1e3 * stage.position()?.distance(start));
    }
    Ok(worst.into())
}
