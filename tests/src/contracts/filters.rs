//! Filters of rays: `QueryFilter`.

use glam::{DVec3, Vec3};
use jounce::core::{BodyId, GroundRay, QueryFilter};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{bare, cube, down, hit, level, must_hit, slab};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 9] = [
    Case::sentence("a collider answers if it shares a layer", layers),
    Case::sentence("a sensor never answers", sensors),
    Case::sentence("a body that is ignored never answers", ignored).needs(Need::MovingGround),
    Case::sentence(
        "colliders attached to an ignored body never answer",
        attached,
    )
    .needs(Need::BodiesAsGround),
    Case::sentence("ground under an ignored body answers", below),
    Case::sentence("free bodies are ground only if asked for", dynamic).needs(Need::BodiesAsGround),
    Case::sentence("cars are ground only if asked for", cars).needs(Need::BodiesAsGround),
    Case::sentence("one batch serves many filters", mixed).needs(Need::MovingGround),
    Case::sentence("what was added answers before the next step", at_once),
];

/// Straight down on the center, from 9 m, with this filter.
fn look(filter: QueryFilter) -> GroundRay {
    GroundRay {
        filter,
        ..down(0.1, 0.2, 9.0, 20.0)
    }
}

fn everything() -> QueryFilter {
    down(0.0, 0.0, 0.0, 0.0).filter
}

/// Everything except these bodies.
fn but(ignore: [Option<BodyId>; 2]) -> QueryFilter {
    QueryFilter {
        ignore,
        ..everything()
    }
}

/// Hit distance of a ray with this filter (`m`); 20 for a miss.
fn way(world: &dyn World, filter: QueryFilter) -> f32 {
    hit(world, &look(filter)).map_or(20.0, |hit| hit.distance)
}

fn expect_way(world: &dyn World, filter: QueryFilter, expected: f32) -> Result<(), Failure> {
    let way = way(world, filter);
    let kept = (way - expected).abs() < 1e-3;
    expect(kept, || {
        format!("{filter:?}: after {way} m, not {expected} m")
    })
}

fn layers(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    for (height, layers) in [(4.0, 0b0011), (0.0, 0b0110), (-4.0, 1 << 31)] {
        world.add_collider(&ColliderSpec {
            layers,
            ..slab(DVec3::Z * height)
        })?;
    }
    let cases = [
        (0b1, 4.0),
        (0b10, 4.0),
        (0b100, 8.0),
        (1 << 31, 12.0),
        (0b1000, 20.0),
    ];
    for (layers, expected) in cases {
        let filter = QueryFilter {
            layers,
            ..everything()
        };
        expect_way(&*world, filter, expected)?;
    }
    Ok(Measure::KEPT)
}

fn sensors(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let sensor = |shape: ColliderShape, height: f64| ColliderSpec {
        sensor: true,
        ..ColliderSpec::fixed(shape, DVec3::Z * height)
    };
    world.add_collider(&sensor(ColliderShape::Cuboid(Vec3::ONE), 2.0))?;
    world.add_collider(&sensor(ColliderShape::HalfSpace(DVec3::Z), 5.0))?;
    expect_way(&*world, everything(), 9.0)?;
    let inside = must_hit(&*world, &down(0.1, 0.2, 2.0, 5.0))?;
    expect((inside.distance - 2.0).abs() < 1e-3, || {
        format!("from inside: {inside:?}")
    })?;
    Ok(Measure::KEPT)
}

fn ignored(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let [upper, lower] = [
        world.add_platform(DVec3::Z * 6.0)?,
        world.add_platform(DVec3::Z * 3.0)?,
    ];
    expect_way(&*world, everything(), 3.0)?;
    expect_way(&*world, but([Some(upper), None]), 6.0)?;
    expect_way(&*world, but([None, Some(upper)]), 6.0)?;
    expect_way(&*world, but([Some(lower), Some(upper)]), 9.0)?;
    Ok(Measure::KEPT)
}

fn attached(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let body = world.add_box(&cube(DVec3::Z * 3.0))?;
    // A roof over the body, in addition to its hull.
    let mut roof = slab(DVec3::Z * 2.0);
    roof.body = Some(body);
    world.add_collider(&roof)?;
    expect_way(&*world, everything(), 3.0)?;
    let hit = must_hit(&*world, &look(everything()))?;
    expect(hit.body == Some(body), || format!("{hit:?}"))?;
    expect_way(&*world, but([Some(body), None]), 9.0)?;
    Ok(Measure::KEPT)
}

fn below(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let car = world.add_body(&cube(DVec3::new(0.1, 0.2, 1.0)))?;
    let from_within = GroundRay {
        filter: QueryFilter::except(car),
        ..down(0.1, 0.2, 1.0, 3.0)
    };
    let hit = must_hit(&*world, &from_within)?;
    let kept = (hit.distance - 1.0).abs() < 1e-4 && hit.body.is_none();
    expect(kept, || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn dynamic(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    world.add_box(&cube(DVec3::Z * 3.0))?;
    expect_way(&*world, everything(), 5.5)?;
    let fixed_only = QueryFilter {
        dynamic_bodies: false,
        ..everything()
    };
    expect_way(&*world, fixed_only, 9.0)?;
    Ok(Measure::KEPT)
}

fn cars(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    world.add_body(&cube(DVec3::Z * 3.0))?;
    expect_way(&*world, everything(), 9.0)?;
    world.drive_on_vehicles()?;
    expect_way(&*world, everything(), 5.5)?;
    let fixed_only = QueryFilter {
        dynamic_bodies: false,
        ..everything()
    };
    expect_way(&*world, fixed_only, 9.0)?;
    Ok(Measure::KEPT)
}

fn mixed(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    let platform = world.add_platform(DVec3::Z * 6.0)?;
    let rays = [everything(), but([Some(platform), None]), everything()].map(look);
    let mut hits = [None; 3];
    world.cast_rays(&rays, &mut hits);
    let ways = hits.map(|hit| hit.map_or(20.0, |hit| hit.distance.round()));
    expect(ways == [3.0, 9.0, 3.0], || format!("{ways:?}"))?;
    Ok(Measure::KEPT)
}

fn at_once(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    expect_way(&*world, everything(), 9.0)?;
    world.advance(Vec3::ZERO, super::DT);
    world.add_collider(&slab(DVec3::Z))?;
    expect_way(&*world, everything(), 7.0)?;
    Ok(Measure::KEPT)
}
