//! What is known of an engine's own doing is taken into account, what is not is learned by its share, and
//! what no step explains is noticed from a bound on.

use super::*;

/// A state that knows of this push in an engine of one substep, and that the body strayed so.
fn knowing(push: Velocity, astray: Velocity) -> VehicleState {
    let mut state = state();
    state.handover = Handover {
        push,
        drift: push,
        astray,
        undisturbed: true,
        ..Handover::NONE
    };
    state
}

fn way(from: &BodyState, to: &BodyState) -> Velocity {
    Velocity {
        linear: (to.position - from.position).as_vec3(),
        angular: math::turned_by(from.rotation, to.rotation, 1.0),
    }
}

proptest! {
    /// A standing car in an engine that does as it is known to do goes where its substeps went, less half of
    /// what it had strayed, and has the velocity that they ended with.
    #[test]
    fn a_known_push_moves_nothing_and_half_of_what_strayed_is_taken_back(
        push in velocities(3.0, 1.0), astray in velocities(2e-4, 1e-4),
        start in velocities(0.2, 0.1), end in velocities(0.2, 0.1),
    ) {
        let (mut engine, mut state) = (Engine::new(), knowing(push, astray));
        engine.push = push;
        let before = engine.body;
        let motion = tell(&mut state, &engine.body, start, end, STANDING);
        engine.step(&motion);
        let expected = (start + end) * (0.5 * DT) - astray * 0.5;
        let off = apart(way(&before, &engine.body), expected);
        // A turn about one axis after another, by 2 mrad each.
        prop_assert!(off < 5e-6, "{off}");
        let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
        prop_assert!(apart(found, end) < 2e-5, "{found:?} {end:?}");
        let known = state.handover;
        prop_assert!(known.undisturbed);
        prop_assert!(apart(known.astray, astray * 0.5) < 5e-6, "{known:?}");
        // Half a micrometre of rounding over dt².
        prop_assert!(apart(known.push, push) < 2e-3 && apart(known.drift, push) < 1e-2, "{known:?}");
    }

    /// A standing car learns the gain's share of what is new of push and drift, and that it strayed.
    #[test]
    fn of_what_is_new_a_share_is_learned(
        known in velocities(2.0, 1.0), new in velocities(2.0, 1.0), gain in 0.05f32..1.0,
        substeps in 1u32..5, astray in velocities(5e-5, 5e-5),
    ) {
        let (mut engine, mut state) = (Engine::new(), knowing(known, astray));
        (engine.push, engine.substeps) = (new, substeps);
        let settings = RowsSettings { observer_gain: gain, ..SETTINGS };
        let motion = tell(&mut state, &engine.body, Velocity::ZERO, Velocity::ZERO, STANDING);
        engine.step(&motion);
        receive(&settings, &mut state, &engine.body, GRAVITY);
        let drifted = new * (0.5 + 0.5 / substeps as f32);
        let learned = state.handover;
        prop_assert!(learned.duration > 0.0, "explained");
        let off = apart(learned.push, known + (new - known) * gain);
        prop_assert!(off < 2e-3, "{off}");
        let off = apart(learned.drift, known + (drifted - known) * gain);
        prop_assert!(off < 2e-2, "{off}");
        let off = apart(learned.astray, astray * 0.5 + (drifted - known) * (DT * DT));
        prop_assert!(off < 5e-6, "{off}");
    }

    /// A body ends the engine's step with the mean velocity of the substeps as far as wheels carry it, with
    /// that of their end as far as they do not; the carry is the rest.
    #[test]
    fn what_wheels_do_not_carry_falls_with_the_velocity_of_the_end(
        start in velocities(20.0, 2.0), change in velocities(0.5, 0.2), push in velocities(2.0, 1.0),
        lift in -0.2f32..0.8,
    ) {
        let (mut engine, mut state) = (Engine::new(), knowing(push, Velocity::ZERO));
        state.handover.undisturbed = false;
        let end = start + change;
        let motion = tell(&mut state, &engine.body, start, end, Ending { lift, standing: false });
        engine.step(&motion);
        let carried = (2.0 * lift).clamp(0.0, 1.0);
        let mean = (start + end) * 0.5 - push * DT;
        let expected = mean * carried + end * (1.0 - carried);
        let told = Velocity {
            linear: engine.body.linear_velocity,
            angular: engine.body.angular_velocity,
        };
        prop_assert!(apart(told, expected) < 3e-5, "{told:?} {expected:?}");
        prop_assert!(apart(state.carry, end - expected - push * DT) < 3e-5, "{:?}", state.carry);
        prop_assert!(apart(state.handover.expected, expected + push * DT) < 3e-5);
    }

    /// A step that goes on as the last one did changes the velocity as that did, in proportion of the time.
    #[test]
    fn a_step_that_goes_on_changes_the_velocity_as_the_last_one(
        start in velocities(20.0, 2.0), change in velocities(0.5, 0.2), times in 0.2f32..3.0,
    ) {
        let (engine, mut state) = (Engine::new(), state());
        tell(&mut state, &engine.body, start, start + change, STANDING);
        let next = state.handover.change(state.carry, 1.0, GRAVITY, times * DT);
        // The mean turning comes of two rotations, over dt.
        prop_assert!(apart(next, change * times) < 2e-4, "{next:?} {change:?}");
    }
}

