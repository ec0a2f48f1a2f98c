//! Records of the step, with an engine that follows the motion exactly and one that adds a push.

mod estimates;
mod laden;

use super::*;
use crate::base::lanes::V3x4;
use crate::exchange::state::DriveState;
use glam::DVec3;
use glam::Mat3;
use proptest::prelude::*;
use rstest::rstest;

const SETTINGS: RowsSettings = RowsSettings::DEFAULT;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

/// An engine with one body, its own push (an acceleration) and its own substeps.
struct Engine {
    body: BodyState,
    push: Velocity,
    substeps: u32,
}

impl Engine {
    fn new() -> Self {
        Self {
            body: BodyState {
                position: DVec3::new(120.0, -40.0, 3.0),
                rotation: math::rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7),
                mass: 1500.0,
                inverse_inertia: Mat3::from_diagonal(Vec3::splat(1e-3)),
                ..BodyState::BLANK
            },
            push: Velocity::ZERO,
            substeps: 1,
        }
    }

    /// Sets the velocity, cancels the acceleration of the motion, and adds its own push.
    fn step(&mut self, motion: &Motion) {
        let Motion::StepMotion {
            linear,
            angular,
            canceled_acceleration,
            canceled_angular_acceleration,
        } = *motion
        else {
            panic!("{motion:?}")
        };
        let h = DT / self.substeps as f32;
        let body = &mut self.body;
        (body.linear_velocity, body.angular_velocity) = (linear, angular);
        for _ in 0..self.substeps {
            body.linear_velocity += (GRAVITY - canceled_acceleration + self.push.linear) * h;
            body.angular_velocity += (self.push.angular - canceled_angular_acceleration) * h;
            body.linear_velocity *= 1.0 - body.linear_damping * h;
            body.angular_velocity *= 1.0 - body.angular_damping * h;
            body.position += (body.linear_velocity * h).as_dvec3();
            body.rotation = math::turn(body.rotation, body.angular_velocity, h);
        }
    }
}

fn state() -> VehicleState {
    VehicleState::at_rest(4, DriveState::default())
}

/// Ends a step in which the substeps take the chassis from `start` to `end`, at the mean of
/// both, with this estimated `push`.
fn end_step_with(
    push: Velocity,
    state: &mut VehicleState,
    body: &BodyState,
    start: Velocity,
    end: Velocity,
) -> Motion {
    let mut chassis = Chassis::new(body, start.linear, start.angular);
    chassis.glide(&(end - start).in_lanes(), DT);
    state.move_to(body.position);
    end_step(state, body, &chassis, &push.in_lanes(), (GRAVITY, DT))
}

fn velocity(linear: [f32; 3], angular: [f32; 3]) -> Velocity {
    Velocity {
        linear: Vec3::from(linear),
        angular: Vec3::from(angular),
    }
}

fn apart(a: Velocity, b: Velocity) -> f32 {
    (a.linear - b.linear)
        .length()
        .max((a.angular - b.angular).length())
}

fn velocities(speed: f32, spin: f32) -> impl Strategy<Value = Velocity> {
    let linear = prop::array::uniform3(-speed..speed);
    let angular = prop::array::uniform3(-spin..spin);
    (linear, angular).prop_map(|(linear, angular)| velocity(linear, angular))
}

#[test]
fn without_history_velocity_is_read_plus_carry() {
    let mut engine = Engine::new();
    engine.body.linear_velocity = Vec3::new(3.0, 1.0, -2.0);
    let mut state = state();
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(
        actual.velocity.truncated(),
        velocity([3.0, 1.0, -2.0], [0.0; 3])
    );
    assert_eq!(actual.pose_drift.truncated(), Velocity::ZERO);
    assert_eq!(state.last_step, StepRecord::NONE);
    state.carry.linear = Vec3::X;
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(
        actual.velocity.truncated().linear,
        Vec3::new(4.0, 1.0, -2.0),
        "carry survives sleep"
    );
}

