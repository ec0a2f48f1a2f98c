//! Braked cars under loads that the engine applies: put on, lifted off, swinging.

use glam::{DVec3, Vec3};

use super::finding::{Finding, RATES};
use super::stage::{FREE, GRAVITY, Scene, Setup, Stage, steps};
use super::standing::{BRAKED, drift, drift_from, settling};
use proving_ground::ProvingError;
use proving_ground::world::WorldKind;

/// The slope (`°`): brakes hold four times the weight there.
const SLOPE: f64 = 10.0;
/// Duration of a measurement (`s`).
const WATCH: f32 = 10.0;
/// Loads over the car's own weight: put on, lifted off. What is left of it keeps every spring within its travel.
const LOADS: [f32; 8] = [0.1, 0.5, 1.0, 2.0, 3.0, -0.3, -0.45, -0.55];

/// Point of the body at the ground under its centre of mass (`m`): pitch and roll hardly move it.
fn foot(setup: &Setup<'_>, stage: &Stage) -> Result<DVec3, ProvingError> {
    let body = stage.body()?;
    let down = body.rotation * Vec3::NEG_Z * setup.car.ride_height() as f32;
    Ok(body.position + down.as_dvec3())
}

/// Most that the car moves under a constant load (`mm`).
pub(super) fn loaded(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    let scene = Scene::nose_down(SLOPE);
    Finding::at_rates(|rate| {
        let mut worst = 0.0_f64;
        for load in LOADS {
            let mut stage = Stage::new(setup, &scene, rate)?;
            let weight = GRAVITY * stage.body()?.mass;
            let body = stage.vehicle.body();
            stage.run(settling(setup), &BRAKED)?;
            stage.world.push(body, weight * load)?;
            stage.run(settling(setup) * 2.0, &BRAKED)?;
            worst = worst.max(drift(&mut stage, WATCH, &BRAKED)?);
        }
        Ok(worst)
    })
}

/// Most that the car's foot moves along the slope (`mm`) under a load that turns in the plane of the
/// slope's fall, from period to period.
pub(super) fn swinging(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    const PERIOD: f32 = 2.0;
    /// Over the weight.
    const LOAD: f32 = 0.5;
    let scene = Scene::nose_down(SLOPE);
    let downhill = scene.downhill();
    Finding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let body = stage.vehicle.body();
        let weight = stage.body()?.mass * GRAVITY.length();
        let period = steps(PERIOD, rate);
        let mut swing = |count: usize| {
            for n in count * period..(count + 1) * period {
                let turned = n as f32 / period as f32 * core::f32::consts::TAU;
                let (sine, cosine) = jounce::core::math::sin_cos(turned);
                let force = (downhill * sine + Vec3::Z * cosine) * (LOAD * weight);
                stage.world.push(body, force)?;
                stage.step(&BRAKED)?;
            }
            foot(setup, &stage)
        };
        swing(0)?;
        let stood = swing(1)?;
        drift_from(stood, 2..7, swing)
    })
}

/// Spread of the ride height over the rates (`mm`) of a car at 40 m/s that is pressed down.
pub(super) fn pressed_at_speed(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    let scene = Scene {
        speed: 40.0,
        ..Scene::LEVEL
    };
    let mut spread = 0.0_f64;
    let mut note = String::new();
    for load in [0.1, 0.5, 1.0] {
        let mut heights = Vec::new();
        for rate in RATES {
            let mut stage = Stage::new(setup, &scene, rate)?;
            let body = stage.vehicle.body();
            stage
                .world
                .push(body, GRAVITY * stage.body()?.mass * load)?;
            stage.run(4.0, &FREE)?;
            heights.push(stage.position()?.z);
        }
        let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most - least > spread {
            spread = most - least;
            note = format!("{load} g");
        }
    }
    Ok(Finding::noted(1000.0 * spread, note))
}

/// Place of a braked car's foot on a platform (`m`), which accelerates with 3 m/s² to 20 m/s and back, `along` this
/// direction, at every 30th of a second.
fn carried_off_at(setup: &Setup<'_>, along: Vec3, rate: f32) -> Result<Vec<DVec3>, ProvingError> {
    const ACCELERATION: f32 = 3.0;
    const SPEED: f32 = 20.0;
    let scene = Scene {
        platform: Some(DVec3::Z),
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    let mut places = Vec::new();
    let phase = SPEED / ACCELERATION;
    let settled = steps(settling(setup), rate);
    for n in 0..settled + steps(2.0 * phase + 2.0, rate) {
        let time = (n + 1).saturating_sub(settled) as f32 / rate;
        let speed = ACCELERATION * time.min(2.0 * phase - time).max(0.0);
        if let Some(platform) = stage.platform {
            let velocity = along * speed;
            stage
                .world
                .set_platform_velocity(platform, velocity, Vec3::ZERO)?;
        }
        stage.step(&BRAKED)?;
        if (n + 1) % steps(1.0 / 30.0, rate) == 0 {
            let motion = stage.platform.and_then(|id| stage.world.ground_motion(id));
            let middle = motion.map_or(DVec3::ZERO, |motion| motion.position);
            places.push(foot(setup, &stage)? - middle);
        }
    }
    Ok(places)
}

/// Most that the car is away from where the standalone world at 480 Hz has it (`mm`): its carcasses and springs yield
/// to the acceleration at every rate.
pub(super) fn carried_off(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    let alone = Setup {
        world: WorldKind::Standalone,
        ..*setup
    };
    let fine = [Vec3::X, Vec3::Y].map(|along| carried_off_at(&alone, along, 480.0));
    let [ahead, aside] = fine;
    let fine = [(Vec3::X, ahead?), (Vec3::Y, aside?)];
    Finding::at_rates(|rate| {
        let mut most = 0.0_f64;
        for (along, fine) in &fine {
            let found = carried_off_at(setup, *along, rate)?;
            let off = found.iter().zip(fine).map(|(a, b)| a.distance(*b));
            most = off.fold(most, f64::max);
        }
        Ok(1000.0 * most)
    })
}
