//! A vehicle as a component of its body, and a game's commands to it.

use std::sync::Arc;

use avian3d::prelude::{Collider, RigidBody};
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::{Component, Entity, Resource};
use glam::{Quat, Vec3};
use vehicle_core::{
    BodyId, BodyState, Command, Detail, Frame, StepError, StepResult, Surfaces, UpdateLevel,
    VehicleModel,
};

use super::turn::WheelTurn;
use crate::{ChassisFrame, MassProperties, body_id, mass_properties};

/// Makes a body a vehicle of some model: [`vehicle_core::Vehicle`] as a component.
///
/// The body is dynamic by default. It gets the mass, inertia and center of mass of the model before
/// its first step, whatever its current and future colliders, and again if [the
/// kind](vehicle_core::Vehicle::set_model) or its [`ChassisFrame`] changes; in between, they may be
/// changed, and the vehicle uses the body's values. Its colliders are the user's: see [`hull`].
/// None are required.
///
/// A vehicle may be spawned and despawned at any time; it drives from the next tick on.
#[derive(Component, Clone, Debug)]
#[component(on_insert = take_body)]
#[require(RigidBody, ChassisFrame, VehicleCommand)]
pub struct VehicleComponent {
    core: vehicle_core::Vehicle,
    pub(super) stage: TickPhase,
    fault: Option<StepError>,
    announced: Option<StepError>,
    /// The source of the body's mass properties.
    fitted: Option<(Arc<VehicleModel>, Frame)>,
    /// Rotation of the wheels after the second to last and after the last tick.
    turns: [Vec<WheelTurn>; 2],
}

/// The stage of a vehicle within this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum TickPhase {
    #[default]
    Idle,
    Probed(BodyState, UpdateLevel),
    Updated(StepResult),
}

impl VehicleComponent {
    /// A vehicle at rest, on the body of the entity that it will be a component of.
    #[must_use]
    pub fn new(model: Arc<VehicleModel>) -> Self {
        let turns = vec![WheelTurn::default(); model.wheel_count()];
        Self {
            core: vehicle_core::Vehicle::new(model, body_id(Entity::PLACEHOLDER)),
            stage: TickPhase::Idle,
            fault: None,
            announced: None,
            fitted: None,
            turns: [turns.clone(), turns],
        }
    }

    /// The wrapped vehicle.
    #[must_use]
    pub fn core(&self) -> &vehicle_core::Vehicle {
        &self.core
    }

    /// The wrapped vehicle, to restore a state, engage a gear, or exclude a trailer from its
    /// ground.
    #[must_use]
    pub fn core_mut(&mut self) -> &mut vehicle_core::Vehicle {
        &mut self.core
    }

    /// Reason why the vehicle or one of its inputs was refused in the last tick. If that [stops the step](StepError::stops_step),
    /// the vehicle was skipped, and Avian alone moved its body.
    #[must_use]
    pub fn fault(&self) -> Option<StepError> {
        self.fault
    }

    /// Rotation of a wheel `fraction` of a tick after the second to last tick: 1 for the last one.
    pub(super) fn turn(&self, wheel: usize, fraction: f32) -> Option<WheelTurn> {
        let [before, now] = &self.turns;
        Some(before.get(wheel)?.toward(now.get(wheel)?, fraction))
    }

    pub(super) fn remember_wheels(&mut self) {
        self.turns.swap(0, 1);
        // The component may hold a different vehicle by now.
        let count = self.core.model().wheel_count();
        for turns in &mut self.turns {
            turns.resize(count, WheelTurn::default());
        }
        let [before, now] = &mut self.turns;
        let turns = before.iter().zip(now);
        for ((before, now), wheel) in turns.zip(self.core.wheel_reports()) {
            *now = WheelTurn::after(before, &wheel);
        }
    }

    /// Begins a tick.
    pub(super) fn begin(&mut self) {
        self.fault = None;
    }

    /// Notes an error. One that stops the step skips the vehicle for the rest of the tick; of others, the first is reported.
    pub(super) fn refuse(&mut self, error: StepError) {
        if error.stops_step() {
            self.stage = TickPhase::Idle;
            self.fault = Some(error);
        } else {
            self.fault.get_or_insert(error);
        }
    }

    /// Completes a tick.
    pub(super) fn pass(&mut self) {
        if self.fault.is_none() {
            self.announced = None;
        }
    }

    /// A fault that has not been reported yet.
    pub(super) fn news(&mut self) -> Option<StepError> {
        let fault = self.fault?;
        // Compared as text: NaN is never equal to itself.
        let known = |old: StepError| old.to_string() == fault.to_string();
        if self.announced.is_some_and(known) {
            return None;
        }
        self.announced = Some(fault);
        Some(fault)
    }

    pub(super) fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }

    /// Mass properties for its body, unless it already has those of its model in this frame.
    pub(super) fn fit(&mut self, frame: Frame) -> Option<MassProperties> {
        let model = self.core.model();
        let fits = |(old, axes): &(Arc<_>, _)| Arc::ptr_eq(old, model) && *axes == frame;
        if self.fitted.as_ref().is_some_and(fits) {
            return None;
        }
        self.fitted = Some((Arc::clone(model), frame));
        let chassis = model.params().chassis;
        Some(mass_properties(
            &frame,
            chassis.mass,
            chassis.inertia_tensor(),
            chassis.center_of_mass,
        ))
    }

    /// Keeps its state, but treats the body as new.
    fn move_to(&mut self, body: BodyId) {
        let mut core = self.core.clone();
        core.set_body(body);
        *self = Self {
            core,
            ..Self::new(Arc::clone(self.core.model()))
        };
    }
}

/// Sets the body of a vehicle to the entity of its component.
fn take_body(mut world: DeferredWorld<'_>, context: HookContext) {
    let body = body_id(context.entity);
    let vehicle = world.get_mut::<VehicleComponent>(context.entity);
    if let Some(mut vehicle) = vehicle.filter(|vehicle| vehicle.core.body() != body) {
        vehicle.move_to(body);
    }
}

/// The driver's command to a [`VehicleComponent`], written by a game at any time. It stays in force until
/// overwritten.
///
/// By default a car's, with no pedal pressed: vehicles that are not cars wait for theirs with a
/// [fault](VehicleComponent::fault).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleCommand(pub Command);

/// Share of each tick that is computed for a [`VehicleComponent`]; everything for vehicles without it, and for those that do
/// not [know their ground](vehicle_core::phases::knows_ground). Vehicles take turns, and those that sleep
/// [probe less](vehicle_core::Detail::while_asleep).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VehicleDetail(pub Detail);

/// Materials, surfaces, and the friction of tires on them, for all vehicles.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct VehicleSurfaces(pub Surfaces);

/// A box collider for a chassis.
///
/// * `frame`: the body's [`ChassisFrame`].
/// * `size`: length, width and height (`m`), > 0.
/// * `center` of the box from the vehicle's origin (`m`, vehicle axes).
#[must_use]
pub fn hull(frame: &Frame, size: Vec3, center: Vec3) -> Collider {
    let size = frame.to_body(size).abs();
    let cuboid = Collider::cuboid(size.x, size.y, size.z);
    Collider::compound(vec![(frame.to_body(center), Quat::IDENTITY, cuboid)])
}
