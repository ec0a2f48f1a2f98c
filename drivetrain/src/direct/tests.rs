use super::*;
use crate::response::{ResponseRow, SpeedAxis};
use alloc::vec;
use rstest::rstest;
use vehicle_core::{Curve, TankCommand};

fn drive() -> DirectDrive {
    let params = DirectDriveParams {
        max_torques: vec![0.0, 0.0, 400.0, 400.0, 100.0],
        responses: Responses::default(),
        logic: DriveLogic::PHYSX_4,
        steering: SteeringParams::default(),
        brakes: vec![BrakeParams::physx(); 4],
    };
    DirectDrive::new(Checked::new(params).unwrap())
}

fn controlled(command: &Command, state: &mut DriveState) -> Control {
    let mut control = Control::idle(5);
    drive().control(command, state, &mut control).unwrap();
    control
}

#[rstest]
#[case::forward(GearCommand::Hold, 200.0, true)]
#[case::neutral(GearCommand::Down, 0.0, false)]
#[case::reverse(GearCommand::Engage(Gear::REVERSE), -200.0, true)]
#[case::no_second_gear(GearCommand::Up, 200.0, true)]
fn a_cars_throttle(#[case] gear: GearCommand, #[case] torque: f32, #[case] intends: bool) {
    let command = Command::Car(CarCommand {
        throttle: 0.5,
        gear,
        ..CarCommand::default()
    });
    let mut state = drive().initial_state();
    let control = controlled(&command, &mut state);
    assert_eq!(
        control.wheels[0].drive.to_array(),
        [0.0, 0.0, torque, torque]
    );
    assert_eq!(control.wheels[1].drive.lane(0), torque / 4.0);
    assert_eq!(control.accelerating, intends);
    assert_eq!(control.wheels[0].accelerated.lane(2), intends);
    assert!(!control.wheels[0].accelerated.lane(0));
    assert_eq!(control.coupling, None);
}

#[test]
fn wheels_are_set_one_by_one() {
    let mut wheels = WheelCommand::default();
    wheels.drive[4] = 7.0;
    wheels.steer[1] = 0.2;
    let mut state = drive().initial_state();
    let control = controlled(&Command::Wheels(wheels), &mut state);
    assert_eq!(control.wheels[1].drive.lane(0), 7.0);
    assert_eq!(control.wheels[0].steer.lane(1), 0.2);
    assert!(control.accelerating);
    wheels.brake[0] = 30.0;
    let control = controlled(&Command::Wheels(wheels), &mut state);
    assert_eq!(control.wheels[0].brake.lane(0), 30.0);
    assert!(!control.accelerating && !control.wheels[1].accelerated.any());
}

#[test]
fn a_pending_change_of_gears_ends_at_once() {
    let mut state = DriveState {
        gear: Gear::NEUTRAL,
        target_gear: Gear(2),
        ..DriveState::default()
    };
    drive().adopt(&mut state);
    assert_eq!((state.gear, state.target_gear), (Gear::FIRST, Gear::FIRST));
}

/// The state of a drive with an engine is cleared, or the engine would show a speed for ever.
#[test]
fn an_engine_of_another_drive_is_left_behind() {
    let mut state = DriveState {
        engine_speed: 200.0,
        clutch_torque: 90.0,
        gear: Gear::REVERSE,
        target_gear: Gear::REVERSE,
        switch_time: 0.2,
        autobox_time: 1.0,
        gear_up: true,
        gear_down: true,
    };
    drive().adopt(&mut state);
    let mut expected = DriveState::default();
    expected.force_gear(Gear::REVERSE);
    assert_eq!(state, expected);
}

#[test]
fn a_response_to_a_clutch_pedal_is_refused() {
    let mut params = drive().params().clone();
    params.responses.clutch = ResponseTable {
        rows: vec![ResponseRow {
            command: 1.0,
            by_speed: Curve(vec![[0.0, 1.0]]),
        }],
        speed_axis: SpeedAxis::Magnitude,
    };
    let error = format!("{}", Checked::new(params).unwrap_err());
    let expected = "responses.clutch = 1 rows: a direct drive has no clutch";
    assert!(error.contains(expected), "{error}");
}

/// A vehicle that rolls forward is not reversed, unless its gears change by PhysX 5's rules.
#[rstest]
#[case::at_speed(DriveLogic::Waiting, 20.0, GearCommand::Engage(Gear::REVERSE), 1)]
#[case::two_down(DriveLogic::Waiting, 20.0, GearCommand::Down, 0)]
#[case::slowly(DriveLogic::Waiting, 2.0, GearCommand::Engage(Gear::REVERSE), -1)]
#[case::backwards(DriveLogic::Waiting, -20.0, GearCommand::Engage(Gear::REVERSE), -1)]
#[case::physx_5(DriveLogic::Immediate, 20.0, GearCommand::Engage(Gear::REVERSE), -1)]
fn reverse_is_locked_out_at_speed(
    #[case] logic: DriveLogic,
    #[case] forward_speed: f32,
    #[case] gear: GearCommand,
    #[case] expected: i8,
) {
    let mut params = drive().params().clone();
    params.logic = logic;
    let drive = DirectDrive::new(Checked::new(params).unwrap());
    let mut state = drive.initial_state();
    let mut control = Control {
        forward_speed,
        ..Control::idle(4)
    };
    let command = Command::Car(CarCommand {
        gear,
        ..CarCommand::default()
    });
    for _ in 0..2 {
        drive.control(&command, &mut state, &mut control).unwrap();
    }
    assert_eq!(state.gear, Gear(expected));
}

