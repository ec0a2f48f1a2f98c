mod driver;
mod hybrid;
mod rolling;

use super::*;
use crate::clutch::ClutchParams;
use crate::gearbox::GearboxParams;
use alloc::vec;
use battery::tests::battery;
use motor::tests::MOTOR;
use vehicle_core::Curve;

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
    levers: vehicle_core::Levers::RELEASED,
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
        engine: None,
        power_split: None,
        parallel: None,
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

/// Parameters of a hybrid whose engine has 120 N·m, 60 kW at 500 rad/s, on a power split of 2.6.
fn hybrid_params() -> ElectricDriveParams {
    let engine = EngineParams {
        inertia: 0.13,
        peak_torque: 120.0,
        idle_speed: 100.0,
        idle_torque: None,
        max_speed: 600.0,
        torque_curve: Curve(vec![[0.0, 1.0], [0.95, 1.0], [1.0, 0.0]]),
        damping_full_throttle: 0.0,
        damping_zero_throttle_engaged: 0.1,
        damping_zero_throttle_disengaged: 0.1,
        static_friction: 40.0,
        fuel: None,
        torque_map: None,
        turbo: None,
        limiter: None,
    };
    let mut params = params();
    params.motors[0].wheels = vec![0, 1];
    params.motors.push(MotorParams {
        ratio: 1.0,
        peak_torque: 60.0,
        peak_power: 40_000.0,
        weakening_speed: None,
        ..MOTOR(&[])
    });
    params.battery.discharge_power = 27_000.0;
    params.battery.charge_power = 25_000.0;
    params.battery.state_of_charge = 0.6;
    params.engine = Some(engine);
    params.power_split = Some(PowerSplitParams {
        wheels: vec![0, 1],
        planetary: 2.6,
        ratio: 3.0,
        operating_line: Curve(vec![[0.0, 100.0], [10_000.0, 100.0], [60_000.0, 500.0]]),
        speed_rate: 250.0,
        start_power: 10_000.0,
        stop_power: 6000.0,
        electric_speed: Some(20.0),
        charge: [0.4, 0.6],
        charge_power: 8000.0,
    });
    params
}

/// Parameters of a parallel hybrid with that engine, and a gear of 8 on final drive 1.
fn parallel_params() -> ElectricDriveParams {
    let mut params = hybrid_params();
    params.power_split = None;
    params.motors.truncate(1);
    params.motors[0].ratio = 1.0;
    params.parallel = Some(ParallelHybridParams {
        clutch: ClutchParams {
            capacity: None,
            ..ClutchParams::physx()
        },
        input_torque: None,
        cranking_torque: 50.0,
        gearbox: GearboxParams {
            reverse: vec![-8.0],
            forward: vec![8.0, 4.0],
            final_ratio: 1.0,
            ranges: vec![],
            switch_time: 0.3,
            rev_matching: true,
            logic: DriveLogic::Waiting,
        },
        autobox: None,
        efficiency: 1.0,
        start_power: 10_000.0,
        stop_power: 6000.0,
        electric_speed: Some(20.0),
        charge: [0.4, 0.6],
        charge_power: 8000.0,
    });
    params
}

/// A drive with these parameters after a change, if they are valid.
fn drive_with(
    mut params: ElectricDriveParams,
    change: impl FnOnce(&mut ElectricDriveParams),
) -> Result<ElectricDrive, vehicle_core::InvalidParams> {
    change(&mut params);
    Checked::new(params).map(ElectricDrive::new)
}

/// A parallel hybrid.
pub(super) fn parallel() -> ElectricDrive {
    parallel_with(|_| {}).unwrap()
}

/// The parallel hybrid with other parameters, if they are valid.
pub(super) fn parallel_with(
    change: impl FnOnce(&mut ElectricDriveParams),
) -> Result<ElectricDrive, vehicle_core::InvalidParams> {
    drive_with(parallel_params(), change)
}

/// A hybrid with a power split.
pub(super) fn hybrid() -> ElectricDrive {
    hybrid_with(|_| {}).unwrap()
}

/// The hybrid with other parameters, if they are valid.
pub(super) fn hybrid_with(
    change: impl FnOnce(&mut ElectricDriveParams),
) -> Result<ElectricDrive, vehicle_core::InvalidParams> {
    drive_with(hybrid_params(), change)
}
