use super::*;
use alloc::vec;
use alloc::vec::Vec;
use rstest::rstest;
use vehicle_core::state::WheelState;
use vehicle_core::{CarCommand, Checked, Command, Drivetrain};

use crate::brakes::BrakeParams;
use crate::differential::{Differential, EqualSplit};
use crate::direct::{DirectDrive, DirectDriveParams};
use crate::engine_drive::{EngineDrive, EngineDriveParams};
use crate::physx::four_wheel_drive;
use crate::response::Responses;
use crate::steering::SteeringParams;

/// A drive of six wheels in second gear under a command.
fn controlled(params: EngineDriveParams, command: &Command) -> Control {
    let drive = EngineDrive::new(Checked::new(params).unwrap());
    let (mut state, mut control) = (drive.initial_state(), Control::idle(6));
    state.force_gear(vehicle_core::Gear(2));
    drive.control(command, &mut state, &mut control).unwrap();
    let wheels = [WheelState::AT_REST; 2];
    drive.change_gears(&mut state, &wheels, 1.0 / 60.0, &mut control);
    control
}

fn half_brake() -> Command {
    Command::Car(CarCommand {
        throttle: 1.0,
        brake: 0.5,
        automatic: false,
        ..CarCommand::default()
    })
}

/// A braked wheel does not count as accelerated in PhysX 5.
#[rstest]
#[case::physx_4(DriveLogic::PHYSX_4, [false; 6])]
#[case::physx_5(DriveLogic::PHYSX_5, [true, true, false, false, true, false])]
fn a_braked_wheel_does_not_count_as_accelerated(
    #[case] logic: DriveLogic,
    #[case] expected: [bool; 6],
) {
    let mut params = four_wheel_drive(6);
    params.gearbox.logic = logic;
    params.differential = Differential::Equal(EqualSplit {
        wheels: vec![0, 1, 2, 4],
    });
    for n in [0, 1, 4, 5] {
        params.brakes[n].max_torque = 0.0;
    }
    let control = controlled(params, &half_brake());
    let found: [bool; 6] = core::array::from_fn(|n| control.wheels[n / 4].accelerated.lane(n % 4));
    assert_eq!(found, expected);
    assert_eq!(control.accelerating, expected.contains(&true));
}

/// A driver who brakes all driven wheels does not mean to accelerate in PhysX 5.
#[test]
fn braking_all_driven_wheels_is_no_intention() {
    let mut params = four_wheel_drive(6);
    params.gearbox.logic = DriveLogic::PHYSX_5;
    assert!(!controlled(params, &half_brake()).accelerating);
}

#[rstest]
#[case::physx_4(DriveLogic::PHYSX_4, false)]
#[case::physx_5(DriveLogic::PHYSX_5, true)]
fn a_braking_driver_means_to_accelerate_in_physx_5(#[case] logic: DriveLogic, #[case] means: bool) {
    let params = DirectDriveParams {
        logic,
        max_torques: vec![0.0, 0.0, 400.0, 400.0, 100.0],
        responses: Responses::default(),
        steering: SteeringParams::default(),
        brakes: vec![BrakeParams::physx(); 4],
    };
    let drive = DirectDrive::new(Checked::new(params).unwrap());
    let mut state = drive.initial_state();
    for (throttle, brake, expected) in [
        (1.0, 0.0, true),
        (1.0, 0.5, means),
        (0.0, 0.5, false),
        (0.0, 0.0, false),
    ] {
        let command = Command::Car(CarCommand {
            throttle,
            brake,
            ..CarCommand::default()
        });
        let mut control = Control::idle(5);
        drive.control(&command, &mut state, &mut control).unwrap();
        assert_eq!(control.accelerating, expected, "{throttle} {brake}");
        let of_wheels: Vec<_> = (0..5)
            .map(|n| control.wheels[n / 4].accelerated.lane(n % 4))
            .collect();
        let driven = [false, false, expected, expected, expected];
        assert_eq!(of_wheels, driven);
    }
}
