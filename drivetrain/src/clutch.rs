//! The clutch: a torque proportional to the difference of speeds (ALGORITHMS §4.4).

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::ClutchAccuracy;
use vehicle_core::{Check, Inspector};

/// Parameters of a clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClutchParams {
    /// Torque per difference of the speeds of its sides [N·m·s/rad], > 0.
    pub strength: f32,
    /// How the coupled speeds are solved.
    #[serde(default)]
    pub accuracy: ClutchAccuracy,
}

impl ClutchParams {
    /// PhysX's default clutch (ALGORITHMS §4.1).
    #[must_use]
    pub const fn physx() -> Self {
        Self {
            strength: 10.0,
            accuracy: ClutchAccuracy::Exact,
        }
    }

    /// Strength [N·m·s/rad] with the pedal pressed by `pedal`, 0…1; 0 in neutral.
    #[must_use]
    pub fn engaged_strength(&self, pedal: f32, neutral: bool) -> f32 {
        if neutral {
            0.0
        } else {
            self.strength * (1.0 - pedal.clamp(0.0, 1.0))
        }
    }
}

impl Check for ClutchParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("strength", self.strength, "N·m·s/rad");
        if let ClutchAccuracy::Iterative { sweeps, tolerance } = self.accuracy {
            i.rule(sweeps > 0, "accuracy.sweeps", sweeps, "", "must be > 0");
            i.not_negative("accuracy.tolerance", tolerance, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::released(0.0, false, 10.0)]
    #[case::half(0.5, false, 5.0)]
    #[case::pressed(1.0, false, 0.0)]
    #[case::neutral(0.0, true, 0.0)]
    fn strength(#[case] pedal: f32, #[case] neutral: bool, #[case] expected: f32) {
        let found = ClutchParams::physx().engaged_strength(pedal, neutral);
        assert_eq!(found, expected);
    }

    #[test]
    fn iterating_never_is_a_fault() {
        let bad = ClutchParams {
            strength: -1.0,
            accuracy: ClutchAccuracy::physx_estimate(0),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 2);
    }
}
