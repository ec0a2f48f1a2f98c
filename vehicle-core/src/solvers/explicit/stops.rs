//! Suspension limits and sticky contacts of the explicit solver, as rows solved in sequence (ALGORITHMS
//! §3.10b).

use alloc::vec::Vec;

use glam::Mat3;

use crate::base::lanes::{LANES, Mask4, V3x4, W4};
use crate::base::math;
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::params::profile::ExplicitSettings;
use crate::stages::outputs::StickyRows;
use crate::stages::slip::TireAxes;
use crate::stages::suspension::Touch;
use crate::stages::wheel_consts::WheelConsts;

/// One row: a direction through a point of the chassis, and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Direction, unit, and lever × direction (`m`), vehicle frame of the substep that left the row.
    axis: VelocityLanes,
    aim: Aim,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Aim {
    /// The strut may not compress further; it is `error` (`m`) beyond its limit.
    Limit { error: f32 },
    /// Damping (`1/s`) toward the speed `target` (`m/s`).
    Stick { target: f32, damping: f32 },
}

/// Velocities after the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Velocity at which the body moves in this step: corrects compressed stops.
    pub moving: Velocity,
    /// Velocity of the body after the step.
    pub end: Velocity,
}

/// Inputs of a group of wheels.
#[derive(Clone, Copy, Debug)]
pub struct RowSource<'a> {
    /// Constants of the wheels.
    pub consts: &'a WheelConsts,
    /// Contact of the wheels.
    pub touch: &'a Touch,
    /// Tire axes of the wheels.
    pub axes: &'a TireAxes,
    /// Wheels that stick.
    pub sticky: &'a StickyRows,
    /// Target speed of a longitudinal sticky row per wheel (`m/s`).
    pub forward_target: W4,
    /// Target speed of a lateral sticky row per wheel (`m/s`).
    pub lateral_target: W4,
    /// Point of application of tire forces (`m`).
    pub tire_point: V3x4,
    /// Settings.
    pub settings: &'a ExplicitSettings,
}

/// Appends a group's rows: first all limits, then all longitudinal, then all lateral sticky rows.
pub fn collect(source: &RowSource<'_>, rows: &mut Vec<Row>) {
    let beyond = source.touch.beyond_stop.gt(W4::ZERO);
    if beyond.any() {
        let (directions, points) = if source.settings.stops.along_normal {
            (-source.touch.normal, source.tire_point)
        } else {
            (source.consts.travel, source.consts.center)
        };
        push_rows(beyond, directions, points, rows, |lane| Aim::Limit {
            error: source.touch.beyond_stop.lane(lane),
        });
    }
    let sticky = &source.settings.sticky;
    let sticking = [
        (
            source.sticky.longitudinal,
            source.axes.longitudinal,
            source.forward_target,
            sticky.forward_damping,
        ),
        (
            source.sticky.lateral,
            source.axes.lateral,
            source.lateral_target,
            sticky.side_damping,
        ),
    ];
    for (mask, directions, targets, damping) in sticking {
        if mask.any() {
            push_rows(mask, directions, source.tire_point, rows, |lane| {
                Aim::Stick {
                    target: targets.lane(lane),
                    damping,
                }
            });
        }
    }
}

/// Appends a row along `directions` through `points` for each of these wheels.
fn push_rows(
    wheels: Mask4,
    directions: V3x4,
    points: V3x4,
    rows: &mut Vec<Row>,
    aim: impl Fn(usize) -> Aim,
) {
    let (linear, angular) = (directions.by_wheel(), points.cross(directions).by_wheel());
    for lane in wheels.lanes() {
        let axis = VelocityLanes {
            linear: linear[lane],
            angular: angular[lane],
        };
        let aim = aim(lane);
        rows.push(Row { axis, aim });
    }
}

/// Turns rows from the axes that the chassis has `now`, in a later substep, into those of the step's `start`, in which they are
/// solved.
pub fn turn_back(rows: &mut [Row], now: &Mat3, start: &Mat3) {
    let columns = math::columns_of(start);
    for row in rows {
        row.axis = row.axis.rotated(now).rotated_back_by(&columns);
    }
}

/// Maximum number of rows for [`solve`]: three per wheel.
const MOST: usize = 3 * crate::MAX_WHEELS;

/// Number of sweeps with position correction: PhysX's default number of position iterations.
const SWEEPS: usize = 4;

