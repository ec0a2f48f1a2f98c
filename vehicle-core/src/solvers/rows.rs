//! The rows solver: sequential impulses for struts, tires, brakes and clutch, each implicit at the end of
//! the substep (docs/ROWS.md). Cars stand still, and results do not depend on the time step.
//!
//! There is no holding *mode*. Each wheel always has one row along the ground's normal, one longitudinal and one lateral row. A
//! substep warm-starts the rows with the last forces and solves them in a few Gauss–Seidel sweeps.
//!
//! | module | contents |
//! |---|---|
//! | `tuning` | bounds, tolerances and counts that follow from no law |
//! | [`observer`] | mean velocity, carry, and the observer of the engine's pushes |
//! | [`moving_ground`] | a body under the wheels between steps |
//! | [`mod@substep_context`] | inputs of a substep |
//! | [`contact_space`] | Jacobian, speeds and impulses of rows, effective masses |
//! | [`strut`] | normal rows: spring, damper, bump stop, anti-roll bar |
//! | [`unsprung`] | unsprung masses, between strut and tire, and their wheel hop |
//! | [`tire_rows`] | tangential rows: the tire's law in series with its carcass |
//! | [`slip_limits`] | limits of slips that driver aids request |
//! | [`wheel`] | spin, brake and tire of a wheel in closed form; the friction ellipse |
//! | [`coupled_wheel`] | a wheel that turns together with others |
//! | [`clutch`] | torque between engine and wheels |
//! | [`shafts`] | torques between any number of rotating parts and wheels |
//! | `raised` | lateral forces at another height than longitudinal ones |
//! | `links` | where tire forces act, and how links lead them to the body |
//! | `ground_compliance` | bodies under the wheels that a push moves |
//! | [`low_speed`] | wheels below 1 m/s |
//! | `lateral_midpoint` | lateral rows of wheels above 1 m/s |
//! | [`group`] | the rows of four wheels through a substep |
//! | [`wheel_coupling`] | wheels that turn together |
//! | `aids` | requests of driver aids |
//! | `substep` | warm start and sweeps of a substep |

mod tuning;
pub mod observer;
pub mod moving_ground;
pub mod slip_limits;
pub mod substep_context;
pub mod contact_space;
pub mod strut;
pub mod unsprung;
pub mod tire_rows;
pub mod wheel;
pub mod coupled_wheel;
pub mod clutch;
pub mod shafts;
mod raised;
mod links;
mod ground_compliance;
pub mod low_speed;
mod lateral_midpoint;
pub mod group;
pub mod wheel_coupling;
mod aids;
mod obstacles;
mod substep;

use glam::{Mat3, Vec3};

use core::hint::cold_path;

use crate::MAX_WHEELS;
use crate::base::lanes::{LANES, V3x4, W4};
use crate::base::math;
use crate::base::velocity::VelocityLanes;
use crate::contracts::tire::{TireForces, TireInput};
use crate::exchange::state::{VehicleState, WheelState};
use crate::params::profile::RowsSettings;
use crate::stages::chassis::{Chassis, View};
use crate::stages::model::VehicleModel;
use crate::stages::outputs::{GroundPushes, Workspace};
use crate::stages::shaft_memory;

use group::GroupRows;
use moving_ground::GroundDeviation;
use observer::BodyObservation;
use shafts::engines;
use substep::Substep;
use substep_context::SubstepContext;

/// Inputs of a step, in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The rows solver's settings.
    pub settings: &'a RowsSettings,
    /// The body as observed in the engine.
    pub observation: &'a BodyObservation,
    /// The ground as observed in the engine, if it can move.
    pub ground: Option<&'a GroundDeviation>,
    /// Gravity (`m/s²`).
    pub gravity: Vec3,
    /// Duration (`s`).
    pub dt: f32,
}

/// Largest number of groups of four wheels.
const MAX_GROUPS: usize = MAX_WHEELS.div_ceil(LANES);

/// Calls `run` with scratch memory for the rows of vehicles of at most so many `groups` of wheels, on the stack: the same for
/// every vehicle that a thread updates stays in its cache.
pub fn with_scratch<R>(groups: usize, run: impl FnOnce(&mut [GroupRows]) -> R) -> R {
    match groups {
        0 => run(&mut []),
        1 => with_groups::<1, R>(run),
        2 => with_groups::<2, R>(run),
        3 | 4 => with_groups::<4, R>(run),
        _ => with_groups::<MAX_GROUPS, R>(run),
    }
}

// Not inlined, so that the stack frame holds the groups of one size only.
#[inline(never)]
fn with_groups<const GROUPS: usize, R>(run: impl FnOnce(&mut [GroupRows]) -> R) -> R {
    run(&mut [GroupRows::default(); GROUPS])
}

