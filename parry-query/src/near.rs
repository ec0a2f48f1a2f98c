//! Triangles of shapes near a box.

use glam::Vec3;
use parry3d::bounding_volume::{Aabb, BoundingVolume as _};
use parry3d::math::Pose;
use parry3d::shape::{ConvexPolyhedron, Shape, Triangle, TypedShape};

/// Corners of a box's faces, by their signs, counter-clockwise as seen from outside; each face is two triangles.
const FACES: [[Vec3; 4]; 6] = {
    const fn corner(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, y, z)
    }
    let [o, x, y, z] = [
        corner(-1.0, -1.0, -1.0),
        corner(1.0, -1.0, -1.0),
        corner(-1.0, 1.0, -1.0),
        corner(-1.0, -1.0, 1.0),
    ];
    let [xy, xz, yz, xyz] = [
        corner(1.0, 1.0, -1.0),
        corner(1.0, -1.0, 1.0),
        corner(-1.0, 1.0, 1.0),
        corner(1.0, 1.0, 1.0),
    ];
    [
        [o, y, xy, x],
        [z, xz, xyz, yz],
        [o, x, xz, z],
        [y, yz, xyz, xy],
        [o, z, yz, y],
        [x, xy, xyz, xz],
    ]
};

/// Sides of the triangles that stand for a round shape: their middles lie 0.5 % of its radius inside.
const SIDES: u32 = 32;

/// A triangle of a shape near a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeTriangle {
    /// Corners (`m`), counter-clockwise as seen from outside a solid.
    pub corners: [Vec3; 3],
    /// Whether a solid is behind the triangle; otherwise it has two sides.
    pub solid: bool,
    /// Triangle of a mesh or heightfield.
    pub number: Option<u32>,
}

/// Calls `found` with the triangles of a shape with a pose that may touch the box `near` (`m`, in the axes of the pose's
/// parent), as [`GroundTriangles`](vehicle_core::GroundTriangles) requires.
///
/// Round shapes count as solids with 32 sides, and round borders as sharp ones. Custom shapes and lines have no triangles.
pub fn triangles_near(
    shape: &dyn Shape,
    pose: &Pose,
    near: &Aabb,
    found: &mut dyn FnMut(&ShapeTriangle),
) {
    let local = near.transform_by(&pose.inverse());
    let mut tell = |corners: [Vec3; 3], solid: bool, number: Option<u32>| {
        found(&ShapeTriangle {
            corners: corners.map(|corner| pose.transform_point(corner)),
            solid,
            number,
        });
    };
    match shape.as_typed_shape() {
        TypedShape::HalfSpace(plane) => {
            let (middle, half) = (local.center(), local.half_extents());
            if plane.normal.dot(middle).abs() <= plane.normal.abs().dot(half) {
                for corners in cut_off(plane.normal, &local) {
                    tell(corners, true, None);
                }
            }
        }
        TypedShape::Triangle(Triangle { a, b, c }) => tell([*a, *b, *c], false, None),
        TypedShape::TriMesh(mesh) => {
            for number in mesh.bvh().intersect_aabb(&local) {
                let Triangle { a, b, c } = mesh.triangle(number);
                tell([a, b, c], false, Some(number));
            }
        }
        TypedShape::HeightField(field) => {
            field.map_elements_in_local_aabb(&local, &mut |number, triangle| {
                tell([triangle.a, triangle.b, triangle.c], false, Some(number));
            });
        }
        TypedShape::Compound(compound) => {
            for part in compound.bvh().intersect_aabb(&local) {
                let (place, part) = &compound.shapes()[part as usize];
                triangles_near(&**part, &(*pose * *place), near, found);
            }
        }
        TypedShape::Voxels(voxels) => {
            let half = voxels.voxel_size() * 0.5;
            for voxel in voxels.voxels_intersecting_local_aabb(&local) {
                if !voxel.state.is_empty() {
                    of_cuboid(voxel.center, half, &mut |corners| tell(corners, true, None));
                }
            }
        }
        _ if !shape.compute_local_aabb().intersects(&local) => {}
        TypedShape::Cuboid(cuboid) => {
            of_cuboid(Vec3::ZERO, cuboid.half_extents, &mut |corners| {
                tell(corners, true, None);
            });
        }
        TypedShape::RoundCuboid(round) => {
            let half = round.inner_shape.half_extents + round.border_radius;
            of_cuboid(Vec3::ZERO, half, &mut |corners| tell(corners, true, None));
        }
        TypedShape::ConvexPolyhedron(solid) => {
            of_polyhedron(solid, &mut |corners| tell(corners, true, None));
        }
        TypedShape::RoundConvexPolyhedron(round) => {
            of_polyhedron(&round.inner_shape, &mut |corners| tell(corners, true, None));
        }
        other => {
            let (vertices, triangles) = of_round(&other);
            for corners in triangles {
                tell(corners.map(|corner| vertices[corner as usize]), true, None);
            }
        }
    }
}

/// Two triangles of the plane through the origin with this unit normal, around a box.
fn cut_off(normal: Vec3, near: &Aabb) -> [[Vec3; 3]; 2] {
    let middle = near.center() - normal * near.center().dot(normal);
    let (u, v) = normal.any_orthonormal_pair();
    let reach = near.half_extents().length() + 1.0;
    let (u, v) = (u * reach, v * reach);
    let [a, b, c, d] = [-u - v, u - v, u + v, v - u].map(|corner| middle + corner);
    [[a, b, c], [a, c, d]]
}

fn of_cuboid(center: Vec3, half_extents: Vec3, tell: &mut dyn FnMut([Vec3; 3])) {
    for face in FACES {
        let [a, b, c, d] = face.map(|signs| center + signs * half_extents);
        tell([a, b, c]);
        tell([a, c, d]);
    }
}

