//! Idle controller, stalled engine, automatic clutch, and gear changes of a car whose wheels turn at one speed.

use super::*;
use approx::assert_relative_eq;

/// Idle speed of an engine with 600 rad/s and a peak torque of 500 N·m, behind a clutch of 700 N·m (`rad/s`).
const IDLE: f32 = 80.0;

/// Time in which the clutch corrects the engine's speed by its mean torque in a step (`s`).
const TIME: f32 = ClutchParams::CLOSING_TIME + 0.5 * DT;

fn car(change: impl Fn(&mut EngineDriveParams)) -> EngineDrive {
    let mut params = params();
    params.engine.idle_speed = IDLE;
    params.engine.damping_zero_throttle_engaged = 0.1;
    params.clutch.capacity = Some(700.0);
    change(&mut params);
    EngineDrive::new(Checked::new(params).unwrap())
}

/// Engine and clutch in second gear, ratio 8, with the input shaft of the gearbox at a speed.
fn coupled(drive: &EngineDrive, command: CarCommand, engine: f32, shaft: f32) -> EngineCoupling {
    let mut state = in_gear(2);
    state.engine_speed = engine;
    shifted(drive, command, &mut state, shaft / 8.0)
}

fn shifted(
    drive: &EngineDrive,
    car: CarCommand,
    state: &mut DriveState,
    spin: f32,
) -> EngineCoupling {
    let wheels = [WheelState {
        spin: W4::splat(spin),
        ..WheelState::AT_REST
    }];
    let mut control = Control::idle(4);
    control.smooth = true;
    let command = Command::Car(car);
    drive.control(&command, state, &mut control).unwrap();
    drive.change_gears(state, &wheels, DT, &mut control);
    drive.split_torque(state, &wheels, &mut control);
    control.coupling.unwrap()
}

fn throttle(throttle: f32) -> CarCommand {
    CarCommand {
        throttle,
        ..CarCommand::default()
    }
}

fn capacity(drive: &EngineDrive, command: CarCommand, engine: f32, shaft: f32) -> f32 {
    coupled(drive, command, engine, shaft).capacity.unwrap()
}

/// An idle controller without a key has a tenth of the peak torque beside the damping in the rows solver, and a limit in the
/// explicit one.
#[test]
fn an_idle_controller_has_a_torque_by_default() {
    let drive = car(|_| ());
    let idle = coupled(&drive, CarCommand::default(), IDLE, 0.0);
    assert_eq!(idle.idle_torque, 50.0 + idle.damping * IDLE);
    let mut control = controlled(CarCommand::default(), &mut in_gear(2), 4);
    control.smooth = false;
    assert_eq!(control.coupling.unwrap().idle_torque, f32::INFINITY);
    let strong = car(|params| params.engine.idle_torque = Some(90.0));
    let idle = coupled(&strong, CarCommand::default(), IDLE, 0.0);
    assert_eq!(idle.idle_torque, 90.0 + idle.damping * IDLE);
}

#[rstest]
#[case::open_at_rest(0.0, IDLE, 0.0, 0.0)]
#[case::opening_as_the_wheels_lock(0.0, 300.0, 0.0, 100.0)]
#[case::almost_open_then(0.0, 86.0, 0.0, 6.0 / TIME)]
#[case::closed_under_throttle(0.1, 150.0, 150.0, 700.0)]
#[case::closed_for_engine_braking(0.0, 150.0, 150.0, 100.0 + 0.1 * 150.0)]
#[case::open_below_idle_speed(0.0, IDLE, 79.0, 0.0)]
#[case::open_while_it_rolls_back(0.0, IDLE, -200.0, 0.0)]
#[case::closed_with_the_engine_off(0.0, 0.0, 0.0, 700.0)]
#[case::open_for_the_starter(0.5, 0.0, 0.0, 0.0)]
fn an_automatic_clutch_opens_below_idle_speed(
    #[case] pedal: f32,
    #[case] engine: f32,
    #[case] shaft: f32,
    #[case] expected: f32,
) {
    let found = capacity(&car(|_| ()), throttle(pedal), engine, shaft);
    assert!((found - expected).abs() < 1e-3, "{found} {expected}");
}

/// An automatic clutch takes the engine's torque at the launch speed, 80 + ½·(200 − 80) rad/s, and more above that.
#[test]
fn an_automatic_clutch_launches_with_the_engines_torque() {
    let drive = car(|_| ());
    let torque = |speed: f32| drive.params().engine.torque(0.5, speed);
    let at = |speed| capacity(&drive, throttle(0.5), speed, 10.0);
    assert_relative_eq!(at(140.0), torque(140.0), max_relative = 1e-4);
    let more = torque(146.0) + 6.0 / TIME;
    assert_relative_eq!(at(146.0), more, max_relative = 1e-4);
    let less = torque(IDLE) - 60.0 / TIME;
    assert_relative_eq!(at(IDLE), less, max_relative = 1e-4);
}

