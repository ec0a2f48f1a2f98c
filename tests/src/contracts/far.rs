//! Far from the world's origin, and in worlds of another scale.

use glam::{DVec3, Mat3, Vec3};
use jounce::core::Motion;
use jounce::scene::BodyDesc;
use proving_ground::ground::Terrain;
use proving_ground::world::{ColliderShape, ColliderSpec};

use super::{DT, G, apart, awake, bare, brick, down, must_hit, slab, with_collider};
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 7] = [
    Case::measured("5 km away, ground is where it is", WAY, 2e-3, rays_near),
    Case::measured(
        "5 km away, a body moves as it is told",
        WAY,
        9e-2,
        body_near,
    ),
    Case::measured("100 km away, ground is where it is", WAY, 1e-4, rays_far),
    Case::measured(
        "100 km away, a body moves as it is told",
        WAY,
        1e-3,
        body_far,
    ),
    Case::measured(
        "in a world of centimeters, rays are as long as told",
        CM,
        1e-3,
        rays_in_cm,
    ),
    Case::measured(
        "in a world of centimeters, bodies fall as fast",
        "speed off [cm/s]",
        1e-2,
        fall_in_cm,
    ),
    Case::measured(
        "a mass of 40 t is accelerated as one of 1 kg",
        "speed off [m/s]",
        1e-4,
        masses,
    ),
];

const WAY: &str = "distance [m]";
const CM: &str = "distance [cm]";

/// Heights of a tilted plane and of a box, at this distance from the origin on both sides.
fn rays(backend: &dyn Backend, away: f64) -> Result<Measure, Failure> {
    let middle = DVec3::new(away, -away, 0.0);
    let (world, _) = with_collider(backend, &slab(middle))?;
    let mut worst = 0.0_f64;
    for n in 0..20 {
        let x = f64::from(n) * 0.19 - 1.9;
        let mut ray = down(middle.x, middle.y, 3.0, 10.0);
        ray.offset = Vec3::new(x as f32, 0.5, 0.25);
        let hit = must_hit(&*world, &ray)?;
        worst = worst.max(f64::from(hit.distance - 2.25).abs());
    }
    let normal = DVec3::new(-0.6, 0.0, 0.8);
    let plane = Terrain::plane("plane".to_owned(), middle, normal);
    let plane = plane.map_err(|error| Failure::Broken(error.to_string()))?;
    let world = backend.open(&plane, DT)?;
    for n in 0..20 {
        let x = f64::from(n) * 0.7 - 7.0;
        let hit = must_hit(&*world, &down(middle.x + x, middle.y, 9.0, 30.0))?;
        worst = worst.max((f64::from(hit.distance) - (9.0 - 0.75 * x)).abs());
    }
    Ok(worst.into())
}

/// A second at 0.3 m/s, in 64 steps. Single precision rounds to 0.5 mm at 5 km: an engine with four
/// substeps may accumulate half of that each time, 6 cm along each axis.
fn body(backend: &dyn Backend, away: f64) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let start = DVec3::new(away, -away, 0.0);
    let id = world.add_body(&brick(start))?;
    let linear = Vec3::new(0.3, -0.3, 0.1);
    let onwards = awake(Motion::StepMotion {
        linear,
        angular: Vec3::ZERO,
        canceled_acceleration: G,
        canceled_angular_acceleration: Vec3::ZERO,
    });
    for _ in 0..64 {
        world.apply(&[id], &[onwards])?;
        world.advance(G, DT);
    }
    let moved = world.body_state(id)?.position - start;
    Ok(moved.distance(linear.as_dvec3()).into())
}

fn rays_near(backend: &dyn Backend) -> Result<Measure, Failure> {
    rays(backend, 5e3)
}

fn body_near(backend: &dyn Backend) -> Result<Measure, Failure> {
    body(backend, 5e3)
}

fn rays_far(backend: &dyn Backend) -> Result<Measure, Failure> {
    rays(backend, 1e5)
}

fn body_far(backend: &dyn Backend) -> Result<Measure, Failure> {
    body(backend, 1e5)
}

fn rays_in_cm(backend: &dyn Backend) -> Result<Measure, Failure> {
    let floor = ColliderSpec::fixed(ColliderShape::Cuboid(Vec3::splat(400.0)), DVec3::ZERO);
    let (world, _) = with_collider(backend, &floor)?;
    let mut worst = 0.0_f64;
    for (x, way) in [(0.0, 35.0), (250.0, 120.0), (-399.0, 7.5)] {
        let hit = must_hit(&*world, &down(x, 10.0, 400.0 + way, 200.0))?;
        worst = worst.max((f64::from(hit.distance) - way).abs());
    }
    Ok(worst.into())
}

/// Half a second of free fall: 490.5 cm/s.
fn fall_in_cm(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let desc = BodyDesc {
        inertia: Mat3::from_diagonal(Vec3::new(200.0, 400.0, 500.0)) * 1e4,
        sleep_threshold: 0.0,
        ..brick(DVec3::Z * 600.0)
    };
    let id = world.add_body(&desc)?;
    for _ in 0..32 {
        world.advance(G * 100.0, DT);
    }
    let state = world.body_state(id)?;
    let speed = apart(state.linear_velocity, G * 50.0);
    Ok(speed.into())
}

fn masses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for mass in [1.0, 40_000.0] {
        let mut world = bare(backend)?;
        let inertia = Mat3::from_diagonal(Vec3::splat(mass));
        let desc = BodyDesc {
            sleep_threshold: 0.0,
            ..BodyDesc::at_rest(DVec3::ZERO, mass, inertia)
        };
        let id = world.add_body(&desc)?;
        let push = awake(Motion::Acceleration {
            linear: Vec3::X * 64.0,
            angular: Vec3::ZERO,
        });
        world.apply(&[id], &[push])?;
        world.advance(Vec3::ZERO, DT);
        worst = worst.max(apart(world.body_state(id)?.linear_velocity, Vec3::X));
    }
    Ok(worst.into())
}
