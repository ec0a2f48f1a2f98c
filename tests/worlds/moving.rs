//! Ground that moves, in Rapier: a braked car is carried along.

use glam::Vec3;
use jounce::core::{CarCommand, Command, Environment, Frame, Surfaces, Vehicle, step};
use jounce::rapier::{RapierLink, RapierWorld, index_colliders, set_mass_properties};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};

const FRAME: Frame = Frame::X_FORWARD_Y_UP;

/// A sedan with its brakes on, on a platform that moves by script; returns the world and the car's
/// body after `seconds`.
fn carried(platform: RigidBodyBuilder, seconds: u32) -> (PhysicsWorld, RigidBodyHandle) {
    let mut world = PhysicsWorld::new();
    let platform = world.insert_body(platform);
    let top = ColliderBuilder::cuboid(40.0, 1.0, 40.0).translation(Vec3::NEG_Y);
    world.insert_collider(top, Some(platform));
    let body = world.insert_body(RigidBodyBuilder::dynamic());
    let car = jounce::presets::sedan();
    let mut link = RapierLink::new(FRAME);
    let chassis = link.add_chassis(body, FRAME);
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let (mass, inertia, centre) = (car.mass(), car.inertia(), car.centre_of_mass());
    set_mass_properties(bodies, colliders, chassis, &FRAME, mass, inertia, centre)
        .expect("the body is dynamic");
    let parameters = &world.integration_parameters;
    index_colliders(parameters, bodies, colliders, &mut world.broad_phase);

    let mut vehicle = Vehicle::new(car.kind(), chassis);
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: world.gravity,
        surfaces: &surfaces,
    };
    let braked = Command::Car(CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    });
    let dt = world.integration_parameters.dt;
    for _ in 0..60 * seconds {
        let mut view = RapierWorld::of(&mut link, &mut world);
        step(&mut vehicle, &mut view, &braked, &environment, dt).expect("the step is possible");
        world.step();
        link.end_step(&mut world.bodies);
    }
    (world, body)
}

#[test]
fn a_platform_takes_the_car_along() {
    let velocity = Vector::new(0.0, 0.0, 2.0);
    let platform = RigidBodyBuilder::kinematic_velocity_based().linvel(velocity);
    let (world, body) = carried(platform, 4);
    let car = &world.bodies[body];
    assert!((car.linvel().z - 2.0).abs() < 0.01, "{}", car.linvel());
    assert!(
        (car.translation().z - 8.0).abs() < 0.4,
        "{}",
        car.translation()
    );
}

#[test]
fn a_turntable_turns_the_car() {
    let platform = RigidBodyBuilder::kinematic_velocity_based()
        .angvel(Vector::new(0.0, 0.5, 0.0))
        .translation(Vector::new(8.0, 0.0, 0.0));
    let (world, body) = carried(platform, 4);
    let car = &world.bodies[body];
    assert!((car.angvel().y - 0.5).abs() < 0.01, "{}", car.angvel());
    let arm = car.translation() - Vector::new(8.0, 0.0, 0.0);
    assert!((arm.length() - 8.0).abs() < 0.5, "{arm}");
}
