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
