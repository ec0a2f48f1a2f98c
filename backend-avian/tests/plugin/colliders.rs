//! Colliders of wheels.

use avian3d::prelude::*;
use backend_avian::{
    ModifiedWheel, VehicleComponent, WheelColliders, WheelError, WheelSettings, wheel_layers,
};
use bevy::prelude::{ChildOf, Entity, Transform};
use glam::Vec3;
use jounce::file::Car;
use vehicle_core::CarCommand;
use vehicle_core::WheelColliderSettings;

use super::{FULL, Game, close, driven, game, sedan};

const WHEELS: LayerMask = LayerMask(0b010);

/// Wheels that do not touch Avian's first layer.
fn settings() -> WheelSettings {
    WheelSettings {
        layers: wheel_layers(WHEELS, LayerMask(1)),
        shared: None,
        swept: false,
    }
}

#[test]
fn colliders_follow_the_wheels_that_have_them() {
    let mut game = game();
    let car = game.spawn((
        sedan(Vec3::ZERO),
        WheelColliders::new(settings()).without(2),
    ));
    let steer = -1.0;
    game.command(car, CarCommand { steer, ..FULL });
    game.ticks(100);
    let wheels: Vec<_> = game.get::<WheelColliders>(car).entities().to_vec();
    assert_eq!(wheels.len(), 4);
    assert_eq!(wheels[2], None);
    let front = wheels[0].unwrap();
    assert_eq!(game.get::<ChildOf>(front).parent(), car);
    assert_eq!(game.get::<ColliderOf>(front).body, car);
    // The axle, a cylinder's y, is steered to the left and has not rolled.
    let place = *game.get::<Transform>(front);
    let axle = place.rotation * Vec3::Y;
    assert!(
        axle.x < -0.8 && axle.z > 0.2 && axle.y.abs() < 0.1,
        "{axle}"
    );
    let frame = backend_avian::ChassisFrame::default().0;
    for wheel in wheels.iter().flatten() {
        let ahead = game.get::<Transform>(*wheel).rotation * Vec3::X;
        let rolled = frame.to_vehicle(ahead).z;
        assert!(rolled.abs() < 0.05, "{rolled}");
    }
    let pose = game.get::<VehicleComponent>(car).core().wheel_pose(0);
    close(place.translation, frame.to_body(pose.position), 0.01);
    // They carry no load and have no mass.
    assert!(game.speed(car) > 2.0);
    let mass = game.get::<ComputedMass>(car).value();
    assert_eq!(mass, jounce::presets::sedan().mass());

    game.app
        .world_mut()
        .entity_mut(car)
        .remove::<WheelColliders>();
    assert!(game.app.world().get_entity(front).is_err());
    game.ticks(2);
}

#[test]
fn contact_hooks_get_the_wheels_data() {
    let mut game = game();
    let modified = WheelSettings {
        layers: CollisionLayers::new(WHEELS, LayerMask::ALL),
        shared: Some(WheelColliderSettings::DEFAULT),
        swept: false,
    };
    let car = game.spawn((sedan(Vec3::ZERO), WheelColliders::new(modified)));
    game.ticks(3);
    let front = game.get::<WheelColliders>(car).entities()[0].unwrap();
    let wheel = game.get::<ModifiedWheel>(front).contact.unwrap();
    close(wheel.travel, Vec3::NEG_Y, 0.01);
    close(wheel.axle, Vec3::NEG_X, 0.05);
}

#[test]
fn wheels_that_cannot_be_attached_are_reported() {
    let mut game = game();
    let modified = WheelSettings {
        shared: Some(WheelColliderSettings::DEFAULT),
        ..settings()
    };
    let mut config = game.app.world_mut().resource_mut::<NarrowPhaseConfig>();
    config.recycle_distance = 0.01;
    let car = game.spawn((sedan(Vec3::ZERO), WheelColliders::new(modified)));
    game.ticks(2);
    let wheels = game.get::<WheelColliders>(car);
    assert_eq!(wheels.fault(), Some(WheelError::NoHooks));
    assert_eq!(wheels.entities(), &[] as &[Option<Entity>]);
}

/// The colliders are removed with the car.
#[test]
fn a_car_with_wheel_colliders_can_be_despawned() {
    let mut game = game();
    let car = game.spawn((sedan(Vec3::ZERO), WheelColliders::new(settings())));
    game.ticks(2);
    let front = game.get::<WheelColliders>(car).entities()[0].unwrap();
    game.app.world_mut().despawn(car);
    game.ticks(2);
    assert!(game.app.world().get_entity(front).is_err());
}

/// `VehicleComponent::set_model_with`: a truck that changes to fewer wheels leaves no collider behind.
#[test]
fn colliders_change_with_the_wheels() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vehicles");
    let load = |name: &str| Car::load(format!("{folder}/{name}.toml")).unwrap();
    let (near, far) = (load("eighteen-wheeler"), load("eighteen-wheeler-far"));
    let mut game = game();
    let truck = game.spawn((driven(&near, Vec3::ZERO), WheelColliders::new(settings())));
    game.ticks(2);
    let wheels = |game: &Game| game.get::<WheelColliders>(truck).entities().to_vec();
    let before = wheels(&game);
    assert_eq!(before.iter().flatten().count(), 18);

    let set_model = |game: &mut Game, model, from: &[Option<usize>]| {
        let mut vehicle = game
            .app
            .world_mut()
            .get_mut::<VehicleComponent>(truck)
            .unwrap();
        vehicle.core_mut().set_model_with(model, from);
    };
    set_model(&mut game, far.model(), &[0, 1, 10, 11].map(Some));
    game.ticks(2);
    let after = wheels(&game);
    assert_eq!(after.iter().flatten().count(), 4);
    let is_there = |game: &Game, wheel: Entity| game.app.world().get_entity(wheel).is_ok();
    assert!(before.iter().flatten().all(|&old| !is_there(&game, old)));
    let height = game.get::<Transform>(after[2].unwrap()).translation.y;
    let pose = game.get::<VehicleComponent>(truck).core().wheel_pose(2);
    assert!((height - pose.position.z).abs() < 0.01, "{height}");

    // Wheels of unchanged sizes keep theirs.
    set_model(
        &mut game,
        load("eighteen-wheeler-far").model(),
        &[0, 1, 2, 3].map(Some),
    );
    game.ticks(2);
    assert_eq!(wheels(&game), after);
}
