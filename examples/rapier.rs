//! A car in a Rapier world that this program owns: `cargo run --release --example rapier`.
//!
//! Wheel colliders, if other things are to bump into wheels, are `attach_wheels` and `pose_wheels`.

use glam::Vec3;
use jounce::core::{CarCommand, Command, Environment, Frame, Surfaces, Vehicle, step};
use jounce::rapier::{RapierLink, RapierWorld, index_colliders, set_mass_properties};
use rapier3d::prelude::*;

/// The body is modelled with x forward and y up, like Rapier's world.
const FRAME: Frame = Frame::X_FORWARD_Y_UP;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    // The program's own world: a road, and a box that is to become a car.
    let mut world = PhysicsWorld::new();
    let road = ColliderBuilder::cuboid(500.0, 1.0, 500.0).translation(Vec3::NEG_Y);
    world.insert_collider(road, None);
    let body = world.insert_body(RigidBodyBuilder::dynamic());
    let hull = ColliderBuilder::cuboid(2.3, 0.5, 0.9).translation(Vec3::Y * 0.8);
    world.insert_collider(hull, Some(body));

    // The car: mass, inertia and centre of mass for that body, and a vehicle on it.
    let car = jounce::presets::sedan();
    let mut link = RapierLink::new(FRAME);
    let chassis = link.add_chassis(body, FRAME);
    let (bodies, colliders) = (&mut world.bodies, &mut world.colliders);
    let (mass, inertia, centre) = (car.mass(), car.inertia(), car.centre_of_mass());
    set_mass_properties(bodies, colliders, chassis, &FRAME, mass, inertia, centre)?;
    let (parameters, tree) = (&world.integration_parameters, &mut world.broad_phase);
    index_colliders(parameters, bodies, colliders, tree);
    let mut vehicle = Vehicle::new(car.kind(), chassis);

    let (dt, gravity) = (world.integration_parameters.dt, world.gravity);
    let surfaces = &Surfaces::new();
    let environment = Environment { gravity, surfaces };
    let driver = CarCommand {
        throttle: 1.0,
        ..CarCommand::default()
    };
    for tick in 0..600 {
        let mut view = RapierWorld::of(&mut link, &mut world);
        let command = Command::Car(driver);
        step(&mut vehicle, &mut view, &command, &environment, dt)?;
        world.step();
        link.end_step(&mut world.bodies);
        if tick % 60 == 59 {
            let speed = world.bodies[body].linvel().length() * 3.6;
            let (gear, wheel) = (vehicle.state().drive.gear.0, vehicle.wheel_pose(0));
            println!(
                "{speed:5.1} km/h, gear {gear}, front left wheel at {}",
                wheel.position
            );
        }
    }
    Ok(())
}
