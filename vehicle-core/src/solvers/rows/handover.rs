//! From one step to the next: the engine moves the body, adds what it knows of, and is read again
//! (ROWS §8, §9).
//!
//! The engine is told the *mean* velocity of a step, so that it moves the body as the substeps did,
//! however it splits the step itself. What the true velocity exceeds the mean by is carried in the
//! vehicle's state. What the engine adds is learned while the car stands, and then counted as
//! gravity is: so the tires hold against a push that only the engine knows.

use glam::Vec3;

use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::outcome::Motion;
use crate::exchange::state::{Handover, VehicleState};
use crate::params::profile::RowsSettings;
use crate::stages::chassis::Chassis;

/// What the substeps made of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// What the wheels lift over the weight (–).
    pub lift: f32,
    /// Whether the car stands on its wheels.
    pub standing: bool,
}

/// Whether a change of the velocity is no more than rounding: 1 mm/s or 1 mrad/s.
fn is_nothing(change: &Velocity) -> bool {
    const NOTHING: f32 = 1e-3;
    let within = |v: Vec3, limit: f32| v.dot(v) <= limit * limit;
    within(change.linear, NOTHING) && within(change.angular, NOTHING)
}

/// Compares the body with what it was told, learns, and returns the true velocity of the chassis.
pub fn receive(
    settings: &RowsSettings,
    state: &mut VehicleState,
    body: &BodyState,
    gravity: Vec3,
) -> Velocity {
    let read = Velocity {
        linear: body.linear_velocity,
        angular: body.angular_velocity,
    };
    let told = state.handover;
    if told.duration == 0.0 {
        return read + state.carry;
    }
    let found = Found::new(&told, &read, body);
    let g = math::sqrt(gravity.dot(gravity));
    if found.is_unexplained(&told, body, g) {
        state.carry = Velocity::ZERO;
        state.handover = Handover::NONE;
        return read;
    }
    state.handover.learn(settings.observer_gain, &found, g);
    let surprise = read - told.expected;
    state.handover.undisturbed = is_nothing(&surprise);
    read + state.carry
}

/// What a step of the engine is found to have done to the body.
struct Found {
    /// Velocity that it added, what it was known to add included.
    added: Velocity,
    /// Way beyond the velocity handed over (`m`, `rad`).
    strayed: Velocity,
}

impl Found {
    fn new(told: &Handover, read: &Velocity, body: &BodyState) -> Self {
        let dt = told.duration;
        let set = told.expected - told.push * dt;
        let way = Velocity {
            linear: (body.position - told.position).as_vec3(),
            angular: math::turned_by(told.rotation, body.rotation, 1.0),
        };
        Self {
            added: *read - set,
            strayed: way - set * dt,
        }
    }

    /// Whether no step can have moved the body so: a teleport, a new origin. `g` is the magnitude of
    /// gravity (`m/s²`).
    ///
    /// A push of any kind moves a body by no more than its change of velocity over the whole step; what
    /// is known of pushes aside. Contacts correct a little more, and coordinates are rounded.
    fn is_unexplained(&self, told: &Handover, body: &BodyState, g: f32) -> bool {
        let dt = told.duration;
        let place = body.position.abs().max_element() as f32;
        // A car that does not stand may have fallen by the engine's own gravity.
        let part = if told.standing { CORRECTION } else { 1.0 };
        let slack = part * g * dt * dt + 1e-6 * (1.0 + place);
        let far = |way: Vec3, change: Vec3, slack: f32| {
            let explained = 2.0 * dt * math::sqrt(change.dot(change)) + slack;
            way.dot(way) > explained * explained
        };
        let way = self.strayed - told.drift * (dt * dt) - told.astray * TAKEN_BACK;
        let change = self.added - told.push * dt;
        // What a point a metre from the centre may move by, the body may turn by.
        far(way.linear, change.linear, slack) || far(way.angular, change.angular, slack)
    }
}

