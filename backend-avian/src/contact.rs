//! Contact hooks: whether the suspension handles a wheel collider's contact, and how a rigid one is
//! changed.
//!
//! Wheel colliders that touch everything hit curbs and walls like rigid bodies, but also the
//! ground, on which the suspension already carries the car. A hook drops the suspension's contacts
//! and applies the rim's speed to the others, by the core's
//! [`contact_policy`](vehicle_core::contact_policy).
//!
//! ```
//! use avian3d::prelude::*;
//! use backend_avian::{AvianLinkPlugin, WheelHooks, WheelHooksPlugin};
//! use bevy::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((
//!     MinimalPlugins,
//!     TransformPlugin,
//!     PhysicsPlugins::default().with_collision_hooks::<WheelHooks>(),
//!     AvianLinkPlugin,
//!     WheelHooksPlugin,
//! ));
//! ```
//!
//! Avian allows one type of hooks per app. An app with its own makes [`WheelHooks`] a field of it
//! and calls [`WheelHooks::modify`] first; Bevy refuses a plugin that is added twice.
//!
//! Avian's sweeps call no hook. Instead, [`SpeculativeCcd`](avian3d::prelude::SpeculativeCcd) predicts
//! contacts, which the hooks judge where the wheel meets them: `WheelSettings::swept`.
//!
//! Avian cannot limit the impulse of a contact, as PhysX does on dynamic bodies, nor set a target
//! velocity per point (the points of a manifold share their mean).

use avian3d::prelude::{
    ActiveCollisionHooks, AngularVelocity, CollisionHooks, ContactManifold, ContactPair,
    ContactPoint, LinearVelocity, NarrowPhaseConfig,
};
use bevy::app::{App, Plugin};
use bevy::ecs::system::SystemParam;
use bevy::prelude::{Commands, Component, Entity, Query, Resource, World};
use glam::{Quat, Vec3};
use vehicle_core::rigid_contact::{WheelColliderSettings, WheelContact};
use vehicle_core::{QueryFilter, Vehicle, phases};

use crate::ground::GroundFilter;

/// A wheel collider with modified contacts; part of the bundle that it is spawned with.
///
/// Update it before each step by [`WheelContact::of`]
/// with the body's rotation: its points are relative to the body's center of mass. Before the first
/// update it touches nothing.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[require(ActiveCollisionHooks = ActiveCollisionHooks::MODIFY_CONTACTS)]
pub struct ModifiedWheel {
    /// Split of contacts between the suspension and the rigid wheel.
    pub settings: WheelColliderSettings,
    /// Motion of the wheel.
    pub contact: Option<WheelContact>,
    /// Filter of the ground on which the wheel's suspension may stand; everything else is rigid, wherever it touches.
    /// `None` for all.
    pub ground: Option<QueryFilter>,
}

impl ModifiedWheel {
    /// Updates it from wheel `wheel` of a vehicle after its update; `rotation` is the body's,
    /// vehicle → world.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn update(&mut self, vehicle: &Vehicle, wheel: usize, rotation: Quat) {
        self.contact = Some(WheelContact::of(vehicle, wheel, rotation, self.settings));
        self.ground = Some(phases::wheel_filter(vehicle, wheel));
    }
}

/// Plugin that makes Avian call hooks in every step; besides it, the hooks must be named to Avian's `PhysicsPlugins`.
///
/// It sets `NarrowPhaseConfig::recycle_distance` to 0, which must not change: contacts of pairs
/// that have moved less are reused from the previous step without calling hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct WheelHooksPlugin;

/// Marks that hooks are called.
#[derive(Resource)]
struct HooksCalled;

/// Whether a world has [`WheelHooksPlugin`], and Avian still calls hooks in every step.
pub(crate) fn are_asked(world: &World) -> bool {
    let config = world.get_resource::<NarrowPhaseConfig>();
    world.contains_resource::<HooksCalled>() && config.is_some_and(|c| c.recycle_distance == 0.0)
}

impl Plugin for WheelHooksPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(HooksCalled);
        app.init_resource::<NarrowPhaseConfig>();
        let mut config = app.world_mut().resource_mut::<NarrowPhaseConfig>();
        config.recycle_distance = 0.0;
    }
}

/// The hooks.
#[derive(SystemParam)]
pub struct WheelHooks<'w, 's> {
    wheels: Query<'w, 's, &'static ModifiedWheel>,
    velocities: Query<'w, 's, (&'static LinearVelocity, &'static AngularVelocity)>,
    grounds: GroundFilter<'w, 's>,
}

