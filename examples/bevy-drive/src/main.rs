//! A Bevy game with a car. Keys: W, A, S, D, space for the handbrake, R to get back onto the wheels; or a gamepad.

use core::f32::consts::{FRAC_PI_2, TAU};

use avian3d::prelude::*;
use bevy::prelude::*;
use jounce::avian::{
    ChassisFrame, LastReport, VehicleCommand, VehicleComponent, VehiclePlugin, WheelOf, hull,
};
use jounce::core::{Checked, Command};
use jounce::input::{AutoReverse, CarHands, CarKeys, CarPad, CarSmoothing, ReverseSpeeds};

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PhysicsPlugins::default()))
        .add_plugins(VehiclePlugin::default())
        .insert_resource(ClearColor(Color::srgb(0.62, 0.78, 0.92)))
        .add_systems(Startup, (spawn_hills, spawn_car, spawn_view))
        .add_systems(FixedUpdate, drive)
        .add_systems(Update, (upright, chase, show_dials))
        .run();
}

/// Moves pedals and steering wheel as feet and hands do.
#[derive(Component)]
struct Driver(CarHands, AutoReverse, Checked<CarSmoothing>);

#[derive(Component)]
struct Dials;

/// Rolling hills, to look at and to drive on.
fn spawn_hills(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let plane = Plane3d::default().mesh().size(2000.0, 2000.0);
    let mut mesh = plane.subdivisions(249).build();
    let flat = mesh
        .attribute(Mesh::ATTRIBUTE_POSITION)
        .and_then(|points| points.as_float3());
    let height =
        |x: f32, z: f32| 4.0 * (x / 61.0).sin() * (z / 73.0).sin() + (x / 23.0 + z / 31.0).sin();
    let points: Vec<[f32; 3]> = flat
        .ok_or("no points")?
        .iter()
        .map(|&[x, _, z]| [x, height(x, z), z])
        .collect();
    let shade = |[x, _, z]: [f32; 3]| 0.2 + 0.06 * ((x / 16.0).sin() * (z / 16.0).sin()).signum();
    let greens: Vec<[f32; 4]> = points
        .iter()
        .map(|&point| [0.6, 1.0, 0.4, 5.0].map(|share| share * shade(point)))
        .collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, points);
    mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, greens);
    mesh.compute_smooth_normals();
    let collider = Collider::trimesh_from_mesh(&mesh).ok_or("no triangles")?;
    let material = MeshMaterial3d(materials.add(Color::WHITE));
    let seen = (Mesh3d(meshes.add(mesh)), material);
    commands.spawn((RigidBody::Static, collider, seen));
    Ok(())
}

fn spawn_car(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let car = jounce::presets::by_name("rally-car").ok_or("no such car")?;
    let frame = ChassisFrame::default(); // -z forward, y up
    let size = frame.0.to_body(car.hull.size).abs();
    let centre = frame.0.to_body(car.hull.centre);
    let vehicle = VehicleComponent::new(car.model());
    let smoothing = Checked::new(car.smoothing())?;
    let driver = Driver(CarHands::default(), AutoReverse::default(), smoothing);
    let collider = hull(&frame.0, car.hull.size, car.hull.centre);
    let place = Transform::from_xyz(0.0, 0.3, 0.0);
    let seen = (LastReport::default(), Visibility::default());
    let car_body = (vehicle, driver, collider, place, seen);
    let vehicle = commands.spawn((car_body, TransformInterpolation)).id();
    let paint = MeshMaterial3d(materials.add(Color::srgb(0.75, 0.12, 0.1)));
    let rubber = MeshMaterial3d(materials.add(Color::srgb(0.06, 0.06, 0.07)));
    for (share, up) in [
        (Vec3::new(0.8, 0.5, 1.0), -0.1),
        (Vec3::new(0.7, 0.4, 0.45), 0.3),
    ] {
        let mesh = Mesh3d(meshes.add(Cuboid::from_size(size * share)));
        let place = Transform::from_translation(centre + Vec3::Y * up * size.y);
        commands.spawn((mesh, paint.clone(), place, ChildOf(vehicle)));
    }
    for (wheel, params) in car.model().params().wheels.iter().enumerate() {
        let around = Cylinder::new(params.radius, params.width)
            .mesh()
            .resolution(10);
        let along_the_axle = Quat::from_rotation_z(FRAC_PI_2);
        let mesh = Mesh3d(meshes.add(around.build().rotated_by(along_the_axle)));
        commands.spawn((
            WheelOf { vehicle, wheel },
            mesh,
            rubber.clone(),
            ChildOf(vehicle),
        ));
    }
    Ok(())
}

