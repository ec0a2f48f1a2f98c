//! Less steering at speed (PhysX vehicle SDK, ALGORITHMS §5.1, §5.2, §5.4; the filter is of 5.x).

use alloc::format;
use alloc::vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector, VehicleReport};

/// Steering limit by speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteerLimit {
    /// Maximum steering, 0…1, over the magnitude of the forward speed (`m/s`). In the air it is 1.
    pub by_speed: Curve,
    /// How fast the limit follows the speed (`1/s`), ≥ 0; 0 for instantly. Otherwise the limit
    /// starts at 0.
    pub sharpness: f32,
}

impl SteerLimit {
    /// Full steering at every speed.
    #[must_use]
    pub fn none() -> Self {
        Self {
            by_speed: Curve(vec![[0.0, 1.0]]),
            sharpness: 0.0,
        }
    }

    /// The limit after `dt` (`s`), 0…1; `filtered` is the filter's state.
    pub(crate) fn update(&self, filtered: &mut f32, seen: &VehicleReport, dt: f32) -> f32 {
        let target = if seen.in_air {
            1.0
        } else {
            self.by_speed.at(seen.forward_speed.abs())
        };
        if self.sharpness == 0.0 {
            return target;
        }
        let share = (self.sharpness * dt).clamp(0.0, 1.0);
        *filtered = share * target + (1.0 - share) * *filtered;
        *filtered
    }
}

impl Check for SteerLimit {
    fn check(&self, i: &mut Inspector) {
        i.within("by_speed", |i| {
            self.by_speed.check(i);
            for (n, point) in self.by_speed.0.iter().enumerate() {
                i.within_range(&format!("[{n}].y"), point[1], 0.0, 1.0, "");
            }
        });
        i.not_negative("sharpness", self.sharpness, "1/s");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    #[rstest]
    #[case::slow(3.0, false, 0.75)]
    #[case::fast(30.0, false, 0.125)]
    #[case::backwards(-17.5, false, 0.4375)]
    #[case::in_the_air(60.0, true, 1.0)]
    fn the_limit_falls_with_speed(
        #[case] forward_speed: f32,
        #[case] in_air: bool,
        #[case] limit: f32,
    ) {
        let seen = VehicleReport {
            forward_speed,
            in_air,
            ..VehicleReport::STANDING
        };
        let ours = SteerLimit::physx().update(&mut 0.0, &seen, 0.1);
        assert!((ours - limit).abs() < 1e-6);
    }

    #[test]
    fn the_filter_starts_at_zero_and_converges() {
        let filtering = SteerLimit {
            sharpness: 2.5,
            ..SteerLimit::physx()
        };
        let mut filtered = 0.0;
        let mut limit = || filtering.update(&mut filtered, &VehicleReport::STANDING, 0.2);
        assert_eq!((limit(), limit()), (0.375, 0.5625));
    }

    #[test]
    fn bad_limits_are_named() {
        let bad = SteerLimit {
            by_speed: Curve(vec![[0.0, 1.5]]),
            sharpness: f32::INFINITY,
        };
        let faults = Checked::new(bad).unwrap_err().0;
        assert_eq!(faults[0].path, "by_speed.[0].y");
        assert_eq!(faults[1].path, "sharpness");
    }

    /// The filter covers a fraction of the difference, at most all of it.
    #[rstest]
    #[case::a_part(0.25, 0.5, 0.375)]
    #[case::at_once(0.25, 10.0, 0.5)]
    fn the_filter_covers_its_fraction(
        #[case] before: f32,
        #[case] sharpness: f32,
        #[case] after: f32,
    ) {
        let limit = SteerLimit {
            by_speed: Curve(vec![[0.0, 0.5]]),
            sharpness,
        };
        let mut filtered = before;
        let found = limit.update(&mut filtered, &VehicleReport::STANDING, 1.0);
        assert_eq!((found, filtered), (after, after));
        let mut kept = before;
        let none = SteerLimit::none().update(&mut kept, &VehicleReport::STANDING, 1.0);
        assert_eq!((none, kept), (1.0, before));
    }
}
