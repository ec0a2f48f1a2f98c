//! Triangles as data, for engines and files that need a ground's surface.

use glam::DVec3;
use vehicle_core::checked::Inspector;

use crate::error::finite_point;

/// A surface of triangles. Meshes, heightfields, ramps and steps provide theirs; a
/// [`TriangleMesh`](crate::TriangleMesh) is built from one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Vertices (`m`, world).
    pub vertices: Vec<DVec3>,
    /// Three vertex indices each, from 0. Surfaces with an outside are counter-clockwise as seen
    /// from there.
    pub corners: Vec<[u32; 3]>,
}

impl Triangles {
    /// The corners of the bounding box of all vertices [m, world]: minimum and maximum coordinates.
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

/// Checks that there are triangles, that vertices are finite and that indices are valid.
pub(crate) fn check_triangles(i: &mut Inspector, vertices: &[DVec3], triangles: &[[u32; 3]]) {
    i.rule(
        !triangles.is_empty(),
        "triangles",
        0,
        "",
        "must be at least 1",
    );
    for (index, &vertex) in vertices.iter().enumerate() {
        if !vertex.is_finite() {
            finite_point(i, &format!("vertices[{index}]"), vertex, "m");
        }
    }
    for (index, corners) in triangles.iter().enumerate() {
        if corners.iter().any(|&c| c as usize >= vertices.len()) {
            let rule = format!("must be below {}", vertices.len());
            let name = format!("triangles[{index}]");
            i.rule(false, &name, format_args!("{corners:?}"), "", rule);
        }
    }
}
