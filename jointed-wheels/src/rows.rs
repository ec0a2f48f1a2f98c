//! Rows of joints and contacts: one scalar speed each, solved by sequential impulses, for worlds
//! whose engine has no such joints.
//!
//! ```text
//! λ ← clamp(λ − (J·v + bias + softness·λ)/(1/m + softness))
//! ```
//!
//! A spring of stiffness k, damping d and length c is implicit with bias = k·c/(d + h·k) and
//! softness = 1/(h·(d + h·k)). What must not give is a damped spring, too, of a frequency that
//! the substep still resolves; after the positions have moved, its impulses are relaxed without
//! bias and softness, so that pushing out adds no speed (Catto, "Solver 2D": soft step).

use glam::{Mat3, Vec3};

use crate::contract::Motor;

/// A body as rows know it in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover {
    /// Velocity of its center of mass (`m/s`, world axes).
    pub linear: Vec3,
    /// Angular velocity (`rad/s`, world axes).
    pub angular: Vec3,
    /// One over its mass (`1/kg`), ≥ 0; 0 does not move.
    pub inverse_mass: f32,
    /// Inverse of its inertia (`1/(kg·m²)`, world axes).
    pub inverse_inertia: Mat3,
}

/// Bodies by index.
pub type Movers = [Option<Mover>];

/// Frequency of rigid rows, as a share of the substeps' (–), and their damping ratio (–).
const FREQUENCY: f32 = 0.25;
const DAMPING: f32 = 5.0;

/// The ends of rows at the start of a substep. Without a second body, the first meets fixed ground.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    /// The bodies.
    pub movers: &'a Movers,
    /// Indices of the bodies; the impulse acts on the first, and its opposite on the second.
    pub bodies: [Option<usize>; 2],
    /// Vectors from each center of mass to the common point (`m`, world axes).
    pub arms: [Vec3; 2],
    /// The substep (`s`).
    pub h: f32,
}

/// Rows of a wheel.
pub const WHEEL_ROWS: usize = 8;

/// Spring, limits and torques of a wheel that travels along z of its frame and turns about y.
/// Travel is positive up; 0 where the frames of both bodies meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointStrut {
    /// Spring's stiffness (`N/m`), ≥ 0.
    pub stiffness: f32,
    /// Damping of the spring (`N·s/m`), ≥ 0.
    pub damping: f32,
    /// Travel at which the spring is relaxed (`m`).
    pub free_travel: f32,
    /// Least and most travel (`m`).
    pub limits: [f32; 2],
    /// Motor that turns the wheel against the first body.
    pub motor: Motor,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpulseRow {
    bodies: [Option<usize>; 2],
    /// Direction of the impulse on the first body; zero for a torque.
    axis: Vec3,
    /// Angular impulse per impulse (`m`, or – for a torque).
    levers: [Vec3; 2],
    /// Inverse effective mass (`1/kg`, `1/(kg·m²)`).
    inverse_mass: f32,
    /// Speed that the row undoes besides the bodies' own (`m/s`, `rad/s`).
    bias: f32,
    /// Softness of the row (`1/kg`, `1/(kg·m²)`).
    softness: f32,
    /// Whether the row is relaxed after the positions have moved.
    rigid: bool,
    /// Least and most impulse (`N·s`, `N·m·s`).
    pub bounds: [f32; 2],
    /// The impulse so far.
    pub impulse: f32,
}

