//! Motion of a wheel against its chassis, and of the body that moves so.

use glam::{Mat3, Quat, Vec3};
use vehicle_core::math;

/// Motion of a wheel against its chassis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelMotion {
    /// Travel from the design position (`m`), positive in compression.
    pub travel: f32,
    /// Rate of travel (`m/s`).
    pub rate: f32,
    /// Spin relative to the chassis (`rad/s`), positive rolling forward.
    pub spin: f32,
    /// Angle by which the wheel has turned about its axle (`rad`), within ±π.
    pub angle: f32,
}

/// The frame of a joint on a chassis: z is `up`, the direction of compression, y is the axle, turned
/// by `steer` (`rad`) about z.
#[must_use]
pub fn joint_frame(up: Vec3, steer: f32) -> Quat {
    let upright = Quat::from_mat3(&Mat3::from_cols(Vec3::Y.cross(up), Vec3::Y, up));
    math::compose(upright, math::rotation_about(Vec3::Z, steer))
}

/// A chassis as a wheel's motion sees it (world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelBase {
    /// The [frame](joint_frame) of the joint.
    pub frame: Quat,
    /// Vector from the chassis' center of mass to the wheel's center at travel 0 (`m`).
    pub arm: Vec3,
    /// Velocity of the center of mass (`m/s`).
    pub linear: Vec3,
    /// Angular velocity (`rad/s`).
    pub angular: Vec3,
}

/// Pose and velocities of a wheel's body (world axes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelBody {
    /// Position of the wheel's center, from the chassis' center of mass (`m`).
    pub place: Vec3,
    /// Rotation from the wheel's axes to the world's; y is the axle.
    pub rotation: Quat,
    /// Velocity (`m/s`).
    pub linear: Vec3,
    /// Angular velocity (`rad/s`).
    pub angular: Vec3,
}

impl WheelBase {
    /// The motion of a wheel's body.
    #[must_use]
    pub fn motion_of(&self, wheel: &WheelBody) -> WheelMotion {
        let axes = math::matrix(self.frame);
        let carried = self.linear + self.angular.cross(wheel.place);
        let turned = math::compose(self.frame.conjugate(), wheel.rotation);
        // Half the angle; a wheel that has tumbled over has none.
        let half = if turned.y == 0.0 {
            0.0
        } else {
            math::atan(turned.y / turned.w)
        };
        WheelMotion {
            travel: (wheel.place - self.arm).dot(axes.z_axis),
            rate: (wheel.linear - carried).dot(axes.z_axis),
            spin: (wheel.angular - self.angular).dot(axes.y_axis),
            angle: 2.0 * half,
        }
    }

    /// The body of a wheel that moves so.
    #[must_use]
    pub fn body_of(&self, motion: &WheelMotion) -> WheelBody {
        let axes = math::matrix(self.frame);
        let place = self.arm + axes.z_axis * motion.travel;
        let turned = math::rotation_about(Vec3::Y, motion.angle);
        WheelBody {
            place,
            rotation: math::compose(self.frame, turned),
            linear: self.linear + self.angular.cross(place) + axes.z_axis * motion.rate,
            angular: self.angular + axes.y_axis * motion.spin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::PI;
    use proptest::prelude::*;

    #[test]
    fn a_wheel_that_rolls_forward_moves_its_top_ahead() {
        let base = WheelBase {
            frame: joint_frame(Vec3::Z, 0.0),
            arm: Vec3::new(1.0, 0.7, -0.3),
            linear: Vec3::X * 3.0,
            angular: Vec3::ZERO,
        };
        let wheel = base.body_of(&WheelMotion {
            travel: 0.1,
            spin: 10.0,
            angle: 0.5 * PI,
            ..WheelMotion::default()
        });
        assert!((wheel.place - Vec3::new(1.0, 0.7, -0.2)).length() < 1e-6);
        assert!((wheel.rotation * Vec3::Z - Vec3::X).length() < 1e-6);
        assert!((wheel.angular.cross(Vec3::Z) - Vec3::X * 10.0).length() < 1e-5);
        // Steered to the left, the axle points backward.
        let axle = joint_frame(Vec3::Z, 0.5 * PI) * Vec3::Y;
        assert!((axle - Vec3::NEG_X).length() < 1e-6);
    }

    proptest! {
        /// A body that was put somewhere is read there, for any motion of its chassis.
        #[test]
        fn what_is_put_is_read(
            (travel, rate) in (-0.2..0.2_f32, -3.0..3.0_f32),
            (spin, angle) in (-200.0..200.0_f32, -3.1..3.1_f32),
            (steer, lean) in (-0.7..0.7_f32, -0.3..0.3_f32),
            (turn, x, w) in (-3.0..3.0_f32, -30.0..30.0_f32, -2.0..2.0_f32),
        ) {
            let up = Vec3::new(lean, 0.0, 1.0).normalize();
            let chassis = math::rotation_about(Vec3::new(0.6, 0.0, 0.8), turn);
            let base = WheelBase {
                frame: math::compose(chassis, joint_frame(up, steer)),
                arm: chassis * Vec3::new(1.3, -0.8, -0.2),
                linear: Vec3::new(x, w, -w),
                angular: Vec3::new(w, -w, 0.5 * w),
            };
            let put = WheelMotion { travel, rate, spin, angle };
            let read = base.motion_of(&base.body_of(&put));
            prop_assert!((read.travel - travel).abs() < 1e-5, "{read:?}");
            prop_assert!((read.rate - rate).abs() < 1e-4, "{read:?}");
            prop_assert!((read.spin - spin).abs() < 1e-3, "{read:?}");
            prop_assert!((read.angle - angle).abs() < 1e-4, "{read:?}");
        }
    }
}
