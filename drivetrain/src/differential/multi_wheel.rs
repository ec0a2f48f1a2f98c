//! Fixed ratios of torque and speed for any wheels (PhysX 5 `vehicle2`, ALGORITHMS §7.6).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::Mask4;
use vehicle_core::{Check, Control, Inspector, MAX_WHEELS};

use super::{Asked, DifferentialLaw, receives};
use crate::per_wheel::{self, PerWheel};

/// Fixed ratios, in wheel order; wheels beyond the last entry are not driven.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MultiWheel {
    /// Torque share of each wheel, −1…1, magnitudes summing to 1 within 0.01; a wheel with a
    /// negative share is geared backwards, one with 0 is not driven.
    pub torque_ratios: Vec<f32>,
    /// Share of each wheel in the mean speed that the clutch sees, 0…1, summing to 1 within 0.01; only driven
    /// wheels turn the clutch.
    pub speed_ratios: Vec<f32>,
    /// The ratio that is the torque share of a wheel.
    #[serde(default)]
    pub torque_by: TorqueBy,
    /// Whether the check refuses ratios that PhysX's rules of validity let pass although they create or lose energy: speed
    /// ratios whose sum over driven wheels is not 1, and, in a [locking](super::LockingDifferential) differential, a locked
    /// center between open axles, which then keep their speed ratios.
    #[serde(default)]
    pub strict: bool,
}

/// Ratio of a wheel of [`MultiWheel`] that is its torque share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TorqueBy {
    /// The wheel's torque ratio.
    #[default]
    TorqueRatio,
    /// The wheel's speed ratio, as in PhysX 5, where the torque ratio only says which wheels are driven.
    SpeedRatio,
}

impl MultiWheel {
    /// Tolerance of the sum of ratios.
    const TOLERANCE: f32 = 0.01;

    /// Signed shares (torque, speed) of every wheel.
    #[must_use]
    pub fn shares(&self) -> ([f32; MAX_WHEELS], [f32; MAX_WHEELS]) {
        let (mut torque, mut speed): (PerWheel, PerWheel) = ([0.0; MAX_WHEELS], [0.0; MAX_WHEELS]);
        let ratios = self.torque_ratios.iter().zip(&self.speed_ratios);
        for (wheel, (&torque_ratio, &speed_ratio)) in ratios.enumerate() {
            if torque_ratio != 0.0 {
                speed[wheel] = speed_ratio * torque_ratio.signum();
                torque[wheel] = self.torque_by.share(torque_ratio, speed_ratio);
            }
        }
        (torque, speed)
    }
}

/// Sets the signed shares of all wheels.
pub(super) fn set_shares(torque: &PerWheel, speed: &PerWheel, control: &mut Control) {
    for (group, wheels) in control.wheels.iter_mut().enumerate() {
        wheels.torque_share = per_wheel::lanes(torque, group);
        wheels.speed_share = per_wheel::lanes(speed, group);
    }
}

impl DifferentialLaw for MultiWheel {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        for (name, ratios) in [
            ("torque_ratios", &self.torque_ratios),
            ("speed_ratios", &self.speed_ratios),
        ] {
            i.within(name, |i| per_wheel::check_length(ratios.len(), wheels, i));
        }
    }

    fn ask(&self, _asked: &Asked, control: &mut Control) {
        let (torque, speed) = self.shares();
        set_shares(&torque, &speed, control);
    }

    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        receives(wheels)
    }
}

