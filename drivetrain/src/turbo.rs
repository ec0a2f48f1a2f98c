//! A turbocharger: the boost with which an engine gives its full torque follows the throttle with a lag.
//!
//! ```text
//! db/dt = (t − b)/τ(ω),   T = T(min(t, u(ω) + (1 − u(ω))·b), ω)
//! ```
//!
//! with the boost b, 0…1, the throttle t, the time constant τ and the part u of the torque that the engine gives without boost: a turbine
//! as a first-order element (L. Guzzella, C. H. Onder, *Introduction to Modeling and Control of Internal Combustion Engine Systems*, 2nd
//! ed. 2010, chapter 2). A steady engine gives what it does without the turbocharger, whose torque curve has its boost.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, math};

/// Difference from its end at which a boost has reached it (–).
const REACHED: f32 = 1e-4;

/// A turbocharger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurboParams {
    /// Torque without boost over that at full throttle (–), 0…1, over engine speed (`rad/s`).
    pub unboosted: Curve,
    /// Time in which the boost covers 63 % of its way (`s`), > 0, over engine speed (`rad/s`).
    pub lag: Curve,
}

impl TurboParams {
    /// Mean boost in a substep of `duration` (`s`), and that at its end, from `boost`, at a throttle and an engine speed (`rad/s`): exact
    /// for constant ones, so that neither depends on the time step.
    pub(crate) fn advanced(
        &self,
        boost: f32,
        throttle: f32,
        speed: f32,
        duration: f32,
    ) -> [f32; 2] {
        let left = boost - throttle;
        if left.abs() < REACHED {
            return [throttle; 2];
        }
        let lag = self.lag.at(speed);
        let kept = math::exp(-duration / lag);
        let mean = throttle + left * (1.0 - kept) * lag / duration;
        [mean, throttle + left * kept]
    }

    /// Throttle beyond which the engine gives no more torque at this speed (`rad/s`) and boost.
    pub(crate) fn greatest_throttle(&self, speed: f32, boost: f32) -> f32 {
        let unboosted = self.unboosted.at(speed);
        unboosted + (1.0 - unboosted) * boost
    }
}

impl Check for TurboParams {
    fn check(&self, i: &mut Inspector) {
        i.within("unboosted", |i| {
            self.unboosted.check(i);
            for (n, [_, part]) in self.unboosted.0.iter().enumerate() {
                i.within(alloc::format!("[{n}]"), |i| {
                    i.within_range("y", *part, 0.0, 1.0, "");
                });
            }
        });
        i.within("lag", |i| {
            self.lag.check(i);
            for (n, [_, time]) in self.lag.0.iter().enumerate() {
                i.within(alloc::format!("[{n}]"), |i| i.positive("y", *time, "s"));
            }
        });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use rstest::rstest;
    use vehicle_core::Checked;

    pub(crate) fn turbo() -> TurboParams {
        TurboParams {
            unboosted: Curve(vec![[100.0, 1.0], [200.0, 0.6]]),
            lag: Curve(vec![[100.0, 1.0], [300.0, 0.4]]),
        }
    }

    /// b = t·(1 − exp(−time/τ)) with τ = 0.7 s at 200 rad/s, in one step or in many; so is its mean.
    #[rstest]
    #[case(1)]
    #[case(30)]
    #[case(240)]
    fn boost_follows_by_an_exponential(#[case] steps: u16) {
        let duration = 1.0 / f32::from(steps);
        let (mut boost, mut sum) = (0.0, 0.0);
        for _ in 0..steps {
            let [mean, end] = turbo().advanced(boost, 0.8, 200.0, duration);
            (boost, sum) = (end, sum + mean * duration);
        }
        let kept = f32::exp(-1.0 / 0.7);
        assert_relative_eq!(boost, 0.8 * (1.0 - kept), max_relative = 1e-4);
        let mean = 0.8 * (1.0 - 0.7 * (1.0 - kept));
        assert_relative_eq!(sum, mean, max_relative = 1e-4);
    }

    #[test]
    fn a_boost_ends_at_its_throttle() {
        let mut boost = 0.0;
        for _ in 0..20 * 60 {
            [_, boost] = turbo().advanced(boost, 0.8, 200.0, 1.0 / 60.0);
        }
        assert_eq!(boost, 0.8);
    }

    /// Without boost 0.6 of the torque at 200 rad/s, and with all of it full throttle.
    #[rstest]
    #[case::none(200.0, 0.0, 0.6)]
    #[case::half(200.0, 0.5, 0.8)]
    #[case::full(200.0, 1.0, 1.0)]
    #[case::too_slow_for_any(80.0, 0.0, 1.0)]
    fn boost_bounds_the_throttle(#[case] speed: f32, #[case] boost: f32, #[case] expected: f32) {
        let found = turbo().greatest_throttle(speed, boost);
        assert_relative_eq!(found, expected);
    }

    #[test]
    fn every_fault_is_named() {
        let bad = TurboParams {
            unboosted: Curve(vec![[0.0, 1.1]]),
            lag: Curve(vec![[0.0, 0.0], [100.0, 1.0]]),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 2);
        assert!(Checked::new(turbo()).is_ok());
    }
}
