//! A double-clutch gearbox: two gearboxes with a clutch each, one with the odd gears and one with the even gears and reverse, so that
//! torque goes from one gear to the next without a break.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// Parameters of a double-clutch gearbox, whose clutches are alike, and close as the automatic clutch does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DualClutchParams {
    /// Time in which one clutch hands the torque over to the other (`s`), > 0; in the rest of `switch_time`, the engine changes its
    /// speed.
    pub handover: f32,
    /// Power that leaves gearbox and differentials over the power that enters them, either way (–), > 0, at most 1.
    #[serde(default = "default_efficiency")]
    pub efficiency: f32,
}

const fn default_efficiency() -> f32 {
    1.0
}

impl Check for DualClutchParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("handover", self.handover, "s");
        let range = self.efficiency > 0.0 && self.efficiency <= 1.0;
        let rule = "must be > 0 and at most 1";
        i.rule(range, "efficiency", self.efficiency, "", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::sound(0.15, 0.95, 0)]
    #[case::no_time(0.0, 0.95, 1)]
    #[case::gains(0.15, 1.01, 1)]
    #[case::nothing(-1.0, 0.0, 2)]
    fn every_fault_is_named(#[case] handover: f32, #[case] efficiency: f32, #[case] faults: usize) {
        let params = DualClutchParams {
            handover,
            efficiency,
        };
        let error = Checked::new(params).err();
        assert_eq!(error.map_or(0, |error| error.0.len()), faults);
    }
}
