//! Wheel colliders: for collisions of other bodies with a car's wheels.
//!
//! They take no part in driving. The vehicle's own probes carry it; a wheel collider on drivable
//! ground would carry it a second time. So either wheels collide with everything except the
//! drivable ground, by collision groups ([`wheel_groups`]), or each of their contacts is shared
//! with the suspension (see [`contact`](crate::contact)). They are massless colliders of the
//! chassis body.

use glam::{Quat, Vec3};
use rapier3d::dynamics::RigidBodySet;
use rapier3d::geometry::{
    ColliderBuilder, ColliderHandle, ColliderSet, Group, InteractionGroups, InteractionTestMode,
};
use rapier3d::math::Pose;
use vehicle_core::{BodyError, BodyId, Frame, Vehicle};

use crate::convert::{body_handle, pose_in_body};
use parry_query::WheelSize;

/// Faults of wheel colliders.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WheelFault {
    /// The chassis does not exist, or cannot be driven.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A wheel without a valid size.
    #[error("wheel {wheel} has radius {} m and width {} m: both must be finite and > 0", size.radius, size.width)]
    Size {
        /// Index of the wheel, from 0.
        wheel: usize,
        /// Size of the wheel.
        size: WheelSize,
    },
    /// The collider does not exist (any more), or has no body.
    #[error("wheel collider {0:?} is gone or has no body")]
    Gone(ColliderHandle),
    /// The collider does not exist, or belongs to another body than the vehicle's.
    #[error("collider {0:?} is no wheel of the vehicle on {1:?}")]
    NotOf(ColliderHandle, BodyId),
    /// The contacts of this wheel are already shared.
    #[error("the contacts of wheel collider {0:?} are shared already")]
    Twice(ColliderHandle),
    /// The hooks' flag was removed from a wheel: it stands on the ground in addition to its
    /// suspension.
    #[error("wheel collider {0:?} has lost ActiveHooks::MODIFY_SOLVER_CONTACTS")]
    NotAsked(ColliderHandle),
    /// Rapier merges the contacts of nearly parallel faces before it calls the hooks.
    #[error(
        "IntegrationParameters::contact_clustering merges contacts that are decided one by one: set \
         it to false"
    )]
    Clustering,
    /// Rapier sweeps fast bodies without calling the hooks, and hits the ground under the wheels.
    #[error(
        "from about {speed:.1} m/s on, Rapier's continuous collision detection brakes {chassis:?} \
         on the ground under its wheels: set IntegrationParameters::max_ccd_substeps to 0 and the \
         body's soft_ccd_prediction to more than its way in a step, or do not share its contacts"
    )]
    Swept {
        /// The chassis.
        chassis: BodyId,
        /// Speed above which this happens (`m/s`).
        speed: f32,
    },
}

/// Collision groups of wheels that never touch drivable ground.
///
/// * `wheels`: the groups that wheels are members of. Vehicles that must not drive over wheels omit
///   these bits from their layers.
/// * `drivable`: the groups of drivable ground. Ground must be a member of these groups **only**:
///   Rapier's default is membership of all groups, which wheels do collide with.
#[must_use]
pub const fn wheel_groups(wheels: Group, drivable: Group) -> InteractionGroups {
    InteractionGroups::new(wheels, drivable.complement(), InteractionTestMode::And)
}

