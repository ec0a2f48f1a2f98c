use super::*;
use alloc::vec;
use vehicle_core::lanes::W4;

use crate::response::Responses;

const TICK: Tick = Tick {
    duration: 0.25,
    exact: true,
};

fn gearbox() -> GearboxParams {
    GearboxParams {
        reverse: vec![-4.0],
        forward: vec![4.0, 2.0, 1.5, 1.1, 1.0],
        final_ratio: 4.0,
        ranges: vec![],
        switch_time: 0.9,
        rev_matching: true,
        logic: DriveLogic::Waiting,
    }
}

fn in_gear(gear: i8) -> DriveState {
    let mut state = DriveState::default();
    state.force_gear(Gear(gear));
    state
}

#[test]
fn an_exact_change_carries_over_its_excess_time() {
    let (gearbox, tick) = (gearbox(), TICK);
    let mut state = in_gear(1);
    for gear in 2..5 {
        let before = state.switch_time;
        gearbox.command(GearCommand::Up, &mut state, tick);
        gearbox.start(&mut state, tick);
        assert_eq!((state.target_gear, state.switch_time), (Gear(gear), before));
        (0..4).for_each(|_| gearbox.advance(&mut state, tick));
        assert_eq!(state.gear, Gear(gear));
        assert!(state.switch_time.abs() <= 0.125);
    }
    // Three changes of 0.9 s end at 2.75 s.
    approx::assert_relative_eq!(state.switch_time, 0.05, epsilon = 1e-6);
}

#[test]
fn exact_ticks_count_before_they_compare_and_carry_over_the_rest() {
    let autobox = AutoboxParams {
        neutral_up: 0.15,
        up: vec![0.65; 5],
        down: vec![0.5; 5],
        latency: 2.0,
        light_throttle: 0.5,
    };
    let tick = TICK;
    let mut state = in_gear(2);
    state.autobox_time = 1.9;
    autobox.update(DriveLogic::Waiting, 0.6, 1.0, &mut state, tick);
    assert_eq!((state.gear_up, state.autobox_time), (false, 2.15));
    autobox.update(DriveLogic::Waiting, 0.7, 1.0, &mut state, tick);
    assert!(state.gear_up && (state.autobox_time - 0.15).abs() < 1e-6);
}

/// A tick in which the autobox starts a change has no throttle: its clutch is open, and the engine free. A driver's own
/// change leaves the throttle to the driver.
#[test]
fn the_autobox_cuts_the_throttle_in_the_tick_in_which_a_change_starts() {
    let (gearbox, autobox) = (
        gearbox(),
        AutoboxParams {
            neutral_up: 0.1,
            up: vec![0.6; 5],
            down: vec![0.2; 5],
            latency: 1.0,
            light_throttle: 0.5,
        },
    );
    let tick = |relative_speed: f32, automatic: bool, gear_request: GearCommand| {
        let mut state = in_gear(2);
        state.autobox_time = 1.1;
        // All wheels turn with the engine.
        let spin = relative_speed * EngineParams::physx().max_speed / gearbox.ratio(Gear(2));
        let wheels = [WheelState {
            spin: W4::splat(spin),
            ..WheelState::AT_REST
        }];
        let gears = Gears {
            rear_ratio: 1.0,
            engages: true,
            gearbox: &gearbox,
            autobox: Some(&autobox),
            input_speed: 0.0,
            relative_speed,
            engine: &EngineParams::physx(),
            responses: &Responses::default(),
            wheels: &wheels,
            radii: &[],
        };
        let mut control = Control {
            throttle: 0.7,
            automatic,
            gear_request,
            ..Control::idle(4)
        };
        control.wheels[0].speed_share = W4::splat(0.25);
        let throttle = CleanChange.change(&gears, &mut control, &mut state, TICK);
        (throttle, state.gear, state.target_gear)
    };
    let (second, third) = (Gear(2), Gear(3));
    let hold = GearCommand::Hold;
    assert_eq!(tick(0.5, true, hold), (0.7, second, second));
    assert_eq!(tick(0.7, true, hold), (0.0, Gear::NEUTRAL, third));
    assert_eq!(tick(0.7, false, hold), (0.7, second, second));
    let up = GearCommand::Up;
    assert_eq!(tick(0.5, false, up), (0.7, Gear::NEUTRAL, third));
}
