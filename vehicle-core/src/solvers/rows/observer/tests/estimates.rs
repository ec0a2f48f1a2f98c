//! Estimated pushes are carried, estimates follow by the observer's gain, and displacements beyond the bound are
//! unexplained.

use super::*;

fn displacement(from: &BodyState, to: &BodyState) -> Velocity {
    Velocity {
        linear: (to.position - from.position).as_vec3(),
        angular: math::turned_by(from.rotation, to.rotation, 1.0),
    }
}

/// Steps a car whose wheels resist the estimated push; the rest moves it.
fn brake(engine: &mut Engine, state: &mut VehicleState, steps: u32) {
    for _ in 0..steps {
        let actual = begin_step(&SETTINGS, state, &engine.body, GRAVITY);
        let still = Velocity::ZERO;
        let motion = end_step_with(actual.push.truncated(), state, &engine.body, still, still);
        engine.step(&motion);
    }
}

// With many substeps, an engine moves the body half as far as with one. Of a push beyond gravity, gravity's size is
// learned.
#[rstest]
#[case::linear(velocity([1.5, -0.8, 0.3], [0.0; 3]), 1)]
#[case::angular(velocity([0.0; 3], [0.4, 0.1, -0.7]), 1)]
#[case::both(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 1)]
#[case::in_substeps(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 4)]
#[case::in_many_substeps(velocity([1.5, -0.8, 0.3], [0.4, 0.1, -0.7]), 100)]
#[case::three_times_gravity(velocity([0.0, 0.0, -29.4], [0.0; 3]), 4)]
fn a_lasting_push_is_estimated_and_carried_by_a_force(
    #[case] push: Velocity,
    #[case] substeps: u32,
) {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.substeps = substeps;
    // One step for the comparison, then the push.
    brake(&mut engine, &mut state, 2);
    let start = engine.body;
    engine.push = push;
    brake(&mut engine, &mut state, 1);
    let first = apart(displacement(&start, &engine.body), Velocity::ZERO);
    // Displacement over push·dt²: 1 in one substep, ½ in many: (n + 1)/2n.
    let share = 0.5 + 0.5 / substeps as f32;
    let expected = share * apart(push, Velocity::ZERO) * DT * DT;
    assert!(
        (first - expected).abs() < 0.01 * expected,
        "{first} {expected}"
    );
    brake(&mut engine, &mut state, 400);
    // Poses are rounded to 1e-7 rad and 1e-6 m.
    let known = state.last_step;
    assert!(apart(known.push, push) < 2e-3, "{known:?}");
    // Its body does not even have a velocity any more.
    let before = engine.body;
    brake(&mut engine, &mut state, 10);
    assert!(apart(displacement(&before, &engine.body), Velocity::ZERO) < 1e-5);
    assert!(engine.body.linear_velocity.length() < 1e-4);
    assert!(engine.body.angular_velocity.length() < 1e-4);
}

