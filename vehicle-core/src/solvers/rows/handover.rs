//! Hand-over between steps: the engine moves the body, adds its own forces, and is read again
//! (ROWS §8, §9).
//!
//! The engine receives the *mean* velocity of a step, so that it moves the body as the substeps did,
//! however it splits the step. The state carries the difference between the true velocity and the mean.
//! An observer estimates what the engine adds. Substeps treat the estimate as gravity, and the engine cancels
//! both by a force, so that a body whose wheels hold it has no velocity at all.
//!
//! The equations stand above [`hand_over`], [`receive`] and the functions that they call. There, v̄ and v⁺
//! are the substeps' mean and final velocity, and g is gravity. Rotation follows the same equations with
//! g = 0.

use glam::{DVec3, Quat, Vec3};

use crate::base::math;
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::handover::{GroundHandover, Handover};
use crate::exchange::outcome::Motion;
use crate::exchange::state::VehicleState;
use crate::params::profile::RowsSettings;
use crate::stages::chassis::Chassis;

/// The body as found after the engine's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Received {
    /// True velocity of the chassis (`m/s`, `rad/s`).
    pub velocity: VelocityLanes,
    /// Displacement of the body from where the substeps ended (`m`, `rad`).
    pub astray: VelocityLanes,
    /// Change of velocity by the engine beyond the estimated push (`m/s`, `rad/s`).
    pub added: VelocityLanes,
    /// What the engine is estimated to add in the step that begins (`m/s²`, `rad/s²`).
    pub push: VelocityLanes,
    /// Whether it is faster over the ground than 1 m/s.
    pub drives: bool,
}

/// Compares the body with the last hand-over and updates the observer.
///
/// ```text
/// v  = v_read + carry
/// Δv = v_read − expected        Δx = x_read − x⁺
/// ```
///
/// After an unexplained displacement, carry and observer restart.
pub fn receive(
    settings: &RowsSettings,
    state: &mut VehicleState,
    body: &BodyState,
    gravity: Vec3,
) -> Received {
    let read = body.velocity().in_lanes();
    let last = &state.handover;
    let mut found = Received {
        velocity: read + state.carry.in_lanes(),
        astray: VelocityLanes::ZERO,
        added: VelocityLanes::ZERO,
        push: last.push.in_lanes(),
        drives: false,
    };
    if last.duration == 0.0 {
        return found;
    }
    let added = read - last.expected.in_lanes();
    let astray = Velocity {
        linear: (body.position - state.position).as_vec3() - last.place,
        angular: turned_since(last.rotation, body.rotation) - last.expected.angular * last.duration,
    };
    if is_unexplained(
        &astray,
        &added.truncated(),
        body.position,
        (gravity, last.duration),
    ) {
        state.carry = Velocity::ZERO;
        state.handover = Handover::NONE;
        found.velocity = read;
        found.push = VelocityLanes::ZERO;
        return found;
    }
    let ground = last.ground.velocity.at(-last.ground.place);
    let over_ground = body.linear_velocity - ground.linear;
    found.drives = over_ground.dot(over_ground) > DRIVING * DRIVING;
    let gain = settings.observer_gain;
    found.push = state.handover.observe(gain, &added, gravity, found.drives);
    found.astray = astray.in_lanes();
    found.added = added;
    found
}

/// Whether the body has the velocity that the last step set, and is where it was before: its world has not been
/// stepped since. One that would not move by more than rounding is not known to be.
#[inline]
#[must_use]
pub fn is_untouched(state: &VehicleState, body: &BodyState) -> bool {
    let last = &state.handover;
    let moves = || {
        let rounding = rounding(body.position);
        last.place.dot(last.place) > rounding * rounding
    };
    body.position == state.position
        && last.duration > 0.0
        && body.linear_velocity == mean(last.place, last.duration)
        && moves()
}

/// Mean of a velocity by which something `moved` in `dt` (`s`).
fn mean(moved: Vec3, dt: f32) -> Vec3 {
    moved * (1.0 / dt)
}

/// Roundings of a `position` (`m`, world) that an engine may keep in single precision (`m`).
pub(super) fn rounding(position: DVec3) -> f32 {
    1e-6 * (1.0 + position.abs().max_element() as f32)
}

/// Above this speed over the ground (`m/s`), a push along the road moves the car, and tires answer to that: it is
/// expected as it was in the last step.
const DRIVING: f32 = 1.0;

/// Rotation from `before` to `now` (`rad`); exactly 0 if nothing turned.
pub(super) fn turned_since(before: [f32; 4], now: Quat) -> Vec3 {
    math::turned_by(Quat::from_array(before), now, 1.0)
}

/// Displacement by which contacts may correct a body in a step without a change of velocity, over g·dt² (–).
const CONTACT_CORRECTION: f32 = 0.1;

/// Whether no step of `dt` (`s`) can explain that a body at this `position` (`m`, world) was displaced by `astray`
/// while its velocity changed by `added`: a teleport, a new origin, another body.
///
/// ```text
/// |Δx| > 2·dt·|Δv| + 0.1·g·dt² + rounding
/// ```
///
/// A push displaces a body by at most its change of velocity over the whole step. Contacts correct a
/// little more, and coordinates are rounded.
pub(super) fn is_unexplained(
    astray: &Velocity,
    added: &Velocity,
    position: DVec3,
    (gravity, dt): (Vec3, f32),
) -> bool {
    let length = |v: Vec3| math::sqrt(v.dot(v));
    // The angular slack (rad) equals the linear one of a point at a distance of 1 m.
    let slack = CONTACT_CORRECTION * length(gravity) * dt * dt + rounding(position);
    let exceeds = |moved: Vec3, change: Vec3| {
        // Most move by less than the slack.
        moved.dot(moved) > slack * slack && length(moved) > 2.0 * dt * length(change) + slack
    };
    exceeds(astray.linear, added.linear) || exceeds(astray.angular, added.angular)
}

