//! Geometry of ray hits: `SceneQuery::cast_rays`.

use glam::{DVec2, DVec3, Vec3};
use proving_ground::ground::Terrain;
use proving_ground::world::{ColliderShape, ColliderSpec, World};

use super::{
    DT, apart, bare, down, hit, level, must_hit, ray, slab, tilted, tilted_field, tilted_triangles,
    with_collider,
};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 14] = [
    Case::sentence("a miss is no hit", misses),
    Case::sentence("a hit at exactly the length counts on a plane", plane_end),
    Case::sentence("a hit at exactly the length counts on a box", box_end),
    Case::sentence("a hit at exactly the length counts on a mesh", mesh_end),
    Case::sentence(
        "a hit at exactly the length counts on a heightfield",
        field_end,
    ),
    Case::sentence(
        "a ray that starts inside a half space hits at once",
        inside_plane,
    ),
    Case::sentence("a ray that starts inside a box hits at once", inside_box),
    Case::sentence("the nearest of several hits counts", nearest),
    Case::measured("a plane is where it is", OFF, 1e-5, on_plane),
    Case::measured("a turned box is where it is", OFF, 1e-5, on_turned_box),
    Case::measured("a mesh is where it is", OFF, 1e-5, on_mesh),
    Case::measured("a mesh is hit from behind, too", OFF, 1e-5, behind_mesh).needs(Need::BackFaces),
    Case::measured("a heightfield is where it is", OFF, 1e-5, on_field),
    Case::measured(
        "an offset counts from its anchor",
        "distance [m]",
        1e-5,
        offsets,
    ),
];

const OFF: &str = "distance [m] or normal";

fn misses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let world = level(backend, 0.0)?;
    let rays = [
        ray(DVec3::Z, Vec3::Z, 100.0),
        ray(DVec3::Z, Vec3::X, 100.0),
        down(0.0, 0.0, 1.0, 0.999),
        down(0.0, 0.0, 1.0, 0.0),
    ];
    for ray in rays {
        let hit = hit(&*world, &ray);
        expect(hit.is_none(), || format!("{ray:?}: {hit:?}"))?;
    }
    Ok(Measure::KEPT)
}

/// A ray from 1 m above hits at its exact end, and a millimeter shorter misses.
fn at_the_end(world: &dyn World, x: f64, y: f64, height: f64) -> Result<Measure, Failure> {
    let end = must_hit(world, &down(x, y, height + 1.0, 1.0))?;
    let told = end.distance;
    expect((0.9999..=1.0).contains(&told), || format!("at {told} m"))?;
    let short = hit(world, &down(x, y, height + 1.0, 0.999));
    expect(short.is_none(), || format!("1 mm too short: {short:?}"))?;
    Ok(Measure::KEPT)
}

fn plane_end(backend: &dyn Backend) -> Result<Measure, Failure> {
    at_the_end(&*level(backend, 0.0)?, 3.0, -2.0, 0.0)
}

fn box_end(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (world, _) = with_collider(backend, &slab(DVec3::ZERO))?;
    at_the_end(&*world, 0.3, 0.7, 1.0)
}

fn mesh_end(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mesh = ColliderShape::Mesh(tilted_triangles());
    let (world, _) = with_collider(backend, &ColliderSpec::fixed(mesh, DVec3::ZERO))?;
    at_the_end(&*world, 1.0, 2.5, 0.25)
}

fn field_end(backend: &dyn Backend) -> Result<Measure, Failure> {
    let field = ColliderShape::HeightField(tilted_field()?);
    let (world, _) = with_collider(backend, &ColliderSpec::fixed(field, DVec3::ZERO))?;
    at_the_end(&*world, 1.0, 2.5, 0.25)
}

/// Checks rays from inside a solid in any direction: the distance is 0 and the normal points against the ray.
fn inside(world: &dyn World, at: DVec3) -> Result<Measure, Failure> {
    for direction in [Vec3::NEG_Z, Vec3::Z, Vec3::new(0.6, 0.0, -0.8)] {
        let hit = must_hit(world, &ray(at, direction, 3.0))?;
        let kept = hit.distance == 0.0 && apart(hit.normal, -direction) < 1e-6;
        expect(kept, || format!("toward {direction}: {hit:?}"))?;
    }
    Ok(Measure::KEPT)
}

fn inside_plane(backend: &dyn Backend) -> Result<Measure, Failure> {
    inside(&*level(backend, 0.0)?, DVec3::new(1.0, 2.0, -0.5))
}

fn inside_box(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (world, _) = with_collider(backend, &slab(DVec3::ZERO))?;
    inside(&*world, DVec3::new(0.5, 1.0, 0.5))
}

