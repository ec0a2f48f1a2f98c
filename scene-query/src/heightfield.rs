//! A grid of heights, two triangles a cell, that no ray slips through.

use glam::{DVec2, DVec3};
use parry_query::ShapeHit;
use vehicle_core::checked::Inspector;

use crate::axes::Axes;
use crate::error::{GroundError, check, finite_point, positive};
use crate::ground::{Ground, Hit, Ray, Sweep};
use crate::triangles::Triangles;
use crate::walk::{Facet, Walk, upper_half};

mod sweep;

/// Heights over a square grid, solid from the surface down; outside of the grid there is nothing.
///
/// Height `(i, j)` stands at x = `i`·cell, y = `j`·cell from the origin, in the field's own
/// [`Axes`]. Each cell is cut along the diagonal from its corner `(i, j)` to `(i + 1, j + 1)`:
/// triangle `2c` is the half towards `(i + 1, j)`, triangle `2c + 1` the half towards
/// `(i, j + 1)`, with `c = i·(columns − 1) + j`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    axes: Axes,
    origin: DVec3,
    cell: f64,
    /// How many heights along x and along y.
    size: [usize; 2],
    /// [m], the y index runs fastest.
    heights: Vec<f32>,
    pub(crate) highest: f64,
}

impl HeightField {
    /// A field from rows of heights [m]: `rows[i][j]` stands at x = i·cell, y = j·cell.
    /// `origin` [m, world] is where `rows[0][0]` would be at height 0; `cell` [m] is the grid's
    /// spacing.
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

    /// A field of `size` heights along x and y, each given by `height` [m] of x and y [m, from the
    /// origin, own axes].
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
        check("heightfield", |i| check_grid(i, origin, cell, size))?;
        let mut heights = Vec::with_capacity(size[0] * size[1]);
        for i in 0..size[0] {
            for j in 0..size[1] {
                heights.push(height(i as f64 * cell, j as f64 * cell) as f32);
            }
        }
        Self::from_heights(axes, origin, cell, size, heights)
    }

    /// The grid has been checked, the heights have not.
    fn from_heights(
        axes: Axes,
        origin: DVec3,
        cell: f64,
        size: [usize; 2],
        heights: Vec<f32>,
    ) -> Result<Self, GroundError> {
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

    /// Where the height `(0, 0)` would be at height 0 [m, world].
    #[must_use]
    pub const fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The heights over the origin [m], the y index runs fastest.
    #[must_use]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// How many heights there are along x and along y.
    #[must_use]
    pub const fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Extent along x and y [m, own axes].
    #[must_use]
    pub fn extent(&self) -> DVec2 {
        DVec2::new((self.size[0] - 1) as f64, (self.size[1] - 1) as f64) * self.cell
    }

    /// The point of the surface over or under `point` [m, world]; `None` beside the field.
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

    /// Its surface, without the sides: vertex `(i, j)` is number `i·columns + j`, and triangles are
    /// numbered as in hits.
    #[must_use]
    pub fn triangles(&self) -> Triangles {
        let [rows, columns] = self.size;
        let grid = |rows: usize, columns: usize| {
            (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)))
        };
        let cell = |(i, j): (usize, usize)| {
            // Numbers fit: there are at most 2³¹ vertices.
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

    /// The vertex `(i, j)` of the grid [m, world].
    pub(crate) fn vertex(&self, i: usize, j: usize) -> DVec3 {
        let height = f64::from(self.heights[i * self.size[1] + j]);
        let local = DVec3::new(i as f64 * self.cell, j as f64 * self.cell, height);
        self.origin + self.axes.to_world(local)
    }

    /// The cell that holds a point in grid units; on an edge, the one after it.
    pub(crate) fn cell_at(&self, at: DVec2) -> [usize; 2] {
        // `as` saturates: what is below the grid is in cell 0.
        [
            (at.x.floor() as usize).min(self.size[0] - 2),
            (at.y.floor() as usize).min(self.size[1] - 2),
        ]
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
        // A little longer, for a hit that rounding puts just past the end; `reach` decides.
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

    /// The field's sides are no faces for sweeps.
    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        self.sweep_facets(sweep, found);
    }
}

