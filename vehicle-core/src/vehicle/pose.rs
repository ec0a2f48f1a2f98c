//! Poses of wheels for display.

use glam::{Quat, Vec3};

use crate::base::math;
use crate::stages::kind::VehicleKind;

/// Pose of a wheel relative to the vehicle's origin, in the vehicle frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelPose {
    /// Wheel center (`m`).
    pub position: Vec3,
    /// Rotation wheel → vehicle; the wheel's axle is its y axis.
    pub rotation: Quat,
}

/// Steer, camber and rotation, one after the other (ALGORITHMS §3.13); angles in rad.
#[inline]
#[must_use]
pub fn wheel_rotation(steer: f32, camber: f32, angle: f32) -> Quat {
    // Steered about z, then cambered about the heading: the product without the terms that are 0.
    let (z, w) = math::sin_cos(0.5 * steer);
    let (tilt, upright) = math::sin_cos(0.5 * camber);
    let (ahead, aside) = ((1.0 - z * (z + z)) * tilt, w * (z + z) * tilt);
    let cambered = Quat::from_xyzw(
        w * ahead + aside * z,
        w * aside - z * ahead,
        upright * z,
        upright * w,
    );
    let axle = math::matrix(cambered).y_axis;
    math::compose(math::rotation_about(axle, angle), cambered)
}

/// The pose of wheel `wheel` of a kind at a jounce (`m`) and angles (`rad`).
///
/// # Panics
/// If there is no such wheel.
#[inline]
#[must_use]
pub fn wheel_pose(
    kind: &VehicleKind,
    wheel: usize,
    jounce: f32,
    steer: f32,
    camber: f32,
    angle: f32,
) -> WheelPose {
    let params = &kind.params().wheels[wheel];
    WheelPose {
        position: params.position - params.suspension.travel_direction * jounce,
        rotation: wheel_rotation(steer, camber, angle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    fn assert_close(a: Vec3, b: Vec3) {
        assert!((a - b).length() < 1e-6, "{a} {b}");
    }

    #[test]
    fn each_angle_has_its_sense() {
        let turned = |steer, camber, angle| math::matrix(wheel_rotation(steer, camber, angle));
        assert_close(turned(FRAC_PI_2, 0.0, 0.0).x_axis, Vec3::Y);
        assert_close(turned(0.0, FRAC_PI_2, 0.0).z_axis, Vec3::NEG_Y);
        assert_close(turned(0.0, 0.0, FRAC_PI_2).z_axis, Vec3::X);
    }

    #[test]
    fn a_wheel_rises_against_its_travel_by_its_jounce() {
        let mut params = crate::testing::four_wheeler();
        let travel = Vec3::new(0.36, 0.48, -0.8);
        params.wheels[1].suspension.travel_direction = travel;
        let kind = crate::testing::kind_of(params);
        let place = kind.params().wheels[1].position;
        for jounce in [-0.1, 0.0, 0.2] {
            let pose = wheel_pose(&kind, 1, jounce, 0.1, 0.2, 0.3);
            assert_close(pose.position + travel * jounce, place);
            assert_eq!(pose.rotation, wheel_rotation(0.1, 0.2, 0.3));
        }
    }
}
