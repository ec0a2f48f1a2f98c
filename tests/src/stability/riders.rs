//! What rides on a braked car: a box on its roof, another car.

use glam::Vec3;
use jounce::core::{
    CarCommand, Command, Environment, SurfaceType, Surfaces, TireType, Vehicle, step,
};
use jounce::scene::{BodyDesc, Hull};
use proving_ground::ProvingError;
use proving_ground::world::{self, Pose};

use super::finding::Finding;
use super::parked::settling;
use super::stage::{FREE, Scene, Setup, Stage, steps};

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
/// Duration of a measurement after settling (`s`).
const WATCH: f32 = 10.0;
/// Springs under twice their load oscillate longer (`s`).
const SETTLING: f32 = 6.0;
/// The slope (`°`).
const SLOPE: f64 = 10.0;

/// Height of the top of a car's hull over its centre of mass (`m`).
fn roof(setup: &Setup<'_>) -> f32 {
    let hull = setup.car.hull;
    hull.centre.z + 0.5 * hull.size.z - setup.car.centre_of_mass().z
}

/// Drift (`mm`) under a box of the car's own weight on its roof.
pub(super) fn roof_load(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    const HALF: f32 = 0.5;
    let scene = Scene::nose_down(SLOPE);
    let drift = |rate: f32| {
        let mut stage = Stage::new(setup, &scene, rate)?;
        let car = stage.body()?;
        let hull = Hull {
            half_extents: Vec3::new(HALF, HALF, 0.2),
            centre: Vec3::ZERO,
            friction: 1.0,
        };
        let over = car.rotation * Vec3::Z * (roof(setup) + 0.2 + 0.002);
        let inertia = BodyDesc::box_inertia(car.mass, hull.half_extents);
        stage.world.add_box(&BodyDesc {
            rotation: car.rotation,
            hull: Some(hull),
            ..BodyDesc::at_rest(car.position + over.as_dvec3(), car.mass, inertia)
        })?;
        stage.run(SETTLING, &BRAKED)?;
        let stood = stage.position()?;
        let mut most = 0.0_f64;
        for _ in 0..steps(WATCH, rate) {
            stage.step(&BRAKED)?;
            most = most.max(stage.position()?.distance(stood));
        }
        Ok(1000.0 * most)
    };
    Finding::at_rates(drift)
}

/// Drift (`mm`) of a braked car on the roof of its like, in both orders of their updates.
pub(super) fn ridden(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    Finding::at_rates(|rate| {
        let drifts = [false, true].map(|first| rider_drift(setup, rate, first));
        let [after, before] = drifts;
        Ok(1000.0 * after?.max(before?))
    })
}

/// Drift of the upper of two cars relative to the lower one (`m`); `first`: its update comes first.
fn rider_drift(setup: &Setup<'_>, rate: f32, first: bool) -> Result<f64, ProvingError> {
    let mut stage = Stage::new(setup, &Scene::LEVEL, rate)?;
    let lower = stage.body()?;
    let com = setup.car.centre_of_mass();
    let place = Vec3::new(-com.x, -com.y, roof(setup));
    let pose = Pose {
        origin: lower.position + (lower.rotation * place).as_dvec3(),
        rotation: lower.rotation,
    };
    let mut desc = world::chassis(setup.car, &pose);
    desc.sleep_threshold = 0.0;
    let mut rider = Vehicle::new(setup.car.kind(), stage.world.add_body(&desc)?);
    let mut surfaces = Surfaces::new();
    let friction = surfaces.set_friction(SurfaceType(0), TireType(0), 1.0);
    friction.expect("riders have friction");
    let gravity = stage.gravity;
    let environment = Environment {
        gravity,
        surfaces: &surfaces,
    };
    let command = Command::Car(BRAKED);
    let mut stood = None;
    let mut most = 0.0_f64;
    let settled = steps(SETTLING, rate);
    for n in 0..settled + steps(WATCH, rate) {
        if first {
            step(
                &mut rider,
                &mut *stage.world,
                &command,
                &environment,
                stage.dt,
            )?;
        }
        step(
            &mut stage.vehicle,
            &mut *stage.world,
            &command,
            &environment,
            stage.dt,
        )?;
        if !first {
            step(
                &mut rider,
                &mut *stage.world,
                &command,
                &environment,
                stage.dt,
            )?;
        }
        stage.world.advance(gravity, stage.dt);
        let place = stage.world.body_state(rider.body())?.position - stage.position()?;
        if n + 1 >= settled {
            let stood = *stood.get_or_insert(place);
            most = most.max(place.distance(stood));
        }
    }
    Ok(most)
}

/// Most that momentum is off, as a part of the impulse (`%`), after hits on a free car that stands: along it on its
/// wheels, and in any direction in the air.
pub(super) fn hit(setup: &Setup<'_>) -> Result<Finding, ProvingError> {
    Finding::at_rates(|rate| {
        let mut worst = 0.0_f64;
        for size in [0.05, 0.3, 0.5, 0.8, 1.0, 1.5, 5.0, 100.0] {
            for (direction, height) in [
                (Vec3::X, 0.0),
                (Vec3::NEG_X, 0.0),
                (Vec3::Y, 5.0),
                (Vec3::NEG_Z, 20.0),
            ] {
                worst = worst.max(lost(setup, rate, direction * size, height)?);
            }
        }
        Ok(100.0 * worst)
    })
}

/// Momentum that is lost or gained over the impulse of a hit by `pushes` times the weight in one step (–).
fn lost(setup: &Setup<'_>, rate: f32, pushes: Vec3, height: f64) -> Result<f64, ProvingError> {
    let scene = Scene {
        lift: height,
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, rate)?;
    if height == 0.0 {
        stage.run(settling(setup), &FREE)?;
    }
    let (body, mass) = (stage.vehicle.body(), stage.body()?.mass);
    let momentum = |stage: &Stage| {
        let groups = stage.vehicle.state().wheels.iter();
        let groups = groups.zip(stage.vehicle.kind().wheels().iter());
        let spins = groups.map(|(w, k)| (w.spin * k.inertia / k.radius).sum());
        // What the next update will start from.
        let body = stage.body().map_or(Vec3::ZERO, |body| body.linear_velocity);
        let velocity = body + stage.vehicle.state().carry.linear;
        velocity * mass + Vec3::X * spins.sum::<f32>()
    };
    stage.step(&FREE)?;
    let before = momentum(&stage);
    let impulse = pushes * (mass * stage.gravity.length() * stage.dt);
    stage.world.push(body, impulse / stage.dt)?;
    stage.step(&FREE)?;
    stage.world.push(body, Vec3::ZERO)?;
    for _ in 0..8 {
        stage.step(&FREE)?;
    }
    let along = pushes.normalize();
    let fallen = if height > 0.0 {
        stage.gravity * (mass * 9.0 * stage.dt)
    } else {
        Vec3::ZERO
    };
    let off = (momentum(&stage) - before - impulse - fallen).dot(along);
    Ok(f64::from(off.abs() / impulse.length()))
}
