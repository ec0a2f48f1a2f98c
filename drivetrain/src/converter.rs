//! The torque converter of an automatic transmission: a pump on the engine drives a turbine on the gearbox through oil, and plates
//! lock both together.
//!
//! ```text
//! T_p = C(ν)·Ω_p²,   T_t = R(ν)·T_p,   ν = Ω_t/Ω_p                drives
//! T_p = T_t = −C(1/ν)·Ω_t²                                     coasts, the turbine being faster
//! ```
//!
//! with capacity C and torque ratio R over the speed ratio ν (Gillespie, Fundamentals of Vehicle Dynamics, 1992, chapter 2).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector};

/// Parameters of a torque converter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConverterParams {
    /// Moment of inertia of turbine and input of the gearbox (`kg·m²`), > 0.
    pub inertia: f32,
    /// Torque of the pump over the square of its speed (`N·m·s²/rad²`), ≥ 0, against the speed of the turbine over that of the pump,
    /// 0…1: 0 at 1.
    pub capacity: Curve,
    /// Torque of the turbine over that of the pump (–), ≥ 1, against their speed ratio, 0…1: 1 at 1.
    pub torque_ratio: Curve,
    /// Power that leaves gearbox and differentials behind the converter over the power that enters them, either way (–), > 0, at
    /// most 1.
    #[serde(default = "default_efficiency")]
    pub efficiency: f32,
    /// The lock-up clutch, if there is one.
    #[serde(default)]
    pub lock_up: Option<LockUpParams>,
}

/// Parameters of a lock-up clutch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockUpParams {
    /// Torque that its plates transmit before they slip (`N·m`), > 0.
    pub capacity: f32,
    /// Lowest gear in which it closes, ≥ 1.
    pub from_gear: i8,
    /// Speed of the turbine over that of the engine above which it closes (–), 0…1.
    #[serde(default = "default_closes_above")]
    pub closes_above: f32,
    /// Time in which it closes (`s`), > 0.
    #[serde(default = "default_closing_time")]
    pub closing_time: f32,
}

const fn default_efficiency() -> f32 {
    1.0
}

const fn default_closes_above() -> f32 {
    0.85
}

const fn default_closing_time() -> f32 {
    0.5
}

/// Torque of a part of the converter at a substep's start, and its slopes in the speeds of pump and turbine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ConverterTorque {
    /// Torque (`N·m`).
    pub(crate) torque: f32,
    /// Its slopes in the speeds of pump and turbine (`N·m·s/rad`).
    pub(crate) slopes: [f32; 2],
}

/// Half the difference of speed ratios over which curves are differentiated (–).
const DIFFERENCE: f32 = 1e-3;
/// Least speed of the faster part at which there is a speed ratio (`rad/s`).
const LEAST_SPEED: f32 = 1.0;

impl ConverterParams {
    /// Torque that the pump takes from the engine, and torque that the turbine gives to the gearbox, at these speeds of pump and
    /// turbine (`rad/s`).
    pub(crate) fn torques(&self, pump: f32, turbine: f32) -> [ConverterTorque; 2] {
        if turbine > pump {
            let [coast, _] = self.driven(turbine, pump);
            let [own, other] = coast.slopes;
            let back = ConverterTorque {
                torque: -coast.torque,
                slopes: [-other, -own],
            };
            return [back; 2];
        }
        self.driven(pump, turbine)
    }

    /// [`torques`](Self::torques) with the part of the speed `fast` driving that of the speed `slow`.
    fn driven(&self, fast: f32, slow: f32) -> [ConverterTorque; 2] {
        let speed = fast.max(LEAST_SPEED);
        let ratio = slow / speed;
        let (capacity, capacity_slope) = sloped(&self.capacity, ratio);
        let (gain, gain_slope) = sloped(&self.torque_ratio, ratio);
        let torque = capacity * fast.max(0.0) * speed;
        let by_fast = (2.0 * capacity - capacity_slope * ratio) * speed;
        let by_slow = capacity_slope * speed;
        let by_ratio = gain_slope * torque / speed;
        // A faster pump takes and gives more, a faster turbine less: with slopes of other signs, a substep might have no solution.
        let part = |torque: f32, by_fast: f32, by_slow: f32| ConverterTorque {
            torque,
            slopes: [by_fast.max(0.0), by_slow.min(0.0)],
        };
        let pump = part(torque, by_fast, by_slow);
        let turbine = part(
            gain * torque,
            gain * by_fast - by_ratio * ratio,
            gain * by_slow + by_ratio,
        );
        [pump, turbine]
    }
}

