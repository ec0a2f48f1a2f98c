//! Slip limiters between the two outputs of a differential: torques from the faster to the slower one, beside their shares.

use alloc::format;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, ShaftRow};

/// A slip limiter between the two outputs of a differential. It needs the rows solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SlipLimiter {
    /// Plates that springs and the ramps of the pinion shaft press (Salisbury): the torques of the outputs differ by up to
    /// `preload` + S·|T|, with the torque T on the differential.
    Plates {
        /// Difference of the torques without a torque on the differential (`N·m`), ≥ 0.
        preload: f32,
        /// S where the torque drives forward (–), 0…1.
        power: f32,
        /// S where it brakes, or drives backward (–), 0…1.
        coast: f32,
    },
    /// Worm or helical gears that press against each other (Torsen), by the torque bias ratio: the torque of the slower output over
    /// that of the faster one, of outputs with equal shares.
    Torsen {
        /// Torque bias ratio where the torque drives forward (–), ≥ 1.
        power: f32,
        /// Torque bias ratio where it brakes, or drives backward (–), ≥ 1.
        coast: f32,
    },
    /// A fluid that plates shear.
    Viscous {
        /// Torque from the faster to the slower output (`N·m`) over the difference of their speeds (`rad/s`), both > 0 and ascending;
        /// 0 at 0, linear between, constant above.
        torque_curve: Curve,
    },
}

impl SlipLimiter {
    /// Sets range, pressure and softness of the row between two outputs, the first of which is faster by `slip` (`rad/s`).
    pub(crate) fn set(&self, slip: f32, row: &mut ShaftRow) {
        match self {
            Self::Plates {
                preload,
                power,
                coast,
            } => {
                row.range = [-0.5 * preload, 0.5 * preload];
                row.pressure = [0.5 * coast, 0.5 * power];
            }
            Self::Torsen { power, coast } => {
                row.range = [0.0; 2];
                row.pressure = [*coast, *power].map(|bias| 0.5 * (bias - 1.0) / (bias + 1.0));
            }
            Self::Viscous { torque_curve } => {
                let [torque, slope, most] = line(torque_curve, slip.abs());
                row.range = [-most, most];
                row.softness = 1.0 / slope;
                row.bias = torque.copysign(slip) - slope * slip;
            }
        }
    }
}

/// Torque of a viscous coupling at a speed difference ≥ 0 (`N·m`) on the line through its points on both sides, the slope of that line
/// (`N·m·s/rad`), and the greatest torque.
fn line(curve: &Curve, slip: f32) -> [f32; 3] {
    let (mut last, mut line) = ([0.0; 2], [0.0, 1.0]);
    for (n, &point) in curve.0.iter().enumerate() {
        if n == 0 || slip > last[0] {
            let slope = (point[1] - last[1]) / (point[0] - last[0]);
            line = [last[1] + slope * (slip - last[0]), slope];
        }
        last = point;
    }
    [line[0], line[1], last[1]]
}

impl Check for SlipLimiter {
    fn check(&self, i: &mut Inspector) {
        match self {
            Self::Plates {
                preload,
                power,
                coast,
            } => i.within("plates", |i| {
                i.not_negative("preload", *preload, "N·m");
                i.within_range("power", *power, 0.0, 1.0, "");
                i.within_range("coast", *coast, 0.0, 1.0, "");
            }),
            Self::Torsen { power, coast } => i.within("torsen", |i| {
                i.within_range("power", *power, 1.0, f32::MAX, "");
                i.within_range("coast", *coast, 1.0, f32::MAX, "");
            }),
            Self::Viscous { torque_curve } => i.within("viscous.torque_curve", |i| {
                torque_curve.check(i);
                let mut last = [0.0; 2];
                for (n, point) in torque_curve.0.iter().enumerate() {
                    let rule = "must be above the point before, or 0";
                    i.within(format!("[{n}]"), |i| {
                        i.rule(point[0] > last[0], "x", point[0], "rad/s", rule);
                        i.rule(point[1] > last[1], "y", point[1], "N·m", rule);
                    });
                    last = *point;
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use approx::assert_relative_eq;
    use rstest::rstest;
    use vehicle_core::Checked;

    fn set(limiter: &SlipLimiter, slip: f32) -> ShaftRow {
        let mut row = ShaftRow::gear(&[1.0, -1.0]);
        limiter.set(slip, &mut row);
        row
    }

    /// With the torque bias ratio B, the outputs get ½ ± ½·S of the torque, and (1 + S)/(1 − S) = B.
    #[rstest]
    #[case(1.0)]
    #[case(2.5)]
    #[case(5.0)]
    fn a_torsen_differential_keeps_its_torque_bias_ratio(#[case] bias: f32) {
        let limiter = SlipLimiter::Torsen {
            power: bias,
            coast: 1.0,
        };
        let [coast, power] = set(&limiter, 3.0).pressure;
        assert_relative_eq!((0.5 + power) / (0.5 - power), bias, max_relative = 1e-6);
        assert_eq!(coast, 0.0);
    }

    /// On its line, the row has the torque of the curve at the present speed difference.
    #[rstest]
    #[case(0.0, 0.0)]
    #[case(2.0, 40.0)]
    #[case(-2.0, -40.0)]
    #[case(10.0, 120.0)]
    #[case(-10.0, -120.0)]
    fn a_viscous_coupling_follows_its_curve(#[case] slip: f32, #[case] expected: f32) {
        let limiter = SlipLimiter::Viscous {
            torque_curve: Curve(vec![[4.0, 80.0], [16.0, 160.0]]),
        };
        let row = set(&limiter, slip);
        assert_relative_eq!(row.bias + slip / row.softness, expected, epsilon = 1e-3);
        assert_eq!(row.range, [-160.0, 160.0]);
    }

    #[rstest]
    #[case::plates(SlipLimiter::Plates { preload: -1.0, power: 1.5, coast: f32::NAN }, 3)]
    #[case::torsen(SlipLimiter::Torsen { power: 0.9, coast: f32::NAN }, 2)]
    #[case::falls(SlipLimiter::Viscous { torque_curve: Curve(vec![[4.0, 80.0], [16.0, 70.0]]) }, 1)]
    #[case::at_rest(SlipLimiter::Viscous { torque_curve: Curve(vec![[0.0, 80.0]]) }, 1)]
    #[case::none(SlipLimiter::Viscous { torque_curve: Curve(vec![]) }, 1)]
    fn every_fault_is_found(#[case] limiter: SlipLimiter, #[case] faults: usize) {
        assert_eq!(Checked::new(limiter).unwrap_err().0.len(), faults);
    }
}