fn nearest(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut world = bare(backend)?;
    let heights = [0.0, 10.0, 5.0];
    let mut ids = Vec::new();
    for height in heights {
        ids.push(world.add_collider(&slab(DVec3::Z * height))?);
    }
    for (above, expected) in [(20.0, 1), (8.0, 2), (3.0, 0)] {
        let hit = must_hit(&*world, &down(0.5, 0.5, above, 50.0))?;
        let way = above - heights[expected] - 1.0;
        let kept = hit.collider == ids[expected] && (f64::from(hit.distance) - way).abs() < 1e-4;
        expect(kept, || format!("from {above} m: {hit:?}"))?;
    }
    Ok(Measure::KEPT)
}

/// Deviation of a hit from the plane through `point`: of the distance along the ray, or of the
/// normal.
fn off_plane(
    world: &dyn World,
    from: DVec3,
    direction: Vec3,
    point: DVec3,
    normal: Vec3,
) -> Result<f64, Failure> {
    let hit = must_hit(world, &ray(from, direction, 30.0))?;
    let unit = normal.as_dvec3();
    let way = (point - from).dot(unit) / direction.as_dvec3().dot(unit);
    let against = normal * -normal.dot(direction).signum();
    Ok((f64::from(hit.distance) - way)
        .abs()
        .max(apart(hit.normal, against)))
}

/// Positions over the middle of a ground, and directions of rays down to it.
fn looks() -> impl Iterator<Item = (DVec2, Vec3)> {
    let tilts = [0.0, 0.3, -0.4];
    (0..40_u32).map(move |n| {
        let spread = |by: u32| f64::from(n * by % 41) / 41.0 * 6.0 - 3.0;
        let tilt = Vec3::new(tilts[n as usize % 3], tilts[n as usize / 3 % 3], -1.0);
        (DVec2::new(spread(7), spread(17)), tilt.normalize())
    })
}

/// The worst of all rays from 4 m above the plane `z = x / 4`; with a sign of −1 from below.
fn over_tilted(world: &dyn World, side: f64) -> Result<Measure, Failure> {
    let mut worst = 0.0_f64;
    for (at, toward) in looks() {
        let (height, normal) = tilted(at);
        let from = at.extend(height + 4.0 * side);
        let toward = toward * side as f32;
        let off = off_plane(world, from, toward, DVec3::ZERO, normal)?;
        worst = worst.max(off);
    }
    Ok(worst.into())
}

fn on_plane(backend: &dyn Backend) -> Result<Measure, Failure> {
    let normal = tilted(DVec2::ZERO).1.as_dvec3().normalize();
    let plane = Terrain::plane("tilted".to_owned(), DVec3::ZERO, normal);
    let plane = plane.map_err(|error| Failure::Broken(error.to_string()))?;
    over_tilted(&*backend.open(&plane, DT)?, 1.0)
}

fn on_turned_box(backend: &dyn Backend) -> Result<Measure, Failure> {
    let at = DVec3::new(1.0, -2.0, 3.0);
    let turned = ColliderSpec {
        rotation: super::slant(),
        ..slab(at)
    };
    let (world, _) = with_collider(backend, &turned)?;
    let half = DVec3::new(2.0, 2.0, 1.0);
    let mut worst = 0.0_f64;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        for outwards in [axis, -axis] {
            let normal = turned.turned(outwards);
            let face = at + normal * half.dot(axis);
            // Off-center, so that the face's edges matter.
            let aside = turned.turned(DVec3::new(0.7, -0.6, 0.5) * (DVec3::ONE - axis));
            let from = face + normal * 3.0 + aside;
            let (toward, normal) = (-normal.as_vec3(), normal.as_vec3());
            worst = worst.max(off_plane(&*world, from, toward, face, normal)?);
        }
    }
    Ok(worst.into())
}

fn on_mesh(backend: &dyn Backend) -> Result<Measure, Failure> {
    mesh_from(backend, 1.0)
}

fn behind_mesh(backend: &dyn Backend) -> Result<Measure, Failure> {
    mesh_from(backend, -1.0)
}

fn mesh_from(backend: &dyn Backend, side: f64) -> Result<Measure, Failure> {
    let mesh = ColliderShape::Mesh(tilted_triangles());
    let (world, _) = with_collider(backend, &ColliderSpec::fixed(mesh, DVec3::ZERO))?;
    over_tilted(&*world, side)
}

fn on_field(backend: &dyn Backend) -> Result<Measure, Failure> {
    let field = ColliderShape::HeightField(tilted_field()?);
    let (world, _) = with_collider(backend, &ColliderSpec::fixed(field, DVec3::ZERO))?;
    over_tilted(&*world, 1.0)
}

fn offsets(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (world, _) = with_collider(backend, &slab(DVec3::ZERO))?;
    let mut worst = 0.0_f64;
    for offset in [Vec3::new(1.5, -1.5, 0.5), Vec3::new(-1.9, 1.0, -0.25)] {
        let mut ray = down(0.25, 0.5, 3.0, 10.0);
        ray.offset = offset;
        let hit = must_hit(&*world, &ray)?;
        worst = worst.max(f64::from(hit.distance - 2.0 - offset.z).abs());
    }
    Ok(worst.into())
}
