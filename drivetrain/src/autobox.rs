//! The autobox: at which engine speeds to change gears (PhysX 4.1 vehicle SDK, ALGORITHMS §4.2;
//! PhysX 5 `vehicle2`, §7.5).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Gear, Inspector};

/// Parameters of an autobox. Engine speeds are fractions of the engine's maximum speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoboxParams {
    /// Above this engine speed neutral changes to first, ≥ 0; with
    /// [`DriveLogic::Immediate`](crate::DriveLogic::Immediate), at any speed.
    pub neutral_up: f32,
    /// Above this engine speed a forward gear changes up, ≥ 0; one per gear, first gear first. In
    /// the top gear it only restarts the latency.
    pub up: Vec<f32>,
    /// Below this engine speed a forward gear changes down, ≥ 0; one per gear, first gear first.
    /// First gear never changes down.
    pub down: Vec<f32>,
    /// Minimum time between two changes (`s`), ≥ 0.
    pub latency: f32,
    /// Part of the thresholds that applies at the lightest touch of the accelerator (–), 0…1; they rise with it, to all of them at
    /// full throttle. A change up leaves the engine at 1.4 of its idle speed at least, whatever this part. PhysX's logics ignore it.
    #[serde(default = "default_light_throttle")]
    pub light_throttle: f32,
}

const fn default_light_throttle() -> f32 {
    AutoboxParams::LIGHT_THROTTLE
}

impl AutoboxParams {
    /// The default of [`light_throttle`](Self::light_throttle): at an eighth of the accelerator, most cars then change up at 1800 to
    /// 2400 1/min. Service manuals state 1650 to 2250 1/min for a Chevrolet Malibu of 2009 and 1000 1/min for a Cadillac SLS at an
    /// eighth of the throttle, 3000 to 3900 and 1250 to 1450 at a quarter (GM, shift speeds at 12.5 and 25 % throttle position, times
    /// the ratios of 6T40 and 6L50).
    pub const LIGHT_THROTTLE: f32 = 0.2;

    /// Engine speed above which `gear` changes up; infinite if it never does.
    pub(crate) fn up_threshold(&self, gear: Gear) -> f32 {
        match usize::try_from(gear.0) {
            Ok(0) => self.neutral_up,
            Ok(forward) => self.up.get(forward - 1).copied().unwrap_or(f32::INFINITY),
            Err(_) => f32::INFINITY,
        }
    }

    /// Engine speed below which `gear` changes down; negatively infinite if it never does.
    pub(crate) fn down_threshold(&self, gear: Gear) -> f32 {
        match usize::try_from(gear.0) {
            Ok(forward) if forward > 1 => self
                .down
                .get(forward - 1)
                .copied()
                .unwrap_or(f32::NEG_INFINITY),
            _ => f32::NEG_INFINITY,
        }
    }

    /// Reports a fault unless there is one threshold per forward gear.
    pub(crate) fn check_gears(&self, forward_gears: usize, i: &mut Inspector) {
        for (name, thresholds) in [("up", &self.up), ("down", &self.down)] {
            let count = thresholds.len();
            let rule = format!("there must be one per forward gear, {forward_gears}");
            i.rule(count == forward_gears, name, count, "thresholds", rule);
        }
    }
}

impl Check for AutoboxParams {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("neutral_up", self.neutral_up, "");
        for (name, thresholds) in [("up", &self.up), ("down", &self.down)] {
            for (n, threshold) in thresholds.iter().enumerate() {
                i.not_negative(&format!("{name}[{n}]"), *threshold, "");
            }
        }
        i.not_negative("latency", self.latency, "s");
        i.within_range("light_throttle", self.light_throttle, 0.0, 1.0, "");
    }
}

#[cfg(test)]
mod tests;
