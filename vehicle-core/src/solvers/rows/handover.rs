//! Hand-over between steps: the engine moves the body, adds its own forces, and is read again
//! (ROWS §8, §9).
//!
//! The engine receives the *mean* velocity of a step, so that it moves the body as the substeps did,
//! however it splits the step. The state carries the difference between the true velocity and the mean.
//! While the car stands, an observer estimates what the engine adds. Substeps treat the estimate as
//! gravity, so that tires hold against a push that only the engine knows.
//!
//! The equations stand above [`hand_over`], [`receive`] and the functions that they call. There, v̄ and v⁺
//! are the substeps' mean and final velocity, g is gravity, and κ is the part of gravity that the vehicle
//! carries itself. Rotation follows the same equations with g = 0.

use glam::Vec3;

use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::outcome::Motion;
use crate::exchange::state::{Handover, VehicleState};
use crate::params::profile::RowsSettings;
use crate::stages::chassis::Chassis;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Force of the wheels against gravity over the weight (–).
    pub lift: f32,
    /// Whether the car stands on its wheels.
    pub standing: bool,
}

/// Whether a change of velocity is negligible: at most 1 mm/s and 1 mrad/s.
fn is_negligible(change: &Velocity) -> bool {
    const LIMIT: f32 = 1e-3;
    let within = |v: Vec3, limit: f32| v.dot(v) <= limit * limit;
    within(change.linear, LIMIT) && within(change.angular, LIMIT)
}

/// Compares the body with the last hand-over, updates the observer, and returns the true velocity of the
/// chassis: `v = v_read + carry`. After an unexplained displacement, carry and observer restart.
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
    let last = state.handover;
    if last.duration == 0.0 {
        return read + state.carry;
    }
    let deviation = Deviation::new(&last, &read, body);
    let g = math::sqrt(gravity.dot(gravity));
    if deviation.is_unexplained(&last, body, g) {
        state.carry = Velocity::ZERO;
        state.handover = Handover::NONE;
        return read;
    }
    state
        .handover
        .observe(settings.observer_gain, &deviation, g);
    let innovation = read - last.expected;
    state.handover.undisturbed = is_negligible(&innovation);
    read + state.carry
}

/// Deviation of the body from the velocity handed over, estimated pushes included.
///
/// ```text
/// u  = expected − push·dt
/// Δv = v_read − u          Δx = (x_read − x) − u·dt
/// ```
struct Deviation {
    /// Δv (`m/s`, `rad/s`).
    velocity: Velocity,
    /// Δx (`m`, `rad`).
    displacement: Velocity,
}

impl Deviation {
    fn new(last: &Handover, read: &Velocity, body: &BodyState) -> Self {
        let dt = last.duration;
        let handed = last.expected - last.push * dt;
        let moved = Velocity {
            linear: (body.position - last.position).as_vec3(),
            angular: math::turned_by(last.rotation, body.rotation, 1.0),
        };
        Self {
            velocity: *read - handed,
            displacement: moved - handed * dt,
        }
    }

    /// Whether no step can explain the displacement: a teleport, a new origin. `g` is the magnitude of
    /// gravity (`m/s²`).
    ///
    /// ```text
    /// |Δx − drift·dt² − astray/2| > 2·dt·|Δv − push·dt| + part·g·dt² + rounding
    /// ```
    ///
    /// A push displaces a body by at most its change of velocity over the whole step. Contacts correct a
    /// little more (`part`), and coordinates are rounded.
    fn is_unexplained(&self, last: &Handover, body: &BodyState, g: f32) -> bool {
        let dt = last.duration;
        let distance = body.position.abs().max_element() as f32;
        // A car that does not stand may have fallen by the engine's own gravity.
        let part = if last.standing {
            CONTACT_CORRECTION
        } else {
            1.0
        };
        let slack = part * g * dt * dt + 1e-6 * (1.0 + distance);
        let exceeds = |moved: Vec3, change: Vec3, slack: f32| {
            let explained = 2.0 * dt * math::sqrt(change.dot(change)) + slack;
            moved.dot(moved) > explained * explained
        };
        let moved = self.displacement - last.drift * (dt * dt) - last.astray * CORRECTED;
        let change = self.velocity - last.push * dt;
        // The angular slack (rad) equals the linear one of a point at a distance of 1 m.
        exceeds(moved.linear, change.linear, slack) || exceeds(moved.angular, change.angular, slack)
    }
}

