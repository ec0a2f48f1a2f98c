//! Speed traces: speeds over time that a driver follows, as in driving cycles.

use jounce::core::checked::{Check, Inspector};
use serde::Deserialize;

/// Speed of 1 m/s in `km/h`.
const KMH: f32 = 3.6;

/// Speeds at equal intervals, linear between them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedTrace {
    /// Time between two speeds (`s`), > 0.
    pub interval: f32,
    /// The speeds, in `km/h`, as regulations have them: 0…400, the first at the start of the stage.
    pub kmh: Vec<f32>,
}

impl SpeedTrace {
    /// The speed (`m/s`) at a time since the stage began (`s`); that of the end afterward.
    #[must_use]
    pub fn at(&self, time: f32) -> f32 {
        let place = (time / self.interval).max(0.0);
        let (n, part) = (place as usize, place.fract());
        let speed = |n: usize| self.kmh.get(n).or(self.kmh.last()).copied().unwrap_or(0.0);
        (speed(n) + (speed(n + 1) - speed(n)) * part) / KMH
    }

    /// Least and greatest speed (`m/s`) at a time since the stage began (`s`), that keep the tolerance of UN GTR No. 15 (annex 6,
    /// driving of the cycle): 2 km/h below the least and above the greatest speed of the trace within a second.
    #[must_use]
    pub fn tolerated(&self, time: f32) -> [f32; 2] {
        let (from, to) = ((time - 1.0).max(0.0), time + 1.0);
        let first = (from / self.interval) as usize + 1;
        let points = (first..).map(|n| n as f32 * self.interval);
        let between = points.take_while(|&point| point < to);
        let speeds = between.chain([from, to]).map(|time| self.at(time));
        let all = |[least, most]: [f32; 2], speed: f32| [least.min(speed), most.max(speed)];
        let [least, most] = speeds.fold([f32::INFINITY, f32::NEG_INFINITY], all);
        let margin = 2.0 / KMH;
        [least - margin, most + margin]
    }
}

impl Check for SpeedTrace {
    fn check(&self, i: &mut Inspector) {
        i.positive("interval", self.interval, "s");
        let count = self.kmh.len();
        i.rule(
            count > 1,
            "kmh",
            count,
            "speeds",
            "there must be at least 2",
        );
        for (n, speed) in self.kmh.iter().enumerate() {
            i.within_range(&format!("kmh[{n}]"), *speed, 0.0, 400.0, "km/h");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_linear_between_their_times() {
        let trace = SpeedTrace {
            interval: 2.0,
            kmh: vec![0.0, 36.0, 18.0],
        };
        let speeds = [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 9.0].map(|time| trace.at(time));
        assert_eq!(speeds, [0.0, 0.0, 5.0, 10.0, 7.5, 5.0, 5.0]);
    }

    /// Around the corner at 2 s, the greatest speed is its 10 m/s, and the least one of both ends of the two seconds.
    #[test]
    fn speeds_within_a_second_are_tolerated() {
        let trace = SpeedTrace {
            interval: 2.0,
            kmh: vec![0.0, 36.0, 18.0],
        };
        let margin = 2.0 / 3.6;
        for (time, least, most) in [
            (0.0, 0.0, 5.0),
            (1.5, 2.5, 10.0),
            (2.0, 5.0, 10.0),
            (9.0, 5.0, 5.0),
        ] {
            let [low, high] = trace.tolerated(time);
            assert!((low - (least - margin)).abs() < 1e-5, "{time}: {low}");
            assert!((high - (most + margin)).abs() < 1e-5, "{time}: {high}");
        }
    }
}
