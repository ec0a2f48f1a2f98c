//! The autobox: when to change gears (PhysX 4.1 vehicle SDK, ALGORITHMS §4.2; PhysX 5 `vehicle2`,
//! §7.5).

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::Tick;
use vehicle_core::{Check, DriveState, Gear, Inspector, scaled};

/// Parameters of an autobox. Engine speeds are parts of the engine's greatest speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoboxParams {
    /// Above this engine speed neutral changes to first [−], ≥ 0; by PhysX 5's rules it does so at
    /// any.
    pub neutral_up: f32,
    /// Above this engine speed a forward gear changes up [−], ≥ 0; first gear first, one per gear.
    /// That of the top gear only restarts the latency.
    pub up: Vec<f32>,
    /// Below this engine speed a forward gear changes down [−], ≥ 0; first gear first, one per
    /// gear. First gear never changes down.
    pub down: Vec<f32>,
    /// Least time between two changes [s], ≥ 0.
    pub latency: f32,
}

impl AutoboxParams {
    /// PhysX's default autobox (ALGORITHMS §4.1) for so many forward gears.
    #[must_use]
    pub fn physx(forward_gears: usize) -> Self {
        Self {
            neutral_up: 0.15,
            up: vec![0.65; forward_gears],
            down: vec![0.5; forward_gears],
            latency: 2.0,
        }
    }

    /// Requests a change of gears at this engine speed over the greatest engine speed, and
    /// returns the throttle that is left: 0 while the gearbox is between two gears.
    ///
    /// Comes before [`GearboxParams::start`](crate::GearboxParams::start), once per tick. The timer
    /// of the latency runs until the latency is over; PhysX's also while gears change.
    pub fn update(
        &self,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        let changing = state.gear != state.target_gear;
        let between = changing && state.gear == Gear::NEUTRAL;
        if tick.exact && state.autobox_time <= self.latency {
            state.autobox_time += tick.duration;
        }
        if !changing && state.autobox_time > self.latency {
            let up = relative_speed > self.up_threshold(state.gear);
            let down = relative_speed < self.down_threshold(state.gear);
            if up || down {
                (state.gear_up, state.gear_down) = (up, down);
                state.autobox_time = tick.head_start(state.autobox_time - self.latency);
            }
        } else if !tick.exact {
            state.autobox_time += tick.duration;
        }
        if between { 0.0 } else { throttle }
    }

    /// The same by PhysX 5's rules ([`DriveRules::Physx5`](crate::DriveRules::Physx5)): it changes
    /// out of neutral and reverse at once, and cuts the throttle of the tick, too, in which it asks
    /// for a change. What it has asked for is known by the request that waits.
    pub fn update_physx5(
        &self,
        relative_speed: f32,
        throttle: f32,
        state: &mut DriveState,
        tick: Tick,
    ) -> f32 {
        if state.gear != state.target_gear {
            state.autobox_time += tick.duration;
            let asked = state.gear_up || state.gear_down;
            return if asked { 0.0 } else { throttle };
        }
        if tick.exact && state.autobox_time <= self.latency {
            state.autobox_time += tick.duration;
        }
        let (up, down) = if state.gear <= Gear::NEUTRAL {
            (true, false)
        } else if state.autobox_time > self.latency {
            let top = usize::try_from(state.gear.0).is_ok_and(|gear| gear >= self.up.len());
            let up = !top && relative_speed > self.up_threshold(state.gear);
            let down = relative_speed < self.down_threshold(state.gear);
            (up && !down, down)
        } else {
            if !tick.exact {
                state.autobox_time += tick.duration;
            }
            (false, false)
        };
        if !up && !down {
            return throttle;
        }
        (state.gear_up, state.gear_down) = (up, down);
        state.autobox_time = tick.head_start(state.autobox_time - self.latency);
        0.0
    }

    /// What PhysX 5's rules have the autobox do while it may not change gears: it forgets the change
    /// that it has asked for, and comes at once when it may again.
    pub fn rest(state: &mut DriveState) {
        state.autobox_time = f32::MAX;
        if state.gear != state.target_gear {
            (state.gear_up, state.gear_down) = (false, false);
        }
    }

    /// Engine speed above which `gear` changes up; infinite if it never does.
    fn up_threshold(&self, gear: Gear) -> f32 {
        match usize::try_from(gear.0) {
            Ok(0) => self.neutral_up,
            Ok(forward) => self.up.get(forward - 1).copied().unwrap_or(f32::INFINITY),
            Err(_) => f32::INFINITY,
        }
    }

    /// Engine speed below which `gear` changes down; negatively infinite if it never does.
    fn down_threshold(&self, gear: Gear) -> f32 {
        match usize::try_from(gear.0) {
            Ok(forward) if forward > 1 => self
                .down
                .get(forward - 1)
                .copied()
                .unwrap_or(f32::NEG_INFINITY),
            _ => f32::NEG_INFINITY,
        }
    }

    /// Reports a fault unless there is one threshold for each of so many forward gears.
    pub(crate) fn check_gears(&self, forward_gears: usize, i: &mut Inspector) {
        for (name, thresholds) in [("up", &self.up), ("down", &self.down)] {
            let count = thresholds.len();
            let rule = format!("there must be one per forward gear, {forward_gears}");
            i.rule(count == forward_gears, name, count, "thresholds", rule);
        }
    }
}

scaled!(AutoboxParams {
    neutral_up: same,
    up: same,
    down: same,
    latency: same,
});

impl Check for AutoboxParams {
    fn check(&self, i: &mut Inspector) {
        i.not_negative("neutral_up", self.neutral_up, "");
        for (name, thresholds) in [("up", &self.up), ("down", &self.down)] {
            for (n, threshold) in thresholds.iter().enumerate() {
                i.not_negative(&format!("{name}[{n}]"), *threshold, "");
            }
        }
        i.not_negative("latency", self.latency, "s");
    }
}

#[cfg(test)]
mod tests;
