//! `cargo run --release -p five-worlds --features box3d --bin box3d`: a Box3D world that this program owns.
#![forbid(unsafe_code)]

use core::error::Error;

use five_worlds::{Contracts, DT, Engine, GRAVITY, drive};
use glam::Vec3;
use jounce::box3d::boxddd::{self, BodyType, BoxHull, Foundation};
use jounce::box3d::convert::vector;
use jounce::box3d::{Box3dLink, Box3dWorld};
use jounce::core::Frame;

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

struct World {
    physics: boxddd::World,
    link: Box3dLink,
}

impl Engine for World {
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts)) {
        act(&mut Box3dWorld::new(&mut self.link, &mut self.physics));
    }

    fn pass(&mut self) {
        self.physics.step(DT, 4).expect("no callback fails");
        self.link.end_step(&mut self.physics);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let box3d = Foundation::initialize_default()?;
    let mut physics = box3d.create_world(box3d.world_def())?;
    physics.set_gravity(vector(GRAVITY))?;
    let ground = physics.create_body(box3d.body_def())?;
    // Its top is at height 0.
    let slab = BoxHull::offset(1000.0, 1000.0, 10.0, vector(Vec3::NEG_Z * 10.0))?;
    physics.create_hull_shape(ground, &box3d.shape_def(), &slab)?;
    let body = box3d.body_def_builder().body_type(BodyType::Dynamic);
    let body = physics.create_body(body.build()?)?;
    let mut link = Box3dLink::new(FRAME);
    let chassis = link.attach(&mut physics, body, &car)?;
    drive(&mut World { physics, link }, &car, chassis)?;
    Ok(())
}
