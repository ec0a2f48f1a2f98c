//! The gearbox: ratios, and how a change of gears goes on (PhysX 4.1 vehicle SDK, ALGORITHMS
//! §4.3; PhysX 5 `vehicle2`, §7.5).

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::Tick;
use vehicle_core::{Check, DriveState, Gear, GearCommand, Inspector, scaled};

use crate::rules::DriveRules;

/// Parameters of a gearbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GearboxParams {
    /// Ratios of reverse gears, first reverse first [−], < 0.
    pub reverse: Vec<f32>,
    /// Ratios of forward gears, first gear first [−], > 0, each below the one before.
    pub forward: Vec<f32>,
    /// Ratio of the final drive, a factor to every other [−], > 0.
    pub final_ratio: f32,
    /// How long a change of gears takes [s], ≥ 0.
    pub switch_time: f32,
    /// Whose rules the gears follow.
    #[serde(default)]
    pub rules: DriveRules,
}

/// The time of a change [s] of which no tick has passed yet: by PhysX 5's rules, its first does not
/// count.
const BEGINS: f32 = -1.0;

impl GearboxParams {
    /// Most gears in one direction.
    pub const CAPACITY: usize = 30;

    /// PhysX's default gearbox (ALGORITHMS §4.1).
    #[must_use]
    pub fn physx() -> Self {
        Self {
            reverse: vec![-4.0],
            forward: vec![4.0, 2.0, 1.5, 1.1, 1.0],
            final_ratio: 4.0,
            switch_time: 0.5,
            rules: DriveRules::Physx4,
        }
    }

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

    /// The gear, or the nearest that there is.
    #[must_use]
    pub fn nearest(&self, gear: Gear) -> Gear {
        gear.clamp(self.lowest(), self.highest())
    }

    fn count(ratios: &[f32]) -> i8 {
        i8::try_from(ratios.len()).unwrap_or(i8::MAX)
    }

    /// Total ratio, engine speed over wheel speed [−]; 0 in neutral and for gears that there are
    /// not.
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

    /// Notes what the driver asks of the lever. A request for one gear up or down waits until it
    /// can be carried out; the later of two requests counts. `Engage` keeps the present gear in
    /// until the switch time is over (not by PhysX 5's rules), and a gear that there is not means
    /// the nearest.
    #[inline]
    pub fn command(&self, command: GearCommand, state: &mut DriveState, tick: Tick) {
        match command {
            GearCommand::Hold => {}
            GearCommand::Up => (state.gear_up, state.gear_down) = (true, false),
            GearCommand::Down => (state.gear_up, state.gear_down) = (false, true),
            GearCommand::Cancel => (state.gear_up, state.gear_down) = (false, false),
            GearCommand::Engage(gear) => {
                let gear = self.nearest(gear);
                let settled = state.gear == state.target_gear;
                if self.rules == DriveRules::Physx5 {
                    if settled && state.gear != gear {
                        self.begin(state, gear, tick);
                    }
                } else if state.target_gear != gear {
                    let over = if settled { state.switch_time } else { 0.0 };
                    state.switch_time = tick.head_start(over);
                    state.target_gear = gear;
                }
            }
        }
    }

    /// Starts the change that is asked for.
    #[inline]
    pub fn start(&self, state: &mut DriveState, tick: Tick) {
        if !(state.gear_up || state.gear_down) {
            return;
        }
        let (lowest, highest) = (self.lowest(), self.highest());
        if state.gear_up && state.gear < highest && state.gear == state.target_gear {
            // Through the reverse gears one by one, and from the first of them into first.
            let above = if state.gear < Gear::REVERSE {
                state.gear.0 + 1
            } else {
                state.gear.0.max(0) + 1
            };
            self.begin(state, Gear(above), tick);
        }
        if state.gear_down && state.gear > lowest && state.gear == state.target_gear {
            let below = if state.gear == Gear::FIRST {
                -1
            } else {
                state.gear.0 - 1
            };
            self.begin(state, Gear(below).max(lowest), tick);
        }
    }

    /// Goes on with the change that has begun. PhysX does so after [`start`](Self::start), PhysX 5
    /// within its substeps; exact ticks do so before, so that the next change can start as this one
    /// is over. A change takes one tick at least.
    pub fn advance(&self, state: &mut DriveState, tick: Tick) {
        if state.gear == state.target_gear {
            return;
        }
        let counts_first = tick.exact || self.rules == DriveRules::Physx5;
        if state.switch_time == BEGINS {
            state.switch_time = 0.0;
        } else if counts_first {
            state.switch_time += tick.duration;
        }
        if state.switch_time > self.switch_time {
            state.gear = state.target_gear;
            state.switch_time = tick.head_start(state.switch_time - self.switch_time);
            (state.gear_up, state.gear_down) = (false, false);
        } else if !counts_first {
            state.switch_time += tick.duration;
        }
    }

    /// A change leads through neutral; one that leads to neutral is over at once.
    fn begin(&self, state: &mut DriveState, target: Gear, tick: Tick) {
        state.target_gear = target;
        state.gear = Gear::NEUTRAL;
        state.switch_time = if self.rules == DriveRules::Physx5 && !tick.exact {
            BEGINS
        } else {
            tick.head_start(state.switch_time)
        };
        if target == Gear::NEUTRAL {
            (state.gear_up, state.gear_down) = (false, false);
        }
    }

    /// Whether a request waits that the gearbox can carry out.
    #[must_use]
    pub fn request_waits(&self, state: &DriveState) -> bool {
        (state.gear_up && state.gear < self.highest())
            || (state.gear_down && state.gear > self.lowest())
    }
}

scaled!(GearboxParams {
    reverse: same,
    forward: same,
    final_ratio: same,
    switch_time: same,
    rules: same,
});

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
        i.not_negative("switch_time", self.switch_time, "s");
    }
}

#[cfg(test)]
mod tests;
