//! `cargo run --release -p five-worlds --bin rapier`: a Rapier world that this program owns.
#![forbid(unsafe_code)]

use core::error::Error;

use five_worlds::{Contracts, DT, Engine, GRAVITY, drive};
use jounce::core::Frame;
use jounce::rapier::{RapierLink, RapierWorld};
use rapier3d::prelude::*;

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

struct World {
    physics: PhysicsWorld,
    link: RapierLink,
}

impl Engine for World {
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts)) {
        act(&mut RapierWorld::of(&mut self.link, &mut self.physics));
    }

    fn pass(&mut self) {
        self.physics.step();
        self.link.end_step(&mut self.physics.bodies);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let mut physics = PhysicsWorld::new();
    physics.gravity = GRAVITY;
    physics.integration_parameters.dt = DT;
    physics.insert_collider(
        ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
        None,
    );
    let body = physics.insert_body(RigidBodyBuilder::dynamic());
    let mut link = RapierLink::new(FRAME);
    let chassis = link.attach(&mut physics, body, &car)?;
    drive(&mut World { physics, link }, &car, chassis)?;
    Ok(())
}
