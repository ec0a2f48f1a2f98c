//! Wheel colliders: so that other bodies run into a car's wheels.
//!
//! They take no part in driving. The vehicle's own probes carry it; a wheel collider that touched
//! drivable ground would carry it a second time. So either wheels collide with everything except the
//! drivable ground, by collision groups ([`wheel_groups`]), or their contacts are shared with the
//! suspension, one by one (see [`contact`](crate::contact)). They ride along as massless colliders
//! of the chassis body.

use glam::{Quat, Vec3};
use rapier3d::dynamics::RigidBodySet;
use rapier3d::geometry::{
    ColliderBuilder, ColliderHandle, ColliderSet, Group, InteractionGroups, InteractionTestMode,
};
use rapier3d::math::Pose;
use vehicle_core::{BodyError, BodyId, Frame, Vehicle};

use crate::convert::{body_handle, pose_in_body};
use parry_query::WheelSize;

/// Why wheel colliders cannot do what they were to do.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WheelFault {
    /// The chassis is not there, or cannot be driven.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A wheel without a size.
    #[error("wheel {wheel} has radius {} m and width {} m: both must be finite and > 0", size.radius, size.width)]
    Size {
        /// Which one, counted from 0.
        wheel: usize,
        /// Its size.
        size: WheelSize,
    },
    /// The collider does not exist (any more), or belongs to no body.
    #[error("wheel collider {0:?} is gone or has no body")]
    Gone(ColliderHandle),
    /// The collider is gone, or belongs to another body than the vehicle's.
    #[error("collider {0:?} is no wheel of the vehicle on {1:?}")]
    NotOf(ColliderHandle, BodyId),
    /// The contacts of this wheel are shared already.
    #[error("the contacts of wheel collider {0:?} are shared already")]
    Twice(ColliderHandle),
    /// Somebody has taken the hooks' flag from a wheel: it stands on the ground beside its
    /// suspension.
    #[error("wheel collider {0:?} has lost ActiveHooks::MODIFY_SOLVER_CONTACTS")]
    NotAsked(ColliderHandle),
    /// Rapier merges the contacts of nearly parallel faces before it asks the hooks.
    #[error(
        "IntegrationParameters::contact_clustering merges contacts that are decided one by one: set \
         it to false"
    )]
    Clustering,
    /// Rapier sweeps fast bodies without asking the hooks, and finds the ground under the wheels.
    #[error(
        "from about {speed:.1} m/s on, Rapier's continuous collision detection brakes {chassis:?} \
         on the ground under its wheels: set IntegrationParameters::max_ccd_substeps to 0, or do \
         not share its contacts"
    )]
    Swept {
        /// The chassis.
        chassis: BodyId,
        /// From what speed on (`m/s`).
        speed: f32,
    },
}

/// Collision groups of wheels that never touch drivable ground.
///
/// * `wheels`: the groups that wheels are members of. Vehicles that must not drive over wheels
///   leave these bits out of their layers.
/// * `drivable`: the groups of drivable ground. Ground must be a member of these groups **only**:
///   Rapier's default is membership of all groups, which wheels do collide with.
#[must_use]
pub const fn wheel_groups(wheels: Group, drivable: Group) -> InteractionGroups {
    InteractionGroups::new(wheels, drivable.complement(), InteractionTestMode::And)
}

/// Attaches a cylinder per wheel to the chassis, at the vehicle's origin until
/// [`pose_wheels`] places it; `None` makes no collider.
///
/// The colliders have no mass, and friction and restitution of Rapier's defaults.
///
/// Without shared contacts, Rapier's continuous collision detection covers them as any collider:
/// against fixed bodies by itself, against all with `RigidBodyBuilder::ccd_enabled` of the chassis.
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

/// Moves wheel colliders to the wheels: `poses[i]` is the centre of wheel `i` from the vehicle's
/// origin (`m`) and its rotation, both in vehicle axes (the axle is the wheel's y).
///
/// Any collider of the chassis will do, modelled in vehicle axes; `None`, a collider that is gone
/// or one without a body is passed over. The new place counts from the next step on. A wheel that
/// has moved by less than a twentieth of a millimetre is not touched: moving one costs Rapier a new
/// entry in its tree, and keeps the body awake. A cylinder looks
/// the same however far it has rolled, so leave out the rolling angle: parked or driving straight
/// on, the poses then stay the same.
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

/// Moves wheel colliders to the wheels of a vehicle, without their rolling angles. They count from the
/// centre of mass, so that it does not matter where the origin of the body is. A chassis that is gone
/// is passed over.
///
/// # Panics
/// If there is not one entry per wheel.
pub fn follow_wheels(
    bodies: &RigidBodySet,
    colliders: &mut ColliderSet,
    wheels: &[Option<ColliderHandle>],
    vehicle: &Vehicle,
    frame: &Frame,
) {
    assert_eq!(wheels.len(), vehicle.kind().wheel_count(), "one per wheel");
    let Some(body) = bodies.get(body_handle(vehicle.body())) else {
        return;
    };
    let centre = body.local_center_of_mass();
    for (number, &wheel) in wheels.iter().enumerate() {
        let pose = vehicle.unrolled_wheel_pose(number);
        let arm = vehicle.kind().params().from_centre_of_mass(pose.position);
        let mut in_body = pose_in_body(frame, arm, pose.rotation);
        in_body.translation += centre;
        place(colliders, wheel, in_body);
    }
}

/// What a parked car's wheels may stir without being moved (`m`, and in a quaternion's parts).
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
