//! The rows solver: struts, tires, brakes and clutch of a substep solved together, each at the end
//! of the substep (HOLDING §2). Cars stand still, and results do not depend on the time step.
//!
//! There is no holding *mode*. Each wheel has one row along the ground's normal, one forward and one
//! to the left, always; a few sweeps over them make a substep.
//!
//! | module | what |
//! |---|---|
//! | [`contact_space`] | speeds and impulses along the rows, and how they couple |
//! | [`strut`] | normal rows: spring, damper, bump stop, anti-roll bar |
//! | [`tread`] | tangential rows: the tire's law in series with its carcass |
//! | [`wheel`] | spin, brake and tire of a wheel in closed form; the friction ellipse |
//! | [`clutch`] | the torque between engine and wheels |
//! | [`group`] | four wheels' rows through a substep |
//! | [`handover`] | mean velocity out, carry, and what the engine is found to add |

pub mod clutch;
pub mod contact_space;
pub mod group;
pub mod handover;
pub mod strut;
pub mod tread;
pub mod wheel;

use glam::Vec3;

use crate::chassis::{Chassis, Velocity};
use crate::contact::MovingGround;
use crate::drivetrain::{Control, Tick};
use crate::kind::VehicleKind;
use crate::lanes::{Groups, Mask4, V3x4, W4};
use crate::math;
use crate::outputs::WheelOutputs;
use crate::state::{DriveState, VehicleState};
use crate::steering::Steering;

use clutch::Sloped;
use group::{GroupRows, Instant, Stage};
use handover::Ending;

/// What a step's substeps work with beside the state.
#[derive(Debug)]
pub struct Workspace<'a> {
    /// The drivetrain's answer; gears and torque shares are renewed each substep.
    pub control: &'a mut Control,
    /// Steering per group.
    pub steering: &'a Groups<Steering>,
    /// Moving ground per group.
    pub ground: &'a Groups<MovingGround>,
    /// Results of the last substep.
    pub outputs: &'a mut Groups<WheelOutputs>,
    /// Reaction of each wheel on its ground, as the mean over the step [N, world axes].
    pub reactions: &'a mut Groups<V3x4>,
    /// Room to work in.
    pub rows: &'a mut Groups<GroupRows>,
}

impl Workspace<'_> {
    /// A group's rows, and what its wheels are and are told.
    fn group<'a>(&'a mut self, kind: &'a VehicleKind, g: usize) -> (&'a mut GroupRows, Stage<'a>) {
        let stage = Stage {
            consts: &kind.wheels()[g],
            tires: &kind.tires()[g],
            control: &self.control.wheels[g],
            steering: &self.steering[g],
            ground: &self.ground[g],
        };
        (&mut self.rows[g], stage)
    }
}

/// Gravity counts as carried in full from half the weight on; below, in proportion. A car on its
/// side must not become weightless because a wheel touches something.
const FULLY_CARRIED: f32 = 2.0;

/// Runs all substeps of a step of `dt` [s] on the private `chassis`, `gravity` in world axes.
pub fn advance(
    kind: &VehicleKind,
    gravity: Vec3,
    dt: f32,
    state: &mut VehicleState,
    chassis: &mut Chassis,
    work: &mut Workspace<'_>,
) -> Ending {
    let settings = &kind.params().profile.rows;
    let count = settings.substeps(dt);
    let share = 1.0 / count as f32;
    let h = dt * share;
    let push = state.handover.push;
    let tick = Tick {
        duration: h,
        exact: true,
    };
    work.reactions.iter_mut().for_each(|r| *r = V3x4::ZERO);
    let mut force = Vec3::ZERO;
    for left in (0..count).rev() {
        let drivetrain = kind.drivetrain();
        drivetrain.shift(&mut state.drive, tick, work.control);
        drivetrain.shares(&state.drive, &state.wheels, work.control);
        let now = instant(kind, chassis, gravity, &push, h);
        let velocity = solve(kind, &now, state, work);
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            let (rows, stage) = work.group(kind, g);
            rows.commit(stage.consts, wheels, &now);
            let pushes = rows.pushes(wheels);
            let moving = stage.ground.any;
            if left == 0 {
                work.outputs[g] = work.rows[g].outputs(&kind.wheels()[g], wheels, &now);
            }
            if moving {
                let reaction = pushes.rotated(&chassis.matrix) * W4::splat(-share);
                work.reactions[g] = work.reactions[g] + reaction;
            }
            force += chassis.to_world(pushes.sum()) * share;
        }
        chassis.glide(&velocity, h);
    }
    let weight = gravity.dot(gravity) / chassis.inverse_mass;
    let slow = settings.observer_speed;
    Ending {
        carried: (FULLY_CARRIED * -force.dot(gravity) / weight).clamp(0.0, 1.0),
        standing: work.rows.iter().all(|rows| rows.stands(slow)),
    }
}

/// The chassis at the start of a substep; `push` is what the engine adds [m/s², rad/s², world axes].
fn instant<'a>(
    kind: &'a VehicleKind,
    chassis: &Chassis,
    gravity: Vec3,
    push: &Velocity,
    h: f32,
) -> Instant<'a> {
    let view = chassis.view(gravity);
    Instant {
        settings: &kind.params().profile.rows,
        load_filter: kind.load_filter(),
        view,
        fallen: Velocity {
            linear: view.linear + (view.gravity + chassis.to_vehicle(push.linear)) * h,
            angular: view.angular + chassis.to_vehicle(push.angular) * h,
        },
        inverse_mass: chassis.inverse_mass,
        inverse_inertia: chassis.inverse_inertia,
        g: math::sqrt(gravity.dot(gravity)),
        h,
    }
}