impl Ends<'_> {
    /// Rows of a wheel, as [`JointStrut`] says, in an order that is always the same: the first body is
    /// the wheel, `ahead` of its frame (`m`), whose `axes` are those of the world; `axle` is the
    /// wheel's own.
    #[must_use]
    pub fn strut(
        &self,
        strut: &JointStrut,
        ahead: Vec3,
        axes: &Mat3,
        axle: Vec3,
    ) -> [ImpulseRow; WHEEL_ROWS] {
        let [x, y, up] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let travel = ahead.dot(up);
        let tilt = y.cross(axle);
        let law = [strut.stiffness, strut.damping];
        [
            self.rigid(x, ahead.dot(x)),
            self.rigid(y, ahead.dot(y)),
            self.spring(up, travel - strut.free_travel, law),
            self.stop(up, travel - strut.limits[0]),
            self.stop(-up, strut.limits[1] - travel),
            self.aligned(x, tilt.dot(x)),
            self.aligned(up, tilt.dot(up)),
            self.motor(y, &strut.motor),
        ]
    }

    fn row(&self, axis: Vec3, levers: [Vec3; 2]) -> ImpulseRow {
        let square = axis.dot(axis);
        let inverse = |n: usize| {
            let body = self.bodies[n].and_then(|index| self.movers[index].as_ref());
            body.map_or(0.0, |body| {
                square * body.inverse_mass + (body.inverse_inertia * levers[n]).dot(levers[n])
            })
        };
        ImpulseRow {
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
    #[must_use]
    pub fn still(&self, axis: Vec3, bounds: [f32; 2]) -> ImpulseRow {
        ImpulseRow {
            bounds,
            ..self.row(axis, self.arms.map(|arm| arm.cross(axis)))
        }
    }

    /// A row that gives the first body's point a `speed` (`m/s`) along a unit vector, relative to the
    /// second's.
    #[must_use]
    pub fn moving(&self, axis: Vec3, speed: f32) -> ImpulseRow {
        ImpulseRow {
            bias: -speed,
            ..self.still(axis, UNBOUNDED)
        }
    }

    /// Keeps the points together along a unit vector; the first body's is `ahead` (`m`).
    #[must_use]
    pub fn rigid(&self, axis: Vec3, ahead: f32) -> ImpulseRow {
        self.still(axis, UNBOUNDED).stiff(ahead, self.h)
    }

    /// Keeps the bodies from turning about a unit vector; the first is `ahead` (`rad`).
    #[must_use]
    pub fn aligned(&self, axis: Vec3, ahead: f32) -> ImpulseRow {
        self.row(Vec3::ZERO, [axis; 2]).stiff(ahead, self.h)
    }

    /// A spring of this stiffness and damping (`N/m`, `N·s/m`) that pulls the first body back by
    /// `ahead` (`m`).
    #[must_use]
    pub fn spring(&self, axis: Vec3, ahead: f32, law: [f32; 2]) -> ImpulseRow {
        self.still(axis, UNBOUNDED).sprung(ahead, law, self.h)
    }

    /// Lets the first body move against a unit vector by `room` (`m`) and no further; pushes it out
    /// of what it has entered.
    #[must_use]
    pub fn stop(&self, axis: Vec3, room: f32) -> ImpulseRow {
        self.still(axis, UNBOUNDED).stopping(room, self.h)
    }

    /// Lets the first body turn against a unit vector by `room` (`rad`) and no further; turns it back where it is
    /// beyond.
    #[must_use]
    pub fn turning_stop(&self, axis: Vec3, room: f32) -> ImpulseRow {
        self.row(Vec3::ZERO, [axis; 2]).stopping(room, self.h)
    }

    /// A spring of this stiffness (`N·m/rad`) that turns the first body back by `ahead` (`rad`) about a unit vector.
    #[must_use]
    pub fn turning_spring(&self, axis: Vec3, ahead: f32, stiffness: f32) -> ImpulseRow {
        self.row(Vec3::ZERO, [axis; 2])
            .sprung(ahead, [stiffness, 0.0], self.h)
    }

    /// Turns the first body about a unit vector as a motor does.
    ///
    /// ```text
    /// λ = h·torque + I·(Ω_rotor + h·drive/I − Ω⁺)
    /// ```
    #[must_use]
    pub fn motor(&self, axis: Vec3, motor: &Motor) -> ImpulseRow {
        let bounds = [-motor.most, motor.most].map(|most| (motor.torque + most) * self.h);
        let softness = 1.0 / motor.inertia;
        let row = self.row(Vec3::ZERO, [axis; 2]);
        if !softness.is_finite() {
            let torque = motor.torque * self.h;
            return ImpulseRow {
                bounds: [torque; 2],
                ..row
            };
        }
        ImpulseRow {
            bias: -motor.spin - softness * (motor.torque + motor.drive) * self.h,
            softness,
            bounds,
            ..row
        }
    }
}

/// Bounds of a row without any.
pub const UNBOUNDED: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

impl ImpulseRow {
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

    /// Pushes only, once `room` is used up.
    fn stopping(self, room: f32, h: f32) -> Self {
        let row = Self {
            bounds: [0.0, f32::INFINITY],
            ..self
        };
        if room > 0.0 {
            Self {
                bias: room / h,
                ..row
            }
        } else {
            row.stiff(room, h)
        }
    }

    /// Makes this row as stiff as the substep allows.
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
    pub fn warm_start(&mut self, movers: &mut Movers, impulse: f32) {
        self.impulse = impulse.clamp(self.bounds[0], self.bounds[1]);
        self.push(movers, self.impulse);
    }

    /// Moves its speed to where it should be. To relax is to keep the speed of what is rigid,
    /// whatever its position.
    pub fn solve(&mut self, movers: &mut Movers, relax: bool) {
        if relax && self.rigid {
            (self.bias, self.softness) = (0.0, 0.0);
        }
        let sought = self.sought(movers);
        self.set(movers, sought.clamp(self.bounds[0], self.bounds[1]));
    }

    /// The impulse that brings the row's speed to its target, without its bounds; between bodies
    /// that do not move, it stays as it is.
    #[must_use]
    pub fn sought(&self, movers: &Movers) -> f32 {
        let yielding = self.inverse_mass + self.softness;
        if yielding == 0.0 {
            return self.impulse;
        }
        let wrong = self.speed(movers) + self.bias + self.softness * self.impulse;
        self.impulse - wrong / yielding
    }

    /// Replaces its impulse.
    pub fn set(&mut self, movers: &mut Movers, impulse: f32) {
        let more = impulse - self.impulse;
        self.impulse = impulse;
        self.push(movers, more);
    }

    /// Present speed along the row (`m/s`, `rad/s`).
    #[must_use]
    pub fn speed(&self, movers: &Movers) -> f32 {
        let speed = |n: usize| {
            let body = self.bodies[n].and_then(|index| movers[index].as_ref());
            body.map_or(0.0, |body| {
                body.linear.dot(self.axis) + body.angular.dot(self.levers[n])
            })
        };
        speed(0) - speed(1)
    }

    fn push(&self, movers: &mut Movers, impulse: f32) {
        for (n, impulse) in [impulse, -impulse].into_iter().enumerate() {
            let body = self.bodies[n].and_then(|index| movers[index].as_mut());
            if let Some(body) = body {
                body.linear += self.axis * (impulse * body.inverse_mass);
                body.angular += body.inverse_inertia * (self.levers[n] * impulse);
            }
        }
    }
}
