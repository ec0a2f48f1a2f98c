//! Other grounds against meshes of their triangles.

use glam::{DMat3, DVec3, Quat, Vec3};
use rstest::rstest;
use scene_query::{
    Axes, Block, Ground as _, Grounds, HeightField, Hit, Ramp, Ray, Steps, Sweep, TriangleMesh,
    Triangles,
};

use crate::{FAR, corners, cut, spread, sweep, vector};

/// Rough ground of 5 by 6 m around `place`, partly steeper than 45°.
pub(crate) fn rough(place: DVec3) -> HeightField {
    let corner = place - DVec3::new(2.5, 3.0, 0.0);
    let height = |x: f64, y: f64| 0.5 * (3.1 * x).sin() + 0.4 * (2.3 * y + x).cos();
    HeightField::from_fn(Axes::Z_UP, corner, 0.5, [11, 13], height).unwrap()
}

/// Parameter at which a line enters the rectangle of `rough`; `None` if it starts above the rectangle or misses it.
fn entry(ray: &Ray, place: DVec3) -> Option<f64> {
    let half = DVec3::new(2.5, 3.0, 0.0);
    let (a, b) = (
        (place - half - ray.origin) / ray.direction,
        (place + half - ray.origin) / ray.direction,
    );
    let (near, far) = (a.min(b), a.max(b));
    let enter = near.x.max(near.y);
    (enter > 0.0 && enter < far.x.min(far.y)).then_some(enter)
}

/// A heightfield hit from above equals the mesh of its triangles; hit from the side, it has a wall under its rim.
#[rstest]
fn a_ray_hits_a_heightfields_triangles_or_sides(
    #[values(DVec3::ZERO, FAR)] place: DVec3,
    #[values(false, true)] beside: bool,
) {
    let field = rough(place);
    let mesh = TriangleMesh::of(&field.triangles()).unwrap();
    let mut seen = [0; 3];
    for n in 0..600 {
        let [x, y, z, dx, dy, dz] = spread(n);
        let reach = if beside { 5.0 } else { 2.4 };
        let ray = Ray {
            origin: place + DVec3::new(reach * x, reach * y, if beside { z } else { 1.5 + z }),
            direction: DVec3::new(dx, dy, if beside { 0.2 * dz } else { dz - 0.4 }).normalize(),
            length: 8.0,
        };
        let wall = entry(&ray, place).filter(|t| {
            let surface = field.surface(ray.at(t + 1e-9));
            surface.is_some_and(|surface| surface.z > ray.at(*t).z)
        });
        let hit = field.cast(&ray);
        if field
            .surface(ray.origin)
            .is_some_and(|s| s.z > ray.origin.z)
        {
            assert_eq!(hit, Some(Hit::inside(&ray)));
            seen[0] += 1;
        } else if let Some(wall) = wall.filter(|t| *t < f64::from(ray.length)) {
            let hit = hit.unwrap();
            assert!(
                (f64::from(hit.distance) - wall).abs() < 1e-6,
                "{hit:?} {wall}"
            );
            assert!(hit.normal.z == 0.0 && hit.triangle.is_none(), "{hit:?}");
            assert!(hit.normal.as_dvec3().dot(ray.direction) < 0.0, "{hit:?}");
            seen[1] += 1;
        } else {
            same(&ray, hit, mesh.cast(&ray), &field.triangles());
            seen[2] += 1;
        }
    }
    assert!(seen[2] > 200 && (!beside || seen[1] > 20), "{seen:?}");
}

/// Checks that two hits are the same; the triangle may differ near an edge.
fn same(ray: &Ray, hit: Option<Hit>, other: Option<Hit>, triangles: &Triangles) {
    assert_eq!(hit.is_some(), other.is_some(), "{ray:?}: {hit:?} {other:?}");
    if let (Some(hit), Some(other)) = (hit, other) {
        let apart = (hit.distance - other.distance).abs();
        let clear = other.triangle.and_then(|n| cut(ray, corners(triangles, n)));
        if clear.is_some_and(|(_, edge)| edge > 1e-6) {
            assert!(apart < 2e-6, "{ray:?}: {hit:?} {other:?}");
            let turned = (hit.normal - other.normal).length();
            assert!(turned < 1e-6, "{ray:?}: {hit:?} {other:?}");
            assert!(hit.triangle.is_none() || hit.triangle == other.triangle);
        }
    }
}

