//! Contacts of wheel colliders, shared between the suspension and Rapier's own solver.
//!
//! A wheel collider touches the ground that its suspension stands on, and walls and curbs that the
//! suspension does not handle. [`WheelContact`] of `vehicle-core` decides which of the two handles
//! a contact; [`WheelPhysicsHooks`] drops the suspension's, and the friction of the others targets the
//! velocity that the wheel's spin gives the car along them.
//!
//! ```text
//! share_contacts, once ─▶ publish_wheels, before each step ─▶ step_with_events(&link.hooks(), …)
//! ```
//!
//! What Rapier 0.36 cannot do:
//!
//! * **No limit on a contact's impulse**: PhysX's cap on dynamic bodies has no counterpart.
//! * **One lever arm for both bodies**: an application point moves the contact on the other body,
//!   too.
//! * **Merged contacts**: with `contact_clustering`, those of nearly parallel faces are decided
//!   together.
//! * **Sweeps call no hook**: Rapier's continuous collision detection brakes a fast car on its own
//!   ground (a wheel at 40 m/s over boxes of 10 m loses a meter within a second, and nothing without
//!   it). Instead, `RigidBody::set_soft_ccd_prediction` predicts contacts, which the hooks judge where
//!   the wheel meets them: with a distance (`m`) above that of a step, no wheel passes through a wall.
//!
//! [`check_wheels`](RapierLink::check_wheels) reports the last two.

use glam::Vec3;
use rapier3d::dynamics::{IntegrationParameters, RigidBodySet};
use rapier3d::geometry::{Collider, ColliderHandle, ColliderSet, InteractionGroups, SolverFlags};
use rapier3d::pipeline::{
    ActiveHooks, ContactModificationContext, PairFilterContext, PhysicsHooks,
};
use vehicle_core::{
    BodyId, ContactPolicy, QueryFilter, Vehicle, WheelColliderSettings, WheelContact, phases,
};

use crate::RapierLink;
use crate::body::center_of_mass;
use crate::convert::{body_handle, body_id};
use crate::wheels::WheelFault;

/// The hooks' data of one wheel, in the axes of its vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelHook {
    /// Split of contacts between the suspension and the rigid wheel.
    pub settings: WheelColliderSettings,
    /// Policy by which contacts currently belong to the suspension.
    pub policy: ContactPolicy,
    /// Direction of droop, unit (vehicle axes).
    pub travel: Vec3,
    /// Application point of rigid contacts (`m`, vehicle axes, from the center of mass); `None` for
    /// the contact points.
    pub application_point: Option<Vec3>,
    /// Reported spin (`rad/s`), positive forward.
    pub spin: f32,
    /// Filter of the ground on which the suspension may stand. Everything else is rigid, wherever it touches.
    pub filter: QueryFilter,
}

impl WheelHook {
    /// Data of wheel `wheel` of a vehicle after its update. Contacts act where the suspension's
    /// force does: with the explicit solver at its application point, with the rows solver at the
    /// contact points.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn of(vehicle: &Vehicle, wheel: usize, settings: WheelColliderSettings) -> Self {
        let params = vehicle.model().params();
        let suspension = &params.wheels[wheel].suspension;
        let explicit = params.profile.explicit().is_some();
        Self {
            settings,
            policy: settings.for_wheel(vehicle, wheel).policy,
            travel: suspension.travel_direction,
            application_point: explicit
                .then(|| params.from_center_of_mass(suspension.application_point)),
            spin: vehicle.wheel_report(wheel).spin_shown,
            filter: phases::wheel_filter(vehicle, wheel),
        }
    }
}

/// The wheels with shared contacts, sorted by raw handle.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WheelTable(Vec<Shared>);

/// A wheel collider with shared contacts.
#[derive(Clone, Debug, PartialEq)]
struct Shared {
    wheel: ColliderHandle,
    hook: WheelHook,
    /// Interaction groups of the collider before it got shared contacts.
    groups: InteractionGroups,
}

