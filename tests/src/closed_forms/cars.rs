//! Cars with results known in closed form.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Gear};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, GRAVITY, Scene, Stage, car_with};
use serde_json::json;

use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 8] = [
    Case::closed_form(
        "loads at rest follow the lever law",
        "of a wheel's load [%]",
        0.5,
        rest_loads,
    ),
    Case::closed_form(
        "a car in the air falls freely",
        "height [m]",
        2e-3,
        free_fall,
    ),
    Case::closed_form(
        "a torque spins a wheel in the air",
        "spin [%]",
        0.1,
        spin_up,
    ),
    Case::closed_form(
        "a released car rolls as its weight and wheels say",
        "speed [%]",
        2.0,
        rolls,
    ),
    Case::closed_form(
        "loads on a banked road follow the lever law",
        "of the weight [%]",
        0.1,
        bank_loads,
    ),
    Case::closed_form(
        "a braked car holds on a banked road",
        "drift [mm]",
        0.5,
        bank_hold,
    ),
    Case::closed_form(
        "a platform takes a braked car along",
        "speed [m/s]",
        0.01,
        platform,
    )
    .needs(Need::MovingGround),
    Case::closed_form(
        "a turntable turns a braked car",
        "turning [rad/s]",
        0.01,
        turntable,
    )
    .needs(Need::MovingGround),
];

const RATE: f32 = 60.0;
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// A car on a plane banked to the left by this many degrees.
fn on_bank(
    backend: &dyn Backend,
    car: &Car,
    degrees: f64,
    scene: &Scene,
) -> Result<Stage, Failure> {
    let bank = degrees.to_radians();
    let normal = DVec3::new(0.0, -libm::sin(bank), libm::cos(bank));
    let terrain = Terrain::plane("bank".to_owned(), DVec3::ZERO, normal);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    Ok(Stage::put(world, &terrain, car, scene, 1.0 / RATE)?)
}

fn on_level(backend: &dyn Backend, car: &Car, scene: &Scene) -> Result<Stage, Failure> {
    on_bank(backend, car, 0.0, scene)
}

fn loads(stage: &Stage) -> Vec<f64> {
    let wheels = 0..stage.vehicle.model().wheel_count();
    let load = |wheel| f64::from(stage.vehicle.wheel_report(wheel).load);
    wheels.map(load).collect()
}

fn rest_loads(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for car in [presets::sedan(), presets::sports_car()] {
        let mut stage = on_level(backend, &car, &Scene::LEVEL)?;
        stage.run(5.0, &BRAKED)?;
        let wheels = &stage.vehicle.model().params().wheels;
        let [front, rear] = [0, 2].map(|wheel| f64::from(wheels[wheel].position.x));
        let share = (f64::from(car.center_of_mass().x) - rear) / (front - rear);
        let weight = f64::from(car.mass() * -GRAVITY.z);
        for (wheel, load) in loads(&stage).into_iter().enumerate() {
            let axle = if wheel < 2 { share } else { 1.0 - share };
            let ideal = 0.5 * axle * weight;
            worst = worst.max(100.0 * (load / ideal - 1.0).abs());
        }
    }
    Ok(worst.into())
}

/// Drops a car from high enough that no wheel touches within a second.
fn in_the_air(backend: &dyn Backend, car: &Car, gear: Gear) -> Result<Stage, Failure> {
    let scene = Scene {
        lift: 20.0,
        gear,
        ..Scene::LEVEL
    };
    on_level(backend, car, &scene)
}

/// Except for the first step, which depends on the engine: up to `g·dt²/2` = 1.4 mm.
fn free_fall(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = in_the_air(backend, &presets::sedan(), Gear::NEUTRAL)?;
    let start = stage.position()?;
    stage.run(1.0, &FREE)?;
    let fallen = start - stage.position()?;
    let ideal = DVec3::Z * 0.5 * f64::from(-GRAVITY.z);
    Ok(fallen.distance(ideal).into())
}

/// `I·dΩ/dt = T − c·Ω` for a second.
fn spin_up(backend: &dyn Backend) -> Result<Measure, Failure> {
    const TORQUE: f64 = 300.0;
    let drive = json!({ "model": "direct", "max_torques": [TORQUE, TORQUE, 0.0, 0.0] });
    let car = car_with("sedan", "drivetrain", drive)?;
    let mut stage = in_the_air(backend, &car, Gear::FIRST)?;
    let full = CarCommand {
        throttle: 1.0,
        ..FREE
    };
    stage.run(1.0, &full)?;
    let wheel = &stage.vehicle.model().params().wheels[0];
    let [inertia, damping] = [wheel.inertia, wheel.damping].map(f64::from);
    let ideal = TORQUE / damping * (1.0 - libm::exp(-damping / inertia));
    let spin = f64::from(stage.spins()[0]);
    Ok((100.0 * (spin / ideal - 1.0).abs()).into())
}

