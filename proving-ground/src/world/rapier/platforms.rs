//! Platforms: kinematic bodies, moved by velocities or by poses.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{BodyError, BodyId};
use jounce::rapier::{body_handle, body_id};
use rapier3d::math::Pose;
use rapier3d::prelude::{
    ColliderBuilder, MassProperties, RigidBody, RigidBodyBuilder, RigidBodyType,
};

use super::{Rapier, slippery_as_hulls};
use crate::error::ProvingError;
use crate::world::PLATFORM_HALF;
use crate::world::abilities::{GuidedPlatforms, Platforms};
use crate::world::collider::ColliderSpec;

impl Rapier {
    fn platform(&mut self, id: BodyId, kind: RigidBodyType) -> Result<&mut RigidBody, BodyError> {
        let body = self.physics.bodies.get_mut(body_handle(id));
        let body = body.filter(|body| body.is_kinematic());
        let body = body.ok_or(BodyError::Missing(id))?;
        body.set_body_type(kind, true);
        Ok(body)
    }
}

impl Platforms for Rapier {
    fn add_platform(&mut self, top: DVec3) -> Result<BodyId, ProvingError> {
        ColliderSpec::platform(top)?;
        let slab = RigidBodyBuilder::kinematic_velocity_based()
            .translation(top.as_vec3())
            // It rotates about its center of mass, which a massless collider alone would move.
            .additional_mass_properties(MassProperties::new(Vec3::ZERO, 1.0, Vec3::ONE));
        let body = self.physics.insert_body(slab);
        let half = PLATFORM_HALF;
        let collider = ColliderBuilder::cuboid(half.x, half.y, half.z)
            .translation(Vec3::NEG_Z * half.z)
            .density(0.0);
        self.physics
            .insert_collider(slippery_as_hulls(collider), Some(body));
        // Otherwise its center of mass would be the slab's until the first step.
        if let Some(slab) = self.physics.bodies.get_mut(body) {
            slab.recompute_mass_properties_from_colliders(&self.physics.colliders);
        }
        self.index();
        Ok(body_id(body))
    }

    fn set_platform_velocity(
        &mut self,
        id: BodyId,
        linear: Vec3,
        angular: Vec3,
    ) -> Result<(), ProvingError> {
        let body = self.platform(id, RigidBodyType::KinematicVelocityBased)?;
        body.set_linvel(linear, true);
        body.set_angvel(angular, true);
        Ok(())
    }
}

impl GuidedPlatforms for Rapier {
    fn guide_platform(
        &mut self,
        id: BodyId,
        top: DVec3,
        rotation: Quat,
    ) -> Result<(), ProvingError> {
        let body = self.platform(id, RigidBodyType::KinematicPositionBased)?;
        body.set_next_kinematic_position(Pose::from_parts(top.as_vec3(), rotation));
        Ok(())
    }
}