impl WheelTable {
    fn find(&self, wheel: ColliderHandle) -> Result<usize, usize> {
        let key = wheel.into_raw_parts();
        self.0
            .binary_search_by_key(&key, |entry| entry.wheel.into_raw_parts())
    }

    fn get(&self, wheel: ColliderHandle) -> Option<&WheelHook> {
        self.find(wheel).ok().map(|i| &self.0[i].hook)
    }
}

/// Shares the contacts of a vehicle's wheel colliders, as made by
/// [`attach_wheels`](crate::attach_wheels): from now on they collide with everything, and the hooks
/// decide.
///
/// # Errors
/// With the first wheel whose collider is missing, belongs to another body or is already shared, or
/// if the chassis is not dynamic; nothing is shared then.
///
/// # Panics
/// If there is not exactly one entry per wheel.
pub fn share_contacts(
    link: &mut RapierLink,
    bodies: &RigidBodySet,
    colliders: &mut ColliderSet,
    vehicle: &Vehicle,
    wheels: &[Option<ColliderHandle>],
    settings: WheelColliderSettings,
) -> Result<(), WheelFault> {
    assert_eq!(wheels.len(), vehicle.model().wheel_count(), "one per wheel");
    let own = |wheel: &ColliderHandle| {
        let parent = colliders.get(*wheel).and_then(Collider::parent);
        parent == Some(body_handle(vehicle.body()))
    };
    if let Some(&strange) = wheels.iter().flatten().find(|&wheel| !own(wheel)) {
        return Err(WheelFault::NotOf(strange, vehicle.body()));
    }
    for (number, &wheel) in wheels.iter().enumerate() {
        let Some(wheel) = wheel else { continue };
        let hook = WheelHook::of(vehicle, number, settings);
        if let Err(fault) = link.share_wheel(bodies, colliders, wheel, hook) {
            let done = wheels[..number].iter().flatten();
            done.for_each(|&wheel| link.unshare_wheel(colliders, wheel));
            return Err(fault);
        }
    }
    Ok(())
}

/// Passes the spins of a vehicle's wheels and their allowed ground to the hooks; call it after the
/// vehicle's update and before each step. A wheel without a collider, or whose contacts are not
/// shared, is skipped.
///
/// # Panics
/// If there is not exactly one entry per wheel.
pub fn publish_wheels(link: &mut RapierLink, vehicle: &Vehicle, wheels: &[Option<ColliderHandle>]) {
    assert_eq!(wheels.len(), vehicle.model().wheel_count(), "one per wheel");
    for (number, wheel) in wheels.iter().enumerate() {
        if let Some(hook) = wheel.and_then(|wheel| link.wheel_hook_mut(wheel)) {
            *hook = WheelHook::of(vehicle, number, hook.settings);
        }
    }
}

impl RapierLink {
    /// Shares the contacts of one wheel collider, without a [`Vehicle`]; otherwise as
    /// [`share_contacts`].
    ///
    /// # Errors
    /// If the collider is missing or already shared, or its body is not dynamic.
    pub fn share_wheel(
        &mut self,
        bodies: &RigidBodySet,
        colliders: &mut ColliderSet,
        wheel: ColliderHandle,
        hook: WheelHook,
    ) -> Result<(), WheelFault> {
        let collider = colliders.get_mut(wheel).ok_or(WheelFault::Gone(wheel))?;
        let chassis = collider.parent().ok_or(WheelFault::Gone(wheel))?;
        let dynamic = bodies.get(chassis).is_some_and(|body| body.is_dynamic());
        if !dynamic {
            let fault = vehicle_core::BodyError::NotDynamic(body_id(chassis));
            return Err(WheelFault::Body(fault));
        }
        let Err(place) = self.wheels.find(wheel) else {
            return Err(WheelFault::Twice(wheel));
        };
        let hooks = collider.active_hooks() | ActiveHooks::MODIFY_SOLVER_CONTACTS;
        collider.set_active_hooks(hooks);
        let groups = collider.collision_groups();
        collider.set_collision_groups(InteractionGroups::all());
        let shared = Shared {
            wheel,
            hook,
            groups,
        };
        self.wheels.0.insert(place, shared);
        Ok(())
    }

