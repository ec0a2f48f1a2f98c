//! Suspension limits and low-speed holds of the explicit solver, as rows solved in sequence (ALGORITHMS
//! §3.10b).

use alloc::vec::Vec;

use glam::{Mat3, Vec3};

use crate::base::lanes::{LANES, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::params::profile::ExplicitSettings;
use crate::stages::outputs::Hold;
use crate::stages::slip::TireAxes;
use crate::stages::suspension::Touch;
use crate::stages::wheel_consts::WheelConsts;

/// One row: a direction through a point of the chassis, and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Direction (vehicle frame), unit.
    linear: Vec3,
    /// Lever × direction (`m`, vehicle frame).
    angular: Vec3,
    aim: Aim,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Aim {
    /// The strut may not compress further; it is `error` (`m`) beyond its limit.
    Limit { error: f32 },
    /// Damping (`1/s`) towards the speed `target` (`m/s`).
    Hold { target: f32, damping: f32 },
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
    /// Their contact.
    pub touch: &'a Touch,
    /// Their tire axes.
    pub axes: &'a TireAxes,
    /// Held wheels.
    pub hold: &'a Hold,
    /// Target speed of a forward hold per wheel (`m/s`).
    pub forward_target: W4,
    /// Target speed of a lateral hold per wheel (`m/s`).
    pub sideways_target: W4,
    /// Where tire forces act (`m`).
    pub tire_point: V3x4,
    /// Settings.
    pub settings: &'a ExplicitSettings,
}

/// Appends a group's rows: first all limits, then all forward, then all lateral holds.
pub fn collect(source: &RowSource<'_>, rows: &mut Vec<Row>) {
    let beyond = source.touch.beyond_stop.gt(W4::ZERO);
    for lane in (0..LANES).filter(|&lane| beyond.lane(lane)) {
        let (direction, point) = if source.settings.stops.along_normal {
            (-source.touch.normal.lane(lane), source.tire_point)
        } else {
            (source.consts.travel.lane(lane), source.consts.centre)
        };
        rows.push(Row {
            linear: direction,
            angular: point.lane(lane).cross(direction),
            aim: Aim::Limit {
                error: source.touch.beyond_stop.lane(lane),
            },
        });
    }
    let sticky = &source.settings.sticky;
    let holds = [
        (
            source.hold.forward,
            source.axes.long,
            source.forward_target,
            sticky.forward_damping,
        ),
        (
            source.hold.sideways,
            source.axes.lat,
            source.sideways_target,
            sticky.side_damping,
        ),
    ];
    for (mask, directions, targets, damping) in holds {
        for lane in (0..LANES).filter(|&lane| mask.lane(lane)) {
            let direction = directions.lane(lane);
            rows.push(Row {
                linear: direction,
                angular: source.tire_point.lane(lane).cross(direction),
                aim: Aim::Hold {
                    target: targets.lane(lane),
                    damping,
                },
            });
        }
    }
}

/// Maximum number of rows for [`solve`]: three per wheel.
const MOST: usize = 3 * crate::MAX_WHEELS;

/// Number of sweeps with position correction: PhysX's default number of position iterations.
const SWEEPS: usize = 4;

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
    let mut impulses = [0.0; MOST];
    let mut v = start;
    let mut sweep = |v: &mut Velocity, correct: bool| {
        for (row, impulse) in rows.iter().zip(&mut impulses) {
            let reach = *inverse_inertia * row.angular;
            let response = inverse_mass + row.angular.dot(reach);
            let along = |v: &Velocity| row.linear.dot(v.linear) + row.angular.dot(v.angular);
            let speed = along(v);
            let wanted = match row.aim {
                Aim::Limit { error } => {
                    let back = restitution * along(&start).max(0.0);
                    let bias = if correct { error / dt } else { 0.0 }.max(back);
                    (*impulse - (speed + bias) / response).min(0.0)
                }
                Aim::Hold { target, damping } => {
                    let a = damping * dt;
                    let x = 1.0 / (1.0 + a);
                    *impulse * (1.0 - x) + x * a * (target - speed) / response
                }
            };
            let change = wanted - *impulse;
            *impulse = wanted;
            v.linear += row.linear * (change * inverse_mass);
            v.angular += reach * change;
        }
    };
    for _ in 0..SWEEPS {
        sweep(&mut v, true);
    }
    let moving = v;
    sweep(&mut v, false);
    Solved { moving, end: v }
}

#[cfg(test)]
mod tests;
