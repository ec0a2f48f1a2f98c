//! Gizmos for the state of wheels.

use bevy::app::{App, Plugin, PostUpdate};
use bevy::color::Color;
use bevy::gizmos::AppGizmoBuilder as _;
use bevy::gizmos::config::{GizmoConfigGroup, GizmoConfigStore};
use bevy::gizmos::gizmos::Gizmos;
use bevy::math::Isometry3d;
use bevy::prelude::{Entity, IntoScheduleConfigs as _, Query, Res, TransformHelper};
use bevy::reflect::Reflect;
use bevy::transform::TransformSystems;
use bevy::transform::components::GlobalTransform;
use glam::{Quat, Vec3};
use vehicle_core::WheelReport;

use super::VehicleSystems;
use super::vehicle::VehicleComponent;
use crate::ChassisFrame;

/// Draws suspensions, contact planes and forces of all vehicles in every frame, in addition to
/// Bevy's `GizmoPlugin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct VehicleGizmosPlugin;

impl Plugin for VehicleGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<VehicleGizmos>();
        let draw = draw
            .after(VehicleSystems::Present)
            .before(TransformSystems::Propagate);
        app.add_systems(PostUpdate, draw);
    }
}

/// Style of the gizmos; a group of Bevy's `GizmoConfigStore`, where it can be switched off.
#[derive(Clone, Copy, Debug, GizmoConfigGroup, Reflect)]
pub struct VehicleGizmos {
    /// Length of a force (`m/N`).
    pub force_scale: f32,
    /// Struts: from full compression to the center of the wheel.
    pub strut: Color,
    /// Planes of contact, as large as the wheel.
    pub ground: Color,
    /// Forces of suspensions along the normal of the ground.
    pub load: Color,
    /// Forces of tires in the plane of contact.
    pub tire: Color,
}

impl Default for VehicleGizmos {
    /// A meter for 10 kN.
    fn default() -> Self {
        Self {
            force_scale: 1e-4,
            strut: Color::srgb(0.9, 0.9, 0.2),
            ground: Color::srgb(0.3, 0.6, 1.0),
            load: Color::srgb(0.2, 0.9, 0.3),
            tire: Color::srgb(0.9, 0.2, 0.2),
        }
    }
}

fn draw(
    vehicles: Query<(Entity, &VehicleComponent, Option<&ChassisFrame>)>,
    transforms: TransformHelper<'_, '_>,
    store: Res<GizmoConfigStore>,
    mut gizmos: Gizmos<'_, '_, VehicleGizmos>,
) {
    let (_, style) = store.config::<VehicleGizmos>();
    for (entity, vehicle, frame) in &vehicles {
        let Ok(place) = transforms.compute_global_transform(entity) else {
            continue;
        };
        let frame = frame.copied().unwrap_or_default();
        for wheel in 0..vehicle.core().model().wheel_count() {
            draw_wheel(&mut gizmos, style, vehicle.core(), wheel, &place, frame);
        }
    }
}

/// The body's visible pose, which is up to a tick behind the one in which its contacts were found:
/// they are drawn relative to its center of mass.
fn draw_wheel(
    gizmos: &mut Gizmos<'_, '_, VehicleGizmos>,
    style: &VehicleGizmos,
    vehicle: &vehicle_core::Vehicle,
    wheel: usize,
    place: &GlobalTransform,
    ChassisFrame(frame): ChassisFrame,
) {
    let params = vehicle.model().params();
    let strut = &params.wheels[wheel].suspension;
    let seen = |point: Vec3| place.transform_point(frame.to_body(point));
    let top = params.wheels[wheel].position - strut.travel_direction * strut.max_compression;
    gizmos.line(
        seen(top),
        seen(vehicle.wheel_pose(wheel).position),
        style.strut,
    );
    let report = vehicle.wheel_report(wheel);
    let Some(ground) = report.ground else { return };
    let point = seen(params.chassis.center_of_mass) + report.ground_point;
    let facing = Quat::from_rotation_arc(Vec3::Z, ground.normal);
    let plane = Isometry3d::new(point, facing);
    gizmos.circle(plane, params.wheels[wheel].radius, style.ground);
    for (force, color) in [
        (ground.normal * report.suspension_force, style.load),
        (tire_force(&report), style.tire),
    ] {
        gizmos.arrow(point, point + force * style.force_scale, color);
    }
}

/// Force of a tire on the chassis in the plane of contact (`N`, world axes).
fn tire_force(report: &WheelReport) -> Vec3 {
    report.longitudinal_direction * report.longitudinal_force
        + report.lateral_direction * report.lateral_force
}
