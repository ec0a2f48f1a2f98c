//! Faulty vehicles are reported once and skipped.

use avian3d::prelude::*;
use backend_avian::{
    LastReport, VehicleComponent, VehicleFault, VehiclePlugin, VehicleSystems, body_id,
};
use bevy::app::{App, FixedPostUpdate};
use bevy::prelude::{Commands, Entity, IntoScheduleConfigs as _, Local, Query, With};
use glam::Vec3;
use rstest::rstest;
use vehicle_core::{BodyError, CarCommand, StepError};

use super::{FULL, Game, game, sedan};

/// The only reported fault, of this car.
fn only_fault(game: &mut Game, car: Entity) -> StepError {
    let faults = game.faults();
    let [VehicleFault { vehicle, error }] = faults[..] else {
        panic!("{faults:?}");
    };
    assert_eq!(vehicle, car);
    error
}

/// A car made faulty while driving, next to a sound one.
fn spoil(spoil: impl Fn(&mut Game, Entity)) -> (Game, Entity, StepError) {
    let mut game = game();
    let [car, other] = [0.0, 10.0].map(|x| game.spawn(sedan(Vec3::X * x)));
    for car in [car, other] {
        game.command(car, FULL);
    }
    game.ticks(64);
    assert_eq!(game.faults(), []);
    spoil(&mut game, car);
    game.ticks(1);
    let error = only_fault(&mut game, car);
    let speed = game.speed(other);
    game.ticks(64);
    assert_eq!(game.faults(), [], "said once");
    assert!(game.speed(other) > speed + 1.0);
    assert_eq!(game.get::<VehicleComponent>(car).fault(), Some(error));
    assert_eq!(game.get::<LastReport>(car).fault, Some(error));
    (game, car, error)
}

#[rstest]
#[case::fixed(RigidBody::Static)]
#[case::scripted(RigidBody::Kinematic)]
fn a_body_that_is_not_dynamic(#[case] kind: RigidBody) {
    let (mut game, car, error) = spoil(|game, car| {
        game.app.world_mut().entity_mut(car).insert(kind);
    });
    assert_eq!(error, BodyError::NotDynamic(body_id(car)).into());
    // Dynamic again, it drives on; a later fault is reported again.
    game.app
        .world_mut()
        .entity_mut(car)
        .insert(RigidBody::Dynamic);
    let speed = game.speed(car);
    game.ticks(64);
    assert!(game.speed(car) > speed + 1.0);
    assert_eq!(game.get::<LastReport>(car).fault, None);
    game.app.world_mut().entity_mut(car).insert(kind);
    game.ticks(1);
    assert_eq!(only_fault(&mut game, car), error);
}

#[test]
fn a_missing_body() {
    let (_, car, error) = spoil(|game, car| {
        game.app.world_mut().entity_mut(car).remove::<RigidBody>();
    });
    assert_eq!(error, BodyError::Missing(body_id(car)).into());
}

#[test]
fn a_disabled_body() {
    let (_, car, error) = spoil(|game, car| {
        game.app
            .world_mut()
            .entity_mut(car)
            .insert(RigidBodyDisabled);
    });
    assert_eq!(error, BodyError::NotDynamic(body_id(car)).into());
}

#[test]
fn a_command_that_is_not_finite() {
    let (game, car, error) = spoil(|game, car| {
        let throttle = f32::INFINITY;
        game.command(car, CarCommand { throttle, ..FULL });
    });
    let expected = StepError::NotFinite {
        field: "throttle",
        value: f32::INFINITY,
    };
    assert_eq!(error, expected);
    assert!(game.place(car).is_finite());
}

/// A body can become faulty between the phases, when the step result is already computed.
#[rstest]
fn a_body_made_faulty_within_a_tick(#[values(0, 1)] gap: usize) {
    let phases = [
        VehicleSystems::Probe,
        VehicleSystems::Update,
        VehicleSystems::Apply,
    ];
    let fix = |cars: Query<Entity, With<VehicleComponent>>,
               mut ticks: Local<u8>,
               mut commands: Commands| {
        *ticks += 1;
        if *ticks == 10 {
            commands
                .entity(cars.single().unwrap())
                .insert(RigidBody::Static);
        }
    };
    let mut game = Game::new();
    let fix = fix.after(phases[gap]).before(phases[gap + 1]);
    game.app.add_systems(FixedPostUpdate, fix);
    game.finish();
    let car = game.spawn(sedan(Vec3::ZERO));
    game.ticks(9);
    assert_eq!(game.faults(), []);
    game.ticks(1);
    let error = only_fault(&mut game, car);
    assert_eq!(error, BodyError::NotDynamic(body_id(car)).into());
    game.ticks(10);
    assert_eq!(game.faults(), []);
}

/// A car whose command is refused goes on with the last one, to the bit.
#[test]
fn a_refused_command_leaves_the_last_one() {
    let [told, refused] = [FULL.steer, f32::NAN].map(|steer| {
        let mut game = game();
        let car = game.spawn(sedan(Vec3::ZERO));
        game.command(car, FULL);
        game.ticks(2 * 64);
        game.command(car, CarCommand { steer, ..FULL });
        game.ticks(64);
        assert_eq!(game.faults().len(), usize::from(steer.is_nan()));
        (game.speed(car), game.place(car))
    });
    assert_eq!(told, refused);
}

#[test]
#[should_panic = "VehiclePlugin needs Avian's PhysicsPlugins"]
fn an_app_without_physics_is_refused_at_set_up() {
    let mut app = App::new();
    app.add_plugins(VehiclePlugin::default());
    app.finish();
}
