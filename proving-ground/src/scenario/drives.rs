//! PhysX's other drives: many driven wheels, tanks, and user-defined torques. How each is built,
//! which wheels it leaves free, and the meaning of its schedule's values.

use jounce::core::{CarCommand, Command, GearCommand, TankCommand, WheelCommand};
use jounce::drive::{
    Differential, DirectDriveParams, EqualSplit, SteeredWheel, SteeringParams, TankDifferential,
    TankLaw, Track, TrackCoupling, TrackSide,
};

use super::header::{DriveKind, ScheduleEntry, VehicleData};

/// Equal shares of any wheels.
pub(super) fn equal_split(vehicle: &VehicleData) -> Differential {
    let wheels = vehicle.driven.iter().enumerate();
    Differential::Equal(EqualSplit {
        wheels: wheels
            .filter(|(_, driven)| **driven != 0)
            .map(|(n, _)| n)
            .collect(),
    })
}

/// Every wheel with its own angle; to PhysX's right, which is our left.
pub(super) fn single_steering(vehicle: &VehicleData) -> SteeringParams {
    let wheels = vehicle.wheels.iter().enumerate();
    SteeringParams {
        wheels: wheels
            .map(|(wheel, row)| SteeredWheel {
                wheel,
                max_steer: row.max_steer,
            })
            .collect(),
        ..SteeringParams::default()
    }
}

/// Two tracks. PhysX's left one, of the even wheels, is on our right.
pub(super) fn tracks(vehicle: &VehicleData, special: bool) -> Differential {
    let count = vehicle.wheels.len();
    let track = |side, first| Track {
        side,
        wheels: (first..count).step_by(2).collect(),
        radii: vec![],
    };
    Differential::Tank(TankDifferential {
        tracks: vec![track(TrackSide::Right, 0), track(TrackSide::Left, 1)],
        law: TankLaw::Shared,
        special,
        idle_brake: 0.0,
        coupling: TrackCoupling::ByHalves,
    })
}

/// User-defined torques.
pub(super) fn no_drive() -> DirectDriveParams {
    DirectDriveParams {
        max_torques: vec![],
        responses: Default::default(),
        logic: Default::default(),
        steering: SteeringParams::default(),
        brakes: vec![],
    }
}

/// A car's analog values as a command.
pub(super) fn car_command(
    [throttle, brake, handbrake, left, right]: [f32; 5],
    gear: GearCommand,
    automatic: bool,
) -> Command {
    Command::Car(CarCommand {
        throttle,
        brake,
        handbrake,
        // PhysX's right is our left; the driver's command is positive to the right.
        steer: left - right,
        clutch: 0.0,
        gear,
        automatic,
        steering_wheel: None,
        levers: jounce::core::Levers::RELEASED,
    })
}

/// A tank's analog values as a command.
pub(super) fn tank_command(
    [throttle, brake_left, brake_right, thrust_left, thrust_right]: [f32; 5],
    gear: GearCommand,
    automatic: bool,
) -> Command {
    Command::Tank(TankCommand {
        throttle,
        thrust: [thrust_right, thrust_left],
        brake: [brake_right, brake_left],
        gear,
        automatic,
    })
}

/// The per-wheel values of an entry. PhysX's angles are positive to our left, like ours.
pub(super) fn wheel_command(entry: &ScheduleEntry) -> Command {
    let mut command = WheelCommand::default();
    let lists = [
        (&mut command.drive, &entry.drive),
        (&mut command.brake, &entry.brake),
        (&mut command.steer, &entry.steer),
    ];
    for (ours, theirs) in lists {
        let theirs = theirs.iter().flatten();
        for (ours, theirs) in ours.iter_mut().zip(theirs) {
            *ours = *theirs;
        }
    }
    Command::Wheels(command)
}

/// Whether a wheel is free of brakes and engine under this command, with a gear engaged or not.
pub(super) fn is_free(
    vehicle: &VehicleData,
    wheel: usize,
    command: &Command,
    in_gear: bool,
) -> bool {
    let row = &vehicle.wheels[wheel];
    match command {
        Command::Car(car) => {
            let torque =
                car.brake * row.max_brake_torque + car.handbrake * row.max_handbrake_torque;
            let driven = is_driven(vehicle, wheel, car.handbrake);
            torque == 0.0 && !(driven && in_gear && car.throttle > 0.0)
        }
        Command::Tank(tank) => {
            let side = usize::from(wheel.is_multiple_of(2));
            let pushes = tank.thrust[side] != 0.0 || tank.thrust == [0.0; 2];
            let driven = pushes && in_gear && tank.throttle > 0.0;
            tank.brake[side] * row.max_brake_torque == 0.0 && !driven
        }
        Command::Wheels(wheels) => wheels.drive[wheel] == 0.0 && wheels.brake[wheel] == 0.0,
    }
}

/// Whether a car's wheel is driven when a gear is engaged.
fn is_driven(vehicle: &VehicleData, wheel: usize, handbrake: f32) -> bool {
    if vehicle.kind == DriveKind::DriveNW {
        return vehicle.driven[wheel] != 0;
    }
    let kind = vehicle.differential.as_ref().map_or("", |d| &d.kind);
    match wheel {
        0 | 1 => !kind.ends_with("REARWD"),
        // PhysX's handbrake makes a four-wheel drive a front-wheel drive.
        2 | 3 => kind.ends_with("REARWD") || (kind.ends_with("4WD") && handbrake == 0.0),
        _ => false,
    }
}
