mod gears;
mod idle;
mod pedals;

use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::autobox::AutoboxParams;
use crate::brakes::BrakeParams;
use crate::clutch::ClutchParams;
use crate::differential::{Differential4W, DifferentialKind};
use crate::engine::EngineParams;
use crate::gearbox::GearboxParams;
use crate::physx as presets;
use crate::response::{ResponseRow, ResponseTable, Responses, SpeedAxis};
use crate::steering::{SteeredAxle, SteeringParams};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::{CarCommand, Curve, MAX_WHEELS, TankCommand, WheelCommand};

const DT: f32 = 1.0 / 60.0;

fn params() -> EngineDriveParams {
    EngineDriveParams {
        engine: EngineParams::physx(),
        clutch: ClutchParams::physx(),
        converter: None,
        dual_clutch: None,
        variator: None,
        retarder: None,
        power_take_off: None,
        gearbox: GearboxParams::physx(),
        autobox: Some(AutoboxParams::physx(5)),
        differential: Differential::FourWheel(Differential4W::physx()),
        responses: Responses::default(),
        steering: SteeringParams {
            axles: vec![SteeredAxle {
                left: 0,
                right: 1,
                max_steer: [0.6, 0.6],
                accuracy: 1.0,
                width: 1.5,
                separation: 2.6,
                counter: false,
            }],
            ..SteeringParams::default()
        },
        brakes: vec![BrakeParams::physx(); 6],
        radii: vec![],
    }
}

fn drive() -> EngineDrive {
    EngineDrive::new(Checked::new(params()).unwrap())
}

fn in_gear(gear: i8) -> DriveState {
    let mut state = DriveState {
        engine_speed: 198.0,
        ..DriveState::default()
    };
    state.force_gear(Gear(gear));
    state
}

fn still() -> [WheelState; 1] {
    [WheelState::AT_REST]
}

fn controlled(car: CarCommand, state: &mut DriveState, wheels: usize) -> Control {
    let drive = drive();
    let mut control = Control::idle(wheels);
    drive
        .control(&Command::Car(car), state, &mut control)
        .unwrap();
    drive.change_gears(state, &still(), DT, &mut control);
    let spins = vec![WheelState::AT_REST; wheels.div_ceil(4)];
    drive.split_torque(state, &spins, &mut control);
    control
}

fn full_throttle() -> CarCommand {
    CarCommand {
        throttle: 1.0,
        ..CarCommand::default()
    }
}

#[test]
fn throttle_in_gear() {
    let control = controlled(full_throttle(), &mut in_gear(2), 4);
    let coupling = control.coupling.unwrap();
    assert_eq!((coupling.ratio, coupling.clutch), (8.0, 10.0));
    assert!((coupling.torque - 500.0).abs() < 1e-3);
    assert!(control.accelerating && control.wheels.first().accelerated.all());
    assert_eq!(
        control.wheels.first().torque_share,
        control.wheels.first().speed_share
    );
}

#[rstest]
#[case::neutral(full_throttle(), 0)]
#[case::brake(CarCommand { brake: 0.1, ..full_throttle() }, 2)]
#[case::handbrake(CarCommand { handbrake: 0.1, ..full_throttle() }, 2)]
#[case::no_throttle(CarCommand::default(), 2)]
fn no_intention(#[case] car: CarCommand, #[case] gear: i8) {
    let control = controlled(car, &mut in_gear(gear), 4);
    assert!(!control.accelerating && !control.wheels.first().accelerated.any());
}

#[test]
fn a_change_opens_the_clutch_and_cuts_the_throttle_at_once() {
    let mut state = in_gear(2);
    let up = CarCommand {
        gear: GearCommand::Up,
        ..full_throttle()
    };
    let first = controlled(up, &mut state, 4).coupling.unwrap();
    assert_eq!((first.clutch, first.ratio, first.throttle), (0.0, 0.0, 1.0));
    let second = controlled(full_throttle(), &mut state, 4).coupling.unwrap();
    assert_eq!((second.throttle, second.torque), (0.0, 0.0));
}