proptest! {
    /// The estimate follows by the gain, of torques by a tenth of it, of gravity's size at most per step; as much counts once
    /// more in the step that begins.
    #[test]
    fn estimates_follow_by_the_gain(
        known in velocities(20.0, 10.0), new in velocities(20.0, 10.0), gain in 0.05f32..1.0,
        substeps in 1u32..5,
    ) {
        // Faster, it drives after the push.
        prop_assume!((new.linear - known.linear).length() * DT < 0.99);
        let (mut engine, mut state) = (Engine::new(), state());
        state.last_step.push = known;
        (engine.push, engine.substeps) = (new, substeps);
        let settings = RowsSettings { observer_gain: gain, ..SETTINGS };
        let motion = end_step_with(state.last_step.push, &mut state, &engine.body, Velocity::ZERO, Velocity::ZERO);
        engine.step(&motion);
        let actual = begin_step(&settings, &mut state, &engine.body, GRAVITY);
        let learned = state.last_step;
        prop_assert!(learned.duration > 0.0, "explained");
        prop_assert!(apart((actual.external_change + actual.velocity_jump).truncated(), (new - known) * DT) < 1e-4);
        let bounded = |step: Vec3| step.clamp_length_max(9.81);
        let step = new - known;
        let expected = Velocity {
            linear: known.linear + bounded(step.linear) * gain,
            angular: known.angular + bounded(step.angular) * (0.1 * gain),
        };
        prop_assert!(apart(learned.push, expected) < 1e-2, "{learned:?} {expected:?}");
        let now = Velocity { linear: bounded(step.linear), angular: bounded(step.angular) };
        prop_assert!(apart(actual.push.truncated(), expected + now * gain) < 2e-2, "{actual:?} {expected:?}");
    }

    /// Above 1 m/s over its ground, a car expects what acted along the road and about gravity's axis in the last step
    /// once more; the rest follows by the gain.
    #[test]
    fn along_the_road_a_car_that_drives_expects_the_last_push(
        known in velocities(20.0, 10.0), new in velocities(20.0, 10.0), speed in 2.0f32..40.0,
        carried in any::<bool>(),
    ) {
        // Faster, it drives after the push, carried or not.
        prop_assume!((new.linear - known.linear).length() * DT < 0.99);
        let (mut engine, mut state) = (Engine::new(), state());
        state.last_step.push = known;
        engine.push = new;
        let driving = velocity([speed, 0.0, 0.0], [0.0; 3]);
        engine.body.linear_velocity = driving.linear;
        let motion = end_step_with(state.last_step.push, &mut state, &engine.body, driving, driving);
        if carried {
            state.last_step.ground.velocity = driving;
        }
        engine.step(&motion);
        let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
        let gain = SETTINGS.observer_gain;
        let linear = (new.linear - known.linear).clamp_length_max(9.81);
        let angular = (new.angular - known.angular).clamp_length_max(9.81);
        let (mut along, mut about) = (Vec3::splat(gain), Vec3::splat(0.1 * gain));
        if !carried {
            (along, about) = (Vec3::new(1.0, 1.0, gain), Vec3::new(0.1 * gain, 0.1 * gain, 1.0));
        }
        let expected = known + Velocity { linear: linear * along, angular: angular * about };
        let learned = state.last_step.push;
        prop_assert!(apart(learned, expected) < 2e-2, "{learned:?} {expected:?}");
        if !carried {
            let once_more = actual.push.truncated() - learned;
            let [sideways, about] = [once_more.linear.with_z(0.0), Vec3::Z * once_more.angular.z];
            prop_assert!(sideways.length() + about.length() < 2e-3, "{actual:?}");
        }
    }

    /// Every motion cancels gravity and the estimated push.
    #[test]
    fn gravity_and_push_are_canceled(push in velocities(20.0, 10.0), end in velocities(9.0, 3.0)) {
        let (engine, mut state) = (Engine::new(), state());
        state.last_step.push = push;
        let motion = end_step_with(state.last_step.push, &mut state, &engine.body, Velocity::ZERO, end);
        let Motion::StepMotion { canceled_acceleration, canceled_angular_acceleration, .. } = motion else {
            panic!("{motion:?}")
        };
        prop_assert_eq!(canceled_acceleration, GRAVITY + push.linear);
        prop_assert_eq!(canceled_angular_acceleration, push.angular);
        prop_assert!(apart(state.carry, end * 0.5) < 2e-5, "{:?}", state.carry);
    }

    /// Under the same forces, a step changes the velocity as the last one did, in proportion to its length.
    #[test]
    fn equal_forces_change_the_velocity_equally(
        start in velocities(20.0, 2.0), change in velocities(0.5, 0.2), times in 0.2f32..3.0,
    ) {
        let (engine, mut state) = (Engine::new(), state());
        prop_assert_eq!(state.last_step.change(start, DT), Velocity::ZERO, "no last step");
        end_step_with(state.last_step.push, &mut state, &engine.body, start, start + change);
        let next = state.last_step.change(state.carry, times * DT);
        // The mean angular velocity is the difference of two rotations over dt.
        prop_assert!(apart(next, change * times) < 2e-4, "{next:?} {change:?}");
    }
}

/// Displacement of a body by `part` of the bound of one step, along x or about it.
struct Moved {
    distance: f64,
    /// Change of velocity by the engine (`m/s`, `rad/s`).
    kick: f32,
    turned: bool,
}

impl Moved {
    fn is_unexplained(&self, part: f32) -> bool {
        let slack = 0.1 * 9.81 * DT * DT + 1e-6 * (1.0 + self.distance.max(2.0) as f32);
        let by = Vec3::X * (part * (2.0 * DT * self.kick + slack));
        let kick = Vec3::X * self.kick;
        let along = |v: Vec3| {
            let (linear, angular) = if self.turned {
                (Vec3::ZERO, v)
            } else {
                (v, Vec3::ZERO)
            };
            Velocity { linear, angular }
        };
        let position = DVec3::new(2.0, self.distance, 1.0);
        is_unexplained(
            &along(by),
            &along(kick),
            &Velocity::ZERO,
            position,
            (GRAVITY, DT),
        )
    }
}

proptest! {
    /// Explained are twice the change of velocity times dt, what contacts correct, and the rounding of the
    /// position.
    #[test]
    fn displacements_beyond_the_bound_are_unexplained(
        distance in prop_oneof![Just(0.0f64), 0.0f64..1e4],
        kick in prop_oneof![Just(0.0f32), 0.01f32..5.0], turned in any::<bool>(),
    ) {
        let moved = Moved { distance, kick, turned };
        for part in [0.97, -0.97] {
            prop_assert!(!moved.is_unexplained(part), "{part}");
        }
        for part in [1.03, -1.03] {
            prop_assert!(moved.is_unexplained(part), "{part}");
        }
    }
}

