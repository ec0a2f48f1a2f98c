//! Reading bodies, changing velocities, accelerating, pushing back: a module of the tests of every engine whose `Rig`
//! is above it.

use approx::assert_relative_eq;
use glam::{DVec3, Mat3, Quat, Vec3};
use rstest::rstest;
use vehicle_core::{BodyId, Frame, Motion, Reaction, inertia};

use super::{DRIFT, DT, INERTIA, close, rig, rig_in};

const FRAMES: [Frame; 3] = [
    Frame::X_FORWARD_Z_UP,
    Frame::Z_FORWARD_Y_UP,
    Frame::X_FORWARD_Y_UP,
];

pub(super) fn acceleration(linear: Vec3, angular: Vec3) -> Motion {
    Motion::Acceleration { linear, angular }
}

#[rstest]
fn mass_properties_come_back_in_vehicle_axes(
    #[values(0, 1, 2)] frame: usize,
    #[values(false, true)] stepped: bool,
    #[values([0.0; 3], [60.0, -150.0, 90.0])] products: [f32; 3],
) {
    let frame = FRAMES[frame];
    let mut rig = rig_in(frame);
    let inertia = inertia::tensor(INERTIA, products);
    rig.set_mass(frame, inertia, Vec3::new(0.2, 0.1, 0.3));
    if stepped {
        rig.step();
    }
    let state = rig.read();
    assert_relative_eq!(state.mass, 1200.0, max_relative = 1e-6);
    let expected = inertia.inverse();
    for (column, wanted) in [
        (state.inverse_inertia.x_axis, expected.x_axis),
        (state.inverse_inertia.y_axis, expected.y_axis),
        (state.inverse_inertia.z_axis, expected.z_axis),
    ] {
        close(column, wanted, 1e-8);
    }
    close(
        state.position.as_vec3(),
        frame.to_body(Vec3::new(0.2, 0.1, 0.3)),
        1e-6,
    );
}

/// A free car keeps its angular momentum and energy while it tumbles about an axis that changes.
#[rstest]
fn a_car_with_products_tumbles(#[values(0, 1, 2)] frame: usize) {
    let frame = FRAMES[frame];
    let mut rig = rig_in(frame);
    let inertia = inertia::tensor(INERTIA, [60.0, -150.0, 90.0]);
    rig.set_mass(frame, inertia, Vec3::ZERO);
    rig.set_rate(960.0);
    rig.set_angular(Vec3::new(2.0, 0.5, -1.0));
    let mut told = || {
        let state = rig.read();
        let spin = state.angular_velocity;
        let momentum = state.rotation * (inertia * (state.rotation.inverse() * spin));
        rig.step();
        (spin, momentum, 0.5 * spin.dot(momentum))
    };
    let (spin, momentum, energy) = told();
    let mut most = 0.0_f32;
    for _ in 0..960 {
        let now = told();
        most = most.max(now.0.distance(spin));
        close(now.1, momentum, 0.01 * momentum.length());
        assert_relative_eq!(now.2, energy, max_relative = 0.01);
    }
    assert!(most > 0.3 * spin.length(), "{most}");
}

#[rstest]
fn pose_and_velocity_are_those_of_the_vehicle(#[values(0, 1, 2)] frame: usize) {
    let frame = FRAMES[frame];
    let mut rig = rig_in(frame);
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.1);
    let place = Vec3::new(5.0, -3.0, 8.0);
    rig.place(place, turn);
    rig.set_linear(Vec3::new(1.0, 2.0, 3.0));
    rig.set_angular(Vec3::new(0.3, 0.2, 0.1));
    rig.set_damping(0.25, 0.5);
    let state = rig.read();

    let com = Vec3::new(0.2, 0.1, 0.3);
    close(
        state.position.as_vec3(),
        place + turn * frame.to_body(com),
        1e-5,
    );
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        close(state.rotation * axis, turn * frame.to_body(axis), 1e-6);
    }
    assert_eq!(state.linear_velocity, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(state.angular_velocity, Vec3::new(0.3, 0.2, 0.1));
    assert_eq!((state.linear_damping, state.angular_damping), (0.25, 0.5));

    // The velocity is the center of mass's: over a step it moves there, not the origin.
    let before = state.position;
    rig.set_damping(0.0, 0.5);
    rig.step();
    let moved = (rig.read().position - before).as_vec3();
    close(moved, Vec3::new(1.0, 2.0, 3.0) * DT, 1e-5);
}

#[test]
fn an_acceleration_lasts_one_step() {
    let mut rig = rig();
    let linear = Vec3::new(3.0, -1.0, 2.0);
    rig.apply(acceleration(linear, Vec3::ZERO), true);
    rig.step();
    close(rig.read().linear_velocity, linear * DT, 1e-6);
    rig.assert_pushed(Vec3::ZERO);
    for _ in 0..5 {
        rig.apply(Motion::Keep, false);
        rig.step();
    }
    close(rig.read().linear_velocity, linear * DT, 1e-6);
}

