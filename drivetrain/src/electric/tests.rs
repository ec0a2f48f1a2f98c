mod driver;
mod rolling;

use super::*;
use alloc::vec;
use battery::tests::battery;
use motor::tests::MOTOR;

/// No pedal pressed.
const IDLE: CarCommand = CarCommand {
    throttle: 0.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.0,
    clutch: 0.0,
    gear: vehicle_core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
};

/// A saloon whose rear motor has 400 N·m and 200 kW.
pub(super) fn saloon() -> ElectricDrive {
    ElectricDrive::new(Checked::new(params()).unwrap())
}

/// Parameters of the [`saloon`].
fn params() -> ElectricDriveParams {
    let brake = |max_torque, max_handbrake_torque| BrakeParams {
        max_torque,
        max_handbrake_torque,
    };
    let (front, rear) = (brake(2250.0, 0.0), brake(750.0, 1500.0));
    ElectricDriveParams {
        motors: vec![MOTOR(&[2, 3])],
        battery: battery(),
        regeneration: RegenerationParams {
            brake: true,
            alone: 1200.0,
            lift_off: 0.0,
            fade: [0.5, 1.5],
            one_pedal: 0.0,
        },
        creep: None,
        vectoring: None,
        responses: Responses::default(),
        steering: SteeringParams::default(),
        brakes: vec![front, front, rear, rear],
    }
}

/// The drive of a saloon with other parameters.
fn with(change: impl FnOnce(&mut ElectricDriveParams)) -> ElectricDrive {
    let mut params = params();
    change(&mut params);
    ElectricDrive::new(Checked::new(params).unwrap())
}