/// A push that ends, or that others give as impulses, displaces the body by what the engine still cancels.
#[rstest]
#[case::ended(20.0, -20.0, false)]
#[case::half(20.0, -10.0, false)]
#[case::reversed(20.0, 20.0, true)]
#[case::too_far(20.0, -25.0, true)]
fn a_known_push_explains_displacements(
    #[case] push: f32,
    #[case] moved: f32,
    #[case] unexplained: bool,
) {
    let along = |size: f32| velocity([0.0, size, 0.0], [0.0; 3]);
    let (push, moved) = (along(push), along(moved * DT * DT));
    let still = Velocity::ZERO;
    let actual = is_unexplained(&moved, &still, &push, DVec3::ZERO, (GRAVITY, DT));
    assert_eq!(actual, unexplained);
}

/// Pushes a braked car by an acceleration within the steps and one between them, and returns what it is displaced by in one
/// step at the end (`m`, `rad`).
fn pushed_twice(
    state: &mut VehicleState,
    engine: &mut Engine,
    [within, between]: [Velocity; 2],
    steps: u32,
) -> Velocity {
    let mut last = Velocity::ZERO;
    for _ in 0..steps {
        engine.push = within;
        engine.body.linear_velocity += between.linear * DT;
        engine.body.angular_velocity += between.angular * DT;
        let before = engine.body;
        brake(engine, state, 1);
        last = displacement(&before, &engine.body);
    }
    last
}

/// Pushes within the steps are canceled by a force, impulses between them are spread over the next: neither displaces
/// a braked car, together, alone, or after the other.
#[rstest]
fn forces_and_impulses_are_told_apart(
    #[values(1, 4, 100)] substeps: u32,
    #[values(
        [velocity([0.0; 3], [0.0; 3]), velocity([3.0, -0.8, 0.3], [0.0; 3])],
        [velocity([0.0; 3], [0.0; 3]), velocity([0.0, 0.0, -20.0], [0.4, 0.1, -0.7])],
        [velocity([3.0, -0.8, 0.3], [0.0; 3]), velocity([0.0; 3], [0.0; 3])],
        [velocity([2.0, 0.0, 0.0], [0.2, 0.0, 0.0]), velocity([0.0, 2.0, 0.0], [0.0, 0.3, 0.0])],
        [velocity([2.0, 0.0, 1.0], [0.0; 3]), velocity([-1.0, 0.0, 1.0], [0.0; 3])]
    )]
    pushes: [Velocity; 2],
) {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.body.position = DVec3::ZERO;
    engine.substeps = substeps;
    brake(&mut engine, &mut state, 2);
    for pushes in [pushes, [pushes[1], pushes[0]]] {
        let moved = pushed_twice(&mut state, &mut engine, pushes, 400);
        assert!(apart(moved, Velocity::ZERO) < 3e-6, "{moved:?}");
        let known = state.last_step;
        assert!(apart(known.push, pushes[0]) < 2e-2, "{known:?}");
    }
}

/// Impulses given before each step move a free body by all of their momentum, whatever the lengths of the steps.
#[rstest]
#[case(0.03)]
#[case(2.0)]
fn impulses_keep_their_momentum(#[case] size: f32) {
    let (mut engine, mut state) = (Engine::new(), state());
    let mut end = velocity([5.0, 0.0, 0.0], [0.0; 3]);
    engine.body.linear_velocity = end.linear;
    for n in 0..80 {
        let (push, spin) = if (10..50).contains(&n) {
            (size, 0.01)
        } else {
            (0.0, 0.0)
        };
        engine.body.linear_velocity.y += push;
        engine.body.angular_velocity.z += spin;
        let actual = begin_step(&SETTINGS, &mut state, &engine.body, GRAVITY);
        let start = actual.velocity.truncated();
        end = start + actual.push.truncated() * DT + actual.velocity_jump.truncated();
        let motion = end_step_with(
            actual.push.truncated(),
            &mut state,
            &engine.body,
            start,
            end,
        );
        engine.step(&motion);
    }
    assert!((end.linear.y / size - 40.0).abs() < 1e-2, "{end:?}");
    assert!((end.angular.z - 0.4).abs() < 1e-4, "{end:?}");
}

#[test]
fn damping_never_reverses_a_velocity() {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.body.linear_damping = 100.0;
    engine.body.angular_damping = 90.0;
    let fast = velocity([5.0, 1.0, 0.0], [0.5, 0.0, 1.0]);
    end_step_with(state.last_step.push, &mut state, &engine.body, fast, fast);
    assert_eq!(state.last_step.expected, Velocity::ZERO);
    assert_eq!(state.last_step.duration, DT);
}
