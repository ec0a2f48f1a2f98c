//! Commands, gears and parameters.

use super::*;
use alloc::boxed::Box;
use rstest::rstest;
use vehicle_core::glam::Vec3;
use vehicle_core::{GearCommand, TankCommand, WheelSensors};

/// Control and state after a command to a vehicle whose rotors turn at a speed (`rad/s`).
fn commanded(drive: &ElectricDrive, car: CarCommand, rotor: f32) -> (Control, DriveState) {
    commanded_with(drive, car, [rotor / 9.0; 2])
}

/// Control and state after a command to a vehicle with these spins of the wheels on the left and on the right (`rad/s`).
fn commanded_with(
    drive: &ElectricDrive,
    car: CarCommand,
    [left, right]: [f32; 2],
) -> (Control, DriveState) {
    let mut state = drive.initial_state();
    let mut control = Control {
        shafts: drive.shafts(4).map(Box::new),
        ..Control::idle(4)
    };
    let command = Command::Car(car);
    drive.control(&command, &mut state, &mut control).unwrap();
    // A fresh vehicle's rotors turn with its wheels.
    let wheels = [left, right, left, right].map(|spin| WheelSensors {
        radius: 0.33,
        spin,
        ..WheelSensors::default()
    });
    let sensors = Sensors {
        duration: 0.01,
        begins_step: true,
        engine_speed: 0.0,
        mass: 2000.0,
        gravity: Vec3::new(0.0, 0.0, -9.81),
        velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        acceleration: Vec3::ZERO,
        command: Some(&command),
        wheels: &wheels,
    };
    let mut memory = vec![0.0; drive.memory(4)];
    drive.sense(&sensors, &mut memory, &mut state, &mut control);
    (control, state)
}

fn torque(control: &Control) -> f32 {
    control.shafts.as_ref().unwrap().nodes[0].torque
}

#[rstest]
#[case::forward(GearCommand::Hold, 0.5, 200.0, true)]
#[case::no_second_gear(GearCommand::Up, 1.0, 400.0, true)]
#[case::neutral(GearCommand::Down, 1.0, 0.0, false)]
#[case::reverse(GearCommand::Engage(Gear::REVERSE), 0.5, -200.0, true)]
fn the_accelerator_asks_for_a_part_of_the_torque(
    #[case] gear: GearCommand,
    #[case] throttle: f32,
    #[case] expected: f32,
    #[case] intends: bool,
) {
    let car = CarCommand {
        throttle,
        gear,
        ..IDLE
    };
    let (control, _) = commanded(&saloon(), car, 0.0);
    assert_eq!(torque(&control), expected);
    assert_eq!(control.accelerating, intends);
    let accelerated = control.wheels[0].accelerated;
    assert_eq!([0, 3].map(|n| accelerated.lane(n)), [false, intends]);
}

/// On a road with a limit of the speed, and with a response that saves energy.
#[test]
fn responses_limit_the_accelerator() {
    let limited = with(|params| params.responses.top_speed = Some(50.0));
    let car = CarCommand {
        throttle: 1.0,
        ..IDLE
    };
    let mut control = Control {
        forward_speed: 50.0,
        ..Control::idle(4)
    };
    let mut state = limited.initial_state();
    limited
        .control(&Command::Car(car), &mut state, &mut control)
        .unwrap();
    assert_eq!(control.throttle, 0.0);
}

/// A handbrake is of friction, and in neutral all of the pedal is.
#[rstest]
#[case::pedal(CarCommand { brake: 0.2, ..IDLE }, [0.0, 0.0])]
#[case::handbrake(CarCommand { handbrake: 1.0, ..IDLE }, [0.0, 1500.0])]
#[case::both(CarCommand { brake: 0.2, handbrake: 1.0, ..IDLE }, [0.0, 1500.0])]
#[case::neutral(
    CarCommand { brake: 0.2, gear: GearCommand::Engage(Gear::NEUTRAL), ..IDLE },
    [450.0, 150.0]
)]
fn friction_brakes_take_the_rest(#[case] car: CarCommand, #[case] expected: [f32; 2]) {
    let (control, _) = commanded(&saloon(), car, 300.0);
    let brake = control.wheels[0].brake;
    for (n, expected) in [(1, expected[0]), (2, expected[1])] {
        assert!((brake.lane(n) - expected).abs() < 0.01, "{brake:?}");
    }
}

/// Backward, a motor that brakes pushes forward.
#[rstest]
#[case(300.0, -400.0 / 3.0)]
#[case(-300.0, 400.0 / 3.0)]
#[case(0.0, 0.0)]
fn motors_brake_against_their_speed(#[case] rotor: f32, #[case] expected: f32) {
    let car = CarCommand { brake: 0.2, ..IDLE };
    let found = torque(&commanded(&saloon(), car, rotor).0);
    assert!((found - expected).abs() < 0.01, "{found}");
}

