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

use alloc::vec::Vec;
use core::slice;

use glam::Vec3;

use crate::chassis::{Chassis, Velocity};
use crate::contact::MovingGround;
use crate::drivetrain::{Control, EngineCoupling, Tick, WheelControl};
use crate::kind::{TireUse, VehicleKind, WheelConsts};
use crate::lanes::{Groups, LANES, V3x4, W4};
use crate::math;
use crate::outputs::WheelOutputs;
use crate::state::{DriveState, VehicleState, WheelState};
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

/// A car stands on its wheels if they carry at least this part of its weight [−].
const MOSTLY: f32 = 0.5;

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
    let h = dt / count as f32;
    let push = state.handover.push;
    let tick = Tick {
        duration: h,
        exact: true,
    };
    work.control.smooth = true;
    let mut pushed = Vec3::ZERO;
    for left in (0..count).rev() {
        let drivetrain = kind.drivetrain();
        drivetrain.shift(&mut state.drive, tick, work.control);
        drivetrain.shares(&state.drive, &state.wheels, work.control);
        let now = instant(kind, chassis, gravity, &push, h);
        let substep = Substep {
            kind,
            now: &now,
            consts: kind.wheels().as_slice(),
            tires: kind.tires().as_slice(),
            coupling: work.control.coupling.as_ref(),
            control: work.control.wheels.as_slice(),
            steering: work.steering.as_slice(),
            ground: work.ground.as_slice(),
        };
        // One group is by far the most frequent: on its own, its loops are none.
        let (rows, wheels) = (work.rows.as_mut_slice(), state.wheels.as_mut_slice());
        let velocity = match (rows, wheels) {
            ([rows], [wheels]) => {
                let (rows, wheels) = (slice::from_mut(rows), slice::from_mut(wheels));
                substep.solve(rows, wheels, &mut state.drive)
            }
            (rows, wheels) => substep.solve(rows, wheels, &mut state.drive),
        };
        pushed += chassis.to_world(velocity.linear - now.fallen.linear);
        for (g, wheels) in state.wheels.iter().enumerate() {
            if left == 0 {
                work.rows[g].report(&kind.wheels()[g], wheels, &now, &mut work.outputs[g]);
            }
            if work.ground[g].any {
                let pushes = work.rows[g].pushes(wheels).rotated(&chassis.matrix);
                work.reactions[g] = work.reactions[g] - pushes * W4::splat(h / dt);
            }
        }
        chassis.glide(&velocity, h);
    }
    let slow = settings.observer_speed;
    let lift = -pushed.dot(gravity) / (gravity.dot(gravity) * dt);
    Ending {
        lift,
        standing: lift > MOSTLY && work.rows.iter().all(|rows| rows.stands(slow)),
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
    let start = Velocity {
        linear: view.linear,
        angular: view.angular,
    };
    let pushed = Velocity {
        linear: view.gravity + chassis.to_vehicle(push.linear),
        angular: chassis.to_vehicle(push.angular),
    };
    Instant {
        settings: &kind.params().profile.rows,
        load_filter: kind.load_filter(),
        view,
        start,
        fallen: start + pushed * h,
        inverse_mass: chassis.inverse_mass,
        inverse_inertia: chassis.inverse_inertia,
        g: math::sqrt(gravity.dot(gravity)),
        h,
    }
}

/// What a substep starts from, per group where there are slices.
struct Substep<'a> {
    kind: &'a VehicleKind,
    now: &'a Instant<'a>,
    consts: &'a [WheelConsts],
    tires: &'a [Vec<TireUse>],
    coupling: Option<&'a EngineCoupling>,
    control: &'a [WheelControl],
    steering: &'a [Steering],
    ground: &'a [MovingGround],
}

