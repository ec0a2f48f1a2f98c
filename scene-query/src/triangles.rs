//! Triangles as data, for engines and files that need a ground's surface as such.

use glam::DVec3;

/// A surface of triangles. Meshes, heightfields, ramps and steps give theirs; a
/// [`TriangleMesh`](crate::TriangleMesh) is made of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Vertices [m, world].
    pub vertices: Vec<DVec3>,
    /// Three vertices each, counted from 0. Surfaces with an outside go round counter-clockwise
    /// seen from there.
    pub corners: Vec<[u32; 3]>,
}

impl Triangles {
    /// The corners of the box around all vertices [m, world]: least and greatest coordinates.
    /// Without vertices they are +∞ and −∞.
    #[must_use]
    pub fn bounds(&self) -> (DVec3, DVec3) {
        bounds(&self.vertices)
    }
}

pub(crate) fn bounds(vertices: &[DVec3]) -> (DVec3, DVec3) {
    let nothing = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    vertices
        .iter()
        .fold(nothing, |(low, high), &v| (low.min(v), high.max(v)))
}
