//! Moving wheel shapes: `SweepQuery`.

use glam::{DVec3, Vec3};
use jounce::core::{GroundSweep, ShapeKind, SweepHit, SweepQuery, WheelShape};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{apart, bare, down, level, slab, tilted_triangles, with_collider};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 10] = [
    Case::sentence("a sweep that meets nothing is no hit", misses).needs(Need::Sweeps),
    Case::sentence("a sweep's hit at exactly the length counts", end).needs(Need::Sweeps),
    Case::measured(
        "every shape touches a tilted plane where it should",
        OFF,
        1e-3,
        touches,
    )
    .needs(Need::Sweeps),
    Case::measured(
        "a sweep's point lies on the ground and on the shape",
        OFF,
        1e-3,
        points,
    )
    .needs(Need::Sweeps),
    Case::sentence("a face that a shape only slides along is not hit", slides).needs(Need::Sweeps),
    Case::sentence("a sweep through several things tells of each", all).needs(Need::Sweeps),
    Case::sentence("each triangle of a mesh is something of its own", triangles)
        .needs(Need::Sweeps),
    Case::sentence("an overlap is told where nothing else is hit", overlap).needs(Need::Sweeps),
    Case::sentence("an overlap does not hide what comes later", not_hidden).needs(Need::Sweeps),
    Case::sentence("a sweep has the filter of a ray", filters).needs(Need::Sweeps),
];

const OFF: &str = "distance [m]";
const KINDS: [ShapeKind; 4] = [
    ShapeKind::Cylinder,
    ShapeKind::Sphere,
    ShapeKind::Capsule,
    ShapeKind::RoundedDisc,
];

/// A wheel of 0.7 m, 0.2 m wide.
pub(crate) fn wheel(kind: ShapeKind) -> WheelShape {
    WheelShape {
        kind,
        radius: 0.35,
        half_width: 0.1,
    }
}

/// The world's sweeps.
pub(crate) fn sweeps(world: &dyn World) -> Result<&dyn SweepQuery, Failure> {
    let none = || Failure::Unsupported("it has no sweeps".to_owned());
    world.sweeps().ok_or_else(none)
}

/// A cylinder straight down, its axle along y.
fn fall(x: f64, z: f64, length: f32) -> GroundSweep {
    GroundSweep {
        anchor: DVec3::new(x, 0.0, z),
        offset: Vec3::ZERO,
        axle: Vec3::Y,
        shape: wheel(ShapeKind::Cylinder),
        direction: Vec3::NEG_Z,
        length,
        filter: down(0.0, 0.0, 0.0, 0.0).filter,
    }
}

/// The first hit.
pub(crate) fn first(world: &dyn World, sweep: &GroundSweep) -> Result<Option<SweepHit>, Failure> {
    let mut hits = [None];
    sweeps(world)?.sweep_first(&[*sweep], &mut hits);
    Ok(hits[0])
}

fn must(world: &dyn World, sweep: &GroundSweep) -> Result<SweepHit, Failure> {
    let hit = first(world, sweep)?;
    hit.ok_or_else(|| Failure::Broken(format!("a miss of {sweep:?}")))
}

fn every(world: &dyn World, sweep: &GroundSweep) -> Result<Vec<SweepHit>, Failure> {
    let mut hits = Vec::new();
    sweeps(world)?.sweep_all(&[*sweep], &mut |_, hit| hits.push(hit));
    Ok(hits)
}

