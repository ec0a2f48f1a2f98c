//! Estimated pushes are compensated, estimates follow by the observer's gain, and displacements beyond the
//! bound are unexplained.

use super::*;

/// A state with these estimates for an engine of one substep: push, displacement still to be corrected.
fn estimating(push: Velocity, astray: Velocity) -> VehicleState {
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
    /// If the engine's push equals its estimate, a standing car follows its substeps, less half of `astray`,
    /// and has their final velocity.
    #[test]
    fn an_estimated_push_is_compensated_and_half_of_astray_corrected(
        push in velocities(3.0, 1.0), astray in velocities(2e-4, 1e-4),
        start in velocities(0.2, 0.1), end in velocities(0.2, 0.1),
    ) {
        let (mut engine, mut state) = (Engine::new(), estimating(push, astray));
        engine.push = push;
        let before = engine.body;
        let motion = hand(&mut state, &engine.body, start, end, STANDING);
        engine.step(&motion);
        let expected = (start + end) * (0.5 * DT) - astray * 0.5;
        let off = apart(way(&before, &engine.body), expected);
        // Rotations of 2 mrad about several axes do not commute.
        prop_assert!(off < 5e-6, "{off}");
        let found = receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
        prop_assert!(apart(found, end) < 2e-5, "{found:?} {end:?}");
        let known = state.handover;
        prop_assert!(known.undisturbed);
        prop_assert!(apart(known.astray, astray * 0.5) < 5e-6, "{known:?}");
        // A rounding of 0.5 µm over dt².
        prop_assert!(apart(known.push, push) < 2e-3 && apart(known.drift, push) < 1e-2, "{known:?}");
    }

    /// Push and drift follow by the gain; `astray` collects the unestimated displacement.
    #[test]
    fn estimates_follow_by_the_gain(
        known in velocities(2.0, 1.0), new in velocities(2.0, 1.0), gain in 0.05f32..1.0,
        substeps in 1u32..5, astray in velocities(5e-5, 5e-5),
    ) {
        let (mut engine, mut state) = (Engine::new(), estimating(known, astray));
        (engine.push, engine.substeps) = (new, substeps);
        let settings = RowsSettings { observer_gain: gain, ..SETTINGS };
        let motion = hand(&mut state, &engine.body, Velocity::ZERO, Velocity::ZERO, STANDING);
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

    /// A body ends the engine's step with the substeps' mean velocity as far as wheels carry it, otherwise
    /// with their final one; carry is the rest.
    #[test]
    fn the_uncarried_part_has_the_final_velocity(
        start in velocities(20.0, 2.0), change in velocities(0.5, 0.2), push in velocities(2.0, 1.0),
        lift in -0.2f32..0.8,
    ) {
        let (mut engine, mut state) = (Engine::new(), estimating(push, Velocity::ZERO));
        state.handover.undisturbed = false;
        let end = start + change;
        let motion = hand(&mut state, &engine.body, start, end, Ending { lift, standing: false });
        engine.step(&motion);
        let carried = (2.0 * lift).clamp(0.0, 1.0);
        let mean = (start + end) * 0.5 - push * DT;
        let expected = mean * carried + end * (1.0 - carried);
        let handed = Velocity {
            linear: engine.body.linear_velocity,
            angular: engine.body.angular_velocity,
        };
        prop_assert!(apart(handed, expected) < 3e-5, "{handed:?} {expected:?}");
        prop_assert!(apart(state.carry, end - expected - push * DT) < 3e-5, "{:?}", state.carry);
        prop_assert!(apart(state.handover.expected, expected + push * DT) < 3e-5);
    }

    /// Under the same forces, a step changes the velocity as the last one did, in proportion to its length.
    #[test]
    fn equal_forces_change_the_velocity_equally(
        start in velocities(20.0, 2.0), change in velocities(0.5, 0.2), times in 0.2f32..3.0,
    ) {
        let (engine, mut state) = (Engine::new(), state());
        hand(&mut state, &engine.body, start, start + change, STANDING);
        let next = state.handover.change(state.carry, 1.0, GRAVITY, times * DT);
        // The mean angular velocity is the difference of two rotations over dt.
        prop_assert!(apart(next, change * times) < 2e-4, "{next:?} {change:?}");
    }
}

// Without a previous step, carry does not extrapolate; what wheels do not carry falls.
#[rstest]
#[case::carried(0.0, 0.6, false, 0.0)]
#[case::half_carried(0.0, 0.25, false, 0.5)]
#[case::falling(0.0, -0.1, false, 1.0)]
#[case::falling_after_a_step(DT, 0.0, false, 1.0)]
#[case::undisturbed(DT, 0.0, true, 0.0)]
fn the_uncarried_part_of_gravity_accelerates(
    #[case] duration: f32,
    #[case] lift: f32,
    #[case] undisturbed: bool,
    #[case] share: f32,
) {
    let handed = Handover {
        duration,
        undisturbed,
        ..Handover::NONE
    };
    let change = handed.change(Velocity::ZERO, lift, GRAVITY, 0.5);
    let expected = Velocity {
        linear: GRAVITY * (0.5 * share),
        angular: Vec3::ZERO,
    };
    assert!(apart(change, expected) < 1e-6, "{change:?}");
    let carry = velocity([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]);
    let change = handed.change(carry, lift, GRAVITY, 0.5);
    let more = if duration > 0.0 { 1.0 / DT } else { 0.0 };
    assert!(
        apart(change, expected + carry * more) < 1e-3,
        "{change:?} {more}"
    );
}

/// A body displaced by `part` of the bound of one step, along x or about it.
struct Moved {
    place: f64,
    standing: bool,
    /// Change of velocity by the engine (`m/s`, `rad/s`).
    kick: f32,
    turned: bool,
}

impl Moved {
    /// Whether carry and observer restart.
    fn restarts(&self, part: f32) -> bool {
        let (mut engine, mut state) = (Engine::new(), state());
        engine.body.position = DVec3::new(2.0, self.place, 1.0);
        let ending = Ending {
            lift: 1.0,
            standing: self.standing,
        };
        let still = Velocity::ZERO;
        let motion = hand(&mut state, &engine.body, still, still, ending);
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
    /// Explained are twice the change of velocity times dt, what contacts correct (g·dt² if the car may have
    /// fallen), and the rounding of the position.
    #[test]
    fn displacements_beyond_the_bound_are_unexplained(
        place in prop_oneof![Just(0.0f64), 0.0f64..1e4], standing in any::<bool>(),
        kick in prop_oneof![Just(0.0f32), 0.01f32..5.0], turned in any::<bool>(),
    ) {
        let moved = Moved { place, standing, kick, turned };
        for part in [0.97, -0.97] {
            prop_assert!(!moved.restarts(part), "{part}");
        }
        for part in [1.03, -1.03] {
            prop_assert!(moved.restarts(part), "{part}");
        }
    }

    /// The expected displacement includes drift and the corrected part of `astray`.
    #[test]
    fn drift_and_astray_are_expected_again(
        size in 1e-3f32..1e-2, angular in any::<bool>(), drifts in any::<bool>(), axis in 0usize..3,
    ) {
        let mut direction = Vec3::ZERO;
        direction[axis] = 1.0;
        let of = |size: f32| if angular {
            Velocity { linear: Vec3::ZERO, angular: direction * size }
        } else {
            Velocity { linear: direction * size, angular: Vec3::ZERO }
        };
        for (moved, restarts) in [(0.5 * size, false), (-0.5 * size, true)] {
            let (mut engine, mut state) = (Engine::new(), estimating(Velocity::ZERO, of(size)));
            if drifts {
                state.handover.drift = of(0.5 * size / (DT * DT));
                state.handover.astray = Velocity::ZERO;
            }
            let still = Velocity::ZERO;
            let motion = hand(&mut state, &engine.body, still, still, STANDING);
            engine.step(&motion);
            let moved = of(moved);
            engine.body.position += moved.linear.as_dvec3();
            engine.body.rotation = math::turn(engine.body.rotation, moved.angular, 1.0);
            receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
            prop_assert_eq!(state.handover == Handover::NONE, restarts, "{:?}", moved);
        }
    }
}

// Linear and angular velocity, in any direction.
#[rstest]
#[case::along(velocity([0.0, 0.0, 1.0], [0.0; 3]))]
#[case::about(velocity([0.0; 3], [0.0, 1.0, 0.0]))]
#[case::ahead(velocity([1.0, 0.0, 0.0], [0.0; 3]))]
#[case::about_up(velocity([0.0; 3], [0.0, 0.0, 1.0]))]
fn a_change_is_negligible_up_to_a_thousandth(#[case] change: Velocity) {
    let of = |size: f32| Velocity {
        linear: change.linear * size,
        angular: change.angular * size,
    };
    assert!(is_negligible(&of(0.99e-3)) && is_negligible(&of(-0.99e-3)));
    assert!(!is_negligible(&of(1.01e-3)) && !is_negligible(&of(-1.01e-3)));
}

// The bound is gravity, 9.81 m/s², in any direction.
#[rstest]
#[case::less(9.7, true)]
#[case::more(9.9, false)]
fn pushes_above_gravity_are_not_estimated(#[case] push: f32, #[case] estimated: bool) {
    let (mut engine, mut state) = (Engine::new(), estimating(Velocity::ZERO, Velocity::ZERO));
    engine.push = velocity([0.6 * push, -0.8 * push, 0.0], [0.0; 3]);
    let still = Velocity::ZERO;
    let motion = hand(&mut state, &engine.body, still, still, STANDING);
    engine.step(&motion);
    receive(&SETTINGS, &mut state, &engine.body, GRAVITY);
    assert_eq!(state.handover.push != Velocity::ZERO, estimated);
    assert_eq!(state.handover.astray != Velocity::ZERO, estimated);
}

#[test]
fn damping_never_reverses_a_velocity() {
    let (mut engine, mut state) = (Engine::new(), state());
    engine.body.linear_damping = 100.0;
    engine.body.angular_damping = 90.0;
    let fast = velocity([5.0, 1.0, 0.0], [0.5, 0.0, 1.0]);
    hand(&mut state, &engine.body, fast, fast, DRIVING);
    assert_eq!(state.handover.expected, Velocity::ZERO);
    let handed = state.handover;
    assert_eq!(
        (handed.position, handed.rotation),
        (engine.body.position, engine.body.rotation)
    );
    assert_eq!((handed.duration, handed.standing), (DT, false));
}
