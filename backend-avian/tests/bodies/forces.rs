//! Features of Avian alone: forces for one step, entities that are no bodies, its limit of sleep.

use avian3d::prelude::*;
use backend_avian::{body_id, set_mass_properties};
use bevy::prelude::{Bundle, Entity};
use glam::{DVec3, Mat3, Vec3};
use rstest::rstest;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, Motion, Reaction, RigidBodies as _, StepResult,
};

use super::driving::{acceleration, push_on};
use super::step_motion::{STAND, drive, falling, through};
use super::{DT, INERTIA, Rig, USER, close, rig};

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
    let push = StepResult {
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
        let set = set_mass_properties(rig.world(), id, &frame, 1.0, Mat3::IDENTITY, Vec3::ZERO);
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

#[rstest]
fn reactions_and_motion_share_a_body_in_any_order(#[values(false, true)] react_first: bool) {
    let mut rig = rig();
    for _ in 0..3 {
        let (car, com) = (rig.car, rig.read().position);
        let push = push_on(car, Vec3::NEG_Y * 600.0, com, Vec3::ZERO);
        rig.push(USER.0, Vec3::ZERO);
        for turn in [react_first, !react_first] {
            if turn {
                rig.react(&[push]);
            } else {
                rig.apply(acceleration(Vec3::X, Vec3::ZERO), true);
            }
        }
        let ours = Vec3::new(1.0, -0.5, 0.0);
        close(rig.pushed().0, USER.0 / 1200.0 + ours, 1e-6);
        rig.step();
    }
}

#[rstest]
#[case(0.14, true)]
#[case(0.16, false)]
fn the_speed_under_which_avian_lets_sleep(#[case] speed: f32, #[case] sleeps: bool) {
    let mut rig = falling();
    let motion = through(Vec3::X * speed, Vec3::ZERO);
    assert_eq!(drive(&mut rig, motion, false, 300).is_some(), sleeps);
}

#[test]
fn a_car_that_may_not_sleep_does_not() {
    let mut rig = falling();
    let entity = rig.entity;
    rig.world().entity_mut(entity).insert(SleepingDisabled);
    assert_eq!(drive(&mut rig, STAND, false, 300), None);
}

/// A sleeping body feels no acceleration; a woken one feels it in the step to come.
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

/// A torque turns as the same force at a lever does, and both add up.
#[test]
fn reactions_of_torque_alone_turn() {
    let mut rig = rig();
    rig.set_mass(
        Frame::X_FORWARD_Y_UP,
        Mat3::from_diagonal(INERTIA),
        Vec3::ZERO,
    );
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
