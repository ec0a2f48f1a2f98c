//! Shared by single-precision engines: points relative to anchors, and sizes of wheel colliders.

use glam::{DVec3, Vec3};
use vehicle_core::VehicleKind;
use vehicle_core::params::WheelParams;

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

/// The cylinder of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelSize {
    /// Radius (`m`), > 0.
    pub radius: f32,
    /// Width along the axle (`m`), > 0.
    pub width: f32,
}

impl WheelSize {
    /// Those of a vehicle kind's wheels; `None` for each disabled one.
    #[must_use]
    pub fn of(kind: &VehicleKind) -> Vec<Option<Self>> {
        let wheels = kind.params().wheels.iter();
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
    fn an_anchor_far_away_keeps_the_offset() {
        let anchor = DVec3::new(1.0e6, 0.0, 0.0);
        let offset = Vec3::new(-1.0e6, 0.125, 0.0);
        let point = Vec3::new(0.0, 0.125, 0.0);
        assert_eq!(from_anchor(anchor, offset), point);
        assert_eq!(to_offset(anchor, point), offset);
        assert_eq!(to_anchor(point), DVec3::new(0.0, 0.125, 0.0));
    }
}