/// The surface of a box, facing outwards.
fn faces(center: DVec3, turn: Quat, half: Vec3) -> Triangles {
    let turn = DMat3::from_quat(turn.as_dquat().normalize());
    let corner = |n: u8| {
        let sign = |bit: u8| if n & bit == 0 { -1.0 } else { 1.0 };
        center + turn * (half.as_dvec3() * DVec3::new(sign(1), sign(2), sign(4)))
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    Triangles {
        vertices: (0..8).map(corner).collect(),
        corners: quads
            .into_iter()
            .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
    }
}

#[test]
fn a_block_equals_its_faces_from_outside_and_is_solid_inside() {
    let (turn, half) = (
        Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()),
        Vec3::new(1.5, 0.9, 0.4),
    );
    let block = Block::new(FAR, turn, half).unwrap();
    let triangles = faces(FAR, turn, half);
    let mesh = TriangleMesh::of(&triangles).unwrap();
    let to_block = DMat3::from_quat(turn.as_dquat().normalize()).transpose();
    let mut seen = [0; 2];
    for n in 0..500 {
        let way = vector(n + 40).normalize();
        let ray = Ray {
            origin: FAR + vector(n) * 1.5 - way * if n % 4 == 0 { 0.0 } else { 2.5 },
            direction: way,
            length: if n % 5 == 0 { 1.0 } else { 9.0 },
        };
        let local = to_block * (ray.origin - FAR);
        let hit = block.cast(&ray);
        if local.abs().cmplt(half.as_dvec3()).all() {
            assert_eq!(hit, Some(Hit::inside(&ray)));
            seen[0] += 1;
        } else {
            same(&ray, hit, mesh.cast(&ray), &triangles);
            seen[1] += usize::from(hit.is_some());
        }
    }
    assert!(seen[0] > 10 && seen[1] > 100, "{seen:?}");
}

fn first(world: &Grounds, sweep: &Sweep) -> Option<f32> {
    let hits = world.0.iter().flat_map(|part| {
        let mut hits = vec![];
        part.ground.sweep(sweep, &mut |hit| hits.push(hit.distance));
        hits
    });
    hits.min_by(f32::total_cmp)
}

/// A wheel outside a solid hits the triangles of its surface; inside, solids report more hits than surfaces do.
#[rstest]
#[case::ramp_up(20.0, true)]
#[case::ramp_down(-35.0, true)]
#[case::stairs_up(0.2, false)]
#[case::stairs_down(-0.2, false)]
fn a_wheel_hits_the_triangles_of_ramps_and_steps(#[case] rise: f64, #[case] ramp: bool) {
    let (world, triangles): (Grounds, _) = if ramp {
        let ramp = Ramp::new(Axes::Z_UP, FAR, rise as f32, 2.0).unwrap();
        (ramp.clone().into(), ramp.triangles(20.0))
    } else {
        let steps = Steps::new(Axes::Z_UP, FAR, rise, 0.6, 4).unwrap();
        (steps.clone().into(), steps.triangles(20.0))
    };
    let mesh = Grounds::from(TriangleMesh::of(&triangles).unwrap());
    for n in 0..200 {
        let [x, y, z, dx, dy, _] = spread(n);
        let start = FAR + DVec3::new(1.0 + 3.0 * x, 2.0 * y, 2.5 + z);
        let sweep = sweep(n, start, DVec3::new(dx, dy, -0.9));
        let (own, other) = (first(&world, &sweep), first(&mesh, &sweep));
        assert_eq!(own.is_some(), other.is_some(), "{sweep:?}");
        if let (Some(own), Some(other)) = (own, other) {
            assert!((own - other).abs() < 5e-6, "{own} {other}: {sweep:?}");
        }
    }
}
