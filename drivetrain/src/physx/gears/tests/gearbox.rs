//! A gearbox under each logic.

use super::*;
use alloc::vec;
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::GearCommand;

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
#[case::up(GearCommand::Up, 1, 2)]
#[case::up_from_reverse(GearCommand::Up, -1, 1)]
#[case::up_from_neutral(GearCommand::Up, 0, 1)]
#[case::down(GearCommand::Down, 3, 2)]
#[case::down_from_first(GearCommand::Down, 1, -1)]
#[case::down_from_neutral(GearCommand::Down, 0, -1)]
fn a_change_leads_through_neutral(#[case] command: GearCommand, #[case] from: i8, #[case] to: i8) {
    let (gearbox, mut state) = (GearboxParams::physx(), in_gear(from));
    gearbox.command(command, &mut state, TICK);
    assert!(gearbox.request_waits(&state));
    let mut steps = 0;
    while state.gear != Gear(to) && steps < 20 {
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
fn the_lever_steps_through_reverse_gears(
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
fn in_physx_5_every_change_passes_through_neutral_and_none_waits() {
    let gearbox = GearboxParams {
        logic: DriveLogic::PHYSX_5,
        ..GearboxParams::physx()
    };
    let mut state = in_gear(1);
    for (gear, target) in [(3, 3), (5, 3)] {
        gearbox.command(GearCommand::Engage(Gear(gear)), &mut state, TICK);
        process(&gearbox, &mut state, TICK);
        assert_eq!((state.gear, state.target_gear), (Gear(0), Gear(target)));
    }
    // 0.5 s: the first tick does not count, and the time must be exceeded.
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

proptest! {
    #[test]
    fn the_gear_never_leaves_its_range(
        gear_request in proptest::collection::vec((0..5_u8, any::<i8>(), 0.0..0.4_f32), 1..200),
        exact in any::<bool>(),
    ) {
        let (gearbox, mut state) = (GearboxParams::physx(), in_gear(0));
        for (kind, gear, duration) in gear_request {
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

/// A quarter of a second, whose multiples are exact.
fn quarter(exact: bool) -> Tick {
    Tick {
        duration: 0.25,
        exact,
    }
}

/// Advances a gearbox as a drive does in a step: exact ticks advance before they start.
fn step(gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) {
    if tick.exact {
        gearbox.advance(state, tick);
        gearbox.start(state, tick);
    } else {
        process(gearbox, state, tick);
    }
}

/// Steps until the change is over.
fn steps_of_change(gearbox: &GearboxParams, state: &mut DriveState, tick: Tick) -> u8 {
    let mut steps = 0;
    while steps == 0 || (state.gear != state.target_gear && steps < 20) {
        step(gearbox, state, tick);
        steps += 1;
    }
    steps
}

fn ruled(logic: DriveLogic, switch_time: f32) -> GearboxParams {
    GearboxParams {
        switch_time,
        rev_matching: true,
        logic,
        ..GearboxParams::physx()
    }
}

/// The starting step, one step per tick of the switch time, and the one beyond it; an exact change takes its time, and at
/// least one step after that which starts it.
#[rstest]
fn a_change_ends_when_its_time_is_over(
    #[values(DriveLogic::PHYSX_4, DriveLogic::PHYSX_5)] logic: DriveLogic,
    #[values(false, true)] exact: bool,
    #[values(GearCommand::Up, GearCommand::Down)] gear_request: GearCommand,
    #[values(0, 1, 4)] ticks: u8,
) {
    let gearbox = ruled(logic, 0.25 * f32::from(ticks));
    let (mut state, tick) = (in_gear(3), quarter(exact));
    gearbox.command(gear_request, &mut state, tick);
    let (steps, over) = if exact {
        (ticks.max(1) + 1, if ticks == 0 { 0.25 } else { 0.0 })
    } else {
        (ticks + 2, 0.0)
    };
    assert_eq!(steps_of_change(&gearbox, &mut state, tick), steps);
    assert_eq!(state.switch_time, over);
}

#[rstest]
fn a_gear_engaged_during_a_change_restarts_the_time(
    #[values(false, true)] exact: bool,
    #[values(GearCommand::Engage(Gear(3)), GearCommand::Up)] first: GearCommand,
    #[values(1, 2, 3)] steps_before: u8,
) {
    let (gearbox, tick) = (ruled(DriveLogic::PHYSX_4, 1.0), quarter(exact));
    let mut state = in_gear(1);
    gearbox.command(first, &mut state, tick);
    (0..steps_before).for_each(|_| step(&gearbox, &mut state, tick));
    let gear = state.gear;
    gearbox.command(GearCommand::Engage(Gear(5)), &mut state, tick);
    assert_eq!((state.gear, state.target_gear), (gear, Gear(5)));
    assert_eq!(state.switch_time, 0.0, "the time of the previous change");
    let mut fresh = in_gear(1);
    gearbox.command(GearCommand::Engage(Gear(5)), &mut fresh, tick);
    let expected = steps_of_change(&gearbox, &mut fresh, tick);
    assert_eq!(steps_of_change(&gearbox, &mut state, tick), expected);
    assert_eq!((state.gear, fresh.gear), (Gear(5), Gear(5)));
}

#[rstest]
#[case::of_exact_ticks(true, 0.1, 0.1)]
#[case::of_a_tick_at_most(true, 0.7, 0.25)]
#[case::of_physx(false, 0.1, 0.0)]
fn a_gear_engaged_after_a_change_has_its_head_start(
    #[case] exact: bool,
    #[case] over: f32,
    #[case] expected: f32,
) {
    let (gearbox, mut state) = (GearboxParams::physx(), in_gear(1));
    state.switch_time = over;
    gearbox.command(GearCommand::Engage(Gear(4)), &mut state, quarter(exact));
    assert_eq!(state.switch_time, expected);
}

#[rstest]
fn engaging_the_current_or_next_gear_changes_nothing(
    #[values(DriveLogic::PHYSX_4, DriveLogic::PHYSX_5)] logic: DriveLogic,
    #[values(false, true)] exact: bool,
    #[values((3, 3), (0, 3), (1, 3))] (gear, target): (i8, i8),
) {
    let mut state = in_gear(target);
    (state.gear, state.switch_time) = (Gear(gear), 0.3);
    let before = state;
    let gearbox = ruled(logic, 0.5);
    gearbox.command(GearCommand::Engage(Gear(3)), &mut state, quarter(exact));
    assert_eq!(state, before);
}

#[rstest]
fn a_request_during_a_change_starts_nothing(
    #[values(0, 2)] gear: i8,
    #[values(GearCommand::Up, GearCommand::Down)] gear_request: GearCommand,
) {
    let (gearbox, mut state) = (GearboxParams::physx(), in_gear(4));
    (state.gear, state.switch_time) = (Gear(gear), 0.3);
    gearbox.command(gear_request, &mut state, TICK);
    let before = state;
    gearbox.start(&mut state, TICK);
    assert_eq!(state, before);
}

#[rstest]
#[case::nothing_asked(GearCommand::Hold, 2)]
#[case::up_at_the_top(GearCommand::Up, 5)]
#[case::down_at_the_bottom(GearCommand::Down, -1)]
fn a_change_that_cannot_start_alters_nothing(#[case] gear_request: GearCommand, #[case] gear: i8) {
    let (gearbox, mut state) = (GearboxParams::physx(), in_gear(gear));
    state.switch_time = 0.2;
    gearbox.command(gear_request, &mut state, TICK);
    assert!(!gearbox.request_waits(&state));
    let before = state;
    process(&gearbox, &mut state, TICK);
    assert_eq!(state, before);
}
