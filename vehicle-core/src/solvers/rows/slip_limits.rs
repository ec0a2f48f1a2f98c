//! Limits of the slip of wheels, kept at the end of a substep by their brakes or by the engine (ROWS §6).
//!
//! A bound κ of the slip is a line of rim speeds over the contact's speed at the end, `r·Ω = a·v⁺ + c`:
//!
//! ```text
//! braking:  r·Ω = (1 − |κ|)·v⁺
//! driving:  r·Ω = v⁺/(1 − |κ|), at least v⁺ ± 3 m/s·|κ|
//! ```
//!
//! With the row's impulse λ = λ₀ + traction·Ω, that speed is v⁺ = ŝ + w·λ, so that the spin at the bound is closed form:
//!
//! ```text
//! grips:    Ω = (a·(ŝ + w·λ₀) + c)/(r − a·w·traction)
//! slides:   Ω = (a·(ŝ + w·λ) + c)/r
//! ```

use super::tuning::{LEAST_DRIVEN_SPEED, NEAR_LIMIT, SLIDING_SPIN};
use crate::base::lanes::{Mask4, W4};
use crate::base::math;
use crate::contracts::driver_aid::{EngineRequest, WheelRequest};
use crate::stages::tire_use::ContactMotion;

/// Least and greatest slip of four wheels, and how far their brakes may be lowered and raised to keep it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipLimits {
    /// Least and greatest slip at the end of the substep (–); beyond ±1: none.
    slip: [W4; 2],
    /// Torques by which brakes may be lowered and raised (`N·m`), ≥ 0.
    change: [W4; 2],
    /// Wheels that began the substep at their least and at their greatest slip, where brakes will likely keep them.
    kept: [Mask4; 2],
}

impl SlipLimits {
    /// No limits.
    pub const NONE: Self = Self {
        slip: [W4::splat(f32::NEG_INFINITY), W4::splat(f32::INFINITY)],
        change: [W4::ZERO; 2],
        kept: [Mask4::NONE; 2],
    };

    /// Sets the limits of a wheel that begins the substep with this `slip` (–).
    pub(super) fn set(&mut self, lane: usize, request: &WheelRequest, slip: f32) {
        let [least, greatest] = request.slip_range;
        let is_kept = [
            slip <= least + NEAR_LIMIT * least.abs(),
            slip >= greatest - NEAR_LIMIT * greatest.abs(),
        ];
        for n in 0..2 {
            if is_kept[n] {
                self.kept[n] = self.kept[n] | Mask4::only(lane);
            }
            self.slip[n] = self.slip[n].with_lane(lane, request.slip_range[n]);
            let change = [request.release, request.build][n];
            self.change[n] = self.change[n].with_lane(lane, change);
        }
    }

    /// Least and greatest impulse of brakes that have this `impulse` without limits, in a substep of this length; `least` is that
    /// of the rolling resistance, which stays (`N·m·s`).
    pub(super) fn brakes(&self, impulse: W4, least: W4, step: W4) -> [W4; 2] {
        let [release, build] = self.change;
        [
            (impulse - release * step).max(least),
            impulse + build * step,
        ]
    }

    /// Lines of the least and the greatest slips that brakes can keep, for contacts with about this `speed` (`m/s`).
    pub(super) fn lines(&self, speed: W4) -> [SlipLine; 2] {
        let [release, build] = self.change.map(|change| change.gt(W4::ZERO));
        self.slip.map(|slip| {
            let mut line = SlipLine::new(slip, speed);
            line.exists = line.exists & (line.brakes & release | !line.brakes & build);
            line
        })
    }

    /// `motion` with the speeds of rims at which brakes will keep the wheels, where their laws are to be evaluated: at the start of
    /// the substep, contacts were faster than they will be, so that the slip of a wheel at its limit seems smaller. With that,
    /// the secant to a law that falls would overestimate its force by a·h/(v·κ).
    pub(super) fn clamped(&self, motion: ContactMotion) -> ContactMotion {
        let mut rim = motion.rim;
        for (n, line) in self.lines(motion.forward).iter().enumerate() {
            let limit = line.rim_at(motion.forward);
            let beyond = if n == 0 { rim.lt(limit) } else { rim.gt(limit) };
            rim = (line.exists & (beyond | self.kept[n])).select(limit, rim);
        }
        ContactMotion { rim, ..motion }
    }
}

/// Rim speeds of four wheels at a slip, over their contacts' speeds: `factor·v + offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SlipLine {
    /// Wheels that have one.
    pub(super) exists: Mask4,
    /// Wheels that are slower than their contact there, and not faster.
    brakes: Mask4,
    factor: W4,
    offset: W4,
}

