//! A grid of heights, two triangles per cell, without gaps for rays.

use core::ops::RangeInclusive;

use glam::{DVec2, DVec3};
use parry_query::ShapeHit;
use vehicle_core::checked::Inspector;

use crate::axes::Axes;
use crate::error::{GroundError, check, finite_point, positive};
use crate::ground::{Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
use crate::triangles::Triangles;

mod walk;
mod sweep;

use walk::{Facet, Walk, upper_half};

/// Heights over a square grid, solid below the surface; outside the grid there is nothing.
///
/// Height `(i, j)` is at x = `i`·cell, y = `j`·cell from the origin, in the field's own [`Axes`].
/// Each cell is split along the diagonal from its corner `(i, j)` to `(i + 1, j + 1)`: triangle
/// `2c` is the half toward `(i + 1, j)`, triangle `2c + 1` the half toward `(i, j + 1)`, with `c
/// = i·(columns − 1) + j`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    axes: Axes,
    origin: DVec3,
    cell: f64,
    /// Number of heights along x and y.
    size: [usize; 2],
    /// (`m`), with the y index running fastest.
    heights: Vec<f32>,
    pub(crate) highest: f64,
}

impl HeightField {
    /// A field from rows of heights (`m`): `rows[i][j]` is at x = i·cell, y = j·cell. `origin`
    /// (`m`, world) is where `rows[0][0]` would be at height 0; `cell` (`m`) is the grid's spacing.
    ///
    /// # Errors
    /// If a number is not finite, the cell is not > 0, there are fewer than two rows or columns,
    /// more than 2³¹ cells, or rows of different lengths.
    pub fn new(
        axes: Axes,
        origin: DVec3,
        cell: f64,
        rows: &[Vec<f32>],
    ) -> Result<Self, GroundError> {
        let columns = rows.first().map_or(0, Vec::len);
        check("heightfield", |i| {
            check_grid(i, origin, cell, [rows.len(), columns]);
            for (index, row) in rows.iter().enumerate() {
                let name = format!("rows[{index}].length");
                let rule = format!("must be {columns} as in rows[0]");
                i.rule(row.len() == columns, &name, row.len(), "", rule);
            }
        })?;
        Self::from_heights(axes, origin, cell, [rows.len(), columns], rows.concat())
    }

