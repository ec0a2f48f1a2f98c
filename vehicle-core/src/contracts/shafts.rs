//! Shafts of a drivetrain: rotating parts beside the wheels, and the torques between them, for drives that one clutch between an
//! engine and its wheels does not describe.

use alloc::format;
use alloc::vec::Vec;

use crate::base::checked::{Check, Inspector};

/// Rotating parts (nodes) of a drivetrain, and torques between nodes and wheels (rows), which the rows solver solves together with
/// brakes and tires, at the end of each substep.
///
/// ```text
/// nodes   Ω⁺ = soft(J·Ω + h·(torque + slope·Ω + Σ α·T), h·friction)/(J + h·slope)
/// wheels  Ω⁺(Σ α·T), with tire and brake
/// rows    s = Σ β·Ω⁺ − offset,   T = bias + s/softness, within its range
/// ```
///
/// A clutch is a row with β = 1 and −1 whose range is ± its capacity, an open differential a row with β = 1 for its input and −i/2 for
/// each of its wheels, a one-way clutch a row whose range begins at 0, a spring an offset and a softness that follow from its
/// twist. [`Drivetrain::shafts`](crate::Drivetrain::shafts) makes them once per vehicle; a drivetrain changes their numbers in
/// [`Drivetrain::sense`](crate::Drivetrain::sense), never their counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shafts {
    /// Rotating parts, at most [`Shafts::MAX_NODES`].
    pub nodes: Vec<ShaftNode>,
    /// Torques, at most [`Shafts::MAX_ROWS`].
    pub rows: Vec<ShaftRow>,
}

/// A rotating part of a drivetrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShaftNode {
    /// Moment of inertia (`kg·m²`), > 0.
    pub inertia: f32,
    /// Torque on the node beside the rows', at its present speed (`N·m`).
    pub torque: f32,
    /// Torque that the node loses per speed that it gains within the substep (`N·m·s/rad`), ≥ 0: P/Ω² at constant power.
    pub slope: f32,
    /// Dry friction (`N·m`), ≥ 0: it opposes the speed, and locks a standing node.
    pub friction: f32,
    /// Whether the torque is that of an engine or a motor, which driver aids may reduce. The speed of the first one, without sign, is
    /// [`DriveState::engine_speed`](crate::DriveState).
    pub is_engine: bool,
    /// Speed (`rad/s`), 0 in a fresh vehicle. Of the vehicle's state: the solver sets it, and a drivetrain that begins, beside wheels that
    /// already turn.
    pub speed: f32,
    /// Mean torque beside the rows' in the last substep, friction included (`N·m`): `torque` less what `slope` and driver aids took. Of
    /// the vehicle's state.
    pub applied: f32,
    /// Work of that torque in the last substep (`J`). Of the vehicle's state.
    pub work: f32,
}

/// A torque between nodes and wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaftRow {
    /// Weights β of the speeds of all nodes, then of all wheels, in the row's speed (–).
    pub speeds: Vec<f32>,
    /// Torques α on all nodes, then on all wheels, per torque of the row (–): −β, unless a housing takes the difference.
    pub torques: Vec<f32>,
    /// Speed that the row lets pass (`rad/s`).
    pub offset: f32,
    /// Speed per torque (`rad/s/(N·m)`), ≥ 0; 0 for a rigid row.
    pub softness: f32,
    /// Torque at row speed 0 (`N·m`), of rows with a softness.
    pub bias: f32,
    /// Least and greatest torque (`N·m`); infinite for a gear.
    pub range: [f32; 2],
    /// Weights of the torques of the rows before this one in the torque that presses its plates (–); empty if none presses them.
    pub pressed_by: Vec<f32>,
    /// Part of that torque's size by which the range grows to both sides, where it is negative, and where it is not (–), ≥ 0.
    pub pressure: [f32; 2],
    /// Torque in the last substep (`N·m`), 0 in a fresh vehicle. Of the vehicle's state: the solver sets it.
    pub torque: f32,
}

impl Shafts {
    /// Maximum number of nodes.
    pub const MAX_NODES: usize = 8;
    /// Maximum number of rows.
    pub const MAX_ROWS: usize = 12;
}

impl ShaftNode {
    /// A node with this moment of inertia (`kg·m²`) and no torque.
    #[must_use]
    pub fn new(inertia: f32) -> Self {
        Self {
            inertia,
            torque: 0.0,
            slope: 0.0,
            friction: 0.0,
            is_engine: false,
            speed: 0.0,
            applied: 0.0,
            work: 0.0,
        }
    }
}

