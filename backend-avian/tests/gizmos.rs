//! Gizmos of vehicles in a headless app.

use core::any::TypeId;
use core::time::Duration;

use avian3d::prelude::*;
use backend_avian::plugin::gizmos::{VehicleGizmos, VehicleGizmosPlugin};
use backend_avian::{Vehicle, VehiclePlugin};
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::asset::{AssetApp as _, AssetPlugin};
use bevy::gizmos::config::GizmoConfigStore;
use bevy::gizmos::{GizmoAsset, GizmoHandles};
use bevy::prelude::{Transform, TransformPlugin};
use bevy::time::TimeUpdateStrategy;
use glam::Vec3;

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()));
    // `GizmoPlugin` itself needs more of the default plugins.
    app.init_asset::<GizmoAsset>();
    app.add_plugins((
        PhysicsPlugins::default(),
        VehiclePlugin::default(),
        VehicleGizmosPlugin,
    ));
    app.finish();
    app.cleanup();
    let frame = Duration::from_millis(20);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let ground = (RigidBody::Static, Collider::half_space(Vec3::Y));
    app.world_mut().spawn(ground);
    app
}

/// Whether anything of vehicles was drawn in the next frames.
fn is_drawn(app: &mut App) -> bool {
    for _ in 0..3 {
        app.update();
    }
    let handles = app.world().resource::<GizmoHandles>().handles();
    handles[&TypeId::of::<VehicleGizmos>()].is_some()
}

#[test]
fn cars_are_drawn_while_gizmos_are_on() {
    let mut app = game();
    assert!(!is_drawn(&mut app), "there is no car");
    let kind = jounce::presets::sedan().kind();
    let place = Transform::from_xyz(0.0, 0.1, 0.0);
    app.world_mut().spawn((Vehicle::new(kind), place));
    assert!(is_drawn(&mut app));
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<VehicleGizmos>().0.enabled = false;
    assert!(!is_drawn(&mut app), "switched off");
}
