//! Edges: curbs and cracks.

use glam::{DVec3, Vec3};
use jounce::core::{GroundSweep, ShapeKind};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::contracts::{bare, down, first_sweep, hit, must_hit, wheel};
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 4] = [
    Case::closed_form(
        "a ray falls into a crack between boxes",
        "distance [m]",
        1e-5,
        ray_in_crack,
    ),
    Case::closed_form(
        "a wheel hardly sinks into a crack between boxes",
        "depth [m]",
        1e-3,
        wheel_on_crack,
    )
    .needs(Need::Sweeps),
    Case::closed_form(
        "a wheel touches a curb first where it should",
        "distance [m]",
        2e-3,
        curb_touch,
    )
    .needs(Need::Sweeps),
    Case::closed_form(
        "a wheel stands on a curb's edge as high as it should",
        "height [m]",
        2e-3,
        curb_height,
    )
    .needs(Need::Sweeps),
];

/// A box of 10 × 10 × 1 m whose top ends at `x` (`m`, to the given side), at this height.
fn block(x: f64, side: f64, top: f64) -> ColliderSpec {
    let half = Vec3::new(5.0, 5.0, 0.5);
    let middle = DVec3::new(x + 5.0 * side, 0.0, top - 0.5);
    ColliderSpec::fixed(ColliderShape::Cuboid(half), middle)
}

/// Width of the crack (`m`).
const CRACK: f64 = 0.1;

fn cracked(backend: &dyn Backend) -> Result<Box<dyn World>, Failure> {
    let mut world = bare(backend)?;
    for side in [-1.0, 1.0] {
        world.add_collider(&block(0.5 * CRACK * side, side, 0.0))?;
    }
    Ok(world)
}

fn ray_in_crack(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = cracked(backend)?;
    let mut worst = 0.0_f64;
    for n in -20..=20 {
        let x = f64::from(n) * 0.01 + 0.001;
        let found = hit(&*world, &down(x, 0.4, 1.0, 3.0));
        if x.abs() < 0.5 * CRACK {
            expect(found.is_none(), || format!("at x = {x} m: {found:?}"))?;
        } else {
            let way = must_hit(&*world, &down(x, 0.4, 1.0, 3.0))?.distance;
            worst = worst.max(f64::from(way - 1.0).abs());
        }
    }
    Ok(worst.into())
}

/// A wheel moving down from 1 m at x, its axle along y.
fn fall(x: f64) -> GroundSweep {
    let ray = down(x, 0.0, 1.0, 3.0);
    GroundSweep {
        anchor: ray.anchor,
        offset: Vec3::ZERO,
        axle: Vec3::Y,
        shape: wheel(ShapeKind::Cylinder),
        direction: Vec3::NEG_Z,
        length: ray.length,
        filter: ray.filter,
    }
}

/// Height of the wheel's center where a falling wheel stops (`m`).
fn hub(world: &dyn World, x: f64) -> Result<f64, Failure> {
    let hit = first_sweep(world, &fall(x))?;
    let hit = hit.ok_or_else(|| Failure::Broken("a wheel falls through".to_owned()))?;
    Ok(1.0 - f64::from(hit.ground.distance))
}

const RADIUS: f64 = 0.35;

fn wheel_on_crack(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = cracked(backend)?;
    let ideal = libm::sqrt(RADIUS * RADIUS - 0.25 * CRACK * CRACK);
    let over = hub(&*world, 0.0)?;
    let beside = hub(&*world, 2.0)?;
    Ok((over - ideal).abs().max((beside - RADIUS).abs()).into())
}

const CURB: f64 = 0.1;

fn curb(backend: &dyn Backend) -> Result<Box<dyn World>, Failure> {
    let mut world = bare(backend)?;
    world.add_collider(&block(0.0, -1.0, 0.0))?;
    world.add_collider(&block(0.0, 1.0, CURB))?;
    Ok(world)
}

/// `L = √(2rh − h²)` before the edge.
fn curb_touch(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = curb(backend)?;
    let along = GroundSweep {
        anchor: DVec3::new(-2.0, 0.0, RADIUS + 1e-4),
        direction: Vec3::X,
        ..fall(0.0)
    };
    let hit = first_sweep(&*world, &along)?;
    let hit = hit.ok_or_else(|| Failure::Broken("a wheel rolls through the curb".to_owned()))?;
    let ideal = 2.0 - libm::sqrt(2.0 * RADIUS * CURB - CURB * CURB);
    Ok((f64::from(hit.ground.distance) - ideal).abs().into())
}

/// `h + √(r² − x²)` while the edge carries it.
fn curb_height(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = curb(backend)?;
    let mut worst = 0.0_f64;
    for x in [0.02, 0.07, 0.13, 0.19] {
        let ideal = CURB + libm::sqrt(RADIUS * RADIUS - x * x);
        worst = worst.max((hub(&*world, -x)? - ideal).abs());
    }
    Ok(worst.into())
}