/// The body that rows act on.
struct ConstrainedBody<'a> {
    /// Velocity after gravity and damping.
    start: VelocityLanes,
    /// Inverse mass (`1/kg`).
    inverse_mass: f32,
    /// Inverse inertia (`1/(kg·m²)`, vehicle frame).
    inverse_inertia: &'a Mat3,
}

/// Solves the rows from `start`, the velocity after gravity and damping: four sweeps that also
/// correct positions, then one that does not.
#[must_use]
pub fn solve(
    rows: &[Row],
    start: Velocity,
    inverse_mass: f32,
    inverse_inertia: &Mat3,
    restitution: f32,
    dt: f32,
) -> Solved {
    let body = ConstrainedBody {
        start: start.in_lanes(),
        inverse_mass,
        inverse_inertia,
    };
    // Most vehicles have one group of wheels, for which room is cleared sooner than for all.
    const OF_A_GROUP: usize = 3 * LANES;
    if rows.len() <= OF_A_GROUP {
        solve_up_to::<OF_A_GROUP>(rows, &body, restitution, dt)
    } else {
        solve_up_to::<MOST>(rows, &body, restitution, dt)
    }
}

/// Solves at most `ROOM` rows.
fn solve_up_to<const ROOM: usize>(
    rows: &[Row],
    body: &ConstrainedBody<'_>,
    restitution: f32,
    dt: f32,
) -> Solved {
    let mut room = [SolverRow::NONE; ROOM];
    for (slot, row) in room.iter_mut().zip(rows) {
        *slot = SolverRow::new(row, body, restitution, dt);
    }
    let rows = &mut room[..rows.len()];
    let mut v = body.start;
    for _ in 0..SWEEPS {
        rows.iter_mut()
            .for_each(|row| row.act(&mut v, row.correcting_target));
    }
    let moving = v;
    rows.iter_mut().for_each(|row| row.act(&mut v, row.target));
    Solved {
        moving: moving.truncated(),
        end: v.truncated(),
    }
}

/// A row against a body: a soft constraint (Catto, *Soft Constraints*, GDC 2011), rigid where `impulse_scale` is 0.
#[derive(Clone, Copy)]
struct SolverRow {
    /// The Jacobian, as in [`Row`].
    axis: VelocityLanes,
    /// Change of the body's velocity per impulse: inverse mass times Jacobian.
    response: VelocityLanes,
    /// Impulse per speed (`kg`), and the share of its impulse that the row gives up per sweep (–).
    mass: f32,
    impulse_scale: f32,
    /// Speed to reach (`m/s`), and the same to correct positions, too.
    target: f32,
    correcting_target: f32,
    /// Maximum impulse (`N·s`).
    most: f32,
    /// Impulse so far (`N·s`).
    impulse: f32,
}

impl SolverRow {
    const NONE: Self = Self {
        axis: VelocityLanes::ZERO,
        response: VelocityLanes::ZERO,
        mass: 0.0,
        impulse_scale: 0.0,
        target: 0.0,
        correcting_target: 0.0,
        most: 0.0,
        impulse: 0.0,
    };

    fn new(row: &Row, body: &ConstrainedBody<'_>, restitution: f32, dt: f32) -> Self {
        let axis = row.axis;
        let response = VelocityLanes {
            linear: axis.linear * body.inverse_mass,
            angular: math::rotated_lanes(body.inverse_inertia, axis.angular),
        };
        let rigid = Self {
            axis,
            response,
            mass: 1.0 / axis.dot(&response),
            ..Self::NONE
        };
        match row.aim {
            // It only pushes, and gives back a share of the speed.
            Aim::Limit { error } => {
                let back = restitution * axis.dot(&body.start).max(0.0);
                Self {
                    target: -back,
                    correcting_target: -(error / dt).max(back),
                    ..rigid
                }
            }
            // An implicit damper.
            Aim::Stick { target, damping } => {
                let impulse_scale = 1.0 / (1.0 + damping * dt);
                Self {
                    mass: rigid.mass * (impulse_scale * damping * dt),
                    impulse_scale,
                    target,
                    correcting_target: target,
                    most: f32::INFINITY,
                    ..rigid
                }
            }
        }
    }

    /// Acts on the velocity `v`, toward one of its targets.
    #[inline]
    fn act(&mut self, v: &mut VelocityLanes, target: f32) {
        let given_up = self.impulse_scale * self.impulse;
        let room = self.most - self.impulse;
        let change = math::lesser(self.mass * (target - self.axis.dot(v)) - given_up, room);
        self.impulse += change;
        *v = *v + self.response * change;
    }
}

#[cfg(test)]
mod tests;
