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
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;
    use vehicle_core::Checked;

    const TICK: Tick = Tick {
        duration: 0.1,
        exact: false,
    };

    /// PhysX's order.
    fn process(gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) {
        gearbox.start(state, tick);
        gearbox.advance(state, tick);
    }

    fn in_gear(gear: i8) -> DriveState {
        let mut state = DriveState::default();
        state.force_gear(Gear(gear));
        state
    }

    #[rstest]
    #[case(-2, 0.0)]
    #[case(-1, -16.0)]
    #[case(0, 0.0)]
    #[case(1, 16.0)]
    #[case(5, 4.0)]
    #[case(6, 0.0)]
    #[case(-128, 0.0)]
    fn ratios(#[case] gear: i8, #[case] expected: f32) {
        assert_eq!(GearboxParams::physx().ratio(Gear(gear)), expected);
    }

    #[rstest]
    #[case::up(GearCommand::Up, 1, 2)]
    #[case::up_from_reverse(GearCommand::Up, -1, 1)]
    #[case::up_from_neutral(GearCommand::Up, 0, 1)]
    #[case::down(GearCommand::Down, 3, 2)]
    #[case::down_from_first(GearCommand::Down, 1, -1)]
    #[case::down_from_neutral(GearCommand::Down, 0, -1)]
    fn a_change_leads_through_neutral(
        #[case] command: GearCommand,
        #[case] from: i8,
        #[case] to: i8,
    ) {
        let (gearbox, mut state) = (GearboxParams::physx(), in_gear(from));
        gearbox.command(command, &mut state, TICK);
        assert!(gearbox.request_waits(&state));
        let mut steps = 0;
        while state.gear != Gear(to) {
            process(&gearbox, &mut state, TICK);
            steps += 1;
            assert!(state.gear == Gear::NEUTRAL || state.gear == Gear(to));
        }
        assert!((6..=8).contains(&steps), "{steps}");
        assert!(!state.gear_up && !state.gear_down && state.switch_time == 0.0);
    }

    #[rstest]
    #[case::top(GearCommand::Up, 5)]
    #[case::reverse(GearCommand::Down, -1)]
    fn at_the_end_a_request_waits_until_it_is_withdrawn(
        #[case] command: GearCommand,
        #[case] gear: i8,
    ) {
        let (gearbox, mut state) = (GearboxParams::physx(), in_gear(gear));
        gearbox.command(command, &mut state, TICK);
        process(&gearbox, &mut state, TICK);
        assert_eq!(state.gear, Gear(gear));
        assert!((state.gear_up || state.gear_down) && !gearbox.request_waits(&state));
        gearbox.command(GearCommand::Cancel, &mut state, TICK);
        assert!(!state.gear_up && !state.gear_down);
    }

    #[test]
    fn engaging_keeps_the_present_gear_until_the_time_is_over() {
        let (gearbox, mut state) = (GearboxParams::physx(), in_gear(1));
        for _ in 0..6 {
            gearbox.command(GearCommand::Engage(Gear(3)), &mut state, TICK);
            process(&gearbox, &mut state, TICK);
            assert_eq!((state.gear, state.target_gear), (Gear(1), Gear(3)));
        }
        process(&gearbox, &mut state, TICK);
        process(&gearbox, &mut state, TICK);
        assert_eq!(state.gear, Gear(3));
    }

    #[rstest]
    #[case::down_from_first(GearCommand::Down, 1, -1)]
    #[case::down_in_reverse(GearCommand::Down, -1, -2)]
    #[case::up_in_reverse(GearCommand::Up, -3, -2)]
    #[case::up_from_reverse(GearCommand::Up, -1, 1)]
    fn reverse_gears_come_one_by_one(
        #[case] command: GearCommand,
        #[case] from: i8,
        #[case] to: i8,
    ) {
        let gearbox = GearboxParams {
            reverse: vec![-4.0, -2.5, -1.5],
            ..GearboxParams::physx()
        };
        let mut state = in_gear(from);
        gearbox.command(command, &mut state, TICK);
        process(&gearbox, &mut state, TICK);
        assert_eq!(state.target_gear, Gear(to));
        assert_eq!(gearbox.ratio(Gear(-2)), -10.0);
    }

    #[test]
    fn by_physx_5_every_change_leads_through_neutral_and_none_waits() {
        let gearbox = GearboxParams {
            rules: DriveRules::Physx5,
            ..GearboxParams::physx()
        };
        let mut state = in_gear(1);
        for (gear, target) in [(3, 3), (5, 3)] {
            gearbox.command(GearCommand::Engage(Gear(gear)), &mut state, TICK);
            process(&gearbox, &mut state, TICK);
            assert_eq!((state.gear, state.target_gear), (Gear(0), Gear(target)));
        }
        // 0.5 s: the tick of the beginning counts nothing, and time must be beyond.
        for _ in 0..5 {
            assert_eq!(state.gear, Gear::NEUTRAL);
            process(&gearbox, &mut state, TICK);
        }
        assert_eq!(state.gear, Gear(3));
    }

    #[test]
    fn without_reverse_first_goes_down_to_neutral() {
        let gearbox = GearboxParams {
            reverse: vec![],
            ..GearboxParams::physx()
        };
        let mut state = in_gear(1);
        gearbox.command(GearCommand::Down, &mut state, TICK);
        process(&gearbox, &mut state, TICK);
        assert_eq!(state, in_gear(0));
    }

    #[test]
    fn every_fault_is_found() {
        let bad = GearboxParams {
            reverse: vec![4.0],
            forward: vec![2.0, 3.0, -1.0],
            final_ratio: 0.0,
            switch_time: f32::NAN,
            rules: DriveRules::Physx4,
        };
        assert_eq!(Checked::new(bad).unwrap_err().0.len(), 5);
        assert!(Checked::new(GearboxParams::physx()).is_ok());
    }

    proptest! {
        #[test]
        fn the_gear_never_leaves_its_range(
            lever in proptest::collection::vec((0..5_u8, any::<i8>(), 0.0..0.4_f32), 1..200),
            exact in any::<bool>(),
        ) {
            let (gearbox, mut state) = (GearboxParams::physx(), in_gear(0));
            for (kind, gear, duration) in lever {
                let command = match kind {
                    0 => GearCommand::Hold,
                    1 => GearCommand::Up,
                    2 => GearCommand::Down,
                    3 => GearCommand::Engage(Gear(gear)),
                    _ => GearCommand::Cancel,
                };
                let tick = Tick { duration, exact };
                gearbox.command(command, &mut state, tick);
                process(&gearbox, &mut state, tick);
                for gear in [state.gear, state.target_gear] {
                    prop_assert!(gear >= gearbox.lowest() && gear <= gearbox.highest());
                }
                prop_assert!(state.switch_time <= gearbox.switch_time + 0.4);
            }
        }
    }
}