/// Down 6° for two seconds: the wheels' inertia counts as mass.
fn rolls(backend: &dyn Backend) -> Result<Measure, Failure> {
    const DEGREES: f64 = 6.0;
    let climb = DEGREES.to_radians();
    let normal = DVec3::new(-libm::sin(climb), 0.0, libm::cos(climb));
    let terrain = Terrain::plane("slope".to_owned(), DVec3::ZERO, normal);
    let terrain = terrain.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let (car, scene) = (presets::benchmark_sedan(), Scene::nose_down(DEGREES));
    let mut stage = Stage::put(world, &terrain, &car, &scene, 1.0 / RATE)?;
    stage.run(2.0, &BRAKED)?;
    stage.run(2.0, &FREE)?;
    let params = stage.vehicle.model().params();
    let wheels = params.wheels.iter();
    let rolling: f32 = wheels.map(|w| w.inertia / (w.radius * w.radius)).sum();
    let share = f64::from(car.mass() / (car.mass() + rolling));
    let ideal = 2.0 * f64::from(-GRAVITY.z) * libm::sin(climb) * share;
    let speed = f64::from(stage.velocity().dot(scene.downhill()));
    Ok((100.0 * (speed / ideal - 1.0).abs()).into())
}

const BANK: f64 = 12.0;

/// Moments about the right wheels, with the center of mass displaced by the roll on the springs;
/// forces act on the ground, or without links at the height given in the vehicle file.
fn bank_loads(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = presets::sports_car();
    let mut stage = on_bank(backend, &car, BANK, &Scene::LEVEL)?;
    stage.run(5.0, &BRAKED)?;
    let (sin, cos) = (libm::sin(BANK.to_radians()), libm::cos(BANK.to_radians()));
    let left = DVec3::new(0.0, cos, sin);
    let wheels = stage.vehicle.wheel_reports();
    let from_center: Vec<DVec3> = wheels.map(|wheel| wheel.ground_point.as_dvec3()).collect();
    let [front, rear] = [0, 2].map(|n| (from_center[n] - from_center[n + 1]).dot(left));
    let right = from_center[1] * 0.5 + from_center[3] * 0.5;
    let weight = f64::from(car.mass() * -GRAVITY.z);
    let wheel = &stage.vehicle.model().params().wheels[0];
    let held = wheel.tire.application_point;
    let lever = match wheel.compliance.links {
        Some(_) => right.dot(DVec3::new(0.0, -sin, cos)),
        None => f64::from(held.z - car.center_of_mass().z),
    };
    let ideal = weight * (cos * -right.dot(left) + sin * lever);
    let loads = loads(&stage);
    let moment = loads[0] * front + loads[2] * rear;
    Ok((100.0 * (moment - ideal).abs() / (weight * front)).into())
}

fn bank_hold(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for car in [presets::sedan(), presets::sports_car()] {
        let mut stage = on_bank(backend, &car, BANK, &Scene::LEVEL)?;
        stage.run(1.0, &BRAKED)?;
        let start = stage.position()?;
        stage.run(10.0, &BRAKED)?;
        worst = worst.max(1000.0 * stage.position()?.distance(start));
    }
    Ok(worst.into())
}

/// A braked sedan, after 4 s on a platform that moves from the start.
fn carried(
    backend: &dyn Backend,
    pivot: DVec3,
    linear: Vec3,
    angular: Vec3,
) -> Result<Stage, Failure> {
    let scene = Scene {
        platform: Some(pivot),
        ..Scene::LEVEL
    };
    let mut stage = on_level(backend, &presets::sedan(), &scene)?;
    if let Some(platform) = stage.platform {
        stage
            .world
            .set_platform_velocity(platform, linear, angular)?;
    }
    stage.run(4.0, &BRAKED)?;
    Ok(stage)
}

fn platform(backend: &dyn Backend) -> Result<Measure, Failure> {
    let linear = Vec3::new(0.0, 2.0, 0.0);
    let stage = carried(backend, DVec3::Z, linear, Vec3::ZERO)?;
    Ok(f64::from(stage.velocity().distance(linear)).into())
}

fn turntable(backend: &dyn Backend) -> Result<Measure, Failure> {
    let turning = Vec3::Z * 0.5;
    let stage = carried(backend, DVec3::new(8.0, 0.0, 1.0), Vec3::ZERO, turning)?;
    Ok(f64::from(stage.body()?.angular_velocity.distance(turning)).into())
}
