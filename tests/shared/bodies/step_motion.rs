//! Moving a chassis through a step at its mean velocities, and letting it sleep: a module of the tests of every
//! engine whose `Rig` is above it.

use glam::{DVec3, Quat, Vec3};
use rstest::rstest;
use vehicle_core::Motion;

use super::{DT, Rig, USER, USER_TURNS, close, rig};

const G: Vec3 = Vec3::new(0.0, -9.81, 0.0);
const MASS: f32 = 1200.0;

/// A motion that cancels gravity, with both velocities.
pub(super) fn through(linear: Vec3, angular: Vec3) -> Motion {
    Motion::StepMotion {
        linear,
        angular,
        canceled_acceleration: G,
        canceled_angular_acceleration: Vec3::ZERO,
    }
}

pub(super) const STAND: Motion = Motion::StepMotion {
    linear: Vec3::ZERO,
    angular: Vec3::ZERO,
    canceled_acceleration: G,
    canceled_angular_acceleration: Vec3::ZERO,
};

/// A tilted car without ground, under gravity.
pub(super) fn falling() -> Rig {
    let mut rig = rig();
    rig.set_gravity(G);
    let askew = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), 0.7);
    rig.place(Vec3::ZERO, askew);
    rig
}

/// Steps with the same motion; returns how many it took to fall asleep, if it did.
pub(super) fn drive(rig: &mut Rig, motion: Motion, wake: bool, steps: usize) -> Option<usize> {
    (1..=steps).find(|_| {
        rig.apply(motion, wake);
        rig.step();
        rig.read().asleep
    })
}

#[rstest]
fn a_car_set_to_rest_does_not_move_at_all(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let mut rig = falling();
    rig.set_rate(rate);
    rig.step();
    rig.set_linear(Vec3::ZERO);
    let (position, rotation) = (rig.read().position, rig.read().rotation);
    drive(&mut rig, STAND, true, 600);
    let state = rig.read();
    assert_eq!((state.position, state.rotation), (position, rotation));
    assert_eq!(state.linear_velocity, Vec3::ZERO);
    assert!(!state.asleep);
}

#[rstest]
fn a_car_moves_with_the_given_motion(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let mut rig = falling();
    let dt = 1.0 / rate;
    rig.set_rate(rate);
    let (v, w) = (Vec3::new(3.0, -0.5, 1.0), Vec3::new(0.0, 0.4, 0.0));
    // About no axis of the car: it would tumble.
    rig.leave_out_gyroscopic_torque();
    for step in 0..600 {
        // Its previous velocity does not matter.
        rig.set_linear(Vec3::ONE * step as f32);
        let before = rig.read();
        rig.apply(through(v, w), false);
        rig.step();
        let after = rig.read();
        let moved = (after.position - before.position).as_vec3();
        close(moved, v * dt, 8e-6);
        close(after.linear_velocity, v, 1e-6);
        close(after.angular_velocity, w, 1e-6);
        let expected = Quat::from_axis_angle(Vec3::Y, w.y * dt) * before.rotation;
        assert!(expected.dot(after.rotation).abs() > 1.0 - 1e-6);
    }
}

#[test]
fn velocities_are_set_and_not_added() {
    let mut rig = falling();
    for _ in 0..3 {
        rig.apply(through(Vec3::X, Vec3::Z), false);
    }
    let state = rig.read();
    assert_eq!(
        (state.linear_velocity, state.angular_velocity),
        (Vec3::X, Vec3::Z)
    );
    rig.assert_pushed(-G);
}

#[test]
fn only_the_gravity_that_is_carried_is_canceled() {
    let mut rig = falling();
    let half = Motion::StepMotion {
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        canceled_acceleration: G * 0.5,
        canceled_angular_acceleration: Vec3::ZERO,
    };
    rig.apply(half, false);
    rig.step();
    close(rig.read().linear_velocity, G * 0.5 * DT, 1e-6);
    // The next step has all of it again.
    rig.step();
    close(rig.read().linear_velocity, G * 1.5 * DT, 1e-6);
}

#[test]
fn the_users_force_persists() {
    let mut rig = falling();
    rig.push_always(USER);
    for _ in 0..60 {
        rig.apply(STAND, true);
        rig.step();
        rig.assert_pushed_always(USER);
        // It moves the car, which the next step corrects.
        close(rig.read().linear_velocity, USER.0 / MASS * DT, 1e-6);
        assert!(rig.read().angular_velocity.length() > USER_TURNS);
    }
}

#[test]
fn without_waking_nothing_happens_to_a_sleeping_car() {
    let mut rig = falling();
    rig.step();
    rig.sleep();
    rig.step();
    let before = rig.read();
    for _ in 0..3 {
        rig.apply(through(Vec3::X, Vec3::Y), false);
        rig.assert_pushed(Vec3::ZERO);
        rig.step();
        assert_eq!(rig.read(), before);
    }
    rig.apply(through(Vec3::X, Vec3::Y), true);
    rig.step();
    assert!(!rig.read().asleep);
    close(rig.read().linear_velocity, Vec3::X, 1e-6);
}

/// The car rests on its hull in the second case, so that it shares an island with contacts.
#[rstest]
fn a_car_at_rest_falls_asleep_and_wakes_again(#[values(false, true)] on_ground: bool) {
    let mut rig = falling();
    if on_ground {
        rig.add_floor(-3.0);
        drive(&mut rig, Motion::Keep, true, 600);
    }
    let steps = drive(&mut rig, STAND, false, 60).expect("asleep within a second");
    assert!((29..=34).contains(&steps), "{steps}");
    let resting = rig.read();
    assert_eq!(drive(&mut rig, STAND, false, 60), Some(1));
    assert_eq!(rig.read(), resting);
    rig.apply(through(Vec3::X, Vec3::ZERO), true);
    rig.step();
    assert!(!rig.read().asleep);
    let moved = rig.read().position - resting.position;
    let off = moved - DVec3::X * f64::from(DT);
    assert!(off.length() < 2e-3, "{moved}");
}

#[test]
fn a_slow_car_stays_awake_while_woken() {
    let mut rig = falling();
    let creep = through(Vec3::X * 0.02, Vec3::ZERO);
    let start = rig.read().position;
    assert_eq!(drive(&mut rig, creep, true, 180 * 60), None);
    let way = rig.read().position - start;
    assert!((way.x - 3.6).abs() < 5e-3, "{way}");
    // The half second starts at the last wake-up.
    let steps = drive(&mut rig, creep, false, 60).expect("asleep within a second");
    assert!((29..=34).contains(&steps), "{steps}");
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
    let mut rig = falling();
    let before = rig.read();
    let motion = Motion::StepMotion {
        linear,
        angular,
        canceled_acceleration,
        canceled_angular_acceleration,
    };
    rig.apply(motion, true);
    assert_eq!(rig.read(), before);
    rig.assert_pushed(Vec3::ZERO);
}
