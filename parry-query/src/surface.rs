//! Triangles of meshes and heightfields, numbered as in hits.

use glam::Vec3;
use parry3d::shape::{HeightField, Shape, TypedShape};

/// Vertices (`m`, the shape's axes) and the three vertex indices of each triangle, for smooth
/// normals, which need the neighbors of each triangle. `None` for shapes that do not consist of
/// triangles.
///
/// Neighbors share vertices as they do in the shape; removed triangles of a heightfield have zero
/// area.
#[must_use]
pub fn surface_triangles(shape: &dyn Shape) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => Some((mesh.vertices().to_vec(), mesh.indices().to_vec())),
        TypedShape::HeightField(field) => Some(of_heightfield(field)),
        _ => None,
    }
}

fn of_heightfield(field: &HeightField) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (rows, columns) = (field.nrows(), field.ncols());
    let mut vertices = vec![Vec3::ZERO; (rows + 1) * (columns + 1)];
    let mut corners = vec![[0; 3]; 2 * rows * columns];
    field.map_elements_in_local_aabb(&field.local_aabb(), &mut |number, triangle| {
        corners[number as usize] = [triangle.a, triangle.b, triangle.c].map(|corner| {
            // Rows run along z.
            let place = corner / field.scale() + 0.5;
            let row = (place.z * rows as f32).round() as usize;
            let column = (place.x * columns as f32).round() as usize;
            let vertex = row * (columns + 1) + column;
            vertices[vertex] = corner;
            vertex as u32
        });
    });
    (vertices, corners)
}