impl SlipLine {
    /// The line of a `slip` (–), for contacts with about this `speed` (`m/s`).
    pub(super) fn new(slip: W4, speed: W4) -> Self {
        let exists = slip.abs().lt(W4::ONE);
        let slip = exists.keep(slip);
        let rest = W4::ONE - slip.abs();
        let brakes = (slip * speed).lt(W4::ZERO);
        let slow = !brakes & speed.abs().lt(W4::splat(LEAST_DRIVEN_SPEED) * rest);
        let driven = slow.select(W4::ONE, W4::ONE / rest);
        Self {
            exists,
            brakes,
            factor: brakes.select(rest, driven),
            offset: slow.keep(W4::splat(LEAST_DRIVEN_SPEED) * slip),
        }
    }

    /// Rim speeds at this speed of the contacts (`m/s`).
    pub(super) fn rim_at(&self, speed: W4) -> W4 {
        self.factor * speed + self.offset
    }

    /// This line at the wheels of `mask`, `other` at the rest.
    pub(super) fn or(&self, mask: Mask4, other: &Self) -> Self {
        Self {
            exists: mask & self.exists | !mask & other.exists,
            brakes: mask & self.brakes | !mask & other.brakes,
            factor: mask.select(self.factor, other.factor),
            offset: mask.select(self.offset, other.offset),
        }
    }

    /// Spins at which wheels of this `radius` (`m`) have the slip at the end of the substep (`rad/s`), and the impulses of their tires
    /// (`N·s`). `within` limits these to friction, and tells which slide.
    pub(super) fn spin(
        &self,
        tire: &TireResponse,
        radius: W4,
        within: impl Fn(W4) -> (W4, Mask4),
    ) -> (W4, W4) {
        let own = tire.inverse_effective_mass;
        let at_rest = tire.speed + own * tire.standing_impulse;
        let rest = radius - self.factor * (own * tire.traction);
        let grips = rest.gt(W4::ZERO);
        let spin = self.rim_at(at_rest) / grips.select(rest, radius);
        let gripping = grips.select(spin, W4::splat(SLIDING_SPIN).copysign(at_rest));
        let (impulse, slides) = within(tire.standing_impulse + tire.traction * gripping);
        let sliding = self.rim_at(tire.speed + own * impulse) / radius;
        (slides.select(sliding, gripping), impulse)
    }
}

/// Response of tires that grip to the spins of their wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TireResponse {
    /// Speed of the contact without the tire's impulse, ŝ (`m/s`).
    pub(super) speed: W4,
    /// Inverse effective mass w (`1/kg`).
    pub(super) inverse_effective_mass: W4,
    /// Impulse λ₀ at spin 0 (`N·s`).
    pub(super) standing_impulse: W4,
    /// Slope of the impulse in spin (`N·s²`).
    pub(super) traction: W4,
}

/// Limit of the engine's torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineLimit {
    /// Least torque (`N·m`).
    pub(super) least: f32,
    /// Greatest slip of the driven wheels in the direction in which the engine drives them (–).
    pub(super) slip: f32,
    /// Whether this is the slip of the slowest driven wheel, and not of the fastest.
    pub(super) of_slowest: bool,
}

impl EngineLimit {
    /// The limit that an aid requests; `None` for one that never acts.
    pub(super) fn of(request: &EngineRequest) -> Option<Self> {
        let acts = request.greatest_slip < 1.0 && request.least_torque != request.torque;
        acts.then_some(Self {
            least: request.least_torque,
            slip: request.greatest_slip,
            of_slowest: request.of_slowest,
        })
    }

    /// The excess of two wheels that counts.
    pub(super) fn worse(&self, a: f32, b: f32) -> f32 {
        if self.of_slowest {
            math::lesser(a, b)
        } else {
            math::greater(a, b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::sensors::WheelSensors;
    use proptest::prelude::*;

    proptest! {
        /// The rim speed of a line has its slip, or is as far from a slow contact's as from one of 3 m/s.
        #[test]
        fn rim_speeds_have_the_slip(slip in -0.95_f32..0.95, speed in -40.0_f32..40.0) {
            let line = SlipLine::new(W4::splat(slip), W4::splat(speed));
            let rim = line.rim_at(W4::splat(speed)).lane(2);
            let found = WheelSensors::slip_of(rim, speed);
            let driven = slip * speed > 0.0;
            if driven && speed.abs() < LEAST_DRIVEN_SPEED * (1.0 - slip.abs()) {
                prop_assert!((rim - speed - LEAST_DRIVEN_SPEED * slip).abs() < 1e-4);
                prop_assert!(found.abs() >= slip.abs() - 1e-4);
            } else {
                prop_assert!((found - slip).abs() < 1e-4, "{} {}", found, slip);
            }
        }
    }

    #[test]
    fn slips_of_one_and_more_are_no_limits() {
        let slips = W4::from_array([1.0, -1.0, f32::INFINITY, 0.99]);
        let line = SlipLine::new(slips, W4::splat(5.0));
        assert_eq!(line.exists, Mask4::only(3));
        assert!(line.rim_at(W4::splat(5.0)).is_finite());
    }
}
