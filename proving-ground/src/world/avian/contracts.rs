//! The core's contracts, forwarded to the backend.

use jounce::core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, GroundSweep, GroundTriangle,
    GroundTriangles, Reaction, RigidBodies, SceneQuery, StepResult, SweepHit, SweepQuery,
    TriangleQuery,
};

use super::Avian;

impl SceneQuery for Avian {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.view(|view| view.cast_rays(rays, hits));
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for Avian {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.view(|view| view.visit_triangles(queries, on_triangle));
    }
}

impl SweepQuery for Avian {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.view(|view| view.sweep_first(sweeps, hits));
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.view(|view| view.sweep_all(sweeps, found));
    }
}

impl RigidBodies for Avian {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.view(|view| view.read(ids, out))
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.view(|view| view.ground_motion(id))
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        self.view(|view| view.apply(ids, results))
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.view(|view| view.react(reactions));
    }
}
