//! A headless app whose physics is stepped by hand.

use core::time::Duration;

use avian3d::prelude::{CollisionHooks, PhysicsPlugins};
use backend_avian::AvianLinkPlugin;
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::ecs::system::SystemParamItem;
use bevy::prelude::TransformPlugin;
use bevy::time::Time;

/// The schedule of physics.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tick;

pub(crate) fn app() -> App {
    app_with_hooks::<()>(|_| ())
}

/// An app with modified contacts, plus what `add` adds.
pub(crate) fn app_with_hooks<H: CollisionHooks + 'static>(add: impl FnOnce(&mut App)) -> App
where
    for<'w, 's> SystemParamItem<'w, 's, H>: CollisionHooks,
{
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        PhysicsPlugins::new(Tick).with_collision_hooks::<H>(),
        AvianLinkPlugin,
    ));
    add(&mut app);
    app.finish();
    app.cleanup();
    app
}

/// Advances by `dt` (`s`).
pub(crate) fn step(app: &mut App, dt: f32) {
    let world = app.world_mut();
    let dt = Duration::from_secs_f64(f64::from(dt));
    world.resource_mut::<Time>().advance_by(dt);
    world.run_schedule(Tick);
}
