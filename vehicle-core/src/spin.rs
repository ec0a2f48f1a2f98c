//! The rotation that is shown: blended spin and wheel angle.

use core::f32::consts::TAU;

use crate::kind::WheelConsts;
use crate::lanes::{Mask4, W4};
use crate::math;
use crate::profile::{Profile, Solver};
use crate::state::WheelState;

/// Where angles begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleWrap {
    /// At ±10π, once in a call: [`WheelState::ANGLE_WRAP`].
    FiveTurns,
    /// At ±2π, as often as it takes.
    Turn,
}

impl AngleWrap {
    /// Where angles begin anew [rad].
    fn period(self) -> f32 {
        match self {
            Self::FiveTurns => WheelState::ANGLE_WRAP,
            Self::Turn => TAU,
        }
    }

    /// A change of angles [rad] of which any may have begun anew meanwhile, for wheels that turned by
    /// about `expected` [rad]: by less than half of what angles begin anew at, more or less.
    #[must_use]
    pub fn unwrapped(self, change: W4, expected: W4) -> W4 {
        let period = self.period();
        let off = expected - change;
        if !off.abs().gt(W4::splat(0.5 * period)).any() {
            return change;
        }
        let wraps = W4::from_fn(|lane| math::nearest(off.lane(lane) / period));
        change + wraps * W4::splat(period)
    }

    /// Brings the wheels' angles within its range.
    fn apply(self, wheels: &mut WheelState) {
        match self {
            Self::FiveTurns => {
                let wrap = W4::splat(self.period());
                let angle = wheels.angle;
                let down = angle.ge(wrap).select(angle - wrap, angle);
                wheels.angle = angle.le(-wrap).select(angle + wrap, down);
            }
            Self::Turn => {
                let turn = |lane: usize| math::remainder(wheels.angle.lane(lane), self.period());
                wheels.angle = W4::from_fn(turn);
            }
        }
    }
}

/// How wheels are shown to turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// Below this speed a free wheel is blended towards rolling [m/s].
    pub blend_speed: f32,
    /// Whether the speed is compared with its sign, so that all of reversing is slow.
    pub signed: bool,
    /// Where angles begin anew.
    pub wrap: AngleWrap,
}

impl Display {
    /// As a profile has it.
    #[must_use]
    pub fn of(profile: &Profile) -> Self {
        let turns_once = profile.solver == Solver::Explicit && profile.turns_once;
        Self {
            blend_speed: profile.blend_speed,
            signed: profile.signed_blend_speed,
            wrap: if turns_once {
                AngleWrap::Turn
            } else {
                AngleWrap::FiveTurns
            },
        }
    }
}

/// Advances the wheels' angles by `h` [s] (ALGORITHMS §3.12).
///
/// `free` are touching wheels that nothing drives or brakes: at low speed they are shown
/// rolling at their `forward` speed [m/s], so that a slowly rolling wheel does not appear to
/// slip.
pub fn turn_wheels(
    k: &WheelConsts,
    wheels: &mut WheelState,
    free: Mask4,
    forward: W4,
    display: &Display,
    h: f32,
) {
    let share = forward.abs() / W4::splat(display.blend_speed);
    let rolling = forward * k.inverse_radius;
    let blended = (W4::ONE - share) * rolling + share * wheels.spin;
    let slow = if display.signed {
        free & forward.lt(W4::splat(display.blend_speed))
    } else {
        free & share.lt(W4::ONE)
    };
    wheels.spin_shown = slow.select(blended, wheels.spin);
    turn_on(wheels, display.wrap, h);
}

/// Advances the wheels' angles by `h` [s] at their true spins; angles wrap at ±10π.
pub fn turn(wheels: &mut WheelState, h: f32) {
    wheels.spin_shown = wheels.spin;
    turn_on(wheels, AngleWrap::FiveTurns, h);
}

/// Advances the wheels' angles by `h` [s] at the spins that are shown.
pub fn turn_on(wheels: &mut WheelState, wrap: AngleWrap, h: f32) {
    wheels.angle += wheels.spin_shown * W4::splat(h);
    wrap.apply(wheels);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
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
    fn in_physx_5_all_of_reversing_is_slow_and_angles_stay_within_a_turn() {
        let k = testing::wheel_consts();
        let display = Display::of(&Profile::PHYSX_5);
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
    fn a_change_of_angles_does_not_notice_the_wrap(
        #[case] wrap: AngleWrap,
        #[case] from: f32,
        #[case] by: f32,
    ) {
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
    fn angles_wrap_both_ways() {
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
}
