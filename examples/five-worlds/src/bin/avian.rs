//! `cargo run --release -p five-worlds --features avian --bin avian`: an Avian world in a Bevy app
//! without a window. A game takes the plugin of `jounce::avian` instead.
#![forbid(unsafe_code)]

use core::error::Error;
use core::time::Duration;

use avian3d::prelude::*;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use five_worlds::{Contracts, DT, Engine, GRAVITY, drive};
use jounce::avian::{AvianLinkPlugin, AvianWorld, attach};
use jounce::core::Frame;

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Step;

struct Game(App);

impl Engine for Game {
    fn lend(&mut self, act: &mut dyn FnMut(&mut dyn Contracts)) {
        AvianWorld::scope(self.0.world_mut(), |world| act(world));
    }

    fn pass(&mut self) {
        let world = self.0.world_mut();
        let mut time = world.resource_mut::<Time>();
        time.advance_by(Duration::from_secs_f32(DT));
        world.run_schedule(Step);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = jounce::presets::sedan();
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        PhysicsPlugins::new(Step),
        AvianLinkPlugin,
    ));
    app.insert_resource(Gravity(GRAVITY));
    app.finish();
    app.cleanup();
    let world = app.world_mut();
    world.spawn((RigidBody::Static, Collider::half_space(Vec3::Z)));
    let body = world.spawn((RigidBody::Dynamic, Transform::default())).id();
    let chassis = attach(world, body, FRAME, &car)?;
    drive(&mut Game(app), &car, chassis)?;
    Ok(())
}
