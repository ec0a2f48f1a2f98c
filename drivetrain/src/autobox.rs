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
mod tests {
    use super::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    use crate::gearbox::GearboxParams;
    use crate::rules::DriveRules;

    const TICK: Tick = Tick {
        duration: 0.25,
        exact: false,
    };

    fn in_gear(gear: i8) -> DriveState {
        let mut state = DriveState {
            autobox_time: 3.0,
            ..DriveState::default()
        };
        state.force_gear(Gear(gear));
        state
    }

    #[rstest]
    #[case::fast(2, 0.7, true, false)]
    #[case::slow(2, 0.4, false, true)]
    #[case::fine(2, 0.6, false, false)]
    #[case::first_stays_at_low_speed(1, 0.1, false, false)]
    #[case::neutral_idles(0, 0.1, false, false)]
    #[case::neutral_goes_up(0, 0.2, true, false)]
    #[case::reverse_stays(-1, 0.9, false, false)]
    fn requests(#[case] gear: i8, #[case] speed: f32, #[case] up: bool, #[case] down: bool) {
        let mut state = in_gear(gear);
        AutoboxParams::physx(5).update(speed, 1.0, &mut state, TICK);
        assert_eq!((state.gear_up, state.gear_down), (up, down));
        let expected = if up || down { 0.0 } else { 3.0 };
        assert_eq!(state.autobox_time, expected);
    }

    #[rstest]
    #[case::fast(2, 0.7, 0.0, 3)]
    #[case::slow(2, 0.4, 0.0, 1)]
    #[case::fine(2, 0.6, 1.0, 2)]
    #[case::top(5, 0.9, 1.0, 5)]
    #[case::neutral(0, 0.0, 0.0, 1)]
    #[case::reverse(-1, 0.0, 0.0, 1)]
    fn by_physx_5_the_first_change_comes_at_once(
        #[case] gear: i8,
        #[case] speed: f32,
        #[case] throttle: f32,
        #[case] target: i8,
        #[values(false, true)] exact: bool,
    ) {
        let gearbox = GearboxParams {
            rules: DriveRules::Physx5,
            ..GearboxParams::physx()
        };
        let mut state = in_gear(gear);
        AutoboxParams::rest(&mut state);
        let tick = Tick { exact, ..TICK };
        let autobox = AutoboxParams::physx(5);
        let left = autobox.update_physx5(speed, 1.0, &mut state, tick);
        assert_eq!(left, throttle);
        gearbox.start(&mut state, tick);
        assert_eq!(state.target_gear, Gear(target));
        if target != gear {
            gearbox.advance(&mut state, tick);
            assert_eq!(autobox.update_physx5(speed, 1.0, &mut state, tick), 0.0);
            assert!(state.autobox_time >= 0.25 && state.autobox_time <= 0.5);
        }
    }

    #[test]
    fn the_latency_must_pass_first() {
        let mut state = in_gear(2);
        state.autobox_time = 1.0;
        AutoboxParams::physx(5).update(0.7, 1.0, &mut state, TICK);
        assert!(!state.gear_up);
        assert_eq!(state.autobox_time, 1.25);
    }

    #[test]
    fn exact_ticks_count_before_they_look_and_hand_the_rest_on() {
        let autobox = AutoboxParams::physx(5);
        let tick = Tick {
            exact: true,
            ..TICK
        };
        let mut state = in_gear(2);
        state.autobox_time = 1.9;
        autobox.update(0.6, 1.0, &mut state, tick);
        assert_eq!((state.gear_up, state.autobox_time), (false, 2.15));
        autobox.update(0.7, 1.0, &mut state, tick);
        assert!(state.gear_up && (state.autobox_time - 0.15).abs() < 1e-6);
    }

    #[test]
    fn the_throttle_is_cut_between_gears_only() {
        let autobox = AutoboxParams::physx(5);
        let mut between = in_gear(0);
        between.target_gear = Gear(2);
        assert_eq!(autobox.update(0.7, 0.8, &mut between, TICK), 0.0);
        let mut engaging = in_gear(1);
        engaging.target_gear = Gear(3);
        assert_eq!(autobox.update(0.7, 0.8, &mut engaging, TICK), 0.8);
    }

    #[test]
    fn a_bad_threshold_is_named() {
        let mut bad = AutoboxParams::physx(3);
        bad.down[1] = -0.5;
        assert_eq!(Checked::new(bad).unwrap_err().0[0].path, "down[1]");
    }
}