impl Handover {
    /// Updates the estimates of what the engine adds, if the car stands and Δv is less than gravity could
    /// cause; otherwise resets them to zero.
    ///
    /// ```text
    /// astray ← astray/2 + Δx − drift·dt²
    /// push   ← push + gain·(Δv/dt − push)
    /// drift  ← drift + gain·(Δx/dt² − drift)
    /// ```
    fn observe(&mut self, gain: f32, deviation: &Deviation, g: f32) {
        let dt = self.duration;
        let limit = g * dt;
        let Deviation {
            velocity,
            displacement,
        } = *deviation;
        if self.standing && velocity.linear.dot(velocity.linear) < limit * limit {
            self.astray = self.astray * (1.0 - CORRECTED) + displacement - self.drift * (dt * dt);
            self.push = self.push + (velocity * (1.0 / dt) - self.push) * gain;
            self.drift = self.drift + (displacement * (1.0 / (dt * dt)) - self.drift) * gain;
        } else {
            self.astray = Velocity::ZERO;
            self.push = Velocity::ZERO;
            self.drift = Velocity::ZERO;
        }
    }
}

/// Displacement by which contacts may correct a standing car in a step without a change of velocity,
/// over g·dt² (–).
const CONTACT_CORRECTION: f32 = 0.1;

/// Part of `astray` that a step corrects (–).
const CORRECTED: f32 = 0.5;

/// Carried part of gravity over the wheels' lift (–): all from half the weight on, below in proportion.
const FULLY_CARRIED: f32 = 2.0;

impl Handover {
    /// Part κ of gravity that the engine must not add (–): 1 if nothing but the wheels acted in the last
    /// step, otherwise by their `lift` (–, force over weight).
    fn carried(&self, lift: f32) -> f32 {
        if self.undisturbed {
            1.0
        } else {
            carried_by_wheels(lift)
        }
    }

    /// Change of the true velocity in a step of `dt` (`s`) under the forces of the last step, which left
    /// `carry`; the wheels' `lift` is force over weight (–).
    ///
    /// ```text
    /// Δv = 2·carry·dt/duration + (1 − κ)·g·dt
    /// ```
    ///
    /// The true velocity exceeds the mean by half of the step's change, as far as the vehicle carries
    /// itself; the rest of it falls.
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

/// Part of gravity carried by wheels (–): `clamp(2·lift, 0, 1)`; `lift` is force over weight (–).
#[must_use]
pub fn carried_by_wheels(lift: f32) -> f32 {
    (FULLY_CARRIED * lift).clamp(0.0, 1.0)
}

/// The motion that makes the engine move the body to where the substeps ended.
///
/// ```text
/// set      = κ·(v̄ − drift·dt − astray/(2·dt)) + (1 − κ)·(v⁺ − g·dt)
/// added    = set + push·dt + (1 − κ)·g·dt
/// expected = added·max(1 − damping·dt, 0)
/// carry    = v⁺ − added
/// ```
///
/// Gravity is already in v̄, so that the engine must not add it again. But if something other than wheels
/// pushed in the last step, the engine keeps the part that wheels do not carry (1 − κ): a car on its side
/// must not become weightless because a wheel touches something.
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
    let next = &mut state.handover;
    let aim = mean - next.drift * dt - next.astray * (CORRECTED / dt);
    let set = aim * carried
        + (end
            - Velocity {
                linear: gravity * dt,
                angular: Vec3::ZERO,
            })
            * (1.0 - carried);
    let linear_rest = (1.0 - body.linear_damping * dt).max(0.0);
    let angular_rest = (1.0 - body.angular_damping * dt).max(0.0);
    let added = set + next.push * dt + falling;
    next.expected = Velocity {
        linear: added.linear * linear_rest,
        angular: added.angular * angular_rest,
    };
    next.position = body.position;
    next.rotation = body.rotation;
    next.duration = dt;
    next.standing = ending.standing;
    state.carry = end - added;
    Motion::StepMotion {
        linear: set.linear,
        angular: set.angular,
        carried_gravity: gravity * carried,
    }
}

#[cfg(test)]
mod tests;
