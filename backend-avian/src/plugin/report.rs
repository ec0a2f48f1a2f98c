//! What a game is told: reports, and faults.

use avian3d::prelude::{LinearVelocity, Rotation};
use bevy::prelude::{Component, Entity, Message, MessageWriter, Query};
use glam::Vec3;
use vehicle_core::{Gear, StepError, WheelReport};

use super::vehicle::Vehicle;
use crate::ChassisFrame;

/// How a [`Vehicle`] fares, written after each step; a component to be added to those that a
/// game wants to know of.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct VehicleReport {
    /// Speed of the body forward [m/s], negative backwards.
    pub forward_speed: f32,
    /// Engine speed [rad/s], >= 0; 0 without an engine.
    pub engine_speed: f32,
    /// The gear engaged now.
    pub gear: Gear,
    /// The gear that is being changed to; equal to `gear` when nothing changes.
    pub target_gear: Gear,
    /// Whether no wheel carries anything.
    pub in_air: bool,
    /// Whether values of the command were clamped to their range.
    pub command_was_clamped: bool,
    /// Why the vehicle was passed over in this tick, if it was; all else is then as it was.
    pub fault: Option<StepError>,
    /// The wheels, in their order.
    pub wheels: Vec<WheelReport>,
}

impl VehicleReport {
    fn write(&mut self, vehicle: &Vehicle) {
        self.fault = vehicle.fault();
        if self.fault.is_some() {
            return;
        }
        let core = vehicle.core();
        let drive = &core.state().drive;
        self.engine_speed = drive.engine_speed;
        self.gear = drive.gear;
        self.target_gear = drive.target_gear;
        self.in_air = core.is_in_air();
        self.command_was_clamped = core.command_was_clamped();
        self.wheels.clear();
        let wheels = 0..core.kind().wheel_count();
        self.wheels
            .extend(wheels.map(|wheel| core.wheel_report(wheel)));
    }
}

type Motion<'a> = (&'a LinearVelocity, &'a Rotation, Option<&'a ChassisFrame>);

pub(super) fn write_reports(
    mut reports: Query<(&Vehicle, &mut VehicleReport, Option<Motion<'_>>)>,
) {
    for (vehicle, mut report, motion) in &mut reports {
        report.write(vehicle);
        if let Some((velocity, rotation, frame)) = motion {
            let frame = frame.copied().unwrap_or_default().0;
            let forward = rotation.0 * frame.to_body(Vec3::X);
            report.forward_speed = velocity.0.dot(forward);
        }
    }
}

/// A [`Vehicle`] is passed over from this tick on, until what is wrong is put right: its body is no
/// dynamic one (any more), say, or its command is not finite. Said once.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct VehicleFault {
    /// Which one.
    pub vehicle: Entity,
    /// Why.
    pub error: StepError,
}

pub(super) fn announce_faults(
    mut vehicles: Query<(Entity, &mut Vehicle)>,
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
