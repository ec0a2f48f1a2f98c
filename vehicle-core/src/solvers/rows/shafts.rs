//! Shafts: torques of any number of rows between nodes and wheels, at the end of a substep (ROWS §7.1).
//!
//! ```text
//! s_k(T) = Σ β_k·Ω⁺(T) − offset_k − softness_k·(T_k − bias_k) = 0,   or T_k at a bound that s_k presses against
//! ```
//!
//! Every speed is a piecewise linear function of the torque on its part. Newton's method solves for the torques that are within
//! their bounds; where a step does not halve the slip, it goes as far along it as Σ s·ΔT stays positive.

mod linear;
pub mod engines;

use crate::MAX_WHEELS;
use crate::contracts::shafts::{ShaftNode, Shafts};

use super::coupled_wheel::Sloped;
use super::tuning::{ENGINE_BISECTIONS, LEAST_SHAFT_SOFTNESS, LINE_STEPS, SHAFT_SLIP, SHAFT_STEPS};
use super::wheel::soft;
use engines::{NO_TORQUES, NodeTorques};
use linear::{Matrix, ROWS, Vector};

/// Largest number of nodes and wheels.
const PARTS: usize = Shafts::MAX_NODES + MAX_WHEELS;

/// Torques on wheels (`N·m`), in wheel order.
pub type WheelTorques = [f32; MAX_WHEELS];

/// Limit of the torques of engines and motors.
#[expect(missing_debug_implementations, reason = "of functions")]
pub struct ShaftLimit<'a> {
    /// How far wheels are beyond the limit at these torques on them, > 0 beyond it.
    pub excess: &'a dyn Fn(&WheelTorques) -> f32,
    /// Torques to which each node that is an engine may be reduced (`N·m`).
    pub least: &'a NodeTorques,
}

/// Spins of all wheels (`rad/s`) and their slopes (`rad/s/(N·m)`) at these torques on them.
pub type WheelResponse<'a> = dyn Fn(&WheelTorques, &mut [Sloped; MAX_WHEELS]) + 'a;

/// Speeds of the nodes at the end of a substep, and torques of engines and motors within it, of the last sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShaftEnd {
    nodes: [NodeEnd; Shafts::MAX_NODES],
}

/// End of a node's substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct NodeEnd {
    /// Speed (`rad/s`).
    speed: f32,
    /// Torque beside the rows', friction included (`N·m`).
    torque: f32,
}

/// Solves for the torques of all rows in a substep of `h` (`s`), warm-started with their last ones, and sets them; returns the nodes'
/// ends and the torques on wheels.
#[must_use]
pub fn solve(
    shafts: &mut Shafts,
    respond: &WheelResponse<'_>,
    limit: Option<&ShaftLimit<'_>>,
    h: f32,
) -> (ShaftEnd, WheelTorques) {
    let mut system = System {
        shafts,
        respond,
        own: node_torques(shafts),
        h,
    };
    let mut point = system.solved(system.warm());
    if let Some(limit) = limit.filter(|limit| (limit.excess)(&point.wheel_torques) > 0.0) {
        point = system.limited(limit, point);
    }
    let end = system.end(&point);
    for (row, torque) in shafts.rows.iter_mut().zip(point.torques) {
        row.torque = torque as f32;
    }
    (end, point.wheel_torques)
}

/// Torques of all nodes (`N·m`).
fn node_torques(shafts: &Shafts) -> NodeTorques {
    let mut torques = NO_TORQUES;
    for (torque, node) in torques.iter_mut().zip(&shafts.nodes) {
        *torque = node.torque;
    }
    torques
}

impl ShaftEnd {
    /// Sets the speeds of the nodes, their torques and work in a substep of `h` (`s`).
    pub fn commit(&self, shafts: &mut Shafts, h: f32) {
        for (node, end) in shafts.nodes.iter_mut().zip(&self.nodes) {
            node.applied = end.torque;
            node.work = end.torque * (0.5 * (node.speed + end.speed)) * h;
            node.speed = end.speed;
        }
    }
}