    /// Returns all contacts of a wheel collider, even a removed one, to Rapier, and restores the
    /// groups from before sharing.
    pub fn unshare_wheel(&mut self, colliders: &mut ColliderSet, wheel: ColliderHandle) {
        let Ok(place) = self.wheels.find(wheel) else {
            return;
        };
        let shared = self.wheels.0.remove(place);
        if let Some(collider) = colliders.get_mut(wheel) {
            collider.set_collision_groups(shared.groups);
            let hooks = collider.active_hooks() - ActiveHooks::MODIFY_SOLVER_CONTACTS;
            collider.set_active_hooks(hooks);
        }
    }

    /// The hooks' data of a wheel with shared contacts.
    pub fn wheel_hook_mut(&mut self, wheel: ColliderHandle) -> Option<&mut WheelHook> {
        self.wheels
            .find(wheel)
            .ok()
            .map(|i| &mut self.wheels.0[i].hook)
    }

    /// The hooks for `PhysicsPipeline::step` or `PhysicsWorld::step_with_events`.
    #[must_use]
    pub fn hooks(&self) -> WheelPhysicsHooks<'_> {
        WheelPhysicsHooks {
            link: self,
            others: &(),
        }
    }

    /// Problems for wheels with shared contacts: world settings that Rapier cannot combine with it,
    /// and wheels that have changed since. Call it after set-up, and whenever colliders of a
    /// chassis are added or removed.
    #[must_use]
    pub fn check_wheels(
        &self,
        parameters: &IntegrationParameters,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
    ) -> Vec<WheelFault> {
        let mut faults = Vec::new();
        if parameters.contact_clustering && !self.wheels.0.is_empty() {
            faults.push(WheelFault::Clustering);
        }
        for &Shared { wheel, .. } in &self.wheels.0 {
            let Some(collider) = colliders.get(wheel) else {
                faults.push(WheelFault::Gone(wheel));
                continue;
            };
            let hooks = collider.active_hooks();
            if !hooks.contains(ActiveHooks::MODIFY_SOLVER_CONTACTS) {
                faults.push(WheelFault::NotAsked(wheel));
            }
            let Some(chassis) = collider.parent() else {
                faults.push(WheelFault::Gone(wheel));
                continue;
            };
            let id = body_id(chassis);
            let swept = faults.iter().any(|fault| fault.sweeps(id));
            if let Some(body) = bodies.get(chassis)
                && parameters.max_ccd_substeps > 0
                && !swept
            {
                // Rapier sweeps bodies that move half their thinnest collider in a step.
                let shapes = body.colliders().iter().filter_map(|&c| colliders.get(c));
                let thickness = shapes.map(|c| c.shape().ccd_thickness());
                let thinnest = thickness.fold(f32::INFINITY, f32::min);
                let speed = 0.5 * thinnest / parameters.dt;
                faults.push(WheelFault::Swept { chassis: id, speed });
            }
        }
        faults
    }
}

impl WheelFault {
    fn sweeps(&self, body: BodyId) -> bool {
        matches!(self, Self::Swept { chassis, .. } if *chassis == body)
    }
}

/// Rapier's hooks for wheels with shared contacts, and for the user's own colliders.
#[derive(Clone, Copy)]
pub struct WheelPhysicsHooks<'a> {
    link: &'a RapierLink,
    others: &'a dyn PhysicsHooks,
}

impl core::fmt::Debug for WheelPhysicsHooks<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WheelPhysicsHooks")
            .field("wheels", &self.link.wheels.0.len())
            .finish_non_exhaustive()
    }
}

