//! The variator of a continuously variable transmission: its ratio follows the speed that the engine is to have, by pedal and speed.

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, math};

/// Parameters of a variator between a torque converter and the gears, whose ratios multiply with its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariatorParams {
    /// Greatest and least speed of its input over that of its output (–), > 0, descending. Starts and reverse use the greatest.
    pub ratios: [f32; 2],
    /// Greatest relative change of the ratio (`1/s`), > 0: 1 divides it by 2.7 in a second.
    pub rate: f32,
    /// Speed that its input is to have over throttle and speed, at least one row, by ascending throttle.
    pub speed_map: Vec<SpeedMapRow>,
}

/// Speed that the input of a variator is to have at a throttle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedMapRow {
    /// Accelerator pedal (–), 0…1.
    pub throttle: f32,
    /// Speed of the input (`rad/s`), > 0, over that of the vehicle (`m/s`, ≥ 0).
    pub by_speed: Curve,
}

impl VariatorParams {
    /// Speed that the input is to have (`rad/s`), linear in the throttle between two rows.
    #[must_use]
    pub fn input_speed(&self, throttle: f32, speed: f32) -> f32 {
        let at = |row: &SpeedMapRow| row.by_speed.at(speed.abs());
        let above = self
            .speed_map
            .iter()
            .position(|row| row.throttle >= throttle);
        match above {
            Some(0) => at(&self.speed_map[0]),
            Some(n) => {
                let [below, above] = [&self.speed_map[n - 1], &self.speed_map[n]];
                let part = (throttle - below.throttle) / (above.throttle - below.throttle);
                at(below) + part * (at(above) - at(below))
            }
            None => self.speed_map.last().map_or(0.0, at),
        }
    }

    /// Ratio after `duration` (`s`) from a ratio of `before`, with which an output of a speed (`rad/s`) turns the input as fast as it
    /// is to turn (`rad/s`).
    pub(crate) fn after(&self, before: f32, input: f32, output: f32, duration: f32) -> f32 {
        let [greatest, least] = self.ratios;
        let wanted = if output > 0.0 {
            input / output
        } else {
            greatest
        };
        let most = math::exp(self.rate * duration);
        let ratio = wanted.clamp(before / most, before * most);
        ratio.clamp(least, greatest)
    }
}

impl Check for VariatorParams {
    fn check(&self, i: &mut Inspector) {
        let [greatest, least] = self.ratios;
        i.positive("ratios[0]", greatest, "");
        i.positive("ratios[1]", least, "");
        let rule = "must be at most the greatest ratio";
        i.rule(least <= greatest, "ratios[1]", least, "", rule);
        i.positive("rate", self.rate, "1/s");
        let rows = self.speed_map.len();
        i.rule(
            rows > 0,
            "speed_map",
            rows,
            "rows",
            "there must be at least 1",
        );
        for (n, row) in self.speed_map.iter().enumerate() {
            i.within(format!("speed_map[{n}]"), |i| {
                i.within_range("throttle", row.throttle, 0.0, 1.0, "");
                let before = self.speed_map[..n].last().map_or(-1.0, |row| row.throttle);
                let rule = "must be above that of the row before";
                i.rule(row.throttle > before, "throttle", row.throttle, "", rule);
                i.within("by_speed", |i| row.check_curve(i));
            });
        }
    }
}

impl SpeedMapRow {
    fn check_curve(&self, i: &mut Inspector) {
        self.by_speed.check(i);
        for (n, [speed, input]) in self.by_speed.0.iter().enumerate() {
            i.within(format!("[{n}]"), |i| {
                i.not_negative("x", *speed, "m/s");
                i.positive("y", *input, "rad/s");
            });
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

    /// 150 rad/s without throttle, rising from 300 to 500 with all of it.
    fn variator() -> VariatorParams {
        VariatorParams {
            ratios: [2.5, 0.4],
            rate: 1.0,
            speed_map: vec![
                SpeedMapRow {
                    throttle: 0.0,
                    by_speed: Curve(vec![[0.0, 150.0]]),
                },
                SpeedMapRow {
                    throttle: 0.8,
                    by_speed: Curve(vec![[0.0, 300.0], [20.0, 500.0]]),
                },
            ],
        }
    }

    #[rstest]
    #[case::none(0.0, 10.0, 150.0)]
    #[case::half(0.4, 10.0, 275.0)]
    #[case::row(0.8, 10.0, 400.0)]
    #[case::beyond(1.0, 30.0, 500.0)]
    #[case::backward(1.0, -10.0, 400.0)]
    fn speeds_are_those_of_the_map(
        #[case] throttle: f32,
        #[case] speed: f32,
        #[case] expected: f32,
    ) {
        assert_relative_eq!(variator().input_speed(throttle, speed), expected);
    }

    #[rstest]
    #[case::reached(1.0, 300.0, 290.0, 300.0 / 290.0)]
    #[case::up(1.0, 300.0, 10.0, 1.105_171)]
    #[case::down(1.0, 300.0, 3000.0, 1.0 / 1.105_171)]
    #[case::standing(2.49, 300.0, 0.0, 2.5)]
    #[case::backward(2.5, 300.0, -50.0, 2.5)]
    #[case::least(0.41, 100.0, 900.0, 0.4)]
    fn the_ratio_follows_at_its_rate(
        #[case] before: f32,
        #[case] input: f32,
        #[case] output: f32,
        #[case] expected: f32,
    ) {
        let found = variator().after(before, input, output, 0.1);
        assert_relative_eq!(found, expected, max_relative = 1e-5);
    }

    /// Steps of any length change it alike.
    #[test]
    fn the_rate_does_not_depend_on_the_step() {
        let after = |steps: u16| {
            let step = |ratio, _| variator().after(ratio, 900.0, 10.0, 0.5 / f32::from(steps));
            (0..steps).fold(1.0, step)
        };
        assert_relative_eq!(after(1), after(100), max_relative = 1e-4);
    }

    #[test]
    fn every_fault_is_named() {
        let row = |throttle, curve: [f32; 2]| SpeedMapRow {
            throttle,
            by_speed: Curve(vec![curve]),
        };
        let bad = VariatorParams {
            ratios: [0.4, 2.5],
            rate: 0.0,
            speed_map: vec![row(0.5, [-1.0, 0.0]), row(0.5, [0.0, 100.0])],
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 5);
        assert!(Checked::new(variator()).is_ok());
    }
}
