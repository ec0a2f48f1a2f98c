//! Cars with swept wheels, and wheel colliders that share their contacts with the suspension if a
//! world has them: curbs, cracks, walls, at 60, 120 and 240 Hz.

use glam::{DVec3, Vec3};
use jounce::file::Car;
use jounce::presets;
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, Scene, Stage, steps};
use proving_ground::world::{ColliderShape, ColliderSpec};

use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 5] = [
    Case::closed_form(
        "a swept car crosses a curb of 10 cm at 5 m/s",
        "speed lost [m/s]",
        1.5,
        curb,
    )
    .needs(Need::Sweeps),
    Case::closed_form(
        "a swept car does not feel a crack of 10 cm",
        "height [m]",
        0.01,
        crack,
    )
    .needs(Need::Sweeps),
    Case::closed_form(
        "a wall in front of wheels stops a swept car",
        "depth [m]",
        0.1,
        wall,
    )
    .needs(Need::WheelColliders),
    Case::closed_form(
        "wheels at 60 m/s do not pass through a wall of 2 cm",
        "depth [m]",
        0.05,
        thin_wall,
    )
    .needs(Need::WheelColliders),
    Case::closed_form(
        "wheel colliders do not carry a car beside its suspension",
        "height [m]",
        1e-3,
        rest,
    )
    .needs(Need::WheelColliders),
];

/// Steps per second.
const RATES: [f32; 3] = [60.0, 120.0, 240.0];
/// Position of curb, crack and wall (`m`).
const EDGE: f64 = 8.0;

/// The PhysX sample's car, wheels of 0.5 m, on the rows solver, with swept wheels.
fn swept_car() -> Car {
    let file = presets::FILES
        .iter()
        .find(|(name, _)| *name == "physx-snippet");
    let (_, text) = file.expect("it ships");
    let mut table: toml::Table = text.parse().expect("it is TOML");
    for (key, value) in [("solver", "rows"), ("profile", "default")] {
        table.insert(key.to_owned(), value.into());
    }
    table.insert("sweep".to_owned(), toml::Table::new().into());
    Car::parse(&table.to_string(), "physx-snippet").expect("it can be swept")
}

/// A box of 16 m length and width and 1 m depth, whose top starts at `x` with this height (`m`).
fn slab(x: f64, top: f64) -> ColliderSpec {
    let half = Vec3::new(8.0, 8.0, 0.5);
    let middle = DVec3::new(x + 8.0, 0.0, top - 0.5);
    ColliderSpec::fixed(ColliderShape::Cuboid(half), middle)
}

/// The swept car at 5 m/s on a slab that ends at [`EDGE`], followed by other obstacles.
fn stage(
    backend: &dyn Backend,
    beyond: &[ColliderSpec],
    speed: f32,
    rate: f32,
) -> Result<Stage, Failure> {
    let far_below = Terrain::plane("plane".to_owned(), DVec3::Z * -1000.0, DVec3::Z);
    let terrain = far_below.map_err(ProvingError::from)?;
    let mut world = backend.open(&terrain, 1.0 / rate)?;
    world.add_collider(&slab(EDGE - 16.0, 0.0))?;
    for spec in beyond {
        world.add_collider(spec)?;
    }
    let scene = Scene {
        speed,
        hull: false,
        ..Scene::LEVEL
    };
    Ok(Stage::put(
        world,
        &terrain,
        &swept_car(),
        &scene,
        1.0 / rate,
    )?)
}

/// Adds wheel colliders, if the world has them.
fn harden(stage: &mut Stage) -> Result<&'static str, Failure> {
    if stage.world.wheels().is_none() {
        return Ok(", without rigid contacts");
    }
    stage.add_wheels()?;
    Ok("")
}

