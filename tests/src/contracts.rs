//! Tier A: every requirement of the contracts `SceneQuery`, `SweepQuery`, `RigidBodies`, and what `World`
//! says of bodies.
//!
//! Programming errors, such as slices of unequal length, are not tested: they panic with output.

mod answers;
mod bodies;
mod far;
mod filters;
mod forces;
mod hulls;
mod inertia;
mod locks;
mod outcomes;
mod pause;
mod rays;
mod sleep;
mod sweeps;
mod triangles;

use glam::{DVec2, DVec3, Mat3, Quat, Vec3};
use jounce::core::math;
use jounce::core::{BodyId, ColliderId, GroundHit, GroundRay, Motion, QueryFilter, StepResult};
use jounce::scene::{Axes, BodyDesc, CollisionBox, HeightField, Triangles};
use proving_ground::ground::Terrain;
use proving_ground::world::{ColliderShape, ColliderSpec, World};

pub(crate) use locks::PLANE;
pub(crate) use sweeps::{first as first_sweep, wheel};

use crate::backend::Backend;
use crate::case::Case;
use crate::finding::Failure;

/// Every case of this tier.
pub(crate) fn cases() -> impl Iterator<Item = &'static Case> {
    let rays = rays::CASES.iter().chain(&answers::CASES);
    let queries = rays.chain(&filters::CASES).chain(&sweeps::CASES);
    let queries = queries.chain(&triangles::CASES);
    let read = bodies::CASES.iter().chain(&inertia::CASES);
    let moved = read.chain(&outcomes::CASES);
    let bodies = moved.chain(&forces::CASES).chain(&sleep::CASES);
    let bodies = bodies.chain(&locks::CASES).chain(&pause::CASES);
    let hulls = hulls::CASES.iter().chain(&far::CASES);
    queries.chain(bodies).chain(hulls)
}

/// Time step (`s`), exact in binary.
pub(crate) const DT: f32 = 1.0 / 64.0;
/// Gravity (`m/s²`, world axes).
pub(crate) const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);
/// An id without a body.
const NOBODY: BodyId = BodyId(u64::MAX);

/// A world over the level plane at this height (`m`).
pub(crate) fn level(backend: &dyn Backend, height: f64) -> Result<Box<dyn World>, Failure> {
    let plane = Terrain::plane("plane".to_owned(), DVec3::Z * height, DVec3::Z);
    let plane = plane.map_err(|error| Failure::Broken(error.to_string()))?;
    Ok(backend.open(&plane, DT)?)
}

/// A world with ground only far below.
pub(crate) fn bare(backend: &dyn Backend) -> Result<Box<dyn World>, Failure> {
    level(backend, -1000.0)
}

/// A world with ground far below and one more collider.
fn with_collider(
    backend: &dyn Backend,
    spec: &ColliderSpec,
) -> Result<(Box<dyn World>, ColliderId), Failure> {
    let mut world = bare(backend)?;
    let id = world.add_collider(spec)?;
    Ok((world, id))
}

/// A ray that may hit anything.
pub(crate) fn ray(anchor: DVec3, direction: Vec3, length: f32) -> GroundRay {
    GroundRay {
        anchor,
        offset: Vec3::ZERO,
        direction,
        length,
        filter: QueryFilter {
            layers: u32::MAX,
            ignore: [None; 2],
            dynamic_bodies: true,
        },
    }
}

/// A ray straight down.
pub(crate) fn down(x: f64, y: f64, z: f64, length: f32) -> GroundRay {
    ray(DVec3::new(x, y, z), Vec3::NEG_Z, length)
}

/// The answer to one ray.
pub(crate) fn hit(world: &dyn World, ray: &GroundRay) -> Option<GroundHit> {
    let mut hits = [None];
    world.cast_rays(&[*ray], &mut hits);
    hits[0]
}

/// The answer to one ray that must hit.
pub(crate) fn must_hit(world: &dyn World, ray: &GroundRay) -> Result<GroundHit, Failure> {
    hit(world, ray).ok_or_else(|| {
        let from = ray.anchor + ray.offset.as_dvec3();
        Failure::Broken(format!("a miss from {from} toward {}", ray.direction))
    })
}

/// A box of 4 × 4 × 2 m about a point.
fn slab(at: DVec3) -> ColliderSpec {
    ColliderSpec::fixed(ColliderShape::Cuboid(Vec3::new(2.0, 2.0, 1.0)), at)
}

/// The plane z = x / 4 over 16 × 16 m as four by four squares, two triangles each.
fn tilted_triangles() -> Triangles {
    let vertex = |n: u32| {
        let (x, y) = (f64::from(n / 5) * 4.0 - 8.0, f64::from(n % 5) * 4.0 - 8.0);
        DVec3::new(x, y, x / 4.0)
    };
    let square = |n: u32| {
        let a = n / 4 * 5 + n % 4;
        [[a, a + 5, a + 6], [a, a + 6, a + 1]]
    };
    Triangles {
        vertices: (0..25).map(vertex).collect(),
        corners: (0..16).flat_map(square).collect(),
    }
}

/// A plane that rises by 1:4 along x, as heights.
fn tilted_field() -> Result<HeightField, Failure> {
    let low = DVec3::new(-8.0, -8.0, 0.0);
    let height = |x: f64, _: f64| (x - 8.0) / 4.0;
    HeightField::from_fn(Axes::Z_UP, low, 4.0, [5, 5], height)
        .map_err(|error| Failure::Broken(error.to_string()))
}

/// Height of that plane (`m`), and its normal.
fn tilted(at: DVec2) -> (f64, Vec3) {
    (at.x / 4.0, Vec3::new(-1.0, 0.0, 4.0).normalize())
}

/// A body of 800 kg without a hull, with three different moments.
pub(crate) fn brick(position: DVec3) -> BodyDesc {
    BodyDesc {
        sleep_threshold: 0.0,
        ..BodyDesc::at_rest(
            position,
            800.0,
            Mat3::from_diagonal(Vec3::new(200.0, 400.0, 500.0)),
        )
    }
}

/// A cube of 1 m and 800 kg with a hull.
fn cube(position: DVec3) -> BodyDesc {
    let half_extents = Vec3::splat(0.5);
    BodyDesc {
        hull: Some(CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction: 0.5,
            layers: u32::MAX,
        }),
        sleep_threshold: 0.0,
        ..BodyDesc::at_rest(position, 800.0, BodyDesc::box_inertia(800.0, half_extents))
    }
}

/// An eighth of a turn about a slanted axis.
fn slant() -> Quat {
    math::rotation_about(Vec3::new(0.6, 0.0, 0.8), core::f32::consts::FRAC_PI_4)
}

/// A step result that does not wake the body.
fn asleep_or_not(motion: Motion) -> StepResult {
    StepResult {
        motion,
        wake: false,
    }
}

/// A step result that keeps the body awake, like a driving car's.
pub(crate) fn awake(motion: Motion) -> StepResult {
    StepResult { motion, wake: true }
}

/// Standing through a step, with gravity canceled.
pub(crate) const STAND: Motion = Motion::StepMotion {
    linear: Vec3::ZERO,
    angular: Vec3::ZERO,
    canceled_acceleration: G,
    canceled_angular_acceleration: Vec3::ZERO,
};

/// Distance of two vectors.
pub(crate) fn apart(a: Vec3, b: Vec3) -> f64 {
    f64::from(a.distance(b))
}
