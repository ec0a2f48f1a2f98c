//! Rows of joints and contacts: one scalar speed each, solved by sequential impulses.
//!
//! ```text
//! λ ← clamp(λ − (J·v + bias + softness·λ)/(1/m + softness))
//! ```
//!
//! A spring of stiffness k, damping d and length c is implicit with bias = k·c/(d + h·k) and
//! softness = 1/(h·(d + h·k)). What must not give is a damped spring, too, of a frequency that
//! the substep still resolves; after the positions have moved, its impulses are relaxed without
//! bias and softness, so that pushing out adds no speed (Catto, Solver2D: soft step).

use glam::Vec3;
use jointed_wheels::Motor;

use crate::body::Body;

/// Bodies of the world, by id.
pub(crate) type Slots = [Option<Body>];

/// Frequency of rigid rows, as a share of the substeps' (–), and their damping ratio (–).
const FREQUENCY: f32 = 0.25;
const DAMPING: f32 = 5.0;

/// The ends of rows at the start of a substep. Without a second body, the first meets fixed ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends<'a> {
    pub(crate) slots: &'a Slots,
    /// Indices of the bodies; the impulse acts on the first, and its opposite on the second.
    pub(crate) bodies: [Option<usize>; 2],
    /// From each center of mass to the common point (`m`, world axes).
    pub(crate) arms: [Vec3; 2],
    /// The substep (`s`).
    pub(crate) h: f32,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    bodies: [Option<usize>; 2],
    /// Direction of the impulse on the first body; zero for a torque.
    axis: Vec3,
    /// Angular impulse per impulse (`m`, or – for a torque).
    levers: [Vec3; 2],
    /// Inverse effective mass (`1/kg`, `1/(kg·m²)`).
    inverse_mass: f32,
    /// Speed that it undoes besides the bodies' own (`m/s`, `rad/s`).
    bias: f32,
    /// (`1/kg`, `1/(kg·m²)`).
    softness: f32,
    /// Whether it is relaxed after the positions have moved.
    rigid: bool,
    /// Least and most impulse (`N·s`, `N·m·s`).
    pub(crate) bounds: [f32; 2],
    /// The impulse so far.
    pub(crate) impulse: f32,
}

impl Ends<'_> {
    fn row(&self, axis: Vec3, levers: [Vec3; 2]) -> Row {
        let square = axis.dot(axis);
        let inverse = |n: usize| {
            let body = self.bodies[n].and_then(|slot| self.slots[slot].as_ref());
            body.map_or(0.0, |body| {
                square / body.now.mass + body.over_inertia(levers[n]).dot(levers[n])
            })
        };
        Row {
            bodies: self.bodies,
            axis,
            levers,
            inverse_mass: inverse(0) + inverse(1),
            bias: 0.0,
            softness: 0.0,
            rigid: false,
            bounds: [f32::NEG_INFINITY, f32::INFINITY],
            impulse: 0.0,
        }
    }

    /// A row that undoes the speed of the first body along a unit vector, within `bounds` (`N·s`).
    pub(crate) fn still(&self, axis: Vec3, bounds: [f32; 2]) -> Row {
        Row {
            bounds,
            ..self.row(axis, self.arms.map(|arm| arm.cross(axis)))
        }
    }

    /// Keeps the points together along a unit vector; the first body's is `ahead` (`m`).
    pub(crate) fn rigid(&self, axis: Vec3, ahead: f32) -> Row {
        self.still(axis, UNBOUNDED).stiff(ahead, self.h)
    }

    /// Keeps the bodies from turning about a unit vector; the first is `ahead` (`rad`).
    pub(crate) fn aligned(&self, axis: Vec3, ahead: f32) -> Row {
        self.row(Vec3::ZERO, [axis; 2]).stiff(ahead, self.h)
    }

    /// A spring of this stiffness and damping (`N/m`, `N·s/m`) that pulls the first body back by
    /// `ahead` (`m`).
    pub(crate) fn spring(&self, axis: Vec3, ahead: f32, law: [f32; 2]) -> Row {
        self.still(axis, UNBOUNDED).sprung(ahead, law, self.h)
    }

    /// Lets the first body move against a unit vector by `room` (`m`) and no further; pushes it out
    /// of what it has entered.
    pub(crate) fn stop(&self, axis: Vec3, room: f32) -> Row {
        let row = self.still(axis, [0.0, f32::INFINITY]);
        if room > 0.0 {
            Row {
                bias: room / self.h,
                ..row
            }
        } else {
            row.stiff(room, self.h)
        }
    }

    /// Turns the first body about a unit vector as a motor does.
    pub(crate) fn motor(&self, axis: Vec3, motor: &Motor) -> Row {
        let [least, most] = [-motor.most, motor.most].map(|most| (motor.torque + most) * self.h);
        let softness = 1.0 / (self.h * motor.damping);
        let row = self.row(Vec3::ZERO, [axis; 2]);
        if !softness.is_finite() {
            let torque = motor.torque * self.h;
            return Row {
                bounds: [torque; 2],
                ..row
            };
        }
        Row {
            bias: -motor.spin - softness * motor.torque * self.h,
            softness,
            bounds: [least, most],
            ..row
        }
    }
}

