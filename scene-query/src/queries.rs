//! Rays and sweeps in the standalone world.

use vehicle_core::scene_query::SceneQuery;
use vehicle_core::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use vehicle_core::{
    BodyError, BodyId, GroundHit, GroundRay, GroundTriangle, GroundTriangles, TriangleQuery,
};

use crate::grounds::{sweep_all, sweep_first};
use crate::hulls::HullPresence;
use crate::standalone::Standalone;

impl Standalone {
    /// Sets the presence of a body's hull to other bodies, and to rays and sweeps: a ghost, unless set.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_presence(&mut self, id: BodyId, presence: HullPresence) -> Result<(), BodyError> {
        self.body_mut(id)?.wake();
        self.constraints.hulls.set(id, presence);
        Ok(())
    }

    /// Calls `found` with all hits of one sweep: on fixed ground, on platforms, on bodies.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        self.scenery.sweep(query, found);
        self.constraints.hulls.sweep(&self.bodies, query, found);
    }
}

impl SceneQuery for Standalone {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one hit per ray");
        let hulls = &self.constraints.hulls;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = hulls.answer(&self.bodies, ray, self.scenery.answer(ray));
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

/// Triangles of fixed ground, then those of platforms, then those of the hulls of bodies.
impl GroundTriangles for Standalone {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        for (number, query) in queries.iter().enumerate() {
            let mut found = |triangle: &GroundTriangle| on_triangle(number, triangle);
            self.scenery.tell_triangles(query, &mut found);
            let hulls = &self.constraints.hulls;
            hulls.tell_triangles(&self.bodies, query, &mut found);
        }
    }
}

impl SweepQuery for Standalone {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        sweep_first(sweeps, hits, |query, found| self.sweep(query, found));
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        sweep_all(sweeps, found, |query, found| self.sweep(query, found));
    }
}
