//! Reading bodies, changing velocities, accelerations, reactions.

use approx::assert_relative_eq;
use backend_rapier::{RapierWorld, body_id};
use glam::{DVec3, Mat3, Quat, Vec3, Vec3Swizzles as _};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{BodyError, BodyId, BodyState, Frame, Motion, Outcome, Reaction, RigidBodies};

use super::{DT, INERTIA, Rig, USER, close, rig, rig_in};

const FRAMES: [Frame; 3] = [
    Frame::X_FORWARD_Z_UP,
    Frame::Z_FORWARD_Y_UP,
    Frame::X_FORWARD_Y_UP,
];

fn acceleration(linear: Vec3, angular: Vec3) -> Motion {
    Motion::Acceleration { linear, angular }
}

#[rstest]
fn mass_properties_round_trip_in_vehicle_axes(
    #[values(0, 1, 2)] frame: usize,
    #[values(false, true)] stepped: bool,
) {
    let frame = FRAMES[frame];
    let mut rig = rig_in(frame);
    if stepped {
        rig.step();
    }
    let state = rig.read();
    assert_relative_eq!(state.mass, 1200.0, max_relative = 1e-6);
    let expected = Mat3::from_diagonal(1.0 / INERTIA);
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

#[rstest]
fn pose_and_velocity_are_those_of_the_vehicle(#[values(0, 1, 2)] frame: usize) {
    let frame = FRAMES[frame];
    let mut rig = rig_in(frame);
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.1);
    let place = Vec3::new(5.0, -3.0, 8.0);
    let body = rig.body();
    body.set_position(Pose::from_parts(place, turn), false);
    body.set_linvel(Vec3::new(1.0, 2.0, 3.0), false);
    body.set_angvel(Vec3::new(0.3, 0.2, 0.1), false);
    body.set_linear_damping(0.25);
    body.set_angular_damping(0.5);
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

    // The velocity is that of the centre of mass, not of the origin.
    let before = state.position;
    rig.body().set_linear_damping(0.0);
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
    assert_eq!(rig.body().user_force(), Vec3::ZERO);
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
fn angular_acceleration_is_reached_about_every_axis(#[case] axis: Vec3) {
    let mut rig = rig();
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), 0.7);
    rig.body().set_rotation(turn, false);
    rig.apply(acceleration(Vec3::ZERO, axis * 2.0), true);
    rig.step();
    close(rig.read().angular_velocity, axis * 2.0 * DT, 1e-4);
}

#[test]
fn gravity_cancelled_by_acceleration_leaves_no_drift() {
    let mut rig = rig();
    rig.world.gravity = Vec3::NEG_Y * 9.81;
    let start = rig.read().position;
    for _ in 0..60 {
        rig.apply(acceleration(Vec3::Y * 9.81, Vec3::ZERO), true);
        rig.step();
    }
    assert!((rig.read().position - start).length() < 1e-5);
}

#[test]
fn user_forces_stay_bit_for_bit() {
    let mut rig = rig();
    rig.body().add_force(USER.0, true);
    rig.body().add_torque(USER.1, true);
    for i in 0..50_u8 {
        let linear = Vec3::new(1.23, -0.7, f32::from(i));
        rig.apply(acceleration(linear, linear.zxy()), true);
        assert_ne!(rig.body().user_force(), USER.0);
        rig.step();
        assert_eq!(rig.body().user_force(), USER.0);
        assert_eq!(rig.body().user_torque(), USER.1);
    }
}

#[test]
fn forces_that_the_user_adds_between_update_and_step_stay() {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
    rig.body().add_force(Vec3::Y * 64.0, true);
    rig.step();
    assert_eq!(rig.body().user_force(), Vec3::Y * 64.0);

    rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
    rig.body().reset_forces(true);
    rig.step();
    assert_eq!(rig.body().user_force(), Vec3::ZERO);
}

#[test]
fn a_user_force_cancelled_by_ours_stays() {
    let mut rig = rig();
    rig.body().add_force(Vec3::X * 1200.0, true);
    rig.apply(acceleration(Vec3::NEG_X, Vec3::ZERO), true);
    assert_eq!(rig.body().user_force(), Vec3::ZERO);
    rig.step();
    assert_eq!(rig.body().user_force(), Vec3::X * 1200.0);
}

