//! Ground of an Avian app, and its materials.

use avian3d::prelude::{CollisionLayers, LayerMask, RigidBody, RigidBodyDisabled};
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Component, Entity, Has, Query, Res, Resource};
use parry_query::GroundOptions;
use vehicle_core::{MaterialId, QueryFilter};

use crate::ChassisFrame;
use crate::convert::body_id;

/// Bodies that count as ground in this app: a resource.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VehicleGround(pub GroundOptions);

/// Ground material of a collider; a component of the collider's entity. Without it, the material is
/// 0.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroundMaterial(pub MaterialId);

/// Material of each triangle of a mesh or heightfield, by Parry's triangle id; a component of the
/// collider's entity. A triangle beyond the list has the collider's [`GroundMaterial`].
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct TriangleMaterials(pub Vec<MaterialId>);

/// Queries that decide whether a collider is ground.
#[derive(SystemParam)]
pub(crate) struct GroundFilter<'w, 's> {
    options: Res<'w, VehicleGround>,
    layers: Query<'w, 's, &'static CollisionLayers>,
    bodies: Query<
        'w,
        's,
        (
            &'static RigidBody,
            Has<ChassisFrame>,
            Has<RigidBodyDisabled>,
        ),
    >,
}

impl GroundFilter<'_, '_> {
    /// Whether a collider is ground for this query, by its layers.
    pub(crate) fn is_in_layers(memberships: LayerMask, filter: &QueryFilter) -> bool {
        memberships.0 & filter.layers != 0
    }

    /// Whether colliders of a body are ground for this query.
    pub(crate) fn is_of_ground(&self, body: Entity, filter: &QueryFilter) -> bool {
        if filter.ignore.contains(&Some(body_id(body))) {
            return false;
        }
        let Ok((_, vehicle, disabled)) = self.bodies.get(body) else {
            return true;
        };
        !disabled && (self.options.0.drive_on_vehicles || !vehicle)
    }

    pub(crate) fn are_dynamic_bodies(&self, filter: &QueryFilter) -> bool {
        filter.dynamic_bodies && self.options.0.drive_on_dynamic
    }

    /// Whether a collider of a body is ground for this query.
    pub(crate) fn admit(
        &self,
        collider: Entity,
        body: Option<Entity>,
        filter: &QueryFilter,
    ) -> bool {
        let layers = self.layers.get(collider).copied().unwrap_or_default();
        let kind = body.and_then(|body| self.bodies.get(body).ok());
        let dynamic = kind.is_some_and(|(kind, ..)| kind.is_dynamic());
        Self::is_in_layers(layers.memberships, filter)
            && (!dynamic || self.are_dynamic_bodies(filter))
            && body.is_none_or(|body| self.is_of_ground(body, filter))
    }
}