impl Handover {
    /// Updates the estimate of what the engine adds, from the change of velocity Δv that it `added` in the
    /// last step, of which at most gravity's counts: a hit, which acts in a single step, leaves little. Returns what
    /// counts in the next step.
    ///
    /// ```text
    /// now  = gain·min(1, g·dt/|Δv|)·Δv/dt
    /// push ← push + now,      returned: push + now
    /// ```
    ///
    /// What is found counts at once, too: what stands on the car takes part in its motion, and a push that answers a step late
    /// would drive it on. Of torques, a tenth is kept: a load that is high has many times the body's own inertia.
    ///
    /// If the car `drives`, the push along the road and the torque about gravity's axis are expected as they were in the
    /// last step. Tires answer to the mean velocity of a step, and without the force of a joint in it, they damp the sway
    /// of a trailer too little, by the first order of dt. With it, what is left is dt² times the change of the force. An
    /// estimate that follows the force some steps behind lets trailers fold.
    fn observe(
        &mut self,
        gain: f32,
        added: &VelocityLanes,
        gravity: Vec3,
        drives: bool,
    ) -> VelocityLanes {
        const KEPT_OF_TORQUES: f32 = 0.1;
        let dt = self.duration;
        let square = gravity.dot(gravity);
        let most = square * dt * dt;
        let bounded = |change: Vec3| {
            let square = change.dot(change);
            if square > most {
                change * math::sqrt(most / square)
            } else {
                change
            }
        };
        let mut now = Velocity {
            linear: bounded(added.linear.truncate()),
            // At a distance of 1 m.
            angular: bounded(added.angular.truncate()),
        };
        if drives {
            let down = |v: Vec3| gravity * (v.dot(gravity) / square.max(f32::MIN_POSITIVE));
            let moving = Velocity {
                linear: now.linear - down(now.linear),
                angular: down(now.angular),
            };
            now = now - moving;
            self.push = self.push + moving * (1.0 / dt);
        }
        let kept = Velocity {
            angular: now.angular * KEPT_OF_TORQUES,
            ..now
        };
        let rate = gain / dt;
        self.push = self.push + kept * rate;
        (self.push + now * rate).in_lanes()
    }
}

impl Handover {
    /// Change of the true velocity in a step of `dt` (`s`) under the forces of the last step, which left
    /// `carry`: the true velocity exceeds the mean by half of the step's change. Without a last step, 0.
    ///
    /// ```text
    /// Δv = 2·carry·dt/duration
    /// ```
    #[must_use]
    pub fn change(&self, carry: Velocity, dt: f32) -> Velocity {
        if self.duration > 0.0 {
            carry * (2.0 * dt / self.duration)
        } else {
            Velocity::ZERO
        }
    }
}

/// Mean angular velocity of a step of `dt` (`rad/s`). Quaternions of single precision would lose most of a
/// standing car's, and its carcasses count them.
fn mean_angular(body: &BodyState, chassis: &Chassis, dt: f32) -> Vec3 {
    /// Up to this sum (`rad`), rotations about several axes add like vectors.
    const SMALL: f32 = 1e-3;
    /// Up to here (`rad`), a single arc is its own sum; from half a turn on, the shorter arc leads the other way.
    const SINGLE: f32 = 1.0;
    let turned = chassis.turned;
    let most = if turned == chassis.arc { SINGLE } else { SMALL };
    if turned.dot(turned) < most * most {
        turned * (1.0 / dt)
    } else {
        math::turned_by(body.rotation, chassis.rotation_with_arc(), dt)
    }
}

/// The motion that makes the engine move the body to where the substeps ended.
///
/// ```text
/// set      = v̄
/// carried  = g + push
/// expected = set·max(1 − damping·dt, 0)
/// carry    = v⁺ − set
/// ```
///
/// Gravity and push are already in v̄, so that the engine must not add them again. If something else than the
/// wheels carries the body, their sum is near 0: a car on its roof keeps its weight. `push` is that of [`receive`]. The ground is
/// not known any more.
pub fn hand_over(
    state: &mut VehicleState,
    body: &BodyState,
    chassis: &Chassis,
    push: &VelocityLanes,
    (gravity, dt): (Vec3, f32),
) -> Motion {
    let set = Velocity {
        linear: mean(chassis.moved, dt),
        angular: mean_angular(body, chassis, dt),
    };
    let next = &mut state.handover;
    next.expected = Velocity {
        linear: set.linear * (1.0 - body.linear_damping * dt).max(0.0),
        angular: set.angular * (1.0 - body.angular_damping * dt).max(0.0),
    };
    next.place = chassis.moved;
    next.rotation = body.rotation.to_array();
    next.ground = GroundHandover::NONE;
    next.duration = dt;
    state.carry = chassis.velocity.truncated() - set;
    Motion::StepMotion {
        linear: set.linear,
        angular: set.angular,
        carried: gravity + push.linear.truncate(),
        carried_angular: push.angular.truncate(),
    }
}

#[cfg(test)]
mod tests;