/// The worst of all rates, and all of them as a note.
fn at_rates(
    mut measure: impl FnMut(f32) -> Result<(f64, &'static str), Failure>,
) -> Result<Measure, Failure> {
    let mut all = Vec::new();
    let mut how = "";
    for rate in RATES {
        let (value, note) = measure(rate)?;
        all.push(value);
        how = note;
    }
    let list: Vec<String> = all.iter().map(|value| format!("{value:.4}")).collect();
    Ok(Measure {
        value: all.into_iter().fold(0.0, f64::max),
        note: format!("{} at 60/120/240 Hz{how}", list.join("/")),
    })
}

fn curb(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_rates(|rate| {
        let mut stage = stage(backend, &[slab(EDGE, 0.1)], 5.0, rate)?;
        let how = harden(&mut stage)?;
        let level = front_hub(&stage)?.z;
        let (mut slowest, mut early) = (f64::INFINITY, 0.0_f64);
        for _ in 0..steps(3.0, rate) {
            stage.step(&FREE)?;
            slowest = slowest.min(stage.velocity().x.into());
            let hub = front_hub(&stage)?;
            if hub.x < EDGE {
                early = early.max(hub.z - level);
            }
        }
        // The rim touches the edge 0.3 m before the wheel's center is above it; a ray does not.
        expect(early > 0.03, || {
            format!("{rate} Hz: {early} m up before the edge")
        })?;
        let place = stage.position()?;
        let crossed = slowest > 0.0 && place.x > EDGE + 2.0;
        let text = || format!("{rate} Hz: at {place}, at least {slowest} m/s");
        expect(crossed, text)?;
        Ok((5.0 - slowest, how))
    })
}

fn crack(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_rates(|rate| {
        let mut stage = stage(backend, &[slab(EDGE + 0.1, 0.0)], 10.0, rate)?;
        let how = harden(&mut stage)?;
        let height = front_hub(&stage)?.z;
        let mut most = 0.0_f64;
        for _ in 0..steps(1.5, rate) {
            stage.step(&FREE)?;
            most = most.max((front_hub(&stage)?.z - height).abs());
        }
        Ok((most, how))
    })
}

fn wall(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_rates(|rate| {
        let mut stage = stage(backend, &[slab(EDGE, 1.0)], 5.0, rate)?;
        stage.add_wheels()?;
        let height = stage.position()?.z;
        let mut deepest = f64::NEG_INFINITY;
        for _ in 0..steps(3.0, rate) {
            stage.step(&FREE)?;
            deepest = deepest.max(foremost(&stage)? - EDGE);
        }
        let place = stage.position()?;
        expect(deepest > -0.1, || {
            format!("{rate} Hz: never got there: {place}")
        })?;
        let up = place.z - height;
        expect(up.abs() < 0.05, || {
            format!("{rate} Hz: thrown up to {place}")
        })?;
        Ok((deepest, ""))
    })
}

/// Wherever the wheels are when a step ends; the car has no hull.
fn thin_wall(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_rates(|rate| {
        let mut deepest = f64::NEG_INFINITY;
        for n in 0..8 {
            let edge = EDGE + 0.125 * f64::from(n);
            let half = Vec3::new(0.01, 8.0, 4.0);
            let middle = DVec3::new(edge + 0.01, 0.0, 0.0);
            let wall = ColliderSpec::fixed(ColliderShape::Cuboid(half), middle);
            let road = slab(EDGE, 0.0);
            let mut stage = stage(backend, &[road, wall], 60.0, rate)?;
            stage.add_wheels()?;
            for _ in 0..steps(0.25, rate) {
                stage.step(&FREE)?;
                deepest = deepest.max(foremost(&stage)? - edge);
            }
        }
        expect(deepest > -0.1, || {
            format!("{rate} Hz: {deepest} m: never got there")
        })?;
        Ok((deepest, ""))
    })
}

/// Center of the front left wheel (`m`, world).
fn front_hub(stage: &Stage) -> Result<DVec3, Failure> {
    let (body, params) = (stage.body()?, stage.vehicle.model().params());
    let hub = params.from_center_of_mass(stage.vehicle.wheel_pose(0).position);
    Ok(body.position + (body.rotation * hub).as_dvec3())
}

/// The foremost point of the wheels [m, along x]: the car may pitch.
fn foremost(stage: &Stage) -> Result<f64, Failure> {
    let (body, params) = (stage.body()?, stage.vehicle.model().params());
    let points = params.wheels.iter().enumerate().map(|(n, wheel)| {
        let hub = params.from_center_of_mass(stage.vehicle.wheel_pose(n).position);
        body.position.x + f64::from((body.rotation * hub).x + wheel.radius)
    });
    Ok(points.fold(f64::NEG_INFINITY, f64::max))
}

fn rest(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_rates(|rate| {
        let height = |rigid: bool| -> Result<f64, Failure> {
            let mut stage = stage(backend, &[], 0.0, rate)?;
            if rigid {
                stage.add_wheels()?;
            }
            stage.run(4.0, &FREE)?;
            Ok(stage.position()?.z)
        };
        Ok(((height(true)? - height(false)?).abs(), ""))
    })
}
