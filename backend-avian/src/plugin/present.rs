//! Where wheels are seen: their `Transform`s, eased between ticks as those of the bodies are.

use avian3d::prelude::{NoTranslationEasing, TranslationExtrapolation, TranslationInterpolation};
use bevy::ecs::query::QueryData;
use bevy::prelude::{
    ChildOf, Component, DetectChangesMut as _, Entity, Has, ParamSet, Query, Res, Transform,
    TransformHelper,
};
use bevy::time::{Fixed, Time};
use vehicle_core::lanes::LANES;
use vehicle_core::pose::wheel_pose;
use vehicle_core::{Frame, VehicleKind, WheelPose};

use super::vehicle::Vehicle;
use crate::ChassisFrame;

/// Places an entity where a wheel of a vehicle is: steered, cambered, rolling, moving up and down.
///
/// The wheel's model is modelled along the axes of the body, its centre at its origin, and is
/// turned as it stands there: usually a child of the vehicle's entity, or of whatever carries the
/// body's model; also an entity on its own. Its scale is left alone. If the vehicle or the wheel
/// does not exist (any more), the entity stays where it is.
///
/// Between ticks, wheels are eased as the vehicle's own entity is: interpolated or extrapolated
/// with Avian's `TransformInterpolation` or `TransformExtrapolation`, else not. They need no such
/// component of their own, which would get in the way of it: it takes the shorter way round. Nor
/// should they be colliders, which would be where they are seen; for those there is
/// [`WheelColliders`](super::colliders::WheelColliders).
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Transform)]
pub struct WheelOf {
    /// The entity that has the [`Vehicle`].
    pub vehicle: Entity,
    /// Which of its wheels, from 0.
    pub wheel: usize,
}

/// What the pose of a wheel depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WheelTurn {
    pub(super) jounce: f32,
    pub(super) steer: f32,
    pub(super) camber: f32,
    pub(super) angle: f32,
    /// By how much it turned to get there [rad]: angles begin anew now and then.
    pub(super) turned: f32,
}

impl WheelTurn {
    /// As a wheel that was turned like `before` is now.
    pub(super) fn after(before: &Self, vehicle: &vehicle_core::Vehicle, wheel: usize) -> Self {
        let (group, lane) = (wheel / LANES, wheel % LANES);
        let out = &vehicle.outputs()[group];
        let angle = vehicle.state().wheels[group].angle.lane(lane);
        let turned = vehicle.turned()[group].lane(lane);
        Self {
            jounce: out.touch.jounce.lane(lane),
            steer: vehicle.steer_angle(wheel),
            camber: out.camber.lane(lane),
            angle,
            // What turned in an earlier tick has not turned in one without an update.
            turned: if angle == before.angle { 0.0 } else { turned },
        }
    }

    pub(super) fn pose(&self, kind: &VehicleKind, wheel: usize) -> WheelPose {
        wheel_pose(
            kind,
            wheel,
            self.jounce,
            self.steer,
            self.camber,
            self.angle,
        )
    }

    /// Between this (0) and the next one (1), or beyond.
    pub(super) fn towards(&self, next: &Self, fraction: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * fraction;
        Self {
            jounce: mix(self.jounce, next.jounce),
            steer: mix(self.steer, next.steer),
            camber: mix(self.camber, next.camber),
            angle: next.angle + next.turned * (fraction - 1.0),
            turned: next.turned,
        }
    }
}

pub(super) fn remember_wheels(mut vehicles: Query<&mut Vehicle>) {
    for mut vehicle in &mut vehicles {
        vehicle.remember_wheels();
    }
}

/// How the `Transform` of a body is eased.
#[derive(QueryData)]
pub(super) struct Easing {
    interpolated: Has<TranslationInterpolation>,
    extrapolated: Has<TranslationExtrapolation>,
    stepped: Has<NoTranslationEasing>,
}

impl EasingItem<'_, '_> {
    /// What is shown, in ticks after the tick before the last one.
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
    vehicles: Query<(&Vehicle, Option<&ChassisFrame>, Easing)>,
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
        let pose = turn.pose(vehicle.core().kind(), of.wheel);
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

/// A place within the body of a vehicle, as a place within a wheel's own parent.
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

#[cfg(test)]
mod tests {
    use core::f32::consts::TAU;

    use super::*;
    use rstest::rstest;
    use vehicle_core::state::WheelState;

    #[rstest]
    #[case::on(31.0, 0.2, 0.5, 31.1)]
    #[case::wrapped(31.3, 0.4, 0.5, 31.5)]
    #[case::wrapped_backwards(-31.3, -0.4, 0.25, -31.4)]
    #[case::beyond(31.0, 0.2, 1.5, 31.3)]
    #[case::last(31.3, 0.4, 1.0, 31.7)]
    #[case::more_than_half_a_turn(31.0, 4.0, 0.5, 33.0)]
    fn wheels_turn_on_through_the_wrap(
        #[values(TAU, WheelState::ANGLE_WRAP)] wrap: f32,
        #[case] before: f32,
        #[case] turned: f32,
        #[case] fraction: f32,
        #[case] expected: f32,
    ) {
        let at = |angle: f32, turned| WheelTurn {
            angle: angle % wrap,
            turned,
            ..WheelTurn::default()
        };
        let next = at(before + turned, turned);
        let angle = at(before, 0.0).towards(&next, fraction).angle;
        let turns = (angle - expected) / TAU;
        assert!((turns - turns.round()).abs() < 1e-5, "{angle}");
    }

    #[test]
    fn jounce_and_steer_move_evenly() {
        let before = WheelTurn::default();
        let now = WheelTurn {
            jounce: 0.1,
            steer: 0.4,
            camber: -0.2,
            angle: 1.0,
            turned: 1.0,
        };
        let middle = before.towards(&now, 0.5);
        let (jounce, steer, camber) = (middle.jounce, middle.steer, middle.camber);
        assert_eq!((jounce, steer, camber), (0.05, 0.2, -0.1));
        assert_eq!(before.towards(&now, 1.0), now);
        assert_eq!(before.towards(&now, 0.0).jounce, 0.0);
    }
}
