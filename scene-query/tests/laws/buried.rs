//! A wheel whose center is in the ground finds the surface.

use glam::{DVec2, DVec3, Quat, Vec3};
use rstest::rstest;
use scene_query::{
    Axes, Block, Ground, HeightField, Plane, Ramp, Ray, ShapeHit, Steps, Sweep, TriangleMesh,
};
use vehicle_core::{BodyId, GroundSweep, QueryFilter, ShapeKind, WheelShape};

use crate::triangles::rough;
use crate::{FAR, spread};

/// A ball too small to reach any surface from its start.
fn small(start: DVec3, direction: DVec3) -> Sweep {
    let query = GroundSweep {
        anchor: start,
        offset: Vec3::ZERO,
        axle: Vec3::Y,
        shape: WheelShape {
            kind: ShapeKind::Sphere,
            radius: 1e-3,
            half_width: 1e-3,
        },
        direction: direction.normalize().as_vec3(),
        length: 3.0,
        filter: QueryFilter::except(BodyId(7)),
    };
    Sweep::new(&query).unwrap()
}

/// The overlaps that a ground reports; hits from within do not count.
fn overlaps(ground: &dyn Ground, sweep: &Sweep) -> Vec<ShapeHit> {
    let mut hits = vec![];
    ground.sweep(sweep, &mut |hit| hits.push(hit));
    hits.retain(|hit| hit.distance == 0.0);
    hits
}

/// The nearest point of a line and the outward normal there, by fine sampling.
fn nearest_face(line: &[DVec2], from: DVec2) -> (DVec2, DVec2) {
    let pairs = line.windows(2).flat_map(|pair| {
        let outward = (pair[1] - pair[0]).perp().normalize();
        (0..=4000).map(move |n| (pair[0].lerp(pair[1], f64::from(n) / 4000.0), outward))
    });
    let distance = |face: &(DVec2, DVec2)| face.0.distance(from);
    pairs
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap()
}

/// Corners of a side view (`m`), from far before to far behind.
fn side_view(corners: &[(f64, f64)]) -> Vec<DVec2> {
    let (first, last) = (corners[0], corners[corners.len() - 1]);
    let before = DVec2::new(first.0 - 9.0, first.1);
    let behind = DVec2::new(last.0 + 9.0, last.1);
    let corners = corners.iter().map(|&(x, z)| DVec2::new(x, z));
    core::iter::once(before)
        .chain(corners)
        .chain([behind])
        .collect()
}

/// Ramps and stairs up and down, and their side views.
fn profile(kind: &str) -> (Box<dyn Ground>, Vec<DVec2>) {
    let ramp = |degrees: f32| {
        let ramp = Ramp::new(Axes::Z_UP, FAR, degrees, 2.0).unwrap();
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        let line = side_view(&[(0.0, 0.0), (2.0 * cos, 2.0 * sin)]);
        (Box::new(ramp) as Box<dyn Ground>, line)
    };
    let stairs = |rise: f64| {
        let steps = Steps::new(Axes::Z_UP, FAR, rise, 0.6, 2).unwrap();
        let line = [(0.0, 0.0), (0.0, rise), (0.6, rise), (0.6, 2.0 * rise)];
        (Box::new(steps) as Box<dyn Ground>, side_view(&line))
    };
    match kind {
        "ramp up" => ramp(30.0),
        "ramp down" => ramp(-40.0),
        "stairs up" => stairs(0.4),
        _ => stairs(-0.4),
    }
}

