//! Hand-over from step to step, with an engine that follows the hand-over exactly and one that adds a push.

mod estimates;
mod laden;

use super::*;
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

    /// Sets the velocity, cancels the carried acceleration, and adds its own push.
    fn step(&mut self, motion: &Motion) {
        let Motion::StepMotion {
            linear,
            angular,
            carried,
            carried_angular,
        } = *motion
        else {
            panic!("{motion:?}")
        };
        let h = DT / self.substeps as f32;
        let body = &mut self.body;
        (body.linear_velocity, body.angular_velocity) = (linear, angular);
        for _ in 0..self.substeps {
            body.linear_velocity += (GRAVITY - carried + self.push.linear) * h;
            body.angular_velocity += (self.push.angular - carried_angular) * h;
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

/// Hands over a step in which the substeps take the chassis from `start` to `end`, at the mean of
/// both, with this estimated `push`.
fn hand(
    push: Velocity,
    state: &mut VehicleState,
    body: &BodyState,
    start: Velocity,
    end: Velocity,
) -> Motion {
    let mut chassis = Chassis::new(body, start.linear, start.angular);
    chassis.glide(&(end - start).in_lanes(), DT);
    state.move_to(body.position);
    hand_over(state, body, &chassis, &push.in_lanes(), (GRAVITY, DT))
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
    let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(
        found.velocity.truncated(),
        velocity([3.0, 1.0, -2.0], [0.0; 3])
    );
    assert_eq!(found.astray.truncated(), Velocity::ZERO);
    assert_eq!(state.handover, Handover::NONE);
    state.carry.linear = Vec3::X;
    let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(
        found.velocity.truncated().linear,
        Vec3::new(4.0, 1.0, -2.0),
        "carry survives sleep"
    );
}

proptest! {
    /// What is received is the velocity at the end of the substeps, not the mean handed over, and the body is
    /// where they ended; the engine adds nothing.
    #[test]
    fn final_velocity_is_received(ways in prop::collection::vec(velocities(30.0, 3.0), 2..8)) {
        let (mut engine, mut state) = (Engine::new(), state());
        // Spread over the steps as wheels could: no more than a few g and 30 rad/s² apart.
        let mut now = ways[0];
        for way in &ways {
            let end = now + (*way - now) * 0.03;
            let motion = hand(state.handover.push, &mut state, &engine.body, now, end);
            engine.step(&motion);
            let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            // Rounding of 40 m/s in f32, in three sums.
            prop_assert!(apart(found.velocity.truncated(), end) < 2e-5, "{found:?} {end:?}");
            prop_assert!(apart(found.added.truncated(), Velocity::ZERO) < 2e-5, "{found:?}");
            prop_assert!(apart(found.astray.truncated(), Velocity::ZERO) < 2e-6, "{found:?}");
            // A rounding of 2e-5 m/s is a push of 1e-3 m/s².
            prop_assert!(apart(state.handover.push, Velocity::ZERO) < 5e-3);
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
            let motion = hand(state.handover.push, &mut state, &engine.body, now, now);
            engine.step(&motion);
            let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY).velocity.truncated();
            let expected = Velocity {
                linear: now.linear * (1.0 - linear * DT),
                angular: now.angular * (1.0 - angular * DT),
            };
            // Gravity, carried by an equal force, is damped in neither of the two.
            prop_assert!(apart(found, expected) < 2e-5, "{found:?} {expected:?}");
            let pushed = apart(state.handover.push, Velocity::ZERO);
            prop_assert!(pushed < 2e-3, "{:?}", state.handover);
            now = found;
        }
    }

    /// Whatever the engine adds and however much of it is estimated, its momentum arrives.
    #[test]
    fn no_momentum_is_lost(
        pushes in prop::collection::vec(velocities(100.0, 100.0), 1..20),
        estimate in velocities(30.0, 10.0),
    ) {
        let (mut engine, mut state) = (Engine::new(), state());
        state.handover.push = estimate;
        let mut now = velocity([5.0, 1.0, 0.0], [0.0, 0.1, 0.2]);
        let motion = hand(state.handover.push, &mut state, &engine.body, now, now);
        engine.push = estimate;
        engine.step(&motion);
        for push in pushes {
            let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            now = found.velocity.truncated();
            // Free flight: only the estimated push acts within the substeps.
            let end = now + found.push.truncated() * DT;
            let motion = hand(found.push.truncated(), &mut state, &engine.body, now, end);
            engine.push = push;
            engine.step(&motion);
            let arrived = receive(&SETTINGS, &mut state.clone(), &engine.body, GRAVITY).velocity.truncated();
            let expected = now + push * DT;
            prop_assert!(apart(arrived, expected) < 1e-4, "{arrived:?} {expected:?}");
        }
    }
}

/// A change made to the body between two steps.
type Deed = fn(&mut BodyState);

#[rstest]
#[case::teleport(|b: &mut BodyState| b.position.x += 1.0, true)]
#[case::origin_shift(|b: &mut BodyState| b.position -= DVec3::new(5000.0, 0.0, 0.0), true)]
#[case::small_lift(|b: &mut BodyState| b.position.z += 0.02, true)]
#[case::turned_by_hand(|b: &mut BodyState| b.rotation = math::turn(b.rotation, Vec3::Z, 0.5), true)]
#[case::turned_a_little(|b: &mut BodyState| b.rotation = math::turn(b.rotation, Vec3::X, 0.02), true)]
#[case::hit(|b: &mut BodyState| {
    b.linear_velocity.y += 5.0;
    b.position.y += f64::from(5.0 * DT);
}, false)]
#[case::hit_at_the_end_of_the_step(|b: &mut BodyState| b.linear_velocity.y += 5.0, false)]
#[case::spun(|b: &mut BodyState| {
    b.angular_velocity += Vec3::Z * 4.0;
    b.rotation = math::turn(b.rotation, Vec3::Z * 4.0, DT);
}, false)]
#[case::nothing(|_: &mut BodyState| (), false)]
fn an_unexplained_displacement_restarts_the_observer(#[case] deed: Deed, #[case] restarts: bool) {
    let (mut engine, mut state) = (Engine::new(), state());
    let start = velocity([10.0, 0.0, 0.0], [0.0, 0.0, 0.2]);
    let end = velocity([9.8, 0.0, 0.0], [0.0, 0.0, 0.25]);
    let motion = hand(state.handover.push, &mut state, &engine.body, start, end);
    engine.step(&motion);
    deed(&mut engine.body);
    let read = Velocity {
        linear: engine.body.linear_velocity,
        angular: engine.body.angular_velocity,
    };
    let carry = state.carry;
    assert!(apart(carry, Velocity::ZERO) > 0.02);
    let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    if restarts {
        assert_eq!(found.velocity.truncated(), read);
        assert_eq!(found.astray.truncated(), Velocity::ZERO);
        assert_eq!(state.handover, Handover::NONE);
        assert_eq!(state.carry, Velocity::ZERO);
    } else {
        assert_eq!(found.velocity.truncated(), read + carry);
        assert!(state.handover.duration > 0.0);
    }
}
