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
    /// Number of steps of the lever, > 0; a lever without steps if absent.
    #[serde(default)]
    pub steps: Option<u8>,
}

impl RetarderParams {
    /// Braking torque (`N·m`), ≥ 0, at a speed of the output shaft (`rad/s`), with the lever at 0…1: at the nearest step.
    #[must_use]
    pub fn torque(&self, speed: f32, lever: f32) -> f32 {
        let position = match self.steps {
            // Truncation rounds halves up.
            Some(steps) => f32::from((lever * f32::from(steps) + 0.5) as u8) / f32::from(steps),
            None => lever,
        };
        position * self.torque_curve.at(speed.abs())
    }
}

impl Check for RetarderParams {
    fn check(&self, i: &mut Inspector) {
        i.within("torque_curve", |i| {
            self.torque_curve.check(i);
            for (n, [speed, torque]) in self.torque_curve.0.iter().enumerate() {
                i.not_negative(&format!("[{n}].x"), *speed, "rad/s");
                i.not_negative(&format!("[{n}].y"), *torque, "N·m");
            }
        });
        let steps = self.steps.unwrap_or(1);
        i.rule(steps > 0, "steps", steps, "", "must be > 0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use rstest::rstest;
    use vehicle_core::Checked;

    fn retarder(steps: Option<u8>) -> RetarderParams {
        RetarderParams {
            torque_curve: Curve(vec![[0.0, 0.0], [50.0, 3000.0], [100.0, 3000.0]]),
            steps,
        }
    }

    #[rstest]
    #[case::released(Some(5), 60.0, 0.0, 0.0)]
    #[case::first(Some(5), 60.0, 0.2, 600.0)]
    #[case::nearest(Some(5), -60.0, 0.45, 1200.0)]
    #[case::all(Some(5), 25.0, 1.0, 1500.0)]
    #[case::without_steps(None, 60.0, 0.45, 1350.0)]
    #[case::standing(None, 0.0, 1.0, 0.0)]
    fn the_lever_goes_by_steps(
        #[case] steps: Option<u8>,
        #[case] speed: f32,
        #[case] lever: f32,
        #[case] expected: f32,
    ) {
        let found = retarder(steps).torque(speed, lever);
        assert!((found - expected).abs() < 1e-2, "{found}");
    }

    #[test]
    fn every_fault_is_found() {
        let bad = RetarderParams {
            torque_curve: Curve(vec![[-1.0, -1.0]]),
            steps: Some(0),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 3);
    }
}