#[rstest]
#[case(acceleration(Vec3::X, Vec3::ZERO), Vec3::X * 1200.0)]
#[case(Motion::VelocityChange { linear: Vec3::X, angular: Vec3::ZERO }, Vec3::ZERO)]
#[case(Motion::Keep, Vec3::ZERO)]
fn an_outcome_replaces_the_previous_one(#[case] second: Motion, #[case] force: Vec3) {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::Y, Vec3::Z), true);
    rig.world.step(); // and no end_step
    rig.apply(second, false);
    assert_eq!(rig.body().user_force(), force);
    assert_eq!(rig.body().user_torque(), Vec3::ZERO);
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
    rig.body().sleep();
    rig.step();
    assert!(rig.read().asleep);
    rig.apply(motion, wake);
    assert_eq!(rig.read().asleep, !wake);
    if let Motion::VelocityChange { linear, angular } = motion {
        assert_eq!(rig.read().linear_velocity, linear);
        assert_eq!(rig.read().angular_velocity, angular);
    }
    rig.step();
    assert_eq!(rig.read().asleep, !wake);
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

#[rstest]
fn bodies_that_cannot_be_driven_are_errors(#[values(0, 1, 2, 3)] kind: usize) {
    let mut rig = rig();
    let mut insert = |body| body_id(rig.world.insert_body(body));
    let (id, expected) = match kind {
        0 => (BodyId(u64::MAX), BodyError::Missing(BodyId(u64::MAX))),
        1 => {
            let id = insert(RigidBodyBuilder::fixed());
            (id, BodyError::NotDynamic(id))
        }
        2 => {
            let id = insert(RigidBodyBuilder::kinematic_position_based());
            (id, BodyError::NotDynamic(id))
        }
        _ => {
            let massless = insert(RigidBodyBuilder::dynamic());
            (massless, BodyError::NotDynamic(massless))
        }
    };
    let car = rig.car;
    let mut view = RapierWorld::of(&mut rig.link, &mut rig.world);
    assert_eq!(
        view.read(&[car, id], &mut [BodyState::BLANK; 2]),
        Err(expected)
    );
    let push = Outcome {
        motion: acceleration(Vec3::X, Vec3::ZERO),
        wake: true,
    };
    assert_eq!(view.apply(&[car, id], &[push; 2]), Err(expected));
    // The previous body received its outcome.
    assert_eq!(rig.body().user_force(), Vec3::X * 1200.0);
}

#[test]
fn a_removed_body_is_missing_and_forgotten() {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
    rig.world.remove_body(rig.handle);
    rig.step();
    let car = rig.car;
    let view = RapierWorld::of(&mut rig.link, &mut rig.world);
    assert_eq!(
        view.read(&[car], &mut [BodyState::BLANK]),
        Err(BodyError::Missing(car))
    );
    assert_eq!(view.ground_motion(car), None);
    assert!(rig.link.remove_chassis(car));
    assert!(!rig.link.is_chassis(car));
}

#[test]
fn ground_motion_has_a_mass_only_if_pushable() {
    let mut rig = rig();
    let fixed = rig.world.insert_body(RigidBodyBuilder::fixed());
    assert_eq!(rig.ground(fixed), None);

    let belt = RigidBodyBuilder::kinematic_velocity_based()
        .translation(Vec3::X)
        .linvel(Vec3::Z * 3.0);
    let belt = rig.world.insert_body(belt);
    let motion = rig.ground(belt).unwrap();
    assert_eq!((motion.linear_velocity, motion.mass), (Vec3::Z * 3.0, None));
    assert_eq!(motion.position, DVec3::X);

    let car = rig.handle;
    rig.body().set_angvel(Vec3::Y, false);
    let motion = rig.ground(car).unwrap();
    assert_eq!(motion.angular_velocity, Vec3::Y);
    assert_relative_eq!(motion.mass.unwrap(), 1200.0, max_relative = 1e-6);
}

/// A scripted body never yields, however heavy its load; and a body without mass does not respond
/// to forces.
#[rstest]
#[case::dynamic(RigidBodyBuilder::dynamic(), 8.0, Some(8.0))]
#[case::without_mass(RigidBodyBuilder::dynamic(), 0.0, None)]
#[case::on_a_belt(RigidBodyBuilder::kinematic_velocity_based(), 8.0, None)]
#[case::scripted(RigidBodyBuilder::kinematic_position_based(), 8.0, None)]
fn only_bodies_that_forces_can_move_have_a_mass(
    #[case] body: RigidBodyBuilder,
    #[case] density: f32,
    #[case] mass: Option<f32>,
) {
    let mut rig = rig();
    let body = rig.world.insert_body(body);
    let load = ColliderBuilder::cuboid(0.5, 0.5, 0.5).density(density);
    rig.world.insert_collider(load, Some(body));
    rig.world.bodies[body].recompute_mass_properties_from_colliders(&rig.world.colliders);
    assert_eq!(rig.ground(body).unwrap().mass, mass);
}

#[test]
fn a_scripted_platform_moves_towards_its_next_position() {
    let mut rig = rig();
    let platform = RigidBodyBuilder::kinematic_position_based();
    let platform = rig.world.insert_body(platform);
    let velocity = |rig: &mut Rig| rig.ground(platform).unwrap().linear_velocity;

    // Immediately, before Rapier's first step.
    let next = Vec3::new(0.5 * DT, 0.0, 2.0 * DT);
    rig.world.bodies[platform].set_next_kinematic_translation(next);
    close(velocity(&mut rig), Vec3::new(0.5, 0.0, 2.0), 1e-4);
    rig.step();
    // Between steps, from the past step.
    close(velocity(&mut rig), Vec3::new(0.5, 0.0, 2.0), 1e-4);

    let turn = Quat::from_rotation_y(0.5 * DT);
    rig.world.bodies[platform].set_next_kinematic_rotation(turn);
    let motion = rig.ground(platform).unwrap();
    close(motion.angular_velocity, Vec3::Y * 0.5, 1e-3);
}

fn push_on(body: BodyId, force: Vec3, anchor: DVec3, offset: Vec3) -> Reaction {
    Reaction {
        body,
        force,
        torque: Vec3::ZERO,
        anchor,
        offset,
    }
}

#[test]
fn reactions_last_one_step_and_add_up() {
    let mut rig = rig();
    rig.set_mass(Frame::X_FORWARD_Y_UP, Vec3::ZERO);
    let car = rig.car;
    let anchor = DVec3::new(10.0, 0.0, 0.0);
    let half = push_on(car, Vec3::NEG_Y * 600.0, anchor, Vec3::new(-9.0, 0.0, 0.0));
    for _ in 0..2 {
        RapierWorld::of(&mut rig.link, &mut rig.world).react(&[half]);
    }
    let torque = Vec3::X.cross(Vec3::NEG_Y * 1200.0);
    assert_eq!(rig.body().user_torque(), torque);
    rig.step();
    close(rig.read().linear_velocity, Vec3::NEG_Y * DT, 1e-6);
    // About z of the body, which is minus the vehicle's y.
    close(rig.read().angular_velocity, torque / INERTIA.y * DT, 1e-4);
    assert_eq!(rig.body().user_force(), Vec3::ZERO);
    assert_eq!(rig.body().user_torque(), Vec3::ZERO);
}

#[rstest]
fn reactions_and_motion_share_a_body_in_any_order(#[values(false, true)] react_first: bool) {
    let mut rig = rig();
    let (car, com) = (rig.car, rig.read().position);
    rig.body().add_force(USER.0, true);
    let push = push_on(car, Vec3::NEG_Y * 600.0, com, Vec3::ZERO);
    for _ in 0..3 {
        for turn in [react_first, !react_first] {
            if turn {
                RapierWorld::of(&mut rig.link, &mut rig.world).react(&[push]);
            } else {
                rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
            }
        }
        let ours = Vec3::new(1200.0, -600.0, 0.0);
        close(rig.body().user_force(), USER.0 + ours, 1e-3);
        rig.step();
        assert_eq!(rig.body().user_force(), USER.0);
    }
}

#[test]
fn reactions_wake_bodies_and_skip_those_that_cannot_be_pushed() {
    let mut rig = rig();
    let fixed = body_id(rig.world.insert_body(RigidBodyBuilder::fixed()));
    let car = rig.car;
    rig.step();
    rig.body().sleep();
    let push = |body| push_on(body, Vec3::NEG_Y, DVec3::ZERO, Vec3::ZERO);
    let mut view = RapierWorld::of(&mut rig.link, &mut rig.world);
    view.react(&[push(fixed), push(BodyId(u64::MAX)), push(car)]);
    assert!(!rig.read().asleep);
}

/// A zero force does not wake; a torque alone does.
#[rstest]
#[case::nothing(Vec3::ZERO, Vec3::ZERO, true)]
#[case::a_force(Vec3::NEG_Y, Vec3::ZERO, false)]
#[case::a_torque(Vec3::ZERO, Vec3::Z, false)]
fn a_reaction_wakes_if_it_pushes(#[case] force: Vec3, #[case] torque: Vec3, #[case] asleep: bool) {
    let mut rig = rig();
    rig.step();
    rig.body().sleep();
    let push = push_on(rig.car, force, DVec3::ZERO, Vec3::ZERO);
    RapierWorld::of(&mut rig.link, &mut rig.world).react(&[Reaction { torque, ..push }]);
    assert_eq!(rig.read().asleep, asleep);
}

/// The world in which a vehicle is updated, and the scene that it queries.
#[test]
fn world_and_scene_give_the_same_ground() {
    let mut rig = rig();
    let platform = RigidBodyBuilder::kinematic_position_based();
    let platform = rig.world.insert_body(platform);
    let next = Vec3::new(0.5 * DT, 0.0, 2.0 * DT);
    rig.world.bodies[platform].set_next_kinematic_translation(next);
    let expected = rig.ground(platform);
    assert!(expected.is_some());
    let view = RapierWorld::of(&mut rig.link, &mut rig.world);
    assert_eq!(view.ground_motion(body_id(platform)), expected);
}
