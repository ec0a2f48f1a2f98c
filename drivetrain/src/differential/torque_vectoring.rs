//! Torque vectoring: wheels with more load get more torque.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::equal_split::equal_shares;
use super::{Asked, DifferentialLaw};
use crate::per_wheel;

/// Any driven wheels, each with a torque share in proportion to its suspension force in the last
/// substep, in the explicit solver in the present one; all have the same speed share.
///
/// A vehicle whose middle axle is in the air then still climbs with the other two. With too few
/// wheels on the ground all get the same share, so that a single one does not jerk the vehicle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorqueVectoring {
    /// Indices of the driven wheels, at least one.
    pub wheels: Vec<usize>,
    /// Share of each wheel in the air, between 0 and an equal share.
    pub air_share: f32,
    /// Number of driven wheels on the ground below which all get the same share.
    pub least_grounded: usize,
}

impl TorqueVectoring {
    /// Torque shares of all wheels, ≥ 0, sum 1, from their normal forces (`N`); 0 N is in the air.
    #[must_use]
    pub fn shares(&self, forces: &[f32; MAX_WHEELS]) -> [f32; MAX_WHEELS] {
        let carried = |wheel: usize| forces[wheel].abs();
        let total: f32 = self.wheels.iter().map(|&wheel| carried(wheel)).sum();
        let grounded = self.wheels.iter().filter(|&&w| carried(w) > 0.0).count();
        if grounded < self.least_grounded.max(1) {
            return equal_shares(&self.wheels);
        }
        let in_air = (self.wheels.len() - grounded) as f32;
        let left = 1.0 - in_air * self.air_share;
        let mut shares = [0.0; MAX_WHEELS];
        for &wheel in &self.wheels {
            shares[wheel] = if carried(wheel) > 0.0 {
                left * (carried(wheel) / total)
            } else {
                self.air_share
            };
        }
        shares
    }
}

impl DifferentialLaw for TorqueVectoring {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        per_wheel::check_indices("wheels", &self.wheels, wheels, i);
    }

    fn ask(&self, _asked: &Asked, control: &mut Control) {
        let shares = equal_shares(&self.wheels);
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.speed_share = per_wheel::lanes(&shares, group);
        }
    }

    fn share(&self, wheels: &[WheelState], _torque: f32, control: &mut Control) {
        let forces = per_wheel::ungrouped(wheels, |group| group.normal_force);
        let shares = self.shares(&forces);
        for (group, wheels) in control.wheels.iter_mut().enumerate() {
            wheels.torque_share = per_wheel::lanes(&shares, group);
        }
    }
}

impl Check for TorqueVectoring {
    fn check(&self, i: &mut Inspector) {
        per_wheel::check_driven("wheels", &self.wheels, i);
        let count = self.wheels.len();
        let equal = 1.0 / count.max(1) as f32;
        i.within_range("air_share", self.air_share, 0.0, equal, "");
        let least = self.least_grounded;
        let rule = format!("must be at most the number of driven wheels, {count}");
        i.rule(least <= count, "least_grounded", least, "wheels", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::Checked;
    use vehicle_core::lanes::W4;

    fn six() -> TorqueVectoring {
        TorqueVectoring {
            wheels: vec![0, 1, 2, 3, 4, 5],
            air_share: 0.01,
            least_grounded: 3,
        }
    }

    #[rstest]
    #[case::all(&[3000.0, 1000.0, 2000.0, 2000.0, 1000.0, 1000.0],
        &[0.3, 0.1, 0.2, 0.2, 0.1, 0.1])]
    #[case::two_in_the_air(&[3000.0, 3000.0, 0.0, 0.0, 3000.0, 1000.0],
        &[0.294, 0.294, 0.01, 0.01, 0.294, 0.098])]
    #[case::pulled_down(&[-1000.0, 1000.0, 0.0, 0.0, 0.0, 2000.0],
        &[0.2425, 0.2425, 0.01, 0.01, 0.01, 0.485])]
    #[case::too_few(&[5000.0, 0.0, 0.0, 0.0, 0.0, 5000.0], &[1.0 / 6.0; 6])]
    #[case::none(&[0.0; 6], &[1.0 / 6.0; 6])]
    fn shares_follow_the_forces(#[case] forces: &[f32], #[case] expected: &[f32]) {
        let found = six().shares(&per_wheel::padded(forces.iter().copied()));
        for (found, expected) in found.iter().zip(expected) {
            assert_relative_eq!(found, expected, epsilon = 1e-6);
        }
    }

    #[test]
    fn every_fault_is_found() {
        let bad = TorqueVectoring {
            wheels: vec![0, 1, 1],
            air_share: 0.5,
            least_grounded: 4,
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 3);
        assert!(Checked::new(six()).is_ok());
    }

    proptest! {
        #[test]
        fn shares_are_not_negative_and_sum_to_one(
            forces in proptest::collection::vec(
                prop_oneof![Just(0.0_f32), 0.0..1e5_f32, 0.0..1e-30_f32], 6,
            ),
            least_grounded in 0..7_usize,
        ) {
            let vectoring = TorqueVectoring { least_grounded, ..six() };
            let shares = vectoring.shares(&per_wheel::padded(forces.into_iter()));
            prop_assert!(shares.iter().all(|&share| share >= 0.0), "{shares:?}");
            let sum: f32 = shares.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{shares:?}");
        }
    }

    #[test]
    fn a_control_gets_shares_by_force_and_speeds_alike() {
        let law = TorqueVectoring {
            wheels: vec![1, 4],
            air_share: 0.1,
            least_grounded: 1,
        };
        let wheels = core::array::from_fn::<_, 2, _>(|group| WheelState {
            normal_force: W4::splat(if group == 0 { 3000.0 } else { 1000.0 }),
            ..WheelState::AT_REST
        });
        let mut control = Control::idle(6);
        law.ask(&Asked::default(), &mut control);
        law.share(&wheels, 1.0, &mut control);
        for (group, torque, speed) in [
            (0, [0.0, 0.75, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0]),
            (1, [0.25, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0]),
        ] {
            assert_eq!(control.wheels[group].torque_share.to_array(), torque);
            assert_eq!(control.wheels[group].speed_share.to_array(), speed);
        }
    }

    #[rstest]
    #[case::needed(3, 3, 0)]
    #[case::more_than_there_are(3, 4, 1)]
    fn least_grounded_is_at_most_the_number_of_wheels(
        #[case] wheels: usize,
        #[case] least_grounded: usize,
        #[case] faults: usize,
    ) {
        let law = TorqueVectoring {
            wheels: (0..wheels).collect(),
            air_share: 1.0 / 3.0,
            least_grounded,
        };
        let error = Checked::new(law).err();
        assert_eq!(error.map_or(0, |error| error.0.len()), faults);
    }
}
