//! Rays from a point on a track to its edges.

use glam::DVec2;

use super::Track;

/// Steps by which the cell of a point is sought about its projection.
const SEARCH: usize = 8;

/// A side of a cell.
#[derive(Clone, Copy, PartialEq)]
enum Exit {
    Edge,
    Before,
    After,
}

impl Track {
    /// Distance (`m`) from a point (`m`, world) to an edge of the track in a direction (`rad`, to the left of +x), at most
    /// `reach` (`m`); 0 if the point is not on the track. The ends of an open track count as edges. `s` (`m`) is the point's
    /// place along the center line, of [`Track::place`].
    ///
    /// The ray goes from cell to cell: a cell lies between the edges and two neighboring points of the center line. So it costs
    /// as much as it is long, and where a track comes near itself it stays in its part.
    #[must_use]
    pub fn ray(&self, point: DVec2, s: f64, direction: f64, reach: f64) -> f64 {
        let (sin, cos) = libm::sincos(direction);
        let way = DVec2::new(cos, sin);
        let Some(mut cell) = self.cell_of(point, s) else {
            return 0.0;
        };
        // A ray does not return to a cell.
        for _ in 0..=self.center.spans() {
            let (distance, exit) = self.leave(cell, point, way);
            if distance >= reach {
                return reach;
            }
            match self.neighbor(cell, exit) {
                Some(next) => cell = next,
                None => return distance.max(0.0),
            }
        }
        reach
    }

    /// Corners of a cell: right and left before, right and left after.
    fn corners(&self, cell: usize) -> [DVec2; 4] {
        let [[right, left], [next_right, next_left]] =
            [cell, self.center.after(cell)].map(|n| self.edges[n]);
        [right, left, next_right, next_left]
    }

    fn neighbor(&self, cell: usize, exit: Exit) -> Option<usize> {
        let spans = self.center.spans();
        match exit {
            Exit::Edge => None,
            Exit::After if cell + 1 < spans => Some(cell + 1),
            Exit::Before if cell > 0 => Some(cell - 1),
            Exit::After => self.is_closed().then_some(0),
            Exit::Before => self.is_closed().then_some(spans - 1),
        }
    }

    /// The cell in which a point lies, near its place; `None` if it is in none.
    fn cell_of(&self, point: DVec2, s: f64) -> Option<usize> {
        let mut cell = self.center.place(s).span;
        for _ in 0..SEARCH {
            let [right, left, next_right, next_left] = self.corners(cell);
            if inside(right, left, point) < 0.0 {
                cell = self.neighbor(cell, Exit::Before)?;
            } else if inside(next_left, next_right, point) < 0.0 {
                cell = self.neighbor(cell, Exit::After)?;
            } else {
                let on = inside(next_right, right, point) >= 0.0
                    && inside(left, next_left, point) >= 0.0;
                return on.then_some(cell);
            }
        }
        None
    }

    /// Distance at which a ray leaves a cell (`m`), and by which side.
    fn leave(&self, cell: usize, point: DVec2, way: DVec2) -> (f64, Exit) {
        let [right, left, next_right, next_left] = self.corners(cell);
        let sides = [
            (next_right, right, Exit::Edge),
            (left, next_left, Exit::Edge),
            (right, left, Exit::Before),
            (next_left, next_right, Exit::After),
        ];
        let mut nearest = (f64::INFINITY, Exit::Edge);
        for (from, to, exit) in sides {
            let outward = (to - from).perp_dot(way);
            if outward > 0.0 {
                let distance = inside(from, to, point) / outward;
                if distance < nearest.0 {
                    nearest = (distance, exit);
                }
            }
        }
        nearest
    }
}

/// Distance of a point from a side of a cell times the length of the side, positive within the cell, which lies to the right
/// of the way from one corner to the other.
fn inside(from: DVec2, to: DVec2, point: DVec2) -> f64 {
    -(to - from).perp_dot(point - from)
}
