//! Hulls of bodies where they touch the ground and each other: [`World::add_body`] and `Boxes`.

use glam::{DVec3, Vec3};
use jounce::core::BodyId;
use jounce::scene::{BodyDesc, CollisionBox};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{DT, G, bare, cube, level};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 5] = [
    Case::measured(
        "a hull slides as far as its friction lets it",
        "way off [–]",
        0.05,
        slides,
    )
    .needs(Need::Hulls),
    Case::measured(
        "a hull bounces with its restitution",
        "speed off [m/s]",
        0.25,
        bounces,
    )
    .needs(Need::Hulls),
    Case::sentence("a hull touches what is in its layers", layers).needs(Need::Hulls),
    Case::measured(
        "hulls of boxes and cars stand on each other",
        "height off [m]",
        0.02,
        stands,
    )
    .needs(Need::BodiesAsGround),
    Case::sentence("joined bodies do not collide", joined).needs(Need::Joints),
];

/// A cube whose hull touches these layers.
fn in_layers(position: DVec3, layers: u32) -> BodyDesc {
    let cube = cube(position);
    let hull = cube.hull.map(|hull| CollisionBox { layers, ..hull });
    BodyDesc { hull, ..cube }
}

fn advance(world: &mut dyn World, gravity: Vec3, steps: usize) {
    (0..steps).for_each(|_| world.advance(gravity, DT));
}

fn height(world: &dyn World, id: BodyId) -> Result<f64, Failure> {
    Ok(world.body_state(id)?.position.z)
}

/// Compares sliding distances with `v² / 2 μ g`.
fn slides(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for friction in [0.25, 0.5] {
        let mut world = level(backend, 0.0)?;
        let speed = 3.0;
        let half_extents = Vec3::new(1.0, 1.0, 0.25);
        let flat = CollisionBox {
            half_extents,
            center: Vec3::ZERO,
            friction,
            layers: u32::MAX,
        };
        let id = world.add_body(&BodyDesc {
            linear_velocity: Vec3::X * speed,
            inertia: BodyDesc::box_inertia(800.0, half_extents),
            hull: Some(flat),
            ..cube(DVec3::Z * 0.25)
        })?;
        advance(&mut *world, G, 128);
        let way = world.body_state(id)?.position.x;
        let expected = f64::from(speed * speed / (2.0 * friction * G.length()));
        worst = worst.max((way / expected - 1.0).abs());
    }
    Ok(worst.into())
}

/// Falls at 6 m/s, without gravity.
fn bounces(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for restitution in [0.0, 0.5] {
        let mut world = level(backend, 0.0)?;
        let id = world.add_body(&BodyDesc {
            linear_velocity: Vec3::NEG_Z * 6.0,
            restitution,
            ..cube(DVec3::Z * 0.75)
        })?;
        advance(&mut *world, Vec3::ZERO, 16);
        let speed = world.body_state(id)?.linear_velocity.z;
        worst = worst.max(f64::from((speed - 6.0 * restitution).abs()));
    }
    Ok(worst.into())
}

fn layers(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let block = ColliderShape::Cuboid(Vec3::new(20.0, 20.0, 1.0));
    world.add_collider(&ColliderSpec {
        layers: 0b01,
        ..ColliderSpec::fixed(block, DVec3::NEG_Z)
    })?;
    let mut put = |x: f64, layers: u32| world.add_body(&in_layers(DVec3::new(x, 0.0, 0.5), layers));
    let ids = [put(-4.0, 0b01)?, put(0.0, 0b10)?, put(4.0, 0)?];
    advance(&mut *world, G, 32);
    for (id, stands) in ids.into_iter().zip([true, false, false]) {
        let height = height(&*world, id)?;
        let kept = if stands {
            (height - 0.5).abs() < 0.02
        } else {
            height < -0.5
        };
        expect(kept, || format!("at {height} m after half a second"))?;
    }
    Ok(Measure::KEPT)
}

/// A car on the ground, a car on it, and a box on that.
fn stands(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let at = |height: f64| cube(DVec3::Z * height);
    let ids = [
        world.add_body(&at(0.5))?,
        world.add_body(&at(1.5))?,
        world.add_box(&at(2.5))?,
    ];
    advance(&mut *world, G, 64);
    let mut worst = 0.0_f64;
    for (id, expected) in ids.into_iter().zip([0.5, 1.5, 2.5]) {
        worst = worst.max((height(&*world, id)? - expected).abs());
    }
    Ok(worst.into())
}

/// Joins two cubes that overlap by half.
fn joined(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let ids = [
        world.add_body(&cube(DVec3::ZERO))?,
        world.add_body(&cube(DVec3::X * 0.5))?,
    ];
    world.join(ids[0], ids[1], DVec3::X * 0.25)?;
    advance(&mut *world, Vec3::ZERO, 32);
    for (id, expected) in ids.into_iter().zip([0.0, 0.5]) {
        let place = world.body_state(id)?.position;
        let kept = place.distance(DVec3::X * expected) < 1e-3;
        expect(kept, || format!("pushed to {place} m"))?;
    }
    Ok(Measure::KEPT)
}