/// Runs all substeps of a step on the private `chassis`. `rows` is scratch memory with any contents, at least one entry per
/// group.
pub fn advance(
    model: &VehicleModel,
    step: &Step<'_>,
    state: &mut VehicleState,
    chassis: &mut Chassis,
    work: &mut Workspace<'_>,
    rows: &mut [GroupRows],
) {
    let parts = work.edges.map_or(0, |edges| edges.count() as u32);
    let count = substeps(model, step, state).max(parts);
    work.control.smooth = true;
    let rows = &mut rows[..state.wheels.len()];
    for (g, rows) in rows.iter_mut().enumerate() {
        let bushings = state.extras.bushings().get(g).copied();
        rows.begin_step(bushings.unwrap_or_default());
    }
    for remaining in (0..count).rev() {
        if let Some(edges) = work.edges.filter(|edges| edges.count() > 0) {
            cold_path();
            let n = (count - 1 - remaining) as usize;
            let wheels = state.wheels.iter_mut().enumerate();
            wheels.for_each(|(g, wheels)| edges.store(n, count as usize, g, wheels));
        }
        run_substep(model, step, (remaining, count), state, chassis, work, rows);
    }
}

/// Number of substeps of a step: as many as the settings and every driver aid need.
fn substeps(model: &VehicleModel, step: &Step<'_>, state: &VehicleState) -> u32 {
    let mut settings = *step.settings;
    if let Some(memories) = state.extras.memories() {
        let aids = model.aids().iter().zip(&memories.aids).enumerate();
        for (_, (aid, memory)) in aids.filter(|(n, _)| memories.aid_is_enabled(*n)) {
            settings.max_substep = math::lesser(aid.longest_substep(memory), settings.max_substep);
        }
    }
    settings.substeps(step.dt)
}

/// Runs one of `count` substeps, after which these are `remaining`.
// Not inlined: as part of the loop, it takes 1.7 % more instructions of an update (rustc 1.95).
#[inline(never)]
fn run_substep(
    model: &VehicleModel,
    step: &Step<'_>,
    (remaining, count): (u32, u32),
    state: &mut VehicleState,
    chassis: &mut Chassis,
    work: &mut Workspace<'_>,
    rows: &mut [GroupRows],
) {
    let dt = step.dt;
    let h = dt / count as f32;
    let halfway = math::columns(chassis.rotation_after(0.5 * h));
    let gravity = step.gravity.extend(0.0);
    let (view, wind) = chassis.view_in_axes(&halfway, gravity, work.air.wind);
    let push = (step.observation.push + step.observation.velocity_jump * (1.0 / dt))
        .rotated_back_by(&halfway);
    let mut now = context(model, step, chassis, (&view, push), (remaining, count));
    if model.has_moments() {
        let moment = state.tire_moment.extend(0.0);
        now.unconstrained.angular += math::rotated_lanes(now.inverse_inertia, moment) * h;
    }
    now.placed = step.observation.placed && remaining + 1 == count;
    let air = model
        .air_in(work.air.density)
        .map(|shape| shape.force(&work.air, wind, now.view, &state.wheels));
    if let Some(air) = &air {
        now.unconstrained.linear += air.load.force.extend(0.0) * (h * now.inverse_mass);
        let moment = air.load.moment.extend(0.0);
        now.unconstrained.angular += math::rotated_lanes(now.inverse_inertia, moment) * h;
    }
    now.free_directions = chassis.free_directions(&halfway);
    if let Some(free) = &now.free_directions {
        now.unconstrained.linear = math::rotated_lanes(free, now.unconstrained.linear);
    }
    // The autobox computes from it the power that the vehicle needs.
    let outside = now.unconstrained.linear.x - now.start.linear.x;
    work.control.outside_acceleration = outside * now.per_second;
    let drivetrain = model.drivetrain();
    drivetrain.change_gears(&mut state.drive, &state.wheels, h, work.control);
    drivetrain.split_torque(&state.drive, &state.wheels, work.control);
    let aided = if model.uses_sensors() {
        aids::sense(model, &now, state, work)
    } else {
        model.disable_wheels(work.control);
        None
    };
    let mut shafts = work.control.shafts.take();
    let (control, coupling) = match &aided {
        Some(aided) => (&aided.wheels[..], &aided.coupling),
        None => (&work.control.wheels[..], &work.control.coupling),
    };
    let substep = Substep {
        model,
        now: &now,
        coupling: coupling.as_ref(),
        control,
        limits: aided.as_ref().map_or(&[], |aided| &aided.limits),
        engine_limit: aided.as_ref().and_then(|aided| aided.engine_limit.as_ref()),
        least_torques: aided
            .as_ref()
            .map_or(&engines::NO_TORQUES, |aided| &aided.least_torques),
        wheel_couplings: work.control.wheel_couplings,
        steering: &*work.steering,
        ground: work.ground,
        swept: work.swept,
        ends: work.ends,
        edges: work.edges,
    };
    let wheels = &mut state.wheels;
    let tires = state.extras.tires_mut();
    let sound = shafts.as_deref_mut().filter(|shafts| shafts.is_sound());
    let mut velocity = substep.solve(rows, wheels, tires, &mut state.drive, sound);
    if let Some(shafts) = shafts {
        if let Some(engine) = shafts.nodes.iter().find(|node| node.is_engine) {
            state.drive.engine_speed = engine.speed.abs();
        }
        shaft_memory::remember(&shafts, &mut state.extras);
        work.control.shafts = Some(shafts);
    }
    if let Some(aided) = &aided {
        aids::remember_brakes(aided, rows, state, now.per_second);
    }
    if model.moves_by_force() {
        load_bushings(model, rows, state, h);
    }
    if model.steers() {
        steer(model, &now, rows, state, work);
    }
    if model.has_moments() {
        let moment: Vec3 = rows.iter().map(|rows| rows.whole_moment(h)).sum();
        state.tire_moment = if moment.is_finite() {
            moment
        } else {
            Vec3::ZERO
        };
    }
    if remaining == 0 {
        state.wheels.each(|g, wheels| {
            let (k, curves) = (&model.wheels()[g], model.curves(g));
            rows[g].report(k, curves, wheels, &now, &mut work.outputs[g]);
        });
    }
    // Empty where all ground is fixed.
    for (g, push) in work.reactions.iter_mut().enumerate() {
        if work.ground[g].any {
            let wheels = &state.wheels[g];
            react(push, &rows[g], wheels, model, &now.view.matrix, (h, h / dt));
        }
    }
    if let Some(air) = &air {
        let change = velocity.linear - now.start.linear;
        let (kept, load) = air.resist(change, now.inverse_mass, h);
        velocity.linear = now.start.linear + kept;
        *work.air_load = load;
    }
    let change = (velocity - now.start).rotated(&now.view.matrix);
    chassis.glide(&change, h);
    if remaining > 0 {
        chassis.turn_by_arc();
    }
}