proptest! {
    /// The observed velocity is that at the end of the substeps, not the mean that the step ended with, and the body is
    /// where they ended; the engine adds nothing.
    #[test]
    fn final_velocity_is_received(targets in prop::collection::vec(velocities(30.0, 3.0), 2..8)) {
        let (mut engine, mut state) = (Engine::new(), state());
        // Spread over the steps as wheels could: no more than a few g and 30 rad/s² apart.
        let mut now = targets[0];
        for velocity in &targets {
            let end = now + (*velocity - now) * 0.03;
            let motion = end_step_with(state.last_step.push, &mut state, &engine.body, now, end);
            engine.step(&motion);
            let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
            // Rounding of 40 m/s in f32, in three sums.
            prop_assert!(apart(actual.velocity.truncated(), end) < 2e-5, "{actual:?} {end:?}");
            prop_assert!(apart(actual.external_change.truncated(), Velocity::ZERO) < 2e-5, "{actual:?}");
            prop_assert!(apart(actual.pose_drift.truncated(), Velocity::ZERO) < 2e-6, "{actual:?}");
            // A rounding of 2e-5 m/s is a push of 1e-3 m/s².
            prop_assert!(apart(state.last_step.push, Velocity::ZERO) < 5e-3);
            now = end;
        }
    }

    /// An engine's damping slows the car as expected and is not estimated as a push.
    #[test]
    fn damping_is_no_push(
        start in velocities(20.0, 2.0), linear in 0f32..2.0, angular in 0f32..2.0,
    ) {
        let (mut engine, mut state) = (Engine::new(), state());
        engine.body.linear_damping = linear;
        engine.body.angular_damping = angular;
        let mut now = start;
        for _ in 0..5 {
            let motion = end_step_with(state.last_step.push, &mut state, &engine.body, now, now);
            engine.step(&motion);
            let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY).velocity.truncated();
            let expected = Velocity {
                linear: now.linear * (1.0 - linear * DT),
                angular: now.angular * (1.0 - angular * DT),
            };
            // Gravity, canceled by an equal force, is damped in neither of the two.
            prop_assert!(apart(actual, expected) < 2e-5, "{actual:?} {expected:?}");
            let pushed = apart(state.last_step.push, Velocity::ZERO);
            prop_assert!(pushed < 2e-3, "{:?}", state.last_step);
            now = actual;
        }
    }

    /// Whatever the engine adds and however much of it is estimated, its momentum arrives.
    #[test]
    fn no_momentum_is_lost(
        pushes in prop::collection::vec(velocities(100.0, 100.0), 1..20),
        estimate in velocities(30.0, 10.0),
    ) {
        let (mut engine, mut state) = (Engine::new(), state());
        state.last_step.push = estimate;
        let mut now = velocity([5.0, 1.0, 0.0], [0.0, 0.1, 0.2]);
        let motion = end_step_with(state.last_step.push, &mut state, &engine.body, now, now);
        engine.push = estimate;
        engine.step(&motion);
        for push in pushes {
            let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
            now = actual.velocity.truncated();
            // Free flight: only the estimated push acts within the substeps.
            let end = now + actual.push.truncated() * DT;
            let motion = end_step_with(actual.push.truncated(), &mut state, &engine.body, now, end);
            engine.push = push;
            engine.step(&motion);
            let arrived = begin_step(&SETTINGS, &mut state.clone(), &engine.body, GRAVITY).velocity.truncated();
            let expected = now + push * DT;
            prop_assert!(apart(arrived, expected) < 1e-4, "{arrived:?} {expected:?}");
        }
    }
}

/// A change made to the body between two steps.
type Deed = fn(&mut BodyState);

/// Part of the last step's record that is left after an action.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Left {
    /// All of it: a step explains the deed.
    All,
    /// Velocity and carry, since only the pose was set.
    Carry,
    /// Velocity and carry, turned about z by 0.5 rad.
    TurnedCarry,
    /// The velocity as it was read.
    Nothing,
}

fn turned(v: Vec3) -> Vec3 {
    math::rotated(&math::matrix(math::rotation_about(Vec3::Z, 0.5)), v)
}