impl HeightField {
    /// The number of a triangle.
    const fn number(&self, [i, j]: [usize; 2], upper: bool) -> u32 {
        ((i * (self.size[1] - 1) + j) * 2 + upper as usize) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use glam::Vec3;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::frame::Axis;

    const FAR: DVec3 = DVec3::new(1e5, -1e5, 9e4);

    fn bumpy(axes: Axes, cell: f64) -> HeightField {
        HeightField::from_fn(axes, FAR, cell, [7, 5], |x, y| {
            let (i, j) = ((x / cell).round(), (y / cell).round());
            (i * 7.0 + j * 3.0) % 5.0 * 0.3
        })
        .unwrap()
    }

    /// A ray in the field's own axes.
    fn ray(field: &HeightField, from: DVec3, way: DVec3, length: f32) -> Ray {
        Ray {
            origin: field.origin + field.axes.to_world(from),
            direction: field.axes.to_world(way.normalize()),
            length,
        }
    }

    /// Rows run along x and the heights within a row along y, whatever the up axis.
    #[rstest]
    #[case::z_up(Axes::Z_UP, DVec3::new(2.0, 1.0, 0.0))]
    #[case::y_up(Axes::Y_UP, DVec3::new(1.0, 0.0, 2.0))]
    #[case::x_down(Axes::up(Axis::NegX), DVec3::new(0.0, 2.0, -1.0))]
    fn axes_are_not_swapped(#[case] axes: Axes, #[case] beside: DVec3) {
        let rows = [vec![0.0, 0.0], vec![0.0, 0.0], vec![0.0, 5.0]];
        let field = HeightField::new(axes, DVec3::ZERO, 1.0, &rows).unwrap();
        let up = axes.to_world(DVec3::Z);
        let surface = field.surface(beside + up * 77.0).unwrap();
        assert_eq!(surface, beside + up * 5.0);
        assert_eq!(field.vertex(2, 1), surface);
    }

    #[test]
    fn the_diagonal_is_the_documented_one() {
        let rows = [vec![0.0, 0.0], vec![1.0, 0.0]];
        let field = HeightField::new(Axes::Z_UP, DVec3::ZERO, 2.0, &rows).unwrap();
        let hit = |x, y| {
            field
                .cast(&ray(&field, DVec3::new(x, y, 3.0), DVec3::NEG_Z, 4.0))
                .unwrap()
        };
        assert_eq!(
            (hit(1.5, 0.5).triangle, hit(1.5, 0.5).distance),
            (Some(0), 2.5)
        );
        assert_eq!(
            (hit(0.5, 1.5).triangle, hit(0.5, 1.5).distance),
            (Some(1), 3.0)
        );
        let lean = Vec3::new(-0.5, 0.5, 1.0).normalize();
        assert!((hit(1.5, 0.5).normal - lean).length() < 1e-6);
        assert_eq!(hit(0.5, 1.5).normal, Vec3::Z);
    }

    #[test]
    fn triangles_are_numbered_as_in_hits_and_look_up() {
        let field = bumpy(Axes::Y_UP, 0.5);
        let triangles = field.triangles();
        assert_eq!(triangles.corners.len(), 2 * 6 * 4);
        let up = field.axes.to_world(DVec3::Z);
        for (n, corners) in triangles.corners.iter().enumerate() {
            let [a, b, c] = corners.map(|corner| triangles.vertices[corner as usize]);
            assert!((b - a).cross(c - a).dot(up) > 0.0);
            let above = Ray {
                origin: (a + b + c) / 3.0 + up,
                direction: -up,
                length: 2.0,
            };
            assert_eq!(field.cast(&above).unwrap().triangle, Some(n as u32));
        }
    }

    #[test]
    fn beside_there_is_nothing_but_the_sides_are_walls() {
        let field = bumpy(Axes::Z_UP, 0.5);
        let extent = field.extent();
        assert_eq!(extent, DVec2::new(3.0, 2.0));
        for (x, y) in [(-0.01, 1.0), (3.01, 1.0), (1.0, -0.01), (1.0, 2.01)] {
            let down = ray(&field, DVec3::new(x, y, 3.0), DVec3::NEG_Z, 9.0);
            assert_eq!(field.cast(&down), None);
            assert_eq!(field.surface(down.origin), None);
        }
        let along = ray(&field, DVec3::new(-1.0, 1.0, -0.5), DVec3::X, 9.0);
        let hit = field.cast(&along).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec3::NEG_X));
        let under = ray(&field, DVec3::new(1.0, 1.0, -0.5), DVec3::X, 9.0);
        assert!(field.cast(&under).unwrap().inside);
    }

    #[test]
    fn faults_are_told_together() {
        let rows = [vec![0.0, 1.0], vec![0.0]];
        let error = HeightField::new(Axes::Z_UP, DVec3::ZERO, 0.0, &rows).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             heightfield.cell = 0 m: must be finite and > 0\n\
             heightfield.rows[1].length = 1: must be 2 as in rows[0]"
        );
        let rows = [vec![0.0, f32::NAN], vec![f32::INFINITY, 0.0]];
        let error = HeightField::new(Axes::Z_UP, DVec3::ZERO, 1.0, &rows).unwrap_err();
        assert_eq!(
            error.to_string(),
            "2 invalid parameter(s):\n\
             heightfield.rows[0][1] = NaN m: must be finite\n\
             heightfield.rows[1][0] = inf m: must be finite"
        );
    }

    proptest! {
        // Halves of grid units: vertices, edge middles, diagonals and cell centres, all exact.
        #[test]
        fn down_on_vertices_and_edges_hits(
            i in 0..=12_u32,
            j in 0..=8_u32,
            cell in prop_oneof![Just(0.1), Just(0.5), Just(1.7)],
        ) {
            let field = bumpy(Axes::Y_UP, cell);
            let at = DVec3::new(f64::from(i) * 0.5 * cell, f64::from(j) * 0.5 * cell, 2.0);
            // Half a micrometre inwards at most: rounding far away moves points off the grid.
            let extent = field.extent();
            let local = at.clamp(DVec3::splat(5e-7), DVec3::new(extent.x - 5e-7, extent.y - 5e-7, 9.0));
            let down = ray(&field, local, DVec3::NEG_Z, 9.0);
            let surface = field.surface(down.origin).unwrap();
            let hit = field.cast(&down).unwrap();
            let expected = (down.origin - surface).length();
            prop_assert!((f64::from(hit.distance) - expected).abs() < 1e-6);
        }

        #[test]
        fn down_anywhere_hits_at_the_height(x in 0.0..3.0_f64, y in 0.0..2.0_f64) {
            let field = bumpy(Axes::Z_UP, 0.5);
            let down = ray(&field, DVec3::new(x, y, 4.0), DVec3::NEG_Z, 9.0);
            let expected = (down.origin - field.surface(down.origin).unwrap()).length();
            prop_assert!((f64::from(field.cast(&down).unwrap().distance) - expected).abs() < 1e-6);
        }

        // A ray steeper than any slope that aims at a vertex must come in there.
        #[test]
        fn slanted_rays_at_vertices_hit(
            i in 1..6_usize,
            j in 1..4_usize,
            from in prop::array::uniform2(-4.0..4.0_f64),
        ) {
            let field = bumpy(Axes::Y_UP, 0.5);
            let vertex = field.axes.to_local(field.vertex(i, j) - field.origin);
            let start = vertex + DVec3::new(from[0], from[1], 20.0);
            let aimed = ray(&field, start, vertex - start, 40.0);
            let hit = field.cast(&aimed).unwrap();
            let at = aimed.at(f64::from(hit.distance));
            prop_assert!(hit.normal.as_dvec3().dot(aimed.direction) < 0.0);
            prop_assert!((field.vertex(i, j) - at).length() < 1e-5);
        }

        #[test]
        fn grid_lines_hide_no_wall(j in 0..=4_u32, x in -1.0..0.0_f64) {
            let field = bumpy(Axes::Z_UP, 0.5);
            let y = (f64::from(j) * 0.5).clamp(1e-6, 2.0 - 1e-6);
            let along = ray(&field, DVec3::new(x, y, 0.1), DVec3::X, 40.0);
            prop_assert!(field.cast(&along).is_some());
        }
    }

    #[test]
    fn a_ray_at_its_very_end_hits() {
        let field = bumpy(Axes::Z_UP, 0.1);
        let vertex = field.vertex(3, 2);
        let ray = Ray {
            origin: vertex + DVec3::Z,
            direction: DVec3::NEG_Z,
            length: 1.0,
        };
        assert_relative_eq!(field.cast(&ray).unwrap().distance, 1.0, epsilon = 1e-6);
    }
}
