//! Every ground tells hulls the surface that rays find.

use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;
use scene_query::{
    Axes, Block, Capsule, Ground, GroundRegion, HeightField, Plane, Ramp, Ray, Steps,
    SurfaceTriangle, TriangleMesh,
};
use vehicle_core::Axis;

const FAR: DVec3 = DVec3::new(1e4, -3e4, 200.0);

/// Each kind of ground within 3 m of `FAR`, with how far its triangles may be from it (`m`).
fn ground(kind: usize) -> (Box<dyn Ground>, f64) {
    let axes = Axes::new(Axis::NegX, Axis::Y).unwrap();
    let height = |x: f64, y: f64| (1.3 * x).sin() * (0.7 * y).cos();
    let corner = FAR + axes.to_world(DVec3::new(-4.0, -4.0, 0.0));
    let field = HeightField::from_fn(axes, corner, 0.5, [17, 17], height).unwrap();
    let turn = Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt());
    let ends = [FAR - DVec3::new(1.0, 0.5, 0.2), FAR + DVec3::Y];
    let steps = Steps::new(axes, FAR - axes.to_world(DVec3::X), 0.3, 0.4, 5);
    let exact = 1e-5;
    match kind {
        0 => {
            let plane = Plane::new(FAR, DVec3::new(0.3, 0.9, -0.2)).unwrap();
            (Box::new(plane), exact)
        }
        1 => (Box::new(Ramp::new(axes, FAR, -20.0, 2.0).unwrap()), exact),
        2 => (Box::new(steps.unwrap()), exact),
        3 => (
            Box::new(TriangleMesh::of(&field.triangles()).unwrap()),
            exact,
        ),
        4 => (Box::new(field), exact),
        5 => {
            let block = Block::new(FAR, turn, Vec3::new(1.0, 0.6, 0.8)).unwrap();
            (Box::new(block), exact)
        }
        // Sides and rings are 22.5° apart, and flat between.
        _ => (Box::new(Capsule::new(ends, 0.8).unwrap()), 0.8 * 0.04),
    }
}

/// Distance along a ray at which it meets a triangle (Möller and Trumbore, 1997), and whether from outside.
fn cut(ray: &Ray, triangle: &SurfaceTriangle) -> Option<(f64, bool)> {
    let [a, b, c] = triangle.corners.map(|corner| corner - ray.origin);
    let (u, v) = (b - a, c - a);
    let across = ray.direction.cross(v);
    let volume = u.dot(across);
    if volume == 0.0 {
        return None;
    }
    let share = -a.dot(across) / volume;
    let normal = (-a).cross(u);
    let other = ray.direction.dot(normal) / volume;
    let distance = v.dot(normal) / volume;
    let within = share >= 0.0 && other >= 0.0 && share + other <= 1.0;
    (within && distance >= 0.0).then_some((distance, volume > 0.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// The nearest triangle on a ray is where the ray hits, seen from outside.
    #[test]
    fn triangles_are_the_surface_that_rays_hit(
        kind in 0..7_usize,
        from in prop::array::uniform3(-2.5..2.5_f64),
        to in prop::array::uniform3(-2.5..2.5_f64),
    ) {
        let (ground, near) = ground(kind);
        let (from, to) = (DVec3::from(from), DVec3::from(to));
        prop_assume!(from.distance(to) > 0.1);
        let ray = Ray {
            origin: FAR + from,
            direction: (to - from).normalize(),
            length: from.distance(to) as f32,
        };
        let hit = ground.cast(&ray);
        prop_assume!(hit.is_none_or(|hit| !hit.inside));
        let region = GroundRegion { low: FAR + from.min(to), high: FAR + from.max(to) };
        let mut nearest: Option<(f64, bool)> = None;
        ground.triangles_in(&region, &mut |triangle| {
            let found = cut(&ray, triangle).filter(|(at, _)| *at <= f64::from(ray.length));
            if let Some(found) = found.filter(|found| nearest.is_none_or(|best| found.0 < best.0)) {
                let outside = found.1 || !triangle.solid;
                nearest = Some((found.0, outside));
            }
        });
        match (hit, nearest) {
            (Some(hit), Some((at, outside))) => {
                // Along the ray, a gap is as much longer as the ray is slanted.
                let slant = -hit.normal.as_dvec3().dot(ray.direction);
                prop_assume!(slant > 0.2);
                let apart = (f64::from(hit.distance) - at).abs() * slant;
                prop_assert!(apart < near, "{apart} {hit:?}");
                prop_assert!(outside);
            }
            (None, None) => {}
            // What only one finds lies at the rim of the ray or of the surface.
            (Some(hit), None) => {
                let slant = -hit.normal.as_dvec3().dot(ray.direction);
                let end = f64::from(ray.length - hit.distance) * slant;
                prop_assert!(end < near || slant < 0.3, "{hit:?}");
            }
            (None, Some((at, _))) => {
                prop_assert!(f64::from(ray.length) - at < 1e-4 || kind == 4, "{at}");
            }
        }
    }
}
