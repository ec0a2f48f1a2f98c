//! A convex polygon that planes cut.

use glam::Vec3;

/// Corners this far beyond a side are not cut off (`m`), so that equal faces have four corners.
pub(crate) const SLOP: f32 = 1e-4;
/// Most corners: of a rectangle cut by four planes.
const CORNERS: usize = 8;

/// A convex polygon in space (`m`).
#[derive(Clone, Copy)]
pub(crate) struct ConvexPolygon {
    corners: [Vec3; CORNERS],
    count: usize,
}

impl ConvexPolygon {
    /// The polygon with these corners, in order around it.
    pub(crate) fn new<const N: usize>(corners: [Vec3; N]) -> Self {
        let mut polygon = Self {
            corners: [Vec3::ZERO; CORNERS],
            count: 0,
        };
        corners.into_iter().for_each(|corner| polygon.push(corner));
        polygon
    }

    pub(crate) fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// Rounding may cut a side twice: what does not fit is a corner next to one that is there.
    fn push(&mut self, corner: Vec3) {
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }

    /// Leaves the part up to `most` (`m`) along a unit vector (Sutherland and Hodgman, "Reentrant polygon
    /// clipping", 1974).
    pub(crate) fn cut(&mut self, across: Vec3, most: f32) {
        let whole = *self;
        self.count = 0;
        let corners = whole.corners();
        for (n, corner) in corners.iter().enumerate() {
            let next = corners[(n + 1) % corners.len()];
            let [beyond, next_beyond] = [*corner, next].map(|point| point.dot(across) - most);
            if beyond <= 0.0 {
                self.push(*corner);
            }
            if (beyond < 0.0 && next_beyond > 0.0) || (beyond > 0.0 && next_beyond < 0.0) {
                let share = beyond / (beyond - next_beyond);
                self.push(*corner + (next - *corner) * share);
            }
        }
    }
}