fn spawn_view(mut commands: Commands) {
    commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 3.0, 8.0)));
    let sun = DirectionalLight {
        illuminance: 9000.0,
        shadow_maps_enabled: true,
        ..default()
    };
    let above = Transform::from_xyz(3.0, 5.0, 2.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((sun, above));
    let font = TextFont::from_font_size(28.0);
    commands.spawn((Dials, Text::default(), font));
}

/// Once a tick: from keys, or from a gamepad that is touched, to the vehicle's command.
fn drive(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    pads: Query<&Gamepad>,
    car: Single<(&mut Driver, &LastReport, &mut VehicleCommand)>,
) -> Result {
    let (mut driver, report, mut command) = car.into_inner();
    let Driver(hands, reverse, smoothing) = &mut *driver;
    let (speeds, seen, dt) = (&ReverseSpeeds::PHYSX, &report.vehicle, time.delta_secs());
    let touched = pads.iter().map(pad_of).find(|pad| *pad != CarPad::FREE);
    command.0 = Command::Car(match touched {
        Some(pad) => hands.follow(smoothing, &reverse.pad(speeds, &pad, seen), seen, dt)?,
        None => hands.press(
            smoothing,
            &reverse.keys(speeds, &keys_of(&keys), seen),
            seen,
            dt,
        )?,
    });
    Ok(())
}

fn keys_of(keys: &ButtonInput<KeyCode>) -> CarKeys {
    CarKeys {
        throttle: keys.any_pressed([KeyCode::KeyW, KeyCode::ArrowUp]),
        brake: keys.any_pressed([KeyCode::KeyS, KeyCode::ArrowDown]),
        left: keys.any_pressed([KeyCode::KeyA, KeyCode::ArrowLeft]),
        right: keys.any_pressed([KeyCode::KeyD, KeyCode::ArrowRight]),
        handbrake: keys.pressed(KeyCode::Space),
        ..CarKeys::FREE
    }
}

fn pad_of(pad: &Gamepad) -> CarPad {
    let pressed = |button: GamepadButton| pad.get(button).unwrap_or(0.0);
    CarPad {
        throttle: pressed(GamepadButton::RightTrigger2),
        brake: pressed(GamepadButton::LeftTrigger2),
        handbrake: pressed(GamepadButton::South),
        steer: pad.left_stick().x,
        ..CarPad::FREE
    }
}

/// Turns the car back onto its wheels, where it is.
fn upright(
    keys: Res<ButtonInput<KeyCode>>,
    car: Single<(&mut Position, &mut Rotation), With<Driver>>,
) {
    if keys.just_pressed(KeyCode::KeyR) {
        let (mut place, mut turn) = car.into_inner();
        let ahead = (turn.0 * Vec3::NEG_Z).with_y(0.0);
        place.y += 1.0;
        turn.0 = Quat::from_rotation_arc(Vec3::NEG_Z, ahead.normalize_or(Vec3::NEG_Z));
    }
}

/// Behind the car and above it, a little late.
fn chase(
    time: Res<Time>,
    car: Single<&Transform, With<Driver>>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Driver>)>,
) {
    let back = car.back().with_y(0.0).normalize_or_zero();
    let place = car.translation + 7.0 * back + 2.8 * Vec3::Y;
    camera
        .translation
        .smooth_nudge(&place, 4.0, time.delta_secs());
    camera.look_at(car.translation + Vec3::Y, Vec3::Y);
}

fn show_dials(car: Single<&LastReport>, mut dials: Single<&mut Text, With<Dials>>) {
    let seen = &car.vehicle;
    let (speed, gear) = (3.6 * seen.forward_speed.abs(), seen.gear.0);
    let rpm = seen.engine.map_or(0.0, |engine| engine.speed * 60.0 / TAU);
    dials.0 = format!("{speed:.0} km/h   gear {gear}   {rpm:.0} rpm");
}