#[test]
fn the_handbrake_disengages_the_rear_wheels() {
    let handbrake = CarCommand {
        handbrake: 1.0,
        ..full_throttle()
    };
    let control = controlled(handbrake, &mut in_gear(2), 4);
    let wheels = control.wheels.first();
    assert_eq!(wheels.speed_share.to_array(), [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(wheels.torque_share.to_array(), [0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn wheels_that_are_not_driven_only_brake() {
    let braking = CarCommand {
        brake: 0.5,
        steer: -1.0,
        ..CarCommand::default()
    };
    let control = controlled(braking, &mut in_gear(2), 6);
    let (front, rear) = (&control.wheels[0], &control.wheels[1]);
    assert_eq!(front.steer.lane(0), 0.6);
    assert!(front.steer.lane(1) > 0.0 && front.steer.lane(1) < 0.6);
    assert_eq!(rear.brake.to_array(), [750.0, 750.0, 0.0, 0.0]);
    assert_eq!((rear.torque_share, rear.speed_share), (W4::ZERO, W4::ZERO));
}

#[rstest]
#[case(Command::Tank(TankCommand::default()))]
#[case(Command::Wheels(WheelCommand::default()))]
fn other_commands_are_refused_and_change_nothing(#[case] command: Command) {
    let mut state = in_gear(2);
    let mut control = Control::idle(4);
    let fault = drive().control(&command, &mut state, &mut control);
    assert_eq!(fault, Err(StepError::WrongCommand { expected: "car" }));
    assert_eq!((state, control), (in_gear(2), Control::idle(4)));
}

#[test]
fn tracks_take_both_kinds_of_command() {
    let drive = EngineDrive::new(Checked::new(presets::tank(4, true)).unwrap());
    let (mut state, mut control) = (drive.initial_state(), Control::idle(4));
    let tank = Command::Tank(TankCommand {
        throttle: 1.0,
        thrust: [1.0, -1.0],
        ..TankCommand::default()
    });
    let car = Command::Car(CarCommand {
        steer: 1.0,
        ..full_throttle()
    });
    for command in [tank, car] {
        drive.control(&command, &mut state, &mut control).unwrap();
        drive.change_gears(&mut state, &still(), DT, &mut control);
        let wheels = control.wheels.first();
        assert_eq!(wheels.torque_share.to_array(), [0.25, -0.25, 0.25, -0.25]);
        assert_eq!(
            (wheels.wheel_coupling, wheels.steer),
            ([1, 2, 1, 2], W4::ZERO)
        );
        assert!(control.accelerating && wheels.accelerated.all());
    }
    let wheels = Command::Wheels(WheelCommand::default());
    let fault = drive.control(&wheels, &mut state, &mut control);
    let expected = "car or tank";
    assert_eq!(fault, Err(StepError::WrongCommand { expected }));
}

#[rstest]
#[case::released(0.0, 0.0, 0.0, 10.0)]
#[case::handbrake(1.0, 0.0, 2000.0, 10.0)]
#[case::clutch(0.0, 1.0, 0.0, 2.5)]
fn tracks_have_a_handbrake_and_a_clutch_pedal(
    #[case] handbrake: f32,
    #[case] clutch: f32,
    #[case] torque: f32,
    #[case] strength: f32,
) {
    let upper = |most| ResponseTable {
        rows: vec![row(0.0, 0.0), row(1.0, most)],
        speed_axis: SpeedAxis::Magnitude,
    };
    let mut params = presets::tank(4, true);
    params
        .brakes
        .iter_mut()
        .for_each(|brake| brake.max_handbrake_torque = 4000.0);
    params.responses.handbrake = upper(0.5);
    params.responses.clutch = upper(0.75);
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (drive.initial_state(), Control::idle(4));
    let command = Command::Car(CarCommand {
        handbrake,
        clutch,
        ..full_throttle()
    });
    drive.control(&command, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &still(), DT, &mut control);
    assert_eq!(control.wheels.first().brake, W4::splat(torque));
    assert_eq!(control.coupling.unwrap().clutch, strength);
    assert_eq!(control.accelerating, handbrake == 0.0);
}

fn row(command: f32, response: f32) -> ResponseRow {
    ResponseRow {
        command,
        by_speed: Curve(vec![[0.0, response]]),
    }
}

#[rstest]
#[case::one_track_braked([0.5, 0.0], [0.0, 1.0], [0.5, 0.0], true)]
#[case::both_braked([0.5, 0.5], [0.1, 0.1], [0.25, 0.25], false)]
#[case::no_thrust([0.0, 0.0], [0.0, 0.0], [0.25, 0.25], false)]
fn a_tank_with_one_pulling_track_moves(
    #[case] thrust: [f32; 2],
    #[case] brake: [f32; 2],
    #[case] shares: [f32; 2],
    #[case] intends: bool,
) {
    let drive = EngineDrive::new(Checked::new(presets::tank(4, false)).unwrap());
    let (mut state, mut control) = (drive.initial_state(), Control::idle(4));
    let tank = Command::Tank(TankCommand {
        throttle: 1.0,
        thrust,
        brake,
        ..TankCommand::default()
    });
    drive.control(&tank, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &still(), DT, &mut control);
    let [left, right, ..] = control.wheels.first().torque_share.to_array();
    assert_eq!([left, right], shares);
    assert_eq!(control.wheels.first().brake.lane(1), 1500.0 * brake[1]);
    assert_eq!(control.accelerating, intends);
}

#[rstest]
#[case::nothing(CarCommand::default(), false)]
#[case::throttle(full_throttle(), true)]
#[case::steer(CarCommand { steer: 0.1, ..CarCommand::default() }, true)]
#[case::gear(CarCommand { gear: GearCommand::Up, ..CarCommand::default() }, true)]
#[case::same_gear(
    CarCommand { gear: GearCommand::Engage(Gear(2)), ..CarCommand::default() },
    false
)]
#[case::brake(CarCommand { brake: 1.0, ..CarCommand::default() }, false)]
fn commands_that_wake(#[case] car: CarCommand, #[case] expected: bool) {
    let command = Command::Car(car);
    assert_eq!(drive().requests_motion(&command, &in_gear(2)), expected);
}

#[test]
fn a_pressed_clutch_drives_nothing() {
    let pressed = CarCommand {
        clutch: 1.0,
        ..full_throttle()
    };
    let control = controlled(pressed, &mut in_gear(1), 4);
    assert!(!control.accelerating && !control.wheels[0].accelerated.any());
    assert_eq!(control.coupling.unwrap().clutch, 0.0);
}

#[test]
fn a_standing_engine_leans_on_its_friction() {
    let mut params = params();
    params.engine.static_friction = 160.0;
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let wheels = [WheelState::AT_REST];
    let mut control = Control::idle(4);
    let mut state = drive.initial_state();
    let parked = Command::default();
    drive.control(&parked, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &still(), DT, &mut control);
    for (speed, expected) in [(0.0, 160.0), (5.0, 80.0), (20.0, 0.0)] {
        state.engine_speed = speed;
        drive.split_torque(&state, &wheels, &mut control);
        assert_eq!(control.coupling.unwrap().friction, expected);
    }
}

/// The faster wheel gets less of a torque that drives and more of one that brakes, in either direction.
#[rstest]
#[case::ahead(1, 1.0)]
#[case::backwards(-1, -1.0)]
fn an_engine_that_brakes_slows_the_faster_wheel(#[case] gear: i8, #[case] way: f32) {
    let mut params = params();
    params.differential = Differential::FourWheel(Differential4W {
        kind: DifferentialKind::LimitedSlipRear,
        ..Differential4W::physx()
    });
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let wheels = [WheelState {
        spin: W4::from_array([0.0, 0.0, 20.0, 10.0]) * W4::splat(way),
        ..WheelState::AT_REST
    }];
    let mut state = in_gear(gear);
    let mut control = Control::idle(4);
    control.smooth = true;
    let coast = Command::default();
    drive.control(&coast, &mut state, &mut control).unwrap();
    drive.change_gears(&mut state, &wheels, DT, &mut control);
    let mut faster = |clutch_torque: f32| {
        state.clutch_torque = clutch_torque;
        drive.split_torque(&state, &wheels, &mut control);
        control.wheels[0].torque_share.lane(2)
    };
    let (driving, braking) = (faster(100.0), faster(-100.0));
    assert!(driving < 0.4 && braking > 0.6, "{driving} {braking}");
}

#[test]
fn every_fault_is_found() {
    let mut bad = params();
    bad.engine.inertia = 0.0;
    bad.gearbox.forward.pop();
    bad.differential = Differential::FourWheel(Differential4W {
        wheels: [0, 1, 2, 2],
        ..Differential4W::physx()
    });
    bad.brakes[5].max_torque = -1.0;
    let error = Checked::new(bad).unwrap_err();
    let paths: Vec<_> = error.0.iter().map(|fault| fault.path.as_str()).collect();
    let expected = [
        "engine.inertia",
        "autobox.up",
        "autobox.down",
        "differential.wheels[3]",
        "brakes[5].max_torque",
    ];
    assert_eq!(paths, expected);
}

proptest! {
    #[test]
    fn any_drive_stays_finite_and_in_range(
        steps in proptest::collection::vec(
            (proptest::array::uniform5(-2.0..2.0_f32), 0..5_u8, any::<i8>(), 0.0..700.0_f32),
            1..100,
        ),
    ) {
        let drive = drive();
        let mut state = drive.initial_state();
        let mut control = Control::idle(6);
        let wheels = [WheelState::AT_REST; 2];
        for ([throttle, brake, handbrake, steer, clutch], kind, gear, engine_speed) in steps {
            state.engine_speed = engine_speed;
            let gear = match kind {
                0 => GearCommand::Up,
                1 => GearCommand::Down,
                2 => GearCommand::Engage(Gear(gear)),
                3 => GearCommand::Cancel,
                _ => GearCommand::Hold,
            };
            let car = CarCommand {
                throttle, brake, handbrake, steer, clutch, gear, automatic: engine_speed > 50.0,
                steering_wheel: None,
                levers: vehicle_core::Levers::RELEASED,
            };
            drive.control(&Command::Car(car), &mut state, &mut control).unwrap();
            drive.change_gears(&mut state, &still(), DT, &mut control);
            drive.split_torque(&state, &wheels, &mut control);
            prop_assert!((-1..=5).contains(&state.gear.0));
            let mut shares = 0.0;
            for group in control.wheels.iter() {
                for lanes in [group.steer, group.brake, group.torque_share, group.speed_share] {
                    prop_assert!(lanes.is_finite());
                }
                shares += group.torque_share.sum();
            }
            prop_assert!((shares - 1.0).abs() < 1e-5);
            let coupling = control.coupling.unwrap();
            prop_assert!(coupling.torque.is_finite() && coupling.clutch >= 0.0);
        }
    }
}