pub(crate) const UNBOUNDED: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

impl Row {
    fn sprung(self, ahead: f32, [stiffness, damping]: [f32; 2], h: f32) -> Self {
        let hardness = damping + h * stiffness;
        if hardness == 0.0 {
            return Self {
                bounds: [0.0; 2],
                ..self
            };
        }
        Self {
            bias: stiffness * ahead / hardness,
            softness: 1.0 / (h * hardness),
            ..self
        }
    }

    /// As stiff as the substep allows.
    fn stiff(self, ahead: f32, h: f32) -> Self {
        let frequency = core::f32::consts::TAU * FREQUENCY / h;
        let per_mass = [frequency * frequency, 2.0 * DAMPING * frequency];
        let law = per_mass.map(|law| law / self.inverse_mass);
        Self {
            rigid: true,
            ..self.sprung(ahead, law, h)
        }
    }

    /// Starts with the impulse of the last substep, as far as its bounds allow.
    pub(crate) fn warm_start(&mut self, slots: &mut Slots, impulse: f32) {
        self.impulse = impulse.clamp(self.bounds[0], self.bounds[1]);
        self.push(slots, self.impulse);
    }

    /// Moves its speed to where it should be. To relax is to keep the speed of what is rigid,
    /// whatever its position.
    pub(crate) fn solve(&mut self, slots: &mut Slots, relax: bool) {
        if relax && self.rigid {
            (self.bias, self.softness) = (0.0, 0.0);
        }
        let sought = self.sought(slots);
        self.set(slots, sought.clamp(self.bounds[0], self.bounds[1]));
    }

    /// The impulse with which its speed is where it should be, whatever its bounds.
    pub(crate) fn sought(&self, slots: &Slots) -> f32 {
        let wrong = self.speed(slots) + self.bias + self.softness * self.impulse;
        self.impulse - wrong / (self.inverse_mass + self.softness)
    }

    /// Replaces its impulse.
    pub(crate) fn set(&mut self, slots: &mut Slots, impulse: f32) {
        let more = impulse - self.impulse;
        self.impulse = impulse;
        self.push(slots, more);
    }

    fn speed(&self, slots: &Slots) -> f32 {
        let speed = |n: usize| {
            let body = self.bodies[n].and_then(|slot| slots[slot].as_ref());
            body.map_or(0.0, |body| {
                let now = &body.now;
                now.linear_velocity.dot(self.axis) + now.angular_velocity.dot(self.levers[n])
            })
        };
        speed(0) - speed(1)
    }

    fn push(&self, slots: &mut Slots, impulse: f32) {
        for (n, impulse) in [impulse, -impulse].into_iter().enumerate() {
            let body = self.bodies[n].and_then(|slot| slots[slot].as_mut());
            if let Some(body) = body {
                let turn = body.over_inertia(self.levers[n] * impulse);
                body.add_velocity(self.axis * impulse / body.now.mass, turn);
            }
        }
    }
}
