//! Figures of a trace: the same for ours and theirs.

/// A point of a drive at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CoursePoint {
    /// Speed along the car (`m/s`).
    pub(super) speed: f64,
    /// Way of the center of mass (`m`).
    pub(super) way: f64,
    /// Yaw rate (`rad/s`), positive to the left.
    pub(super) yaw_rate: f64,
    /// Acceleration to the left of the car (`m/s²`).
    pub(super) lateral_acceleration: f64,
    /// Roll (`rad`), positive to the right.
    pub(super) roll: f64,
}

/// Instants of a drive, one every `interval` (`s`), the first at its start.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrivenCourse {
    pub(super) interval: f64,
    pub(super) instants: Vec<CoursePoint>,
}

impl DrivenCourse {
    /// The instants from `from` up to `to` (`s`).
    fn between(&self, from: f64, to: f64) -> &[CoursePoint] {
        let at = |time: f64| ((time / self.interval).round() as usize).min(self.instants.len());
        &self.instants[at(from).min(at(to))..at(to)]
    }

    /// Length of the drive (`s`).
    pub(super) fn duration(&self) -> f64 {
        self.interval * self.instants.len().saturating_sub(1) as f64
    }

    /// The mean of a quantity.
    pub(super) fn mean(&self, from: f64, to: f64, of: impl Fn(&CoursePoint) -> f64) -> f64 {
        let part = self.between(from, to);
        part.iter().map(of).sum::<f64>() / part.len() as f64
    }

    /// Response of a quantity to a step at `start`, up to `end` (`s`).
    pub(super) fn response(&self, start: f64, end: f64, of: fn(&CoursePoint) -> f64) -> Response {
        let values: Vec<f64> = self.between(start, end).iter().map(of).collect();
        let last = self.mean(end - SETTLED, end, of);
        let change = last - values[0];
        let parts: Vec<f64> = values
            .iter()
            .map(|value| (value - values[0]) / change)
            .collect();
        let reached = parts.iter().position(|part| *part >= RISEN).unwrap_or(0);
        let rise = match reached {
            0 => f64::NAN,
            n => n as f64 - (parts[n] - RISEN) / (parts[n] - parts[n - 1]),
        };
        Response {
            last,
            rise: rise * self.interval,
            overshoot: 100.0 * (parts.iter().copied().fold(f64::NAN, f64::max) - 1.0),
        }
    }

    /// The distance from `start` (`s`) until the car is slower than `speed` (`m/s`); `NaN` if it never is.
    pub(super) fn way_down_to(&self, speed: f64, start: f64) -> f64 {
        let braked = self.between(start, f64::INFINITY);
        let Some(n) = braked.iter().position(|at| at.speed < speed) else {
            return f64::NAN;
        };
        let Some([before, after]) = n.checked_sub(1).map(|last| [braked[last], braked[n]]) else {
            return f64::NAN;
        };
        let part = (before.speed - speed) / (before.speed - after.speed);
        before.way + part * (after.way - before.way) - braked[0].way
    }
}

/// Share of the final value at which a quantity has risen (ISO 7401).
const RISEN: f64 = 0.9;
/// The end of a response, which counts as its final value (`s`).
const SETTLED: f64 = 0.5;

/// The response to a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Response {
    /// The final value.
    pub(super) last: f64,
    /// Time until the first 90 % of the change (`s`).
    pub(super) rise: f64,
    /// The greatest value beyond the final one, of the change (%).
    pub(super) overshoot: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(interval: f64, count: usize, at: impl Fn(f64) -> CoursePoint) -> DrivenCourse {
        let instants = (0..count).map(|n| at(interval * n as f64)).collect();
        DrivenCourse { interval, instants }
    }

    #[test]
    fn a_lag_of_first_order_rises_in_2_3_time_constants() {
        let lag = course(0.02, 250, |time| CoursePoint {
            yaw_rate: 3.0 - 3.0 * libm::exp(-(time - 1.0).max(0.0) / 0.2),
            ..CoursePoint::default()
        });
        let response = lag.response(1.0, 5.0, |at| at.yaw_rate);
        assert!((response.last - 3.0).abs() < 1e-6);
        assert!(
            (response.rise - 0.2 * libm::log(10.0)).abs() < 1e-3,
            "{response:?}"
        );
        assert!(response.overshoot.abs() < 1e-4);
    }

    #[test]
    fn an_overshoot_is_a_share_of_the_change() {
        let wave = course(0.01, 500, |time| CoursePoint {
            roll: 1.0 - libm::exp(-2.0 * time) * libm::cos(10.0 * time),
            ..CoursePoint::default()
        });
        let response = wave.response(0.0, 5.0, |at| at.roll);
        let at = 0.1 * (core::f64::consts::PI - libm::atan(0.2));
        let peak = -100.0 * libm::exp(-2.0 * at) * libm::cos(10.0 * at);
        assert!(
            (response.overshoot - peak).abs() < 1.0,
            "{response:?} {peak}"
        );
    }

    #[test]
    fn a_braking_way_follows_from_the_speeds() {
        let braked = course(0.1, 60, |time| {
            let braking = (time - 1.0).max(0.0);
            CoursePoint {
                speed: 20.0 - 4.0 * braking,
                way: 20.0 * time - 2.0 * braking * braking,
                ..CoursePoint::default()
            }
        });
        let way = braked.way_down_to(4.03, 1.0);
        assert!((way - (400.0 - 4.03 * 4.03) / 8.0).abs() < 0.01, "{way}");
        assert!(braked.way_down_to(-10.0, 1.0).is_nan());
    }
}