impl core::fmt::Debug for WheelHooks<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WheelHooks").finish_non_exhaustive()
    }
}

impl CollisionHooks for WheelHooks<'_, '_> {
    fn modify_contacts(
        &self,
        contacts: &mut ContactPair,
        _commands: &mut Commands<'_, '_>,
    ) -> bool {
        self.modify(contacts)
    }
}

impl WheelHooks<'_, '_> {
    /// Drops the suspension's contacts of a pair of colliders and changes the rest; returns whether
    /// they still touch. Pairs without a [`ModifiedWheel`] are unchanged.
    pub fn modify(&self, contacts: &mut ContactPair) -> bool {
        for (collider, side) in [
            (contacts.collider1, ColliderOrder::First),
            (contacts.collider2, ColliderOrder::Second),
        ] {
            let Ok(wheel) = self.wheels.get(collider) else {
                continue;
            };
            let (other, body) = side.other(contacts);
            let filter = wheel.ground.as_ref();
            let ground = filter.is_none_or(|filter| self.grounds.admit(other, body, filter));
            let velocities = side.bodies(contacts).map(|body| self.velocity(body));
            contacts.manifolds.retain_mut(|manifold| {
                let contact = wheel.contact.as_ref();
                contact.is_some_and(|wheel| side.modify(manifold, wheel, ground, velocities))
            });
        }
        !contacts.manifolds.is_empty()
    }

    /// Velocities of a body (`m/s`, `rad/s`); zero for one that does not move.
    fn velocity(&self, body: Option<Entity>) -> [Vec3; 2] {
        let found = body.and_then(|body| self.velocities.get(body).ok());
        found.map_or([Vec3::ZERO; 2], |(linear, angular)| [linear.0, angular.0])
    }
}

/// Order of the wheel among the two colliders of a contact.
#[derive(Clone, Copy)]
enum ColliderOrder {
    First,
    Second,
}

impl ColliderOrder {
    /// Position of a contact, from the centers of mass of the wheel's body and of the other (`m`).
    fn anchors(self, point: &ContactPoint) -> [Vec3; 2] {
        match self {
            Self::First => [point.anchor1, point.anchor2],
            Self::Second => [point.anchor2, point.anchor1],
        }
    }

    /// The wheel's body and the other.
    fn bodies(self, contacts: &ContactPair) -> [Option<Entity>; 2] {
        match self {
            Self::First => [contacts.body1, contacts.body2],
            Self::Second => [contacts.body2, contacts.body1],
        }
    }

    /// The collider that the wheel touches, and its body.
    fn other(self, contacts: &ContactPair) -> (Entity, Option<Entity>) {
        match self {
            Self::First => (contacts.collider2, contacts.body2),
            Self::Second => (contacts.collider1, contacts.body1),
        }
    }

    /// Modifies a manifold; returns whether anything is left of it. If it is not `ground`, the
    /// suspension never handles it. The velocities are those of the wheel's body and of the other
    /// (`m/s`, `rad/s`).
    fn modify(
        self,
        manifold: &mut ContactManifold,
        wheel: &WheelContact,
        ground: bool,
        [own, other]: [[Vec3; 2]; 2],
    ) -> bool {
        // Avian's normal points from the first to the second.
        let sense = match self {
            Self::First => -1.0,
            Self::Second => 1.0,
        };
        let normal = manifold.normal * sense;
        let mut target = Vec3::ZERO;
        manifold.points.retain_mut(|point| {
            let [anchor, others] = self.anchors(point);
            let hub = own[0] + own[1].cross(wheel.center);
            let approach = hub - other[0] - other[1].cross(others);
            let gap = -point.penetration;
            // Avian's anchors are in the middle of a gap.
            let surface = anchor + normal * (0.5 * gap.max(0.0));
            let Some(velocity) = wheel.predicted_velocity(surface, normal, gap, approach) else {
                return !ground;
            };
            target += velocity;
            let shift = wheel.acting_point(anchor) - anchor;
            point.anchor1 += shift;
            point.anchor2 += shift;
            true
        });
        let count = manifold.points.len();
        if count == 0 {
            return false;
        }
        // The target of Avian's friction is this velocity of the first relative to the second.
        manifold.tangent_velocity = target * (-sense / count as f32);
        true
    }
}
