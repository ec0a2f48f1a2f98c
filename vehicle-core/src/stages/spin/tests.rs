//! Wheels as they are shown.

use super::*;
use crate::base::lanes::LANES;
use crate::params::profile::Profile;
use crate::testing;
use crate::testing::uneven::{close, lanes, masks, uneven_consts, wide};
use proptest::prelude::*;
use rstest::rstest;

const LEGACY: Display = Display {
    blend_speed: 5.0,
    signed: false,
    wrap: AngleWrap::FiveTurns,
};

#[test]
fn a_slow_free_wheel_is_shown_rolling() {
    let k = testing::wheel_consts();
    let mut wheels = WheelState {
        spin: W4::splat(9.0),
        ..WheelState::AT_REST
    };
    let forward = W4::from_array([0.0, 2.5, 5.0, -2.5]);
    turn_wheels(&k, &mut wheels, Mask4::ALL, forward, &LEGACY, 0.1);
    let shown = wheels.spin_shown.to_array();
    assert_eq!(shown[0], 0.0);
    assert!((shown[1] - (0.5 * 5.0 + 0.5 * 9.0)).abs() < 1e-6);
    assert_eq!(shown[2], 9.0);
    assert!((shown[3] - (0.5 * -5.0 + 0.5 * 9.0)).abs() < 1e-6);
    assert_eq!(wheels.spin.lane(0), 9.0, "the true spin is untouched");
}

#[test]
fn physx_5_counts_reversing_as_slow_and_wraps_at_one_turn() {
    let k = testing::wheel_consts();
    let display = Display::of(&ExplicitSettings::PHYSX_5);
    let mut wheels = WheelState {
        spin: W4::splat(100.0),
        ..WheelState::AT_REST
    };
    let forward = W4::from_array([7.0, -7.0, 0.0, 0.0]);
    turn_wheels(&k, &mut wheels, Mask4::ALL, forward, &display, 0.1);
    assert_eq!(wheels.spin_shown.lane(0), 100.0);
    assert!((wheels.spin_shown.lane(1) - (-0.4 * -14.0 + 1.4 * 100.0)).abs() < 1e-3);
    assert!((wheels.angle.lane(0) - (10.0 - TAU)).abs() < 1e-5);
}

#[rstest]
#[case::on(AngleWrap::FiveTurns, 0.5, 1.5)]
#[case::back(AngleWrap::FiveTurns, 0.5, -2.5)]
#[case::through_the_wrap(AngleWrap::FiveTurns, WheelState::ANGLE_WRAP - 0.5, 1.5)]
#[case::back_through_it(AngleWrap::FiveTurns, 0.5 - WheelState::ANGLE_WRAP, -1.5)]
#[case::far(AngleWrap::FiveTurns, 31.0, 28.0)]
#[case::within_a_turn(AngleWrap::Turn, 0.5, 1.5)]
#[case::through_a_turn(AngleWrap::Turn, 6.0, 1.5)]
#[case::back_through_a_turn(AngleWrap::Turn, -6.0, -1.5)]
#[case::more_than_half_a_turn(AngleWrap::Turn, 6.0, 4.0)]
#[case::two_turns(AngleWrap::Turn, 6.0, 14.0)]
fn changes_of_angles_are_unwrapped(#[case] wrap: AngleWrap, #[case] from: f32, #[case] by: f32) {
    let mut wheels = WheelState {
        angle: W4::splat(from),
        spin_shown: W4::splat(by / 0.1),
        ..WheelState::AT_REST
    };
    turn_on(&mut wheels, wrap, 0.1);
    // A spin that changed within the step is a bad guess.
    for guess in [by - 2.0, by, by + 2.0] {
        let change = wheels.angle - W4::splat(from);
        let turned = wrap.unwrapped(change, W4::splat(guess)).lane(0);
        assert!((turned - by).abs() < 1e-5, "{turned} {by}");
    }
}

#[test]
fn angles_wrap_in_both_directions() {
    let k = testing::wheel_consts();
    let near = WheelState::ANGLE_WRAP - 0.1;
    let mut wheels = WheelState {
        angle: W4::from_array([near, -near, 0.0, near]),
        spin: W4::from_array([2.0, -2.0, 1.0, 0.5]),
        ..WheelState::AT_REST
    };
    turn_wheels(&k, &mut wheels, Mask4::NONE, W4::ZERO, &LEGACY, 0.1);
    let angle = wheels.angle.to_array();
    assert!((angle[0] - 0.1).abs() < 1e-4 && (angle[1] + 0.1).abs() < 1e-4);
    assert!((angle[3] - near - 0.05).abs() < 1e-4);
}

