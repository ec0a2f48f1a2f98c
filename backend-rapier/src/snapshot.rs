//! Copies of a physics world, for rollback.

use rapier3d::pipeline::{CollisionPipeline, PhysicsPipeline, PhysicsWorld};

/// A copy of everything that determines a world's future: the same steps give the same bits.
///
/// Rapier's sets are `Clone`, its [`PhysicsWorld`] is not; its pipelines hold only working memory.
/// Keep a clone of the [`RapierLink`](crate::RapierLink) with it, and take both between
/// [`end_step`](crate::RapierLink::end_step) and the next update.
#[must_use]
pub fn copy_of(world: &PhysicsWorld) -> PhysicsWorld {
    PhysicsWorld {
        gravity: world.gravity,
        integration_parameters: world.integration_parameters,
        physics_pipeline: PhysicsPipeline::new(),
        collision_pipeline: CollisionPipeline::new(),
        islands: world.islands.clone(),
        broad_phase: world.broad_phase.clone(),
        narrow_phase: world.narrow_phase.clone(),
        bodies: world.bodies.clone(),
        colliders: world.colliders.clone(),
        impulse_joints: world.impulse_joints.clone(),
        multibody_joints: world.multibody_joints.clone(),
        soft_bodies: world.soft_bodies.clone(),
        ccd_solver: world.ccd_solver.clone(),
    }
}
