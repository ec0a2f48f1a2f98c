//! A steering wheel, column and rack that the torques of hands, assist and road move (ROWS §5.1).
//!
//! One degree of freedom: the pinion's angle p, at the steering wheel, positive to the left. With the road wheels' angles
//! δᵢ(p) and the moments Mᵢ of the road about their steering axes, by virtual work
//!
//! ```text
//! J·p̈ = T + A(T, v) + Σ Mᵢ·dδᵢ/dp − c·ṗ − friction
//! T = k·(s − p) where hands hold the steering wheel at s, otherwise what they turn it with
//! ```
//!
//! The road's part is taken at the substep's start and the angle moved by the speed at its end: leapfrog, which keeps the
//! frequency of a wheel that shimmies to (ωh)²/24 and adds no energy. Column, assist, damping and friction are implicit.

mod road;

use alloc::format;
use alloc::vec::Vec;
use core::f32::consts::FRAC_PI_3;

use serde::{Deserialize, Serialize};
use vehicle_core::{CarCommand, Check, Curve, Inspector, MAX_WHEELS, SteeringInput, SteeringWheel};

use crate::per_wheel::check_index;

pub(crate) use road::{Pull, TireResponse, TreadState};

/// A steering wheel that torques move. Inertias, stiffnesses and torques are those at the steering wheel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteeringSystem {
    /// Angle of the steering wheel (`rad`), and how far it turns the wheels, as a share of their maximum angles: from (0, 0)
    /// to the stops at (lock, 1), both ascending. Its slope is the variable ratio.
    pub rack: Curve,
    /// Moment of inertia of the steering wheel (`kg·m²`), > 0.
    pub wheel_inertia: f32,
    /// Moment of inertia of rack, tie rods and steered wheels (`kg·m²`), > 0.
    pub rack_inertia: f32,
    /// Stiffness of column and torsion bar (`N·m/rad`), > 0.
    pub column_stiffness: f32,
    /// Stiffness of the rack's mounts and the tie rods (`N·m/rad`), > 0.
    pub rack_stiffness: f32,
    /// Damping (`N·m·s/rad`), ≥ 0.
    pub damping: f32,
    /// Dry friction (`N·m`), ≥ 0.
    pub friction: f32,
    /// Power assist, by the hands' torque, ascending; none without rows.
    #[serde(default)]
    pub assist: Vec<AssistRow>,
    /// Steering axes of the wheels through which the road turns the steering.
    pub axes: Vec<KingpinAxis>,
    /// Treads of their tires, as they are twisted at a standstill, if they are.
    #[serde(default)]
    pub tread: Option<TreadTwist>,
}

/// Power assist at one torque of the hands; linear between rows, from (0, 0) on, and constant beyond the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssistRow {
    /// Torque of the hands (`N·m`), > 0.
    pub torque: f32,
    /// Assist (`N·m`), ≥ 0, by speed (`m/s`).
    pub by_speed: Curve,
}

/// The axis about which a wheel is steered, in the vehicle frame with the wheel straight ahead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KingpinAxis {
    /// Index of the wheel.
    pub wheel: usize,
    /// Caster (`rad`), within ±π/3: positive with the top to the rear.
    pub caster: f32,
    /// Inclination (`rad`), within ±π/3: positive with the top to the right, which is inwards for a left wheel.
    pub inclination: f32,
    /// Caster trail (`m`): how far ahead of the contact the axis meets the ground.
    pub trail: f32,
    /// Scrub radius (`m`): how far to the right of the contact, inwards for a left wheel.
    pub offset: f32,
}

/// Twist of treads where a wheel turns without rolling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreadTwist {
    /// Moment of a tread per angle (`N·m/rad`), > 0.
    pub stiffness: f32,
    /// Inflation pressure (`Pa`), > 0: load over it is the area of contact.
    pub pressure: f32,
}

impl SteeringSystem {
    /// Maximum number of rows of the assist.
    pub const ROWS: usize = 8;

    /// Angle of the steering wheel at the stops (`rad`).
    pub(crate) fn lock(&self) -> f32 {
        self.rack.0.last().map_or(0.0, |stop| stop[0])
    }

