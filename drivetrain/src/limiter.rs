//! A rev limiter: it cuts the injection above one speed, until the engine is below another.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// A rev limiter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimiterParams {
    /// Engine speed above which the injection is cut (`rad/s`), > 0; at most the engine's maximum speed, which stays a limit.
    pub cuts_above: f32,
    /// Engine speed below which it comes back (`rad/s`), > 0, below `cuts_above`.
    pub resumes_below: f32,
}

impl LimiterParams {
    /// Whether the injection of an engine with this speed (`rad/s`) is cut, and `was_cut` in the last substep.
    pub(crate) fn cuts(&self, was_cut: bool, speed: f32) -> bool {
        let limit = if was_cut {
            self.resumes_below
        } else {
            self.cuts_above
        };
        speed > limit
    }
}

impl Check for LimiterParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("cuts_above", self.cuts_above, "rad/s");
        i.positive("resumes_below", self.resumes_below, "rad/s");
        let (value, rule) = (self.resumes_below, "must be below cuts_above");
        let holds = self.resumes_below < self.cuts_above;
        i.rule(holds, "resumes_below", value, "rad/s", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vehicle_core::Checked;

    const LIMITER: LimiterParams = LimiterParams {
        cuts_above: 650.0,
        resumes_below: 630.0,
    };

    #[test]
    fn a_cut_lasts_to_the_lower_speed() {
        let mut cut = false;
        let cuts = [600.0, 640.0, 650.0, 651.0, 640.0, 631.0, 630.0, 640.0].map(|speed| {
            cut = LIMITER.cuts(cut, speed);
            cut
        });
        assert_eq!(cuts, [false, false, false, true, true, true, false, false]);
    }

    #[test]
    fn every_fault_is_named() {
        let bad = LimiterParams {
            cuts_above: -1.0,
            resumes_below: 0.0,
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 3);
        assert!(Checked::new(LIMITER).is_ok());
    }
}
