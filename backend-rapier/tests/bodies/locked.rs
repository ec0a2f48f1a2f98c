//! Axes that a game locks, in a world with y up.

use glam::BVec3;
use rstest::rstest;

use super::*;

/// The plane of x and y: the car slides in it and turns about z.
fn lock(rig: &mut Rig) {
    let axes = LockedAxes::TRANSLATION_LOCKED_Z
        | LockedAxes::ROTATION_LOCKED_X
        | LockedAxes::ROTATION_LOCKED_Y;
    rig.body().set_locked_axes(axes, true);
}

const LINEAR: Vec3 = Vec3::new(3.0, -0.5, 2.0);
const ANGULAR: Vec3 = Vec3::new(0.3, -0.5, 0.25);

#[rstest]
#[case::change(Motion::VelocityChange { linear: LINEAR, angular: ANGULAR }, 1.0)]
#[case::acceleration(Motion::Acceleration { linear: LINEAR, angular: ANGULAR }, DT)]
#[case::step(Motion::StepMotion { linear: LINEAR, angular: ANGULAR, canceled_acceleration: Vec3::ZERO, canceled_angular_acceleration: Vec3::ZERO }, 1.0)]
fn a_motion_acts_in_free_axes_alone(#[case] motion: Motion, #[case] share: f32) {
    let mut rig = rig();
    lock(&mut rig);
    let start = rig.read().position.z;
    rig.apply(motion, true);
    rig.step();
    let body = rig.read();
    close(
        body.linear_velocity,
        Vec3::new(3.0, -0.5, 0.0) * share,
        1e-5,
    );
    close(body.angular_velocity, Vec3::Z * 0.25 * share, 1e-5);
    assert_eq!((body.linear_velocity.z, body.position.z), (0.0, start));
    // Rapier's own gyroscopic terms leave a rounding.
    assert!(body.angular_velocity.truncate().length() < 1e-10);
}

/// A body reports its locked axes to its vehicle, whose wheels then push nothing along them.
#[test]
fn a_body_tells_its_locked_axes() {
    let mut rig = rig();
    assert!(!rig.read().locked_axes.any());
    lock(&mut rig);
    let axes = rig.read().locked_axes;
    assert_eq!(axes.translation, BVec3::new(false, false, true));
    assert_eq!(axes.rotation, BVec3::new(true, true, false));
}
