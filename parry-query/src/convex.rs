//! Convex shapes as support functions, in double precision.

use glam::{DVec3, Vec3};

/// A convex shape: a core and a round border.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convex<'a> {
    pub(crate) core: Core<'a>,
    /// Thickness of the round border (`m`).
    pub(crate) border: f64,
}

/// A convex core.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "parry"), allow(dead_code, reason = "shapes of Parry's"))]
pub(crate) enum Core<'a> {
    /// The hull of three points, which may coincide.
    Corners([DVec3; 3]),
    /// The hull of many points.
    Points(&'a [Vec3]),
    /// A box of these half extents.
    Cuboid(DVec3),
    /// A cylinder about y: half height and radius.
    Cylinder(f64, f64),
    /// A cone about y with its tip at the top: half height and radius.
    Cone(f64, f64),
}

impl<'a> Convex<'a> {
    /// The hull of three points (`m`).
    pub(crate) const fn triangle(corners: [DVec3; 3]) -> Self {
        Self {
            core: Core::Corners(corners),
            border: 0.0,
        }
    }

    /// A box of these half extents (`m`).
    pub(crate) fn cuboid(half_extents: Vec3) -> Self {
        Self {
            core: Core::Cuboid(half_extents.as_dvec3()),
            border: 0.0,
        }
    }

    /// All within `radius` of the line between two ends (`m`).
    pub(crate) const fn capsule([start, end]: [DVec3; 2], radius: f64) -> Self {
        Self {
            core: Core::Corners([start, end, end]),
            border: radius,
        }
    }

    /// The point farthest along a unit direction (`m`).
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