/// Solves all rows of a substep; returns the chassis' velocity after it [vehicle frame].
fn solve(
    kind: &VehicleKind,
    now: &Instant<'_>,
    state: &mut VehicleState,
    work: &mut Workspace<'_>,
) -> Velocity {
    let mut velocity = now.fallen;
    for (g, wheels) in state.wheels.iter().enumerate() {
        let (rows, stage) = work.group(kind, g);
        rows.prepare(&stage, wheels, now);
        rows.space.leave(&mut velocity);
    }
    twist_bars(kind, work);
    for (g, k) in kind.wheels().iter().enumerate() {
        work.rows[g].brace(k, now.h);
        work.rows[g].space.enter(&velocity);
    }
    let falls = kind.wheels().iter().any(|k| k.friction_falls);
    let engine_speed = state.drive.engine_speed;
    let sweeps = now.settings.sweeps + u32::from(falls);
    for sweep in 0..sweeps {
        pass(work.rows, &mut velocity, GroupRows::press);
        // Where friction falls, the second call sees what the first led to.
        if sweep == 0 || (sweep == 1 && falls) {
            ask_laws(kind, now, state, work, sweep == 0);
        }
        engage(kind, now.h, engine_speed, &mut state.drive, work);
        pass(work.rows, &mut velocity, |rows| rows.roll(now.h));
    }
    if work.rows.count() == 1 {
        work.rows[0].space.leave(&mut velocity);
    }
    velocity
}

/// Does something to all groups' rows, one group after the other. A single group knows every change
/// of its speeds itself; several learn from the chassis what the others did.
fn pass(
    groups: &mut Groups<GroupRows>,
    velocity: &mut Velocity,
    mut act: impl FnMut(&mut GroupRows),
) {
    let alone = groups.count() == 1;
    for rows in groups.iter_mut() {
        if !alone {
            rows.space.enter(velocity);
        }
        act(rows);
        if !alone {
            rows.space.leave(velocity);
        }
    }
}

/// Asks the tires' laws, the first time at the spins of the start.
fn ask_laws(
    kind: &VehicleKind,
    now: &Instant<'_>,
    state: &VehicleState,
    work: &mut Workspace<'_>,
    first: bool,
) {
    for (g, wheels) in state.wheels.iter().enumerate() {
        let (rows, stage) = work.group(kind, g);
        let spin = if first { wheels.spin } else { rows.spin() };
        rows.ask(&stage, wheels, spin, now);
    }
}

/// Adds the anti-roll bars' forces to the struts. A bar may lift a wheel that it pulls up more than
/// the spring pushes it down: the other end then feels the lifted wheel.
fn twist_bars(kind: &VehicleKind, work: &mut Workspace<'_>) {
    if kind.bars().is_empty() {
        return;
    }
    twist(kind, work.rows, GroupRows::jounce);
    let mut lifted = false;
    for (g, k) in kind.wheels().iter().enumerate() {
        lifted |= work.rows[g].lift(k);
    }
    if lifted {
        twist(kind, work.rows, GroupRows::free_jounce);
    }
}

/// Sets the bars' forces on wheels where they are, the mates being at `mate` [m].
fn twist(kind: &VehicleKind, rows: &mut Groups<GroupRows>, mate: fn(&GroupRows) -> W4) {
    rows.iter_mut()
        .for_each(|rows| rows.forces.twist = W4::ZERO);
    for bar in kind.bars() {
        let [a, b] = bar.wheels();
        for ((g, lane), (other, mate_lane)) in [(a, b), (b, a)] {
            let way = rows[g].jounce().lane(lane) - mate(&rows[other]).lane(mate_lane);
            let here = Mask4::from_fn(|l| l == lane);
            rows[g].forces.twist += here.keep(W4::splat(bar.stiffness() * way));
        }
    }
}

/// Finds the clutch's torque and hands it to the wheels.
///
/// `start` is the engine's speed at the start of the substep [rad/s].
fn engage(
    kind: &VehicleKind,
    h: f32,
    start: f32,
    drive: &mut DriveState,
    work: &mut Workspace<'_>,
) {
    let Some(coupling) = work.control.coupling else {
        return;
    };
    let loaded: u32 = work.rows.iter().map(|rows| rows.carrying().count()).sum();
    for g in 0..work.rows.count() {
        let (rows, stage) = work.group(kind, g);
        rows.couple(&stage, loaded.max(1) as f32, h);
    }
    let mean_at = |torque: f32| {
        let groups = work.rows.iter().map(|rows| rows.mean_at(torque));
        groups.fold(Sloped::default(), |sum, part| Sloped {
            value: sum.value + part.value,
            slope: sum.slope + part.slope,
        })
    };
    let (torque, speed) = clutch::engage(&coupling, mean_at, start, drive.clutch_torque, h);
    drive.clutch_torque = torque;
    drive.engine_speed = speed;
    for g in 0..work.rows.count() {
        let (rows, stage) = work.group(kind, g);
        rows.drive(&stage, torque * coupling.ratio, h);
    }
}