// Without a step before it, nothing is known of the change; what wheels do not carry falls.
#[rstest]
#[case::carried(0.0, 0.6, false, 0.0)]
#[case::half_carried(0.0, 0.25, false, 0.5)]
#[case::falling(0.0, -0.1, false, 1.0)]
#[case::falling_after_a_step(DT, 0.0, false, 1.0)]
#[case::undisturbed(DT, 0.0, true, 0.0)]
fn what_nothing_carries_falls_on(
    #[case] duration: f32,
    #[case] lift: f32,
    #[case] undisturbed: bool,
    #[case] share: f32,
) {
    let told = Handover {
        duration,
        undisturbed,
        ..Handover::NONE
    };
    let change = told.change(Velocity::ZERO, lift, GRAVITY, 0.5);
    let expected = Velocity {
        linear: GRAVITY * (0.5 * share),
        angular: Vec3::ZERO,
    };
    assert!(apart(change, expected) < 1e-6, "{change:?}");
    let carry = velocity([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]);
    let change = told.change(carry, lift, GRAVITY, 0.5);
    let more = if duration > 0.0 { 1.0 / DT } else { 0.0 };
    assert!(
        apart(change, expected + carry * more) < 1e-3,
        "{change:?} {more}"
    );
}

/// A body that was moved by `part` of what one step explains, along x or about it.
struct Moved {
    place: f64,
    standing: bool,
    /// Change of velocity that nobody told it (`m/s`, `rad/s`).
    kick: f32,
    turned: bool,
}

impl Moved {
    /// Whether the car begins anew.
    fn begins_anew(&self, part: f32) -> bool {
        let (mut engine, mut state) = (Engine::new(), state());
        engine.body.position = DVec3::new(2.0, self.place, 1.0);
        let ending = Ending {
            lift: 1.0,
            standing: self.standing,
        };
        let still = Velocity::ZERO;
        let motion = tell(&mut state, &engine.body, still, still, ending);
        engine.step(&motion);
        let part_of_fall = if self.standing { 0.1 } else { 1.0 };
        let slack = part_of_fall * 9.81 * DT * DT + 1e-6 * (1.0 + self.place.max(2.0) as f32);
        let by = part * (2.0 * DT * self.kick + slack);
        if self.turned {
            engine.body.angular_velocity += Vec3::X * self.kick;
            engine.body.rotation = math::turn(engine.body.rotation, Vec3::X, by);
        } else {
            engine.body.linear_velocity += Vec3::X * self.kick;
            engine.body.position.x += f64::from(by);
        }
        receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
        state.handover == Handover::NONE
    }
}