/// Wheels that turn faster than the engine speed it up by a fifth of its peak torque at most, beside its damping.
#[test]
fn wheels_speed_the_engine_up_gently() {
    let drive = car(|_| ());
    for (engine, torque) in [(100.0, 100.0), (385.0, 15.0 / TIME)] {
        let found = coupled(&drive, CarCommand::default(), engine, 400.0);
        let expected = torque + found.damping * engine;
        assert_relative_eq!(found.capacity.unwrap(), expected, max_relative = 1e-4);
    }
}

#[test]
fn a_clutch_creeps_by_key() {
    let drive = car(|params| params.clutch.creep_torque = 20.0);
    let found = [80.0, 72.0, 64.0].map(|speed| capacity(&drive, CarCommand::default(), speed, 0.0));
    for (found, expected) in found.into_iter().zip([20.0, 10.0, 0.0]) {
        assert_relative_eq!(found, expected, epsilon = 1e-4);
    }
}

/// A viscous clutch takes as much at its slip.
#[test]
fn a_viscous_clutch_closes_as_far() {
    let viscous = car(|params| params.clutch.capacity = None);
    let plates = capacity(&car(|_| ()), throttle(0.5), 140.0, 10.0);
    let found = coupled(&viscous, throttle(0.5), 140.0, 10.0);
    assert_relative_eq!(found.clutch * 130.0, plates, max_relative = 1e-4);
}

/// The driver's pedal decides; the engine stalls below 24 rad/s, and the starter turns it where the clutch is open.
#[test]
fn an_engine_with_a_manual_clutch_stalls() {
    let manual = car(|params| {
        params.clutch.automatic = Some(false);
        params.engine.static_friction = 70.0;
    });
    let declutched = CarCommand {
        clutch: 1.0,
        ..throttle(1.0)
    };
    let dragged = coupled(&manual, throttle(1.0), 30.0, 0.0);
    assert_eq!(dragged.capacity, Some(700.0));
    assert!(dragged.torque > 300.0);
    let stalled = coupled(&manual, throttle(1.0), 20.0, 0.0);
    let found = (stalled.capacity, stalled.torque, stalled.idle_torque);
    assert_eq!(found, (Some(700.0), 0.0, 0.0));
    let started = coupled(&manual, declutched, 0.0, 0.0);
    let found = (started.capacity, started.torque, started.idle_torque);
    assert_eq!(found, (Some(0.0), 0.0, 50.0 + 70.0));
}

/// The clutch is open while gears change, and the engine comes to the speed of the next gear with all its torque.
#[rstest]
#[case::matched(true, 12.0 * 30.0, 500.0)]
#[case::by_the_clutch_alone(false, IDLE, 50.0 + 0.35 * IDLE)]
fn speed_matching_brings_the_engine_to_the_next_gear(
    #[case] rev_matching: bool,
    #[case] speed: f32,
    #[case] least_torque: f32,
) {
    let drive = car(|params| {
        params.gearbox.rev_matching = rev_matching;
        params.gearbox.forward = vec![4.0, 3.0, 1.5, 1.1, 1.0];
    });
    let mut state = in_gear(3);
    let down = CarCommand {
        gear: GearCommand::Down,
        ..CarCommand::default()
    };
    let found = shifted(&drive, down, &mut state, 30.0);
    assert_eq!((state.gear, state.target_gear), (Gear::NEUTRAL, Gear(2)));
    assert_eq!((found.capacity, found.idle_speed), (Some(0.0), speed));
    assert!(
        found.idle_torque > 0.95 * least_torque,
        "{}",
        found.idle_torque
    );
}

/// Disabled wheels stand still, and their shares are the others'.
#[test]
fn disabled_wheels_do_not_open_the_clutch() {
    let drive = car(|_| ());
    let mut state = in_gear(2);
    state.engine_speed = 160.0;
    let mut wheels = [WheelState {
        spin: W4::splat(20.0),
        ..WheelState::AT_REST
    }];
    wheels[0].spin = wheels[0].spin.with_lane(3, 0.0);
    let mut control = Control::idle(4);
    (control.smooth, control.disabled) = (true, 1 << 3);
    let command = Command::Car(throttle(0.5));
    drive.control(&command, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &wheels, DT, &mut control);
    assert_eq!(control.coupling.unwrap().capacity, Some(700.0));
}
