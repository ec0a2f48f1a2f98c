//! Shared by engines: points relative to anchors, lengths of rays, half spaces as boxes, and sizes of wheel colliders.

use glam::{DVec3, Quat, Vec3};
use vehicle_core::VehicleModel;
use vehicle_core::params::WheelParams;

use crate::wheel::rounding;

/// Converts a point of an engine's single-precision world (`m`) to the core's type.
#[must_use]
pub fn to_anchor(point: Vec3) -> DVec3 {
    point.as_dvec3()
}

/// Converts the core's offset from an anchor (`m`, world axes) to a point of an engine's world.
#[must_use]
pub fn from_anchor(anchor: DVec3, offset: Vec3) -> Vec3 {
    (anchor + offset.as_dvec3()).as_vec3()
}

/// Converts a point of an engine's world (`m`) to an offset from an anchor.
#[must_use]
pub fn to_offset(anchor: DVec3, point: Vec3) -> Vec3 {
    (point.as_dvec3() - anchor).as_vec3()
}

/// Search length such that a hit at exactly `length` counts: engines may exclude their limit,
/// and the distance includes the rounding of world coordinates.
#[must_use]
pub fn reach(length: f32, origin: Vec3) -> f32 {
    length + rounding(length, origin)
}

/// A box in place of a half space, for engines without one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpaceBlock {
    /// Half extents (`m`).
    pub half_extents: Vec3,
    /// Center of the box, from the plane's point (`m`, axes of the normal).
    pub center: Vec3,
    /// Rotation from the box's axes to those of the normal.
    pub rotation: Quat,
}

impl HalfSpaceBlock {
    /// The box below the plane through the origin with this unit normal, `reach` (`m`) to every side and down. Its top
    /// lies in the plane, at height 0 above the point, where single precision is finest.
    #[must_use]
    pub fn below(normal: Vec3, reach: f32) -> Self {
        Self {
            half_extents: Vec3::new(reach, reach, 0.5 * reach),
            center: normal * (-0.5 * reach),
            rotation: Quat::from_rotation_arc(Vec3::Z, normal),
        }
    }
}

/// The cylinder of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSize {
    /// Radius (`m`), > 0.
    pub radius: f32,
    /// Width along the axle (`m`), > 0.
    pub width: f32,
}

impl WheelSize {
    /// Sizes of the wheels of a vehicle; `None` for each disabled one.
    #[must_use]
    pub fn of(model: &VehicleModel) -> Vec<Option<Self>> {
        let wheels = model.params().wheels.iter();
        let size = |wheel: &WheelParams| {
            wheel.enabled.then_some(Self {
                radius: wheel.radius,
                width: wheel.width,
            })
        };
        wheels.map(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_lies_below_its_plane() {
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let block = HalfSpaceBlock::below(normal, 100.0);
        let up = block.rotation * Vec3::Z;
        assert!(up.distance(normal) < 1e-6, "{up}");
        let top = block.center + up * block.half_extents.z;
        assert!(top.length() < 1e-5, "{top}");
    }

    #[test]
    fn an_anchor_far_away_keeps_the_offset() {
        let anchor = DVec3::new(1.0e6, 0.0, 0.0);
        let offset = Vec3::new(-1.0e6, 0.125, 0.0);
        let point = Vec3::new(0.0, 0.125, 0.0);
        assert_eq!(from_anchor(anchor, offset), point);
        assert_eq!(to_offset(anchor, point), offset);
        assert_eq!(to_anchor(point), DVec3::new(0.0, 0.125, 0.0));
    }
}