/// Value and slope of a curve.
fn sloped(curve: &Curve, x: f32) -> (f32, f32) {
    let difference = curve.at(x + DIFFERENCE) - curve.at(x - DIFFERENCE);
    (curve.at(x), difference / (2.0 * DIFFERENCE))
}

impl Check for ConverterParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("inertia", self.inertia, "kg·m²");
        for (path, curve, end) in [
            ("capacity", &self.capacity, 0.0),
            ("torque_ratio", &self.torque_ratio, 1.0),
        ] {
            i.within(path, |i| {
                curve.check(i);
                let mut points = curve.0.iter();
                let least = points.all(|[_, y]| *y >= end);
                let at_one = curve.at(1.0);
                let rule = alloc::format!("must be {end} at a speed ratio of 1, and nowhere less");
                i.rule(least && at_one == end, "points", at_one, "", rule);
            });
        }
        let range = self.efficiency > 0.0 && self.efficiency <= 1.0;
        let rule = "must be > 0 and at most 1";
        i.rule(range, "efficiency", self.efficiency, "", rule);
        if let Some(lock_up) = &self.lock_up {
            i.within("lock_up", |i| lock_up.check(i));
        }
    }
}

impl Check for LockUpParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("capacity", self.capacity, "N·m");
        let rule = "must be 1 or more";
        i.rule(self.from_gear >= 1, "from_gear", self.from_gear, "", rule);
        i.within_range("closes_above", self.closes_above, 0.0, 1.0, "");
        i.positive("closing_time", self.closing_time, "s");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use proptest::prelude::*;
    use vehicle_core::Checked;

    fn converter() -> ConverterParams {
        ConverterParams {
            inertia: 0.1,
            capacity: Curve(vec![[0.0, 0.008], [0.6, 0.009], [0.9, 0.006], [1.0, 0.0]]),
            torque_ratio: Curve(vec![[0.0, 2.0], [0.85, 1.0], [1.0, 1.0]]),
            efficiency: 1.0,
            lock_up: None,
        }
    }

    #[test]
    fn torques_are_those_of_the_curves() {
        let [pump, turbine] = converter().torques(200.0, 0.0);
        assert_relative_eq!(pump.torque, 320.0);
        assert_relative_eq!(turbine.torque, 640.0);
        let [pump, turbine] = converter().torques(200.0, 180.0);
        assert_relative_eq!(pump.torque, 240.0, max_relative = 1e-5);
        assert_eq!(turbine.torque, pump.torque);
        let [pump, turbine] = converter().torques(90.0, 100.0);
        assert_relative_eq!(pump.torque, -60.0, max_relative = 1e-5);
        assert_eq!(turbine.torque, pump.torque);
        assert_eq!(converter().torques(0.0, 0.0)[1].torque, 0.0);
    }

    proptest! {
        /// Slopes are those of the torques, where they are not bounded; a converter takes no less than it gives.
        #[test]
        fn slopes_are_those_of_the_torques(pump in 20.0_f32..500.0, ratio in 0.02_f32..1.5) {
            let (converter, turbine) = (converter(), pump * ratio);
            let near_kink = |x: f32| [0.6, 0.85, 0.9, 1.0].iter().any(|kink| (x - kink).abs() < 0.01);
            prop_assume!(!near_kink(ratio) && !near_kink(1.0 / ratio));
            let h = 1e-3 * pump;
            let found = converter.torques(pump, turbine);
            for (n, part) in found.iter().enumerate() {
                let at = |p: f32, t: f32| converter.torques(p, t)[n].torque;
                let by_pump = (at(pump + h, turbine) - at(pump - h, turbine)) / (2.0 * h);
                let by_turbine = (at(pump, turbine + h) - at(pump, turbine - h)) / (2.0 * h);
                let size = 0.03 * pump * 0.01 + 0.02;
                prop_assert!((part.slopes[0] - by_pump.max(0.0)).abs() < size + 0.02 * by_pump.abs());
                prop_assert!((part.slopes[1] - by_turbine.min(0.0)).abs() < size + 0.02 * by_turbine.abs());
            }
            prop_assert!(found[0].torque * pump >= found[1].torque * turbine - 1e-2);
        }
    }

    #[test]
    fn every_fault_is_found() {
        let bad = ConverterParams {
            inertia: 0.0,
            capacity: Curve(vec![[0.0, -1.0], [1.0, 0.1]]),
            torque_ratio: Curve(vec![[0.0, 2.0], [1.0, 0.9]]),
            efficiency: 0.0,
            lock_up: Some(LockUpParams {
                capacity: 0.0,
                from_gear: 0,
                closes_above: 2.0,
                closing_time: 0.0,
            }),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 8);
        assert!(Checked::new(converter()).is_ok());
    }
}
