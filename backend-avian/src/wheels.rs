//! Wheel colliders: for collisions of other bodies with a car's wheels, and of wheels with
//! obstacles.
//!
//! They take no part in driving: the vehicle's own rays or sweeps carry it, and a wheel collider on
//! drivable ground would carry it a second time. Either wheels collide with everything except the
//! drivable ground, by collision layers ([`wheel_layers`]); or [`contact`] decides about each
//! contact. They are massless children of the chassis.

use avian3d::prelude::{
    CcdFilter, Collider, ColliderDensity, CollisionLayers, ComputedCenterOfMass, LayerMask,
    RigidBody, Rotation, SpeculativeCcd, SweptCcd,
};
use bevy::prelude::{ChildOf, Component, Entity, Query, Transform, With, World};
use glam::{Quat, Vec3};
use vehicle_core::{BodyError, BodyId, Frame, Vehicle, WheelColliderSettings};

use crate::ChassisFrame;
use crate::contact::{self, ModifiedWheel};
use crate::convert::{body_entity, pose_in_body};
use parry_query::WheelSize;

/// Settings of wheel colliders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSettings {
    /// Layers of the wheel colliders: [`wheel_layers`] if contacts are not modified.
    pub layers: CollisionLayers,
    /// Split of contacts between wheels and suspension, if [`contact`] decides about each.
    pub shared: Option<WheelColliderSettings>,
    /// Whether a fast car passes through nothing within a step, moving bodies included: Avian sweeps the whole car, or, if
    /// contacts are shared, predicts them, since its sweeps call no hook. By default Avian sweeps fast bodies against fixed
    /// ones; those that share contacts, not at all.
    pub swept: bool,
}

/// Marks the collider of a wheel.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WheelCollider;

/// Reason why wheels cannot be attached.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WheelError {
    /// A fault of the chassis.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A size that is not a valid cylinder.
    #[error("wheel {wheel}: {size:?}: radius and width must be finite and > 0")]
    Size {
        /// The index of the wheel.
        wheel: usize,
        /// Size of the wheel.
        size: WheelSize,
    },
    /// No hook would decide: the car would stand on its wheel colliders.
    #[error(
        "wheels that share their contacts need WheelHooks, WheelHooksPlugin and a recycle_distance of 0"
    )]
    NoHooks,
}

/// Collision layers of wheels that never touch drivable ground.
///
/// * `wheels`: the layers that wheels are members of. Vehicles that must not drive over wheels omit
///   these bits from their layers.
/// * `drivable`: the layers of drivable ground. Ground must be a member of these layers **only**,
///   and obstacles for wheels of others: Avian's default is membership of the first layer.
#[must_use]
pub fn wheel_layers(wheels: LayerMask, drivable: LayerMask) -> CollisionLayers {
    CollisionLayers::new(wheels, !drivable)
}

/// Attaches a cylinder per wheel to the chassis, at the vehicle's origin until [`pose_wheels`]
/// places it; `None` creates no collider.
///
/// The colliders have no mass, and Avian's default friction and restitution.
///
/// # Errors
/// If the chassis is not a dynamic body, a size is not a valid cylinder, or no hook would decide;
/// then nothing is attached.
pub fn attach_wheels(
    world: &mut World,
    chassis: BodyId,
    sizes: &[Option<WheelSize>],
    settings: &WheelSettings,
) -> Result<Vec<Option<Entity>>, WheelError> {
    let body = body_entity(chassis).ok_or(BodyError::Missing(chassis))?;
    match world.get::<RigidBody>(body) {
        None => return Err(BodyError::Missing(chassis).into()),
        Some(RigidBody::Dynamic) => {}
        Some(_) => return Err(BodyError::NotDynamic(chassis).into()),
    }
    for (wheel, size) in sizes.iter().enumerate() {
        if let &Some(size) = size
            && !(is_length(size.radius) && is_length(size.width))
        {
            return Err(WheelError::Size { wheel, size });
        }
    }
    if settings.shared.is_some() && !contact::are_asked(world) {
        return Err(WheelError::NoHooks);
    }
    match (settings.shared.is_some(), settings.swept) {
        // Avian's sweeps call no hook: a fast car would stick to the ground that it drives on.
        (true, swept) => {
            set_sweeps(world, body, CcdFilter::empty());
            if swept {
                world.entity_mut(body).insert(SpeculativeCcd::default());
            }
        }
        (false, true) => set_sweeps(world, body, CcdFilter::all()),
        (false, false) => {}
    }
    let frame = world.get::<ChassisFrame>(body).copied().unwrap_or_default();
    let start = pose_in_body(&frame.0, Vec3::ZERO, Quat::IDENTITY);
    let mut attach = |size: WheelSize| {
        let wheel = (
            ChildOf(body),
            WheelCollider,
            Collider::cylinder(size.radius, size.width),
            ColliderDensity(0.0),
            settings.layers,
            start,
        );
        match settings.shared {
            Some(settings) => {
                let modified = ModifiedWheel {
                    settings,
                    ..ModifiedWheel::default()
                };
                world.spawn((wheel, modified)).id()
            }
            None => world.spawn(wheel).id(),
        }
    };
    Ok(sizes.iter().map(|size| size.map(&mut attach)).collect())
}