#[rstest]
#[case::teleport(|b: &mut BodyState| b.position.x += 1.0, Left::Carry)]
#[case::origin_shift(|b: &mut BodyState| b.position -= DVec3::new(5000.0, 0.0, 0.0), Left::Carry)]
#[case::small_lift(|b: &mut BodyState| b.position.z += 0.02, Left::Carry)]
#[case::turned_by_hand(|b: &mut BodyState| b.rotation = math::turn(b.rotation, Vec3::Z, 0.5), Left::Carry)]
#[case::turned_a_little(|b: &mut BodyState| b.rotation = math::turn(b.rotation, Vec3::X, 0.02), Left::Carry)]
#[case::portal(|b: &mut BodyState| {
    b.position.y += 30.0;
    b.rotation = math::compose(math::rotation_about(Vec3::Z, 0.5), b.rotation);
    b.linear_velocity = turned(b.linear_velocity);
    b.angular_velocity = turned(b.angular_velocity);
}, Left::TurnedCarry)]
#[case::respawn(|b: &mut BodyState| {
    b.position.y += 30.0;
    b.linear_velocity = Vec3::new(0.0, 5.0, 0.0);
    b.angular_velocity = Vec3::ZERO;
}, Left::Nothing)]
#[case::hit(|b: &mut BodyState| {
    b.linear_velocity.y += 5.0;
    b.position.y += f64::from(5.0 * DT);
}, Left::All)]
#[case::hit_at_the_end_of_the_step(|b: &mut BodyState| b.linear_velocity.y += 5.0, Left::All)]
#[case::spun(|b: &mut BodyState| {
    b.angular_velocity += Vec3::Z * 4.0;
    b.rotation = math::turn(b.rotation, Vec3::Z * 4.0, DT);
}, Left::All)]
#[case::nothing(|_: &mut BodyState| (), Left::All)]
fn what_moves_a_body_by_hand_leaves_its_velocity(#[case] deed: Deed, #[case] left: Left) {
    let (mut engine, mut state) = (Engine::new(), state());
    let start = velocity([10.0, 0.0, 0.0], [0.0, 0.0, 0.2]);
    let end = velocity([9.8, 0.0, 0.0], [0.0, 0.0, 0.25]);
    state.last_step.push.linear = Vec3::new(0.5, 0.0, 0.0);
    engine.push.linear = state.last_step.push.linear;
    let motion = end_step_with(state.last_step.push, &mut state, &engine.body, start, end);
    engine.step(&motion);
    deed(&mut engine.body);
    let read = engine.body.velocity();
    let carry = state.carry;
    assert!(apart(carry, Velocity::ZERO) > 0.02);
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    let expected = match left {
        Left::All | Left::Carry => carry,
        Left::TurnedCarry => velocity(turned(carry.linear).into(), turned(carry.angular).into()),
        Left::Nothing => Velocity::ZERO,
    };
    assert!(apart(state.carry, expected) < 1e-6, "{:?}", state.carry);
    let whole = (actual.velocity + actual.velocity_jump).truncated();
    assert!(apart(whole, read + expected) < 2e-6);
    assert_eq!(state.last_step == StepRecord::NONE, left == Left::Nothing);
    if left != Left::All {
        assert_eq!(actual.pose_drift.truncated(), Velocity::ZERO);
    }
    let push = state.last_step.push.linear;
    if left == Left::TurnedCarry {
        let expected = turned(Vec3::new(0.5, 0.0, 0.0));
        assert!((push - expected).length() < 1e-3, "{push}");
    }
}

/// In space, gravity gives no bound within which a velocity counts as kept.
#[rstest]
#[case::standing(0.0, 0.0)]
#[case::teleport(10.0, 0.0)]
#[case::portal(10.0, 0.5)]
fn a_body_that_is_moved_in_space_keeps_its_carry(#[case] speed: f32, #[case] angle: f32) {
    let (mut engine, mut state) = (Engine::new(), state());
    let start = velocity([speed, 0.0, 0.0], [0.0, 0.0, 0.2]);
    let end = velocity([0.98 * speed, 0.0, 0.0], [0.0, 0.0, 0.25]);
    let motion = end_step_with(Velocity::ZERO, &mut state, &engine.body, start, end);
    engine.step(&motion);
    let body = &mut engine.body;
    body.position.y += 30.0;
    let turn = math::matrix(math::rotation_about(Vec3::Z, angle));
    body.rotation = math::compose(math::rotation_about(Vec3::Z, angle), body.rotation);
    body.linear_velocity = math::rotated(&turn, body.linear_velocity);
    body.angular_velocity = math::rotated(&turn, body.angular_velocity);
    let carry = state.carry.linear;
    begin_step(&SETTINGS, &mut state, body, Vec3::ZERO);
    assert!((state.carry.linear - math::rotated(&turn, carry)).length() < 1e-6);
    assert!(state.last_step != StepRecord::NONE);
}

