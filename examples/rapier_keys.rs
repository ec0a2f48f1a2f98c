//! `cargo run --release -p rapier-keys`: keys drive a car in a world of Rapier, and the transforms of its wheels come out.
//!
//! There is no window: `keys_at` stands for a keyboard, and printing for drawing. Replace both by those of your game.
#![forbid(unsafe_code)]

use core::error::Error;

use jounce::core::glam::{DVec3, Quat};
use jounce::core::{
    Air, BodyId, BodyState, Checked, Command, Environment, Frame, Surfaces, Vehicle, step,
};
use jounce::file::Car;
use jounce::input::{AutoReverse, CarHands, CarKeys, CarSmoothing, ReverseSpeeds};
use jounce::rapier::{RapierLink, RapierWorld};
use rapier3d::prelude::*;

/// The axes in which the body is modeled.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

/// The keys that are down after so many seconds: throttle, a bend to the left, brakes, and, held further, reverse.
fn keys_at(time: f32) -> CarKeys {
    CarKeys {
        throttle: time < 4.0,
        left: (2.0..4.0).contains(&time),
        brake: time >= 4.0,
        ..CarKeys::FREE
    }
}

/// Converts keys to commands.
struct Driver {
    smoothing: Checked<CarSmoothing>,
    hands: CarHands,
    reverse: AutoReverse,
}

impl Driver {
    fn new(car: &Car) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            // How fast pedals and steering move, and how far they steer at speed: exchange it here.
            smoothing: Checked::new(car.smoothing())?,
            hands: CarHands::default(),
            reverse: AutoReverse::default(),
        })
    }

    fn command(
        &mut self,
        keys: &CarKeys,
        vehicle: &Vehicle,
        body: &BodyState,
        dt: f32,
    ) -> Result<Command, Box<dyn Error>> {
        let seen = vehicle.report(body);
        let keys = self.reverse.keys(&ReverseSpeeds::PHYSX, keys, &seen);
        let command = self.hands.press(&self.smoothing, &keys, &seen, dt)?;
        Ok(Command::Car(command))
    }
}

/// Position of a wheel's center in the world (`m`), and its rotation: the axle is its y axis.
fn wheel_in_world(vehicle: &Vehicle, body: &BodyState, wheel: usize) -> (DVec3, Quat) {
    let (pose, chassis) = (vehicle.wheel_pose(wheel), &vehicle.model().params().chassis);
    let arm = body.rotation * (pose.position - chassis.center_of_mass);
    (
        body.position + arm.as_dvec3(),
        body.rotation * pose.rotation,
    )
}

/// A level plane, and the body of a car on it.
fn world_with(car: &Car, link: &mut RapierLink) -> Result<(PhysicsWorld, BodyId), Box<dyn Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::Z * -9.81;
    world.insert_collider(
        ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
        None,
    );
    let body = world.insert_body(RigidBodyBuilder::dynamic());
    let chassis = link.attach(&mut world, body, car)?;
    Ok((world, chassis))
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let mut link = RapierLink::new(FRAME);
    let (mut world, chassis) = world_with(&car, &mut link)?;
    let (mut vehicle, mut driver) = (Vehicle::new(car.model(), chassis), Driver::new(&car)?);
    let (surfaces, dt) = (Surfaces::new(), world.integration_parameters.dt);
    let environment = Environment {
        gravity: world.gravity,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    for tick in 0..600 {
        let mut view = RapierWorld::of(&mut link, &mut world);
        let body = view.state(chassis)?;
        let keys = keys_at(tick as f32 * dt);
        let command = driver.command(&keys, &vehicle, &body, dt)?;
        step(&mut vehicle, &mut view, &command, &environment, dt)?;
        world.step();
        link.end_step(&mut world.bodies);
        if tick % 60 == 59 {
            let body = RapierWorld::of(&mut link, &mut world).state(chassis)?;
            print!(
                "{:5.1} km/h, wheels at",
                3.6 * vehicle.report(&body).forward_speed
            );
            for wheel in 0..vehicle.model().wheel_count() {
                let (position, _) = wheel_in_world(&vehicle, &body, wheel);
                print!(" ({:.2} {:.2} {:.2})", position.x, position.y, position.z);
            }
            println!();
        }
    }
    Ok(())
}
