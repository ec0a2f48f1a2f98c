//! Driving, standing, sleeping, reporting.

use avian3d::prelude::*;
use backend_avian::{ChassisFrame, LastReport, VehicleComponent, VehicleSurfaces};
use bevy::app::FixedUpdate;
use bevy::prelude::Transform;
use bevy::time::Time;
use glam::{DVec3, Quat, Vec3};
use jounce::scene::{BodyDesc, Plane, Standalone};
use rstest::rstest;
use vehicle_core::{
    Air, Axis, CarCommand, Command, Environment, Frame, Gear, SurfaceType, Surfaces, TireType, step,
};

use super::{FULL, Game, PARKED, RATE, close, driven, game, sedan};

#[test]
fn a_car_drives_and_stops_on_command() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(64);
    close(game.place(car), Vec3::ZERO, 0.03);
    game.command(car, FULL);
    game.ticks(5 * 64);
    let (place, report) = (game.place(car), game.get::<LastReport>(car));
    let (way, speed) = on_its_own(5 * 64);
    assert!(place.x.abs() < 0.05, "{place}");
    assert!((-place.z / way - 1.0).abs() < 2e-3, "{place} {way}");
    let seen = report.vehicle;
    assert!((seen.forward_speed / speed - 1.0).abs() < 2e-3);
    assert!(seen.lateral_speed.abs() < 0.05);
    assert!(seen.gear > Gear::FIRST && seen.target_gear >= seen.gear);
    assert!(!seen.in_air && !report.command_was_clamped);
    let engine = seen.engine.unwrap();
    assert!(engine.speed > 100.0 && engine.torque > 50.0 && engine.throttle == 1.0);
    assert_eq!(report.fault, None);
    let slips = report.wheels.iter().map(|wheel| wheel.slip_ratio);
    assert!(slips.take(2).all(|slip| slip > 0.0), "driven at the front");

    let brake = CarCommand {
        throttle: 0.0,
        brake: 1.0,
        ..FULL
    };
    game.command(car, brake);
    game.ticks(3 * 64);
    assert!(game.speed(car).abs() < 0.01, "{}", game.speed(car));
}

/// Distance (`m`) and speed (`m/s`) of the same car in a world without an engine: dropped, left
/// alone for a second, and driven off.
fn on_its_own(ticks: usize) -> (f32, f32) {
    let car = jounce::presets::sedan();
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let start = DVec3::Z * (f64::from(car.center_of_mass().z) + 0.1);
    let body = BodyDesc::at_rest(start, car.mass(), car.inertia());
    let body = world.add(&body).unwrap();
    let mut vehicle = vehicle_core::Vehicle::new(car.model(), body);
    let environment = Environment {
        gravity: Vec3::NEG_Z * 9.81,
        surfaces: &Surfaces::new(),
        air: Air::STILL,
    };
    let dt = 1.0 / RATE as f32;
    for tick in 0..64 + ticks {
        let throttle = if tick < 64 { 0.0 } else { 1.0 };
        let command = Command::Car(CarCommand { throttle, ..FULL });
        step(&mut vehicle, &mut world, &command, &environment, dt).unwrap();
        world.step(environment.gravity, dt);
    }
    let state = world.body(body).unwrap().state();
    let way = (state.position - start).as_vec3();
    (way.x, vehicle.report(&state).forward_speed)
}

/// The frame of a body gives its driving direction and center of mass.
#[rstest]
#[case(Frame::X_FORWARD_Y_UP, Vec3::X)]
#[case(Frame::Z_FORWARD_Y_UP, Vec3::Z)]
fn a_body_with_other_axes_drives_the_same(#[case] frame: Frame, #[case] forward: Vec3) {
    let mut game = game();
    let usual = game.spawn(sedan(Vec3::X * 50.0));
    let car = game.spawn((sedan(Vec3::ZERO), ChassisFrame(frame)));
    for car in [usual, car] {
        game.command(car, FULL);
    }
    game.ticks(3 * 64);
    let way = game.place(car).dot(forward);
    let usual = -game.place(usual).z;
    assert!(
        way > 8.0 && (way / usual - 1.0).abs() < 1e-3,
        "{way} {usual}"
    );
}

