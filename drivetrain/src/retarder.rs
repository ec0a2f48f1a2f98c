//! A retarder: a brake without wear on the output shaft of the gearbox, as a fluid or eddy currents make it.

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector};

/// Parameters of a retarder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetarderParams {
    /// Braking torque (`N·m`), ≥ 0, over the speed of the output shaft (`rad/s`), ≥ 0, with the lever at its end. Of a retarder that
    /// does not hold a standing vehicle it begins at 0.
    pub torque_curve: Curve,
    /// Number of steps of the lever, > 0, each of which adds the same part of the torque.
    #[serde(default = "one")]
    pub steps: u8,
}

const fn one() -> u8 {
    1
}

impl RetarderParams {
    /// Braking torque (`N·m`), ≥ 0, at a speed of the output shaft (`rad/s`), with the lever at a step, of those beyond the last at
    /// that.
    #[must_use]
    pub fn torque(&self, speed: f32, step: u8) -> f32 {
        let part = f32::from(step.min(self.steps)) / f32::from(self.steps.max(1));
        part * self.torque_curve.at(speed.abs())
    }
}

impl Check for RetarderParams {
    fn check(&self, i: &mut Inspector) {
        i.within("torque_curve", |i| {
            self.torque_curve.check(i);
            for (n, [speed, torque]) in self.torque_curve.0.iter().enumerate() {
                i.within(format!("[{n}]"), |i| {
                    i.not_negative("x", *speed, "rad/s");
                    i.not_negative("y", *torque, "N·m");
                });
            }
        });
        i.rule(self.steps > 0, "steps", self.steps, "", "must be > 0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::released(60.0, 0, 0.0)]
    #[case::first(60.0, 1, 600.0)]
    #[case::backward(-60.0, 2, 1200.0)]
    #[case::last(25.0, 5, 1500.0)]
    #[case::beyond(60.0, 9, 3000.0)]
    #[case::standing(0.0, 5, 0.0)]
    fn the_lever_goes_by_steps(#[case] speed: f32, #[case] step: u8, #[case] expected: f32) {
        let retarder = RetarderParams {
            torque_curve: Curve(vec![[0.0, 0.0], [50.0, 3000.0], [100.0, 3000.0]]),
            steps: 5,
        };
        let found = retarder.torque(speed, step);
        assert!((found - expected).abs() < 1e-2, "{found}");
    }

    #[test]
    fn every_fault_is_found() {
        let bad = RetarderParams {
            torque_curve: Curve(vec![[-1.0, -1.0]]),
            steps: 0,
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 3);
    }
}