fn wraps() -> impl Strategy<Value = AngleWrap> {
    prop_oneof![Just(AngleWrap::FiveTurns), Just(AngleWrap::Turn)]
}

proptest! {
    /// A wheel turns by its shown spin: up to whole periods, and to an angle within one.
    #[test]
    fn wheels_turn_by_their_spins(
        wrap in wraps(), from in lanes(-1.0..1.0), spin in lanes(-90.0..90.0), h in 0.01f32..0.1,
    ) {
        let period = wrap.period();
        let angle = from * W4::splat(period);
        let mut wheels = WheelState { angle, spin_shown: spin, ..WheelState::AT_REST };
        turn_on(&mut wheels, wrap, h);
        for lane in 0..LANES {
            let turned = spin.lane(lane) * h;
            let change = wheels.angle.lane(lane) - angle.lane(lane);
            let periods = (change - turned) / period;
            prop_assert!((periods - periods.round()).abs() < 1e-5, "{periods}");
            prop_assert!(wheels.angle.lane(lane).abs() <= period);
        }
    }

    /// A change of angles that began anew meanwhile is found again from a guess less than half a period
    /// off, wheel by wheel.
    #[test]
    fn unwrapping_tolerates_half_a_period(
        wrap in wraps(), from in lanes(-1.0..1.0), by in lanes(-28.0..28.0), off in lanes(-0.45..0.45),
    ) {
        let period = W4::splat(wrap.period());
        let angle = from * period;
        let mut wheels = WheelState { angle, spin_shown: by, ..WheelState::AT_REST };
        turn_on(&mut wheels, wrap, 1.0);
        let actual = wrap.unwrapped(wheels.angle - angle, by + off * period);
        for lane in 0..LANES {
            prop_assert!(close(actual.lane(lane), by.lane(lane), 50.0), "{actual:?} {by:?}");
        }
    }

    /// A free wheel below the blend speed is shown between rolling and its spin, in proportion to the
    /// speed; others as they turn (ALGORITHMS §3.12).
    #[test]
    fn shown_spins_blend_from_rolling_to_spinning(
        free in masks(), forward in lanes(-9.0..9.0), spin in lanes(-30.0..30.0), signed in any::<bool>(),
    ) {
        let k = uneven_consts();
        let display = Display { signed, ..LEGACY };
        let mut wheels = WheelState { spin, ..WheelState::AT_REST };
        turn_wheels(&k, &mut wheels, free, forward, &display, 0.01);
        for lane in 0..LANES {
            let (speed, spin) = (wide(forward, lane), wide(spin, lane));
            let share = speed.abs() / 5.0;
            let rolling = speed / wide(k.radius, lane);
            let compared = if signed { speed } else { speed.abs() };
            let slow = free.lane(lane) && compared < 5.0;
            let shown = if slow { rolling + share * (spin - rolling) } else { spin };
            prop_assert!(close(wheels.spin_shown.lane(lane), shown as f32, 100.0));
            let angle = shown as f32 * 0.01;
            prop_assert!(close(wheels.angle.lane(lane), angle, 1.0));
        }
    }

    /// Without a blend, wheels are displayed and turn at their own spins.
    #[test]
    fn wheels_turn_at_their_own_spins(spin in lanes(-60.0..60.0), h in 0.001f32..0.05) {
        let mut wheels = WheelState { spin, ..WheelState::AT_REST };
        turn(&mut wheels, h);
        prop_assert_eq!(wheels.spin_shown, spin);
        prop_assert_eq!(wheels.angle, spin * W4::splat(h));
    }
}

/// Only the explicit solver turns its wheels once in a step.
#[rstest]
#[case::rows(Profile::DEFAULT, AngleWrap::FiveTurns)]
#[case::physx_4(Profile::PHYSX_4, AngleWrap::FiveTurns)]
#[case::physx_5(Profile::PHYSX_5, AngleWrap::Turn)]
fn angles_wrap_by_the_profile(#[case] profile: Profile, #[case] wrap: AngleWrap) {
    assert_eq!(AngleWrap::of(profile.explicit()), wrap);
}
