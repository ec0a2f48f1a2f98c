//! Reading bodies, changing velocities, accelerating, pushing back.

use approx::assert_relative_eq;
use avian3d::prelude::*;
use backend_avian::{body_id, set_mass_properties};
use bevy::prelude::{Bundle, Entity};
use glam::{DVec3, Mat3, Quat, Vec3};
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
fn mass_properties_come_back_in_vehicle_axes(
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
    rig.place(place, turn);
    let entity = rig.entity;
    rig.world().entity_mut(entity).insert((
        LinearVelocity(Vec3::new(1.0, 2.0, 3.0)),
        AngularVelocity(Vec3::new(0.3, 0.2, 0.1)),
        LinearDamping(0.25),
        AngularDamping(0.5),
    ));
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

    // The velocity is the centre of mass's: over a step it moves there, not the origin.
    let before = state.position;
    rig.world().entity_mut(entity).remove::<LinearDamping>();
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
    assert_eq!(rig.pushed(), (Vec3::ZERO, Vec3::ZERO));
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
fn gravity_cancelled_by_acceleration_leaves_no_drift() {
    let mut rig = rig();
    rig.world().insert_resource(Gravity(Vec3::NEG_Y * 9.81));
    let start = rig.read().position;
    for _ in 0..60 {
        rig.apply(acceleration(Vec3::Y * 9.81, Vec3::ZERO), true);
        rig.step();
    }
    assert_eq!(rig.read().position, start);
}

#[test]
fn user_forces_act_beside_ours() {
    let mut rig = rig();
    for i in 0..50_u8 {
        let before = rig.read();
        rig.push(USER.0, Vec3::ZERO);
        let user = rig.pushed();
        let linear = Vec3::new(1.23, -0.7, f32::from(i));
        rig.apply(acceleration(linear, Vec3::ZERO), true);
        assert_eq!(rig.pushed().0, user.0 + linear);
        rig.step();
        let gained = rig.read().linear_velocity - before.linear_velocity;
        close(gained, (USER.0 / 1200.0 + linear) * DT, 1e-5);
        assert_eq!(rig.pushed(), (Vec3::ZERO, Vec3::ZERO));
    }
}

#[test]
fn forces_that_the_user_adds_between_update_and_step_stay() {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
    rig.push(Vec3::Y * 1200.0, Vec3::ZERO);
    rig.apply(Motion::Keep, false);
    assert_eq!(rig.pushed().0, Vec3::Y);
    rig.step();
    close(rig.read().linear_velocity, Vec3::Y * DT, 1e-6);
}

#[rstest]
#[case(acceleration(Vec3::X, Vec3::ZERO), Vec3::X)]
#[case(Motion::VelocityChange { linear: Vec3::X, angular: Vec3::ZERO }, Vec3::ZERO)]
#[case(Motion::Keep, Vec3::ZERO)]
fn an_outcome_replaces_the_one_before(#[case] second: Motion, #[case] linear: Vec3) {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::Y, Vec3::Z), true);
    rig.apply(second, false);
    assert_eq!(rig.pushed(), (linear, Vec3::ZERO));
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

/// What sleeps feels nothing; what is woken feels it in the step to come.
#[rstest]
fn an_acceleration_counts_for_a_sleeper_only_if_it_wakes(#[values(false, true)] wake: bool) {
    let mut rig = rig();
    rig.step();
    rig.sleep();
    rig.step();
    rig.apply(acceleration(Vec3::X, Vec3::ZERO), wake);
    let felt = if wake { Vec3::X } else { Vec3::ZERO };
    assert_eq!(rig.pushed().0, felt);
}

/// Gravity would have gathered in Avian's sums while the car slept.
#[test]
fn a_sleeper_wakes_without_a_push() {
    let mut rig = rig();
    rig.world().insert_resource(Gravity(Vec3::NEG_Y * 9.81));
    rig.step();
    rig.set_linear(Vec3::ZERO);
    rig.sleep();
    for _ in 0..10 {
        rig.step();
    }
    rig.apply(Motion::Keep, true);
    rig.step();
    close(rig.read().linear_velocity, Vec3::NEG_Y * 9.81 * DT, 1e-6);
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

fn spawn(rig: &mut Rig, body: impl Bundle) -> Entity {
    rig.world().spawn(body).id()
}

#[rstest]
fn bodies_that_cannot_be_driven_are_errors(#[values(0, 1, 2, 3, 4, 5)] kind: usize) {
    let mut rig = rig();
    let ball = Collider::sphere(0.1);
    let entity = match kind {
        0 => Entity::PLACEHOLDER,
        1 => spawn(&mut rig, ball),
        2 => spawn(&mut rig, (RigidBody::Static, ball)),
        3 => spawn(&mut rig, (RigidBody::Kinematic, ball)),
        4 => spawn(&mut rig, (RigidBody::Dynamic, ball, RigidBodyDisabled)),
        // Without mass.
        _ => spawn(&mut rig, RigidBody::Dynamic),
    };
    let id = body_id(entity);
    let expected = if kind < 2 {
        BodyError::Missing(id)
    } else {
        BodyError::NotDynamic(id)
    };
    let car = rig.car;
    let push = Outcome {
        motion: acceleration(Vec3::X, Vec3::ZERO),
        wake: true,
    };
    rig.view(|view| {
        let read = view.read(&[car, id], &mut [BodyState::BLANK; 2]);
        assert_eq!(read, Err(expected));
        assert_eq!(view.apply(&[car, id], &[push; 2]), Err(expected));
    });
    // The body before it has been served.
    assert_eq!(rig.pushed().0, Vec3::X);
    if kind < 4 {
        let frame = Frame::X_FORWARD_Y_UP;
        let set = set_mass_properties(rig.world(), id, &frame, 1.0, Vec3::ONE, Vec3::ZERO);
        assert_eq!(set, Err(expected));
    }
}

#[test]
fn an_id_that_is_no_entity_is_missing() {
    let mut rig = rig();
    let nobody = BodyId(0);
    let read = rig.view(|view| view.read(&[nobody], &mut [BodyState::BLANK]));
    assert_eq!(read, Err(BodyError::Missing(nobody)));
}

#[test]
fn a_despawned_body_is_missing_and_forgotten() {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
    let (car, entity) = (rig.car, rig.entity);
    rig.world().despawn(entity);
    rig.step();
    rig.view(|view| {
        let read = view.read(&[car], &mut [BodyState::BLANK]);
        assert_eq!(read, Err(BodyError::Missing(car)));
        assert_eq!(view.ground_motion(car), None);
    });
}

#[test]
fn ground_motion_tells_who_can_be_pushed() {
    let mut rig = rig();
    let ball = Collider::sphere(0.1);
    let fixed = spawn(&mut rig, (RigidBody::Static, ball.clone()));
    assert_eq!(rig.ground(fixed), None);

    let belt = (
        RigidBody::Kinematic,
        ball,
        Position(Vec3::X),
        LinearVelocity(Vec3::Z * 3.0),
    );
    let belt = spawn(&mut rig, belt);
    let motion = rig.ground(belt).unwrap();
    assert_eq!((motion.linear_velocity, motion.mass), (Vec3::Z * 3.0, None));
    assert_eq!(motion.position, DVec3::X);

    let car = rig.entity;
    rig.quietly(|angular: &mut AngularVelocity| angular.0 = Vec3::Y);
    let motion = rig.ground(car).unwrap();
    assert_eq!(motion.angular_velocity, Vec3::Y);
    assert_relative_eq!(motion.mass.unwrap(), 1200.0, max_relative = 1e-6);
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
fn reactions_push_for_one_step_and_add_up() {
    let mut rig = rig();
    rig.set_mass(Frame::X_FORWARD_Y_UP, Vec3::ZERO);
    let car = rig.car;
    let anchor = DVec3::new(10.0, 0.0, 0.0);
    let half = push_on(car, Vec3::NEG_Y * 600.0, anchor, Vec3::new(-9.0, 0.0, 0.0));
    for _ in 0..2 {
        rig.view(|view| view.react(&[half]));
    }
    rig.step();
    let torque = Vec3::X.cross(Vec3::NEG_Y * 1200.0);
    close(rig.read().linear_velocity, Vec3::NEG_Y * DT, 1e-6);
    // About z of the body, which is minus the vehicle's y.
    close(rig.read().angular_velocity, torque / INERTIA.y * DT, 1e-4);
    assert_eq!(rig.pushed(), (Vec3::ZERO, Vec3::ZERO));
}

/// A torque turns as the same force at a lever does, and both add up.
#[test]
fn reactions_of_torque_alone_turn() {
    let mut rig = rig();
    rig.set_mass(Frame::X_FORWARD_Y_UP, Vec3::ZERO);
    let torque = Reaction {
        torque: Vec3::Z * 900.0,
        ..push_on(rig.car, Vec3::ZERO, DVec3::ZERO, Vec3::ZERO)
    };
    rig.view(|view| view.react(&[torque]));
    let alone = rig.pushed();
    close(alone.1, Vec3::Z * 900.0 / INERTIA.y, 1e-4);
    assert_eq!(alone.0, Vec3::ZERO);
    let both = Reaction {
        force: Vec3::Y * 900.0,
        offset: Vec3::X,
        ..torque
    };
    rig.view(|view| view.react(&[both]));
    close(rig.pushed().1, 3.0 * alone.1, 1e-4);
}

#[rstest]
#[case(Vec3::NAN, Vec3::ZERO)]
#[case(Vec3::ZERO, Vec3::INFINITY)]
#[case(Vec3::Y, Vec3::NAN)]
fn reactions_that_are_not_finite_are_passed_over(#[case] force: Vec3, #[case] torque: Vec3) {
    let mut rig = rig();
    let unsound = Reaction {
        torque,
        ..push_on(rig.car, force, DVec3::ZERO, Vec3::ZERO)
    };
    rig.view(|view| view.react(&[unsound]));
    assert_eq!(rig.pushed(), (Vec3::ZERO, Vec3::ZERO));
}

#[rstest]
fn reactions_and_motion_share_a_body_in_any_order(#[values(false, true)] react_first: bool) {
    let mut rig = rig();
    for _ in 0..3 {
        let (car, com) = (rig.car, rig.read().position);
        let push = push_on(car, Vec3::NEG_Y * 600.0, com, Vec3::ZERO);
        rig.push(USER.0, Vec3::ZERO);
        for turn in [react_first, !react_first] {
            if turn {
                rig.view(|view| view.react(&[push]));
            } else {
                rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
            }
        }
        let ours = Vec3::new(1.0, -0.5, 0.0);
        close(rig.pushed().0, USER.0 / 1200.0 + ours, 1e-6);
        rig.step();
    }
}

#[test]
fn reactions_wake_and_pass_over_what_cannot_be_pushed() {
    let mut rig = rig();
    let fixed = spawn(&mut rig, (RigidBody::Static, Collider::sphere(0.1)));
    let (fixed, car) = (body_id(fixed), rig.car);
    rig.step();
    rig.sleep();
    let push = |body| push_on(body, Vec3::NEG_Y, DVec3::ZERO, Vec3::ZERO);
    rig.view(|view| view.react(&[push(fixed), push(BodyId(u64::MAX)), push(car)]));
    assert!(!rig.read().asleep);
    rig.step();
    assert!(rig.read().linear_velocity.y < 0.0);
}
