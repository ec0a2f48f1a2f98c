//! Commands of every kind reach the vehicles that accept them.

use backend_avian::LastReport;
use bevy::prelude::Entity;
use glam::Vec3;
use jounce::presets;
use vehicle_core::{Command, MAX_WHEELS, StepError, TankCommand, WheelCommand};

use super::{Game, driven, game};

/// A standing preset vehicle after this command for this many seconds.
fn obeys(name: &str, command: Command, seconds: usize) -> (Game, Entity) {
    let mut game = game();
    let vehicle = game.spawn(driven(&presets::by_name(name).unwrap(), Vec3::ZERO));
    game.order(vehicle, Command::default());
    game.ticks(64);
    game.order(vehicle, command);
    game.ticks(seconds * 64);
    assert_eq!(game.faults(), []);
    (game, vehicle)
}

/// A tank drives off with both tracks forward.
#[test]
fn a_tank_drives_off() {
    let thrust = Command::Tank(TankCommand {
        throttle: 1.0,
        thrust: [1.0; 2],
        automatic: true,
        ..TankCommand::default()
    });
    let (game, tank) = obeys("tank", thrust, 3);
    assert!(game.speed(tank) > 0.5, "{}", game.speed(tank));
    let wheels = &game.get::<LastReport>(tank).wheels;
    assert_eq!(wheels.len(), 14);
    assert!(wheels.iter().all(|wheel| wheel.spin > 0.0));
}

/// Individual torques for each wheel, and no engine to report.
#[test]
fn a_skateboard_is_driven_per_wheel() {
    let mut wheels = WheelCommand::default();
    wheels.drive[2..4].fill(2.0);
    let (game, board) = obeys("skateboard", Command::Wheels(wheels), 2);
    let rolling = 0.015 * 9.81;
    let speed = 2.0 * (2.0 * 2.0 / 0.0485 / 82.0 - rolling);
    let off = game.speed(board) / speed - 1.0;
    assert!(
        (-0.15..0.0).contains(&off),
        "{off}: wheels' inertia, bearings"
    );
    assert_eq!(game.get::<LastReport>(board).vehicle.engine, None);
}

/// A command of another kind is a fault; the last accepted one goes on.
#[test]
fn a_command_of_another_kind_is_a_fault() {
    let mut game = game();
    let tank = game.spawn(driven(&presets::by_name("tank").unwrap(), Vec3::ZERO));
    let torques = WheelCommand {
        drive: [100.0; MAX_WHEELS],
        ..WheelCommand::default()
    };
    game.order(tank, Command::Wheels(torques));
    game.ticks(2);
    let expected = StepError::WrongCommand {
        expected: "car or tank",
    };
    let [heard] = game.faults()[..] else {
        panic!("said once");
    };
    assert_eq!((heard.vehicle, heard.error), (tank, expected));
}