impl Check for MultiWheel {
    fn check(&self, i: &mut Inspector) {
        for (name, ratios, least) in [
            ("torque_ratios", &self.torque_ratios, -1.0),
            ("speed_ratios", &self.speed_ratios, 0.0),
        ] {
            for (n, &ratio) in ratios.iter().enumerate() {
                i.within_range(&format!("{name}[{n}]"), ratio, least, 1.0, "");
            }
            i.within(name, |i| {
                per_wheel::check_length(ratios.len(), MAX_WHEELS, i);
            });
        }
        let near_one = |sum: f32| (sum - 1.0).abs() <= Self::TOLERANCE;
        let torque: f32 = self.torque_ratios.iter().map(|ratio| ratio.abs()).sum();
        let rule = format!("the magnitudes' sum must be 1 within {}", Self::TOLERANCE);
        i.rule(near_one(torque), "torque_ratios", torque, "", rule);
        let driven = |n: usize| self.torque_ratios.get(n).is_some_and(|ratio| *ratio != 0.0);
        let counts = |&(n, _): &(usize, &f32)| !self.strict || driven(n);
        let speeds = self.speed_ratios.iter().enumerate().filter(counts);
        let speed: f32 = speeds.map(|(_, ratio)| ratio.abs()).sum();
        let whose = if self.strict { " of driven wheels" } else { "" };
        let rule = format!("the sum{whose} must be 1 within {}", Self::TOLERANCE);
        i.rule(near_one(speed), "speed_ratios", speed, "", rule);
        let (torque, speed) = (self.torque_ratios.len(), self.speed_ratios.len());
        let rule = format!("there must be as many as torque ratios, {torque}");
        i.rule(torque == speed, "speed_ratios", speed, "entries", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use rstest::rstest;
    use vehicle_core::Checked;

    fn ratios(torque_by: TorqueBy) -> MultiWheel {
        MultiWheel {
            torque_ratios: vec![0.5, 0.0, -0.3, 0.2],
            speed_ratios: vec![0.25, 0.0, 0.5, 0.25],
            torque_by,
            strict: false,
        }
    }

    #[rstest]
    #[case::as_documented(TorqueBy::TorqueRatio, [0.5, 0.0, -0.3, 0.2])]
    #[case::by_speed(TorqueBy::SpeedRatio, [0.25, 0.0, 0.5, 0.25])]
    fn shares(#[case] torque_by: TorqueBy, #[case] torque: [f32; 4]) {
        let mut control = Control::idle(4);
        ratios(torque_by).ask(&Asked::default(), &mut control);
        let wheels = control.wheels.first();
        assert_eq!(wheels.torque_share.to_array(), torque);
        assert_eq!(wheels.speed_share.to_array(), [0.25, 0.0, -0.5, 0.25]);
    }

    #[test]
    fn wheels_with_torque_are_accelerated_even_without_a_speed_share() {
        let law = MultiWheel {
            torque_ratios: vec![0.5, 0.5, 0.0],
            speed_ratios: vec![1.0, 0.0, 0.0],
            torque_by: TorqueBy::TorqueRatio,
            strict: true,
        };
        let mut control = Control::idle(3);
        law.ask(&Asked::default(), &mut control);
        let accelerated = law.accelerated(control.wheels.first());
        assert_eq!(accelerated, Mask4::from_fn(|lane| lane < 2));
    }

    #[rstest]
    #[case::of_all_wheels([0.25; 4], false, None)]
    #[case::of_driven_wheels([0.25; 4], true, Some("0.5: the sum of driven wheels must be 1"))]
    #[case::beside_others([0.5; 4], false, Some("2: the sum must be 1"))]
    #[case::strictly([0.5; 4], true, None)]
    fn speed_ratios_sum_to_one(
        #[case] speeds: [f32; 4],
        #[case] strict: bool,
        #[case] fault: Option<&str>,
    ) {
        let ratios = MultiWheel {
            torque_ratios: vec![0.5, 0.5, 0.0, 0.0],
            speed_ratios: speeds.to_vec(),
            torque_by: TorqueBy::TorqueRatio,
            strict,
        };
        let found = Checked::new(ratios).err().map(|error| format!("{error}"));
        assert_eq!(found.is_some(), fault.is_some());
        assert!(
            found
                .unwrap_or_default()
                .contains(fault.unwrap_or_default())
        );
    }

    #[test]
    fn every_fault_is_found() {
        let bad = MultiWheel {
            torque_ratios: vec![0.5, 0.6, -1.2],
            speed_ratios: vec![-0.5, 0.5],
            torque_by: TorqueBy::TorqueRatio,
            strict: true,
        };
        let error = Checked::new(bad).unwrap_err();
        let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
        let expected = [
            "torque_ratios[2]",
            "speed_ratios[0]",
            "torque_ratios",
            "speed_ratios",
        ];
        assert_eq!(paths, expected);
        assert!(Checked::new(ratios(TorqueBy::TorqueRatio)).is_ok());
    }

    #[rstest]
    #[case::sound(|_: &mut MultiWheel| {}, &[])]
    #[case::backwards_by_speed(|r: &mut MultiWheel| r.speed_ratios = vec![-0.25, 0.0, 1.0, 0.25],
        &["speed_ratios[0]", "speed_ratios"])]
    #[case::nearly_one(|r: &mut MultiWheel| r.torque_ratios[0] = 0.508, &[])]
    #[case::nearly_one_below(|r: &mut MultiWheel| r.torque_ratios[0] = 0.492, &[])]
    #[case::too_little(|r: &mut MultiWheel| r.torque_ratios[0] = 0.48, &["torque_ratios"])]
    #[case::more_torques(|r: &mut MultiWheel| r.torque_ratios.push(0.0), &["speed_ratios"])]
    #[case::more_speeds(|r: &mut MultiWheel| r.speed_ratios.push(0.0), &["speed_ratios"])]
    #[case::backwards(|r: &mut MultiWheel| {
        r.torque_ratios = vec![0.0, 0.0, -1.0, 0.0];
        r.strict = true;
    }, &["speed_ratios"])]
    fn faults_are_named(#[case] change: fn(&mut MultiWheel), #[case] expected: &[&str]) {
        let mut bad = ratios(TorqueBy::TorqueRatio);
        change(&mut bad);
        let faults = Checked::new(bad).map_or_else(|error| error.0, |_| vec![]);
        let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
        assert_eq!(paths, expected);
    }
}