impl<'a> WheelPhysicsHooks<'a> {
    /// Adds the user's own hooks, which run afterwards: they filter all pairs, and see the contacts
    /// that the wheels leave.
    #[must_use]
    pub const fn and(self, others: &'a dyn PhysicsHooks) -> Self {
        Self { others, ..self }
    }

    /// The wheel of a contact as the policy expects it, with points relative to the wheel's center;
    /// and that center.
    fn wheel(
        &self,
        hook: &WheelHook,
        bodies: &RigidBodySet,
        collider: &Collider,
    ) -> Option<(WheelContact, Vec3)> {
        let chassis = collider.parent()?;
        let body = bodies.get(chassis)?;
        let (place, mass_center) = (body.position(), center_of_mass(body));
        let frame = self.link.frame(body_id(chassis));
        let center = collider.position().translation;
        let local_axle = collider.position_wrt_parent()?.transform_vector(Vec3::Y);
        // A cylinder is symmetric under reversal; spin is not.
        let left = frame.to_vehicle(local_axle).y.signum();
        let in_world = |point| mass_center + place.transform_vector(frame.to_body(point)) - center;
        let application_point = hook.application_point.map(in_world);
        let contact = WheelContact {
            settings: WheelColliderSettings {
                policy: hook.policy,
                ..hook.settings
            },
            center: Vec3::ZERO,
            axle: place.transform_vector(local_axle) * left,
            travel: place.transform_vector(frame.to_body(hook.travel)),
            spin: hook.spin,
            application_point,
        };
        Some((contact, center))
    }

    /// Applies the policy to the contacts of one manifold.
    fn share(&self, context: &mut ContactModificationContext<'_>) -> Option<()> {
        let table = &self.link.wheels;
        let pair = [context.collider1, context.collider2];
        // Of two wheels the second decides; usually neither is the other's ground.
        let second = table.get(pair[1]).is_some();
        let [other, wheel] = if second { pair } else { [pair[1], pair[0]] };
        let hook = table.get(wheel)?;
        let (bodies, colliders) = (context.bodies, context.colliders);
        let (contact, center) = self.wheel(hook, bodies, colliders.get(wheel)?)?;
        let ground = self
            .link
            .is_ground(bodies, colliders.get(other)?, &hook.filter);
        let velocity = |collider: ColliderHandle, at: Vec3| {
            let body = colliders.get(collider).and_then(Collider::parent);
            let body = body.and_then(|body| bodies.get(body));
            body.map_or(Vec3::ZERO, |body| body.velocity_at_point(at))
        };
        let hub = velocity(wheel, center);
        let manifold = context.rigid_mut()?;
        // Rapier's normals point from the first collider to the second, and its tangential velocity
        // is that of the second relative to the first.
        let sense = if second { 1.0 } else { -1.0 };
        let normal = *manifold.normal * sense;
        manifold.solver_contacts.retain_mut(|point| {
            let middle = (point.anchor1 + point.anchor2) * 0.5;
            let place = middle - center;
            let approach = hub - velocity(other, middle);
            let own = place + normal * (0.5 * point.dist.max(0.0));
            let target = contact.predicted_velocity(own, normal, point.dist, approach);
            let Some(target) = target else {
                return !ground;
            };
            point.tangent_velocity = target * sense;
            if hook.application_point.is_some() {
                let shift = contact.acting_point(place) - place;
                point.anchor1 += shift;
                point.anchor2 += shift;
            }
            true
        });
        Some(())
    }
}

impl PhysicsHooks for WheelPhysicsHooks<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        self.others.filter_contact_pair(context)
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext<'_>) -> bool {
        self.others.filter_intersection_pair(context)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        // A pair without such a wheel, or whose wheel is missing, is left unchanged.
        let _ = self.share(context);
        self.others.modify_solver_contacts(context);
    }
}
