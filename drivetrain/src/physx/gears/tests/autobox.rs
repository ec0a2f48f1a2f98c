//! An autobox under each logic.

use super::*;
use alloc::vec;
use rstest::rstest;

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
    AutoboxParams::physx(5).update(DriveLogic::PHYSX_4, speed, 1.0, &mut state, TICK);
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
fn in_physx_5_the_first_change_comes_at_once(
    #[case] gear: i8,
    #[case] speed: f32,
    #[case] throttle: f32,
    #[case] target: i8,
    #[values(false, true)] exact: bool,
) {
    let gearbox = GearboxParams {
        logic: DriveLogic::PHYSX_5,
        ..GearboxParams::physx()
    };
    let mut state = in_gear(gear);
    AutoboxParams::rest(&mut state);
    let tick = Tick { exact, ..TICK };
    let autobox = AutoboxParams::physx(5);
    let left = autobox.update(DriveLogic::PHYSX_5, speed, 1.0, &mut state, tick);
    assert_eq!(left, throttle);
    gearbox.start(&mut state, tick);
    assert_eq!(state.target_gear, Gear(target));
    if target != gear {
        gearbox.advance(&mut state, tick);
        assert_eq!(
            autobox.update(DriveLogic::PHYSX_5, speed, 1.0, &mut state, tick),
            0.0
        );
        assert!(state.autobox_time >= 0.25 && state.autobox_time <= 0.5);
    }
}

#[test]
fn the_latency_must_pass_first() {
    let mut state = in_gear(2);
    state.autobox_time = 1.0;
    AutoboxParams::physx(5).update(DriveLogic::PHYSX_4, 0.7, 1.0, &mut state, TICK);
    assert!(!state.gear_up);
    assert_eq!(state.autobox_time, 1.25);
}

#[test]
fn the_throttle_is_cut_between_gears_only() {
    let autobox = AutoboxParams::physx(5);
    let mut between = in_gear(0);
    between.target_gear = Gear(2);
    assert_eq!(
        autobox.update(DriveLogic::PHYSX_4, 0.7, 0.8, &mut between, TICK),
        0.0
    );
    let mut engaging = in_gear(1);
    engaging.target_gear = Gear(3);
    assert_eq!(
        autobox.update(DriveLogic::PHYSX_4, 0.7, 0.8, &mut engaging, TICK),
        0.8
    );
}

#[rstest]
#[case::at_the_upper_threshold(2, 0.65)]
#[case::at_the_lower_threshold(2, 0.5)]
#[case::neutral(0, 0.15)]
fn nothing_is_requested_at_a_threshold(#[case] gear: i8, #[case] speed: f32) {
    let (autobox, mut state) = (AutoboxParams::physx(5), in_gear(gear));
    assert_eq!(
        autobox.update(DriveLogic::PHYSX_4, speed, 0.7, &mut state, TICK),
        0.7
    );
    assert!(!state.gear_up && !state.gear_down);
    if gear > 0 {
        assert_eq!(
            autobox.update(DriveLogic::PHYSX_5, speed, 0.7, &mut state, TICK),
            0.7
        );
        assert!(!state.gear_up && !state.gear_down);
    }
}

/// Each gear has thresholds of its own.
#[rstest]
#[case::first_up(1, 0.35, true, false)]
#[case::first_never_down(1, 0.0, false, false)]
#[case::second_down(2, 0.25, false, true)]
#[case::second_stays(2, 0.45, false, false)]
#[case::third_stays(3, 0.65, false, false)]
#[case::third_down(3, 0.45, false, true)]
fn a_gear_has_its_own_thresholds(
    #[case] gear: i8,
    #[case] speed: f32,
    #[case] up: bool,
    #[case] down: bool,
) {
    let autobox = AutoboxParams {
        up: vec![0.3, 0.5, 0.7],
        down: vec![0.1, 0.3, 0.5],
        ..AutoboxParams::physx(3)
    };
    let (mut four, mut five) = (in_gear(gear), in_gear(gear));
    autobox.update(DriveLogic::PHYSX_4, speed, 1.0, &mut four, TICK);
    let left = autobox.update(DriveLogic::PHYSX_5, speed, 1.0, &mut five, TICK);
    for state in [four, five] {
        assert_eq!((state.gear_up, state.gear_down), (up, down));
    }
    assert_eq!(left, if up || down { 0.0 } else { 1.0 });
}

