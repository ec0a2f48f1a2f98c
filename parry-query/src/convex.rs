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

#[cfg(test)]
mod tests {
    use super::*;
    use parry3d::shape::{
        Ball, Capsule, ConvexPolyhedron, Cuboid, RoundShape, Segment, SharedShape, Triangle,
    };
    use rstest::rstest;

    const BORDER: f32 = 0.15;

    fn round<S>(inner_shape: S) -> RoundShape<S> {
        RoundShape {
            inner_shape,
            border_radius: BORDER,
        }
    }

    fn hull() -> ConvexPolyhedron {
        let corners = [
            Vec3::new(0.2, -0.5, 0.1),
            Vec3::new(1.1, 0.3, -0.4),
            Vec3::new(-0.7, 0.2, 0.6),
            Vec3::new(0.1, 1.3, 0.2),
            Vec3::new(-0.1, 0.1, -0.9),
        ];
        ConvexPolyhedron::from_convex_hull(&corners).unwrap()
    }

    fn corners() -> Triangle {
        Triangle::new(
            Vec3::new(0.3, 0.1, -1.0),
            Vec3::new(-0.8, 0.2, 0.5),
            Vec3::new(0.4, 1.5, 0.6),
        )
    }

    /// Directions all around, axes among them.
    fn directions() -> impl Iterator<Item = Vec3> {
        (0..27_u8)
            .map(|i| Vec3::new((i % 3).into(), (i / 3 % 3).into(), (i / 9).into()) - 1.0)
            .filter(|direction| *direction != Vec3::ZERO)
            .flat_map(|direction| [direction, direction + Vec3::new(0.1, -0.23, 0.37)])
            .map(Vec3::normalize)
    }

    /// Parry's own support functions are other code for the same.
    #[rstest]
    #[case::ball(SharedShape::ball(0.4))]
    #[case::segment(SharedShape::new(Segment::new(Vec3::X, Vec3::new(0.2, -0.3, 1.0))))]
    #[case::capsule(SharedShape::new(Capsule::new(Vec3::X, Vec3::new(0.2, -0.3, 1.0), 0.3)))]
    #[case::triangle(SharedShape::new(corners()))]
    #[case::round_triangle(SharedShape::new(round(corners())))]
    #[case::polyhedron(SharedShape::new(hull()))]
    #[case::round_polyhedron(SharedShape::new(round(hull())))]
    #[case::cuboid(SharedShape::cuboid(0.3, 0.8, 1.7))]
    #[case::round_cuboid(SharedShape::new(round(Cuboid::new(Vec3::new(0.3, 0.8, 1.7)))))]
    #[case::cylinder(SharedShape::cylinder(0.7, 0.4))]
    #[case::round_cylinder(SharedShape::new(round(Cylinder::new(0.7, 0.4))))]
    #[case::cone(SharedShape::cone(0.7, 0.4))]
    #[case::round_cone(SharedShape::new(round(Cone::new(0.7, 0.4))))]
    fn farthest_points_are_those_of_parry(#[case] shape: SharedShape) {
        let solid = Convex::of(&*shape).unwrap();
        let theirs = shape.as_support_map().unwrap();
        for direction in directions() {
            let along = |point: Vec3| point.dot(direction);
            let ours = solid.farthest(direction.as_dvec3()).as_vec3();
            let far = along(theirs.local_support_point(direction));
            assert!(
                (along(ours) - far).abs() < 1e-5,
                "{direction}: {ours} {far}"
            );
            // And it is a point of the shape: no direction lies it beyond.
            for other in directions() {
                let limit = theirs.local_support_point(other).dot(other);
                assert!(ours.dot(other) < limit + 1e-5, "{direction}: {ours}");
            }
        }
    }

    #[test]
    fn boxes_and_triangles_of_ones_own_are_those_of_parry() {
        let half = Vec3::new(0.3, 0.8, 1.7);
        let [a, b, c] = [corners().a, corners().b, corners().c].map(|v| v.as_dvec3());
        let pairs = [
            (Convex::cuboid(half), SharedShape::new(Cuboid::new(half))),
            (Convex::triangle([a, b, c]), SharedShape::new(corners())),
        ];
        for (ours, theirs) in pairs {
            let theirs = Convex::of(&*theirs).unwrap();
            for direction in directions().map(|direction| direction.as_dvec3()) {
                assert_eq!(ours.farthest(direction), theirs.farthest(direction));
            }
        }
    }

    /// In double precision, as far as the numbers of the shape go.
    #[test]
    fn large_shapes_lose_nothing() {
        let ball = Ball::new(1e4);
        let direction = DVec3::new(0.6, 0.0, 0.8);
        let farthest = Convex::of(&ball).unwrap().farthest(direction);
        assert!((farthest - direction * 1e4).length() < 1e-11, "{farthest}");
    }
}
