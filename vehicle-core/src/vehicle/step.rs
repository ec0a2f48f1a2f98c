//! A step of one vehicle.

use super::Vehicle;
use super::fleet::Environment;
use super::phases;
use crate::contracts::rigid_bodies::RigidBodies;
use crate::contracts::scene_query::SceneQuery;
use crate::exchange::command::Command;
use crate::exchange::step_error::StepError;
use crate::vehicle::detail::UpdateLevel;

/// Probes, updates and applies one vehicle; the caller steps the world, once after each call
/// (a second one of a vehicle that moves is refused).
///
/// # Errors
/// If the chassis does not exist or an input was refused. The body is unchanged only if the error
/// [stops the step](StepError::stops_step): a vehicle whose command is refused goes on with the last accepted one, and a wheel
/// whose hit is refused has no ground in this step.
pub fn step<W: SceneQuery + RigidBodies + ?Sized>(
    vehicle: &mut Vehicle,
    world: &mut W,
    command: &Command,
    environment: &Environment<'_>,
    dt: f32,
) -> Result<(), StepError> {
    phases::step_with(UpdateLevel::Full, vehicle, world, command, environment, dt)
}