#[test]
fn in_physx_5_down_comes_before_up() {
    let autobox = AutoboxParams {
        up: vec![0.3; 3],
        down: vec![0.5; 3],
        ..AutoboxParams::physx(3)
    };
    let mut state = in_gear(2);
    autobox.update(DriveLogic::PHYSX_5, 0.4, 1.0, &mut state, TICK);
    assert_eq!((state.gear_up, state.gear_down), (false, true));
}

/// A timer that compares before it counts needs one more call.
#[rstest]
fn the_first_call_beyond_the_latency_requests(
    #[values(false, true)] physx5: bool,
    #[values(false, true)] exact: bool,
    #[values(0, 1, 6)] ticks: u8,
) {
    let autobox = AutoboxParams {
        latency: 0.25 * f32::from(ticks),
        ..AutoboxParams::physx(5)
    };
    let tick = Tick { exact, ..TICK };
    let mut state = in_gear(2);
    state.autobox_time = 0.0;
    let mut calls = 0;
    while !state.gear_up {
        calls += 1;
        if physx5 {
            autobox.update(DriveLogic::PHYSX_5, 0.7, 1.0, &mut state, tick);
        } else {
            autobox.update(DriveLogic::PHYSX_4, 0.7, 1.0, &mut state, tick);
        }
        assert!(calls < 20 && !state.gear_down);
    }
    assert_eq!(calls, if exact { ticks + 1 } else { ticks + 2 });
    assert_eq!(state.autobox_time, if exact { 0.25 } else { 0.0 });
}

#[rstest]
#[case::exact(true, 3.0)]
#[case::physx(false, 3.25)]
fn the_timer_runs_during_a_change(#[case] exact: bool, #[case] expected: f32) {
    let tick = Tick { exact, ..TICK };
    let mut state = in_gear(1);
    state.target_gear = Gear(2);
    AutoboxParams::physx(5).update(DriveLogic::PHYSX_4, 0.9, 1.0, &mut state, tick);
    assert!(!state.gear_up && !state.gear_down);
    assert_eq!(state.autobox_time, expected);
}

#[rstest]
#[case::within_the_latency(1.0, 1.25)]
#[case::at_its_end(2.0, 2.25)]
#[case::beyond(2.25, 2.25)]
fn an_exact_time_stops_when_the_latency_is_over(#[case] before: f32, #[case] after: f32) {
    let tick = Tick {
        exact: true,
        ..TICK
    };
    let autobox = AutoboxParams::physx(5);
    let (mut four, mut five) = (in_gear(2), in_gear(2));
    (four.autobox_time, five.autobox_time) = (before, before);
    autobox.update(DriveLogic::PHYSX_4, 0.6, 1.0, &mut four, tick);
    autobox.update(DriveLogic::PHYSX_5, 0.6, 1.0, &mut five, tick);
    assert_eq!((four.autobox_time, five.autobox_time), (after, after));
}

/// The waiting request shows whether the driver or the autobox requested the change.
#[rstest]
fn in_physx_5_only_its_own_change_cuts_the_throttle(
    #[values(false, true)] up: bool,
    #[values(false, true)] down: bool,
) {
    let mut state = in_gear(0);
    state.target_gear = Gear(2);
    (state.gear_up, state.gear_down) = (up, down);
    let left = AutoboxParams::physx(5).update(DriveLogic::PHYSX_5, 0.6, 0.8, &mut state, TICK);
    assert_eq!(left, if up || down { 0.0 } else { 0.8 });
    assert_eq!(state.autobox_time, 3.25);
}

#[rstest]
#[case::settled(2, true)]
#[case::changing(0, false)]
fn resting_forgets_what_a_change_waits_for(#[case] gear: i8, #[case] kept: bool) {
    let mut state = in_gear(2);
    state.gear = Gear(gear);
    (state.gear_up, state.gear_down) = (true, true);
    AutoboxParams::rest(&mut state);
    assert_eq!((state.gear_up, state.gear_down), (kept, kept));
    assert_eq!(state.autobox_time, f32::MAX);
}

#[test]
fn in_physx_5_exact_ticks_carry_over_the_rest() {
    let autobox = AutoboxParams::physx(5);
    let tick = Tick {
        exact: true,
        ..TICK
    };
    let mut state = in_gear(2);
    state.autobox_time = 1.9;
    autobox.update(DriveLogic::PHYSX_5, 0.7, 1.0, &mut state, tick);
    assert!(state.gear_up && (state.autobox_time - 0.15).abs() < 1e-6);
}