    /// Command −1…1 that stands for an angle of the steering wheel (`rad`), of the same sign.
    pub(crate) fn share(&self, angle: f32) -> f32 {
        let share = self.rack.at(angle.abs());
        if angle < 0.0 { -share } else { share }
    }

    /// Angle of the steering wheel (`rad`) for a command.
    fn angle(&self, command: f32) -> f32 {
        let share = command.abs();
        let piece = self.rack.0.windows(2).find(|pair| share < pair[1][1]);
        let angle = piece.map_or(self.lock(), |pair| {
            let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
            x0 + (x1 - x0) * ((share - y0) / (y1 - y0))
        });
        if command < 0.0 { -angle } else { angle }
    }

    /// The input of the hands, and the command to which the wheels turn where nothing moves by torques.
    pub(crate) fn read(&self, car: &CarCommand, answer: f32) -> (SteeringInput, f32) {
        match car.steering_wheel {
            None => (SteeringInput::Angle(self.angle(answer)), answer),
            Some(hands @ SteeringInput::Angle(angle)) => (hands, self.share(angle)),
            Some(hands @ SteeringInput::Torque(_)) => (hands, 0.0),
        }
    }

    /// Assist at a torque of the hands and a speed, and its greatest slope at this speed (`N·m`, –).
    fn assist(&self, torque: f32, speed: f32) -> (f32, f32) {
        let size = torque.abs();
        let (mut last, mut found, mut slope) = ([0.0, 0.0], None, 0.0_f32);
        for row in &self.assist {
            let next = [row.torque, row.by_speed.at(speed)];
            let rise = (next[1] - last[1]) / (next[0] - last[0]);
            if found.is_none() && size < next[0] {
                found = Some(last[1] + rise * (size - last[0]));
            }
            slope = slope.max(rise);
            last = next;
        }
        let assist = found.unwrap_or(last[1]);
        (if torque < 0.0 { -assist } else { assist }, slope)
    }

    /// Moves the steering wheel by a substep of `h` (`s`).
    ///
    /// ```text
    /// (J + θ·h·c + h²·k(1 + A′))·ṗ⁺ = soft((J − (1 − θ)·h·c)·ṗ + h(T + A + road), h·friction),   p⁺ = p + h·ṗ⁺
    /// ```
    ///
    /// θ is ½, or 1 if damping stops the wheel within the substep. An inertia that a substep cannot resolve against the
    /// road's stiffness C counts as h²C.
    pub(crate) fn turn(
        &self,
        wheel: &mut SteeringWheel,
        pull: &Pull,
        hands: SteeringInput,
        speed: f32,
        h: f32,
    ) {
        // Commands are positive to the right.
        let (held, inertia, torque, column) = match hands {
            SteeringInput::Angle(angle) => {
                let torque = self.column_stiffness * (-angle - wheel.pinion);
                (
                    Some(-angle),
                    self.rack_inertia,
                    torque,
                    self.column_stiffness,
                )
            }
            SteeringInput::Torque(torque) => {
                (None, self.rack_inertia + self.wheel_inertia, -torque, 0.0)
            }
        };
        let (assist, slope) = self.assist(torque, speed.abs());
        let inertia = inertia.max(h * h * pull.stiffness);
        let damping = h * self.damping;
        let end = if damping >= inertia { 1.0 } else { 0.5 };
        let impulse =
            (inertia - (1.0 - end) * damping) * wheel.speed + h * (torque + assist + pull.torque);
        let most = h * self.friction;
        let left = impulse - impulse.clamp(-most, most);
        wheel.speed = left / (inertia + end * damping + h * h * column * (1.0 + slope));
        let (before, lock) = (wheel.pinion, self.lock());
        let free = before + h * wheel.speed;
        wheel.pinion = free.clamp(-lock, lock);
        if wheel.pinion != free {
            wheel.speed = 0.0;
        }
        let deflected = (pull.torque - self.rack_stiffness * wheel.compliance)
            / (self.rack_stiffness + pull.stiffness);
        wheel.compliance += deflected;
        wheel.wind_up += wheel.pinion - before + deflected;
        (wheel.torque, wheel.angle) = match held {
            Some(angle) => (self.column_stiffness * (angle - wheel.pinion), angle),
            None => (torque, wheel.pinion + torque / self.column_stiffness),
        };
        (wheel.assist, wheel.road) = (self.assist(wheel.torque, speed.abs()).0, pull.torque);
    }
}

