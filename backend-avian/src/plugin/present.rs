//! Visible wheels: their `Transform`s, interpolated between ticks like those of the bodies.

use avian3d::prelude::{NoTranslationEasing, TranslationExtrapolation, TranslationInterpolation};
use bevy::ecs::query::QueryData;
use bevy::prelude::{
    ChildOf, Component, DetectChangesMut as _, Entity, Has, ParamSet, Query, Res, Transform,
    TransformHelper,
};
use bevy::time::{Fixed, Time};
use vehicle_core::{Frame, WheelPose};

use super::vehicle::VehicleComponent;
use crate::ChassisFrame;

/// Places an entity at a wheel of a vehicle: steered, cambered, rolling, moving up and down.
///
/// The wheel's model has the axes of the body and its center at its origin, with its own
/// orientation: usually a child of the vehicle's entity, or of the entity with the body's model; it
/// may also have no parent. Its scale is unchanged. If the vehicle or the wheel does not exist (any
/// more), the entity keeps its position.
///
/// Between ticks, wheels are interpolated like the vehicle's own entity: interpolated or
/// extrapolated with Avian's `TransformInterpolation` or `TransformExtrapolation`, otherwise not.
/// They must not have such a component themselves: it rotates by the shorter way. Nor should they
/// be colliders, which would use the visible pose; for those there is
/// [`WheelColliders`](super::colliders::WheelColliders).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Transform)]
pub struct WheelOf {
    /// The entity that has the [`VehicleComponent`].
    pub vehicle: Entity,
    /// The index of its wheel, from 0.
    pub wheel: usize,
}

pub(super) fn remember_wheels(mut vehicles: Query<&mut VehicleComponent>) {
    for mut vehicle in &mut vehicles {
        vehicle.remember_wheels();
    }
}

/// Interpolation of a body's `Transform`.
#[derive(QueryData)]
pub(super) struct Easing {
    interpolated: Has<TranslationInterpolation>,
    extrapolated: Has<TranslationExtrapolation>,
    stepped: Has<NoTranslationEasing>,
}

impl EasingItem<'_, '_> {
    /// The time shown, in ticks after the second to last tick.
    fn fraction(&self, overstep: f32) -> f32 {
        match (self.stepped, self.interpolated, self.extrapolated) {
            (false, true, _) => overstep,
            (false, false, true) => 1.0 + overstep,
            _ => 1.0,
        }
    }
}

pub(super) fn pose_wheels(
    time: Res<Time<Fixed>>,
    vehicles: Query<(&VehicleComponent, Option<&ChassisFrame>, Easing)>,
    wheels: Query<(Entity, &WheelOf, Option<&ChildOf>)>,
    mut transforms: ParamSet<'_, '_, (TransformHelper<'_, '_>, Query<&mut Transform>)>,
) {
    for (entity, of, child_of) in &wheels {
        let Ok((vehicle, frame, easing)) = vehicles.get(of.vehicle) else {
            continue;
        };
        let fraction = easing.fraction(time.overstep_fraction());
        let Some(turn) = vehicle.turn(of.wheel, fraction) else {
            continue;
        };
        let pose = turn.pose(vehicle.core().model(), of.wheel);
        let place = within_body(&frame.copied().unwrap_or_default().0, &pose);
        let parent = child_of.map(ChildOf::parent);
        let Some(place) = within_parent(&transforms.p0(), place, of.vehicle, parent) else {
            continue;
        };
        if let Ok(mut transform) = transforms.p1().get_mut(entity) {
            let place = place.with_scale(transform.scale);
            transform.set_if_neq(place);
        }
    }
}

fn within_body(frame: &Frame, pose: &WheelPose) -> Transform {
    Transform::from_translation(frame.to_body(pose.position))
        .with_rotation(frame.rotation_to_body(pose.rotation))
}

/// Converts a position in a vehicle's body to a wheel's own parent.
fn within_parent(
    helper: &TransformHelper<'_, '_>,
    place: Transform,
    vehicle: Entity,
    parent: Option<Entity>,
) -> Option<Transform> {
    if parent == Some(vehicle) {
        return Some(place);
    }
    let place = helper.compute_global_transform(vehicle).ok()? * place;
    let Some(parent) = parent else {
        return Some(place.compute_transform());
    };
    let parent = helper.compute_global_transform(parent).ok()?;
    Some(place.reparented_to(&parent))
}
