//! Wheel sweeps over a heightfield.

use glam::DVec2;
use parry_query::{ShapeHit, sweep_plane};

use super::HeightField;
use super::walk::upper_half;
use crate::ground::Sweep;

impl HeightField {
    /// Hits of a sweep on the triangles, from above.
    pub(super) fn sweep_facets(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        let (low, high) = sweep.bounds();
        let ends = [low, high].map(|corner| self.axes.to_local(corner - self.origin));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let Some([rows, columns]) = self.cells_between(low, high) else {
            return;
        };
        let mut overlaps = false;
        for i in rows {
            for j in columns.clone() {
                for upper in [false, true] {
                    if let Some(hit) = self.sweep_facet(sweep, [i, j], upper) {
                        overlaps |= hit.distance == 0.0;
                        found(hit);
                    }
                }
            }
        }
        if !overlaps {
            self.buried(sweep).into_iter().for_each(found);
        }
    }

    /// The hit of a sweep on one triangle, from above.
    fn sweep_facet(&self, sweep: &Sweep, [i, j]: [usize; 2], upper: bool) -> Option<ShapeHit> {
        let corners = self.corners_of([i, j], upper);
        let outward = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let hit = sweep.meets(outward).then(|| sweep.triangle(corners))??;
        Some(ShapeHit {
            triangle: Some(self.number([i, j], upper)),
            ..hit
        })
    }

    /// The overlap of a wheel whose center is below the surface.
    fn buried(&self, sweep: &Sweep) -> Option<ShapeHit> {
        let above = self.surface(sweep.start)? - sweep.start;
        let local = self.axes.to_local(sweep.start - self.origin) / self.cell;
        let at = DVec2::new(local.x, local.y);
        let cell = self.cell_at(at);
        let upper = upper_half(cell, at);
        let slope = self.facet(cell, upper).slope / self.cell;
        let normal = self.axes.to_world((-slope).extend(1.0).normalize());
        let height = -above.dot(normal);
        let hit = (height < 0.0).then(|| sweep_plane(normal, height, &sweep.way))??;
        Some(ShapeHit {
            triangle: Some(self.number(cell, upper)),
            ..hit
        })
    }
}