/// Moves wheel colliders to the wheels of a vehicle, without their rolling angles, and updates
/// their [`contact`] data. Poses are relative to the center of mass, so the body's origin does not
/// matter. Without the plugin, call it after each update of the vehicle. Missing wheels or a
/// missing chassis are skipped.
///
/// # Panics
/// If there is not exactly one entry per wheel.
pub fn follow_wheels(world: &mut World, vehicle: &Vehicle, wheels: &[Option<Entity>]) {
    assert_eq!(wheels.len(), vehicle.model().wheel_count(), "one per wheel");
    let body = body_entity(vehicle.body()).and_then(|body| world.get_entity(body).ok());
    let Some(body) = body else { return };
    let frame = body.get::<ChassisFrame>().copied().unwrap_or_default().0;
    let Some(rotation) = body.get::<Rotation>().map(|r| frame.vehicle_rotation(r.0)) else {
        return;
    };
    let Some(&center) = body.get::<ComputedCenterOfMass>() else {
        return;
    };
    for (number, wheel) in wheels.iter().enumerate() {
        let pose = vehicle.unrolled_wheel_pose(number);
        let arm = vehicle.model().params().from_center_of_mass(pose.position);
        let mut pose = pose_in_body(&frame, arm, pose.rotation);
        pose.translation += center.0;
        let entity = wheel.and_then(|wheel| world.get_entity_mut(wheel).ok());
        let Some(mut entity) = entity else { continue };
        if let Some(mut transform) = entity.get_mut::<Transform>()
            && *transform != pose
        {
            *transform = pose;
        }
        if let Some(mut wheel) = entity.get_mut::<ModifiedWheel>() {
            wheel.update(vehicle, number, rotation);
        }
    }
}

fn is_length(length: f32) -> bool {
    length > 0.0 && length.is_finite()
}

fn set_sweeps(world: &mut World, body: Entity, filter: CcdFilter) {
    let swept = SweptCcd::default().with_filter(filter);
    world.entity_mut(body).insert(swept);
}

/// Moves wheel colliders to the wheels: `poses[i]` is the center of wheel `i` from the vehicle's
/// origin (`m`) and its rotation, both in vehicle axes (the axle is the wheel's y).
///
/// `None` or a missing collider is skipped. The new pose takes effect in the next step. A wheel
/// that has not moved is not updated. A cylinder is symmetric about its axle, so omit the rolling
/// angle: parked or driving straight, the poses then stay the same.
///
/// # Panics
/// If `wheels.len() != poses.len()`.
pub fn pose_wheels(
    transforms: &mut Query<'_, '_, &mut Transform, With<WheelCollider>>,
    wheels: &[Option<Entity>],
    poses: &[(Vec3, Quat)],
    frame: &Frame,
) {
    assert_eq!(wheels.len(), poses.len(), "one pose per wheel");
    for (&wheel, &(position, rotation)) in wheels.iter().zip(poses) {
        let transform = wheel.and_then(|wheel| transforms.get_mut(wheel).ok());
        let Some(mut transform) = transform else {
            continue;
        };
        let pose = pose_in_body(frame, position, rotation);
        if *transform != pose {
            *transform = pose;
        }
    }
}
