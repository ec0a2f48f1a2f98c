//! Triangles of the ground: `GroundTriangles`.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{GroundTriangle, QueryFilter, TriangleQuery};
use proving_ground::ground::Terrain;
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{bare, hit, level, slab, tilted_field, tilted_triangles};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 5] = [
    Case::measured(
        "what rays hit lies on triangles",
        "distance [m]",
        1e-3,
        cover,
    )
    .needs(Need::Triangles),
    Case::sentence("triangles face outward", face).needs(Need::Triangles),
    Case::sentence("triangles have material, collider and number of hits", tags)
        .needs(Need::Triangles),
    Case::sentence("triangles have the filter of a ray", filters).needs(Need::Triangles),
    Case::sentence("a box that is not finite has no triangles", finite).needs(Need::Triangles),
];

/// A box of 0.4 m about a point.
fn around(point: DVec3) -> TriangleQuery {
    TriangleQuery {
        anchor: point,
        low: Vec3::splat(-0.2),
        high: Vec3::splat(0.2),
        filter: QueryFilter {
            layers: u32::MAX,
            ignore: [None; 2],
            dynamic_bodies: true,
        },
    }
}

/// The triangles of a query.
fn triangles(world: &dyn World, query: &TriangleQuery) -> Result<Vec<GroundTriangle>, Failure> {
    let none = || Failure::Unsupported("it does not tell triangles".to_owned());
    let mut found = Vec::new();
    let told = world.triangles().ok_or_else(none)?;
    told.visit_triangles(&[*query], &mut |_, triangle| found.push(*triangle));
    Ok(found)
}

/// Distance of the anchor from a triangle (`m`).
fn distance(triangle: &GroundTriangle) -> f32 {
    let [a, b, c] = triangle.corners;
    let normal = (b - a).cross(c - a).normalize();
    let sides = [(a, b), (b, c), (c, a)];
    if sides
        .iter()
        .all(|(from, to)| normal.cross(*to - *from).dot(-*from) >= 0.0)
    {
        return normal.dot(a).abs();
    }
    let to_side = |(from, to): &(Vec3, Vec3)| {
        let way = *to - *from;
        let part = (-from.dot(way) / way.dot(way)).clamp(0.0, 1.0);
        (*from + way * part).length()
    };
    sides.iter().map(to_side).fold(f32::INFINITY, f32::min)
}

/// Grounds of each kind: heights, a mesh, a plane with a turned box.
fn grounds(backend: &dyn Backend) -> Result<Vec<Box<dyn World>>, Failure> {
    let broken = |error: jounce::scene::GroundError| Failure::Broken(error.to_string());
    let field = Terrain::height_field("field".to_owned(), tilted_field()?);
    let mesh = Terrain::triangles("mesh".to_owned(), tilted_triangles()).map_err(broken)?;
    let mut boxed = bare(backend)?;
    boxed.add_collider(&ColliderSpec {
        rotation: Quat::from_rotation_x(0.2),
        ..slab(DVec3::ZERO)
    })?;
    Ok(vec![
        backend.open(&field, super::DT)?,
        backend.open(&mesh, super::DT)?,
        level(backend, 0.0)?,
        boxed,
    ])
}

fn cover(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut worst = 0.0_f32;
    for world in grounds(backend)? {
        for n in 0..49 {
            let (x, y) = (0.27 * f64::from(n / 7) - 0.9, 0.27 * f64::from(n % 7) - 0.9);
            let ray = super::down(x, y, 9.0, 20.0);
            let Some(hit) = hit(&*world, &ray) else {
                continue;
            };
            let at = DVec3::new(x, y, 9.0 - f64::from(hit.distance));
            let found = triangles(&*world, &around(at))?;
            let near = found.iter().map(distance).fold(f32::INFINITY, f32::min);
            worst = worst.max(near);
        }
    }
    Ok(f64::from(worst).into())
}

fn face(backend: &dyn Backend) -> Result<Measure, Failure> {
    for world in grounds(backend)? {
        for triangle in triangles(&*world, &around(DVec3::new(0.1, 0.1, 1.0)))? {
            let [a, b, c] = triangle.corners;
            // Tops of solids, a meter below the box that looks for them.
            let level = triangle.corners.iter().all(|corner| corner.z > -1.6);
            let outward = (b - a).cross(c - a).z > 0.0;
            expect(outward || !level || !triangle.solid, || {
                format!("{triangle:?}")
            })?;
        }
    }
    Ok(Measure::KEPT)
}

fn tags(backend: &dyn Backend) -> Result<Measure, Failure> {
    for world in grounds(backend)? {
        let ray = super::down(0.3, 0.2, 9.0, 20.0);
        let Some(hit) = hit(&*world, &ray) else {
            continue;
        };
        let at = DVec3::new(0.3, 0.2, 9.0 - f64::from(hit.distance));
        let found = triangles(&*world, &around(at))?;
        let same = |triangle: &GroundTriangle| {
            triangle.material == hit.material
                && triangle.collider == hit.collider
                && triangle.triangle == hit.triangle
                && triangle.body == hit.body
        };
        expect(found.iter().any(same), || format!("{hit:?}: {found:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn filters(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = level(backend, -9.0)?;
    world.add_collider(&ColliderSpec {
        layers: 0b10,
        ..slab(DVec3::ZERO)
    })?;
    world.add_collider(&ColliderSpec {
        sensor: true,
        ..ColliderSpec::fixed(ColliderShape::Cuboid(Vec3::ONE), DVec3::ZERO)
    })?;
    let mut query = around(DVec3::new(0.2, 0.1, 1.0));
    for (layers, seen) in [(u32::MAX, true), (0b01, false), (0b10, true)] {
        query.filter.layers = layers;
        let found = triangles(&*world, &query)?;
        expect(found.is_empty() != seen, || {
            format!("layers {layers:b}: {found:?}")
        })?;
        let colliders: Vec<_> = found.iter().map(|triangle| triangle.collider).collect();
        expect(colliders.windows(2).all(|two| two[0] == two[1]), || {
            format!("the sensor, too: {colliders:?}")
        })?;
    }
    Ok(Measure::KEPT)
}

fn finite(backend: &dyn Backend) -> Result<Measure, Failure> {
    for world in grounds(backend)? {
        for bad in [f32::NAN, f32::INFINITY] {
            let query = TriangleQuery {
                low: Vec3::splat(bad),
                ..around(DVec3::ZERO)
            };
            let found = triangles(&*world, &query)?;
            expect(found.is_empty(), || format!("{found:?}"))?;
        }
    }
    Ok(Measure::KEPT)
}