impl ShaftRow {
    /// A rigid gear between nodes and wheels with these weights of their speeds.
    #[must_use]
    pub fn gear(speeds: &[f32]) -> Self {
        Self {
            speeds: speeds.to_vec(),
            torques: speeds.iter().map(|weight| -weight).collect(),
            offset: 0.0,
            softness: 0.0,
            bias: 0.0,
            range: [f32::NEG_INFINITY, f32::INFINITY],
            pressed_by: Vec::new(),
            pressure: [0.0; 2],
            torque: 0.0,
        }
    }

    /// Friction plates that transmit up to `capacity` (`N·m`) between nodes and wheels with these weights of their speeds.
    #[must_use]
    pub fn plates(speeds: &[f32], capacity: f32) -> Self {
        Self {
            range: [-capacity, capacity],
            ..Self::gear(speeds)
        }
    }
}

impl Shafts {
    /// Reports counts and weights that do not fit a vehicle of `wheels` wheels.
    pub(crate) fn check(&self, wheels: usize, i: &mut Inspector) {
        for (path, count, most) in [
            ("nodes", self.nodes.len(), Self::MAX_NODES),
            ("rows", self.rows.len(), Self::MAX_ROWS),
        ] {
            i.rule(
                count <= most,
                path,
                count,
                "",
                format!("must be at most {most}"),
            );
        }
        for (n, node) in self.nodes.iter().enumerate() {
            i.within(format!("nodes[{n}]"), |i| node.check(i));
        }
        let weights = self.nodes.len() + wheels;
        for (n, row) in self.rows.iter().enumerate() {
            i.within(format!("rows[{n}]"), |i| row.check(weights, n, i));
        }
    }
}

impl Shafts {
    /// Whether the numbers of a substep can be solved: they are finite and in range, but for bounds, which may be infinite.
    pub(crate) fn is_sound(&self) -> bool {
        let fits = self.nodes.len() <= Self::MAX_NODES && self.rows.len() <= Self::MAX_ROWS;
        fits && self.nodes.iter().all(ShaftNode::is_sound)
            && self.rows.iter().all(ShaftRow::is_sound)
    }
}

impl ShaftNode {
    fn is_sound(&self) -> bool {
        let numbers = [self.inertia, self.torque, self.slope, self.friction];
        let finite = numbers.into_iter().all(f32::is_finite);
        finite && self.inertia > 0.0 && self.slope >= 0.0 && self.friction >= 0.0
    }
}

impl ShaftRow {
    fn is_sound(&self) -> bool {
        let numbers = [self.offset, self.softness, self.bias];
        let numbers = numbers.iter().chain(&self.pressure);
        let weights = self.speeds.iter().chain(&self.torques);
        let weights = weights.chain(&self.pressed_by);
        let finite = numbers.chain(weights).all(|number| number.is_finite());
        let [least, most] = self.range;
        let presses = self.pressure.iter().all(|&part| part >= 0.0);
        finite && presses && self.softness >= 0.0 && least <= most
    }
}

impl Check for ShaftNode {
    fn check(&self, i: &mut Inspector) {
        i.positive("inertia", self.inertia, "kg·m²");
        i.not_negative("slope", self.slope, "N·m·s/rad");
        i.not_negative("friction", self.friction, "N·m");
        i.finite("torque", self.torque, "N·m");
    }
}

impl ShaftRow {
    /// Reports what does not fit `weights` nodes and wheels, in a row that `own` rows precede.
    fn check(&self, weights: usize, own: usize, i: &mut Inspector) {
        for (path, list) in [("speeds", &self.speeds), ("torques", &self.torques)] {
            let rule = format!("must be {weights} finite numbers, of all nodes and wheels");
            let fits = list.len() == weights && list.iter().all(|weight| weight.is_finite());
            i.rule(fits, path, list.len(), "", rule);
        }
        i.not_negative("softness", self.softness, "rad/s/(N·m)");
        let [least, most] = self.range;
        let rule = "must be at least the least torque";
        i.rule(least <= most, "range", most, "N·m", rule);
        let count = self.pressed_by.len();
        let fits = count <= own && self.pressed_by.iter().all(|weight| weight.is_finite());
        let rule = format!("must be at most {own} finite numbers, of the rows before this one");
        i.rule(fits, "pressed_by", count, "", rule);
        for (n, part) in self.pressure.into_iter().enumerate() {
            i.not_negative(&format!("pressure[{n}]"), part, "");
        }
    }
}