impl Check for SteeringSystem {
    fn check(&self, i: &mut Inspector) {
        self.check_rack(i);
        i.positive("wheel_inertia", self.wheel_inertia, "kg·m²");
        i.positive("rack_inertia", self.rack_inertia, "kg·m²");
        i.positive("column_stiffness", self.column_stiffness, "N·m/rad");
        i.positive("rack_stiffness", self.rack_stiffness, "N·m/rad");
        i.not_negative("damping", self.damping, "N·m·s/rad");
        i.not_negative("friction", self.friction, "N·m");
        self.check_assist(i);
        for (n, axis) in self.axes.iter().enumerate() {
            i.within(format!("axes[{n}]"), |i| axis.check(i));
        }
        if let Some(tread) = &self.tread {
            i.within("tread", |i| {
                i.positive("stiffness", tread.stiffness, "N·m/rad");
                i.positive("pressure", tread.pressure, "Pa");
            });
        }
    }
}

impl SteeringSystem {
    fn check_rack(&self, i: &mut Inspector) {
        i.within("rack", |i| self.rack.check(i));
        let points = &self.rack.0;
        let ends = [points.first(), points.last()].map(|end| end.copied().unwrap_or_default());
        let whole = ends[0] == [0.0, 0.0] && ends[1][0] > 0.0 && ends[1][1] == 1.0;
        let rule = "must begin at (0, 0) and end at the stops, where the share is 1";
        i.rule(whole, "rack", points.len(), "points", rule);
        for (n, pair) in points.windows(2).enumerate() {
            let (path, share) = (format!("rack[{}].y", n + 1), pair[1][1]);
            let rule = "must be above that of the point before";
            i.rule(share > pair[0][1], &path, share, "", rule);
        }
    }

    fn check_assist(&self, i: &mut Inspector) {
        let count = self.assist.len();
        let rule = format!("there must be at most {}", Self::ROWS);
        i.rule(count <= Self::ROWS, "assist", count, "rows", rule);
        for (n, row) in self.assist.iter().enumerate() {
            i.within(format!("assist[{n}]"), |i| {
                i.positive("torque", row.torque, "N·m");
                let ascends = n == 0 || row.torque > self.assist[n - 1].torque;
                i.rule(
                    ascends,
                    "torque",
                    row.torque,
                    "N·m",
                    "must be above the row before",
                );
                i.within("by_speed", |i| row.by_speed.check(i));
                for (n, [_, assist]) in row.by_speed.0.iter().enumerate() {
                    i.not_negative(&format!("by_speed[{n}].y"), *assist, "N·m");
                }
            });
        }
    }

    /// Reports axes of wheels that are not among the `steered`.
    pub(crate) fn check_axes(&self, steered: &[usize], i: &mut Inspector) {
        for (n, axis) in self.axes.iter().enumerate() {
            let (path, rule) = (
                format!("system.axes[{n}].wheel"),
                "must be a steered wheel, and have one axis",
            );
            let once = !self.axes[..n].iter().any(|other| other.wheel == axis.wheel);
            i.rule(
                once && steered.contains(&axis.wheel),
                &path,
                axis.wheel,
                "",
                rule,
            );
        }
    }
}

impl Check for KingpinAxis {
    fn check(&self, i: &mut Inspector) {
        check_index("wheel", self.wheel, MAX_WHEELS, i);
        for (name, angle) in [("caster", self.caster), ("inclination", self.inclination)] {
            i.within_range(name, angle, -FRAC_PI_3, FRAC_PI_3, "rad");
        }
        for (name, length) in [("trail", self.trail), ("offset", self.offset)] {
            i.within_range(name, length, -1.0, 1.0, "m");
        }
    }
}

#[cfg(test)]
mod tests;