/// Attaches a cylinder per wheel to the chassis, at the vehicle's origin until [`pose_wheels`]
/// places it; `None` creates no collider.
///
/// The colliders have no mass, and Rapier's default friction and restitution.
///
/// Without shared contacts, Rapier's continuous collision detection covers them like any collider:
/// against fixed bodies by default, against all with `RigidBodyBuilder::ccd_enabled` of the
/// chassis.
///
/// # Errors
/// If the chassis does not exist or is not dynamic, or a size is not finite and > 0; then nothing is
/// attached.
pub fn attach_wheels(
    bodies: &mut RigidBodySet,
    colliders: &mut ColliderSet,
    chassis: BodyId,
    frame: &Frame,
    sizes: &[Option<WheelSize>],
    groups: InteractionGroups,
) -> Result<Vec<Option<ColliderHandle>>, WheelFault> {
    let body = body_handle(chassis);
    let found = bodies.get(body).ok_or(BodyError::Missing(chassis))?;
    if !found.is_dynamic() {
        return Err(BodyError::NotDynamic(chassis).into());
    }
    let good = |length: f32| length > 0.0 && length.is_finite();
    for (wheel, size) in sizes.iter().enumerate() {
        if let &Some(size) = size
            && !(good(size.radius) && good(size.width))
        {
            return Err(WheelFault::Size { wheel, size });
        }
    }
    let start = pose_in_body(frame, Vec3::ZERO, Quat::IDENTITY);
    let mut attach = |size: WheelSize| {
        let wheel = ColliderBuilder::cylinder(0.5 * size.width, size.radius)
            .position(start)
            .density(0.0)
            .collision_groups(groups);
        colliders.insert_with_parent(wheel, body, bodies)
    };
    Ok(sizes.iter().map(|size| size.map(&mut attach)).collect())
}

/// Moves wheel colliders to the wheels: `poses[i]` is the center of wheel `i` from the vehicle's
/// origin (`m`) and its rotation, both in vehicle axes (the axle is the wheel's y).
///
/// Any collider of the chassis is allowed, modeled in vehicle axes; `None`, a missing collider or
/// one without a body is skipped. The new pose takes effect in the next step. A wheel that has
/// moved by less than a twentieth of a millimeter is not updated: that would cost Rapier a new tree
/// entry, and keep the body awake. A cylinder is symmetric about its axle, so omit the rolling
/// angle: parked or driving straight, the poses then stay the same.
///
/// # Panics
/// If `wheels.len() != poses.len()`.
pub fn pose_wheels(
    colliders: &mut ColliderSet,
    wheels: &[Option<ColliderHandle>],
    poses: &[(Vec3, Quat)],
    frame: &Frame,
) {
    assert_eq!(wheels.len(), poses.len(), "one pose per wheel");
    for (&wheel, &(position, rotation)) in wheels.iter().zip(poses) {
        place(colliders, wheel, pose_in_body(frame, position, rotation));
    }
}

/// Moves wheel colliders to the wheels of a vehicle, without their rolling angles. Poses are
/// relative to the center of mass, so the body's origin does not matter. A missing chassis is
/// skipped.
///
/// # Panics
/// If there is not exactly one entry per wheel.
pub fn follow_wheels(
    bodies: &RigidBodySet,
    colliders: &mut ColliderSet,
    wheels: &[Option<ColliderHandle>],
    vehicle: &Vehicle,
    frame: &Frame,
) {
    assert_eq!(wheels.len(), vehicle.model().wheel_count(), "one per wheel");
    let Some(body) = bodies.get(body_handle(vehicle.body())) else {
        return;
    };
    let center = body.local_center_of_mass();
    for (number, &wheel) in wheels.iter().enumerate() {
        let pose = vehicle.unrolled_wheel_pose(number);
        let arm = vehicle.model().params().from_center_of_mass(pose.position);
        let mut in_body = pose_in_body(frame, arm, pose.rotation);
        in_body.translation += center;
        place(colliders, wheel, in_body);
    }
}

/// Motion of a parked car's wheels that does not move their colliders (`m`, and in a quaternion's
/// components).
const STILL: f32 = 5e-5;

fn place(colliders: &mut ColliderSet, wheel: Option<ColliderHandle>, pose: Pose) {
    let Some(handle) = wheel else { return };
    let current = colliders
        .get(handle)
        .and_then(|collider| collider.position_wrt_parent());
    let stays = |current: &Pose| {
        current.translation.abs_diff_eq(pose.translation, STILL)
            && current.rotation.abs_diff_eq(pose.rotation, STILL)
    };
    if current.is_none_or(stays) {
        return;
    }
    if let Some(collider) = colliders.get_mut(handle) {
        collider.set_position_wrt_parent(pose);
    }
}
