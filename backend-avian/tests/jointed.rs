//! Wheels as bodies on joints, under a chassis modeled in any axes.

use crate::support;
use avian3d::prelude::*;
use backend_avian::{AvianJoints, ChassisFrame, JointedWheelsPlugin, body_id, mass_properties};
use bevy::app::App;
use bevy::prelude::Entity;
use glam::{Mat3, Quat, Vec3};
use jointed_wheels::{
    JointedError, JointedWheels, Motor, WheelAttachment, WheelDrive, WheelMotion,
};
use rstest::rstest;
use vehicle_core::Frame;

const DT: f32 = 1.0 / 240.0;
/// Center of mass of the chassis from the body's origin (`m`, vehicle axes).
const CENTER: Vec3 = Vec3::new(0.1, 0.0, 0.2);

fn attachment(x: f32, y: f32) -> WheelAttachment {
    WheelAttachment {
        position: Vec3::new(x, y, -0.3),
        up: Vec3::Z,
        radius: 0.3,
        width: 0.2,
        mass: 20.0,
        inertia: [2.0, 1.0],
        stiffness: 30_000.0,
        damping: 3000.0,
        free_travel: -0.08,
        limits: [-0.2, 0.1],
        friction: 1.0,
        layers: u32::MAX,
    }
}

/// A chassis of 1 t, modeled along `frame`, on four wheels over a slab; the world's axes are the
/// body's.
fn cart(frame: Frame) -> (App, Entity) {
    let mut app = support::app_with_hooks::<()>(|app| {
        app.add_plugins(JointedWheelsPlugin);
    });
    let world = app.world_mut();
    world.insert_resource(Gravity(frame.to_body(Vec3::Z * -9.81)));
    world.spawn((
        RigidBody::Static,
        Collider::half_space(frame.to_body(Vec3::Z)),
        Friction::new(1.0),
    ));
    let body = world.spawn((
        RigidBody::Dynamic,
        Position(frame.to_body(Vec3::Z * 0.6 - CENTER)),
        Rotation(Quat::IDENTITY),
        mass_properties(
            &frame,
            1000.0,
            Mat3::from_diagonal(Vec3::new(300.0, 900.0, 1000.0)),
            CENTER,
        ),
        ChassisFrame(frame),
        SleepingDisabled,
    ));
    let body = body.id();
    let places = [(1.0, 0.7), (1.0, -0.7), (-1.0, 0.7), (-1.0, -0.7)];
    let attachments = places.map(|(x, y)| attachment(x, y));
    // Mass properties are computed in the first step.
    support::step(&mut app, DT);
    let mut joints = AvianJoints(app.world_mut());
    joints.attach_wheels(body_id(body), &attachments).unwrap();
    (app, body)
}

/// Runs the app with torque on all wheels, and the front ones steered.
fn run(app: &mut App, body: Entity, seconds: f32, torque: f32, steer: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        let drive = |steer: f32| WheelDrive {
            steer,
            free_travel: -0.08,
            motor: Motor {
                torque,
                ..Motor::default()
            },
        };
        let drives = [steer, steer, 0.0, 0.0].map(drive);
        let mut joints = AvianJoints(app.world_mut());
        joints.drive_wheels(body_id(body), &drives, true).unwrap();
        support::step(app, DT);
    }
}

fn motions(app: &mut App, body: Entity) -> [WheelMotion; 4] {
    let mut motions = [WheelMotion::default(); 4];
    let joints = AvianJoints(app.world_mut());
    joints.wheel_motions(body_id(body), &mut motions).unwrap();
    motions
}

#[rstest]
#[case(Frame::X_FORWARD_Z_UP)]
#[case(Frame::X_FORWARD_Y_UP)]
#[case(Frame::Z_FORWARD_Y_UP)]
fn a_cart_in_any_axes_rests_drives_ahead_and_turns_left(#[case] frame: Frame) {
    let (mut app, body) = cart(frame);
    run(&mut app, body, 2.0, 0.0, 0.0);
    for motion in motions(&mut app, body) {
        let expected = 250.0 * 9.81 / 30_000.0 - 0.08;
        assert!((motion.travel - expected).abs() < 1e-3, "{motion:?}");
    }
    run(&mut app, body, 2.0, 50.0, 0.0);
    let linear = frame.to_vehicle(app.world().get::<LinearVelocity>(body).unwrap().0);
    let expected = 2.0 * (200.0 / 0.3) / (1000.0 + 4.0 * (20.0 + 2.0 / 0.09));
    assert!(
        (linear - Vec3::X * expected).length() < 0.1,
        "{linear}, not {expected}"
    );
    run(&mut app, body, 1.0, 0.0, 0.2);
    let angular = frame.to_vehicle(app.world().get::<AngularVelocity>(body).unwrap().0);
    // v·tan δ/wheelbase, less what Avian's friction gives way by.
    let expected = linear.x * 0.2_f32.tan() / 2.0;
    assert!(
        (angular.z / expected - 1.0).abs() < 0.2,
        "{angular}, not {expected}"
    );
}

#[test]
fn wheels_are_attached_once_and_need_their_plugin() {
    let (mut app, body) = cart(Frame::X_FORWARD_Z_UP);
    let id = body_id(body);
    let again = AvianJoints(app.world_mut()).attach_wheels(id, &[attachment(0.0, 0.0)]);
    assert_eq!(again, Err(JointedError::Twice(id)));
    let mut app = support::app();
    let body = app
        .world_mut()
        .spawn((RigidBody::Dynamic, Position(Vec3::ZERO)))
        .id();
    let refused =
        AvianJoints(app.world_mut()).attach_wheels(body_id(body), &[attachment(0.0, 0.0)]);
    assert!(
        matches!(refused, Err(JointedError::Engine(_))),
        "{refused:?}"
    );
    let gone = AvianJoints(app.world_mut()).wheel_motions(body_id(body), &mut []);
    assert_eq!(gone, Err(JointedError::NotAttached(body_id(body))));
}
