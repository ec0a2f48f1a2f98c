//! Other contents of hits, and the order of queries.

use glam::{DVec3, Vec3};
use jounce::core::{GroundHit, GroundRay, MaterialId};
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{bare, brick, down, hit, level, must_hit, ray, slab, tilted_field, tilted_triangles};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 10] = [
    Case::sentence("a hit names its collider", colliders),
    Case::sentence("a hit names its material", materials),
    Case::sentence("fixed ground names no body", fixed),
    Case::sentence("ground that moves names its body", moving).needs(Need::MovingGround),
    Case::sentence("a mesh names its triangles by their number", mesh_triangles),
    Case::sentence("a heightfield tells its triangles apart", field_triangles),
    Case::sentence(
        "of two at the same place, always the same one answers",
        ties,
    ),
    Case::sentence("the order of a batch changes no answer", batches),
    Case::sentence("a vehicle's rays answer together as each alone", together),
    Case::sentence("a ray that is not sound misses and harms no other", unsound),
];

fn colliders(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let places = [0.0, 10.0, -10.0];
    let mut ids = Vec::new();
    for x in places {
        ids.push(world.add_collider(&slab(DVec3::X * x))?);
    }
    for (x, id) in places.into_iter().zip(ids) {
        let told = must_hit(&*world, &down(x, 0.5, 5.0, 9.0))?.collider;
        expect(told == id, || format!("at x = {x} m: {told:?}, not {id:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn materials(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    for (x, material) in [(0.0, 7), (10.0, 0), (20.0, 4_000_000_000)] {
        let material = MaterialId(material);
        world.add_collider(&ColliderSpec {
            material,
            ..slab(DVec3::X * x)
        })?;
        let told = must_hit(&*world, &down(x, 0.5, 5.0, 9.0))?.material;
        expect(told == material, || format!("{told:?}, not {material:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn fixed(backend: &dyn Backend) -> Result<Measure, Failure> {
    let hit = must_hit(&*level(backend, 0.0)?, &down(0.5, 0.5, 1.0, 2.0))?;
    expect(hit.body.is_none(), || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn moving(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let platform = world.add_platform(DVec3::Z)?;
    let hit = must_hit(&*world, &down(0.5, 0.5, 3.0, 4.0))?;
    expect(hit.body == Some(platform), || format!("{hit:?}"))?;
    Ok(Measure::KEPT)
}

fn mesh_triangles(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let triangles = tilted_triangles();
    let mesh = ColliderShape::Mesh(triangles.clone());
    world.add_collider(&ColliderSpec::fixed(mesh, DVec3::ZERO))?;
    for (number, corners) in (0_u32..).zip(&triangles.corners) {
        let [a, b, c] = corners.map(|n| triangles.vertices[n as usize]);
        let middle = (a + b + c) / 3.0;
        let told = must_hit(&*world, &ray(middle + DVec3::Z, Vec3::NEG_Z, 2.0))?.triangle;
        expect(told == Some(number), || format!("{told:?}, not {number}"))?;
    }
    Ok(Measure::KEPT)
}

fn field_triangles(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let field = ColliderShape::HeightField(tilted_field()?);
    world.add_collider(&ColliderSpec::fixed(field, DVec3::ZERO))?;
    let mut seen = Vec::new();
    for n in 0..16 {
        let (x, y) = (f64::from(n / 4) * 4.0 - 8.0, f64::from(n % 4) * 4.0 - 8.0);
        // Two points in each half of the square.
        for (by_x, by_y) in [(3.0, 1.0), (1.0, 3.0)] {
            let tell = |nudge: f64| {
                let ray = down(x + by_x, y + by_y + nudge, 9.0, 20.0);
                let told = must_hit(&*world, &ray)?.triangle;
                told.ok_or_else(|| Failure::Broken("a hit without a triangle".to_owned()))
            };
            let [one, other] = [tell(0.0)?, tell(0.3)?];
            expect(one == other, || {
                format!("one triangle is {one} and {other}")
            })?;
            expect(!seen.contains(&one), || format!("two triangles are {one}"))?;
            seen.push(one);
        }
    }
    Ok(Measure::KEPT)
}

fn ties(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    for _ in 0..3 {
        world.add_collider(&slab(DVec3::ZERO))?;
    }
    let ask = |world: &dyn World| must_hit(world, &down(0.5, 0.25, 3.0, 5.0));
    let first = ask(&*world)?;
    world.add_body(&brick(DVec3::Z * 50.0))?;
    for _ in 0..5 {
        let again = ask(&*world)?;
        expect(again == first, || format!("{first:?}, then {again:?}"))?;
        world.advance(Vec3::ZERO, super::DT);
    }
    Ok(Measure::KEPT)
}

fn batches(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, 0.0)?;
    for n in 0..5 {
        world.add_collider(&slab(DVec3::new(
            f64::from(n) * 3.0,
            0.0,
            f64::from(n) * 0.2,
        )))?;
    }
    let spread = |n: u32| f64::from(n * 37 % 101) / 6.0 - 1.5;
    let rays: Vec<GroundRay> = (0..100).map(|n| down(spread(n), 0.3, 6.0, 5.5)).collect();
    let ask = |rays: &[GroundRay]| -> Vec<Option<GroundHit>> {
        let mut hits = vec![None; rays.len()];
        world.cast_rays(rays, &mut hits);
        hits
    };
    let together = ask(&rays);
    let mut reversed = ask(&rays.iter().rev().copied().collect::<Vec<_>>());
    reversed.reverse();
    let alone: Vec<_> = rays.iter().map(|ray| hit(&*world, ray)).collect();
    expect(together == reversed, || {
        "reversed, a batch answers otherwise".to_owned()
    })?;
    expect(together == alone, || {
        "alone, a ray is answered otherwise".to_owned()
    })?;
    let hits = together.iter().flatten().count();
    expect((1..100).contains(&hits), || format!("{hits} of 100 hit"))?;
    Ok(Measure::KEPT)
}

/// Worlds with few colliders under a vehicle, and with more than a search per ray should visit.
fn together(backend: &dyn Backend) -> Result<Measure, Failure> {
    for slabs in [2, 30] {
        let mut world = bare(backend)?;
        world.add_collider(&ColliderSpec::fixed(
            ColliderShape::Mesh(tilted_triangles()),
            DVec3::ZERO,
        ))?;
        for n in 0..slabs {
            let n = f64::from(n);
            world.add_collider(&slab(DVec3::new(
                n * 0.4 - 5.0,
                n * 0.3 - 4.0,
                n * 0.11 - 1.5,
            )))?;
        }
        let anchor = DVec3::new(0.3, -0.2, 4.0);
        let rays: Vec<GroundRay> = (0..64_u32)
            .map(|n| {
                let offset = Vec3::new((n % 8) as f32 * 1.1 - 4.0, (n / 8) as f32 * 1.3 - 4.0, 1.0);
                let direction = Vec3::new(
                    0.1 * (n % 3) as f32 - 0.1,
                    0.05 * (n % 5) as f32 - 0.1,
                    -1.0,
                );
                GroundRay {
                    anchor,
                    offset,
                    direction: direction.normalize(),
                    length: 1.0 + 0.1 * n as f32,
                    ..down(0.0, 0.0, 0.0, 0.0)
                }
            })
            .collect();
        let mut hits = vec![None; rays.len()];
        world.cast_rays(&rays, &mut hits);
        let alone: Vec<_> = rays.iter().map(|ray| hit(&*world, ray)).collect();
        expect(hits == alone, || {
            format!("over {slabs} slabs: {hits:?}, alone {alone:?}")
        })?;
        let count = hits.iter().flatten().count();
        expect((1..64).contains(&count), || format!("{count} of 64 hit"))?;
    }
    Ok(Measure::KEPT)
}

fn unsound(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = level(backend, 0.0)?;
    let good = down(0.5, 0.5, 1.0, 2.0);
    let bad = [
        GroundRay {
            offset: Vec3::NAN,
            ..good
        },
        GroundRay {
            anchor: DVec3::INFINITY,
            ..good
        },
        GroundRay {
            direction: Vec3::NAN,
            ..good
        },
        GroundRay {
            direction: Vec3::ZERO,
            ..good
        },
        GroundRay {
            length: f32::NAN,
            ..good
        },
        GroundRay {
            length: f32::INFINITY,
            ..good
        },
        GroundRay {
            length: -1.0,
            ..good
        },
    ];
    for ray in bad {
        let mut hits = [None; 3];
        world.cast_rays(&[good, ray, good], &mut hits);
        expect(hits[1].is_none(), || format!("{ray:?}: {:?}", hits[1]))?;
        let others = hits[0].is_some() && hits[0] == hits[2];
        expect(others, || format!("beside {ray:?}: {hits:?}"))?;
    }
    Ok(Measure::KEPT)
}
