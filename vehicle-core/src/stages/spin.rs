//! Displayed rotation: blended spin and wheel angle.

use core::f32::consts::TAU;

use crate::base::lanes::{Mask4, W4};
use crate::base::math;
use crate::exchange::state::WheelState;
use crate::params::profile::ExplicitSettings;
use crate::stages::wheel_consts::WheelConsts;

/// Angle at which rotation angles wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleWrap {
    /// At ±10π, once per call: [`WheelState::ANGLE_WRAP`].
    FiveTurns,
    /// At ±2π, as often as necessary.
    Turn,
}

impl AngleWrap {
    /// Wrap of a vehicle whose explicit solver has these settings; `None` for the rows solver.
    #[inline]
    #[must_use]
    pub fn of(settings: Option<&ExplicitSettings>) -> Self {
        if settings.is_some_and(|settings| settings.turns_once) {
            Self::Turn
        } else {
            Self::FiveTurns
        }
    }

    /// Bound at which angles wrap (`rad`).
    #[inline]
    fn period(self) -> f32 {
        match self {
            Self::FiveTurns => WheelState::ANGLE_WRAP,
            Self::Turn => TAU,
        }
    }

    /// Change of angles (`rad`) that may have wrapped, for wheels that rotated by about `expected` (`rad`),
    /// within half of the wrap's bound.
    #[inline]
    #[must_use]
    pub fn unwrapped(self, change: W4, expected: W4) -> W4 {
        let (off, period) = (expected - change, self.period());
        change + W4::from_fn(|lane| period * math::nearest(off.lane(lane) / period))
    }

    /// Wraps the wheels' angles.
    #[inline]
    fn apply(self, wheels: &mut WheelState) {
        match self {
            Self::FiveTurns => {
                let wrap = W4::splat(self.period());
                let angle = wheels.angle;
                let beyond = angle.abs().ge(wrap);
                wheels.angle = beyond.select(angle - wrap.copysign(angle), angle);
            }
            Self::Turn => {
                let turn = |lane: usize| math::remainder(wheels.angle.lane(lane), self.period());
                wheels.angle = W4::from_fn(turn);
            }
        }
    }
}

/// Display of wheel spins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Display {
    /// Below this speed, a free wheel's displayed spin is blended toward rolling (`m/s`).
    pub blend_speed: f32,
    /// Whether speeds are compared with their sign, so that all reversing counts as slow.
    pub signed: bool,
    /// Angle at which rotation angles wrap.
    pub wrap: AngleWrap,
}

impl Display {
    /// Display by the explicit solver's settings.
    #[inline]
    #[must_use]
    pub fn of(settings: &ExplicitSettings) -> Self {
        Self {
            blend_speed: settings.blend_speed,
            signed: settings.signed_blend_speed,
            wrap: AngleWrap::of(Some(settings)),
        }
    }
}

/// Advances the wheels' angles by `h` (`s`) (ALGORITHMS §3.12).
///
/// `free` are touching wheels that are neither driven nor braked: at low speed they are displayed rolling at
/// their `forward` speed (`m/s`), so that a slowly rolling wheel does not appear to slip.
#[inline]
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

/// Advances the wheels' angles by `h` (`s`) at their true spins; angles wrap at ±10π.
pub fn turn(wheels: &mut WheelState, h: f32) {
    wheels.spin_shown = wheels.spin;
    turn_on(wheels, AngleWrap::FiveTurns, h);
}

/// Advances the wheels' angles by `h` (`s`) at the displayed spins.
#[inline]
pub fn turn_on(wheels: &mut WheelState, wrap: AngleWrap, h: f32) {
    wheels.angle += wheels.spin_shown * W4::splat(h);
    wrap.apply(wheels);
}

#[cfg(test)]
mod tests;