fn misses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = level(backend, 0.0)?;
    let up = GroundSweep {
        direction: Vec3::Z,
        ..fall(0.0, 2.0, 50.0)
    };
    let unsound = GroundSweep {
        offset: Vec3::NAN,
        ..fall(0.0, 2.0, 50.0)
    };
    for sweep in [up, unsound, fall(0.0, 2.0, 1.6)] {
        let hit = first(&*world, &sweep)?;
        expect(hit.is_none(), || format!("{sweep:?}: {hit:?}"))?;
        let hits = every(&*world, &sweep)?;
        expect(hits.is_empty(), || format!("all of {sweep:?}: {hits:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn end(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = level(backend, 0.0)?;
    let hit = must(&*world, &fall(0.5, 1.35, 1.0))?;
    let way = hit.ground.distance;
    expect((0.999..=1.0).contains(&way), || format!("after {way} m"))?;
    Ok(Measure::KEPT)
}

/// Onto planes tilted along and across the wheel: by the shape's lowest point.
fn touches(backend: &dyn Backend) -> Result<Measure, Failure> {
    let normals = [
        Vec3::Z,
        Vec3::new(0.6, 0.0, 0.8),
        Vec3::new(0.28, -0.28, 0.918),
    ];
    let mut worst = 0.0_f64;
    for normal in normals.map(Vec3::normalize) {
        let plane = ColliderShape::HalfSpace(normal.as_dvec3());
        let (world, _) = with_collider(backend, &ColliderSpec::fixed(plane, DVec3::ZERO))?;
        for kind in KINDS {
            let shape = wheel(kind);
            let sweep = GroundSweep {
                shape,
                ..fall(0.3, 2.0, 5.0)
            };
            let hit = must(&*world, &sweep)?;
            let start = Vec3::new(0.3, 0.0, 2.0) + shape.lowest(normal, Vec3::Y);
            let way = start.dot(normal) / normal.z;
            worst = worst.max(f64::from(hit.ground.distance - way).abs());
            worst = worst.max(apart(hit.ground.normal, normal));
        }
    }
    Ok(worst.into())
}

fn points(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (world, _) = with_collider(backend, &slab(DVec3::ZERO))?;
    let mut worst = 0.0_f64;
    for kind in KINDS {
        let shape = wheel(kind);
        let sweep = GroundSweep {
            shape,
            ..fall(0.5, 3.0, 5.0)
        };
        let hit = must(&*world, &sweep)?;
        let center = Vec3::NEG_Z * hit.ground.distance;
        let lowest = center + shape.lowest(hit.ground.normal, Vec3::Y);
        // The ground is 2 m under the anchor.
        worst = worst.max(f64::from(hit.point.z + 2.0).abs());
        worst = worst.max(f64::from((lowest - hit.point).dot(hit.ground.normal)).abs());
    }
    Ok(worst.into())
}

/// Sweeps just above a floor, toward a wall: only the wall is hit.
fn slides(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    world.add_collider(&slab(DVec3::new(5.0, 0.0, 1.0)))?;
    let along = GroundSweep {
        direction: Vec3::X,
        ..fall(0.0, 0.3501, 5.0)
    };
    let hit = must(&*world, &along)?;
    let wall = apart(hit.ground.normal, Vec3::NEG_X) < 1e-3;
    let way = f64::from(hit.ground.distance - 2.65).abs() < 5e-3;
    expect(wall && way, || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn all(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let mut ids = Vec::new();
    for height in [0.0, -4.0, -8.0] {
        ids.push(world.add_collider(&slab(DVec3::Z * height))?);
    }
    let mut told: Vec<_> = every(&*world, &fall(0.5, 3.0, 20.0))?
        .iter()
        .map(|hit| (hit.ground.collider, hit.ground.distance.round() as i32))
        .collect();
    told.sort_by_key(|(_, way)| *way);
    let expected: Vec<_> = ids.into_iter().zip([2, 6, 10]).collect();
    expect(told == expected, || format!("{told:?}, not {expected:?}"))?;
    Ok(Measure::KEPT)
}

fn triangles(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mesh = ColliderShape::Mesh(tilted_triangles());
    let (world, _) = with_collider(backend, &ColliderSpec::fixed(mesh, DVec3::ZERO))?;
    // Over a vertex, where six triangles meet.
    let hits = every(&*world, &fall(0.0, 2.0, 4.0))?;
    let mut numbers: Vec<_> = hits.iter().filter_map(|hit| hit.ground.triangle).collect();
    numbers.sort_unstable();
    let count = numbers.len();
    numbers.dedup();
    let kept = count == hits.len() && numbers.len() == count && count >= 4;
    expect(kept, || {
        format!("{} hits of triangles {numbers:?}", hits.len())
    })?;
    Ok(Measure::KEPT)
}

fn overlap(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = level(backend, 0.0)?;
    let hit = must(&*world, &fall(0.5, 0.2, 1.0))?;
    let kept = hit.ground.distance == 0.0
        && apart(hit.ground.normal, Vec3::Z) < 1e-3
        && (hit.point.z + 0.2).abs() < 1e-3;
    expect(kept, || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn not_hidden(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    // A wall that the wheel penetrates by 5 cm.
    world.add_collider(&slab(DVec3::new(2.3, 0.0, 1.0)))?;
    let hit = must(&*world, &fall(0.0, 1.35, 3.0))?;
    let kept = apart(hit.ground.normal, Vec3::Z) < 1e-3 && (hit.ground.distance - 1.0).abs() < 1e-3;
    expect(kept, || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn filters(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let upper = ColliderSpec {
        layers: 0b10,
        ..slab(DVec3::Z * 5.0)
    };
    world.add_collider(&upper)?;
    world.add_collider(&ColliderSpec {
        sensor: true,
        ..slab(DVec3::Z * 2.0)
    })?;
    let mut sweep = fall(0.5, 8.35, 20.0);
    for (layers, expected) in [(u32::MAX, 2.0), (0b01, 8.0)] {
        sweep.filter.layers = layers;
        let way = must(&*world, &sweep)?.ground.distance;
        expect((way - expected).abs() < 1e-2, || {
            format!("layers {layers:b}: after {way} m")
        })?;
    }
    Ok(Measure::KEPT)
}
