//! Ground that moves: a braked car is carried along, in every world.

use conformance::worlds::{DT, GRAVITY, Place};
use glam::{DVec3, Vec3};
use jounce::core::{BodyState, CarCommand, Command, Environment, Surfaces, step};
use lab::ground::GroundSpec;
use lab::world::WorldKind;

/// A sedan with its brakes on, after 4 s on a platform that turns about `pivot` [m, world].
fn carried(kind: WorldKind, pivot: DVec3, linear: Vec3, angular: Vec3) -> BodyState {
    let place = Place::new(kind, &GroundSpec::Flat).unwrap();
    let mut world = place.open().unwrap();
    let platform = world.add_platform(pivot).unwrap();
    world
        .set_platform_velocity(platform, linear, angular)
        .unwrap();
    let mut vehicle = place.put(&mut *world, &jounce::presets::sedan()).unwrap();
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
    };
    let braked = Command::Car(CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    });
    for _ in 0..240 {
        step(&mut vehicle, &mut *world, &braked, &environment, DT).unwrap();
        world.advance(GRAVITY, DT);
    }
    world.body_state(vehicle.body()).unwrap()
}

#[test]
fn a_platform_takes_the_car_along() {
    for &kind in WorldKind::all() {
        let car = carried(kind, DVec3::Z, Vec3::Y * 2.0, Vec3::ZERO);
        let (place, speed) = (car.position, car.linear_velocity);
        assert!((speed.y - 2.0).abs() < 0.01, "{kind:?}: {speed}");
        assert!((place.y - 8.0).abs() < 0.4, "{kind:?}: {place}");
        assert!(place.z > 1.2, "{kind:?}: {place}");
    }
}

#[test]
fn a_turntable_turns_the_car() {
    let pivot = DVec3::new(8.0, 0.0, 1.0);
    for &kind in WorldKind::all() {
        let car = carried(kind, pivot, Vec3::ZERO, Vec3::Z * 0.5);
        let turn = car.angular_velocity.z;
        assert!((turn - 0.5).abs() < 0.01, "{kind:?}: {turn}");
        let arm = (car.position - pivot).truncate().length();
        assert!((arm - 8.0).abs() < 0.5, "{kind:?}: {arm}");
    }
}