/// A body that was put somewhere else may have wheels in the ground; one that was corrected by millimeters, or lifted, has
/// none.
#[rstest]
#[case([0.002, 0.0, 0.0], false)]
#[case([0.0, 0.04, 0.0], false)]
#[case([0.0, 0.0, 0.2], false)]
#[case([0.0, 0.06, 0.0], true)]
#[case([0.0, 0.0, -0.06], true)]
#[case([3.0, 0.0, 0.5], true)]
fn a_body_put_somewhere_else_is_placed(#[case] by: [f64; 3], #[case] placed: bool) {
    let (mut engine, mut state) = (Engine::new(), state());
    let still = Velocity::ZERO;
    let motion = end_step_with(still, &mut state, &engine.body, still, still);
    engine.step(&motion);
    engine.body.position += DVec3::from(by);
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(actual.placed, placed);
}

/// A contact of a body that is too deep lifts it, whatever it does to its velocity.
#[test]
fn a_body_lifted_out_of_the_ground_is_not_placed() {
    let (mut engine, mut state) = (Engine::new(), state());
    let (start, end) = (
        velocity([1.0, 0.0, -8.0], [0.0; 3]),
        velocity([1.0, 0.0, -7.0], [0.0; 3]),
    );
    let motion = end_step_with(Velocity::ZERO, &mut state, &engine.body, start, end);
    engine.step(&motion);
    engine.body.linear_velocity.z += 1.0;
    engine.body.position.z += 0.2;
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert!(!actual.placed && state.last_step.duration > 0.0);
    assert_eq!(actual.pose_drift.truncated(), Velocity::ZERO);
}

/// A car whose struts end a step at the velocity `end` after a mean of `mean`, which the engine's contact then stops. Of one
/// whose `rotation` is locked, engines may tell no inverse inertia.
fn landed(mean: f32, end: f32, grounded: bool, rotation: bool) -> f32 {
    let (mut engine, mut state) = (Engine::new(), state());
    if rotation {
        engine.body.locked_axes.rotation = glam::BVec3::TRUE;
        engine.body.inverse_inertia = Mat3::ZERO;
    }
    if grounded {
        state.wheels[0].ground_normal = V3x4::splat(Vec3::Z);
    }
    let fall = |speed: f32| velocity([3.0, 0.0, speed], [0.0; 3]);
    let start = fall(2.0 * mean - end);
    let motion = end_step_with(Velocity::ZERO, &mut state, &engine.body, start, fall(end));
    let before = engine.body.position;
    engine.step(&motion);
    engine.body.position = before;
    engine.body.linear_velocity.z = 0.0;
    let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
    actual.velocity.truncated().linear.z
}

/// The ground does not stop the part of a fall that struts stopped within a step: only the rest of the hit is left.
#[rstest]
#[case::stopped_by_both(-10.0, -4.0, 0.0)]
#[case::stopped_by_struts(-15.0, 0.0, 0.0)]
#[case::thrown_up(-10.0, 8.0, 8.0)]
#[case::stopped_by_the_hull(-10.0, -10.0, 0.0)]
fn a_hit_takes_what_struts_have_taken(
    #[case] mean: f32,
    #[case] end: f32,
    #[case] left: f32,
    #[values(false, true)] rotation: bool,
) {
    let actual = landed(mean, end, true, rotation);
    // Gravity of half a step goes on.
    assert!((actual - left).abs() < 0.6 * 9.81 * DT, "{actual}");
    let in_the_air = landed(mean, end, false, rotation);
    assert!((in_the_air - (end - mean)).abs() < 1e-4, "{in_the_air}");
}
