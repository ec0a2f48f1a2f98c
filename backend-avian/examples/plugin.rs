//! A car in a Bevy app, without a window: `cargo run --release -p jounce-backend-avian --example plugin`.

use core::time::Duration;

use avian3d::prelude::*;
use backend_avian::{
    ChassisFrame, LastReport, VehicleCommand, VehicleComponent, VehicleFault, VehiclePlugin,
    WheelOf, hull,
};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use vehicle_core::{CarCommand, Command};

fn main() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        PhysicsPlugins::default(),
        VehiclePlugin::default(),
    ));
    app.add_systems(Startup, set_up);
    app.add_systems(FixedUpdate, drive);
    app.add_systems(Update, tell_faults);
    app.finish();
    app.cleanup();
    // Frames of 1/60 s, independent of real time; ticks of 1/64 s, Bevy's default.
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0));
    app.insert_resource(frame);
    for _ in 0..10 {
        for _ in 0..60 {
            app.update();
        }
        let told = app.world_mut().run_system_cached(tell);
        told.expect("the system runs");
    }
}

/// A road, and a sedan with four wheels to look at.
fn set_up(mut commands: Commands) {
    commands.spawn((
        RigidBody::Static,
        Collider::cuboid(1000.0, 1.0, 1000.0),
        Transform::from_xyz(0.0, -0.5, 0.0),
    ));
    let car = jounce::presets::sedan();
    let frame = ChassisFrame::default(); // −z forward, y up
    let body = commands.spawn((
        VehicleComponent::new(car.model()),
        LastReport::default(),
        hull(&frame.0, car.hull.size, car.hull.center),
        Transform::from_xyz(0.0, 0.1, 0.0),
        TransformInterpolation,
    ));
    let vehicle = body.id();
    for wheel in 0..car.model().wheel_count() {
        // Add a mesh or a scene of a wheel to show it.
        commands.spawn((WheelOf { vehicle, wheel }, ChildOf(vehicle)));
    }
}

/// Full throttle for five seconds, then into a bend.
fn drive(time: Res<Time>, mut cars: Query<&mut VehicleCommand>) {
    let straight = time.elapsed_secs() < 5.0;
    for mut command in &mut cars {
        command.0 = Command::Car(CarCommand {
            throttle: if straight { 1.0 } else { 0.2 },
            steer: if straight { 0.0 } else { 0.2 },
            ..CarCommand::default()
        });
    }
}

fn tell(cars: Query<&LastReport>, wheels: Query<(&WheelOf, &Transform)>) {
    for report in &cars {
        let (speed, gear) = (report.vehicle.forward_speed * 3.6, report.vehicle.gear.0);
        print!("{speed:5.1} km/h, gear {gear}, wheels at");
    }
    for (of, place) in &wheels {
        print!("  {}: {:.3} m", of.wheel, place.translation.y);
    }
    println!();
}

fn tell_faults(mut faults: MessageReader<VehicleFault>) {
    for fault in faults.read() {
        eprintln!("{}: {}", fault.vehicle, fault.error);
    }
}
