//! Heat of a motor: one mass, warmed by the losses and cooled by a coolant.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, math};

/// Heat of a motor, and the torque that it takes away.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorHeatParams {
    /// Heat capacity (`J/K`), > 0.
    pub capacity: f32,
    /// Heat that the coolant takes per difference of temperature (`W/K`), > 0.
    pub cooling: f32,
    /// Temperatures over the coolant's from which the torque falls, and at which there is none (`K`), ascending, > 0.
    pub derating: [f32; 2],
}

impl MotorHeatParams {
    /// Part of the torque that a motor of this temperature over the coolant's (`K`) has, 0…1.
    #[must_use]
    pub fn torque_share(&self, rise: f32) -> f32 {
        let [begins, ends] = self.derating;
        ((ends - rise) / (ends - begins)).clamp(0.0, 1.0)
    }

    /// Temperature over the coolant's (`K`) after `duration` (`s`) with constant `losses` (`W`), from `rise` (`K`): exact, so that
    /// it does not depend on the time step.
    #[must_use]
    pub fn after(&self, rise: f32, losses: f32, duration: f32) -> f32 {
        let end = losses / self.cooling;
        rise + (rise - end) * math::exp_m1(-self.cooling * duration / self.capacity)
    }
}

impl Check for MotorHeatParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("capacity", self.capacity, "J/K");
        i.positive("cooling", self.cooling, "W/K");
        let [begins, ends] = self.derating;
        i.positive("derating[0]", begins, "K");
        i.finite("derating[1]", ends, "K");
        let rule = "must be above the temperature from which the torque falls";
        i.rule(ends > begins, "derating[1]", ends, "K", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const HEAT: MotorHeatParams = MotorHeatParams {
        capacity: 20_000.0,
        cooling: 50.0,
        derating: [80.0, 120.0],
    };

    #[rstest]
    #[case::cold(0.0, 1.0)]
    #[case::begins(80.0, 1.0)]
    #[case::half(100.0, 0.5)]
    #[case::ends(120.0, 0.0)]
    #[case::hotter(500.0, 0.0)]
    fn torque_falls_between_two_temperatures(#[case] rise: f32, #[case] expected: f32) {
        assert_eq!(HEAT.torque_share(rise), expected);
    }

    /// ΔT = P/G·(1 − exp(−G·t/C)), in one step or in many.
    #[rstest]
    #[case(1)]
    #[case(30)]
    #[case(2400)]
    #[case::short(60_000)]
    fn constant_losses_warm_by_an_exponential(#[case] steps: u16) {
        let duration = 300.0 / f32::from(steps);
        let rise = (0..steps).fold(0.0, |rise, _| HEAT.after(rise, 6000.0, duration));
        let expected = 120.0 * (1.0 - f64::exp(-50.0 * 300.0 / 20_000.0));
        assert!(
            (f64::from(rise) - expected).abs() < 1e-2,
            "{rise} {expected}"
        );
    }

    #[test]
    fn every_fault_is_named() {
        let bad = MotorHeatParams {
            capacity: 0.0,
            cooling: -1.0,
            derating: [90.0, 80.0],
        };
        let mut inspector = Inspector::new();
        bad.check(&mut inspector);
        assert_eq!(inspector.verdict().unwrap_err().0.len(), 3);
    }
}
