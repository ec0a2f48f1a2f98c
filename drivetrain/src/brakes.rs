//! Brakes: pedals to torques (PhysX 4.1 vehicle SDK, ALGORITHMS §4.8).

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::lanes::W4;
use vehicle_core::{Check, Inspector, MAX_WHEELS};

use crate::per_wheel::{self, GROUPS};

/// Brakes of one wheel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrakeParams {
    /// Torque with the brake pedal fully pressed (`N·m`), ≥ 0.
    pub max_torque: f32,
    /// Torque with the handbrake fully pulled (`N·m`), ≥ 0.
    pub max_handbrake_torque: f32,
}

impl BrakeParams {
    /// Magnitude of the braking torque (`N·m`), ≥ 0, for pedal and handbrake at 0…1. It opposes the
    /// spin; the solver handles the stop at zero spin.
    #[must_use]
    pub fn torque(&self, brake: f32, handbrake: f32) -> f32 {
        (brake * self.max_torque + handbrake * self.max_handbrake_torque).max(0.0)
    }
}

impl Check for BrakeParams {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("max_torque", self.max_torque, "N·m");
        i.not_negative("max_handbrake_torque", self.max_handbrake_torque, "N·m");
    }
}

/// Brakes of all wheels, in groups of four.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Brakes {
    /// Torques with the brake pedal fully pressed (`N·m`).
    pedal: [W4; GROUPS],
    /// Torques with the handbrake fully pulled (`N·m`).
    handbrake: [W4; GROUPS],
}

impl Brakes {
    /// The brakes of a list in wheel order; wheels beyond its last entry have none.
    pub(crate) fn new(brakes: &[BrakeParams]) -> Self {
        let torques = |of: fn(&BrakeParams) -> f32| {
            per_wheel::grouped(&per_wheel::padded(brakes.iter().map(of)))
        };
        Self {
            pedal: torques(|wheel| wheel.max_torque),
            handbrake: torques(|wheel| wheel.max_handbrake_torque),
        }
    }

    /// [`BrakeParams::torque`] for the wheels of a group.
    #[inline]
    pub(crate) fn torque(&self, group: usize, brake: W4, handbrake: W4) -> W4 {
        let torque = brake * self.pedal[group] + handbrake * self.handbrake[group];
        torque.max(W4::ZERO)
    }
}

/// Reports the faults of the brakes, one entry per wheel.
pub(crate) fn check_all(brakes: &[BrakeParams], i: &mut Inspector) {
    i.within("brakes", |i| {
        per_wheel::check_length(brakes.len(), MAX_WHEELS, i);
    });
    for (n, wheel) in brakes.iter().enumerate() {
        i.within(format!("brakes[{n}]"), |i| wheel.check(i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use rstest::rstest;

    #[rstest]
    #[case(0.0, 0.0, 0.0)]
    #[case(0.5, 0.0, 500.0)]
    #[case(0.0, 1.0, 3000.0)]
    #[case(1.0, 0.5, 2500.0)]
    #[case::slightly_negative(-0.005, 0.0, 0.0)]
    fn torque(#[case] brake: f32, #[case] handbrake: f32, #[case] expected: f32) {
        let brakes = BrakeParams {
            max_torque: 1000.0,
            max_handbrake_torque: 3000.0,
        };
        assert_eq!(brakes.torque(brake, handbrake), expected);
    }

    #[test]
    fn every_fault_names_its_wheel() {
        let bad = BrakeParams {
            max_torque: -1.0,
            max_handbrake_torque: f32::NAN,
        };
        let mut inspector = Inspector::new();
        check_all(&[BrakeParams::physx(), bad], &mut inspector);
        let error = inspector.verdict().unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        let expected = ["brakes[1].max_torque", "brakes[1].max_handbrake_torque"];
        assert_eq!(paths, expected);
    }

    #[rstest]
    #[case(MAX_WHEELS, 0)]
    #[case(MAX_WHEELS + 1, 1)]
    fn more_brakes_than_wheels_are_a_fault(#[case] brakes: usize, #[case] faults: usize) {
        let mut inspector = Inspector::new();
        check_all(&vec![BrakeParams::physx(); brakes], &mut inspector);
        let reported = inspector
            .verdict()
            .map_or_else(|error| error.0.len(), |()| 0);
        assert_eq!(reported, faults);
    }
}
