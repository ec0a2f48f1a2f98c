//! A judge that shares no code with its subject: distances between a wheel and a triangle by nested
//! search, in double precision.

use glam::DVec3;
use vehicle_core::{ShapeKind, WheelShape};

/// Distance of a point from a wheel around the origin (`m`); 0 inside.
pub(crate) fn distance_to_wheel(point: DVec3, shape: &WheelShape, axle: DVec3) -> f64 {
    let (radius, half_width) = (f64::from(shape.radius), f64::from(shape.half_width));
    let side = point.dot(axle).abs();
    let height = (point - axle * point.dot(axle)).length();
    // From a rectangle in the half plane through the axle, and from a layer around it.
    let (reach, half, layer) = match shape.kind {
        ShapeKind::Cylinder => (radius, half_width, 0.0),
        ShapeKind::Sphere => (0.0, 0.0, radius),
        ShapeKind::Capsule => (0.0, half_width, radius),
        ShapeKind::RoundedDisc => {
            let rim = half_width.min(radius);
            (radius - rim, 0.0, rim)
        }
    };
    let (over, beside) = ((height - reach).max(0.0), (side - half).max(0.0));
    (over.hypot(beside) - layer).max(0.0)
}

/// The minimum value of a convex function on 0…1.
fn least(turns: usize, mut f: impl FnMut(f64) -> f64) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut a, mut b) = (1.0 - SHARE, SHARE);
    let (mut at_a, mut at_b) = (f(a), f(b));
    let mut best = at_a.min(at_b).min(f(0.0)).min(f(1.0));
    for _ in 0..turns {
        if at_a < at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - SHARE * (high - low);
            at_a = f(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + SHARE * (high - low);
            at_b = f(b);
        }
        best = best.min(at_a).min(at_b);
    }
    best
}

/// Distance of a triangle from a wheel around `center` (`m`).
pub(crate) fn gap(
    corners: [DVec3; 3],
    shape: &WheelShape,
    axle: DVec3,
    center: DVec3,
    turns: usize,
) -> f64 {
    let [a, b, c] = corners;
    least(turns, |u| {
        let (left, right) = (a.lerp(b, u), a.lerp(c, u));
        least(turns, |v| {
            distance_to_wheel(left.lerp(right, v) - center, shape, axle)
        })
    })
}

/// The minimum distance during the motion from the origin along `way`.
pub(crate) fn least_gap(corners: [DVec3; 3], shape: &WheelShape, axle: DVec3, way: DVec3) -> f64 {
    least(40, |t| gap(corners, shape, axle, way * t, 40))
}
