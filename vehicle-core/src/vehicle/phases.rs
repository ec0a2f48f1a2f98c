//! Phases of a step for engines that schedule queries themselves: free functions on one vehicle.
//!
//! [`step`](crate::step) runs all phases of one vehicle, [`Fleet`](crate::Fleet) those of many. An engine that collects the
//! rays of all its vehicles, or updates them on its own threads, calls the parts:
//!
//! 1. *probe*, which reads the world: [`plan_rays`], the engine's query, [`take_hits`] and [`find_ground_edges`]; or
//!    [`sweep`]; or [`meet_sections`]; or [`take_contacts`] with ground of the user's own;
//! 2. *update*, which touches no world: [`update`], or [`extrapolate`] at a lower [level](required_level);
//! 3. *apply*, which writes to the engine: [`RigidBodies::apply`], then [`RigidBodies::react`] with the [`reactions`].
//!
//! [`probe`] is the first with a world, [`advance`] the others. [`reset`] starts again.

use glam::{DVec3, Vec3};

use super::Vehicle;
use super::fleet::{Environment, WorldRef, casts_rays, probe_alone};
use crate::MAX_WHEELS;
use crate::base::ids::BodyId;
use crate::contracts::ground::{GroundHit, GroundRay, QueryFilter};
use crate::contracts::ground_triangles::GroundTriangles;
use crate::contracts::rigid_bodies::{BodyState, GroundMotion, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::contracts::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use crate::exchange::command::Command;
use crate::exchange::state::VehicleState;
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::Probe;
use crate::params::surface::Surfaces;
use crate::stages::contact::Contact;
use crate::vehicle::detail::UpdateLevel;

/// Writes one suspension ray per wheel, for a chassis at `body`. Vehicles with swept wheels [sweep](sweep()) instead.
///
/// # Panics
/// If `rays` has not one element per wheel.
pub fn plan_rays(vehicle: &Vehicle, body: &BodyState, rays: &mut [GroundRay]) {
    vehicle.plan_rays(body, rays);
}

/// How the last probe of a vehicle found the ground: as the model says, or for [`Probe::Auto`] in which of the ways. `Auto` before
/// the first probe.
#[must_use]
pub fn last_probe(vehicle: &Vehicle) -> Probe {
    vehicle.probe()
}

/// Filter of the queries of wheel `wheel`; it hits nothing if the wheel is disabled.
///
/// # Panics
/// If there is no such wheel.
#[must_use]
pub fn wheel_filter(vehicle: &Vehicle, wheel: usize) -> QueryFilter {
    vehicle.wheel_filter(wheel)
}

/// Sets contacts from the hits of [`plan_rays`]; `motion` returns the motion of a hit body.
///
/// # Errors
/// If a hit is not finite: [`StepError::Contact`]. Its wheel has no ground then, others have theirs, and the update can
/// follow.
///
/// # Panics
/// If `rays` or `hits` have not one element per wheel.
pub fn take_hits(
    vehicle: &mut Vehicle,
    rays: &[GroundRay],
    hits: &[Option<GroundHit>],
    surfaces: &Surfaces,
    motion: impl FnMut(BodyId) -> Option<GroundMotion>,
) -> Result<(), StepError> {
    vehicle.take_hits(rays, hits, surfaces, motion)
}

/// Finds where the ground ends under wheels that it carried so far and that lose it within the next step: at the edge of a
/// ramp, a wheel is carried up to the edge. Call it after [`take_hits`], with the same `body` and surfaces. `cast`
/// casts a ray; it is called for such wheels only, five times each.
///
/// Without this call, such a wheel has no ground from the start of the step on. Until the next probe, the vehicle does not
/// [know its ground](knows_ground). Swept wheels, and wheels on bodies that can move, have no edges.
pub fn find_ground_edges(
    vehicle: &mut Vehicle,
    body: &BodyState,
    surfaces: &Surfaces,
    mut cast: impl FnMut(&[GroundRay], &mut [Option<GroundHit>]),
) {
    vehicle.find_ground_edges(body, surfaces, &mut cast);
}

/// Writes one sweep per wheel, for a chassis at `body`: from a radius above full compression to
/// full droop (ALGORITHMS §2.2).
///
/// # Panics
/// If wheels are not swept, or `sweeps` has not one element per wheel.
pub fn plan_sweeps(vehicle: &Vehicle, body: &BodyState, sweeps: &mut [GroundSweep]) {
    vehicle.plan_sweeps(body, sweeps);
}

/// Sweeps the wheels of a chassis at `body` and selects their ground; `motion` returns the motion of a hit
/// body.
///
/// # Errors
/// If a hit is not finite: [`StepError::Contact`]. Its wheel has no ground then, others have theirs, and the update can
/// follow.
///
/// # Panics
/// If wheels are not swept.
pub fn sweep(
    vehicle: &mut Vehicle,
    body: &BodyState,
    query: &dyn SweepQuery,
    surfaces: &Surfaces,
    motion: impl FnMut(BodyId) -> Option<GroundMotion>,
) -> Result<(), StepError> {
    vehicle.sweep(body, query, surfaces, motion)
}

/// Calls `on_hit` with the wheel, the hit and whether the wheel may stand on it, for every hit of the sweeps of a
/// chassis at `body`, from which [`sweep`](sweep()) selects: to be shown. Settings that sweep to the first hit alone
/// have one per wheel.
///
/// # Panics
/// If wheels are not swept.
pub fn examine_sweeps(
    vehicle: &Vehicle,
    body: &BodyState,
    query: &dyn SweepQuery,
    on_hit: &mut dyn FnMut(usize, SweepHit, bool),
) {
    vehicle.examine_sweeps(body, query, on_hit);
}

/// Cuts the ground's triangles around the wheels of a chassis at `body`, and sets contacts where the wheels stand on the cuts;
/// `motion` returns the motion of a triangle's body.
///
/// # Errors
/// If a contact is not finite: [`StepError::Contact`]. Its wheel has no ground then, others have theirs, and the update can
/// follow.
pub fn meet_sections(
    vehicle: &mut Vehicle,
    body: &BodyState,
    query: &dyn GroundTriangles,
    surfaces: &Surfaces,
    motion: impl FnMut(BodyId) -> Option<GroundMotion>,
) -> Result<(), StepError> {
    vehicle.meet_sections(body, query, surfaces, motion)
}

/// Sets contacts by the user instead of a probe: `contact(wheel)` for each wheel, with points relative to a
/// center of mass at `position` (`m`, world), and the motion of its ground, if that can move. The next step stands on
/// their planes as they are: best those where its middle will be.
///
/// # Errors
/// If a contact or a motion is not finite: [`StepError::Contact`]. Its wheel has no ground then, others have theirs, and
/// the update can follow.
pub fn take_contacts(
    vehicle: &mut Vehicle,
    position: DVec3,
    contact: impl FnMut(usize) -> Option<(Contact, Option<GroundMotion>)>,
) -> Result<(), StepError> {
    vehicle.take_contacts(position, contact)
}

/// Starts again from a state, as a new vehicle that [restores](Vehicle::restore) it: reports of the last update are those of a
/// vehicle that has not moved yet. Model, body, filter, gravity, air, grip and user values stay. A vehicle of up to four
/// wheels without shafts takes a state of its model without an allocation.
///
/// # Errors
/// If the state has another number of groups of four wheels; nothing is changed then.
pub fn reset(vehicle: &mut Vehicle, state: &VehicleState) -> Result<(), StepError> {
    vehicle.reset_to(state)
}

/// Whether the ground is known well enough for an update without a probe. It is not before the first probe,
/// after a rest or a probe that gave a contact that is not finite, for new wheels, where it ends before a wheel, and on a
/// body that can move, whose motion is only known in the step of a probe.
#[must_use]
pub fn knows_ground(vehicle: &Vehicle) -> bool {
    vehicle.knows_ground()
}

/// The update level of a step in which `asked` is requested: [`UpdateLevel::Full`] if the vehicle does not [know its
/// ground](knows_ground), and at least [`UpdateLevel::KnownGround`] while it comes to rest with locked wheels,
/// or its wheels press on the ground with more than twice its weight.
#[must_use]
pub fn required_level(vehicle: &Vehicle, asked: UpdateLevel) -> UpdateLevel {
    vehicle.required_level(asked)
}

/// Advances a vehicle by one step of `dt` (`s`) under `gravity` (`m/s²`, world axes; 0 in space), or [its
/// own](Vehicle::set_gravity), and returns what the engine must do. Does not access a world.
///
/// Without a probe since the last update, the last probe's ground planes are used and taken as fixed. A command that
/// is refused is no error here: the last accepted one goes on, and [`Vehicle::input_error`] says so.
///
/// # Errors
/// If time, body or gravity is not finite or out of range; see [`StepError::stops_step`].
#[inline]
pub fn update(
    vehicle: &mut Vehicle,
    body: &BodyState,
    command: &Command,
    gravity: Vec3,
    dt: f32,
) -> Result<StepResult, StepError> {
    vehicle.update(body, command, gravity, dt)
}

/// Extrapolates the last step by `dt` (`s`) under `gravity` (`m/s²`, world axes): cheap, and adequate for
/// one or two steps between updates. No command is read and the suspension does not move; timers of gears
/// advance, and the speeds of wheels and engine change as between the last two updates. These changes are
/// not part of the state: after a state is restored, both speeds are constant until two updates have been
/// made.
///
/// With the rows solver, the velocity changes as in the last update, but the motion of a car that is about to stand does
/// not reverse. A car that brakes or engine lock below 0.05 m/s does not move at all, and goes on with its velocity in the
/// next update: only an update lets its tires count where it goes. With the explicit solver, the velocity is constant, and
/// so are the speeds of wheels and engine. With both, the vehicle falls by the part of gravity that its wheels did not
/// carry; from half of its weight on, they count as carrying all of it.
///
/// Suitable for a vehicle that [knows its ground](knows_ground). Pedals stay as in the last update;
/// none is pressed after a state was restored or changed.
///
/// # Errors
/// If a value is not finite or out of range; see [`StepError`].
pub fn extrapolate(
    vehicle: &mut Vehicle,
    body: &BodyState,
    gravity: Vec3,
    dt: f32,
) -> Result<StepResult, StepError> {
    vehicle.extrapolate(body, gravity, dt)
}

/// Forces of the last update on dynamic bodies under the wheels. None accelerates its body by more than the
/// profile's [`max_ground_acceleration`](crate::Profile::max_ground_acceleration).
pub fn reactions(vehicle: &Vehicle) -> impl Iterator<Item = Reaction> {
    vehicle.reactions()
}

/// [Steps](crate::step) one vehicle at this update level or at the one that it [requires](required_level).
///
/// # Errors
/// As [`step`](crate::step).
pub fn step_with<W: SceneQuery + RigidBodies + ?Sized>(
    update_level: UpdateLevel,
    vehicle: &mut Vehicle,
    world: &mut W,
    command: &Command,
    environment: &Environment<'_>,
    dt: f32,
) -> Result<(), StepError> {
    match vehicle.required_level(update_level) {
        UpdateLevel::Full => full(vehicle, world, command, environment, dt),
        UpdateLevel::KnownGround => {
            vehicle.set_air(environment.air);
            advance(vehicle, world, command, environment.gravity, dt)
        }
        UpdateLevel::Extrapolated => glide(vehicle, world, environment.gravity, dt),
    }
}

/// All phases of one vehicle.
fn full<W: SceneQuery + RigidBodies + ?Sized>(
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

/// The first phase of [`step`](crate::step): probes the ground under one vehicle.
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
    if !casts_rays(vehicle, &WorldRef(world)) {
        return probe_alone(&WorldRef(world), vehicle, &body[0], surfaces);
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

/// The other phases of [`step`](crate::step): updates one vehicle and applies the step result. Without a probe, the vehicle uses
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
