//! A differential that gives every driven wheel the same torque (PhysX 4.1 vehicle SDK, ALGORITHMS §4.5: N-wheel drive).

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::{Asked, DifferentialLaw};
use crate::per_wheel::{self, PerWheel};

/// Any driven wheels, all with the same share of torque and speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EqualSplit {
    /// Indices of the driven wheels, at least one.
    pub wheels: Vec<usize>,
}

impl EqualSplit {
    /// Share of each wheel of the vehicle, ≥ 0, sum 1.
    #[must_use]
    pub fn shares(&self) -> [f32; MAX_WHEELS] {
        equal_shares(&self.wheels)
    }
}

/// An equal share for each of `wheels`, sum 1.
pub(super) fn equal_shares(wheels: &[usize]) -> PerWheel {
    let mut shares = [0.0; MAX_WHEELS];
    for &wheel in wheels {
        shares[wheel] = 1.0 / wheels.len() as f32;
    }
    shares
}

impl DifferentialLaw for EqualSplit {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        per_wheel::check_indices("wheels", &self.wheels, wheels, i);
    }

    fn ask(&self, _asked: &Asked, control: &mut Control) {
        let shares = self.shares();
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.speed_share = per_wheel::lanes(&shares, group);
            wheels.torque_share = wheels.speed_share;
        }
    }
}

impl Check for EqualSplit {
    fn check(&self, i: &mut Inspector) {
        per_wheel::check_driven("wheels", &self.wheels, i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[test]
    fn every_driven_wheel_gets_the_same() {
        let split = EqualSplit {
            wheels: vec![5, 0, 2],
        };
        let mut control = Control::idle(6);
        split.ask(&Asked::default(), &mut control);
        let third = 1.0 / 3.0;
        for (group, expected) in [(0, [third, 0.0, third, 0.0]), (1, [0.0, third, 0.0, 0.0])] {
            assert_eq!(control.wheels[group].torque_share.to_array(), expected);
            assert_eq!(control.wheels[group].speed_share.to_array(), expected);
        }
    }

    #[rstest]
    #[case::none(vec![], "wheels")]
    #[case::beyond(vec![0, 20], "wheels[1]")]
    #[case::twice(vec![3, 3], "wheels[1]")]
    fn faults(#[case] wheels: Vec<usize>, #[case] path: &str) {
        let error = Checked::new(EqualSplit { wheels }).unwrap_err();
        assert_eq!(error.0.len(), 1, "{error}");
        assert_eq!(error.0[0].path, path);
    }
}
