//! Vehicles as components, driven by `VehiclePlugin`.

mod colliders;
mod commands;
mod detail;
mod driving;
mod faults;
mod lifecycle;
mod roof;
mod wheels;

use core::time::Duration;

use avian3d::prelude::*;
use backend_avian::{
    ChassisFrame, LastReport, VehicleCommand, VehicleComponent, VehicleFault, VehiclePlugin,
    WheelHooks, WheelHooksPlugin, hull,
};
use bevy::MinimalPlugins;
use bevy::app::{App, FixedPostUpdate, Last};
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::{
    Bundle, Component, Entity, MessageReader, ResMut, Resource, Transform, TransformPlugin,
};
use bevy::time::{Fixed, Time, TimeUpdateStrategy};
use glam::Vec3;
use jounce::file::Car;
use vehicle_core::{CarCommand, Command};

/// Ticks per second.
const RATE: f64 = 64.0;

/// An app with flat ground, y up.
struct Game {
    app: App,
}

impl Game {
    fn new() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }

    fn in_schedule(schedule: impl ScheduleLabel + Clone) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            PhysicsPlugins::new(schedule.clone()).with_collision_hooks::<WheelHooks>(),
            WheelHooksPlugin,
            VehiclePlugin::new(schedule),
        ));
        app.init_resource::<Heard>().add_systems(Last, hear);
        let mut game = Self { app };
        game.app.world_mut().spawn((
            RigidBody::Static,
            Collider::half_space(Vec3::Y),
            Transform::default(),
        ));
        game
    }

    fn finish(&mut self) {
        self.app.finish();
        self.app.cleanup();
        self.app.insert_resource(Time::<Fixed>::from_hz(RATE));
        // The first frame takes no time.
        self.frame(0.0);
    }

    /// One frame that lasts this many ticks.
    fn frame(&mut self, ticks: f64) {
        let pause = Duration::from_secs_f64(ticks / RATE);
        self.app
            .insert_resource(TimeUpdateStrategy::ManualDuration(pause));
        self.app.update();
    }

    fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            self.frame(1.0);
        }
    }

    fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.app.world_mut().spawn(bundle).id()
    }

    fn command(&mut self, car: Entity, command: CarCommand) {
        self.order(car, Command::Car(command));
    }

    fn order(&mut self, vehicle: Entity, command: Command) {
        let world = self.app.world_mut();
        world.get_mut::<VehicleCommand>(vehicle).unwrap().0 = command;
    }

    fn get<C: Component>(&self, entity: Entity) -> &C {
        self.app.world().get(entity).unwrap()
    }

    fn place(&self, entity: Entity) -> Vec3 {
        self.get::<Position>(entity).0
    }

    fn speed(&self, car: Entity) -> f32 {
        self.get::<LastReport>(car).vehicle.forward_speed
    }

    /// Faults reported since the last call.
    fn faults(&mut self) -> Vec<VehicleFault> {
        core::mem::take(&mut self.app.world_mut().resource_mut::<Heard>().0)
    }
}

/// All reported faults.
#[derive(Resource, Default)]
struct Heard(Vec<VehicleFault>);

fn hear(mut faults: MessageReader<VehicleFault>, mut heard: ResMut<Heard>) {
    heard.0.extend(faults.read().copied());
}

/// A running game.
fn game() -> Game {
    let mut game = Game::new();
    game.finish();
    game
}

fn sedan(place: Vec3) -> impl Bundle {
    driven(&jounce::presets::sedan(), place)
}

/// A car slightly above the ground, facing −z, Bevy's forward.
fn driven(car: &Car, place: Vec3) -> impl Bundle + use<> {
    let frame = ChassisFrame::default();
    (
        VehicleComponent::new(car.model()),
        LastReport::default(),
        hull(&frame.0, car.hull.size, car.hull.center),
        Transform::from_translation(place + 0.1 * Vec3::Y),
    )
}

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    brake: 0.0,
    handbrake: 0.0,
    steer: 0.0,
    clutch: 0.0,
    gear: vehicle_core::GearCommand::Hold,
    automatic: true,
    steering_wheel: None,
    levers: vehicle_core::Levers::RELEASED,
};

/// The handbrake alone.
const PARKED: CarCommand = CarCommand {
    throttle: 0.0,
    handbrake: 1.0,
    ..FULL
};

fn close(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}");
}