    /// A field of `size` heights along x and y, each from the function `height` (`m`) of x and y
    /// [m, from the origin, own axes].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn from_fn(
        axes: Axes,
        origin: DVec3,
        cell: f64,
        size: [usize; 2],
        mut height: impl FnMut(f64, f64) -> f64,
    ) -> Result<Self, GroundError> {
        // Before a vector of that length is made.
        check("heightfield", |i| check_grid(i, origin, cell, size))?;
        let mut heights = Vec::with_capacity(size[0] * size[1]);
        for i in 0..size[0] {
            for j in 0..size[1] {
                heights.push(height(i as f64 * cell, j as f64 * cell) as f32);
            }
        }
        Self::from_heights(axes, origin, cell, size, heights)
    }

    /// A field of `size` heights (`m`) along x and y, with the y index running fastest; the rest is as in [`new`](Self::new).
    ///
    /// # Errors
    /// As [`new`](Self::new), or if there are not as many heights.
    pub fn from_heights(
        axes: Axes,
        origin: DVec3,
        cell: f64,
        size: [usize; 2],
        heights: Vec<f32>,
    ) -> Result<Self, GroundError> {
        check("heightfield", |i| {
            check_grid(i, origin, cell, size);
            let (found, due) = (heights.len(), size[0].saturating_mul(size[1]));
            let rule = format!("must be {due}");
            i.rule(found == due, "heights.length", found, "", rule);
        })?;
        check("heightfield", |inspector| {
            for (index, &height) in heights.iter().enumerate() {
                let name = format_args!("rows[{}][{}]", index / size[1], index % size[1]);
                if !height.is_finite() {
                    inspector.finite(&name.to_string(), height, "m");
                }
            }
        })?;
        let highest = heights.iter().fold(f32::MIN, |high, &h| high.max(h));
        Ok(Self {
            axes,
            origin,
            cell,
            size,
            heights,
            highest: f64::from(highest),
        })
    }

    /// The field's own axes.
    #[must_use]
    pub const fn axes(&self) -> Axes {
        self.axes
    }

    /// Position of height `(0, 0)` at height 0 (`m`, world).
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The heights over the origin (`m`), with the y index running fastest.
    #[must_use]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Spacing of the heights (`m`).
    #[must_use]
    pub const fn cell(&self) -> f64 {
        self.cell
    }

    /// Number of heights along x and y.
    #[must_use]
    pub const fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Extent along x and y (`m`, own axes).
    #[must_use]
    pub fn extent(&self) -> DVec2 {
        DVec2::new((self.size[0] - 1) as f64, (self.size[1] - 1) as f64) * self.cell
    }

    /// The surface point above or below `point` (`m`, world); `None` outside the field.
    #[must_use]
    pub fn surface(&self, point: DVec3) -> Option<DVec3> {
        let local = self.axes.to_local(point - self.origin);
        let at = DVec2::new(local.x, local.y) / self.cell;
        let last = DVec2::new((self.size[0] - 1) as f64, (self.size[1] - 1) as f64);
        let within = at.cmpge(DVec2::ZERO).all() && at.cmple(last).all();
        within.then(|| {
            let cell = self.cell_at(at);
            let height = self.facet(cell, upper_half(cell, at)).height(at);
            self.origin + self.axes.to_world(DVec3::new(local.x, local.y, height))
        })
    }

    /// Surface of the heightfield, without the sides: vertex `(i, j)` has index `i·columns + j`, and triangles are numbered
    /// as in hits.
    #[must_use]
    pub fn triangles(&self) -> Triangles {
        let [rows, columns] = self.size;
        let grid = |rows: usize, columns: usize| {
            (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)))
        };
        let cell = |(i, j): (usize, usize)| {
            // Indices fit: there are at most 2³¹ vertices.
            let [near, ahead] = [i, i + 1].map(|i| (i * columns + j) as u32);
            [[near, ahead, ahead + 1], [near, ahead + 1, near + 1]]
        };
        Triangles {
            vertices: grid(rows, columns)
                .map(|(i, j)| self.vertex(i, j))
                .collect(),
            corners: grid(rows - 1, columns - 1).flat_map(cell).collect(),
        }
    }

    /// The vertex `(i, j)` of the grid (`m`, world).
    pub(crate) fn vertex(&self, i: usize, j: usize) -> DVec3 {
        let height = f64::from(self.heights[i * self.size[1] + j]);
        let local = DVec3::new(i as f64 * self.cell, j as f64 * self.cell, height);
        self.origin + self.axes.to_world(local)
    }

    /// The cell that contains a point in grid units; on an edge, the next one.
    pub(crate) fn cell_at(&self, at: DVec2) -> [usize; 2] {
        // `as` saturates: points below the grid are in cell 0.
        [
            (at.x.floor() as usize).min(self.size[0] - 2),
            (at.y.floor() as usize).min(self.size[1] - 2),
        ]
    }

    /// The cells between two points (`m`, from the origin, own axes); `None` outside the grid.
    fn cells_between(&self, low: DVec3, high: DVec3) -> Option<[RangeInclusive<usize>; 2]> {
        let [low, high] = [low, high].map(|end| DVec2::new(end.x, end.y) / self.cell);
        let last = DVec2::new((self.size[0] - 1) as f64, (self.size[1] - 1) as f64);
        if low.cmpgt(last).any() || high.cmplt(DVec2::ZERO).any() {
            return None;
        }
        let (from, to) = (self.cell_at(low), self.cell_at(high));
        Some([from[0]..=to[0], from[1]..=to[1]])
    }

    /// The lowest and the highest height of a cell (`m`).
    fn heights_of(&self, [i, j]: [usize; 2]) -> [f64; 2] {
        let near = &self.heights[i * self.size[1] + j..][..2];
        let ahead = &self.heights[(i + 1) * self.size[1] + j..][..2];
        let heights = [near[0], near[1], ahead[0], ahead[1]];
        let low = heights.into_iter().fold(f32::INFINITY, f32::min);
        let high = heights.into_iter().fold(f32::NEG_INFINITY, f32::max);
        [low.into(), high.into()]
    }

    /// The corners of one of the two triangles of a cell (`m`, world), counter-clockwise from above.
    fn corners_of(&self, [i, j]: [usize; 2], upper: bool) -> [DVec3; 3] {
        let (low, high) = (self.vertex(i, j), self.vertex(i + 1, j + 1));
        if upper {
            [low, high, self.vertex(i, j + 1)]
        } else {
            [low, self.vertex(i + 1, j), high]
        }
    }

    /// One of the two triangles of a cell.
    pub(crate) fn facet(&self, [i, j]: [usize; 2], upper: bool) -> Facet {
        let height = |i: usize, j: usize| f64::from(self.heights[i * self.size[1] + j]);
        let (low, high) = (height(i, j), height(i + 1, j + 1));
        let slope = if upper {
            let side = height(i, j + 1);
            DVec2::new(high - side, side - low)
        } else {
            let side = height(i + 1, j);
            DVec2::new(side - low, high - side)
        };
        Facet {
            corner: DVec2::new(i as f64, j as f64),
            base: low,
            slope,
        }
    }
}

