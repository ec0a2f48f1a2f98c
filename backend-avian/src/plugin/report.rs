//! Output for a game: reports, and faults.

use bevy::prelude::{Component, Entity, Message, MessageWriter, Query};
use vehicle_core::{BodyState, StepError, WheelReport};

use super::vehicle::VehicleComponent;
use crate::{AvianScene, body_id};

/// The state of a [`VehicleComponent`], written after each step; a component to add to the vehicles of
/// interest.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct LastReport {
    /// The vehicle as a whole: speeds, gears, engine.
    pub vehicle: vehicle_core::VehicleReport,
    /// Whether values of the command were clamped to their range.
    pub command_was_clamped: bool,
    /// Reason why the vehicle was skipped in this tick, if it was; everything else is then unchanged.
    pub fault: Option<StepError>,
    /// The wheels, in their order.
    pub wheels: Vec<WheelReport>,
}

impl Default for LastReport {
    /// Report of a standing vehicle without wheels, as before the first step.
    fn default() -> Self {
        Self {
            vehicle: vehicle_core::VehicleReport::STANDING,
            command_was_clamped: false,
            fault: None,
            wheels: Vec::new(),
        }
    }
}

impl LastReport {
    fn write(&mut self, vehicle: &VehicleComponent, body: &BodyState) {
        let core = vehicle.core();
        self.vehicle = core.report(body);
        self.command_was_clamped = core.command_was_clamped();
        self.wheels.clear();
        self.wheels.extend(core.wheel_reports());
    }
}

pub(super) fn write_reports(
    scene: AvianScene<'_, '_>,
    mut reports: Query<(Entity, &VehicleComponent, &mut LastReport)>,
) {
    for (entity, vehicle, mut report) in &mut reports {
        report.fault = vehicle.fault();
        let mut body = [BodyState::BLANK];
        // A body removed after the step is a fault of the next one.
        let read = scene.read(&[body_id(entity)], &mut body);
        let stopped = report.fault.is_some_and(|error| error.stops_step());
        if !stopped && read.is_ok() {
            report.write(vehicle, &body[0]);
        }
    }
}

/// A [`VehicleComponent`] or one of its inputs is refused from this tick on, until the fault is fixed. It is skipped if that
/// [stops the step](StepError::stops_step): for example, its body is not dynamic (any more). It goes on if, for example, its
/// command is not finite. Sent once.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct VehicleFault {
    /// The vehicle.
    pub vehicle: Entity,
    /// Reason of the refusal.
    pub error: StepError,
}

pub(super) fn announce_faults(
    mut vehicles: Query<(Entity, &mut VehicleComponent)>,
    mut faults: MessageWriter<'_, VehicleFault>,
) {
    for (entity, mut vehicle) in &mut vehicles {
        if let Some(error) = vehicle.news() {
            faults.write(VehicleFault {
                vehicle: entity,
                error,
            });
        }
    }
}
