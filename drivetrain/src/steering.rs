//! Steering: from a command to wheel angles, with Ackermann geometry on any axle (PhysX 4.1 vehicle
//! SDK, ALGORITHMS §4.6; PhysX 5 `vehicle2`, §7.4).
//!
//! Angles are positive to the left (ISO 8855); the command is positive to the right. Toe is not
//! part of the angles here.

mod turning;

use alloc::format;
use alloc::vec::Vec;
use core::f32::consts::FRAC_PI_2;

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector, MAX_WHEELS, math};

use crate::per_wheel::{PerWheel, check_index};
use crate::response::ResponseTable;
use crate::steering_system::SteeringSystem;

/// Angles (left wheel, right wheel) in `rad` of an axle steered by `angle` (`rad`), positive to the
/// left.
///
/// The inner wheel gets `angle`. The outer one gets the fraction `accuracy` 0…1 of the way to the
/// angle at which both wheel axes meet on the line of the other axle, `separation` (`m`) away;
/// `width` (`m`) is the distance between the two wheels.
#[must_use]
pub fn ackermann(angle: f32, accuracy: f32, width: f32, separation: f32) -> (f32, f32) {
    if angle == 0.0 {
        return (0.0, 0.0);
    }
    let inner = angle.abs();
    let tan = math::tan(inner);
    let perfect = math::atan(separation * tan / (separation + width * tan));
    let outer = inner + accuracy * (perfect - inner);
    if angle > 0.0 {
        (inner, outer)
    } else {
        (-outer, -inner)
    }
}

/// Two wheels that steer together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteeredAxle {
    /// Index of the left wheel.
    pub left: usize,
    /// Index of the right wheel.
    pub right: usize,
    /// Maximum angles of the left and the right wheel (`rad`), within 0…π/2. The command moves the
    /// inner wheel by the greater one.
    pub max_steer: [f32; 2],
    /// Fraction of Ackermann geometry, 0 (parallel wheels) … 1.
    pub accuracy: f32,
    /// Distance between the two wheels (`m`), > 0.
    pub width: f32,
    /// Distance from the unsteered axle (`m`), > 0.
    pub separation: f32,
    /// Whether the axle steers opposite to the command, as a steered rear axle does.
    #[serde(default)]
    pub counter: bool,
}

impl SteeredAxle {
    /// Angles (left, right) in `rad`, positive to the left, for a command −1 (left) … 1 (right).
    #[must_use]
    pub fn angles(&self, command: f32) -> (f32, f32) {
        self.turned(-command * math::greater(self.max_steer[0], self.max_steer[1]))
    }

    /// Angles (left, right) in `rad` of the axle steered by `angle` (`rad`).
    pub(crate) fn turned(&self, angle: f32) -> (f32, f32) {
        let (left, right) = ackermann(angle, self.accuracy, self.width, self.separation);
        if self.counter {
            (-left, -right)
        } else {
            (left, right)
        }
    }
}

impl Check for SteeredAxle {
    fn check(&self, i: &mut Inspector) {
        check_index("left", self.left, MAX_WHEELS, i);
        check_index("right", self.right, MAX_WHEELS, i);
        for (n, angle) in self.max_steer.into_iter().enumerate() {
            check_max_steer(&format!("max_steer[{n}]"), angle, i);
        }
        i.within_range("accuracy", self.accuracy, 0.0, 1.0, "");
        i.positive("width", self.width, "m");
        i.positive("separation", self.separation, "m");
    }
}

/// A wheel that steers on its own: the command times its maximum angle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SteeredWheel {
    /// Index of the wheel.
    pub wheel: usize,
    /// Angle at full command (`rad`), within ±π/2; negative to steer the other way.
    pub max_steer: f32,
}

impl Check for SteeredWheel {
    fn check(&self, i: &mut Inspector) {
        check_index("wheel", self.wheel, MAX_WHEELS, i);
        let holds = self.max_steer.abs() < FRAC_PI_2;
        i.rule(
            holds,
            "max_steer",
            self.max_steer,
            "rad",
            "must be within ±π/2",
        );
    }
}

