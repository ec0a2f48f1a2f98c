//! Hand-over from step to step, with an engine that follows the hand-over exactly and one that adds a push.

mod estimates;

use super::*;
use crate::exchange::state::DriveState;
use glam::DVec3;
use glam::Mat3;
use proptest::prelude::*;
use rstest::rstest;

const SETTINGS: RowsSettings = RowsSettings::DEFAULT;
const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;
const STANDING: Ending = Ending {
    lift: 1.0,
    standing: true,
};
const DRIVING: Ending = Ending {
    lift: 1.0,
    standing: false,
};

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

    /// Sets the velocity, cancels the carried gravity, and adds its own push.
    fn step(&mut self, motion: &Motion) {
        let Motion::StepMotion {
            linear,
            angular,
            carried_gravity,
        } = *motion
        else {
            panic!("{motion:?}")
        };
        let h = DT / self.substeps as f32;
        let body = &mut self.body;
        (body.linear_velocity, body.angular_velocity) = (linear, angular);
        for _ in 0..self.substeps {
            body.linear_velocity += (GRAVITY - carried_gravity + self.push.linear) * h;
            body.angular_velocity += self.push.angular * h;
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
/// both.
fn hand(
    state: &mut VehicleState,
    body: &BodyState,
    start: Velocity,
    end: Velocity,
    ending: Ending,
) -> Motion {
    let mut chassis = Chassis::new(body, start.linear, start.angular);
    let ended = Velocity {
        linear: chassis.to_vehicle(end.linear),
        angular: chassis.to_vehicle(end.angular),
    };
    chassis.glide(&ended, DT);
    hand_over(state, body, &chassis, ending, GRAVITY, DT)
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
    assert_eq!(found, velocity([3.0, 1.0, -2.0], [0.0; 3]));
    assert_eq!(state.handover, Handover::NONE);
    state.carry.linear = Vec3::X;
    let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(
        found.linear,
        Vec3::new(4.0, 1.0, -2.0),
        "carry survives sleep"
    );
}

proptest! {
    /// What is received is the velocity at the end of the substeps, not the mean handed over; also in the
    /// air, where the engine adds gravity itself.
    #[test]
    fn final_velocity_is_received(
        ways in prop::collection::vec(velocities(30.0, 3.0), 2..8), lift in 0f32..1.5,
    ) {
        let (mut engine, mut state) = (Engine::new(), state());
        // Spread over the steps as wheels could: no more than a few g and 30 rad/s² apart.
        let mut now = ways[0];
        for way in &ways {
            let start = engine.body;
            let end = now + (*way - now) * 0.03;
            let ending = Ending { lift, standing: false };
            let motion = hand(&mut state, &engine.body, now, end, ending);
            engine.step(&motion);
            let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            // Rounding of 40 m/s in f32, in three sums.
            prop_assert!(apart(found, end) < 2e-5, "{found:?} {end:?}");
            prop_assert!(state.handover.undisturbed);
            prop_assert_eq!(state.handover.push, Velocity::ZERO);
            if let Motion::StepMotion { carried_gravity, .. } = motion {
                // With all gravity carried, the body follows the substeps.
                if carried_gravity == GRAVITY {
                    let went = (engine.body.position - start.position).as_vec3();
                    let meant = (now.linear + end.linear) * (0.5 * DT);
                    prop_assert!((went - meant).length() < 1e-5, "{went} {meant}");
                }
            }
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
            let motion = hand(&mut state, &engine.body, now, now, STANDING);
            engine.step(&motion);
            let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            let expected = Velocity {
                linear: now.linear * (1.0 - linear * DT),
                angular: now.angular * (1.0 - angular * DT),
            };
            prop_assert!(apart(found, expected) < 2e-5, "{found:?} {expected:?}");
            prop_assert!(state.handover.undisturbed);
            // A rounding of 1e-6 m/s is a push of 6e-5 m/s².
            let pushed = apart(state.handover.push, Velocity::ZERO);
            prop_assert!(pushed < 1e-3, "{:?}", state.handover);
            now = found;
        }
    }
}

/// Steps a standing car in an engine that pushes it. Wheels resist the estimated push; the rest moves the
/// car.
fn hold(engine: &mut Engine, state: &mut VehicleState, steps: u32) {
    for _ in 0..steps {
        receive(&SETTINGS, state, &engine.body, GRAVITY);
        let still = Velocity::ZERO;
        let motion = hand(state, &engine.body, still, still, STANDING);
        engine.step(&motion);
    }
}

// With many substeps, an engine moves the body half as far as with one.
#[rstest]
#[case::linear(velocity([1.5, -0.8, 0.3], [0.0; 3]), 1)]
#[case::angular(velocity([0.0; 3], [0.4, 0.1, -0.7]), 1)]
#[case::both(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 1)]
#[case::in_substeps(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 4)]
#[case::in_many_substeps(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 100)]
fn a_constant_push_is_estimated_and_its_displacement_corrected(
    #[case] push: Velocity,
    #[case] substeps: u32,
) {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.substeps = substeps;
    let start = engine.body;
    let displaced = |body: &BodyState| Velocity {
        linear: (body.position - start.position).as_vec3(),
        angular: math::turned_by(start.rotation, body.rotation, 1.0),
    };
    // One step for the comparison, then the push.
    hold(&mut engine, &mut state, 2);
    engine.push = push;
    hold(&mut engine, &mut state, 1);
    let first = apart(displaced(&engine.body), Velocity::ZERO);
    // Displacement over push·dt²: 1 in one substep, ½ in many: (n + 1)/2n.
    let share = 0.5 + 0.5 / substeps as f32;
    let expected = share * apart(push, Velocity::ZERO) * DT * DT;
    assert!(
        (first - expected).abs() < 0.01 * expected,
        "{first} {expected}"
    );
    hold(&mut engine, &mut state, 1);
    // Each step corrects the estimate by a quarter of its error; 0.75⁶⁰ = 3e-8.
    hold(&mut engine, &mut state, 8);
    let left = apart(state.handover.push, push) / apart(push, Velocity::ZERO);
    let expected = 0.75f32.powi(9);
    assert!(
        (left - expected).abs() < 0.02 * expected + 1e-3,
        "{left} {expected}"
    );
    hold(&mut engine, &mut state, 60);
    let known = state.handover;
    // Poses are rounded to 1e-7 rad and 1e-6 m: over dt², 3e-3 m/s² and rad/s².
    assert!(apart(known.push, push) < 2e-3, "{known:?}");
    assert!(apart(known.drift, push * share) < 5e-3, "{known:?}");
    assert!(known.undisturbed);
    let rest = apart(displaced(&engine.body), Velocity::ZERO);
    assert!(rest < 5e-6, "{rest} of {first}");
}

#[rstest]
#[case::of_more_than_gravity(velocity([12.0, 0.0, 0.0], [0.0; 3]), STANDING)]
#[case::of_a_moving_car(velocity([1.0, 0.0, 0.0], [0.0; 3]), DRIVING)]
fn pushes_above_gravity_or_on_a_moving_car_are_not_estimated(
    #[case] push: Velocity,
    #[case] ending: Ending,
) {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.push = push;
    let mut now = Velocity::ZERO;
    for _ in 0..5 {
        let motion = hand(&mut state, &engine.body, now, now, ending);
        engine.step(&motion);
        let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
        // The velocity is still received.
        assert!(apart(found, now + push * DT) < 1e-5, "{found:?}");
        assert_eq!(state.handover.push, Velocity::ZERO);
        assert!(!state.handover.undisturbed);
        now = found;
    }
}

#[test]
fn estimates_reset_when_the_car_moves() {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.push = velocity([1.0, 0.0, 0.0], [0.0; 3]);
    hold(&mut engine, &mut state, 40);
    assert!(state.handover.push.linear.x > 0.99);
    let motion = hand(
        &mut state,
        &engine.body,
        Velocity::ZERO,
        Velocity::ZERO,
        DRIVING,
    );
    engine.step(&motion);
    receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    let known = state.handover;
    assert_eq!(
        [known.push, known.drift, known.astray],
        [Velocity::ZERO; 3],
        "{known:?}"
    );
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
    let motion = hand(&mut state, &engine.body, start, end, DRIVING);
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
        assert_eq!(found, read);
        assert_eq!(state.handover, Handover::NONE);
        assert_eq!(state.carry, Velocity::ZERO);
    } else {
        assert_eq!(found, read + carry);
        assert!(state.handover.duration > 0.0);
    }
}

// Once something other than wheels pushes, the engine keeps the gravity that wheels do not carry.
#[rstest]
#[case::wheels_carry_all(1.0, false, 1.0)]
#[case::half_is_enough(0.5, false, 1.0)]
#[case::wheels_carry_a_quarter(0.25, false, 0.5)]
#[case::on_its_roof(0.0, false, 0.0)]
#[case::pulled_down(-0.3, false, 0.0)]
#[case::flying_undisturbed(0.0, true, 1.0)]
fn gravity_is_canceled_as_far_as_wheels_carry(
    #[case] lift: f32,
    #[case] undisturbed: bool,
    #[case] carried: f32,
) {
    let (mut engine, mut state) = (Engine::new(), state());
    state.handover.undisturbed = undisturbed;
    let ending = Ending {
        lift,
        standing: false,
    };
    let (start, end) = (
        velocity([4.0, 0.0, 1.0], [0.0; 3]),
        velocity([4.1, 0.0, 0.9], [0.0; 3]),
    );
    let motion = hand(&mut state, &engine.body, start, end, ending);
    let Motion::StepMotion {
        carried_gravity, ..
    } = motion
    else {
        panic!("{motion:?}")
    };
    assert!((carried_gravity - GRAVITY * carried).length() < 1e-5);
    engine.step(&motion);
    let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert!(apart(found, end) < 1e-5, "{found:?}");
    assert!(state.handover.undisturbed, "gravity is no disturbance");
}

#[test]
fn disturbances_count_above_a_millimetre_per_second() {
    for (kick, undisturbed) in [(0.9e-3, true), (1.1e-3, false)] {
        let (mut engine, mut state) = (Engine::new(), state());
        let still = Velocity::ZERO;
        let motion = hand(&mut state, &engine.body, still, still, STANDING);
        engine.step(&motion);
        engine.body.linear_velocity.x += kick;
        receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
        assert_eq!(state.handover.undisturbed, undisturbed, "{kick}");
    }
}
