//! TMeasy of Rill: curves from five numbers each, over a resultant slip.
//!
//! Over the resultant slip s of (sx, sy), relative to the speed of the rim, the force rises with
//! initial slope F′₀ to its peak F̂ at ŝ, falls to F∞ at s∞ and stays there:
//!
//! ```text
//! s < ŝ:  F′₀·ŝ·σ / (1 + σ·(σ + F′₀·ŝ/F̂ − 2)),  σ = s/ŝ
//! s < s∞: two parabolas with a common slope where they meet; a cubic where that is impossible
//! ```
//!
//! Each of the five, in the direction of the slip, is the hypotenuse of its longitudinal and
//! lateral parts. Values are given at the nominal load and at twice that: forces follow a parabola
//! through 0, up to 3.5 times the nominal load, slips a line. Friction scales forces and the slips
//! of peak and sliding, not the slope. The pneumatic trail over the contact's length falls from n₀
//! through 0 at s₀ to 0 again at s₁, over |sy|. Contact length grows with the root of the load. No
//! camber.
//! over |sy|. Contact length grows with the root of the load. No camber.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::real::Real;
pub use crate::rill::relative_load;
use crate::rill::{Direction, line, on_rim_speed, parabola};
use crate::steady::{Forces, SteadyInput, SteadyLaw, TINY, mapped, steady_model};
use crate::tmsimple::check_pair;

/// Parameters of [`TmEasy`]. Pairs are values at the nominal load and at twice that load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TmEasyParams<T = f32> {
    /// Nominal load (`N`), > 0.
    pub nominal_load: T,
    /// Length of the contact at nominal load (`m`), ≥ 0.
    pub contact_length: T,
    /// Longitudinal force per slip at zero slip (`N`), > 0; at least twice the peak over its slip.
    pub initial_x: [T; 2],
    /// Maximum longitudinal force (`N`), > 0.
    pub peak_x: [T; 2],
    /// Slip of that force (–), > 0.
    pub peak_slip_x: [T; 2],
    /// Longitudinal force of a sliding tire (`N`), > 0, no more than the maximum.
    pub sliding_x: [T; 2],
    /// Slip at which full sliding starts (–), above the peak's.
    pub sliding_slip_x: [T; 2],
    /// Lateral force per slip at zero slip (`N`), > 0.
    pub initial_y: [T; 2],
    /// Maximum lateral force (`N`), > 0.
    pub peak_y: [T; 2],
    /// Slip of that force (–), > 0.
    pub peak_slip_y: [T; 2],
    /// Lateral force of a sliding tire (`N`), > 0, no more than the maximum.
    pub sliding_y: [T; 2],
    /// Slip at which full sliding starts (–), above the peak's.
    pub sliding_slip_y: [T; 2],
    /// Pneumatic trail over contact length at zero slip (–), ≥ 0.
    pub trail: [T; 2],
    /// Lateral slip at which the trail first is 0 (–), > 0.
    pub trail_zero_slip: [T; 2],
    /// Lateral slip above which it stays 0 (–), above that of the first zero.
    pub trail_end_slip: [T; 2],
}

mapped!(TmEasyParams {
    nominal_load, contact_length;
    initial_x, peak_x, peak_slip_x, sliding_x, sliding_slip_x,
    initial_y, peak_y, peak_slip_y, sliding_y, sliding_slip_y,
    trail, trail_zero_slip, trail_end_slip,
});

