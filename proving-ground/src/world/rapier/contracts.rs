//! The core's contracts, forwarded to the backend.

use jounce::core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, GroundSweep, GroundTriangle,
    GroundTriangles, Reaction, RigidBodies, SceneQuery, StepResult, SweepHit, SweepQuery,
    TriangleQuery,
};

use super::Rapier;

impl SceneQuery for Rapier {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.scene().cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        Some(self)
    }
}

impl GroundTriangles for Rapier {
    fn visit_triangles(
        &self,
        queries: &[TriangleQuery],
        on_triangle: &mut dyn FnMut(usize, &GroundTriangle),
    ) {
        self.scene().visit_triangles(queries, on_triangle);
    }
}

impl SweepQuery for Rapier {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        self.scene().sweep_first(sweeps, hits);
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        self.scene().sweep_all(sweeps, found);
    }
}

impl RigidBodies for Rapier {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.scene().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        let dt = self.physics.integration_parameters.dt;
        self.scene().ground_motion(id, dt)
    }

    fn apply(&mut self, ids: &[BodyId], results: &[StepResult]) -> Result<(), BodyError> {
        self.view().apply(ids, results)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.view().react(reactions);
    }
}
