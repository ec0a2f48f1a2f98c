//! The phases for a single vehicle.

use glam::Vec3;

use super::Environment;
use crate::MAX_WHEELS;
use crate::contracts::ground::GroundRay;
use crate::contracts::rigid_bodies::{BodyState, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::exchange::command::Command;
use crate::exchange::step_error::StepError;
use crate::params::surface::Surfaces;
use crate::vehicle::Vehicle;
use crate::vehicle::detail::UpdateLevel;
use crate::vehicle::fleet::probing::{WorldRef, sweep};

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
    vehicle.set_air(environment.air);
    let probed = probe(vehicle, &*world, environment.surfaces);
    if probed.is_err_and(|error| error.stops_step()) {
        return probed;
    }
    let advanced = advance(vehicle, world, command, environment.gravity, dt);
    match advanced {
        Err(error) if error.stops_step() => advanced,
        _ => probed.and(advanced),
    }
}

/// [`step`] at a lower update level, [as far as](Vehicle::required_level) the vehicle knows its ground.
///
/// # Errors
/// As [`step`].
pub fn step_with<W: SceneQuery + RigidBodies + ?Sized>(
    update_level: UpdateLevel,
    vehicle: &mut Vehicle,
    world: &mut W,
    command: &Command,
    environment: &Environment<'_>,
    dt: f32,
) -> Result<(), StepError> {
    match vehicle.required_level(update_level) {
        UpdateLevel::Full => step(vehicle, world, command, environment, dt),
        UpdateLevel::KnownGround => {
            vehicle.set_air(environment.air);
            advance(vehicle, world, command, environment.gravity, dt)
        }
        UpdateLevel::Extrapolated => glide(vehicle, world, environment.gravity, dt),
    }
}

/// Extrapolates one vehicle and applies the step result.
fn glide<W: RigidBodies + ?Sized>(
    vehicle: &mut Vehicle,
    world: &mut W,
    gravity: Vec3,
    dt: f32,
) -> Result<(), StepError> {
    let ids = [vehicle.body()];
    let mut body = [BodyState::BLANK];
    world.read(&ids, &mut body)?;
    let result = vehicle.extrapolate(&body[0], gravity, dt)?;
    Ok(world.apply(&ids, &[result])?)
}

/// The first phase of [`step`]: probes the ground under one vehicle.
///
/// # Errors
/// If the chassis does not exist or a hit is not finite; its wheel has no ground then, and [`advance`] can follow.
pub fn probe<W: SceneQuery + RigidBodies + ?Sized>(
    vehicle: &mut Vehicle,
    world: &W,
    surfaces: &Surfaces,
) -> Result<(), StepError> {
    let mut body = [BodyState::BLANK];
    world.read(&[vehicle.body()], &mut body)?;
    if vehicle.sweep_settings().is_some() {
        return sweep(vehicle, &WorldRef(world), &body[0], surfaces);
    }
    let wheels = vehicle.model().wheel_count();
    let (mut rays, mut hits) = ([GroundRay::BLANK; MAX_WHEELS], [None; MAX_WHEELS]);
    let (rays, hits) = (&mut rays[..wheels], &mut hits[..wheels]);
    vehicle.plan_rays(&body[0], rays);
    world.cast_rays(rays, hits);
    vehicle.take_hits(rays, hits, surfaces, |id| world.ground_motion(id))?;
    vehicle.find_ground_edges(&body[0], surfaces, &mut |rays, hits| {
        world.cast_rays(rays, hits);
    });
    Ok(())
}

/// The other phases of [`step`]: updates one vehicle and applies the step result. Without a probe, the vehicle uses
/// the ground that it knows.
///
/// # Errors
/// If the chassis does not exist or an input was refused. The body is unchanged only if the error
/// [stops the step](StepError::stops_step).
pub fn advance<W: RigidBodies + ?Sized>(
    vehicle: &mut Vehicle,
    world: &mut W,
    command: &Command,
    gravity: Vec3,
    dt: f32,
) -> Result<(), StepError> {
    let ids = [vehicle.body()];
    let mut body = [BodyState::BLANK];
    world.read(&ids, &mut body)?;
    let result = vehicle.update(&body[0], command, gravity, dt)?;
    world.apply(&ids, &[result])?;
    let mut reactions = [None; MAX_WHEELS];
    for (slot, reaction) in reactions.iter_mut().zip(vehicle.reactions()) {
        *slot = Some(reaction);
    }
    for reaction in reactions.iter().flatten() {
        world.react(core::slice::from_ref(reaction));
    }
    vehicle.input_error().map_or(Ok(()), Err)
}
