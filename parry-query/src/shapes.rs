//! Hits of a sweep on Parry's shapes.

use glam::Vec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::shape::{
    Cone, Cylinder, HalfSpace, HeightField, Shape, TriMesh, Triangle, TypedShape,
};

use crate::convex::{Convex, Core};
use crate::sweep::ShapeHit;
use crate::touch::TouchPoint;
use crate::wheel::WheelSweep;

/// Calls `found` with the hits of a sweep on a shape with a pose, as
/// [`SweepQuery::sweep_all`](vehicle_core::SweepQuery::sweep_all) requires: each triangle of a mesh
/// or heightfield, part of a compound, voxel and segment of a polyline counts separately, any other
/// shape as one. Custom shapes are never hit.
pub fn sweep(shape: &dyn Shape, pose: &Pose, sweep: &WheelSweep, found: &mut dyn FnMut(ShapeHit)) {
    let (seen, axes) = sweep.seen_from(pose.translation, pose.rotation);
    let mut tell = |hit: Option<TouchPoint>, triangle: Option<u32>| {
        if let Some(hit) = hit {
            found(sweep.hit(&hit.turned(axes), triangle));
        }
    };
    match shape.as_typed_shape() {
        TypedShape::HalfSpace(HalfSpace { normal }) => tell(seen.half_space(*normal), None),
        TypedShape::Triangle(triangle) => tell(seen.corners(triangle), None),
        TypedShape::TriMesh(mesh) => seen.mesh(mesh, &mut tell),
        TypedShape::HeightField(field) => seen.heightfield(field, &mut tell),
        TypedShape::Compound(compound) => {
            for part in compound.bvh().intersect_aabb(&seen.aabb()) {
                let (place, part) = &compound.shapes()[part as usize];
                self::sweep(&**part, &(*pose * *place), sweep, found);
            }
        }
        TypedShape::Polyline(line) => {
            for piece in line.bvh().intersect_aabb(&seen.aabb()) {
                let hit = Convex::of(&line.segment(piece)).and_then(|piece| seen.solid(&piece));
                tell(hit, None);
            }
        }
        TypedShape::Voxels(voxels) => {
            let voxel = Convex::cuboid(voxels.voxel_size() * 0.5);
            let filled = voxels.voxels_intersecting_local_aabb(&seen.aabb());
            for place in filled.filter(|voxel| !voxel.state.is_empty()) {
                let seen = WheelSweep {
                    start: seen.start - place.center.as_dvec3(),
                    ..seen
                };
                tell(seen.solid(&voxel), None);
            }
        }
        _ => tell(Convex::of(shape).and_then(|solid| seen.solid(&solid)), None),
    }
}

impl WheelSweep {
    /// A slightly enlarged box around the whole sweep (`m`).
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        let (low, high) = self.bounds();
        Aabb::new(low, high)
    }

    fn half_space(&self, normal: Vec3) -> Option<TouchPoint> {
        let normal = normal.as_dvec3().try_normalize()?;
        self.plane(normal, self.start.dot(normal))
    }

    fn mesh(&self, mesh: &TriMesh, tell: &mut impl FnMut(Option<TouchPoint>, Option<u32>)) {
        for triangle in mesh.bvh().intersect_aabb(&self.aabb()) {
            tell(self.corners(&mesh.triangle(triangle)), Some(triangle));
        }
    }

    fn heightfield(
        &self,
        field: &HeightField,
        tell: &mut impl FnMut(Option<TouchPoint>, Option<u32>),
    ) {
        field.map_elements_in_local_aabb(&self.aabb(), &mut |number, triangle| {
            tell(self.corners(triangle), Some(number));
        });
    }

    fn corners(&self, triangle: &Triangle) -> Option<TouchPoint> {
        self.triangle([triangle.a, triangle.b, triangle.c].map(|v| v.as_dvec3() - self.start))
    }
}

impl<'a> Convex<'a> {
    /// A convex shape of Parry; `None` for other shapes.
    pub(crate) fn of(shape: &'a dyn Shape) -> Option<Self> {
        let corners = |a: Vec3, b: Vec3, c: Vec3| Core::Corners([a, b, c].map(|v| v.as_dvec3()));
        let cylinder = |s: &Cylinder| Core::Cylinder(s.half_height.into(), s.radius.into());
        let cone = |s: &Cone| Core::Cone(s.half_height.into(), s.radius.into());
        let (core, border) = match shape.as_typed_shape() {
            TypedShape::Ball(s) => (corners(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO), s.radius),
            TypedShape::Segment(s) => (corners(s.a, s.b, s.b), 0.0),
            TypedShape::Capsule(s) => {
                let ends = [s.segment.a, s.segment.b].map(|end| end.as_dvec3());
                return Some(Self::capsule(ends, s.radius.into()));
            }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hull;
    use glam::DVec3;
    use parry3d::shape::{Ball, Capsule, Cuboid, RoundShape, Segment, SharedShape, Triangle};
    use rstest::rstest;

    const BORDER: f32 = 0.15;

    fn round<S>(inner_shape: S) -> RoundShape<S> {
        RoundShape {
            inner_shape,
            border_radius: BORDER,
        }
    }

    fn corners() -> Triangle {
        Triangle::new(
            Vec3::new(0.3, 0.1, -1.0),
            Vec3::new(-0.8, 0.2, 0.5),
            Vec3::new(0.4, 1.5, 0.6),
        )
    }

    /// Directions all around, including the axes.
    fn directions() -> impl Iterator<Item = Vec3> {
        (0..27_u8)
            .map(|i| Vec3::new((i % 3).into(), (i / 3 % 3).into(), (i / 9).into()) - 1.0)
            .filter(|direction| *direction != Vec3::ZERO)
            .flat_map(|direction| [direction, direction + Vec3::new(0.1, -0.23, 0.37)])
            .map(Vec3::normalize)
    }

    /// Parry's support functions are an independent implementation.
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
            // And it belongs to the shape: it is beyond in no direction.
            for other in directions() {
                let limit = theirs.local_support_point(other).dot(other);
                assert!(ours.dot(other) < limit + 1e-5, "{direction}: {ours}");
            }
        }
    }

    #[test]
    fn our_boxes_and_triangles_are_those_of_parry() {
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

    /// Exact up to the precision of the shape's own numbers.
    #[test]
    fn large_shapes_stay_exact() {
        let ball = Ball::new(1e4);
        let direction = DVec3::new(0.6, 0.0, 0.8);
        let farthest = Convex::of(&ball).unwrap().farthest(direction);
        assert!((farthest - direction * 1e4).length() < 1e-11, "{farthest}");
    }
}