fn check_max_steer(name: &str, angle: f32, i: &mut Inspector) {
    let holds = (0.0..FRAC_PI_2).contains(&angle);
    i.rule(holds, name, angle, "rad", "must be within 0..π/2");
}

/// Steering parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SteeringParams {
    /// Axles with two wheels.
    pub axles: Vec<SteeredAxle>,
    /// Single wheels.
    pub wheels: Vec<SteeredWheel>,
    /// The response to a command's magnitude.
    pub response: ResponseTable,
    /// Response of axles to the command.
    pub axle_law: AxleLaw,
    /// The steering wheel, if torques move it; without, the wheels follow the command at once.
    pub system: Option<SteeringSystem>,
}

/// Response of the axles of [`SteeringParams`] to the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxleLaw {
    /// The response times the greater of both wheels' maximum angles.
    #[default]
    Maximum,
    /// Linear, without the response: the command times the mean of both wheels' maximum angles, as
    /// in PhysX 5.
    Mean,
}

impl SteeringParams {
    /// Angles of all wheels (`rad`), positive to the left, for a command −1 (left) … 1 (right) at a
    /// forward speed (`m/s`); unsteered wheels stay straight.
    #[inline]
    #[must_use]
    pub fn angles(&self, command: f32, forward_speed: f32) -> PerWheel {
        let mut angles = [0.0; MAX_WHEELS];
        self.turn_straight(command, forward_speed, |wheel, angle| angles[wheel] = angle);
        angles
    }

    /// Turns straight wheels to the same: calls `set` with the number and the angle of each that turns.
    #[inline]
    pub(crate) fn turn_straight(
        &self,
        command: f32,
        forward_speed: f32,
        set: impl FnMut(usize, f32),
    ) {
        if command != 0.0 {
            let answer = self.response.signed_at(command, forward_speed);
            self.turn(command, answer, set);
        }
    }

    /// Turns the wheels that are steered by this command and the response to it.
    #[inline]
    pub(crate) fn turn(&self, command: f32, answer: f32, mut set: impl FnMut(usize, f32)) {
        for axle in &self.axles {
            let (left, right) = self.axle_law.angles(axle, command, answer);
            set(axle.left, left);
            set(axle.right, right);
        }
        for single in &self.wheels {
            set(single.wheel, -answer * single.max_steer);
        }
    }

    /// Reports wheel indices beyond `wheels`.
    pub(crate) fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        for (n, axle) in self.axles.iter().enumerate() {
            check_index(&format!("axles[{n}].left"), axle.left, wheels, i);
            check_index(&format!("axles[{n}].right"), axle.right, wheels, i);
        }
        for (n, single) in self.wheels.iter().enumerate() {
            check_index(&format!("wheels[{n}].wheel"), single.wheel, wheels, i);
        }
    }
}

impl Check for SteeringParams {
    fn check(&self, i: &mut Inspector) {
        for (n, axle) in self.axles.iter().enumerate() {
            i.within(format!("axles[{n}]"), |i| axle.check(i));
        }
        for (n, wheel) in self.wheels.iter().enumerate() {
            i.within(format!("wheels[{n}]"), |i| wheel.check(i));
        }
        i.within("response", |i| self.response.check(i));
        if let Some(system) = &self.system {
            i.within("system", |i| system.check(i));
        }
        let pairs = self.axles.iter().flat_map(|axle| [axle.left, axle.right]);
        let mut all: Vec<usize> = pairs.chain(self.wheels.iter().map(|w| w.wheel)).collect();
        all.sort_unstable();
        if let Some(system) = &self.system {
            system.check_axes(&all, i);
        }
        for pair in all.windows(2) {
            let once = pair[0] != pair[1];
            i.rule(once, "wheel", pair[0], "", "must be steered only once");
        }
    }
}

#[cfg(test)]
mod tests;
