//! Conversion of ids, axes and types. Rapier and this project share `glam`, so vectors and
//! quaternions need no conversion.

use glam::{BVec3, Mat3, Quat, Vec3};
use rapier3d::dynamics::{LockedAxes as RapierLocks, MassProperties, RigidBodyHandle};
use rapier3d::geometry::ColliderHandle;
use rapier3d::math::Pose;
use vehicle_core::{BodyId, ColliderId, Frame, LockedAxes, inertia, math};

/// The opaque id of a body: the arena index in the low 32 bits, the generation in the high ones.
#[must_use]
pub fn body_id(handle: RigidBodyHandle) -> BodyId {
    let (index, generation) = handle.into_raw_parts();
    BodyId(u64::from(index) | u64::from(generation) << 32)
}

/// The handle of a body from its id; the inverse of [`body_id`].
///
/// The body may not exist (any more).
#[must_use]
pub fn body_handle(id: BodyId) -> RigidBodyHandle {
    let (index, generation) = (id.0 & u64::from(u32::MAX), id.0 >> 32);
    // Both halves fit: the upper bits were masked just above.
    RigidBodyHandle::from_raw_parts(index as u32, generation as u32)
}

/// The opaque id of a collider, made as [`body_id`].
#[must_use]
pub fn collider_id(handle: ColliderHandle) -> ColliderId {
    let (index, generation) = handle.into_raw_parts();
    ColliderId(u64::from(index) | u64::from(generation) << 32)
}

/// Rapier's flags of the axes of the world, in the order of x, y, z: those of translation and those of rotation.
const LOCKS: [[RapierLocks; 3]; 2] = [
    [
        RapierLocks::TRANSLATION_LOCKED_X,
        RapierLocks::TRANSLATION_LOCKED_Y,
        RapierLocks::TRANSLATION_LOCKED_Z,
    ],
    [
        RapierLocks::ROTATION_LOCKED_X,
        RapierLocks::ROTATION_LOCKED_Y,
        RapierLocks::ROTATION_LOCKED_Z,
    ],
];

/// The axes of the world that a body of Rapier does not move along or turn about.
#[inline]
#[must_use]
pub fn locked_axes(locks: RapierLocks) -> LockedAxes {
    if locks.is_empty() {
        return LockedAxes::NONE;
    }
    let [translation, rotation] =
        LOCKS.map(|axes| BVec3::from_array(axes.map(|axis| locks.contains(axis))));
    LockedAxes {
        translation,
        rotation,
    }
}

/// Rapier's flags for locked axes; the inverse of [`locked_axes`].
#[must_use]
pub fn rapier_locks(axes: LockedAxes) -> RapierLocks {
    let mut locks = RapierLocks::empty();
    for (flags, locked) in LOCKS.into_iter().zip([axes.translation, axes.rotation]) {
        for (flag, locked) in flags.into_iter().zip(<[bool; 3]>::from(locked)) {
            locks.set(flag, locked);
        }
    }
    locks
}

/// Mass properties of a chassis, in body axes.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `center_of_mass` from the vehicle's origin (`m`, vehicle axes).
///
/// Rapier may permute the principal moments together with their frame when colliders are attached: read the tensor, never
/// the three moments.
#[must_use]
pub fn mass_properties(
    frame: &Frame,
    mass: f32,
    inertia: Mat3,
    center_of_mass: Vec3,
) -> MassProperties {
    let (moments, axes) = inertia::principal(inertia);
    MassProperties::with_principal_inertia_frame(
        frame.to_body(center_of_mass),
        mass,
        moments,
        math::compose(frame.vehicle_rotation(Quat::IDENTITY), axes),
    )
}

/// Converts a pose in the vehicle frame (position from the vehicle's origin (`m`), rotation) to a
/// pose in the body.
///
/// A shape with this pose is modeled in vehicle axes: with the identity rotation, a cylinder along
/// its local y lies along the vehicle's y, as a wheel does.
#[must_use]
pub fn pose_in_body(frame: &Frame, position: Vec3, rotation: Quat) -> Pose {
    let vehicle_to_body = frame.vehicle_rotation(Quat::IDENTITY);
    Pose::from_parts(
        frame.to_body(position),
        math::compose(vehicle_to_body, rotation),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(0, 0)]
    #[case(7, 3)]
    #[case(u32::MAX, 0)]
    #[case(0, u32::MAX)]
    fn ids_round_trip(#[case] index: u32, #[case] generation: u32) {
        let handle = RigidBodyHandle::from_raw_parts(index, generation);
        assert_eq!(body_handle(body_id(handle)), handle);
        // Colliders are named in the same way.
        let collider = ColliderHandle::from_raw_parts(index, generation);
        assert_eq!(collider_id(collider).0, body_id(handle).0);
    }

    #[test]
    fn locks_round_trip() {
        for bits in 0..64 {
            let [translation, rotation] = [bits & 7, bits >> 3]
                .map(|bits| BVec3::new((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
            let axes = LockedAxes {
                translation,
                rotation,
            };
            assert_eq!(locked_axes(rapier_locks(axes)), axes);
        }
        assert_eq!(rapier_locks(LockedAxes::NONE), RapierLocks::empty());
    }

    #[rstest]
    #[case(Frame::X_FORWARD_Z_UP)]
    #[case(Frame::Z_FORWARD_Y_UP)]
    #[case(Frame::X_FORWARD_Y_UP)]
    fn a_cylinder_lies_along_the_axle(#[case] frame: Frame) {
        let position = Vec3::new(1.2, 0.8, -0.3);
        let pose = pose_in_body(&frame, position, Quat::IDENTITY);
        let axis = frame.to_vehicle(pose.transform_vector(Vec3::Y));
        assert!((axis - Vec3::Y).length() < 1e-6, "{axis}");
        assert_eq!(frame.to_vehicle(pose.translation), position);

        // Steered 90° to the left, the axle points backwards.
        let left = math::rotation_about(Vec3::Z, core::f32::consts::FRAC_PI_2);
        let pose = pose_in_body(&frame, position, left);
        let axis = frame.to_vehicle(pose.transform_vector(Vec3::Y));
        assert!((axis - Vec3::NEG_X).length() < 1e-6, "{axis}");
    }
}
