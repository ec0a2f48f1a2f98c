//! Colliders of a vehicle's wheels, for collisions with other things: [`wheels`](crate::wheels) and
//! [`contact`](crate::contact), managed by the plugin.

use std::sync::Arc;

use avian3d::prelude::Rotation;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::{Commands, Component, Entity, Local, Query, Transform, With, World};
use glam::{Quat, Vec3};
use vehicle_core::{MAX_WHEELS, VehicleModel};

use super::turn::WheelTurn;
use super::vehicle::VehicleComponent;
use crate::contact::ModifiedWheel;
use crate::wheels::{WheelCollider, WheelError, WheelSettings, attach_wheels, pose_wheels};
use crate::{ChassisFrame, body_id};
use parry_query::WheelSize;

/// Gives the wheels of a [`VehicleComponent`] colliders, as children of its entity: cylinders of the size of
/// its wheels, with the poses of the last tick. They are removed with this component, and recreated
/// when the vehicle changes to a [kind](vehicle_core::Vehicle::set_model_with) with other wheels.
///
/// Contacts are modified only in apps that have [`WheelHooks`](crate::WheelHooks).
#[derive(Component, Debug)]
#[component(on_remove = detach)]
pub struct WheelColliders {
    settings: WheelSettings,
    bare: [bool; MAX_WHEELS],
    /// One entity per wheel, once attached.
    attached: Option<Result<Vec<Option<Entity>>, WheelError>>,
    /// The model that these wheels belong to.
    model: Option<Arc<VehicleModel>>,
}

impl WheelColliders {
    /// Wheel colliders of all enabled wheels, from the next tick on.
    #[must_use]
    pub fn new(settings: WheelSettings) -> Self {
        Self {
            settings,
            bare: [false; MAX_WHEELS],
            attached: None,
            model: None,
        }
    }

    /// Returns the settings without a collider for this wheel.
    ///
    /// # Panics
    /// If `wheel >= MAX_WHEELS`.
    #[must_use]
    pub fn without(mut self, wheel: usize) -> Self {
        self.bare[wheel] = true;
        self
    }

    /// The entities, one per wheel; none before the first tick.
    #[must_use]
    pub fn entities(&self) -> &[Option<Entity>] {
        match &self.attached {
            Some(Ok(entities)) => entities,
            Some(Err(_)) | None => &[],
        }
    }

    /// Reason why the wheels cannot be attached, if they cannot. There is no retry with the same wheels: for that, replace the
    /// component.
    #[must_use]
    pub fn fault(&self) -> Option<WheelError> {
        match self.attached {
            Some(Err(error)) => Some(error),
            Some(Ok(_)) | None => None,
        }
    }

    /// The existing colliders, to be despawned.
    fn take_entities(&mut self) -> impl Iterator<Item = Entity> + use<> {
        let attached = self.attached.take();
        attached.into_iter().flatten().flatten().flatten()
    }

    fn sizes(&self, model: &VehicleModel) -> Vec<Option<WheelSize>> {
        let sizes = WheelSize::of(model).into_iter().enumerate();
        let own = sizes.map(|(n, size)| size.filter(|_| !self.bare[n]));
        own.collect()
    }
}

fn detach(mut world: DeferredWorld<'_>, context: HookContext) {
    let wheels = world.get_mut::<WheelColliders>(context.entity);
    let Some(mut wheels) = wheels else { return };
    for entity in wheels.take_entities() {
        world.commands().entity(entity).try_despawn();
    }
}

pub(super) fn attach(
    mut cars: Query<(Entity, &VehicleComponent, &mut WheelColliders)>,
    mut commands: Commands,
) {
    for (entity, vehicle, mut wheels) in &mut cars {
        let model = vehicle.core().model();
        let known = |known: &Arc<VehicleModel>| Arc::ptr_eq(known, model);
        if wheels.model.as_ref().is_some_and(known) {
            continue;
        }
        let before = wheels.model.replace(Arc::clone(model));
        let (sizes, settings) = (wheels.sizes(model), wheels.settings);
        if before.is_some_and(|before| wheels.sizes(&before) == sizes) {
            continue;
        }
        for old in wheels.take_entities() {
            commands.entity(old).try_despawn();
        }
        commands.queue(move |world: &mut World| {
            // It may have been removed meanwhile.
            if world.get::<WheelColliders>(entity).is_none() {
                return;
            }
            let attached = attach_wheels(world, body_id(entity), &sizes, &settings);
            if let Some(mut wheels) = world.get_mut::<WheelColliders>(entity) {
                wheels.attached = Some(attached);
            }
        });
    }
}

/// Sets the transforms of wheel colliders before Avian moves them to their bodies.
pub(super) fn pose(
    cars: Query<(&VehicleComponent, &WheelColliders, Option<&ChassisFrame>)>,
    mut transforms: Query<&mut Transform, With<WheelCollider>>,
    mut poses: Local<Vec<(Vec3, Quat)>>,
) {
    for (vehicle, wheels, frame) in &cars {
        let frame = frame.copied().unwrap_or_default().0;
        let model = vehicle.core().model();
        poses.clear();
        poses.extend((0..wheels.entities().len()).filter_map(|n| {
            // A cylinder does not show how far it has rolled.
            let turn = WheelTurn {
                angle: 0.0,
                ..vehicle.turn(n, 1.0)?
            };
            let pose = turn.pose(model, n);
            Some((pose.position, pose.rotation))
        }));
        // Another vehicle on the body may have fewer wheels.
        let entities = &wheels.entities()[..poses.len()];
        pose_wheels(&mut transforms, entities, &poses, &frame);
    }
}

pub(super) fn tell_hooks(
    cars: Query<(
        &VehicleComponent,
        &WheelColliders,
        &Rotation,
        Option<&ChassisFrame>,
    )>,
    mut modified: Query<&mut ModifiedWheel>,
) {
    for (vehicle, wheels, rotation, frame) in &cars {
        let core = vehicle.core();
        let frame = frame.copied().unwrap_or_default().0;
        let rotation = frame.vehicle_rotation(rotation.0);
        let count = core.model().wheel_count();
        for (n, entity) in wheels.entities().iter().enumerate().take(count) {
            let wheel = entity.and_then(|entity| modified.get_mut(entity).ok());
            if let Some(mut wheel) = wheel {
                wheel.update(core, n, rotation);
            }
        }
    }
}