impl Handover {
    /// Learns what the engine adds while the car stands, if it is no more than gravity could be.
    fn learn(&mut self, gain: f32, found: &Found, g: f32) {
        let dt = self.duration;
        let most = g * dt;
        if self.standing && found.added.linear.dot(found.added.linear) < most * most {
            self.astray = self.astray * (1.0 - TAKEN_BACK) + found.strayed - self.drift * (dt * dt);
            self.push = self.push + (found.added * (1.0 / dt) - self.push) * gain;
            self.drift = self.drift + (found.strayed * (1.0 / (dt * dt)) - self.drift) * gain;
        } else {
            self.astray = Velocity::ZERO;
            self.push = Velocity::ZERO;
            self.drift = Velocity::ZERO;
        }
    }
}

/// What contacts may correct in a step of a standing car without a change of velocity, over g·dt² (–).
const CORRECTION: f32 = 0.1;

/// Part of what has strayed that a step takes back (–).
const TAKEN_BACK: f32 = 0.5;

/// Gravity counts as carried in full from half the weight on; below, in proportion.
const FULLY_CARRIED: f32 = 2.0;

impl Handover {
    /// Part of gravity that the engine must not add, where wheels lift `lift` over the weight (–).
    fn carried(&self, lift: f32) -> f32 {
        if self.undisturbed {
            1.0
        } else {
            carried_by_wheels(lift)
        }
    }

    /// Change of the true velocity in a step of `dt` (`s`) that goes on as this one did, which left `carry`
    /// behind and in which wheels lifted `lift` over the weight (–).
    ///
    /// What the true velocity exceeds the mean one by is half of what the step changed, as far as the
    /// vehicle carried itself; as far as it did not, it falls.
    #[must_use]
    pub fn change(&self, carry: Velocity, lift: f32, gravity: Vec3, dt: f32) -> Velocity {
        let (carried, steps) = if self.duration > 0.0 {
            (self.carried(lift), dt / self.duration)
        } else {
            (carried_by_wheels(lift), 0.0)
        };
        let falling = Velocity {
            linear: gravity * ((1.0 - carried) * dt),
            angular: Vec3::ZERO,
        };
        carry * (2.0 * steps) + falling
    }
}

/// Part of gravity that counts as carried by wheels that lift `lift` over the weight (–).
#[must_use]
pub fn carried_by_wheels(lift: f32) -> f32 {
    (FULLY_CARRIED * lift).clamp(0.0, 1.0)
}

/// Says how the engine is to move the body so that it ends where the substeps ended.
///
/// Gravity is in the mean velocity, and the engine must not add it once more; but where something
/// else than wheels pushed in the last step, the engine keeps what the wheels do not carry: a car on
/// its side must not become weightless because a wheel touches something.
pub fn hand_over(
    state: &mut VehicleState,
    body: &BodyState,
    chassis: &Chassis,
    ending: Ending,
    gravity: Vec3,
    dt: f32,
) -> Motion {
    let end = Velocity {
        linear: chassis.linear,
        angular: chassis.angular,
    };
    let mean = Velocity {
        linear: chassis.moved * (1.0 / dt),
        angular: math::turned_by(body.rotation, chassis.rotation, dt),
    };
    let carried = state.handover.carried(ending.lift);
    let falling = Velocity {
        linear: gravity * ((1.0 - carried) * dt),
        angular: Vec3::ZERO,
    };
    let known = &mut state.handover;
    let aim = mean - known.drift * dt - known.astray * (TAKEN_BACK / dt);
    let set = aim * carried
        + (end
            - Velocity {
                linear: gravity * dt,
                angular: Vec3::ZERO,
            })
            * (1.0 - carried);
    let linear_left = (1.0 - body.linear_damping * dt).max(0.0);
    let angular_left = (1.0 - body.angular_damping * dt).max(0.0);
    let added = set + known.push * dt + falling;
    known.expected = Velocity {
        linear: added.linear * linear_left,
        angular: added.angular * angular_left,
    };
    known.position = body.position;
    known.rotation = body.rotation;
    known.duration = dt;
    known.standing = ending.standing;
    state.carry = end - added;
    Motion::StepMotion {
        linear: set.linear,
        angular: set.angular,
        carried_gravity: gravity * carried,
    }
}

#[cfg(test)]
mod tests;
