//! Rapier: the ground as fixed colliders, the chassis as a dynamic body.

use core::cell::RefCell;

use glam::Vec3;
use jounce::core::{
    BodyError, BodyId, BodyState, Frame, GroundHit, GroundMotion, GroundRay, Outcome, Reaction,
    RigidBodies, SceneQuery,
};
use jounce::rapier::{RapierLink, RapierScene, RapierWorld, index_colliders, set_mass_properties};
use jounce::scene::BodyDesc;
use rapier3d::math::Pose;
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, TriMeshFlags, Vector};

use super::{HULL_FRICTION, World};
use crate::error::LabError;
use crate::ground::{Solid, Terrain};

/// The body's axes are the vehicle's.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

struct Inner {
    link: RapierLink,
    physics: PhysicsWorld,
}

impl Inner {
    fn view(&mut self) -> RapierWorld<'_> {
        RapierWorld::of(&mut self.link, &mut self.physics)
    }

    fn index(&mut self) {
        let PhysicsWorld {
            integration_parameters,
            bodies,
            colliders,
            broad_phase,
            ..
        } = &mut self.physics;
        index_colliders(integration_parameters, bodies, colliders, broad_phase);
    }
}

/// A Rapier world over a terrain.
///
/// Reading a body borrows the link exclusively, hence the cell.
pub struct Rapier(RefCell<Inner>);

impl core::fmt::Debug for Rapier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rapier").finish_non_exhaustive()
    }
}

impl Rapier {
    /// The terrain as colliders: a half space, or a mesh without inner edges; steps of `dt` [s].
    ///
    /// # Errors
    /// If Rapier refuses the triangles.
    pub fn new(terrain: &Terrain, dt: f32) -> Result<Self, LabError> {
        let mut physics = PhysicsWorld::new();
        physics.integration_parameters.dt = dt;
        physics.insert_collider(ground(terrain)?.friction(HULL_FRICTION), None);
        let mut inner = Inner {
            link: RapierLink::new(FRAME),
            physics,
        };
        inner.index();
        Ok(Self(RefCell::new(inner)))
    }
}

fn ground(terrain: &Terrain) -> Result<ColliderBuilder, LabError> {
    match &terrain.solid {
        Solid::HalfSpace { point, normal } => {
            let shape = rapier3d::geometry::SharedShape::halfspace(normal.as_vec3());
            Ok(ColliderBuilder::new(shape).translation(point.as_vec3()))
        }
        Solid::Triangles(triangles) => {
            let vertices: Vec<Vector> = triangles.vertices.iter().map(|v| v.as_vec3()).collect();
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
            ColliderBuilder::trimesh_with_flags(vertices, triangles.corners.clone(), flags).map_err(
                |error| LabError::Mesh {
                    ground: terrain.name.clone(),
                    message: format!("Rapier refuses the mesh: {error:?}"),
                },
            )
        }
    }
}

impl World for Rapier {
    fn name(&self) -> &'static str {
        "Rapier"
    }

    /// The body's origin is the centre of mass.
    fn add_body(&mut self, desc: &BodyDesc) -> Result<BodyId, LabError> {
        let inner = self.0.get_mut();
        let builder = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(desc.position.as_vec3(), desc.rotation))
            .linvel(desc.linear_velocity)
            .angvel(desc.angular_velocity)
            .linear_damping(desc.linear_damping)
            .angular_damping(desc.angular_damping);
        let body = inner.physics.insert_body(builder);
        if let Some(hull) = &desc.hull {
            let half = hull.half_extents;
            let collider = ColliderBuilder::cuboid(half.x, half.y, half.z)
                .translation(hull.centre)
                .friction(hull.friction)
                .density(0.0);
            inner.physics.insert_collider(collider, Some(body));
        }
        let id = inner.link.add_chassis(body, FRAME);
        let PhysicsWorld {
            bodies, colliders, ..
        } = &mut inner.physics;
        let centre = Vec3::ZERO;
        set_mass_properties(
            bodies,
            colliders,
            id,
            &FRAME,
            desc.mass,
            desc.inertia,
            centre,
        )
        .map_err(|source| LabError::Lost { time: 0.0, source })?;
        inner.index();
        Ok(id)
    }

    fn advance(&mut self, gravity: Vec3, dt: f32) {
        let inner = self.0.get_mut();
        inner.physics.gravity = gravity;
        inner.physics.integration_parameters.dt = dt;
        inner.physics.step();
        inner.link.end_step(&mut inner.physics.bodies);
    }
}

impl SceneQuery for Rapier {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        let inner = self.0.borrow();
        let physics = &inner.physics;
        RapierScene::new(
            &inner.link,
            &physics.bodies,
            &physics.colliders,
            &physics.broad_phase,
        )
        .cast_rays(rays, hits);
    }
}

impl RigidBodies for Rapier {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.0.borrow_mut().view().read(ids, out)
    }

    fn ground_motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.0.borrow_mut().view().ground_motion(id)
    }

    fn apply(&mut self, ids: &[BodyId], outcomes: &[Outcome]) -> Result<(), BodyError> {
        self.0.get_mut().view().apply(ids, outcomes)
    }

    fn react(&mut self, reactions: &[Reaction]) {
        self.0.get_mut().view().react(reactions);
    }
}