#[test]
fn a_governor_is_refused() {
    let mut params = drive().params().clone();
    params.responses.governor = 0.1;
    let error = format!("{}", Checked::new(params).unwrap_err());
    assert!(error.contains("responses.governor = 0.1"), "{error}");
}

#[test]
fn tank_commands_are_refused() {
    let command = Command::Tank(TankCommand::default());
    let mut state = drive().initial_state();
    let fault = drive().control(&command, &mut state, &mut Control::idle(4));
    assert!(matches!(fault, Err(StepError::WrongCommand { .. })));
    assert!(!drive().requests_motion(&command, &state));
}

#[test]
fn commands_that_wake() {
    let state = drive().initial_state();
    let mut wheels = WheelCommand::default();
    wheels.brake[0] = 1.0;
    assert!(!drive().requests_motion(&Command::Wheels(wheels), &state));
    wheels.drive[0] = 1.0;
    assert!(drive().requests_motion(&Command::Wheels(wheels), &state));
    let down = CarCommand {
        gear: GearCommand::Down,
        ..CarCommand::default()
    };
    assert!(drive().requests_motion(&Command::Car(down), &state));
    assert!(!drive().requests_motion(&Command::default(), &state));
}

#[test]
fn every_fault_is_found() {
    let bad = DirectDriveParams {
        max_torques: vec![f32::NAN; 21],
        responses: Responses::default(),
        logic: DriveLogic::PHYSX_4,
        steering: SteeringParams::default(),
        brakes: vec![],
    };
    assert_eq!(Checked::new(bad).unwrap_err().0.len(), 22);
}

/// Pedals, gear request and steering wheel at once.
#[test]
fn a_cars_command_also_sets_brakes_and_angles() {
    let mut params = drive().params().clone();
    params.brakes[3].max_handbrake_torque = 4000.0;
    params.responses.brake.rows = vec![ResponseRow {
        command: 0.0,
        by_speed: Curve(vec![[0.0, 0.5], [10.0, 0.25]]),
    }];
    params.steering.wheels = vec![crate::steering::SteeredWheel {
        wheel: 4,
        max_steer: 0.5,
    }];
    let drive = DirectDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (drive.initial_state(), Control::idle(5));
    control.forward_speed = 10.0;
    let command = Command::Car(CarCommand {
        brake: 1.0,
        handbrake: 0.5,
        steer: -0.5,
        ..CarCommand::default()
    });
    drive.control(&command, &mut state, &mut control).unwrap();
    let brakes = control.wheels[0].brake.to_array();
    assert_eq!(brakes, [375.0, 375.0, 375.0, 375.0 + 2000.0]);
    assert_eq!(control.wheels[1].steer.to_array(), [0.25, 0.0, 0.0, 0.0]);
    assert_eq!(control.wheels[0].drive, W4::ZERO);
}

#[rstest]
#[case::throttle(CarCommand { throttle: 0.1, ..CarCommand::default() }, true)]
#[case::steer(CarCommand { steer: -0.1, ..CarCommand::default() }, true)]
#[case::brake(CarCommand { brake: 1.0, ..CarCommand::default() }, false)]
#[case::same_gear(CarCommand { gear: GearCommand::Up, ..CarCommand::default() }, false)]
fn a_cars_pedals_wake(#[case] car: CarCommand, #[case] wakes: bool) {
    let state = drive().initial_state();
    assert_eq!(drive().requests_motion(&Command::Car(car), &state), wakes);
    let mut wheels = WheelCommand::default();
    wheels.steer[1] = car.steer;
    let steers = car.steer != 0.0;
    let command = Command::Wheels(wheels);
    assert_eq!(drive().requests_motion(&command, &state), steers);
}

#[rstest]
#[case::of_the_vehicle(5, &[])]
#[case::a_wheel_less(4, &["max_torques", "steering.wheels[0].wheel"])]
#[case::half(3, &["max_torques", "steering.wheels[0].wheel", "brakes"])]
fn wheels_that_the_vehicle_does_not_have_are_named(
    #[case] wheels: usize,
    #[case] expected: &[&str],
) {
    let mut params = drive().params().clone();
    params.steering.wheels = vec![crate::steering::SteeredWheel {
        wheel: 4,
        max_steer: 0.5,
    }];
    let drive = DirectDrive::new(Checked::new(params).unwrap());
    let mut inspector = Inspector::new();
    drive.check(wheels, &mut inspector);
    let faults = inspector
        .verdict()
        .map_or_else(|error| error.0, |()| vec![]);
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, expected);
}
