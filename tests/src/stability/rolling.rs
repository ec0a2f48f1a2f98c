//! Cars that must move: released, insufficiently braked, on ice.

use jounce::core::params::WheelParams;
use jounce::core::{CarCommand, Gear};

use super::finding::CarFinding;
use super::stage::{FREE, GRAVITY, Scene, Setup, Stage};
use proving_ground::ProvingError;

/// Parking time before release (`s`).
const PARKED: f32 = 2.0;

/// Speed after the first step without brakes on 10°, over that due to gravity alone.
pub(super) fn released(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const SLOPE: f64 = 10.0;
    let scene = Scene::nose_down(SLOPE);
    let share = |rate: f32| {
        let mut stage = parked(setup, &scene, rate)?;
        stage.step(&FREE)?;
        let speed = stage.velocity().dot(scene.downhill());
        let ideal = setup.car.mass() * pull(&scene) / moving_mass(setup) * stage.dt;
        Ok(f64::from(speed / ideal))
    };
    CarFinding::at_rates(share)
}

/// In gear on 20° without brakes: the way of a car within two seconds of pressing its clutch while it sleeps, over
/// that of a car that may not sleep.
pub(super) fn woken(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const ASLEEP: f32 = 6.0;
    let declutched = CarCommand {
        clutch: 1.0,
        ..FREE
    };
    let way = |rate: f32, sleeps: bool| {
        let scene = Scene {
            gear: Gear::FIRST,
            sleeps,
            ..Scene::nose_down(20.0)
        };
        let mut stage = Stage::new(setup, &scene, rate)?;
        stage.run(ASLEEP, &FREE)?;
        let (stood, asleep) = (stage.position()?, stage.body()?.asleep);
        stage.run(WINDOW, &declutched)?;
        let way = stage.position()?.distance(stood);
        // One that did not sleep says nothing.
        Ok::<_, ProvingError>(if asleep == sleeps { way } else { f64::NAN })
    };
    CarFinding::at_rates(|rate| Ok(way(rate, true)? / way(rate, false)?))
}

/// Brakes that hold half of a slope of 20°: acceleration over the expected remainder.
pub(super) fn half_braked(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene::nose_down(20.0);
    let weight = setup.car.mass() * pull(&scene);
    let brake = 0.5 * weight / full_braking(setup)?;
    let command = CarCommand { brake, ..FREE };
    let share = |rate: f32| {
        let mut stage = parked(setup, &scene, rate)?;
        let (before, after) = speeds(&mut stage, &scene, &command)?;
        // v' = a − c·v, by the bearings' damping.
        let mass = moving_mass(setup);
        let (a, c) = (0.5 * weight / mass, bearings(setup) / mass);
        let ideal = (a / c - before) * (1.0 - libm::expf(-c * WINDOW));
        Ok(f64::from((after - before) / ideal))
    };
    Ok(CarFinding {
        note: format!("brake {:.0} %", 100.0 * brake),
        ..CarFinding::at_rates(share)?
    })
}

/// Wheels locked on ice, on 20°: acceleration over that expected with sliding friction.
pub(super) fn on_ice(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const ICE: f32 = 0.3;
    let scene = Scene {
        friction: ICE,
        ..Scene::nose_down(20.0)
    };
    let command = CarCommand { brake: 1.0, ..FREE };
    let share = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        stage.run(PARKED, &command)?;
        let (before, after) = speeds(&mut stage, &scene, &command)?;
        let slope = scene.slope.to_radians() as f32;
        let press = -GRAVITY.z * libm::cosf(slope);
        let ideal = pull(&scene) - ICE * sliding_friction(setup) * press;
        Ok(f64::from((after - before) / (ideal * WINDOW)))
    };
    CarFinding::at_rates(share)
}

/// Speeds down the slope half a second from now, and a window later (`m/s`).
fn speeds(
    stage: &mut Stage,
    scene: &Scene,
    command: &CarCommand,
) -> Result<(f32, f32), ProvingError> {
    let down = scene.downhill();
    stage.run(0.5, command)?;
    let before = stage.velocity().dot(down);
    stage.run(WINDOW, command)?;
    Ok((before, stage.velocity().dot(down)))
}

/// Measuring time of accelerations (`s`).
const WINDOW: f32 = 2.0;

/// A car parked with its brakes on.
fn parked(setup: &Setup<'_>, scene: &Scene, rate: f32) -> Result<Stage, ProvingError> {
    let mut stage = Stage::new(setup, scene, rate)?;
    stage.run(PARKED, &CarCommand { brake: 1.0, ..FREE })?;
    Ok(stage)
}

/// Gravity along the slope (`m/s²`).
fn pull(scene: &Scene) -> f32 {
    GRAVITY.dot(scene.downhill())
}

/// Mass of the car including its rolling wheels' inertia (`kg`).
fn moving_mass(setup: &Setup<'_>) -> f32 {
    setup.car.mass() + sum(setup, |wheel| wheel.inertia / (wheel.radius * wheel.radius))
}

/// Drag of the wheel bearings per speed of the car (`N·s/m`).
fn bearings(setup: &Setup<'_>) -> f32 {
    sum(setup, |wheel| wheel.damping / (wheel.radius * wheel.radius))
}

/// Friction of sliding tires over that of the ground, the mean of the wheels (–).
fn sliding_friction(setup: &Setup<'_>) -> f32 {
    let weight = sum(setup, |wheel| wheel.suspension.sprung_mass);
    let curve = |wheel: &WheelParams| wheel.tire.friction_curve[2][1];
    sum(setup, |wheel| wheel.suspension.sprung_mass * curve(wheel)) / weight
}

fn sum(setup: &Setup<'_>, of: impl Fn(&WheelParams) -> f32) -> f32 {
    setup.car.kind().params().wheels.iter().map(of).sum()
}

/// Force of all brakes at the ground with the pedal fully pressed (`N`).
fn full_braking(setup: &Setup<'_>) -> Result<f32, ProvingError> {
    let mut stage = Stage::new(setup, &Scene::LEVEL, 60.0)?;
    stage.step(&CarCommand { brake: 1.0, ..FREE })?;
    let kind = setup.car.kind();
    let groups = stage
        .vehicle
        .control()
        .wheels
        .iter()
        .zip(kind.wheels().iter());
    Ok(groups
        .map(|(control, consts)| (control.brake / consts.radius).sum())
        .sum())
}
