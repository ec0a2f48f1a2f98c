//! Wheels above 1 m/s: their lateral rows count a speed between those at the start and at the end of the substep (ROWS §5).
//!
//! A row that counts the final speed alone damps a substep later than tires do: yaw and sideslip respond late by half a substep.
//! The mean of both ends would be exact to second order, but oscillates where tires stop the mass that rests on them within a
//! substep. So the row counts
//!
//! ```text
//! s = (1 − θ)·s₀ + θ·s⁺     θ = (x + 3)/(x + 6),  x = h·G/m       G: gain of the row, m: mass on the wheel
//! ```
//!
//! With this θ, a substep leaves Padé's [1/2] approximant of exp(−x) of a sideslip.

use crate::base::lanes::{Mask4, W4};
use crate::contracts::stateful_tire::TireRow;
use crate::stages::tire_use::ContactMotion;

/// Wheels above 1 m/s, and their lateral speeds at the start of the substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LateralMidpoint {
    fast: Mask4,
    /// Speed of the contacts to the left at the start of the substep (`m/s`).
    begun: W4,
}

impl LateralMidpoint {
    /// Lateral midpoint of contacts with these speeds to the left at the start of the substep, `begun` (`m/s`).
    pub(super) fn new(begun: W4) -> Self {
        Self {
            fast: Mask4::NONE,
            begun,
        }
    }

    /// Finds the wheels above 1 m/s in their `present` motion.
    #[inline]
    pub(super) fn begin(&mut self, present: &ContactMotion) {
        self.fast = !present.slow();
    }

    /// The motion with the mean speeds to the left of these wheels, at which their laws are evaluated; `motion` has those at the
    /// end of the substep.
    #[inline]
    pub(super) fn mean(&self, motion: ContactMotion) -> ContactMotion {
        let mean = (self.begun + motion.left) * W4::splat(0.5);
        ContactMotion {
            left: self.fast.select(mean, motion.left),
            ..motion
        }
    }

    /// Rewrites the lateral `row` of these wheels, on which `mass` rests (`kg`), for the final speed alone, in a substep of `h`
    /// (`s`).
    ///
    /// ```text
    /// F = force − gain·s  ⇒  force ← force − gain·(1 − θ)·s₀,  gain ← θ·gain
    /// ```
    #[inline]
    pub(super) fn count_mean(&self, row: &mut TireRow<W4>, mass: W4, h: f32) {
        let resisted = row.gain * W4::splat(h);
        let least = W4::splat(f32::MIN_POSITIVE);
        let before = mass * W4::splat(3.0) / (resisted + mass * W4::splat(6.0)).max(least);
        let before = self.fast.keep(row.gain * before);
        row.force = row.force - before * self.begun;
        row.gain = row.gain - before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::rows::testing::H;
    use rstest::rstest;

    /// Motion of front wheels at 2 m/s and rear wheels at 0.5 m/s, ever more to the left.
    fn motion() -> ContactMotion {
        ContactMotion {
            forward: W4::from_array([2.0, -2.0, 0.5, -0.5]),
            left: W4::from_array([1.0, 2.0, 3.0, 4.0]),
            rim: W4::ZERO,
        }
    }

    fn begun(speed: f32) -> LateralMidpoint {
        let mut cornering = LateralMidpoint::new(W4::splat(speed));
        cornering.begin(&motion());
        cornering
    }

    /// A sideslip decays to exp(−x) of itself, to the order of x⁴, and never more than a quarter of it comes back.
    #[rstest]
    fn a_sideslip_decays_as_it_does(#[values(0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 1e3, 1e8)] x: f32) {
        const MASS: f32 = 400.0;
        let mut row = TireRow {
            force: W4::ZERO,
            gain: W4::splat(x * MASS / H),
        };
        begun(1.0).count_mean(&mut row, W4::splat(MASS), H);
        // v⁺ = 1 + h/m·(force − gain·v⁺)
        let left = (1.0 + H / MASS * row.force.lane(0)) / (1.0 + H / MASS * row.gain.lane(0));
        let off = (left - libm::expf(-x)).abs();
        assert!(off < x.powi(4) / 72.0 + 1e-5 && left > -0.25, "{left}");
        assert!(x < 1e3 || left.abs() < 4.0 / x, "{left}");
    }

    /// Slow wheels, and those on which nothing rests, count their final speed.
    #[test]
    fn other_wheels_count_their_final_speed() {
        let row = TireRow {
            force: W4::splat(100.0),
            gain: W4::splat(10.0),
        };
        let mut counted = row;
        let mass = W4::from_array([400.0, 0.0, 400.0, 0.0]);
        begun(5.0).count_mean(&mut counted, mass, H);
        assert!(counted.gain.lane(0) < 6.0);
        for lane in 1..4 {
            assert_eq!(counted.gain.lane(lane), 10.0);
            assert_eq!(counted.force.lane(lane), 100.0);
        }
        let mut nothing = TireRow {
            force: W4::ZERO,
            gain: W4::ZERO,
        };
        begun(5.0).count_mean(&mut nothing, W4::ZERO, H);
        assert_eq!(nothing.force, W4::ZERO);
    }

    /// Laws of fast wheels are evaluated at the mean of the speeds at both ends.
    #[test]
    fn laws_see_the_mean() {
        let seen = begun(5.0).mean(motion());
        assert_eq!(seen.left.to_array(), [3.0, 3.5, 3.0, 4.0]);
        assert_eq!(seen.forward, motion().forward);
    }
}