#[test]
fn a_body_has_the_mass_of_its_kind() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(1);
    let chassis = jounce::presets::sedan();
    assert_eq!(game.get::<ComputedMass>(car).value(), chassis.mass());
    let frame = ChassisFrame::default().0;
    let center = game.get::<ComputedCenterOfMass>(car).0;
    close(center, frame.to_body(chassis.center_of_mass()), 1e-6);

    // Another model, another mass; a load added by the user stays.
    let truck = jounce::presets::truck();
    let mut vehicle = game
        .app
        .world_mut()
        .get_mut::<VehicleComponent>(car)
        .unwrap();
    vehicle.core_mut().set_model(truck.model());
    game.ticks(1);
    assert_eq!(game.get::<ComputedMass>(car).value(), truck.mass());
    game.app.world_mut().entity_mut(car).insert(Mass(9000.0));
    game.ticks(2);
    assert_eq!(game.get::<ComputedMass>(car).value(), 9000.0);
}

/// Twenty cars neither obstruct each other nor take each other's commands.
#[test]
fn twenty_cars_drive_like_one() {
    let start = |n: u8| Vec3::X * 8.0 * f32::from(n);
    let mut game = game();
    let cars: Vec<_> = (0..20).map(|n| game.spawn(sedan(start(n)))).collect();
    for (n, &car) in cars.iter().enumerate() {
        let throttle = if n % 2 == 0 { 1.0 } else { 0.0 };
        game.command(car, CarCommand { throttle, ..FULL });
    }
    game.ticks(3 * 64);
    for (n, &car) in cars.iter().enumerate() {
        let way = game.place(car) - start(n as u8);
        if n % 2 == 0 {
            let first = game.place(cars[0]);
            assert!(way.z < -8.0);
            close(way, first, 1e-3);
        } else {
            close(way, Vec3::ZERO, 0.03);
        }
    }
}

#[test]
fn a_run_is_reproducible_bit_for_bit() {
    let run = || {
        let mut game = game();
        let cars = [0.0, 4.0, 8.0].map(|x| game.spawn(sedan(Vec3::X * x)));
        for (car, steer) in cars.into_iter().zip([0.3, 0.0, -0.2]) {
            game.command(car, CarCommand { steer, ..FULL });
        }
        game.ticks(4 * 64);
        cars.map(|car| (game.place(car), *game.get::<Rotation>(car)))
    };
    assert_eq!(run(), run());
}

#[test]
fn a_parked_car_sleeps_until_commanded_to_drive() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.command(car, PARKED);
    game.ticks(4 * 64);
    assert!(game.app.world().entity(car).contains::<Sleeping>());
    let place = game.place(car);
    game.ticks(64);
    assert_eq!(game.place(car), place);
    game.command(car, FULL);
    game.ticks(2);
    assert!(!game.app.world().entity(car).contains::<Sleeping>());
    game.ticks(2 * 64);
    assert!(game.speed(car) > 2.0);
}

#[test]
fn a_paused_clock_stops_vehicles_and_keeps_their_state() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.command(car, FULL);
    game.ticks(64);
    let physics = |game: &mut Game, pause: bool| {
        let mut time = game.app.world_mut().resource_mut::<Time<Physics>>();
        if pause { time.pause() } else { time.unpause() }
    };
    physics(&mut game, true);
    // Avian makes one more step after the pause.
    game.ticks(1);
    let (place, state) = (
        game.place(car),
        game.get::<VehicleComponent>(car).core().state().clone(),
    );
    game.ticks(64);
    assert_eq!(game.place(car), place);
    assert_eq!(game.get::<VehicleComponent>(car).core().state(), &state);
    physics(&mut game, false);
    let speed = game.speed(car);
    game.ticks(1);
    let gained = game.speed(car) - speed;
    assert!((0.0..0.2).contains(&gained), "{gained}");
}

