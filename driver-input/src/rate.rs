//! How fast a pedal, a lever or the steering wheel moves (PhysX vehicle SDK, ALGORITHMS §5.1, §5.2,
//! §5.4).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// How fast a channel moves [1/s]: full travel is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// While pressed (`1/s`), ≥ 0.
    pub rise: f32,
    /// When released (`1/s`), ≥ 0.
    pub fall: f32,
}

impl Rate {
    /// A rate from its two speeds (`1/s`).
    #[must_use]
    pub const fn new(rise: f32, fall: f32) -> Self {
        Self { rise, fall }
    }

    /// Position after `dt` (`s`) of a channel at `now` whose key is pressed or not: within 0…1.
    #[must_use]
    pub fn press(self, now: f32, pressed: bool, dt: f32) -> f32 {
        let step = if pressed { self.rise } else { -self.fall };
        (now + step * dt).clamp(0.0, 1.0)
    }

    /// Position after `dt` (`s`) of a pedal at `now` moving toward `target`.
    #[must_use]
    pub fn follow(self, now: f32, target: f32, dt: f32) -> f32 {
        if now < target {
            (now + self.rise * dt).min(target)
        } else {
            (now - self.fall * dt).max(target)
        }
    }

    /// Position after `dt` (`s`) of a two-sided channel at `now` moving toward `target`, all within ±1: it rises
    /// away from the middle and falls toward it. A step across the middle keeps its initial speed.
    #[must_use]
    pub fn follow_signed(self, now: f32, target: f32, dt: f32) -> f32 {
        let rate = |falls: bool| if falls { self.fall } else { self.rise };
        if target == 0.0 && now > 0.0 {
            (now - self.fall * dt).max(0.0)
        } else if target == 0.0 {
            (now + self.fall * dt).min(0.0)
        } else if now < target {
            (now + rate(now < 0.0) * dt).min(target)
        } else {
            (now - rate(now > 0.0) * dt).max(target)
        }
    }
}

impl Check for Rate {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("rise", self.rise, "1/s");
        i.not_negative("fall", self.fall, "1/s");
    }
}

/// Rates of a car's channels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarRates {
    /// Accelerator.
    pub throttle: Rate,
    /// Brake pedal.
    pub brake: Rate,
    /// Handbrake.
    pub handbrake: Rate,
    /// Steering to the left by a key.
    pub steer_left: Rate,
    /// Steering to the right by a key; a pad's steering both ways, as in PhysX.
    pub steer_right: Rate,
}

impl CarRates {
    /// Rates with one value for both pedals, one for the handbrake and one for both steering directions.
    #[must_use]
    pub const fn symmetric(pedals: Rate, handbrake: Rate, steer: Rate) -> Self {
        Self {
            throttle: pedals,
            brake: pedals,
            handbrake,
            steer_left: steer,
            steer_right: steer,
        }
    }
}

impl Check for CarRates {
    fn check(&self, i: &mut Inspector) {
        i.within("throttle", |i| self.throttle.check(i));
        i.within("brake", |i| self.brake.check(i));
        i.within("handbrake", |i| self.handbrake.check(i));
        i.within("steer_left", |i| self.steer_left.check(i));
        i.within("steer_right", |i| self.steer_right.check(i));
    }
}

/// Rates of a tank's channels; pairs are left and right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TankRates {
    /// Accelerator.
    pub throttle: Rate,
    /// Brakes of the tracks.
    pub brake: [Rate; 2],
    /// Thrust of the tracks.
    pub thrust: [Rate; 2],
}

