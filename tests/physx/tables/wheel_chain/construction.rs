//! Lowest point of a swept wheel as PhysX computes it, in single precision (ALGORITHMS §3.3).

use glam::Vec3;
use jounce::core::internals::chassis::Chassis;
use jounce::core::internals::contact::SweptWheels;
use jounce::core::internals::wheel_consts::WheelConsts;

use super::attached::Attached;

/// Height of PhysX's lowest point of the wheel at full droop over the lowest (`m`): it lies in the direction of the line in
/// which wheel and ground intersect, whose position is uncertain by rounding. That matters where the line passes the
/// wheel's center closely.
pub(super) fn lift(
    at: &Attached<'_>,
    k: &WheelConsts,
    chassis: &Chassis,
    swept: &SweptWheels,
) -> f32 {
    let world = |v: Vec3| chassis.matrix * v;
    let hangs = k.center.lane(0) + k.travel.lane(0) * k.max_droop.lane(0);
    let center = at.axes.vector(at.row, "body_pos") + world(hangs);
    let (axle, normal) = (world(swept.axle.lane(0)), at.axes.vector(at.row, "plane_n"));
    let height = normal.dot(center) + at.row.number("plane_d");
    let down = match nearest(
        center,
        [
            (axle, -axle.dot(center)),
            (normal, at.row.number("plane_d")),
        ],
    ) {
        Some(point) if height >= 0.0 => point - center,
        Some(point) => center - point,
        None => return 0.0,
    };
    let steepest = normal
        .as_dvec3()
        .reject_from_normalized(axle.as_dvec3())
        .length();
    let depth = -f64::from(normal.dot(down)) / f64::from(down.length());
    (f64::from(k.radius.lane(0)) * (steepest - depth)) as f32
}

/// The point nearest to `to` of the line in which two planes intersect, each a normal n and a d of n·x + d = 0; `None`
/// if they are parallel.
fn nearest(to: Vec3, [(a, d), (b, e)]: [(Vec3, f32); 2]) -> Option<Vec3> {
    let along = a.cross(b);
    let size = along.abs();
    // The point of the line with a zero coordinate along the largest component.
    let point = if size.z >= size.x && size.z >= size.y {
        Vec3::new(a.y * e - b.y * d, b.x * d - a.x * e, 0.0) / along.z
    } else if size.y >= size.x {
        Vec3::new(b.z * d - a.z * e, 0.0, a.x * e - b.x * d) / along.y
    } else {
        Vec3::new(0.0, a.z * e - b.z * d, b.y * d - a.y * e) / along.x
    };
    let line = along.try_normalize()?;
    Some(point + line * (to - point).dot(line))
}