/// A game at half of the time's speed drives as if every tick were half as long.
#[test]
fn time_runs_at_avians_speed() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(64);
    game.app
        .world_mut()
        .resource_mut::<Time<Physics>>()
        .set_relative_speed(0.5);
    game.command(car, FULL);
    game.ticks(4 * 64);
    let slow = game.place(car).z;

    let mut usual = super::game();
    let car = usual.spawn(sedan(Vec3::ZERO));
    usual.ticks(64);
    usual.command(car, FULL);
    usual.ticks(2 * 64);
    let expected = usual.place(car).z;
    assert!((slow / expected - 1.0).abs() < 0.01, "{slow} {expected}");
}

#[test]
fn surfaces_determine_the_grip() {
    let mut game = game();
    let car = game.spawn(sedan(Vec3::ZERO));
    let mut surfaces = game.app.world_mut().resource_mut::<VehicleSurfaces>();
    let table = &mut surfaces.0;
    for tire in 0..4 {
        table
            .set_friction(SurfaceType(0), TireType(tire), 0.05)
            .unwrap();
    }
    game.command(car, FULL);
    game.ticks(2 * 64);
    let speed = game.speed(car);
    assert!((0.1..1.2).contains(&speed), "{speed}");
}

/// Half the weight on the same springs.
#[test]
fn a_vehicle_uses_its_bodys_gravity_scale() {
    let mut game = game();
    let car = game.spawn((sedan(Vec3::ZERO), GravityScale(0.5)));
    game.ticks(3 * 64);
    let load: f32 = game
        .get::<LastReport>(car)
        .wheels
        .iter()
        .map(|w| w.load)
        .sum();
    let weight = 0.5 * 9.81 * jounce::presets::sedan().mass();
    assert!((load / weight - 1.0).abs() < 0.01, "{load} {weight}");
}

/// Cars without a hull are still carried by their wheels.
#[test]
fn a_car_without_a_collider_drives() {
    let mut game = game();
    let model = jounce::presets::sedan().model();
    let turned = Transform::from_xyz(0.0, 0.1, 0.0).with_rotation(Quat::from_rotation_y(1.0));
    let car = game.spawn((VehicleComponent::new(model), LastReport::default(), turned));
    game.command(car, FULL);
    game.ticks(3 * 64);
    assert!(game.speed(car) > 4.0);
    assert_eq!(game.faults(), []);
}

/// Rays and sweeps side by side.
#[test]
fn wheels_may_be_swept() {
    let (name, text) = jounce::presets::FILES[0];
    let text = format!("{text}\n[sweep]\nshape = \"cylinder\"\n");
    let swept = jounce::file::Car::parse(&text, name).unwrap();
    let mut game = game();
    let cars = [
        game.spawn(sedan(Vec3::ZERO)),
        game.spawn(driven(&swept, Vec3::X * 10.0)),
        game.spawn(sedan(Vec3::X * 20.0)),
    ];
    for car in cars {
        game.command(car, FULL);
    }
    game.ticks(3 * 64);
    let [ray, sweep, other] = cars.map(|car| game.place(car).z);
    assert!(
        ray < -8.0 && (sweep / ray - 1.0).abs() < 5e-3,
        "{ray} {sweep}"
    );
    assert!((other / ray - 1.0).abs() < 1e-3, "{ray} {other}");
    assert_eq!(game.faults(), []);
}

#[test]
fn another_schedule_is_allowed() {
    let mut game = Game::in_schedule(FixedUpdate);
    game.finish();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(64);
    game.command(car, FULL);
    game.ticks(5 * 64);
    let (way, _) = on_its_own(5 * 64);
    let place = game.place(car);
    assert!((-place.z / way - 1.0).abs() < 2e-3, "{place} {way}");
}