#[rstest]
fn a_buried_wheel_overlaps_the_nearest_face_of_a_profile(
    #[values("ramp up", "ramp down", "stairs up", "stairs down")] kind: &str,
    #[values(DVec3::NEG_Z, DVec3::new(0.6, 0.0, -0.8), DVec3::new(-0.6, 0.3, -0.8))] way: DVec3,
) {
    let (ground, line) = profile(kind);
    let mut told = 0;
    for n in 0..100 {
        let [x, y, z, ..] = spread(n);
        let place = DVec3::new(0.8 + 2.0 * x, 5.0 * y, -0.4 + z);
        let start = DVec2::new(place.x, place.z);
        let down = Ray {
            origin: FAR + place,
            direction: DVec3::NEG_Z,
            length: 0.0,
        };
        if !ground.cast(&down).is_some_and(|hit| hit.inside) {
            continue;
        }
        let (face, outward) = nearest_face(&line, start);
        // Too near: the ball reaches a face, or two faces are ambiguous.
        let other = line.iter().any(|corner| corner.distance(face) < 1e-3);
        if face.distance(start) < 0.01 || (other && kind.starts_with("stairs")) {
            continue;
        }
        let sweep = small(FAR + place, way);
        let hits = overlaps(&*ground, &sweep);
        let normal = DVec3::new(outward.x, 0.0, outward.y);
        if normal.dot(way) > -1e-3 {
            assert_eq!(hits, [], "{place}");
            continue;
        }
        told += 1;
        assert_eq!(hits.len(), 1, "{place}");
        let point = place + hits[0].point.as_dvec3() - DVec3::new(face.x, 0.0, face.y);
        assert!(
            (hits[0].normal.as_dvec3() - normal).length() < 1e-6,
            "{hits:?}"
        );
        assert!(point.dot(normal).abs() < 1e-5, "{place}: {hits:?} {face}");
    }
    assert!(told > 15, "{told}");
}

/// A wheel buried in a field overlaps the face directly above it.
#[rstest]
fn a_buried_wheel_overlaps_the_triangle_above_it(#[values(0.05, 0.3, 3.0)] depth: f64) {
    let field = rough(FAR);
    for n in 0..100 {
        let [x, y, ..] = spread(n);
        let place = FAR + DVec3::new(2.4 * x, 2.9 * y, 0.0);
        let above = Ray {
            origin: field.surface(place).unwrap() + DVec3::Z,
            direction: DVec3::NEG_Z,
            length: 2.0,
        };
        let face = field.cast(&above).unwrap();
        let start = above.origin - DVec3::Z * (1.0 + depth);
        let hits = overlaps(&field, &small(start, DVec3::NEG_Z));
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].triangle, face.triangle);
        assert!((hits[0].normal - face.normal).length() < 1e-6, "{hits:?}");
        let height = (hits[0].point.as_dvec3() - DVec3::Z * depth).dot(face.normal.as_dvec3());
        assert!(height.abs() < 1e-6, "{hits:?} {height}");
    }
}

/// Grounds through `FAR` that are solid below it, and a mesh, which is not solid.
fn around(kind: &str) -> Box<dyn Ground> {
    let corner = FAR - DVec3::new(2.0, 2.0, 0.0);
    let rows = vec![vec![0.0; 5]; 5];
    let field = HeightField::new(Axes::Z_UP, corner, 1.0, &rows).unwrap();
    match kind {
        "plane" => Box::new(Plane::new(FAR, DVec3::Z).unwrap()),
        "block" => {
            let center = FAR - DVec3::Z * 2.0;
            Box::new(Block::new(center, Quat::IDENTITY, Vec3::splat(2.0)).unwrap())
        }
        "ramp" => Box::new(Ramp::new(Axes::Z_UP, FAR + DVec3::X, 20.0, 3.0).unwrap()),
        "steps" => Box::new(Steps::curb(Axes::Z_UP, FAR + DVec3::X, 0.2).unwrap()),
        "mesh" => Box::new(TriangleMesh::of(&field.triangles()).unwrap()),
        _ => Box::new(field),
    }
}

/// A ray of zero length finds what it starts in or on.
#[rstest]
#[case::within(-0.5, true)]
#[case::on(0.0, false)]
fn a_ray_of_zero_length_finds_the_ground_at_its_start(
    #[values("plane", "block", "ramp", "steps", "heightfield", "mesh")] kind: &str,
    #[case] height: f64,
    #[case] inside: bool,
    #[values(DVec3::NEG_Z, DVec3::new(0.6, 0.0, -0.8))] direction: DVec3,
    #[values(0.0, 1.0)] length: f32,
) {
    let ray = Ray {
        origin: FAR + DVec3::new(0.3, 0.4, height),
        direction,
        length,
    };
    let hit = around(kind).cast(&ray);
    if inside && kind == "mesh" {
        assert_eq!(hit, None);
        return;
    }
    let hit = hit.unwrap();
    assert_eq!((hit.distance, hit.inside), (0.0, inside));
    let normal = if inside { -direction } else { DVec3::Z };
    assert!((hit.normal.as_dvec3() - normal).length() < 1e-6, "{hit:?}");
}
