//! Conversion of ids, axes and types. Avian and this project share `glam`, so vectors and
//! quaternions need no conversion.

use avian3d::prelude::{
    AngularInertia, CenterOfMass, LockedAxes as AvianLocks, Mass, NoAutoAngularInertia,
    NoAutoCenterOfMass, NoAutoMass,
};
use bevy::prelude::{Bundle, Entity, Transform};
use glam::{BVec3, Mat3, Quat, Vec3};
use vehicle_core::{BodyId, ColliderId, Frame, LockedAxes, inertia, math};

/// The opaque id of a body: the bits of its entity.
#[must_use]
pub fn body_id(entity: Entity) -> BodyId {
    BodyId(entity.to_bits())
}

/// The entity of a body from its id; the inverse of [`body_id`]. `None` for bits that are not an
/// entity's.
///
/// The entity may be despawned, or not a body.
#[must_use]
pub fn body_entity(id: BodyId) -> Option<Entity> {
    Entity::try_from_bits(id.0)
}

/// The opaque id of a collider, made as [`body_id`].
#[must_use]
pub fn collider_id(entity: Entity) -> ColliderId {
    ColliderId(entity.to_bits())
}

/// The axes of the world that a body of Avian does not move along or turn about.
#[must_use]
pub fn locked_axes(locks: AvianLocks) -> LockedAxes {
    let axes = |bits: u8| BVec3::new((bits & 4) != 0, (bits & 2) != 0, (bits & 1) != 0);
    LockedAxes {
        translation: axes(locks.to_bits() >> 3),
        rotation: axes(locks.to_bits()),
    }
}

/// Avian's component for locked axes; the inverse of [`locked_axes`].
#[must_use]
pub fn avian_locks(axes: LockedAxes) -> AvianLocks {
    let bits = |axes: BVec3| u8::from(axes.x) << 2 | u8::from(axes.y) << 1 | u8::from(axes.z);
    AvianLocks::from_bits(bits(axes.translation) << 3 | bits(axes.rotation))
}

/// Mass properties of a body, independent of its colliders and children. Created by
/// [`mass_properties`].
#[derive(Bundle, Clone, Debug)]
pub struct MassProperties {
    mass: Mass,
    inertia: AngularInertia,
    center_of_mass: CenterOfMass,
    own: (NoAutoMass, NoAutoAngularInertia, NoAutoCenterOfMass),
}

/// Mass properties to spawn a chassis with; see [`set_mass_properties`](crate::set_mass_properties)
/// for an existing body.
///
/// * `mass` (`kg`), > 0.
/// * `inertia`: tensor about the center of mass (`kg·m²`, vehicle axes), positive definite; see [`vehicle_core::inertia`].
/// * `center_of_mass` from the vehicle's origin (`m`, vehicle axes).
///
/// # Panics
/// If the mass or a principal moment is negative or `NaN`.
#[must_use]
pub fn mass_properties(
    frame: &Frame,
    mass: f32,
    inertia: Mat3,
    center_of_mass: Vec3,
) -> MassProperties {
    let (moments, axes) = inertia::principal(inertia);
    assert!(
        mass >= 0.0 && moments.min_element() >= 0.0,
        "mass = {mass} kg, principal moments of inertia = {moments} kg·m²: must be >= 0"
    );
    MassProperties {
        mass: Mass(mass),
        inertia: AngularInertia::new_with_local_frame(
            moments,
            math::compose(frame.vehicle_rotation(Quat::IDENTITY), axes),
        ),
        center_of_mass: CenterOfMass(frame.to_body(center_of_mass)),
        own: (NoAutoMass, NoAutoAngularInertia, NoAutoCenterOfMass),
    }
}

/// Converts a pose in the vehicle frame (position from the vehicle's origin (`m`), rotation) to the
/// transform of a child of the body.
///
/// A shape with this pose is modeled in vehicle axes: with the identity rotation, a cylinder along
/// its local y lies along the vehicle's y, as a wheel does.
#[must_use]
pub fn pose_in_body(frame: &Frame, position: Vec3, rotation: Quat) -> Transform {
    let vehicle_to_body = frame.vehicle_rotation(Quat::IDENTITY);
    Transform {
        translation: frame.to_body(position),
        rotation: math::compose(vehicle_to_body, rotation),
        scale: Vec3::ONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn locks_are_avians_axis_by_axis() {
        let locks = AvianLocks::new().lock_translation_y().lock_rotation_x();
        let axes = locked_axes(locks);
        assert_eq!(axes.translation, BVec3::new(false, true, false));
        assert_eq!(axes.rotation, BVec3::new(true, false, false));
        for bits in 0..64 {
            let locks = AvianLocks::from_bits(bits);
            assert_eq!(avian_locks(locked_axes(locks)).to_bits(), bits);
        }
    }

    #[rstest]
    #[case(0)]
    #[case(7)]
    #[case(u32::MAX - 1)]
    fn ids_round_trip(#[case] index: u32) {
        let entity = Entity::from_raw_u32(index).unwrap();
        assert_eq!(body_entity(body_id(entity)), Some(entity));
        assert_eq!(collider_id(entity).0, body_id(entity).0);
    }

    #[test]
    fn some_bits_are_no_entity() {
        assert_eq!(body_entity(BodyId(0)), None);
    }

    #[rstest]
    #[case(Frame::X_FORWARD_Z_UP)]
    #[case(Frame::Z_FORWARD_Y_UP)]
    #[case(Frame::X_FORWARD_Y_UP)]
    fn a_cylinder_lies_along_the_axle(#[case] frame: Frame) {
        let position = Vec3::new(1.2, 0.8, -0.3);
        let pose = pose_in_body(&frame, position, Quat::IDENTITY);
        let axis = frame.to_vehicle(pose.rotation * Vec3::Y);
        assert!((axis - Vec3::Y).length() < 1e-6, "{axis}");
        assert_eq!(frame.to_vehicle(pose.translation), position);

        // Steered 90° to the left, the axle points backwards.
        let left = math::rotation_about(Vec3::Z, core::f32::consts::FRAC_PI_2);
        let pose = pose_in_body(&frame, position, left);
        let axis = frame.to_vehicle(pose.rotation * Vec3::Y);
        assert!((axis - Vec3::NEG_X).length() < 1e-6, "{axis}");
    }
}