/// A locked wheel, which an open differential would turn backward, is left to its brake.
#[rstest]
#[case::locked([0.0, 60.0])]
#[case::backward([90.0, -10.0])]
fn a_locked_wheel_ends_regeneration(#[case] spins: [f32; 2]) {
    let car = CarCommand { brake: 0.2, ..IDLE };
    let (control, _) = commanded_with(&saloon(), car, spins);
    assert_eq!(torque(&control), 0.0);
    let brake = control.wheels[0].brake;
    assert_eq!(brake.to_array(), [450.0, 450.0, 150.0, 150.0]);
}

#[test]
fn only_commands_of_cars_are_taken() {
    let mut state = DriveState::default();
    let tank = Command::Tank(TankCommand::default());
    let refused = saloon().control(&tank, &mut state, &mut Control::idle(4));
    assert_eq!(refused, Err(StepError::WrongCommand { expected: "car" }));
    assert!(!saloon().requests_motion(&tank, &state));
}

#[rstest]
#[case::nothing(IDLE, false, true)]
#[case::throttle(CarCommand { throttle: 0.1, ..IDLE }, true, true)]
#[case::steering(CarCommand { steer: 0.1, ..IDLE }, true, true)]
#[case::gear(CarCommand { gear: GearCommand::Engage(Gear::REVERSE), ..IDLE }, true, true)]
#[case::brake(CarCommand { brake: 1.0, ..IDLE }, false, false)]
#[case::handbrake(CarCommand { handbrake: 1.0, ..IDLE }, false, false)]
fn commands_wake_a_vehicle(#[case] car: CarCommand, #[case] wakes: bool, #[case] creeping: bool) {
    let creeps = with(|params| {
        params.creep = Some(CreepParams {
            torque: 500.0,
            speed: 2.0,
        });
    });
    let command = Command::Car(car);
    for (drive, expected) in [(saloon(), wakes), (creeps, creeping)] {
        assert_eq!(
            drive.requests_motion(&command, &drive.initial_state()),
            expected
        );
    }
}

/// The state of a car in fifth gear becomes one in the forward gear; its own stays.
#[test]
fn another_drives_state_is_adopted() {
    let mut state = DriveState {
        gear: Gear(5),
        target_gear: Gear(4),
        gear_up: true,
        clutch_torque: 90.0,
        ..DriveState::default()
    };
    saloon().adopt(&mut state);
    assert_eq!(state, saloon().initial_state());
    state.engine_speed = 700.0;
    let before = state;
    saloon().adopt(&mut state);
    assert_eq!(state, before);
}

/// A front motor with no share helps once the rear one gives all it can.
#[rstest]
#[case(0.25, [200.0, 0.0])]
#[case(0.5, [400.0, 0.0])]
#[case(0.75, [400.0, 200.0])]
fn a_share_of_none_helps_last(#[case] throttle: f32, #[case] expected: [f32; 2]) {
    let two = with(|params| {
        params.battery.discharge_power = 1e6;
        params.motors.push(MotorParams {
            share: Some(0.0),
            ..MOTOR(&[0, 1])
        });
    });
    let car = CarCommand { throttle, ..IDLE };
    let (control, _) = commanded(&two, car, 0.0);
    let nodes = &control.shafts.as_ref().unwrap().nodes;
    assert_eq!([nodes[0].torque, nodes[1].torque], expected);
}

#[test]
fn the_report_has_names() {
    let drive = saloon();
    let scalars = drive.report(&vec![0.0; drive.memory(4)]).scalars();
    let value = |name: &str| scalars.iter().find(|(known, _)| known == name).unwrap().1;
    assert_eq!(value("state_of_charge"), 0.8);
    assert_eq!(value("voltage"), 392.0);
    assert_eq!(value("motor_0_torque"), 0.0);
    assert_eq!(scalars.len(), 11);
}

#[test]
fn every_fault_is_named() {
    let mut bad = params();
    bad.motors.push(MotorParams {
        ratio: 0.0,
        ..MOTOR(&[3])
    });
    bad.battery.resistance = -1.0;
    bad.regeneration.alone = 6001.0;
    bad.regeneration.one_pedal = 0.5;
    bad.creep = Some(CreepParams {
        torque: 0.0,
        speed: 2.0,
    });
    bad.responses.governor = 0.1;
    let faults = Checked::new(bad).unwrap_err().0;
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let expected = [
        "motors[1].ratio",
        "motors[1].wheels[0]",
        "battery.resistance",
        "regeneration.alone",
        "creep.torque",
        "regeneration.one_pedal",
        "responses.governor",
    ];
    assert_eq!(paths, expected);
}

#[rstest]
#[case::none(0, 1)]
#[case::most(8, 0)]
#[case::more(9, 1)]
fn there_are_up_to_eight_motors(#[case] count: usize, #[case] faults: usize) {
    let mut params = params();
    params.motors = (0..count).map(|n| MOTOR(&[n])).collect();
    let found = Checked::new(params).map_or_else(|faults| faults.0.len(), |_| 0);
    assert_eq!(found, faults);
}

#[test]
fn wheels_that_a_vehicle_lacks_are_named() {
    let mut inspector = Inspector::new();
    Drivetrain::check(&saloon(), 3, &mut inspector);
    let faults = inspector.verdict().unwrap_err().0;
    let paths: Vec<&str> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(paths, ["motors[0].wheels[1]", "brakes"]);
}
