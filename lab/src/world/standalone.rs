//! The standalone world.

use glam::Vec3;
use jounce::core::{
    BodyError, BodyId, BodyState, GroundHit, GroundMotion, GroundRay, Outcome, Reaction,
    RigidBodies, SceneQuery,
};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Hull, Standalone};

use super::{Pose, World, centre_of_mass};
use crate::error::LabError;
use crate::ground::Terrain;

/// Coulomb's friction between a body and the ground [−]: steel on asphalt.
pub(super) const HULL_FRICTION: f32 = 0.5;

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

    fn add_chassis(&mut self, car: &Car, pose: &Pose) -> Result<BodyId, LabError> {
        let desc = BodyDesc {
            rotation: pose.rotation,
            hull: Some(Hull {
                half_extents: car.hull.size * 0.5,
                centre: car.hull.centre - car.centre_of_mass(),
                friction: HULL_FRICTION,
            }),
            ..BodyDesc::at_rest(centre_of_mass(car, pose), car.mass(), car.inertia())
        };
        Ok(self.0.add(&desc)?)
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
