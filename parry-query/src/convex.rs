//! Parry's convex shapes as support functions, in double precision.

use glam::{DVec3, Vec3};
use parry3d::shape::{Cone, Cylinder, Shape, TypedShape};

/// A convex shape: a core, and what is round about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convex<'a> {
    core: Core<'a>,
    /// Thickness of the round layer [m].
    border: f64,
}

#[derive(Clone, Copy, Debug)]
enum Core<'a> {
    /// The hull of three points, of which some may be the same.
    Corners([DVec3; 3]),
    /// The hull of many points.
    Points(&'a [Vec3]),
    /// A box of these half extents.
    Cuboid(DVec3),
    /// About y: half height and radius.
    Cylinder(f64, f64),
    /// About y with its tip at the top: half height and radius.
    Cone(f64, f64),
}

impl<'a> Convex<'a> {
    /// The hull of three points [m].
    pub(crate) const fn triangle(corners: [DVec3; 3]) -> Self {
        Self {
            core: Core::Corners(corners),
            border: 0.0,
        }
    }

    /// A box of these half extents [m].
    pub(crate) fn cuboid(half_extents: Vec3) -> Self {
        Self {
            core: Core::Cuboid(half_extents.as_dvec3()),
            border: 0.0,
        }
    }

    /// A convex shape of Parry's; `None` if it is something else.
    pub(crate) fn of(shape: &'a dyn Shape) -> Option<Self> {
        let corners = |a: Vec3, b: Vec3, c: Vec3| Core::Corners([a, b, c].map(|v| v.as_dvec3()));
        let cylinder = |s: &Cylinder| Core::Cylinder(s.half_height.into(), s.radius.into());
        let cone = |s: &Cone| Core::Cone(s.half_height.into(), s.radius.into());
        let (core, border) = match shape.as_typed_shape() {
            TypedShape::Ball(s) => (corners(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO), s.radius),
            TypedShape::Segment(s) => (corners(s.a, s.b, s.b), 0.0),
            TypedShape::Capsule(s) => (corners(s.segment.a, s.segment.b, s.segment.b), s.radius),
            TypedShape::Triangle(s) => (corners(s.a, s.b, s.c), 0.0),
            TypedShape::RoundTriangle(s) => {
                let inner = &s.inner_shape;
                (corners(inner.a, inner.b, inner.c), s.border_radius)
            }
            TypedShape::ConvexPolyhedron(s) => (Core::Points(s.points()), 0.0),
            TypedShape::RoundConvexPolyhedron(s) => {
                (Core::Points(s.inner_shape.points()), s.border_radius)
            }
            TypedShape::Cuboid(s) => (Core::Cuboid(s.half_extents.as_dvec3()), 0.0),
            TypedShape::RoundCuboid(s) => {
                let half_extents = s.inner_shape.half_extents.as_dvec3();
                (Core::Cuboid(half_extents), s.border_radius)
            }
            TypedShape::Cylinder(s) => (cylinder(s), 0.0),
            TypedShape::RoundCylinder(s) => (cylinder(&s.inner_shape), s.border_radius),
            TypedShape::Cone(s) => (cone(s), 0.0),
            TypedShape::RoundCone(s) => (cone(&s.inner_shape), s.border_radius),
            _ => return None,
        };
        Some(Self {
            core,
            border: border.into(),
        })
    }

    /// The point farthest along a unit direction [m].
    pub(crate) fn farthest(&self, direction: DVec3) -> DVec3 {
        self.core.farthest(direction) + direction * self.border
    }
}

impl Core<'_> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        match *self {
            Self::Corners([a, b, c]) => [b, c].into_iter().fold(a, |best, corner| {
                if corner.dot(direction) > best.dot(direction) {
                    corner
                } else {
                    best
                }
            }),
            Self::Points(points) => {
                let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
                for point in points {
                    let point = point.as_dvec3();
                    let along = point.dot(direction);
                    if along > best.0 {
                        best = (along, point);
                    }
                }
                best.1
            }
            Self::Cuboid(half) => DVec3::new(
                half.x.copysign(direction.x),
                half.y.copysign(direction.y),
                half.z.copysign(direction.z),
            ),
            Self::Cylinder(half_height, radius) => {
                rim(direction, radius) + DVec3::Y * half_height.copysign(direction.y)
            }
            Self::Cone(half_height, radius) => {
                let (tip, base) = (DVec3::Y * half_height, rim(direction, radius));
                let base = base - tip;
                if tip.dot(direction) > base.dot(direction) {
                    tip
                } else {
                    base
                }
            }
        }
    }
}

/// The point of a circle about y farthest along a direction.
fn rim(direction: DVec3, radius: f64) -> DVec3 {
    let across = DVec3::new(direction.x, 0.0, direction.z);
    across
        .try_normalize()
        .map_or(DVec3::ZERO, |unit| unit * radius)
}
