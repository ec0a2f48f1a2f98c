//! Vehicles can be added and removed at any time.

use avian3d::prelude::*;
use backend_avian::{LastReport, VehicleComponent, VehicleSystems, WheelOf, body_id};
use bevy::app::{FixedPostUpdate, FixedUpdate};
use bevy::ecs::schedule::{InternedSystemSet, SystemSet};
use bevy::prelude::{
    ChildOf, Commands, Component, Entity, IntoScheduleConfigs as _, Local, Query, Transform, With,
};
use glam::Vec3;
use rstest::rstest;

use super::{FULL, Game, close, game, sedan};

#[derive(Component)]
struct Passing;

/// Spawns a car every third tick, and despawns the oldest of more than two.
fn traffic(mut tick: Local<usize>, cars: Query<Entity, With<Passing>>, mut commands: Commands) {
    *tick += 1;
    if tick.is_multiple_of(3) {
        let place = Vec3::X * 6.0 * (*tick % 24) as f32 / 3.0;
        if tick.is_multiple_of(2) {
            // Without a collider it has no mass until Avian has processed it.
            let bare = VehicleComponent::new(jounce::presets::sedan().model());
            commands.spawn((bare, Transform::from_translation(place), Passing));
        } else {
            commands.spawn((sedan(place), Passing));
        }
        let oldest = cars.iter().min_by_key(|car| car.index());
        if let Some(car) = oldest.filter(|_| cars.iter().count() > 2) {
            commands.entity(car).despawn();
        }
    }
}

impl Game {
    fn passing(&mut self) -> usize {
        let world = self.app.world_mut();
        world.query::<&Passing>().iter(world).count()
    }
}

/// A vehicle can come and go in every gap between two phases.
#[rstest]
fn between_phases(#[values(0, 1, 2, 3, 4, 5, 6, 7)] gap: usize) {
    let phases: [InternedSystemSet; 9] = [
        PhysicsSystems::First.intern(),
        PhysicsSystems::Prepare.intern(),
        VehicleSystems::Probe.intern(),
        VehicleSystems::Update.intern(),
        VehicleSystems::Apply.intern(),
        PhysicsSystems::StepSimulation.intern(),
        PhysicsSystems::Writeback.intern(),
        VehicleSystems::Present.intern(),
        PhysicsSystems::Last.intern(),
    ];
    let mut game = Game::new();
    let traffic = traffic.after(phases[gap]).before(phases[gap + 1]);
    game.app.add_systems(FixedPostUpdate, traffic);
    game.finish();
    let stays = game.spawn(sedan(Vec3::NEG_X * 30.0));
    let quiet = game.spawn(sedan(Vec3::NEG_X * 40.0));
    game.command(stays, FULL);
    game.ticks(64);
    assert_eq!(game.faults(), []);
    assert_eq!(game.passing(), 3);
    assert!(game.speed(stays) > 2.0);
    close(game.place(quiet), Vec3::NEG_X * 40.0, 0.05);
}

/// A system in the middle of a phase.
#[rstest]
fn within_a_phase(#[values(0, 1, 2, 3)] phase: usize) {
    let phase = [
        VehicleSystems::Probe,
        VehicleSystems::Update,
        VehicleSystems::Apply,
        VehicleSystems::Present,
    ][phase];
    let mut game = Game::new();
    game.app.add_systems(FixedPostUpdate, traffic.in_set(phase));
    game.finish();
    game.ticks(64);
    assert_eq!(game.faults(), []);
    assert_eq!(game.passing(), 3);
}

/// A body that has lost its vehicle is an ordinary body with the same mass.
#[test]
fn a_vehicle_can_leave_its_body() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(64);
    game.app
        .world_mut()
        .entity_mut(car)
        .remove::<VehicleComponent>();
    game.ticks(64);
    let mass = game.get::<ComputedMass>(car).value();
    assert_eq!(mass, jounce::presets::sedan().mass());
    // It lies on its underside now.
    assert!(game.place(car).y < -0.2);
    assert_eq!(game.faults(), []);
}

/// A vehicle moves to another body with its complete state.
#[test]
fn a_vehicle_moves_to_another_body() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.command(car, FULL);
    game.ticks(128);
    let vehicle = game.get::<VehicleComponent>(car).clone();
    let engine = vehicle.core().state().drive;
    assert!(engine.engine_speed > 100.0);
    let other = game.spawn((sedan(Vec3::X * 10.0), LinearVelocity(Vec3::ZERO)));
    game.app.world_mut().entity_mut(other).insert(vehicle);
    let moved = game.get::<VehicleComponent>(other).core();
    assert_eq!(moved.body(), body_id(other));
    assert_eq!(moved.state().drive, engine);
    game.ticks(64);
    // Its own hull is not ground for it.
    assert!(game.place(other).y.abs() < 0.1);
    assert_eq!(game.faults(), []);
}

/// A wheel whose vehicle is missing, or has no such wheel, keeps its position.
#[test]
fn wheels_outlive_their_vehicles() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    let wheels = [0, 7].map(|wheel| {
        game.spawn(WheelOf {
            vehicle: car,
            wheel,
        })
    });
    let child = game.spawn((
        WheelOf {
            vehicle: car,
            wheel: 1,
        },
        ChildOf(car),
    ));
    game.ticks(4);
    game.app.world_mut().entity_mut(car).despawn();
    game.ticks(4);
    assert!(game.app.world().get_entity(child).is_err());
    let [first, none] = wheels.map(|wheel| game.get::<Transform>(wheel));
    assert!(first.translation.length() > 1.0);
    assert_eq!(none, &Transform::default());
}

/// A vehicle spawned in the fixed update drives in the same tick.
#[test]
fn a_car_drives_from_the_next_tick_on() {
    let mut game = Game::new();
    let once = |mut done: Local<bool>, mut commands: Commands| {
        if !core::mem::replace(&mut *done, true) {
            commands.spawn(sedan(Vec3::NEG_Y * 0.1));
        }
    };
    game.app.add_systems(FixedUpdate, once);
    game.finish();
    game.ticks(1);
    let world = game.app.world_mut();
    let mut reports = world.query::<&LastReport>();
    let report = reports.single(world).unwrap();
    assert_eq!(report.wheels.len(), 4);
    assert!(!report.vehicle.in_air);
}
