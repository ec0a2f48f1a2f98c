//! The standalone world.

use glam::Vec3;
use jounce::core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, Outcome, Reaction,
    RigidBodies, SceneQuery,
};
use jounce::scene::{BodyDesc, Standalone};

use super::World;
use crate::error::LabError;
use crate::ground::Terrain;

/// Free bodies over a terrain's own shapes.
#[derive(Debug)]
pub struct FreeBodies(Standalone);

impl FreeBodies {
    /// The terrain, without bodies.
    #[must_use]
    pub fn new(terrain: &Terrain) -> Self {
        Self(Standalone::new(terrain.grounds.clone()))
    }
}

impl World for FreeBodies {
    fn name(&self) -> &'static str {
        "standalone"
    }

    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, LabError> {
        Ok(self.0.add(desc)?)
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        self.0.step(gravity, dt);
    }
}

impl SceneQuery for FreeBodies {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.0.cast_rays(rays, hits);
    }
}

impl RigidBodies for FreeBodies {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.0.read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.0.ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        self.0.apply(ids, outcomes)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.0.react(reactions);
    }
}