/// Adds to a group's `push` on the ground that of a substep of `h` (`s`), which is this fraction `part` of the step; `matrix`
/// rotates to world axes.
fn react(
    push: &mut GroundPushes,
    rows: &GroupRows,
    wheels: &WheelState,
    model: &VehicleModel,
    matrix: &Mat3,
    (h, part): (f32, f32),
) {
    let world = |push: V3x4| push.rotated(matrix) * W4::splat(part);
    push.force = push.force - world(rows.chassis_forces(wheels));
    if model.has_moments() {
        push.torque = push.torque - world(rows.moments(h));
    }
}

/// Puts the forces of a substep of `h` (`s`) on the bushings of the wheels.
fn load_bushings(model: &VehicleModel, rows: &mut [GroupRows], state: &mut VehicleState, h: f32) {
    let groups = rows.iter_mut().zip(state.extras.bushings_mut());
    for (g, (rows, bushings)) in groups.enumerate() {
        rows.load_bushings(&model.wheels()[g], &state.wheels[g], h);
        *bushings = rows.bushings;
    }
}

/// Turns the steering wheel by what the road and the hands do to it, and the wheels for the next substep (ROWS §5.1).
fn steer(
    model: &VehicleModel,
    now: &SubstepContext<'_>,
    rows: &[GroupRows],
    state: &mut VehicleState,
    work: &mut Workspace<'_>,
) {
    let Some(wheel) = state.extras.steering_mut() else {
        return;
    };
    let mut road = [(TireInput::default(), TireForces::default()); MAX_GROUPS];
    for (g, rows) in rows.iter().enumerate() {
        road[g] = rows.road(&model.wheels()[g], &state.wheels[g], now);
    }
    model
        .drivetrain()
        .steer(wheel, &road[..rows.len()], now.h, work.control);
    for (g, steering) in work.steering.iter_mut().enumerate() {
        let k = &model.wheels()[g];
        let angle = k.toe + work.control.wheels[g].steer;
        steering.turn_to(angle);
        low_speed::steer_wheels(k, &mut state.wheels[g], angle);
    }
}

/// Builds the context of one of `count` substeps, after which these are `remaining`. `chassis` is at the substep's start, `view`
/// has the vehicle axes at its middle, `push` is the engine's estimated acceleration in these axes (`m/s²`, `rad/s²`).
#[inline(always)]
fn context<'a>(
    model: &'a VehicleModel,
    step: &Step<'a>,
    chassis: &'a Chassis,
    (view, mut push): (&'a View, VelocityLanes),
    (remaining, count): (u32, u32),
) -> SubstepContext<'a> {
    let Step {
        settings,
        observation,
        dt,
        ..
    } = *step;
    let h = dt / count as f32;
    let start = VelocityLanes {
        linear: view.linear.extend(0.0),
        angular: view.angular.extend(0.0),
    };
    push.linear += view.gravity.extend(0.0);
    SubstepContext {
        settings,
        load_line: model.load_line(),
        view,
        start_matrix: &chassis.matrix,
        start,
        unconstrained: start + push * h,
        observation,
        ground: step.ground,
        inverse_mass: chassis.inverse_mass,
        inverse_inertia: &chassis.inverse_inertia,
        free_directions: None,
        h,
        per_second: 1.0 / h,
        count: count as f32,
        fraction: h / dt,
        remaining: remaining as f32,
        is_rolling: observation.is_rolling,
        limits_expansion: model.params().profile.limit_expansion,
        placed: false,
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