impl Check for TmEasyParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("nominal_load", self.nominal_load, "N");
        i.not_negative("contact_length", self.contact_length, "m");
        for (name, pair) in [
            ("initial_x", self.initial_x),
            ("peak_x", self.peak_x),
            ("sliding_x", self.sliding_x),
            ("initial_y", self.initial_y),
            ("peak_y", self.peak_y),
            ("sliding_y", self.sliding_y),
        ] {
            check_pair(i, name, pair, "N");
        }
        for (name, peak, sliding) in [
            ("sliding_x", self.peak_x, self.sliding_x),
            ("sliding_y", self.peak_y, self.sliding_y),
        ] {
            let holds = sliding[0] <= peak[0] && sliding[1] <= peak[1];
            let value = format!("{sliding:?}");
            i.rule(holds, name, value, "N", "must be no more than the peak");
        }
        for (low, high, names) in [
            (
                self.peak_slip_x,
                self.sliding_slip_x,
                ["peak_slip_x", "sliding_slip_x"],
            ),
            (
                self.peak_slip_y,
                self.sliding_slip_y,
                ["peak_slip_y", "sliding_slip_y"],
            ),
            (
                self.trail_zero_slip,
                self.trail_end_slip,
                ["trail_zero_slip", "trail_end_slip"],
            ),
        ] {
            check_slips(i, names, low, high);
        }
        i.not_negative("trail[0]", self.trail[0], "");
        i.not_negative("trail[1]", self.trail[1], "");
    }
}

/// Two slips of a curve, in order at every load from 0 to 3.5 times the nominal one.
fn check_slips(i: &mut Inspector, names: [&str; 2], low: [f32; 2], high: [f32; 2]) {
    for q in [0.0, 3.5] {
        let (low, high) = (line(&low, q), line(&high, q));
        let at = format!("must be finite and > 0 at {q} times the nominal load");
        i.rule(low > 0.0 && low.is_finite(), names[0], low, "", at);
        let at = format!(
            "must be finite and above {} at {q} times the nominal load",
            names[0]
        );
        i.rule(high > low && high.is_finite(), names[1], high, "", at);
    }
}

impl TmEasyParams {
    /// Odd; falls where sliding forces are below the maximum.
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.sliding_x != self.peak_x || self.sliding_y != self.peak_y,
            has_moments: true,
            has_properties: true,
            bounds_each: false,
        }
    }
}

/// A curve of force over slip.
struct ForceCurve<T> {
    initial: T,
    peak: T,
    peak_slip: T,
    sliding: T,
    sliding_slip: T,
}

impl<T: Real> ForceCurve<T> {
    #[inline]
    fn at(&self, s: T) -> T {
        let tiny = T::of(TINY);
        let (one, two, three) = (T::one(), T::of(2.0), T::of(3.0));
        let sm = self.peak_slip.max(tiny);
        let peak = self.peak.max(tiny);
        let slope = self.initial.max(two * peak / sm);
        let t = s / sm;
        let rise = slope * sm * t / (one + t * (t + slope * sm / peak - two));

        let way = (self.sliding_slip - sm).max(tiny);
        let fall = self.peak - self.sliding;
        let bend = (peak / sm).squared() / (slope * sm);
        let joint = sm + fall / (bend * way);
        let first = self.peak - bend * (s - sm).squared();
        let bend2 = bend * (joint - sm) / (self.sliding_slip - joint).max(tiny);
        let second = self.sliding + bend2 * (self.sliding_slip - s).squared();
        let parabolas = T::select(s.le(joint), first, second);
        let u = (s - sm) / way;
        let cubic = self.peak - fall * u * u * (three - two * u);
        let between = T::select(joint.le(self.sliding_slip), parabolas, cubic);

        let beyond = T::select(s.gt(self.sliding_slip), self.sliding, between);
        T::select(s.lt(sm), rise, beyond)
    }
}

/// Pneumatic trail over contact length at a lateral slip ≥ 0.
#[inline]
fn trail<T: Real>(trail: T, zero: T, end: T, slip: T) -> T {
    let (one, two, three) = (T::one(), T::of(2.0), T::of(3.0));
    let w = zero / end;
    let u = slip / zero;
    let before = trail * ((one - w) * (one - u) + w * (one - (three - two * u) * u * u));
    let back = (end - slip) / (end - zero);
    let behind = -(trail * (one - w) * (slip - zero) / zero * back * back);
    let away = T::select(slip.lt(end), behind, T::zero());
    T::select(slip.lt(zero), before, away)
}

/// Slips along and across from speeds [m/s]: of the contact point and, forward, of the rim.
/// `smoothing` is added to the rim's speed in the denominator. They have the signs of the forces.
#[inline]
pub fn slips<T: Real>(forward: T, lateral: T, rim: T, smoothing: T) -> [T; 2] {
    let divisor = rim.abs() + smoothing;
    [-((forward - rim) / divisor), -(lateral / divisor)]
}

