//! Features of Rapier alone: forces that stay until they are taken back, scripted bodies, its limit of sleep.

use backend_rapier::{RapierWorld, body_id};
use glam::{DVec3, Mat3, Vec3, Vec3Swizzles as _};
use rapier3d::prelude::*;
use rstest::rstest;
use vehicle_core::{
    BodyError, BodyId, BodyState, Frame, Motion, Reaction, RigidBodies as _, StepResult,
};

use super::driving::{acceleration, push_on};
use super::step_motion::{drive, falling, through};
use super::{DT, INERTIA, USER, close, rig};

#[test]
fn user_forces_stay_to_the_bit() {
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
fn a_user_force_that_ours_happens_to_cancel_stays() {
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
fn an_outcome_replaces_the_one_before(#[case] second: Motion, #[case] force: Vec3) {
    let mut rig = rig();
    rig.apply(acceleration(Vec3::Y, Vec3::Z), true);
    rig.world.step(); // and no end_step
    rig.apply(second, false);
    assert_eq!(rig.body().user_force(), force);
    assert_eq!(rig.body().user_torque(), Vec3::ZERO);
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
    let push = StepResult {
        motion: acceleration(Vec3::X, Vec3::ZERO),
        wake: true,
    };
    assert_eq!(view.apply(&[car, id], &[push; 2]), Err(expected));
    // The body before it has been served.
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

/// A script carries what it carries, however heavy; and what has no mass answers to no force.
#[rstest]
#[case::dynamic(RigidBodyBuilder::dynamic(), 8.0, Some(8.0))]
#[case::without_mass(RigidBodyBuilder::dynamic(), 0.0, None)]
#[case::on_a_belt(RigidBodyBuilder::kinematic_velocity_based(), 8.0, None)]
#[case::scripted(RigidBodyBuilder::kinematic_position_based(), 8.0, None)]
fn only_what_a_push_can_move_has_a_mass(
    #[case] body: RigidBodyBuilder,
    #[case] density: f32,
    #[case] mass: Option<f32>,
) {
    let mut rig = rig();
    let body = rig.world.insert_body(body);
    let load = ColliderBuilder::cuboid(0.5, 0.5, 0.5).density(density);
    rig.world.insert_collider(load, Some(body));
    rig.world.bodies[body].recompute_mass_properties_from_colliders(&rig.world.colliders);
    assert_eq!(rig.ground(body_id(body)).unwrap().mass, mass);
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
                rig.react(&[push]);
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

/// A push of nothing is no reason to wake; a torque alone is one.
#[rstest]
#[case::nothing(Vec3::ZERO, Vec3::ZERO, true)]
#[case::a_force(Vec3::NEG_Y, Vec3::ZERO, false)]
#[case::a_torque(Vec3::ZERO, Vec3::Z, false)]
fn a_reaction_wakes_if_it_pushes(#[case] force: Vec3, #[case] torque: Vec3, #[case] asleep: bool) {
    let mut rig = rig();
    rig.step();
    rig.sleep();
    let push = push_on(rig.car, force, DVec3::ZERO, Vec3::ZERO);
    rig.react(&[Reaction { torque, ..push }]);
    assert_eq!(rig.read().asleep, asleep);
}

/// The world that a vehicle is updated in, and the scene that it looks at.
#[test]
fn world_and_scene_tell_the_same_of_the_ground() {
    let mut rig = rig();
    let platform = RigidBodyBuilder::kinematic_position_based();
    let platform = rig.world.insert_body(platform);
    let next = Vec3::new(0.5 * DT, 0.0, 2.0 * DT);
    rig.world.bodies[platform].set_next_kinematic_translation(next);
    let expected = rig.ground(body_id(platform));
    assert!(expected.is_some());
    let view = RapierWorld::of(&mut rig.link, &mut rig.world);
    assert_eq!(view.ground_motion(body_id(platform)), expected);
}

/// Each turns the body by its own lever.
#[test]
fn reactions_are_summed_to_the_bit() {
    let mut rig = rig();
    rig.set_mass(
        Frame::X_FORWARD_Y_UP,
        Mat3::from_diagonal(INERTIA),
        Vec3::ZERO,
    );
    let half = push_on(rig.car, Vec3::NEG_Y * 600.0, DVec3::X, Vec3::ZERO);
    rig.react(&[half]);
    rig.react(&[half]);
    assert_eq!(rig.body().user_force(), Vec3::NEG_Y * 1200.0);
    assert_eq!(
        rig.body().user_torque(),
        Vec3::X.cross(Vec3::NEG_Y * 1200.0)
    );
}

#[rstest]
#[case(0.09, true)]
#[case(0.11, false)]
fn the_speed_under_which_rapier_lets_sleep(#[case] speed: f32, #[case] sleeps: bool) {
    let mut rig = falling();
    let motion = through(Vec3::X * speed, Vec3::ZERO);
    assert_eq!(drive(&mut rig, motion, false, 300).is_some(), sleeps);
}