#[rstest]
#[case(Vec3::X)]
#[case(Vec3::Y)]
#[case(Vec3::Z)]
fn angular_acceleration_is_met_about_every_axis(#[case] axis: Vec3) {
    let mut rig = rig();
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), 0.7);
    rig.place(Vec3::ZERO, turn);
    rig.apply(acceleration(Vec3::ZERO, axis * 2.0), true);
    rig.step();
    close(rig.read().angular_velocity, axis * 2.0 * DT, 1e-4);
}

#[test]
fn gravity_canceled_by_acceleration_leaves_no_drift() {
    let mut rig = rig();
    rig.set_gravity(Vec3::NEG_Y * 9.81);
    let start = rig.read().position;
    for _ in 0..60 {
        rig.apply(acceleration(Vec3::Y * 9.81, Vec3::ZERO), true);
        rig.step();
    }
    assert!(rig.read().position.distance(start) <= DRIFT);
}

#[rstest]
#[case(Motion::VelocityChange { linear: Vec3::X, angular: Vec3::Y }, false)]
#[case(Motion::Keep, false)]
#[case(acceleration(Vec3::X, Vec3::ZERO), false)]
#[case(Motion::VelocityChange { linear: Vec3::X, angular: Vec3::Y }, true)]
#[case(Motion::Keep, true)]
fn only_wake_wakes(#[case] motion: Motion, #[case] wake: bool) {
    let mut rig = rig();
    rig.step();
    rig.sleep();
    rig.step();
    assert!(rig.read().asleep);
    rig.apply(motion, wake);
    assert_eq!(rig.read().asleep, !wake);
    if let Motion::VelocityChange { linear, angular } = motion {
        assert_eq!(rig.read().linear_velocity, linear);
        assert_eq!(rig.read().angular_velocity, angular);
    }
    for _ in 0..3 {
        rig.step();
        assert_eq!(rig.read().asleep, !wake);
    }
}

#[test]
fn velocity_changes_add_up() {
    let mut rig = rig();
    let change = Motion::VelocityChange {
        linear: Vec3::X,
        angular: Vec3::Y,
    };
    rig.apply(change, true);
    rig.apply(change, true);
    let state = rig.read();
    assert_eq!(state.linear_velocity, Vec3::X * 2.0);
    assert_eq!(state.angular_velocity, Vec3::Y * 2.0);
}

#[test]
fn ground_motion_tells_who_can_be_pushed() {
    let mut rig = rig();
    let fixed = rig.add_fixed();
    assert_eq!(rig.ground(fixed), None);

    let belt = rig.add_belt(Vec3::X, Vec3::Z * 3.0);
    let motion = rig.ground(belt).unwrap();
    assert_eq!((motion.linear_velocity, motion.mass), (Vec3::Z * 3.0, None));
    assert_eq!(motion.position, DVec3::X);

    rig.set_angular(Vec3::Y);
    let motion = rig.ground(rig.car).unwrap();
    assert_eq!(motion.angular_velocity, Vec3::Y);
    assert_relative_eq!(motion.mass.unwrap(), 1200.0, max_relative = 1e-6);
    let axes = Mat3::from_quat(rig.read().rotation);
    let inverse_inertia = axes * rig.read().inverse_inertia * axes.transpose();
    assert!(
        motion
            .inverse_inertia
            .abs_diff_eq(inverse_inertia, 1e-6 * inverse_inertia.x_axis.x)
    );
}

pub(super) fn push_on(body: BodyId, force: Vec3, anchor: DVec3, offset: Vec3) -> Reaction {
    Reaction {
        body,
        force,
        torque: Vec3::ZERO,
        anchor,
        offset,
    }
}

#[test]
fn reactions_push_for_one_step_and_add_up() {
    let mut rig = rig();
    rig.set_mass(
        Frame::X_FORWARD_Y_UP,
        Mat3::from_diagonal(INERTIA),
        Vec3::ZERO,
    );
    let car = rig.car;
    let anchor = DVec3::new(10.0, 0.0, 0.0);
    let half = push_on(car, Vec3::NEG_Y * 600.0, anchor, Vec3::new(-9.0, 0.0, 0.0));
    for _ in 0..2 {
        rig.react(&[half]);
    }
    let torque = Vec3::X.cross(Vec3::NEG_Y * 1200.0);
    rig.step();
    close(rig.read().linear_velocity, Vec3::NEG_Y * DT, 1e-6);
    // About z of the body, which is minus the vehicle's y.
    close(rig.read().angular_velocity, torque / INERTIA.y * DT, 1e-4);
    rig.assert_pushed(Vec3::ZERO);
}

#[test]
fn reactions_wake_and_pass_over_what_cannot_be_pushed() {
    let mut rig = rig();
    let (fixed, car) = (rig.add_fixed(), rig.car);
    rig.step();
    rig.sleep();
    let push = |body| push_on(body, Vec3::NEG_Y, DVec3::ZERO, Vec3::ZERO);
    rig.react(&[push(fixed), push(BodyId(u64::MAX)), push(car)]);
    assert!(!rig.read().asleep);
    rig.step();
    assert!(rig.read().linear_velocity.y < 0.0);
}
