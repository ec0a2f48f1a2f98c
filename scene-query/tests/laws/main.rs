//! Properties of any ground: against a second implementation, and after any motion.

mod buried;
mod meshes;
mod moved;
mod triangles;

use glam::{DVec3, Vec3};
use scene_query::{Ray, Sweep, Triangles};
use vehicle_core::{BodyId, GroundSweep, QueryFilter, ShapeKind, WheelShape};

const FAR: DVec3 = DVec3::new(1e5, -3e4, 7e4);

const KINDS: [ShapeKind; 4] = [
    ShapeKind::Cylinder,
    ShapeKind::Sphere,
    ShapeKind::Capsule,
    ShapeKind::RoundedDisc,
];

fn wheel(kind: ShapeKind) -> WheelShape {
    WheelShape {
        kind,
        radius: 0.35,
        half_width: 0.1,
    }
}

/// Six well-distributed numbers in −1…1.
fn spread(n: usize) -> [f64; 6] {
    const STEPS: [f64; 6] = [
        0.414_213, 0.732_051, 0.236_068, 0.645_751, 0.316_625, 0.605_551,
    ];
    STEPS.map(|step| (n as f64 * step).fract() * 2.0 - 1.0)
}

fn vector(n: usize) -> DVec3 {
    let [x, y, z, ..] = spread(n);
    DVec3::new(x, y, z)
}

fn corners(triangles: &Triangles, number: u32) -> [DVec3; 3] {
    triangles.corners[number as usize].map(|corner| triangles.vertices[corner as usize])
}

/// The intersection of a line with a triangle (Möller and Trumbore), and its distance from the
/// edges in barycentric terms.
fn cut(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
    let (ab, ac, to) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let det = ab.dot(across);
    let u = to.dot(across) / det;
    let q = to.cross(ab);
    let v = ray.direction.dot(q) / det;
    let edge = u.min(v).min(1.0 - u - v);
    Some((ac.dot(q) / det, edge)).filter(|_| edge >= 0.0)
}

/// Wheel number `n`, moving from `start` (`m`, world).
fn sweep(n: usize, start: DVec3, way: DVec3) -> Sweep {
    let query = GroundSweep {
        anchor: start,
        offset: Vec3::ZERO,
        axle: (vector(n + 9) + DVec3::Y * 2.0).normalize().as_vec3(),
        shape: wheel(KINDS[n % 4]),
        direction: way.normalize().as_vec3(),
        length: 3.0,
        filter: QueryFilter::except(BodyId(7)),
    };
    Sweep::new(&query).unwrap()
}
