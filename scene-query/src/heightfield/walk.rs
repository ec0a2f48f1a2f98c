//! A ray's traversal of the cells of a heightfield.

use glam::DVec2;

use crate::heightfield::HeightField;

/// Whether a point in grid units is in the half of its cell toward `(i, j + 1)`.
pub(crate) fn upper_half([i, j]: [usize; 2], at: DVec2) -> bool {
    at.y - j as f64 > at.x - i as f64
}

/// The plane of one triangle, in grid units horizontally and meters vertically.
pub(crate) struct Facet {
    pub(crate) corner: DVec2,
    pub(crate) base: f64,
    pub(crate) slope: DVec2,
}

impl Facet {
    pub(crate) fn height(&self, at: DVec2) -> f64 {
        self.base + self.slope.dot(at - self.corner)
    }
}

/// A ray over the grid, in grid units horizontally and meters vertically; its parameter t is in
/// meters.
///
/// In grid units every grid line is an integer, so the cell of a point is exact.
pub(crate) struct Walk {
    pub(crate) start: DVec2,
    pub(crate) way: DVec2,
    pub(crate) start_height: f64,
    pub(crate) climb: f64,
}

/// The part of a ray over the grid.
pub(crate) struct Span {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Outward normal of the grid side through which the ray enters.
    pub(crate) entry: Option<DVec2>,
}

impl Walk {
    pub(crate) fn at(&self, t: f64) -> DVec2 {
        self.start + self.way * t
    }

    /// Height of the ray above a facet's plane (`m`).
    pub(crate) fn above(&self, facet: &Facet, t: f64) -> f64 {
        self.start_height + self.climb * t - facet.height(self.at(t))
    }

    /// The part over the grid and not above all heights.
    pub(crate) fn span(&self, field: &HeightField, length: f64) -> Option<Span> {
        let mut span = Span {
            from: 0.0,
            to: length,
            entry: None,
        };
        for (k, unit) in [DVec2::X, DVec2::Y].into_iter().enumerate() {
            let (start, way, end) = (self.start[k], self.way[k], (field.size()[k] - 1) as f64);
            if way == 0.0 {
                if start < 0.0 || start > end {
                    return None;
                }
                continue;
            }
            let (near, far) = if way > 0.0 { (0.0, end) } else { (end, 0.0) };
            let enter = (near - start) / way;
            if enter > span.from {
                span.from = enter;
                span.entry = Some(-unit * way.signum());
            }
            span.to = span.to.min((far - start) / way);
        }
        if self.start_height > field.highest {
            let enter = (field.highest - self.start_height) / self.climb;
            if self.climb >= 0.0 {
                return None;
            }
            if enter > span.from {
                span.from = enter;
                span.entry = None;
            }
        }
        (span.from <= span.to).then_some(span)
    }

    /// The parameter at which it leaves cell `index` along axis `k`.
    fn leaves(&self, k: usize, index: usize) -> f64 {
        let way = self.way[k];
        if way > 0.0 {
            ((index + 1) as f64 - self.start[k]) / way
        } else if way < 0.0 {
            (index as f64 - self.start[k]) / way
        } else {
            f64::INFINITY
        }
    }

    /// The parameter at which it crosses the diagonal of a cell.
    fn crosses_diagonal(&self, [i, j]: [usize; 2]) -> f64 {
        let offset = (self.start.x - i as f64) - (self.start.y - j as f64);
        offset / (self.way.y - self.way.x)
    }

    /// Parameter at which the ray passes through the surface of one cell between `from` and `to`, and whether in the upper
    /// triangle.
    ///
    /// The height above the surface is continuous across cells, and this finds its change of sign.
    /// Rounding can therefore move a hit to the next triangle, but never lose it.
    fn through_cell(
        &self,
        field: &HeightField,
        cell: [usize; 2],
        from: f64,
        to: f64,
    ) -> Option<(f64, bool)> {
        let middle = self.crosses_diagonal(cell);
        let ends = if middle > from && middle < to {
            [from, middle, to]
        } else {
            [from, to, to]
        };
        ends.windows(2).find_map(|part| {
            let upper = upper_half(cell, self.at(0.5 * (part[0] + part[1])));
            let facet = field.facet(cell, upper);
            let (before, after) = (self.above(&facet, part[0]), self.above(&facet, part[1]));
            let down = after <= 0.0 && after < before;
            down.then(|| {
                let share = before.max(0.0) / (before - after);
                (part[0] + (part[1] - part[0]) * share, upper)
            })
        })
    }

    /// The first intersection with the surface: the parameter, the cell, the triangle.
    pub(crate) fn first(
        &self,
        field: &HeightField,
        span: &Span,
    ) -> Option<(f64, [usize; 2], bool)> {
        let mut cell = field.cell_at(self.at(span.from));
        let mut from = span.from;
        loop {
            let leaves = [self.leaves(0, cell[0]), self.leaves(1, cell[1])];
            let to = leaves[0].min(leaves[1]).min(span.to).max(from);
            if let Some((t, upper)) = self.through_cell(field, cell, from, to) {
                return Some((t, cell, upper));
            }
            if to >= span.to {
                return None;
            }
            let k = usize::from(leaves[1] < leaves[0]);
            let next = if self.way[k] > 0.0 {
                cell[k] + 1
            } else {
                cell[k].checked_sub(1)?
            };
            if next > field.size()[k] - 2 {
                return None;
            }
            cell[k] = next;
            from = to;
        }
    }
}
