//! Moving a body through a step at its mean velocities, together with the user's forces.

use rstest::rstest;

use super::{G, ball, world};
use crate::standalone::*;

/// A motion that cancels gravity.
fn through(linear: Vec3, angular: Vec3) -> Motion {
    Motion::StepMotion {
        linear,
        angular,
        canceled_acceleration: G,
        canceled_angular_acceleration: Vec3::ZERO,
    }
}

/// Applies the motion and steps; returns how many steps it took to fall asleep, if it did.
fn drive(
    world: &mut Standalone,
    id: BodyId,
    motion: Motion,
    wake: bool,
    (dt, steps): (f32, usize),
) -> Option<usize> {
    (1..=steps).find(|_| {
        world.apply(&[id], &[StepResult { motion, wake }]).unwrap();
        world.step(G, dt);
        world.body(id).unwrap().is_asleep()
    })
}

#[rstest]
fn a_body_set_to_rest_does_not_move_at_all(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let (mut world, id) = world();
    world.set_velocity(id, Vec3::ONE, Vec3::ONE).unwrap();
    let stand = through(Vec3::ZERO, Vec3::ZERO);
    drive(&mut world, id, stand, true, (1.0 / rate, 600));
    assert_eq!(world.body(id).unwrap().now(), &ball());
    assert!(!world.body(id).unwrap().is_asleep());
}

#[rstest]
fn a_body_moves_with_the_given_motion(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let (mut world, id) = world();
    let (v, w, dt) = (Vec3::new(3.0, -0.5, 1.0), Vec3::Y * 0.4, 1.0 / rate);
    for step in 1..=600 {
        // Its previous velocity does not matter.
        world.set_velocity(id, Vec3::ONE, Vec3::ONE).unwrap();
        drive(&mut world, id, through(v, w), false, (dt, 1));
        let now = world.body(id).unwrap().now();
        let way = v.as_dvec3() * f64::from(dt) * f64::from(step);
        assert!((now.position - ball().position - way).length() < 1e-9);
        assert_eq!((now.linear_velocity, now.angular_velocity), (v, w));
    }
    let turned = math::rotation_about(Vec3::Y, 0.4 * 600.0 * dt);
    assert!(turned.dot(world.body(id).unwrap().now().rotation).abs() > 1.0 - 1e-5);
}

#[test]
fn only_the_gravity_that_is_carried_is_canceled() {
    let (mut world, id) = world();
    let half = Motion::StepMotion {
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        canceled_acceleration: G * 0.5,
        canceled_angular_acceleration: Vec3::ZERO,
    };
    drive(&mut world, id, half, false, (0.25, 1));
    let speed = |world: &Standalone| world.body(id).unwrap().now().linear_velocity;
    assert_eq!(speed(&world), G * 0.125);
    // The next step has all of it again.
    world.step(G, 0.25);
    assert_eq!(speed(&world), G * 0.375);
}

#[test]
fn the_users_force_persists() {
    let (mut world, id) = world();
    world.set_force(id, Vec3::X * 8.0, Vec3::Z * 16.0).unwrap();
    let stand = through(Vec3::ZERO, Vec3::ZERO);
    for motion in [stand, stand, Motion::Keep] {
        drive(&mut world, id, motion, true, (0.25, 1));
        let expected = if motion == stand { 1.0 } else { 2.0 };
        let now = world.body(id).unwrap().now();
        // 8 N on 2 kg, 16 N·m on 4 kg·m², for a quarter of a second.
        assert_eq!(now.linear_velocity.x, expected);
        assert_eq!(now.angular_velocity, Vec3::Z * expected);
    }
    world.set_force(id, Vec3::ZERO, Vec3::ZERO).unwrap();
    drive(&mut world, id, stand, true, (0.25, 1));
    assert_eq!(world.body(id).unwrap().now().linear_velocity, Vec3::ZERO);
}

#[test]
fn a_torque_acts_in_world_axes() {
    let (mut world, id) = world();
    let turned = math::rotation_about(Vec3::Y, core::f32::consts::FRAC_PI_2);
    world.set_pose(id, DVec3::ZERO, turned).unwrap();
    world.set_force(id, Vec3::ZERO, Vec3::X * 8.0).unwrap();
    world.step(Vec3::ZERO, 0.25);
    // About the world's x, which is the body's z, of inertia 4.
    let spin = world.body(id).unwrap().now().angular_velocity;
    assert!((spin - Vec3::X * 0.5).length() < 1e-6, "{spin}");
}

#[test]
fn a_body_at_rest_falls_asleep_and_wakes_again() {
    let (mut world, id) = world();
    let stand = through(Vec3::ZERO, Vec3::ZERO);
    let steps = drive(&mut world, id, stand, false, (0.01, 100));
    assert!((40..=41).contains(&steps.unwrap()));
    // Without waking nothing happens to it.
    let resting = world.body(id).unwrap().clone();
    drive(
        &mut world,
        id,
        through(Vec3::X, Vec3::X),
        false,
        (0.01, 100),
    );
    assert_eq!(world.body(id).unwrap(), &resting);
    drive(
        &mut world,
        id,
        through(Vec3::X, Vec3::ZERO),
        true,
        (0.01, 1),
    );
    let body = world.body(id).unwrap();
    assert_eq!(
        (body.is_asleep(), body.now().linear_velocity),
        (false, Vec3::X)
    );
    // Setting a force wakes, like every setter.
    drive(&mut world, id, stand, false, (0.01, 100));
    assert!(world.body(id).unwrap().is_asleep());
    world.set_force(id, Vec3::X, Vec3::ZERO).unwrap();
    assert!(!world.body(id).unwrap().is_asleep());
}

#[test]
fn a_slow_body_stays_awake_while_woken() {
    let (mut world, id) = world();
    // 1 mm/s: at 2 cm/s the sleep rule would keep it awake anyway.
    let creep = through(Vec3::X * 0.001, Vec3::ZERO);
    let tick = 1.0 / 64.0;
    assert_eq!(drive(&mut world, id, creep, true, (tick, 180 * 64)), None);
    let way = world.body(id).unwrap().now().position.x;
    assert!((way - 0.18).abs() < 1e-6, "{way}");
    assert!(drive(&mut world, id, creep, false, (tick, 100)).is_some());
}

#[rstest]
#[case(Vec3::NAN, Vec3::ZERO, G, Vec3::ZERO)]
#[case(Vec3::ZERO, Vec3::INFINITY, G, Vec3::ZERO)]
#[case(Vec3::ZERO, Vec3::ZERO, Vec3::NAN, Vec3::ZERO)]
#[case(Vec3::ZERO, Vec3::ZERO, G, Vec3::NAN)]
fn numbers_that_are_not_finite_are_refused(
    #[case] linear: Vec3,
    #[case] angular: Vec3,
    #[case] canceled_acceleration: Vec3,
    #[case] canceled_angular_acceleration: Vec3,
) {
    let (mut world, id) = world();
    let motion = Motion::StepMotion {
        linear,
        angular,
        canceled_acceleration,
        canceled_angular_acceleration,
    };
    let outcome = StepResult { motion, wake: true };
    world.apply(&[id], &[outcome]).unwrap();
    world.step(Vec3::ZERO, 0.01);
    assert_eq!(world.body(id).unwrap().now(), &ball());
    let forces = [
        linear + canceled_acceleration,
        angular + canceled_angular_acceleration,
    ];
    assert!(world.set_force(id, forces[0], forces[1]).is_err());
}
