//! The number of threads does not change a bit.
//!
//! Bevy uses several threads only with its feature `multi_threaded`, which games usually have and
//! this workspace enables only in tests: `cargo test -p jounce-backend-avian --features
//! bevy/multi_threaded --test threads`.

use core::time::Duration;

use avian3d::prelude::{Collider, PhysicsPlugins, RigidBody};
use backend_avian::{VehicleCommand, VehicleComponent, VehiclePlugin};
use bevy::MinimalPlugins;
use bevy::app::{App, FixedPostUpdate, TaskPoolOptions, TaskPoolPlugin};
use bevy::prelude::{Entity, PluginGroup as _, Transform, TransformPlugin};
use bevy::tasks::ComputeTaskPool;
use bevy::time::{Fixed, Time, TimeUpdateStrategy};
use glam::Vec3;
use vehicle_core::{CarCommand, Command};

const THREADS: usize = 12;
const CARS: usize = 20;

/// Complete states, bit for bit: shortest decimals are exact.
fn drive(cars: impl Iterator<Item = usize>) -> Vec<String> {
    let mut app = App::new();
    let pools = TaskPoolPlugin {
        task_pool_options: TaskPoolOptions::with_num_threads(THREADS),
    };
    app.add_plugins((
        MinimalPlugins.set(pools),
        TransformPlugin,
        PhysicsPlugins::new(FixedPostUpdate),
        VehiclePlugin::default(),
    ));
    let ground = (RigidBody::Static, Collider::half_space(Vec3::Y));
    app.world_mut().spawn((ground, Transform::default()));
    let cars: Vec<Entity> = cars.map(|n| spawn(&mut app, n)).collect();
    app.finish();
    app.cleanup();
    let tick = Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(Time::<Fixed>::from_duration(tick));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    for _ in 0..2 * 64 {
        app.update();
    }
    let state = |&car| {
        format!(
            "{:?}",
            app.world()
                .get::<VehicleComponent>(car)
                .unwrap()
                .core()
                .state()
        )
    };
    cars.iter().map(state).collect()
}

/// Car number `n`, at its own position and with its own driver.
fn spawn(app: &mut App, n: usize) -> Entity {
    let command = CarCommand {
        throttle: 0.05 * n as f32,
        steer: 0.3 - 0.02 * n as f32,
        ..CarCommand::default()
    };
    let car = (
        VehicleComponent::new(jounce::presets::sedan().model()),
        VehicleCommand(Command::Car(command)),
        Transform::from_xyz(20.0 * n as f32, 0.1, 0.0),
    );
    app.world_mut().spawn(car).id()
}

#[test]
fn twenty_cars_on_many_threads_drive_like_each_alone() {
    let together = drive(0..CARS);
    let threads = ComputeTaskPool::get().thread_num();
    assert!(threads > 1, "{threads}");
    for (n, state) in together.iter().enumerate() {
        let alone = drive(n..n + 1);
        assert!(alone[0] == *state, "car {n} of {threads} threads");
    }
    let mut backwards = drive((0..CARS).rev());
    backwards.reverse();
    assert!(backwards == together, "{threads} threads");
}
