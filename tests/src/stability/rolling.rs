//! Cars that must move: released, insufficiently braked, on ice.

use jounce::core::CarCommand;
use jounce::core::params::WheelParams;

use super::finding::CarFinding;
use super::parked::in_gear_scene;
use super::stage::{FREE, GRAVITY, Scene, Setup, Stage};
use super::standing::BRAKED;
use super::statics::{self, brake_forces, rolling_resistance};
use proving_ground::ProvingError;

/// Parking time before release (`s`).
const PARKED: f32 = 2.0;

/// Speed a tenth of a second after the brakes are released on 10°, over that due to gravity, bearings and rolling resistance:
/// carcasses that were wound up turn their wheels within milliseconds, a hold that lasts a step more would show.
pub(super) fn released(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const SLOPE: f64 = 10.0;
    const RELEASED: f32 = 0.1;
    let scene = Scene::nose_down(SLOPE);
    let share = |rate: f32| {
        let mut stage = parked(setup, &scene, rate)?;
        stage.run(RELEASED, &FREE)?;
        let speed = stage.velocity().dot(scene.downhill());
        let force = setup.car.mass() * pull(&scene) - rolling_resistance(&stage);
        Ok(f64::from(speed / coasted(setup, force, RELEASED)))
    };
    CarFinding::at_rates(share)
}

/// Distance that a car in gear on 20° without brakes rolls within two seconds of pressing its clutch while it sleeps, over
/// that of a car that may not sleep.
pub(super) fn woken(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const ASLEEP: f32 = 6.0;
    let declutched = CarCommand {
        clutch: 1.0,
        ..FREE
    };
    let Some(slope) = in_gear_scene(setup)? else {
        return Ok(CarFinding::noted(f64::NAN, "no slope".to_owned()));
    };
    let way = |rate: f32, sleeps: bool| {
        let scene = Scene { sleeps, ..slope };
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
    let brakes = brake_forces(setup, &BRAKED)?;
    let brake = 0.5 * weight / brakes.iter().sum::<f32>();
    let command = CarCommand { brake, ..FREE };
    let share = |rate: f32| {
        let mut stage = parked(setup, &scene, rate)?;
        let (before, after) = speeds(&mut stage, &scene, &command)?;
        let force = 0.5 * weight - rolling_resistance(&stage) - bearings(setup) * before;
        Ok(f64::from((after - before) / coasted(setup, force, WINDOW)))
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
    let share = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        stage.run(PARKED, &BRAKED)?;
        let (before, after) = speeds(&mut stage, &scene, &BRAKED)?;
        let loads = statics::loads(setup, &scene);
        let grips = loads.iter().enumerate();
        let grips = grips.map(|(n, load)| statics::sliding(setup, n, *load, ICE));
        let ideal = pull(&scene) - grips.sum::<f32>() / setup.car.mass();
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
    stage.run(PARKED, &BRAKED)?;
    Ok(stage)
}

/// Gravity along the slope (`m/s²`).
fn pull(scene: &Scene) -> f32 {
    GRAVITY.dot(scene.downhill())
}

/// Mass of the car including the inertia of its rolling wheels and of what turns with them (`kg`).
fn moving_mass(setup: &Setup<'_>) -> f32 {
    let model = setup.car.model();
    let wheels = &model.params().wheels;
    let nodes = statics::geared_nodes(&model).into_iter();
    let nodes = nodes.map(|(inertia, ratios)| {
        let turns = ratios.iter().zip(wheels);
        let turns: f32 = turns.map(|(ratio, wheel)| ratio / wheel.radius).sum();
        inertia * turns * turns
    });
    let rolling = sum(setup, |wheel| wheel.inertia / (wheel.radius * wheel.radius));
    setup.car.mass() + rolling + nodes.sum::<f32>()
}

/// Drag of the wheel bearings per speed of the car (`N·s/m`).
fn bearings(setup: &Setup<'_>) -> f32 {
    sum(setup, |wheel| wheel.damping / (wheel.radius * wheel.radius))
}

/// Speed that a car which a `force` (`N`) accelerates gains within `seconds` against its bearings (`m/s`): v' = a − c·v.
fn coasted(setup: &Setup<'_>, force: f32, seconds: f32) -> f32 {
    let mass = moving_mass(setup);
    let (a, c) = (force / mass, bearings(setup) / mass);
    a / c * (1.0 - libm::expf(-c * seconds))
}

fn sum(setup: &Setup<'_>, of: impl Fn(&WheelParams) -> f32) -> f32 {
    setup.car.model().params().wheels.iter().map(of).sum()
}
