//! Standing cars: on slopes, on moving ground, against pushes.

use core::f32::consts::{FRAC_PI_2, TAU};

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Detail, Gear};
use jounce::scene::{BodyDesc, CollisionBox};

use super::finding::CarFinding;
use super::stage::{FREE, GRAVITY, PushKind, Scene, Setup, Stage, steps};
use super::standing::{ALL_BRAKES, BRAKED, drift, drift_from, drift_of_periods, reports, settling};
use super::statics::{brake_forces, commanded, parking_slope};
use proving_ground::ProvingError;

/// The slope (`°`).
const SLOPE: f64 = 20.0;
/// Duration of the measurement after settling (`s`).
const WATCH: f32 = 9.0;

const HANDBRAKED: CarCommand = CarCommand {
    handbrake: 1.0,
    ..FREE
};

pub(super) fn nose_down(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    drifts(setup, &Scene::nose_down(SLOPE), &BRAKED, |_| Ok(()))
}

pub(super) fn across(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let scene = Scene {
        heading: FRAC_PI_2,
        ..Scene::nose_down(SLOPE)
    };
    drifts(setup, &scene, &BRAKED, |_| Ok(()))
}

/// Drift (`mm`) of a car across a slope that is updated in every third step only: in the others, it is extrapolated.
pub(super) fn seldom(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const DETAIL: Detail = Detail {
        probe_every: 1,
        update_every: 3,
    };
    let scene = Scene {
        heading: FRAC_PI_2,
        ..Scene::nose_down(SLOPE)
    };
    CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let turn = |stage: &mut Stage, n: usize| {
            let update_level = stage.vehicle.update_level(DETAIL, n as u64, 0);
            stage.step_with(update_level, &BRAKED)?;
            stage.position()
        };
        let settled = steps(settling(setup), rate);
        let mut stood = stage.position()?;
        for n in 0..settled {
            stood = turn(&mut stage, n)?;
        }
        drift_from(stood, settled..settled + steps(WATCH, rate), |n| {
            turn(&mut stage, n)
        })
    })
}

/// Distance of a braked car across a slope, steered to and fro, gently and from lock to lock at once, from its position at
/// the same moment of the second period (`mm`). Within a period, tires that are stiffer forward than aside let it yield.
pub(super) fn steered(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const SLOPE: f64 = 10.0;
    const PERIOD: f32 = 2.0;
    let scene = Scene {
        heading: FRAC_PI_2,
        ..Scene::nose_down(SLOPE)
    };
    CarFinding::at_rates(|rate| {
        let mut most = 0.0_f64;
        for at_once in [false, true] {
            let mut stage = Stage::new(setup, &scene, rate)?;
            stage.run(settling(setup), &ALL_BRAKES)?;
            let period = steps(PERIOD, rate);
            let walk = drift_of_periods(period, |n| {
                let phase = (n as f32 + 0.5) / period as f32 * TAU;
                let (sine, _) = jounce::core::math::sin_cos(phase);
                let steer = if at_once { sine.signum() } else { sine };
                stage.step(&CarCommand {
                    steer,
                    ..ALL_BRAKES
                })?;
                stage.position()
            })?;
            most = most.max(walk);
        }
        Ok(most)
    })
}

/// Drift with the handbrake on 20° nose down, or on the slope that its wheels can hold: a front-heavy car slides down on its
/// rear wheels, here as on a real slope.
pub(super) fn handbrake(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    let held = brake_forces(setup, &HANDBRAKED)?;
    parked_on(setup, parking_slope(setup, &held), &HANDBRAKED)
}

/// Drift in gear on 20° nose down, or on the slope that the driven wheels can hold.
pub(super) fn in_gear(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    parked_on(setup, in_gear_scene(setup)?, &FREE)
}

/// Drift on a slope that is named; infinite if the car holds none.
fn parked_on(
    setup: &Setup<'_>,
    scene: Option<Scene>,
    command: &CarCommand,
) -> Result<CarFinding, ProvingError> {
    let Some(scene) = scene else {
        return Ok(CarFinding::noted(f64::INFINITY, "no slope".to_owned()));
    };
    let nose = if scene.heading == 0.0 { "up" } else { "down" };
    Ok(CarFinding {
        note: format!("{}° nose {nose}", scene.slope),
        ..drifts(setup, &scene, command, |_| Ok(()))?
    })
}

/// A slope on which a car without brakes stands in first gear with its engine off, if there is one.
pub(super) fn in_gear_scene(setup: &Setup<'_>) -> Result<Option<Scene>, ProvingError> {
    let shares = commanded(setup, &Scene::IN_FIRST, &FREE, |wheels| wheels.torque_share)?;
    let driven = |share: f32| if share > 0.0 { f32::INFINITY } else { 0.0 };
    let held: Vec<f32> = shares.into_iter().map(driven).collect();
    Ok(parking_slope(setup, &held).map(|slope| Scene {
        gear: Gear::FIRST,
        engine_off: true,
        ..slope
    }))
}

