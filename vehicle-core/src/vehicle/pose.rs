//! Poses of wheels for display.

use glam::{Quat, Vec3};

use crate::base::lanes::angles::sin_cos;
use crate::base::lanes::{LANES, V3x4, W4, by_wheel};
use crate::stages::model::VehicleModel;

/// Pose of a wheel relative to the vehicle's origin, in the vehicle frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelPose {
    /// Wheel center (`m`).
    pub position: Vec3,
    /// Rotation wheel → vehicle; the wheel's axle is its y axis.
    pub rotation: Quat,
}

/// Steer, camber and rotation, one after the other (ALGORITHMS §3.13); angles in rad.
#[must_use]
pub fn wheel_rotation(steer: f32, camber: f32, angle: f32) -> Quat {
    let [rotation, ..] = wheel_rotations(W4::splat(steer), W4::splat(camber), W4::splat(angle));
    rotation
}

/// The pose of wheel `wheel` of a model at a jounce (`m`) and angles (`rad`).
///
/// # Panics
/// If there is no such wheel.
#[must_use]
pub fn wheel_pose(
    model: &VehicleModel,
    wheel: usize,
    jounce: f32,
    steer: f32,
    camber: f32,
    angle: f32,
) -> WheelPose {
    let params = &model.params().wheels[wheel];
    WheelPose {
        position: params.position - params.suspension.travel_direction * jounce,
        rotation: wheel_rotation(steer, camber, angle),
    }
}

/// Poses of wheels with their centers at `position` (`m`) at angles (`rad`).
#[inline]
pub(super) fn wheel_poses(position: V3x4, steer: W4, camber: W4, angle: W4) -> [WheelPose; LANES] {
    let (positions, rotations) = (position.to_array(), wheel_rotations(steer, camber, angle));
    core::array::from_fn(|lane| WheelPose {
        position: positions[lane],
        rotation: rotations[lane],
    })
}

/// One about z, then about x, then about y, all in axes that turn along: their product without the terms that are 0.
#[inline]
fn wheel_rotations(steer: W4, camber: W4, angle: W4) -> [Quat; LANES] {
    let half = W4::splat(0.5);
    let (z, w) = sin_cos(half * steer);
    let (tilt, upright) = sin_cos(half * camber);
    let (sin, cos) = sin_cos(half * angle);
    let (x, y, z, w) = (w * tilt, z * tilt, z * upright, w * upright);
    let rotations = [
        x * cos - z * sin,
        y * cos + w * sin,
        z * cos + x * sin,
        w * cos - y * sin,
    ];
    by_wheel(rotations).map(Quat::from_vec4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::math;
    use core::f32::consts::FRAC_PI_2;
    use core::f64::consts::SQRT_2;
    use glam::{DQuat, DVec3};
    use proptest::prelude::*;

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

    fn angles() -> impl Strategy<Value = [f32; LANES]> {
        [-9.0_f32..9.0, -1.0_f32..1.0, -40.0_f32..40.0, -0.1_f32..0.1]
    }

    /// Most that rounding takes: sines, cosines and two products put five roundings on each term, and the sum of two
    /// terms one more; the four sums of the terms' sizes are a vector of at most √2.
    const BOUND: f64 = (5.0 * SQRT_2 + 1.0) * (f32::EPSILON / 2.0) as f64;

    proptest! {
        /// Three rotations one after the other, each about an axis that those before have turned. A wheel on the other
        /// side is its mirror image, to the bit.
        #[test]
        fn rotations_are_composed(steer in angles(), camber in angles(), angle in angles()) {
            let [s, c, a] = [steer, camber, angle].map(W4::from_array);
            let (actual, mirrored) = (wheel_rotations(s, c, a), wheel_rotations(-s, -c, a));
            for lane in 0..LANES {
                let [s, c, a] = [steer[lane], camber[lane], angle[lane]];
                let [about_z, about_x, about_y] = [(DVec3::Z, s), (DVec3::X, c), (DVec3::Y, a)]
                    .map(|(axis, angle)| DQuat::from_axis_angle(axis, angle.into()));
                let expected = about_z * about_x * about_y;
                let [x, y, z, w] = actual[lane].to_array();
                prop_assert!((actual[lane].as_dquat() - expected).length() < BOUND);
                prop_assert_eq!(mirrored[lane], Quat::from_xyzw(-x, y, -z, w));
                prop_assert_eq!(wheel_rotation(s, c, a), actual[lane]);
            }
        }
    }

    #[test]
    fn a_wheel_rises_against_its_travel_by_its_jounce() {
        let mut params = crate::testing::four_wheeler();
        let travel = Vec3::new(0.36, 0.48, -0.8);
        params.wheels[1].suspension.travel_direction = travel;
        let model = crate::testing::model_of(params);
        let position = model.params().wheels[1].position;
        for jounce in [-0.1, 0.0, 0.2] {
            let pose = wheel_pose(&model, 1, jounce, 0.1, 0.2, 0.3);
            assert_close(pose.position + travel * jounce, position);
            assert_eq!(pose.rotation, wheel_rotation(0.1, 0.2, 0.3));
        }
    }
}
