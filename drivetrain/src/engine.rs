//! The engine: torque against speed, damping and friction (PhysX 4.1 vehicle SDK, ALGORITHMS §4.4).

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Curve, Inspector};

use crate::fuel::FuelParams;
use crate::limiter::LimiterParams;
use crate::speed_map::SpeedMap;
use crate::turbo::TurboParams;

/// Speed (`rad/s`) at which the static friction of a standing engine has vanished.
const STALLED: f32 = 10.0;
/// Speed over the idle speed below which an engine stalls (–): 200 to 250 1/min, as starters turn it (Bosch Automotive Handbook,
/// 10th edition, starters).
const STALLS: f32 = 0.3;
/// Default of the idle controller's torque over peak torque (–). tuned: no shipped vehicle climbs 15° by it.
const IDLE_TORQUE: f32 = 0.1;

/// Parameters of an engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineParams {
    /// Moment of inertia (`kg·m²`), > 0.
    pub inertia: f32,
    /// Torque where the curve is 1, at full throttle (`N·m`), > 0.
    pub peak_torque: f32,
    /// Idle speed (`rad/s`), ≥ 0; 0 for an engine that can stand still.
    #[serde(default)]
    pub idle_speed: f32,
    /// Torque with which the idle controller keeps the idle speed, beside the engine's damping (`N·m`), ≥ 0; an engine that gets
    /// below 0.3 of the idle speed stalls, and starts when its clutch opens. Without a value it is a tenth of the peak
    /// torque in the rows solver; in the explicit solver the idle speed is then a limit, as in PhysX.
    #[serde(default)]
    pub idle_torque: Option<f32>,
    /// Maximum speed (`rad/s`), > 0.
    pub max_speed: f32,
    /// Torque over peak torque against speed over maximum speed.
    pub torque_curve: Curve,
    /// Torque (`N·m`) over engine speed (`rad/s`) and throttle, whose rows begin at 0 and end at 1, in place of the throttle's part of
    /// `peak_torque` and `torque_curve`; `None` where these say it.
    #[serde(default)]
    pub torque_map: Option<SpeedMap>,
    /// Damping at full throttle (`N·m·s/rad`), ≥ 0.
    pub damping_full_throttle: f32,
    /// Damping without throttle, in gear (`N·m·s/rad`), ≥ 0.
    pub damping_zero_throttle_engaged: f32,
    /// Damping without throttle, in neutral (`N·m·s/rad`), ≥ 0.
    pub damping_zero_throttle_disengaged: f32,
    /// Breakaway torque of the standing engine, from compression and friction (`N·m`), ≥ 0: it
    /// holds a car parked in gear. It acts with the throttle closed and vanishes at 10 rad/s. Only
    /// the rows solver uses it.
    #[serde(default)]
    pub static_friction: f32,
    /// Its fuel; `None` to count none.
    #[serde(default)]
    pub fuel: Option<FuelParams>,
    /// Its turbocharger, with a lag; `None` for an engine that gives its torque at once.
    #[serde(default)]
    pub turbo: Option<TurboParams>,
    /// Its rev limiter; `None` for an engine whose torque ends at the maximum speed.
    #[serde(default)]
    pub limiter: Option<LimiterParams>,
}

impl EngineParams {
    /// Torque (`N·m`) at a throttle 0…1 and a speed (`rad/s`).
    #[must_use]
    pub fn torque(&self, throttle: f32, speed: f32) -> f32 {
        match &self.torque_map {
            Some(map) => map.at(speed, throttle),
            None => throttle * self.peak_torque * self.torque_curve.at(speed / self.max_speed),
        }
    }

    /// Torque of the idle controller beside the damping (`N·m`); infinite where the idle speed is a limit. `exact` in the rows
    /// solver.
    pub(crate) fn idle_torque(&self, exact: bool) -> f32 {
        let default = if exact {
            IDLE_TORQUE * self.peak_torque
        } else {
            f32::INFINITY
        };
        self.idle_torque.unwrap_or(default)
    }