/// A push of 0.27 of its weight down a slope of 5°.
pub(super) fn pushed(setup: &Setup<'_>, kind: PushKind) -> Result<CarFinding, ProvingError> {
    /// Over its weight (–).
    const PUSH: f32 = 0.27;
    let scene = Scene::nose_down(5.0);
    let push = PUSH * setup.car.mass() * GRAVITY.length();
    drifts(setup, &scene, &BRAKED, |stage| {
        stage.push(kind, scene.downhill() * push)
    })
}

/// A frictionless box of 0.53 of its mass slides down and leans on the car; infinite where the tires do not hold most of it, too.
pub(super) fn leaned_on(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    /// Over the car's (–).
    const MASS: f32 = 0.53;
    const HALF: f32 = 0.6;
    /// Gap between car and box, and between box and ground (`m`).
    const GAP: f32 = 0.005;
    let scene = Scene::nose_down(SLOPE);
    let hull = setup.car.hull;
    let mass = MASS * setup.car.mass();
    let behind = 0.5 * hull.size.x - hull.center.x + setup.car.center_of_mass().x + HALF + GAP;
    CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let car = stage.body()?;
        let up = car.rotation * Vec3::Z;
        let height = HALF + GAP - setup.car.ride_height() as f32;
        let place = up * height - scene.downhill() * behind;
        let half_extents = Vec3::splat(HALF);
        let hull = CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction: 0.0,
            layers: u32::MAX,
        };
        let inertia = BodyDesc::box_inertia(mass, half_extents);
        stage.world.add_box(&BodyDesc {
            rotation: car.rotation,
            hull: Some(hull),
            ..BodyDesc::at_rest(car.position + place.as_dvec3(), mass, inertia)
        })?;
        stage.run(settling(setup), &BRAKED)?;
        let held: f32 = reports(&stage.vehicle)
            .map(|wheel| -wheel.longitudinal_force)
            .sum();
        let down = GRAVITY.dot(scene.downhill());
        if held < (car.mass + 0.5 * mass) * down {
            return Ok(f64::INFINITY);
        }
        drift(&mut stage, WATCH, &BRAKED)
    })
}

/// Distance of a car from its settled position (`mm`), at every rate.
fn drifts(
    setup: &Setup<'_>,
    scene: &Scene,
    command: &CarCommand,
    prepare: impl Fn(&mut Stage) -> Result<(), ProvingError>,
) -> Result<CarFinding, ProvingError> {
    CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, scene, rate)?;
        prepare(&mut stage)?;
        stage.run(settling(setup), command)?;
        drift(&mut stage, WATCH, command)
    })
}

/// 8 m from the center of a turntable, which spins up within 2 s.
pub(super) fn turntable(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const TURN: f32 = 0.5;
    const START: f32 = 2.0;
    let pivot = DVec3::new(8.0, 0.0, 1.0);
    let scene = Scene {
        platform: Some(pivot),
        ..Scene::LEVEL
    };
    CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let mut angle = 0.0;
        let mut turn = |stage: &mut Stage, n: usize| {
            let speed = TURN * ((n as f32 + 0.5) * stage.dt / START).min(1.0);
            carry(stage, Vec3::ZERO, Vec3::Z * speed)?;
            angle += f64::from(speed) * f64::from(stage.dt);
            let arm = stage.position()? - pivot;
            Ok::<_, ProvingError>(glam::DQuat::from_rotation_z(-angle) * arm)
        };
        let first = steps(START + settling(setup), rate);
        let mut stood = DVec3::ZERO;
        for n in 0..first {
            stood = turn(&mut stage, n)?;
        }
        let watched = first..first + steps(WATCH, rate);
        drift_from(stood, watched, |n| turn(&mut stage, n))
    })
}

/// Drift on a platform that oscillates obliquely to the car, from the same moment of the second period. Within a period the
/// car rocks on its springs.
pub(super) fn to_and_fro(setup: &Setup<'_>) -> Result<CarFinding, ProvingError> {
    const PERIOD: f32 = 4.0;
    let fastest = Vec3::new(1.2, 0.9, 0.0);
    let scene = Scene {
        platform: Some(DVec3::Z),
        ..Scene::LEVEL
    };
    CarFinding::at_rates(|rate| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let period = steps(PERIOD, rate);
        drift_of_periods(period, |n| {
            let (sine, _) = jounce::core::math::sin_cos((n as f32 + 0.5) / period as f32 * TAU);
            carry(&mut stage, fastest * sine, Vec3::ZERO)?;
            on_platform(&stage)
        })
    })
}

/// One step of a braked car on a platform with these velocities (`m/s`, `rad/s`).
fn carry(stage: &mut Stage, linear: Vec3, angular: Vec3) -> Result<(), ProvingError> {
    if let Some(platform) = stage.platform {
        stage
            .world
            .set_platform_velocity(platform, linear, angular)?;
    }
    stage.step(&BRAKED)
}

/// Position of the car relative to the platform's center (`m`).
fn on_platform(stage: &Stage) -> Result<DVec3, ProvingError> {
    let motion = stage.platform.and_then(|id| stage.world.ground_motion(id));
    let middle = motion.map_or(DVec3::ZERO, |motion| motion.position);
    Ok(stage.position()? - middle)
}
