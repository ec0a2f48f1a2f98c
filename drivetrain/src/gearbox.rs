//! The gearbox: its ratios, and how long it takes to change them (PhysX 4.1 vehicle SDK, ALGORITHMS
//! §4.3; PhysX 5 `vehicle2`, §7.5).

use alloc::format;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, DriveState, Gear, Inspector};

use crate::logic::DriveLogic;

/// Parameters of a gearbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GearboxParams {
    /// Ratios of reverse gears, first reverse first, < 0.
    pub reverse: Vec<f32>,
    /// Ratios of forward gears, first gear first, > 0, each below the previous one.
    pub forward: Vec<f32>,
    /// Ratio of the final drive, multiplied with every other, > 0.
    pub final_ratio: f32,
    /// Ratios of a second gearbox in series (a range box, a splitter, a transfer case), > 0, in the order of
    /// [`Levers::range`](vehicle_core::Levers::range); none if empty.
    #[serde(default)]
    pub ranges: Vec<f32>,
    /// Duration of a gear change (`s`), ≥ 0.
    pub switch_time: f32,
    /// Whether the engine is brought to the speed of the next gear while the automatic clutch is open for a change.
    #[serde(default = "default_rev_matching")]
    pub rev_matching: bool,
    /// Rules by which gears change, and by which the driver counts as accelerating; `rules` in documents.
    #[serde(default, rename = "rules")]
    pub logic: DriveLogic,
}

const fn default_rev_matching() -> bool {
    true
}

impl GearboxParams {
    /// Maximum number of gears in one direction.
    pub const CAPACITY: usize = 30;
    /// Maximum number of ranges.
    pub const MAX_RANGES: usize = 8;

    /// The lowest gear: the last reverse gear, or neutral without one.
    #[must_use]
    pub fn lowest(&self) -> Gear {
        Gear(-Self::count(&self.reverse))
    }

    /// The highest gear.
    #[must_use]
    pub fn highest(&self) -> Gear {
        Gear(Self::count(&self.forward))
    }

    /// Returns this gear, or the nearest that exists.
    #[must_use]
    pub fn nearest(&self, gear: Gear) -> Gear {
        gear.clamp(self.lowest(), self.highest())
    }

    fn count(ratios: &[f32]) -> i8 {
        i8::try_from(ratios.len()).unwrap_or(i8::MAX)
    }

    /// Total ratio, engine speed over wheel speed; 0 in neutral and for gears that do not exist.
    #[must_use]
    pub fn ratio(&self, gear: Gear) -> f32 {
        let ratios = if gear > Gear::NEUTRAL {
            &self.forward
        } else {
            &self.reverse
        };
        let index = usize::from(gear.0.unsigned_abs()).wrapping_sub(1);
        ratios
            .get(index)
            .map_or(0.0, |ratio| ratio * self.final_ratio)
    }

    /// Ratio of a range, counted from 0; 1 without ranges.
    #[must_use]
    pub fn range_ratio(&self, range: u8) -> f32 {
        let last = self.ranges.len().saturating_sub(1);
        let ratio = self.ranges.get(usize::from(range).min(last));
        ratio.copied().unwrap_or(1.0)
    }

    /// Whether a gear request is waiting that the gearbox can carry out.
    #[must_use]
    pub fn request_waits(&self, state: &DriveState) -> bool {
        (state.gear_up && state.gear < self.highest())
            || (state.gear_down && state.gear > self.lowest())
    }
}

impl Check for GearboxParams {
    fn check(&self, i: &mut Inspector) {
        for (name, ratios, least) in [("reverse", &self.reverse, 0), ("forward", &self.forward, 1)]
        {
            let rule = format!("there must be {least} to {} gears", Self::CAPACITY);
            let count = ratios.len();
            i.rule(
                (least..=Self::CAPACITY).contains(&count),
                name,
                count,
                "gears",
                rule,
            );
        }
        for (n, ratio) in self.reverse.iter().enumerate() {
            let holds = *ratio < 0.0 && ratio.is_finite();
            i.rule(
                holds,
                &format!("reverse[{n}]"),
                ratio,
                "",
                "must be finite and < 0",
            );
        }
        for (n, ratio) in self.forward.iter().enumerate() {
            let name = format!("forward[{n}]");
            i.positive(&name, *ratio, "");
            let descends = n == 0 || *ratio < self.forward[n - 1];
            i.rule(descends, &name, ratio, "", "must be below the gear before");
        }
        i.positive("final_ratio", self.final_ratio, "");
        let (count, most) = (self.ranges.len(), Self::MAX_RANGES);
        let rule = format!("there must be at most {most}");
        i.rule(count <= most, "ranges", count, "ranges", rule);
        for (n, ratio) in self.ranges.iter().enumerate() {
            i.positive(&format!("ranges[{n}]"), *ratio, "");
        }
        i.not_negative("switch_time", self.switch_time, "s");
    }
}

#[cfg(test)]
mod tests;