    /// Throttle (–), 0…1, with which the engine has a torque (`N·m`) at a speed (`rad/s`), damping included.
    pub(crate) fn throttle_for(&self, torque: f32, speed: f32) -> f32 {
        let net = |throttle| self.torque(throttle, speed) - self.damping(throttle, 1.0) * speed;
        let [least, most] = [net(0.0), net(1.0)];
        if most > least {
            ((torque - least) / (most - least)).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Whether an engine of this speed (`rad/s`) has stalled; never without an idle speed.
    pub(crate) fn is_stalled(&self, speed: f32) -> bool {
        speed < STALLS * self.idle_speed
    }

    /// Whether an engine of this speed (`rad/s`) has stalled or stands.
    pub(crate) fn stands(&self, speed: f32) -> bool {
        speed <= 0.0 || self.is_stalled(speed)
    }

    /// Damping (`N·m·s/rad`) at a throttle 0…1 and a clutch engagement 0…1; the engagement is 0 in
    /// neutral.
    #[must_use]
    pub fn damping(&self, throttle: f32, engagement: f32) -> f32 {
        let zero = self.damping_zero_throttle_engaged * engagement
            + self.damping_zero_throttle_disengaged * (1.0 - engagement);
        zero + (self.damping_full_throttle - zero) * throttle
    }

    /// Dry friction (`N·m`), ≥ 0, at a throttle 0…1 and a speed (`rad/s`): zero unless the throttle
    /// is closed and the engine is almost at rest.
    #[must_use]
    pub fn friction(&self, throttle: f32, speed: f32) -> f32 {
        if throttle > 0.0 {
            0.0
        } else {
            self.static_friction * (1.0 - speed / STALLED).clamp(0.0, 1.0)
        }
    }
}

impl Check for EngineParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("inertia", self.inertia, "kg·m²");
        i.positive("peak_torque", self.peak_torque, "N·m");
        i.positive("max_speed", self.max_speed, "rad/s");
        i.within_range(
            "idle_speed",
            self.idle_speed,
            0.0,
            self.max_speed.max(0.0),
            "rad/s",
        );
        if let Some(torque) = self.idle_torque {
            i.not_negative("idle_torque", torque, "N·m");
        }
        i.within("torque_curve", |i| self.torque_curve.check(i));
        if let Some(map) = &self.torque_map {
            i.within("torque_map", |i| {
                map.check(["", "N·m"], true, i);
                let throttles = map.rows.first().zip(map.rows.last());
                let holds = throttles.is_none_or(|(first, last)| (first.0, last.0) == (0.0, 1.0));
                let rule = "must begin at throttle 0 and end at 1";
                i.rule(holds, "rows", map.rows.len(), "rows", rule);
            });
        }
        let unit = "N·m·s/rad";
        i.not_negative("damping_full_throttle", self.damping_full_throttle, unit);
        i.not_negative(
            "damping_zero_throttle_engaged",
            self.damping_zero_throttle_engaged,
            unit,
        );
        i.not_negative(
            "damping_zero_throttle_disengaged",
            self.damping_zero_throttle_disengaged,
            unit,
        );
        i.not_negative("static_friction", self.static_friction, "N·m");
        if let Some(fuel) = &self.fuel {
            i.within("fuel", |i| fuel.check(i));
        }
        if let Some(turbo) = &self.turbo {
            i.within("turbo", |i| turbo.check(i));
        }
        if let Some(limiter) = &self.limiter {
            i.within("limiter", |i| {
                limiter.check(i);
                let (speed, rule) = (limiter.cuts_above, "must be at most the maximum speed");
                i.rule(speed <= self.max_speed, "cuts_above", speed, "rad/s", rule);
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

    #[rstest]
    #[case::standing(1.0, 0.0, 400.0)]
    #[case::half_throttle(0.5, 198.0, 250.0)]
    #[case::too_fast(1.0, 900.0, 400.0)]
    #[case::no_throttle(0.0, 198.0, 0.0)]
    fn torque(#[case] throttle: f32, #[case] speed: f32, #[case] expected: f32) {
        let found = EngineParams::physx().torque(throttle, speed);
        assert_relative_eq!(found, expected, max_relative = 1e-5);
    }

    #[rstest]
    #[case(0.0, 1.0, 2.0)]
    #[case(0.0, 0.0, 0.35)]
    #[case(0.0, 0.5, 1.175)]
    #[case(1.0, 1.0, 0.15)]
    #[case(1.0, 0.0, 0.15)]
    #[case(0.5, 1.0, 1.075)]
    fn damping(#[case] throttle: f32, #[case] engagement: f32, #[case] expected: f32) {
        let found = EngineParams::physx().damping(throttle, engagement);
        assert_relative_eq!(found, expected, max_relative = 1e-6);
    }

    #[rstest]
    #[case::standing(0.0, 0.0, 160.0)]
    #[case::turned_over(0.0, 2.5, 120.0)]
    #[case::running(0.0, 10.0, 0.0)]
    #[case::fast(0.0, 600.0, 0.0)]
    #[case::throttle(0.1, 0.0, 0.0)]
    #[case::slightly_negative(-0.005, 0.0, 160.0)]
    fn friction(#[case] throttle: f32, #[case] speed: f32, #[case] expected: f32) {
        let engine = EngineParams {
            static_friction: 160.0,
            ..EngineParams::physx()
        };
        assert_eq!(engine.friction(throttle, speed), expected);
    }

    #[test]
    fn every_fault_is_found() {
        let bad = EngineParams {
            inertia: 0.0,
            peak_torque: -1.0,
            idle_speed: -1.0,
            idle_torque: Some(-1.0),
            max_speed: f32::NAN,
            torque_curve: Curve(vec![]),
            torque_map: Some(SpeedMap {
                speeds: vec![0.0, 600.0],
                rows: vec![(0.0, vec![-20.0, -60.0]), (0.9, vec![200.0, 150.0])],
            }),
            damping_full_throttle: -1.0,
            damping_zero_throttle_engaged: -1.0,
            damping_zero_throttle_disengaged: -1.0,
            static_friction: -1.0,
            fuel: Some(FuelParams {
                density: 0.0,
                ..crate::fuel::tests::petrol()
            }),
            turbo: Some(TurboParams {
                lag: Curve(vec![]),
                ..crate::turbo::tests::turbo()
            }),
            limiter: Some(LimiterParams {
                cuts_above: 600.0,
                resumes_below: 590.0,
            }),
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 14);
        assert!(Checked::new(EngineParams::physx()).is_ok());
    }

    /// Torque is throttle times peak torque times the curve at speed over maximum speed.
    #[rstest]
    #[case(0.25, 0.0, 0.5)]
    #[case(1.0, 100.0, 0.75)]
    #[case(0.5, 200.0, 1.0)]
    #[case(1.0, 300.0, 0.75)]
    #[case(1.0, 400.0, 0.5)]
    fn torque_follows_the_curve(#[case] throttle: f32, #[case] speed: f32, #[case] part: f32) {
        let engine = EngineParams {
            peak_torque: 300.0,
            max_speed: 400.0,
            torque_curve: Curve(vec![[0.0, 0.5], [0.5, 1.0], [1.0, 0.5]]),
            ..EngineParams::physx()
        };
        let found = engine.torque(throttle, speed);
        assert_relative_eq!(found, throttle * 300.0 * part, max_relative = 1e-6);
    }

    /// A map has the torque at each throttle, motoring torque included.
    #[rstest]
    #[case(0.0, 300.0, -30.0)]
    #[case(0.25, 300.0, 35.0)]
    #[case(0.5, 300.0, 100.0)]
    #[case(1.0, 150.0, 190.0)]
    #[case(1.0, 900.0, 160.0)]
    fn torque_follows_the_map(#[case] throttle: f32, #[case] speed: f32, #[case] expected: f32) {
        let engine = EngineParams {
            torque_map: Some(SpeedMap {
                speeds: vec![0.0, 300.0, 600.0],
                rows: vec![
                    (0.0, vec![0.0, -30.0, -60.0]),
                    (0.5, vec![120.0, 100.0, 60.0]),
                    (1.0, vec![180.0, 200.0, 160.0]),
                ],
            }),
            ..EngineParams::physx()
        };
        assert!(Checked::new(engine.clone()).is_ok());
        assert_relative_eq!(engine.torque(throttle, speed), expected);
    }

    #[rstest]
    #[case::most(600.0, 0)]
    #[case::too_fast(601.0, 1)]
    fn idle_speed_is_at_most_the_maximum_speed(#[case] idle_speed: f32, #[case] faults: usize) {
        let engine = EngineParams {
            idle_speed,
            ..EngineParams::physx()
        };
        let error = Checked::new(engine).err();
        assert_eq!(error.map_or(0, |error| error.0.len()), faults);
    }
}
