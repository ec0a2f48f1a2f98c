//! First touch of a wheel in straight motion and a convex solid, in double precision.
//!
//! Solid minus wheel is one convex body; the wheel touches where the line of motion enters that
//! body. Three points of the body's surface around the line form a portal. The body's point
//! farthest along the portal's normal bounds the entry from below by its plane, the portal bounds
//! it from above, and replacing one of the three corners by that point brings the portal nearer.
//! This is the simplex method with the body's points as columns; it terminates after finitely many
//! points on faces, and after about twenty on curved surfaces. Stepwise conservative casts lose
//! millimeters on large solids; here size costs nothing but rounding.

use glam::{DVec2, DVec3};

use crate::wheel::WheelSolid;

/// Accuracy of the entry (`m`).
const TOLERANCE: f64 = 1e-12;
/// Distance of the initial portal (`m`), longer than any sweep: its corners lie a meter beside the
/// line, so that faces steeper than this are not found.
const FAR: f64 = 1e4;
/// Offset of the line, so that it never runs exactly through an edge of a portal (`m`).
const ASIDE: DVec2 = DVec2::new(1.3e-10, 0.7e-10);
/// Maximum number of points; the result until then also lies on the solid.
const MOST: usize = 100;

/// Touch of a wheel and a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchPoint {
    /// Distance traveled by the wheel (`m`); negative behind its start.
    pub(crate) distance: f64,
    /// Unit normal, from the solid to the wheel.
    pub(crate) normal: DVec3,
    /// Point on the solid, from the wheel's center at the start (`m`).
    pub(crate) point: DVec3,
}

/// A point of solid minus wheel.
#[derive(Clone, Copy, Debug)]
struct DifferencePoint {
    /// Coordinates across the line of motion.
    beside: DVec2,
    /// Coordinate along the line of motion.
    along: f64,
    /// The solid's part of it.
    point: DVec3,
}

/// Three points around the line, counter-clockwise.
struct Portal([DifferencePoint; 3]);

impl Portal {
    /// A portal far away on the line.
    fn beginning() -> Self {
        let half = 0.75_f64.sqrt();
        let corner = |beside| DifferencePoint {
            beside,
            along: FAR,
            point: DVec3::ZERO,
        };
        Self([
            corner(DVec2::X),
            corner(DVec2::new(-0.5, half)),
            corner(DVec2::new(-0.5, -half)),
        ])
    }

    /// The barycentric weights of the point `at` beside the line.
    fn weights(&self, at: DVec2) -> [f64; 3] {
        let [a, b, c] = self.0.map(|corner| corner.beside - at);
        let areas = [b.perp_dot(c), c.perp_dot(a), a.perp_dot(b)];
        let sum = areas[0] + areas[1] + areas[2];
        areas.map(|area| area / sum)
    }

    /// Slope of its plane along the line per meter beside it.
    fn slope(&self) -> DVec2 {
        let [a, b, c] = self.0;
        let (ab, ac) = (b.beside - a.beside, c.beside - a.beside);
        let (up_b, up_c) = (b.along - a.along, c.along - a.along);
        let across = DVec2::new(ac.y * up_b - ab.y * up_c, ab.x * up_c - ac.x * up_b);
        across / ab.perp_dot(ac)
    }

    /// Replaces the corner that the line no longer needs by a new one.
    fn take(&mut self, new: DifferencePoint, weights: [f64; 3]) {
        let shares = self.weights(new.beside);
        let ratio = |i: usize| {
            if shares[i] > 0.0 {
                weights[i] / shares[i]
            } else {
                f64::INFINITY
            }
        };
        let mut out = 0;
        for i in 1..3 {
            if ratio(i) < ratio(out) {
                out = i;
            }
        }
        self.0[out] = new;
    }
}

/// First touch of `wheel`, which moves along the unit `direction` from the origin, and the solid with the support function
/// `farthest`; `None` if that is beyond `reach` (`m`) or nowhere. Touches behind the start count, without limit.
pub(crate) fn first_touch(
    wheel: &WheelSolid,
    direction: DVec3,
    reach: f64,
    farthest: &impl Fn(DVec3) -> DVec3,
) -> Option<TouchPoint> {
    let (right, up) = direction.any_orthonormal_pair();
    let mut portal = Portal::beginning();
    let mut touch = None;
    for _ in 0..MOST {
        let weights = portal.weights(DVec2::ZERO);
        let slope = portal.slope();
        if !(weights[0] + weights[1] + weights[2] + slope.x + slope.y).is_finite() {
            break;
        }
        let sum = |part: fn(&DifferencePoint) -> f64| {
            let [a, b, c] = portal.0.each_ref().map(part);
            a * weights[0] + b * weights[1] + c * weights[2]
        };
        let [a, b, c] = portal.0.map(|corner| corner.point);
        let now = TouchPoint {
            distance: sum(|corner| corner.along),
            normal: (right * slope.x + up * slope.y - direction).normalize(),
            point: a * weights[0] + b * weights[1] + c * weights[2],
        };
        touch = Some(now);
        let point = farthest(now.normal);
        let difference = point - wheel.farthest(-now.normal);
        let new = DifferencePoint {
            beside: DVec2::new(difference.dot(right), difference.dot(up)) + ASIDE,
            along: difference.dot(direction),
            point,
        };
        let nearest = new.along - slope.dot(new.beside);
        if nearest > reach {
            return None;
        }
        if now.distance - nearest <= TOLERANCE {
            break;
        }
        portal.take(new, weights);
    }
    touch.filter(|touch| touch.distance <= reach)
}