/// Shafts in a substep.
struct System<'a> {
    shafts: &'a Shafts,
    respond: &'a WheelResponse<'a>,
    /// Torques of the nodes beside the rows' (`N·m`).
    own: NodeTorques,
    h: f32,
}

/// Torques of the rows, and what follows from them.
#[derive(Clone, Copy, Debug)]
struct Point {
    torques: Vector,
    wheel_torques: WheelTorques,
    /// Speeds of nodes, then of wheels (`rad/s`), and slopes (`rad/s/(N·m)`).
    parts: [Sloped; PARTS],
    /// Slip of each row beyond what its torque lets pass, s (`rad/s`).
    slips: Vector,
    /// Size of the speeds of each row (`rad/s`).
    sizes: Vector,
}

impl System<'_> {
    /// Torques of the last substep.
    fn warm(&self) -> Vector {
        let mut torques = [0.0; ROWS];
        for (torque, row) in torques.iter_mut().zip(&self.shafts.rows) {
            *torque = f64::from(row.torque);
        }
        torques
    }

    /// The solution from a start.
    fn solved(&self, start: Vector) -> Point {
        let mut torques = start;
        let bounds = self.bounds(&torques);
        clamp_all(&mut torques, &bounds);
        let mut point = self.at(&torques);
        for _ in 0..SHAFT_STEPS {
            let bounds = self.bounds(&point.torques);
            if is_beyond(&point.torques, &bounds) {
                // Of plates that are pressed less than before.
                clamp_all(&mut point.torques, &bounds);
                point = self.at(&point.torques);
            }
            let error = self.error(&point, &bounds);
            if error <= SHAFT_SLIP {
                break;
            }
            let step = self.step(&point, &bounds);
            let whole = self.along(&point, &step, 1.0);
            let halved = self.error(&whole, &bounds) <= 0.5 * error;
            point = if halved {
                whole
            } else {
                self.farthest(&point, &step, whole)
            };
        }
        point
    }

    /// The solution with engines reduced until no wheel is beyond the `limit`.
    fn limited(&mut self, limit: &ShaftLimit<'_>, full: Point) -> Point {
        let (most, mut within, mut beyond) = (self.own, 0.0, 1.0);
        let mut best = full;
        for n in 0..=ENGINE_BISECTIONS {
            let part = if n == 0 { 0.0 } else { 0.5 * (within + beyond) };
            for (n, node) in self.shafts.nodes.iter().enumerate() {
                if node.is_engine {
                    let least = limit.least[n];
                    self.own[n] = least + part * (most[n] - least);
                }
            }
            let point = self.solved(best.torques);
            if (limit.excess)(&point.wheel_torques) > 0.0 {
                beyond = part;
            } else {
                (within, best) = (part, point);
            }
            if beyond <= 0.0 {
                // Even the least torques are too much.
                return point;
            }
        }
        best
    }

    /// Least and greatest torques, where plates are pressed by these torques.
    fn bounds(&self, torques: &Vector) -> [[f64; 2]; ROWS] {
        let mut bounds = [[0.0; 2]; ROWS];
        for (bounds, row) in bounds.iter_mut().zip(&self.shafts.rows) {
            let [least, most] = row.range.map(f64::from);
            let terms = row.pressed_by.iter().zip(torques);
            let pressing: f64 = terms
                .map(|(weight, torque)| f64::from(*weight) * torque)
                .sum();
            let part = row.pressure[usize::from(pressing >= 0.0)];
            let pressed = f64::from(part) * pressing.abs();
            *bounds = [least - pressed, most + pressed];
        }
        bounds
    }

    /// Speeds and slips at these torques.
    fn at(&self, torques: &Vector) -> Point {
        let (nodes, rows) = (&self.shafts.nodes, &self.shafts.rows);
        let mut applied = [0.0_f64; PARTS];
        for (row, torque) in rows.iter().zip(torques) {
            for (applied, weight) in applied.iter_mut().zip(&row.torques) {
                *applied += f64::from(*weight) * torque;
            }
        }
        let mut parts = [Sloped::default(); PARTS];
        for (n, node) in nodes.iter().enumerate() {
            parts[n] = self.node_speed(node, self.own[n], applied[n] as f32);
        }
        let mut wheel_torques = [0.0; MAX_WHEELS];
        for (torque, applied) in wheel_torques.iter_mut().zip(&applied[nodes.len()..]) {
            *torque = *applied as f32;
        }
        let mut wheels = [Sloped::default(); MAX_WHEELS];
        (self.respond)(&wheel_torques, &mut wheels);
        parts[nodes.len()..nodes.len() + MAX_WHEELS].copy_from_slice(&wheels);
        let (mut slips, mut sizes) = ([0.0; ROWS], [0.0; ROWS]);
        for (k, row) in rows.iter().enumerate() {
            let terms = row.speeds.iter().zip(&parts);
            let terms = terms.map(|(weight, part)| f64::from(*weight) * f64::from(part.value));
            let passed = f64::from(row.softness) * (torques[k] - f64::from(row.bias));
            let offset = f64::from(row.offset);
            slips[k] = terms.clone().sum::<f64>() - offset - passed;
            sizes[k] = 1.0 + terms.map(f64::abs).sum::<f64>() + offset.abs() + passed.abs();
        }
        Point {
            torques: *torques,
            wheel_torques,
            parts,
            slips,
            sizes,
        }
    }

    /// Speed of a node with a torque of its `own`, at a torque of the rows on it (`N·m`).
    fn node_speed(&self, node: &ShaftNode, own: f32, rows: f32) -> Sloped {
        let h = self.h;
        let free = node.inertia * node.speed + h * (own + node.slope * node.speed + rows);
        let per_momentum = 1.0 / (node.inertia + h * node.slope);
        let speed = soft(free, h * node.friction) * per_momentum;
        let turns = speed != 0.0 || node.friction == 0.0;
        Sloped {
            value: speed,
            slope: if turns { h * per_momentum } else { 0.0 },
        }
    }

    /// Greatest slip of rows that may still change their torques, over the size of their speeds (–).
    fn error(&self, point: &Point, bounds: &[[f64; 2]; ROWS]) -> f64 {
        let rows = 0..self.shafts.rows.len();
        let open = rows.filter(|&k| !is_bound(point.torques[k], point.slips[k], bounds[k]));
        let errors = open.map(|k| point.slips[k].abs() / point.sizes[k]);
        errors.fold(0.0, |a, b| if b > a { b } else { a })
    }

    /// Newton's step of the torques, within their bounds: the torques go toward those without slip until one reaches its bound,
    /// stays there, and the others go on.
    fn step(&self, point: &Point, bounds: &[[f64; 2]; ROWS]) -> Vector {
        let count = self.shafts.rows.len();
        let matrix = self.matrix(point);
        let (mut step, mut slips) = ([0.0; ROWS], point.slips);
        let mut free = [false; ROWS];
        for k in 0..count {
            free[k] = !is_bound(point.torques[k], point.slips[k], bounds[k]);
        }
        for _ in 0..count {
            let change = linear::solve(&matrix, &slips, &free, count);
            let (mut part, mut first) = (1.0, None);
            for k in (0..count).filter(|&k| free[k] && change[k] != 0.0) {
                let end = bounds[k][usize::from(change[k] > 0.0)];
                let room = (end - point.torques[k] - step[k]) / change[k];
                if room < part {
                    (part, first) = (room.max(0.0), Some(k));
                }
            }
            for k in 0..count {
                step[k] += part * change[k];
                let lost = (0..count).map(|j| matrix[k][j] * change[j]);
                slips[k] -= part * lost.sum::<f64>();
            }
            let Some(first) = first else { break };
            step[first] = bounds[first][usize::from(change[first] > 0.0)] - point.torques[first];
            free[first] = false;
        }
        step
    }

    /// Slip that each row loses per torque of each row, `−Σ β·Ω′·α`.
    fn matrix(&self, point: &Point) -> Matrix {
        let rows = &self.shafts.rows;
        let mut matrix = [[0.0; ROWS]; ROWS];
        for (k, row) in rows.iter().enumerate() {
            for (j, other) in rows.iter().enumerate() {
                let parts = row.speeds.iter().zip(&other.torques).zip(&point.parts);
                let terms = parts.map(|((speed, torque), part)| {
                    f64::from(*speed) * f64::from(*torque) * f64::from(part.slope)
                });
                matrix[k][j] = -terms.sum::<f64>();
            }
            matrix[k][k] += f64::from(row.softness) + LEAST_SHAFT_SOFTNESS;
        }
        matrix
    }

    /// The point at this part of a step.
    fn along(&self, point: &Point, step: &Vector, part: f64) -> Point {
        let mut torques = point.torques;
        for (torque, step) in torques.iter_mut().zip(step) {
            *torque += part * step;
        }
        self.at(&torques)
    }

    /// The point along a step at which the slips no longer push along it: the root of Σ s·ΔT, which falls along the step, by Newton's
    /// method in a bracket. `whole` is the step's end.
    fn farthest(&self, point: &Point, step: &Vector, whole: Point) -> Point {
        let push = |at: &Point| at.slips.iter().zip(step).map(|(s, t)| s * t).sum::<f64>();
        let enough = SHAFT_SLIP * push(point);
        let (mut near, mut far, mut part, mut at) = (0.0, 1.0, 1.0, whole);
        for _ in 0..LINE_STEPS {
            let pushed = push(&at);
            if pushed.abs() <= enough || (part == 1.0 && pushed > 0.0) {
                break;
            }
            if pushed > 0.0 {
                near = part;
            } else {
                far = part;
            }
            let target = part + pushed / self.fall(&at, step);
            part = if target > near && target < far {
                target
            } else {
                0.5 * (near + far)
            };
            at = self.along(point, step, part);
        }
        at
    }

    /// By how much Σ s·ΔT falls along a step at a point.
    fn fall(&self, at: &Point, step: &Vector) -> f64 {
        let matrix = self.matrix(at);
        let rows = matrix.iter().zip(step);
        let rows = rows.map(|(row, own)| {
            let lost: f64 = row.iter().zip(step).map(|(m, other)| m * other).sum();
            own * lost
        });
        rows.sum()
    }

    /// Ends of the nodes at a point.
    fn end(&self, point: &Point) -> ShaftEnd {
        let mut end = ShaftEnd::default();
        for (n, node) in self.shafts.nodes.iter().enumerate() {
            // A node that stands, stands: less than the rest of slip is none.
            let speed = point.parts[n].value;
            let speed = if f64::from(speed).abs() < SHAFT_SLIP {
                0.0
            } else {
                speed
            };
            let rows = self.shafts.rows.iter().zip(point.torques);
            let rows: f64 = rows
                .map(|(row, torque)| f64::from(row.torques[n]) * torque)
                .sum();
            let gain = node.inertia * (speed - node.speed) / self.h;
            end.nodes[n] = NodeEnd {
                speed,
                torque: gain - rows as f32,
            };
        }
        end
    }
}

/// Clamps torques to their bounds.
fn clamp_all(torques: &mut Vector, bounds: &[[f64; 2]; ROWS]) {
    for (torque, [least, most]) in torques.iter_mut().zip(bounds) {
        *torque = torque.clamp(*least, *most);
    }
}

/// Whether any torque is beyond its bounds.
fn is_beyond(torques: &Vector, bounds: &[[f64; 2]; ROWS]) -> bool {
    let beyond = |(torque, [least, most]): (&f64, &[f64; 2])| torque < least || torque > most;
    torques.iter().zip(bounds).any(beyond)
}

/// Whether a row is at a bound that its slip presses against.
fn is_bound(torque: f64, slip: f64, [least, most]: [f64; 2]) -> bool {
    (torque >= most && slip >= 0.0) || (torque <= least && slip <= 0.0)
}

#[cfg(test)]
mod tests;
