//! `cargo run --release -p five-worlds --features jolt --bin jolt`: a Jolt world that this program owns.
#![forbid(unsafe_code)]

use core::error::Error;

use five_worlds::{Contracts, DT, Engine, GRAVITY, drive};
use glam::Vec3;
use jounce::core::Frame;
use jounce::jolt::oxijolt::{
    BodySettings, Inertia, ObjectLayer, PhysicsWorld, Shape, WorldSettings,
};
use jounce::jolt::{JoltLink, JoltWorld, LayerUse};

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

/// Use of Jolt's default layers to wheels.
const LAYERS: [(ObjectLayer, LayerUse); 2] = [
    (ObjectLayer::NON_MOVING, LayerUse::Ground(u32::MAX)),
    (ObjectLayer::MOVING, LayerUse::Vehicles(u32::MAX)),
];

struct World {
    physics: PhysicsWorld,
    link: JoltLink,
}

impl Engine for World {
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts)) {
        act(&mut JoltWorld::new(&mut self.link, &mut self.physics));
    }

    fn pass(&mut self) {
        let report = self.physics.step(DT).expect("the step is long enough");
        assert!(report.is_complete());
        self.link.end_step(&mut self.physics);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let settings = WorldSettings::default().gravity(GRAVITY.into());
    let mut physics = PhysicsWorld::new(settings)?;
    let plane = Shape::new_plane(Vec3::Z.into(), 0.0, 1000.0)?;
    physics.create_body(&plane, &BodySettings::new_static())?;
    // Jolt takes the center of mass from the shape: here it is the body's origin. It touches nothing.
    let hull = Shape::new_sphere(0.2)?;
    let inertia = Inertia::Tensor(car.inertia().to_cols_array_2d());
    let body = BodySettings::new_dynamic().mass_and_inertia(car.mass(), inertia);
    // By default, Jolt damps every body.
    let body = body.linear_damping(0.0).angular_damping(0.0);
    let center = car.center_of_mass().as_dvec3();
    let body = physics.create_body(&hull, &body.position(center.into()))?;
    let mut link = JoltLink::new(FRAME, &LAYERS);
    let chassis = link.add_chassis(body, FRAME, Vec3::ZERO);
    drive(&mut World { physics, link }, &car, chassis)?;
    Ok(())
}
