//! Rules by which the engine of a hybrid starts, stops and charges the battery.

use vehicle_core::Inspector;

/// Part of the greatest electric speed below which the engine may stop again (–).
const SLOWER: f32 = 0.95;

/// When the engine of a hybrid runs, and how much of its power charges the battery.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineRules {
    /// Power of the driver's request above which the engine starts, and below which it stops (`W`).
    pub(super) start_power: f32,
    pub(super) stop_power: f32,
    /// Speed of the vehicle above which the engine runs (`m/s`); `None` if it need not.
    pub(super) electric_speed: Option<f32>,
    /// State of charge below which the engine starts, and the one to which it charges (–).
    pub(super) charge: [f32; 2],
    /// Power with which it charges at the lower one (`W`).
    pub(super) charge_power: f32,
}

impl EngineRules {
    /// Whether the engine runs, that was `running`, at a power of the driver's request (`W`), a state of charge (–) and a speed of the
    /// vehicle (`m/s`).
    pub(super) fn runs(&self, running: bool, request: f32, charge: f32, speed: f32) -> bool {
        let [low, high] = self.charge;
        let fastest = self.electric_speed.unwrap_or(f32::INFINITY);
        if running {
            request > self.stop_power || charge < 0.5 * (low + high) || speed > SLOWER * fastest
        } else {
            request > self.start_power || charge < low || speed > fastest
        }
    }

    /// Power with which the engine charges the battery (`W`); negative above the state of charge that is kept.
    pub(super) fn charging(&self, charge: f32) -> f32 {
        let [low, high] = self.charge;
        self.charge_power * ((high - charge) / (high - low)).clamp(-1.0, 1.0)
    }

    /// Reports faults.
    pub(super) fn check(&self, i: &mut Inspector) {
        i.positive("start_power", self.start_power, "W");
        i.not_negative("stop_power", self.stop_power, "W");
        let rule = "must be at most the power at which the engine starts";
        let ordered = self.stop_power <= self.start_power;
        i.rule(ordered, "stop_power", self.stop_power, "W", rule);
        i.positive("electric_speed", self.electric_speed.unwrap_or(1.0), "m/s");
        let [low, high] = self.charge;
        i.within_range("charge[0]", low, 0.0, 1.0, "");
        i.within_range("charge[1]", high, 0.0, 1.0, "");
        let rule = "must be above the state of charge at which the engine starts";
        i.rule(high > low, "charge[1]", high, "", rule);
        i.not_negative("charge_power", self.charge_power, "W");
    }
}
