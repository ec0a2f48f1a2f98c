//! Vectors and matrices of the renderer.

use glam::{Mat4, Vec3, Vec4};

/// Vectors as those of `three_d`.
pub(super) fn vectors(vectors: &[Vec4]) -> Vec<three_d::Vec4> {
    vectors
        .iter()
        .map(|v| three_d::vec4(v.x, v.y, v.z, v.w))
        .collect()
}

/// A vector as one of `three_d`.
pub(super) fn vector(v: Vec3) -> three_d::Vec3 {
    three_d::vec3(v.x, v.y, v.z)
}

/// A matrix as one of `three_d`.
pub(super) fn matrix(m: Mat4) -> three_d::Mat4 {
    m.to_cols_array_2d().into()
}
