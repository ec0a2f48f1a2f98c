//! A headless app whose physics is stepped by hand.

use core::time::Duration;

use avian3d::prelude::PhysicsPlugins;
use backend_avian::AvianLinkPlugin;
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::TransformPlugin;
use bevy::time::Time;

/// The schedule of physics.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tick;

pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        PhysicsPlugins::new(Tick),
        AvianLinkPlugin,
    ));
    app.finish();
    app.cleanup();
    app
}

/// Lets `dt` [s] pass.
pub(crate) fn step(app: &mut App, dt: f32) {
    let world = app.world_mut();
    let dt = Duration::from_secs_f64(f64::from(dt));
    world.resource_mut::<Time>().advance_by(dt);
    world.run_schedule(Tick);
}