impl<T: Real> TmEasyParams<T> {
    /// Forces at slips that have the signs of the forces, on a contact of this length (`m`).
    #[inline]
    pub fn forces_at(&self, slips: [T; 2], load: T, friction: T, length: T) -> Forces<T> {
        let q = relative_load(load, self.nominal_load);
        let [sx, sy] = slips;
        let direction = Direction::of(sx, sy);
        let force = |x: &[T; 2], y: &[T; 2]| direction.between(parabola(x, q), parabola(y, q));
        let slip = |x: &[T; 2], y: &[T; 2]| direction.between(line(x, q), line(y, q));
        let curve = ForceCurve {
            initial: force(&self.initial_x, &self.initial_y),
            peak: friction * force(&self.peak_x, &self.peak_y),
            peak_slip: friction * slip(&self.peak_slip_x, &self.peak_slip_y),
            sliding: friction * force(&self.sliding_x, &self.sliding_y),
            sliding_slip: friction * slip(&self.sliding_slip_x, &self.sliding_slip_y),
        };
        let total = curve.at(direction.slip);
        let lateral = total * direction.sin;
        let (zero, end) = (
            line(&self.trail_zero_slip, q),
            line(&self.trail_end_slip, q),
        );
        let arm = length * trail(line(&self.trail, q), zero, end, sy.abs());
        Forces {
            longitudinal: total * direction.cos,
            lateral,
            aligning_moment: -(lateral * arm),
        }
    }
}

impl<T: Real> SteadyLaw<T> for TmEasyParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let slips = on_rim_speed(slip.ratio, slip.tan_angle);
        let length = self.contact_length * (slip.load / self.nominal_load).sqrt();
        self.forces_at(slips, slip.load, slip.friction, length)
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let q = relative_load(slip.load, self.nominal_load);
        [&self.peak_x, &self.peak_y].map(|peak| slip.friction * parabola(peak, q))
    }
}

steady_model!(
    /// TMeasy with its parameters.
    TmEasy,
    TmEasyParams
);

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;

    fn curve(sliding_slip: f64) -> ForceCurve<f64> {
        ForceCurve {
            initial: 60_000.0,
            peak: 3000.0,
            peak_slip: 0.12,
            sliding: 2400.0,
            sliding_slip,
        }
    }

    #[rstest]
    #[case::parabolas(0.6)]
    #[case::cubic(0.14)]
    fn the_curve_goes_through_its_points_without_a_jump(#[case] end: f64) {
        let curve = curve(end);
        assert_relative_eq!(curve.at(1e-9) / 1e-9, 60_000.0, max_relative = 1e-6);
        assert_relative_eq!(curve.at(0.12), 3000.0, max_relative = 1e-12);
        assert_relative_eq!(curve.at(end), 2400.0, max_relative = 1e-12);
        assert_eq!(curve.at(9.0), 2400.0);
        let mut before = 0.0;
        for i in 0..10_000 {
            let force = curve.at(f64::from(i) * 1e-4);
            assert!((force - before).abs() < 7.0, "{i}: {before} {force}");
            assert!(force <= 3000.0 + 1e-9);
            before = force;
        }
    }

    #[test]
    fn a_slope_too_flat_for_the_peak_is_steepened() {
        let flat = ForceCurve {
            initial: 1.0,
            ..curve(0.6)
        };
        assert_relative_eq!(flat.at(1e-9) / 1e-9, 50_000.0, max_relative = 1e-6);
    }

    #[rstest]
    #[case(0.0, 0.18)]
    #[case(0.1, 0.0)]
    #[case(0.5, 0.0)]
    #[case(2.0, 0.0)]
    fn the_trail_is_zero_at_its_zero_and_end_slips(#[case] slip: f64, #[case] expected: f64) {
        assert_relative_eq!(trail(0.18, 0.1, 0.5, slip), expected, epsilon = 1e-12);
    }
}
