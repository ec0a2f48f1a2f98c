//! Gizmos of vehicles in a headless app.

use core::any::TypeId;
use core::time::Duration;

use avian3d::prelude::*;
use backend_avian::plugin::gizmos::{VehicleGizmos, VehicleGizmosPlugin};
use backend_avian::{ChassisFrame, VehicleCommand, VehicleComponent, VehiclePlugin};
use bevy::MinimalPlugins;
use bevy::app::App;
use bevy::asset::{AssetApp as _, AssetPlugin, Assets};
use bevy::color::{Color, LinearRgba};
use bevy::gizmos::config::GizmoConfigStore;
use bevy::gizmos::{GizmoAsset, GizmoHandles};
use bevy::prelude::{Transform, TransformPlugin};
use bevy::time::TimeUpdateStrategy;
use bevy::transform::components::GlobalTransform;
use glam::Vec3;
use vehicle_core::{CarCommand, Command};

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

/// Whether any gizmo of vehicles was drawn in the next frames.
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
    let model = jounce::presets::sedan().model();
    let place = Transform::from_xyz(0.0, 0.1, 0.0);
    app.world_mut().spawn((VehicleComponent::new(model), place));
    assert!(is_drawn(&mut app));
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<VehicleGizmos>().0.enabled = false;
    assert!(!is_drawn(&mut app), "switched off");
}

/// Gizmos of vehicles that were drawn in the last frame.
struct Drawn {
    lines: Vec<([Vec3; 2], LinearRgba)>,
    /// Points of each circle.
    circles: Vec<Vec<Vec3>>,
}

impl Drawn {
    fn of(app: &App) -> Self {
        let handles = app.world().resource::<GizmoHandles>().handles();
        let handle = handles[&TypeId::of::<VehicleGizmos>()].as_ref().unwrap();
        let asset = app.world().resource::<Assets<GizmoAsset>>().get(handle);
        let drawn = asset.unwrap().buffer();
        let ends = drawn
            .list_positions
            .chunks(2)
            .map(|ends| [ends[0], ends[1]]);
        let colors = drawn.list_colors.iter().step_by(2).copied();
        // Not a number lifts the pen.
        let circles = drawn.strip_positions.split(|point| point.is_nan());
        let circles = circles.filter(|points| !points.is_empty());
        Self {
            lines: ends.zip(colors).collect(),
            circles: circles.map(<[Vec3]>::to_vec).collect(),
        }
    }

    fn lines(&self, color: Color) -> Vec<[Vec3; 2]> {
        let same = |(_, other): &&([Vec3; 2], LinearRgba)| *other == LinearRgba::from(color);
        self.lines
            .iter()
            .filter(same)
            .map(|(ends, _)| *ends)
            .collect()
    }

    /// Foot and tip of each arrow: four short lines follow, which make its head.
    fn arrows(&self, color: Color) -> Vec<[Vec3; 2]> {
        self.lines(color).into_iter().step_by(5).collect()
    }
}

fn close(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}");
}

/// A car that sets off into a bend, so that its tires push both ways.
#[test]
fn lines_are_where_the_wheels_are_and_as_long_as_their_forces() {
    let mut app = game();
    let (model, place) = (jounce::presets::sedan().model(), Transform::default());
    let car = app
        .world_mut()
        .spawn((VehicleComponent::new(model), place))
        .id();
    let command = CarCommand {
        throttle: 0.6,
        steer: 0.5,
        automatic: true,
        ..CarCommand::default()
    };
    app.world_mut().get_mut::<VehicleCommand>(car).unwrap().0 = Command::Car(command);
    for _ in 0..150 {
        app.update();
    }
    let (drawn, style) = (Drawn::of(&app), VehicleGizmos::default());
    let struts = drawn.lines(style.strut);
    let [loads, tires] = [style.load, style.tire].map(|color| drawn.arrows(color));
    let core = app.world().get::<VehicleComponent>(car).unwrap().core();
    let body = app.world().get::<GlobalTransform>(car).unwrap();
    assert_eq!([struts.len(), loads.len(), drawn.circles.len()], [4; 3]);
    for n in 0..4 {
        let (wheel, report) = (&core.model().params().wheels[n], core.wheel_report(n));
        let [top, hub] = struts[n];
        let pose = ChassisFrame::default()
            .0
            .to_body(core.wheel_pose(n).position);
        close(hub, body.transform_point(pose), 1e-4);
        let left = wheel.suspension.max_compression - report.jounce;
        assert!(((top - hub).length() - left).abs() < 1e-3, "{left}");
        assert!(top.y > hub.y);
        // A line of contact is up to a tick behind.
        let [foot, tip] = loads[n];
        close(foot, hub.with_y(0.0), 0.15);
        assert!(foot.y.abs() < 0.01, "{foot}");
        let force = (tip - foot) / style.force_scale;
        close(force, Vec3::Y * report.suspension_force, 1.0);
        for point in &drawn.circles[n] {
            assert!(((point - foot).length() - wheel.radius).abs() < 1e-3);
            assert!((point.y - foot.y).abs() < 1e-3);
        }
        let force = (tires[n][1] - tires[n][0]) / style.force_scale;
        close(tires[n][0], foot, 1e-6);
        assert!((force.dot(report.longitudinal_direction) - report.longitudinal_force).abs() < 1.0);
        assert!((force.dot(report.lateral_direction) - report.lateral_force).abs() < 1.0);
        assert!(force.y.abs() < 1.0, "{force}");
    }
    let front = core.wheel_report(0);
    assert!(front.longitudinal_force > 100.0 && front.lateral_force < -100.0);
}
