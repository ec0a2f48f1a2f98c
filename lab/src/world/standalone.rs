//! The standalone world.

use glam::{DVec3, Vec3};
use jounce::core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, Outcome, Reaction,
    RigidBodies, SceneQuery,
};
use jounce::scene::{BodyDesc, Platform, Standalone, TriangleMesh, Triangles};

use super::{PLATFORM_REACH, Snapshot, World};
use crate::error::LabError;
use crate::ground::Terrain;

/// Free bodies over a terrain's own shapes.
#[derive(Clone, Debug)]
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

    fn add_box(&mut self, _desc: &BodyDesc) -> Result<BodyId, LabError> {
        Err(LabError::Unsupported {
            world: self.name(),
            message: "its bodies meet the ground and nothing else",
        })
    }

    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, LabError> {
        let reach = f64::from(PLATFORM_REACH);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let square = Triangles {
            vertices: corners.map(|(x, y)| DVec3::new(x, y, 0.0) * reach).to_vec(),
            corners: vec![[0, 1, 2], [0, 2, 3]],
        };
        let platform = Platform::at_rest(TriangleMesh::of(&square)?, top);
        Ok(self.0.add_platform(platform)?)
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), LabError> {
        self.0.platform(id)?;
        Ok(self.0.set_velocity(id, linear, angular)?)
    }

    fn push(&mut self, id: BodyId, force: Vec3) -> Result<(), LabError> {
        Ok(self.0.set_force(id, force, Vec3::ZERO)?)
    }

    fn teleport(&mut self, id: BodyId, by: DVec3) -> Result<(), LabError> {
        let now = *self.0.body(id)?.now();
        Ok(self.0.set_pose(id, now.position + by, now.rotation)?)
    }

    fn join(&mut self, _a: BodyId, _b: BodyId, _at: DVec3) -> Result<(), LabError> {
        Err(LabError::Unsupported {
            world: self.name(),
            message: "it has no joints",
        })
    }

    fn shift_origin(&mut self, to: DVec3) {
        self.0.shift_origin(to);
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(self.clone()))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), LabError> {
        self.clone_from(snapshot.of(self.name())?);
        Ok(())
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