proptest! {
    /// A body moves by its change of velocity, twice, over the step, and by what contacts correct or, where
    /// it may have fallen, by g·dt²; by rounding of its place, too.
    #[test]
    fn what_no_step_explains_is_noticed(
        place in prop_oneof![Just(0.0f64), 0.0f64..1e4], standing in any::<bool>(),
        kick in prop_oneof![Just(0.0f32), 0.01f32..5.0], turned in any::<bool>(),
    ) {
        let moved = Moved { place, standing, kick, turned };
        for part in [0.97, -0.97] {
            prop_assert!(!moved.begins_anew(part), "{part}");
        }
        for part in [1.03, -1.03] {
            prop_assert!(moved.begins_anew(part), "{part}");
        }
    }

    /// What strays step by step is expected to stray again, by what the last steps took back; and to drift as
    /// it is known to.
    #[test]
    fn what_strayed_is_expected_to_stray_again(
        size in 1e-3f32..1e-2, angular in any::<bool>(), drifts in any::<bool>(), axis in 0usize..3,
    ) {
        let mut direction = Vec3::ZERO;
        direction[axis] = 1.0;
        let of = |size: f32| if angular {
            Velocity { linear: Vec3::ZERO, angular: direction * size }
        } else {
            Velocity { linear: direction * size, angular: Vec3::ZERO }
        };
        for (strays, anew) in [(0.5 * size, false), (-0.5 * size, true)] {
            let (mut engine, mut state) = (Engine::new(), knowing(Velocity::ZERO, of(size)));
            if drifts {
                state.handover.drift = of(0.5 * size / (DT * DT));
                state.handover.astray = Velocity::ZERO;
            }
            let still = Velocity::ZERO;
            let motion = tell(&mut state, &engine.body, still, still, STANDING);
            engine.step(&motion);
            let moved = of(strays);
            engine.body.position += moved.linear.as_dvec3();
            engine.body.rotation = math::turn(engine.body.rotation, moved.angular, 1.0);
            receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            prop_assert_eq!(state.handover == Handover::NONE, anew, "{}", strays);
        }
    }
}

// Neither speed nor turning passes unnoticed, in any direction.
#[rstest]
#[case::along(velocity([0.0, 0.0, 1.0], [0.0; 3]))]
#[case::about(velocity([0.0; 3], [0.0, 1.0, 0.0]))]
#[case::ahead(velocity([1.0, 0.0, 0.0], [0.0; 3]))]
#[case::about_up(velocity([0.0; 3], [0.0, 0.0, 1.0]))]
fn what_is_nothing_is_a_thousandth_at_most(#[case] change: Velocity) {
    let of = |size: f32| Velocity {
        linear: change.linear * size,
        angular: change.angular * size,
    };
    assert!(is_nothing(&of(0.99e-3)) && is_nothing(&of(-0.99e-3)));
    assert!(!is_nothing(&of(1.01e-3)) && !is_nothing(&of(-1.01e-3)));
}

// Gravity is 9.81 m/s²: as much may a push be, whatever its direction.
#[rstest]
#[case::less(9.7, true)]
#[case::more(9.9, false)]
fn no_push_beyond_gravity_is_learned(#[case] push: f32, #[case] learned: bool) {
    let (mut engine, mut state) = (Engine::new(), knowing(Velocity::ZERO, Velocity::ZERO));
    engine.push = velocity([0.6 * push, -0.8 * push, 0.0], [0.0; 3]);
    let still = Velocity::ZERO;
    let motion = tell(&mut state, &engine.body, still, still, STANDING);
    engine.step(&motion);
    receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(state.handover.push != Velocity::ZERO, learned);
    assert_eq!(state.handover.astray != Velocity::ZERO, learned);
}

#[test]
fn damping_leaves_nothing_at_worst() {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.body.linear_damping = 100.0;
    engine.body.angular_damping = 90.0;
    let fast = velocity([5.0, 1.0, 0.0], [0.5, 0.0, 1.0]);
    tell(&mut state, &engine.body, fast, fast, DRIVING);
    assert_eq!(state.handover.expected, Velocity::ZERO);
    let told = state.handover;
    assert_eq!(
        (told.position, told.rotation),
        (engine.body.position, engine.body.rotation)
    );
    assert_eq!((told.duration, told.standing), (DT, false));
}