impl Substep<'_> {
    #[inline(always)]
    fn stage(&self, g: usize) -> Stage<'_> {
        Stage {
            consts: &self.consts[g],
            tires: &self.tires[g],
            control: &self.control[g],
            steering: &self.steering[g],
            ground: &self.ground[g],
        }
    }

    /// Solves all rows; returns the chassis' velocity after them [vehicle frame].
    #[inline(always)]
    fn solve(
        &self,
        groups: &mut [GroupRows],
        wheels: &mut [WheelState],
        drive: &mut DriveState,
    ) -> Velocity {
        let mut velocity = self.now.fallen;
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.prepare(&self.stage(g), &wheels[g], self.now);
            rows.tangent.leave(&mut velocity);
            rows.normal.leave(&mut velocity);
        }
        self.twist_bars(groups);
        for (rows, k) in groups.iter_mut().zip(self.consts) {
            rows.brace(k);
        }
        let engine_speed = drive.engine_speed;
        let falls = self.kind.friction_falls();
        let lands = groups.iter().any(GroupRows::lands);
        for sweep in 0..self.now.settings.sweeps + u32::from(falls || lands) {
            for rows in groups.iter_mut() {
                rows.normal.enter(&velocity);
                rows.press();
                rows.normal.leave(&mut velocity);
            }
            // The laws are asked at the spins of the start; where friction falls, once more at
            // those that this led to.
            let asks = sweep == 0 || (sweep == 1 && falls);
            for (g, rows) in groups.iter_mut().enumerate() {
                rows.tangent.enter(&velocity);
                if asks {
                    rows.ask(&self.stage(g), &wheels[g], sweep == 0, self.now);
                }
            }
            self.engage(groups, engine_speed, drive);
            for (g, rows) in groups.iter_mut().enumerate() {
                if g > 0 {
                    rows.tangent.enter(&velocity);
                }
                rows.roll();
                rows.tangent.leave(&mut velocity);
            }
        }
        for (g, rows) in groups.iter_mut().enumerate() {
            // The struts' speeds at the end are what the wheels are left with.
            rows.normal.enter(&velocity);
            rows.commit(&self.consts[g], &mut wheels[g], self.now);
        }
        velocity
    }

    /// Adds the anti-roll bars' forces to the struts. A bar may lift a wheel that it pulls up more
    /// than the spring pushes it down: the other end then feels the lifted wheel.
    #[inline(always)]
    fn twist_bars(&self, groups: &mut [GroupRows]) {
        if self.kind.bars().is_empty() {
            return;
        }
        self.twist(groups, GroupRows::jounce);
        let mut lifted = false;
        for (rows, k) in groups.iter_mut().zip(self.consts) {
            lifted |= rows.lift(k);
        }
        if lifted {
            self.twist(groups, GroupRows::free_jounce);
        }
    }

    /// Sets the bars' forces on wheels where they are, the mates being at `mate` [m].
    #[inline(always)]
    fn twist(&self, groups: &mut [GroupRows], mate: fn(&GroupRows) -> &[f32; LANES]) {
        for rows in groups.iter_mut() {
            rows.forces.twist = [0.0; LANES];
        }
        for bar in self.kind.bars() {
            let [a, b] = bar.wheels();
            for ((g, lane), (other, mate_lane)) in [(a, b), (b, a)] {
                let way = groups[g].jounce()[lane] - mate(&groups[other])[mate_lane];
                groups[g].forces.twist[lane] += bar.stiffness() * way;
            }
        }
    }

    /// Finds the clutch's torque and hands it to the wheels; the engine had `engine_speed` [rad/s]
    /// at the start.
    #[inline(always)]
    fn engage(&self, groups: &mut [GroupRows], engine_speed: f32, drive: &mut DriveState) {
        let Some(coupling) = self.coupling else {
            return;
        };
        let h = self.now.h;
        let loaded: u32 = groups.iter().map(|rows| rows.carrying().count()).sum();
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.couple(&self.stage(g), loaded.max(1) as f32, h);
        }
        let mean_at = |torque: f32| {
            let parts = groups.iter().map(|rows| rows.mean_at(torque));
            parts.fold(Sloped::default(), |sum, part| Sloped {
                value: sum.value + part.value,
                slope: sum.slope + part.slope,
            })
        };
        let found = clutch::engage(coupling, mean_at, engine_speed, drive.clutch_torque, h);
        (drive.clutch_torque, drive.engine_speed) = found;
        for (g, rows) in groups.iter_mut().enumerate() {
            rows.drive(&self.stage(g), drive.clutch_torque * coupling.ratio, h);
        }
    }
}