fn check_grid(i: &mut Inspector, origin: DVec3, cell: f64, size: [usize; 2]) {
    finite_point(i, "origin", origin, "m");
    positive(i, "cell", cell, "m");
    i.rule(size[0] >= 2, "rows", size[0], "", "must be at least 2");
    i.rule(size[1] >= 2, "columns", size[1], "", "must be at least 2");
    // Two triangles a cell, numbered in 32 bits.
    let cells = size[0].saturating_mul(size[1]);
    i.rule(
        cells <= 1 << 31,
        "heights",
        cells,
        "",
        "must be at most 2^31",
    );
}

impl Ground for HeightField {
    fn cast(&self, ray: &Ray) -> Option<Hit> {
        let origin = self.axes.to_local(ray.origin - self.origin);
        let direction = self.axes.to_local(ray.direction);
        let walk = Walk {
            start: DVec2::new(origin.x, origin.y) / self.cell,
            way: DVec2::new(direction.x, direction.y) / self.cell,
            start_height: origin.z,
            climb: direction.z,
        };
        // Slightly longer, for a hit that rounding puts just past the end; `reach` decides.
        let span = walk.span(self, f64::from(ray.length) * (1.0 + 1e-6) + 1e-9)?;
        let at = walk.at(span.from);
        let cell = self.cell_at(at);
        let sunk = walk.above(&self.facet(cell, upper_half(cell, at)), span.from) < 0.0;
        if sunk && span.from == 0.0 {
            return Some(Hit::inside(ray));
        }
        let hit = |t: f64, normal: DVec3, triangle| {
            ray.reach(t).map(|distance| Hit {
                distance,
                normal: self.axes.to_world(normal.normalize()).as_vec3(),
                triangle,
                inside: false,
            })
        };
        if let (true, Some(side)) = (sunk, span.entry) {
            return hit(span.from, side.extend(0.0), None);
        }
        let (t, cell, upper) = walk.first(self, &span)?;
        let slope = self.facet(cell, upper).slope / self.cell;
        hit(t, (-slope).extend(1.0), Some(self.number(cell, upper)))
    }

    /// The field's sides are not faces for sweeps.
    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        self.sweep_facets(sweep, found);
    }

    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle)) {
        let ends = [region.low, region.high].map(|end| self.axes.to_local(end - self.origin));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let Some([rows, columns]) = self
            .cells_between(low, high)
            .filter(|_| low.z <= self.highest)
        else {
            return;
        };
        for i in rows {
            for j in columns.clone() {
                let [lowest, highest] = self.heights_of([i, j]);
                if lowest > high.z || highest < low.z {
                    continue;
                }
                for upper in [false, true] {
                    found(&SurfaceTriangle {
                        corners: self.corners_of([i, j], upper),
                        solid: true,
                        number: Some(self.number([i, j], upper)),
                    });
                }
            }
        }
    }
}

impl HeightField {
    /// The number of a triangle.
    const fn number(&self, [i, j]: [usize; 2], upper: bool) -> u32 {
        ((i * (self.size[1] - 1) + j) * 2 + upper as usize) as u32
    }
}

#[cfg(test)]
mod tests;
