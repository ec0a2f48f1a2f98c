//! `cargo run --release -p five-worlds --bin standalone`: no engine at all.
#![forbid(unsafe_code)]

use core::error::Error;

use five_worlds::{Contracts, DT, Engine, GRAVITY, drive};
use jounce::core::Axis;
use jounce::scene::{BodyDesc, Plane, Standalone};

struct World(Standalone);

impl Engine for World {
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts)) {
        act(&mut self.0);
    }

    fn pass(&mut self) {
        self.0.step(GRAVITY, DT);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
    let place = car.center_of_mass().as_dvec3();
    let chassis = world.add(&BodyDesc::at_rest(place, car.mass(), car.inertia()))?;
    drive(&mut World(world), &car, chassis)?;
    Ok(())
}