impl Check for TankRates {
    fn check(&self, i: &mut Inspector) {
        i.within("throttle", |i| self.throttle.check(i));
        for side in 0..2 {
            i.within(alloc::format!("brake[{side}]"), |i| {
                self.brake[side].check(i);
            });
            i.within(alloc::format!("thrust[{side}]"), |i| {
                self.thrust[side].check(i);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    const RATE: Rate = Rate::new(2.0, 5.0);

    #[rstest]
    #[case::rises(0.3, true, 0.5)]
    #[case::falls(0.7, false, 0.2)]
    #[case::full(0.9, true, 1.0)]
    #[case::up(0.1, false, 0.0)]
    #[case::negative_as_a_special_tanks(-0.4, true, 0.0)]
    fn keys(#[case] now: f32, #[case] pressed: bool, #[case] after: f32) {
        assert!((RATE.press(now, pressed, 0.1) - after).abs() < 1e-6);
    }

    #[rstest]
    #[case::rises(0.3, 0.9, 0.5)]
    #[case::arrives(0.3, 0.4, 0.4)]
    #[case::falls(0.9, 0.1, 0.4)]
    #[case::stays(0.4, 0.4, 0.4)]
    fn pedals(#[case] now: f32, #[case] target: f32, #[case] after: f32) {
        assert!((RATE.follow(now, target, 0.1) - after).abs() < 1e-6);
    }

    #[rstest]
    #[case::out(0.2, 0.9, 0.4)]
    #[case::out_the_other_way(-0.2, -0.9, -0.4)]
    #[case::back(0.9, 0.1, 0.4)]
    #[case::to_the_middle(0.3, 0.0, 0.0)]
    #[case::to_the_middle_from_the_left(-0.7, 0.0, -0.2)]
    #[case::across_at_the_speed_of_its_start(-0.1, 0.9, 0.4)]
    #[case::across_and_there(0.1, -0.2, -0.2)]
    fn steering(#[case] now: f32, #[case] target: f32, #[case] after: f32) {
        assert!((RATE.follow_signed(now, target, 0.1) - after).abs() < 1e-6);
    }

    #[test]
    fn bad_rates_are_named() {
        let mut car = CarRates::PHYSX_KEYS;
        car.handbrake.fall = f32::NAN;
        assert_eq!(Checked::new(car).unwrap_err().0[0].path, "handbrake.fall");
        let mut tank = TankRates::PHYSX_SAMPLE;
        tank.thrust[1].rise = -1.0;
        assert_eq!(Checked::new(tank).unwrap_err().0[0].path, "thrust[1].rise");
    }

    /// Left and right are symmetric; away from the middle it rises.
    #[rstest]
    #[case::from_the_middle(0.0, 0.9, 0.2)]
    #[case::a_little_way_back(0.9, 0.8, 0.8)]
    #[case::on_the_way_to_the_middle(0.9, 0.0, 0.4)]
    #[case::out_and_there(0.2, 0.3, 0.3)]
    #[case::across(-0.3, 0.9, 0.2)]
    #[case::there(0.4, 0.4, 0.4)]
    #[case::in_the_middle(0.0, 0.0, 0.0)]
    fn steering_is_symmetric(#[case] now: f32, #[case] target: f32, #[case] after: f32) {
        assert!((RATE.follow_signed(now, target, 0.1) - after).abs() < 1e-6);
        assert!((RATE.follow_signed(-now, -target, 0.1) + after).abs() < 1e-6);
    }

    #[test]
    fn every_bad_rate_is_named() {
        let bad = Rate::new(-1.0, f32::NAN);
        let good = Rate::new(0.0, 0.0);
        let car = CarRates {
            throttle: bad,
            ..CarRates::symmetric(good, good, bad)
        };
        let faults = Checked::new(car).unwrap_err().0;
        let paths = faults.iter().map(|fault| fault.path.as_str());
        assert!(paths.eq([
            "throttle.rise",
            "throttle.fall",
            "steer_left.rise",
            "steer_left.fall",
            "steer_right.rise",
            "steer_right.fall",
        ]));
        let tank = TankRates {
            throttle: bad,
            brake: [good, bad],
            thrust: [good; 2],
        };
        let faults = Checked::new(tank).unwrap_err().0;
        assert_eq!(faults[0].path, "throttle.rise");
        assert_eq!(faults[3].path, "brake[1].fall");
    }
}