fn of_polyhedron(solid: &ConvexPolyhedron, tell: &mut dyn FnMut([Vec3; 3])) {
    let (points, around) = (solid.points(), solid.vertices_adj_to_face());
    for face in solid.faces() {
        let first = face.first_vertex_or_edge as usize;
        let corners = &around[first..first + face.num_vertices_or_edges as usize];
        for ends in corners.windows(2).skip(1) {
            tell([corners[0], ends[0], ends[1]].map(|corner| points[corner as usize]));
        }
    }
}

/// Triangles in place of a round shape; none for lines and custom shapes.
fn of_round(shape: &TypedShape<'_>) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    match shape {
        TypedShape::Ball(ball) => ball.to_trimesh(SIDES, SIDES / 2),
        TypedShape::Capsule(capsule) => capsule.to_trimesh(SIDES, SIDES / 2),
        TypedShape::Cylinder(cylinder) => cylinder.to_trimesh(SIDES),
        TypedShape::RoundCylinder(round) => round.inner_shape.to_trimesh(SIDES),
        TypedShape::Cone(cone) => cone.to_trimesh(SIDES),
        TypedShape::RoundCone(round) => round.inner_shape.to_trimesh(SIDES),
        _ => (Vec::new(), Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hull;
    use glam::Quat;
    use parry3d::query::{Ray, RayCast as _};
    use parry3d::shape::{Compound, RoundShape, SharedShape, Voxels};
    use rstest::rstest;

    fn polyhedron() -> SharedShape {
        SharedShape::new(hull())
    }

    fn compound() -> SharedShape {
        let aside = Pose::from_parts(Vec3::X * 0.8, Quat::from_rotation_z(0.4));
        SharedShape::new(Compound::new(vec![
            (Pose::IDENTITY, SharedShape::cuboid(0.3, 0.4, 0.5)),
            (aside, polyhedron()),
        ]))
    }

    fn voxels() -> SharedShape {
        let filled = [[0, 0, 0], [1, 0, 0], [1, 1, 0]].map(Into::into);
        SharedShape::new(Voxels::new(Vec3::splat(0.4), &filled))
    }

    /// The nearest triangle that a ray crosses from outside.
    fn crossed(triangles: &[ShapeTriangle], ray: &Ray) -> Option<f32> {
        let distances = triangles.iter().filter_map(|triangle| {
            let [a, b, c] = triangle.corners;
            let outward = (b - a).cross(c - a);
            assert!(triangle.solid);
            let faces = outward.dot(ray.dir) < 0.0;
            let hit = Triangle::new(a, b, c).cast_local_ray(ray, 99.0, true);
            hit.filter(|_| faces)
        });
        distances.reduce(f32::min)
    }

    /// Accuracy of Parry's rays on convex shapes, which it casts by iteration (`m`).
    const PARRYS: f32 = 3e-4;

    /// What a ray hits from outside is on a triangle that faces it: exactly, of round shapes within their sides.
    #[rstest]
    #[case::cuboid(SharedShape::cuboid(0.3, 0.4, 0.5), 1e-5)]
    #[case::polyhedron(polyhedron(), PARRYS)]
    #[case::compound(compound(), PARRYS)]
    #[case::voxels(voxels(), 1e-5)]
    #[case::ball(SharedShape::ball(0.5), 0.02)]
    #[case::capsule(SharedShape::capsule_y(0.3, 0.4), 0.02)]
    #[case::cylinder(SharedShape::cylinder(0.3, 0.4), 0.02)]
    #[case::cone(SharedShape::cone(0.4, 0.5), 0.03)]
    #[case::round_box(SharedShape::new(RoundShape {
        inner_shape: parry3d::shape::Cuboid::new(Vec3::splat(0.4)),
        border_radius: 0.01,
    }), 0.02)]
    fn triangles_are_where_rays_hit(#[case] shape: SharedShape, #[case] within: f32) {
        let pose = Pose::from_parts(Vec3::new(2.0, -1.0, 0.5), Quat::from_rotation_x(0.7));
        let whole = Aabb::new(Vec3::splat(-9.0), Vec3::splat(9.0));
        let mut triangles = Vec::new();
        triangles_near(&*shape, &pose, &whole, &mut |triangle| {
            triangles.push(*triangle);
        });
        let mut hits = 0;
        for n in 0..81 {
            let (x, y) = ((n % 9) as f32 * 0.21 - 0.83, (n / 9) as f32 * 0.21 - 0.87);
            let ray = Ray::new(Vec3::new(2.0 + x, y - 1.0, 5.0), Vec3::NEG_Z);
            // Sides of round shapes are off the more, the more a ray grazes them.
            let theirs = shape.cast_ray_and_get_normal(&pose, &ray, 99.0, true);
            let theirs = theirs.filter(|hit| hit.normal.z > 0.5);
            let theirs = theirs.map(|hit| hit.time_of_impact);
            let ours = crossed(&triangles, &ray);
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                assert!((ours - theirs).abs() < within, "{x} {y}: {ours} {theirs}");
                hits += 1;
            }
        }
        assert!(hits > 4, "{hits}");
    }

    /// A box beside a shape has no triangles of it, nor one that a plane does not cross.
    #[rstest]
    #[case::cuboid(SharedShape::cuboid(0.3, 0.4, 0.5))]
    #[case::plane(SharedShape::halfspace(Vec3::Z))]
    #[case::polyhedron(polyhedron())]
    fn a_box_beside_a_shape_has_no_triangles(#[case] shape: SharedShape) {
        let near = Aabb::new(Vec3::splat(2.0), Vec3::splat(3.0));
        triangles_near(&*shape, &Pose::IDENTITY, &near, &mut |triangle| {
            panic!("{triangle:?}")
        });
    }
}
