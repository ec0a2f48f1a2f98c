//! Hand-over between steps: the engine moves the body, adds its own forces, and is read again
//! (ROWS §8, §9).
//!
//! The engine receives the *mean* velocity of a step, so that it moves the body as the substeps did,
//! however it splits the step. The state carries the difference between the true velocity and the mean.
//! An observer estimates what the engine adds. Substeps treat the estimate as gravity, and the engine cancels
//! both by a force, so that a body whose wheels stick has no velocity at all. A velocity that was given between two steps
//! is not estimated, but spread over the next.
//!
//! The equations stand above [`end_step`], [`begin_step`] and the functions that they call. There, v̄ and v⁺
//! are the substeps' mean and final velocity, and g is gravity. Rotation follows the same equations with
//! g = 0.

use core::hint::cold_path;

use glam::{DVec3, Quat, Vec3};

use super::tuning::{CONTACT_CORRECTION, ROLLING_SPEED, SINGLE_ROUNDING, TURNED_ROUNDING};
use crate::base::math;
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::state::VehicleState;
use crate::exchange::step_record::{GroundRecord, StepRecord};
use crate::exchange::step_result::Motion;
use crate::params::profile::RowsSettings;
use crate::stages::chassis::Chassis;

/// The body as observed after the engine's step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyObservation {
    /// True velocity of the chassis (`m/s`, `rad/s`).
    pub velocity: VelocityLanes,
    /// Displacement of the body from where the substeps ended (`m`, `rad`).
    pub pose_drift: VelocityLanes,
    /// Change of `velocity` by the engine beyond the estimated push (`m/s`, `rad/s`).
    pub external_change: VelocityLanes,
    /// Estimated acceleration by the engine in the step that begins (`m/s²`, `rad/s²`).
    pub push: VelocityLanes,
    /// Velocity that the body was given after the engine's last step (`m/s`, `rad/s`). It is not part of `velocity`, but gained
    /// throughout the step that begins.
    pub velocity_jump: VelocityLanes,
    /// Whether the body moves faster than 1 m/s relative to the ground of the last step.
    pub is_rolling: bool,
    /// Whether the body begins anew in this step: there was no step before, or it was put somewhere else.
    pub placed: bool,
}

/// Begins a step: compares the body with the record of the last one and updates the observer.
///
/// ```text
/// v  = v_read + carry
/// Δv = v_read − expected        Δx = x_read − x⁺
/// ```
///
/// After an unexplained displacement, `moved_by_hand` says what is left of the carry; after a hit, `taken_by_hit`.
pub fn begin_step(
    settings: &RowsSettings,
    state: &mut VehicleState,
    body: &BodyState,
    gravity: Vec3,
) -> BodyObservation {
    let last = &state.last_step;
    let dt = last.duration;
    let mut observation = BodyObservation {
        velocity: body.velocity().in_lanes() + state.carry.in_lanes(),
        pose_drift: VelocityLanes::ZERO,
        external_change: VelocityLanes::ZERO,
        push: last.push.in_lanes(),
        velocity_jump: VelocityLanes::ZERO,
        is_rolling: false,
        placed: dt == 0.0,
    };
    if observation.placed {
        return observation;
    }
    let mut pose_drift = Velocity {
        linear: (body.position - state.position).as_vec3() - last.position,
        angular: turned_since(last.rotation, body.rotation) - last.expected.angular * dt,
    };
    let mut external_change = body.velocity() - last.expected;
    let displacement = last.expected.linear * dt;
    let by_hand = is_unexplained(
        &pose_drift,
        &external_change,
        &last.push,
        body.position,
        (gravity, dt),
    );
    state.set_arrived(
        !by_hand && 4.0 * pose_drift.linear.dot(pose_drift.linear) < displacement.dot(displacement),
    );
    if by_hand {
        cold_path();
        observation.placed = is_put_elsewhere(&pose_drift, gravity);
        let Some(rest) = moved_by_hand(state, body, observation.placed, gravity) else {
            return observation.begun_anew(body);
        };
        observation.velocity = body.velocity().in_lanes() + state.carry.in_lanes();
        // The engine may have moved the body by any part of it.
        (external_change, pose_drift) = (rest, Velocity::ZERO);
    }
    let mut moved = if by_hand {
        external_change * dt
    } else {
        pose_drift
    };
    if external_change.linear.dot(external_change.linear) > gravity.dot(gravity) * (dt * dt) {
        cold_path();
        if let Some(taken) = taken_by_hit(state, body, &external_change, gravity) {
            observation.velocity = observation.velocity - taken.in_lanes();
            moved = external_change * dt;
        }
    }
    observation.is_rolling = state.last_step.is_rolling(body);
    observation.pose_drift = pose_drift.in_lanes();
    observation.external_change = external_change.in_lanes();
    let engine = (gravity, SINGLE_ROUNDING * rounding(body.position));
    let gain = settings.observer_gain;
    state
        .last_step
        .observe(gain, &moved, engine, &mut observation);
    observation.velocity = observation.velocity - observation.velocity_jump;
    observation.external_change = observation.external_change - observation.velocity_jump;
    observation
}

impl BodyObservation {
    /// The `body` with the velocity as it was read, as if there had been no step before.
    fn begun_anew(self, body: &BodyState) -> Self {
        Self {
            velocity: body.velocity().in_lanes(),
            push: VelocityLanes::ZERO,
            placed: true,
            ..self
        }
    }
}

/// Whether the body has the velocity that the last step set, and is where it was before: its world has not been
/// stepped since. One that would not move by more than rounding is not known to be, nor one that did not arrive in the step before:
/// somebody places it.
#[inline]
#[must_use]
pub fn is_untouched(state: &VehicleState, body: &BodyState) -> bool {
    let last = &state.last_step;
    let moves = || {
        let rounding = rounding(body.position);
        last.position.dot(last.position) > rounding * rounding
    };
    state.arrived()
        && body.position == state.position
        && last.duration > 0.0
        && body.linear_velocity == mean(last.position, last.duration)
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

/// Rotation from `before` to `now` (`rad`); exactly 0 if nothing turned.
pub(super) fn turned_since(before: [f32; 4], now: Quat) -> Vec3 {
    math::turned_by(Quat::from_array(before), now, 1.0)
}

fn length(v: Vec3) -> f32 {
    math::sqrt(v.dot(v))
}

/// Whether no step of `dt` (`s`) can explain that a body at this `position` (`m`, world) was displaced by `pose_drift`
/// while its velocity changed by `external_change`: a teleport, a new origin, another body.
///
/// ```text
/// |Δx + x| > 2·dt·|Δv| + 0.1·g·dt² + rounding      for x = 0 to push·dt²
/// ```
///
/// A push displaces a body by at most its change of velocity over the whole step. Contacts correct a
/// little more, and coordinates are rounded. The engine cancels the `push` that it was estimated to add (`m/s²`, `rad/s²`): a body
/// that it no longer pushes is displaced by that, and if others give the push as an impulse after the step, its velocity does not even
/// change.
pub(super) fn is_unexplained(
    pose_drift: &Velocity,
    external_change: &Velocity,
    push: &Velocity,
    position: DVec3,
    (gravity, dt): (Vec3, f32),
) -> bool {
    // The angular slack (rad) equals the linear one of a point at a distance of 1 m.
    let slack = CONTACT_CORRECTION * length(gravity) * dt * dt + rounding(position);
    let exceeds = |moved: Vec3, change: Vec3, push: Vec3| {
        // Most move by less than the slack.
        moved.dot(moved) > slack * slack && {
            let bound = 2.0 * dt * length(change) + slack;
            let square = push.dot(push).max(f32::MIN_POSITIVE);
            let canceled = (-moved.dot(push) / square).clamp(0.0, dt * dt);
            length(moved + push * canceled) > bound
        }
    };
    exceeds(pose_drift.linear, external_change.linear, push.linear)
        || exceeds(pose_drift.angular, external_change.angular, push.angular)
}

/// Whether a displacement by hand can bring a wheel from within its travel deep into the ground: it is longer than 5 cm (at a
/// distance of 1 m), and does not lead up, as that of a contact does of a body that is too deep.
fn is_put_elsewhere(pose_drift: &Velocity, gravity: Vec3) -> bool {
    const FAR: f32 = 0.05;
    !pose_drift.is_below(FAR) && !leads_along(pose_drift.linear, -gravity)
}

/// Whether a `displacement` leads in a `direction` rather than across it: by up to 45°.
fn leads_along(displacement: Vec3, direction: Vec3) -> bool {
    let along = displacement.dot(direction);
    along > 0.0 && 2.0 * along * along > displacement.dot(displacement) * direction.dot(direction)
}

/// Turns carry and estimates with a body whose pose was set between steps, if its velocity was turned with it. Returns the
/// rest of the change of its velocity; `None` if its velocity was set, too: carry and observer then restart.
///
/// The velocity of a body that is moved is its own still, and so is the part of it in the carry: a correction of a
/// position, a new origin, and a portal keep both. The velocity of one that is `put_elsewhere` was set if it differs by more
/// than gravity's change in a step and rounding.
fn moved_by_hand(
    state: &mut VehicleState,
    body: &BodyState,
    put_elsewhere: bool,
    gravity: Vec3,
) -> Option<Velocity> {
    let last = &mut state.last_step;
    let square = |v: &Velocity| v.linear.dot(v.linear) + v.angular.dot(v.angular);
    // In space, a velocity that was turned differs by its rounding alone.
    let rounding = TURNED_ROUNDING * math::sqrt(square(&last.expected));
    let most = length(gravity) * last.duration + rounding;
    let expected = math::turn(
        Quat::from_array(last.rotation),
        last.expected.angular,
        last.duration,
    );
    let back = Quat::from_xyzw(-expected.x, -expected.y, -expected.z, expected.w);
    let turn = math::matrix(math::compose(body.rotation, back));
    let turned = |v: Velocity| v.in_lanes().rotated(&turn).truncated();
    let kept = body.velocity() - last.expected;
    let kept_if_turned = body.velocity() - turned(last.expected);
    let turns = square(&kept_if_turned) < square(&kept);
    let external_change = if turns { kept_if_turned } else { kept };
    let was_set = |v: Vec3| v.dot(v) > most * most;
    if put_elsewhere && (was_set(external_change.linear) || was_set(external_change.angular)) {
        state.carry = Velocity::ZERO;
        state.last_step = StepRecord::NONE;
        return None;
    }
    if !turns {
        return Some(external_change);
    }
    state.carry = turned(state.carry);
    last.push = turned(last.push);
    // The rest has the rounding of a velocity that was turned.
    Some(Velocity::ZERO)
}

/// Part of the carry that a hit by the ground, which changed the velocity by `hit`, already took (`m/s`, `rad/s`); `None` if it was
/// no hit.
///
/// ```text
/// c = carry′·M·hit / hit·M·hit,      taken = clamp(c, ±1)·hit
/// ```
///
/// The engine stops a body that moves at the mean velocity. Springs that slowed it down within the step, carry′, had
/// left the ground less to stop, or nothing. Gravity and pushes go on during a hit, and do not count.
///
/// A hit differs from a push by its direction: along the ground's normal, it is at least half of what it stops.
fn taken_by_hit(
    state: &VehicleState,
    body: &BodyState,
    hit: &Velocity,
    gravity: Vec3,
) -> Option<Velocity> {
    let last = &state.last_step;
    let half = 0.5 * last.duration;
    let wheels = state.carry - last.push * half;
    let wheels = Velocity {
        linear: wheels.linear - gravity * half,
        ..wheels
    };
    let axes = math::matrix(body.rotation);
    let inverse_inertia = axes * body.inverse_inertia * axes.transpose();
    let spin = body.locked_axes.torque_for(inverse_inertia, hit.angular);
    let along = |v: &Velocity, linear: Vec3| v.linear.dot(linear) * body.mass + v.angular.dot(spin);
    let normal: Vec3 = state.wheels.iter().map(|w| w.ground_normal.sum()).sum();
    let square = normal.dot(normal).max(f32::MIN_POSITIVE);
    let straight = normal * (hit.linear.dot(normal) / square);
    let stops = -along(&last.expected, straight) >= 0.5 * along(hit, straight);
    let share = along(&wheels, hit.linear) / along(hit, hit.linear);
    let is_hit = leads_along(hit.linear, normal) && stops && share.is_finite();
    is_hit.then(|| *hit * share.clamp(-1.0, 1.0))
}

/// Part of a `change` of velocity (`m/s`) that was given after the step, which `moved` the body by less (`m/s`, displacement over
/// dt).
///
/// ```text
/// Δv = e + w,  Δx = σ·e·dt,  ½ ≤ σ ≤ 1        e = Δx/dt·clamp(Δv·Δx·dt/|Δx|², 1, 2),  |e|² ≤ max(|Δv|², known)
/// ```
///
/// σ depends on how many substeps an engine has: of those that it can have, the one that leaves the least to w. A displacement
/// that e = Δv explains but for `rounding` (`m/s`) is explained by it. e may cancel what the engine is `known` to add (square,
/// `m²/s²`).
#[inline(always)]
fn given_after(change: Vec3, moved: Vec3, (known, rounding): (f32, f32)) -> Vec3 {
    let square = change.dot(change);
    let along = change.dot(moved);
    let part = (along / square.max(f32::MIN_POSITIVE)).clamp(0.5, 1.0);
    let rest = moved - change * part;
    if rest.dot(rest) <= rounding * rounding {
        return Vec3::ZERO;
    }
    cold_path();
    let within = moved * (along / moved.dot(moved).max(f32::MIN_POSITIVE)).clamp(1.0, 2.0);
    let size = within.dot(within).max(f32::MIN_POSITIVE);
    change - within * math::sqrt((square.max(known) / size).min(1.0))
}

impl StepRecord {
    /// Updates the estimate of what the engine adds, from the change of velocity Δv that was observed in the
    /// last step, of which at most gravity's counts: a hit, which acts in a single step, leaves little. Sets in `observation`
    /// what counts in the next step.
    ///
    /// ```text
    /// now  = gain·min(1, g·dt/|Δv|)·e/dt,      e = Δv − w
    /// push ← push + now,      observed: push + now, given = w
    /// ```
    ///
    /// w is what was [`given_after`] the step, by how far the engine `moved` the body away (`m`, `rad`).
    ///
    /// The estimate counts at once, too: what stands on the car takes part in its motion, and a push that responds a step late
    /// would drive it on. Of torques, a tenth is kept: a load that is high has many times the body's own inertia.
    ///
    /// If the car drives, the push along the road and the torque about gravity's axis are expected as they were in the
    /// last step. Tires respond to the mean velocity of a step, and without the force of a joint in it, they damp the sway
    /// of a trailer too little, by the first order of dt. With it, what is left is dt² times the change of the force. An
    /// estimate that follows the force some steps behind lets trailers fold. Joints correct positions, too: there, e is no
    /// more than Δv.
    fn observe(
        &mut self,
        gain: f32,
        moved: &Velocity,
        (gravity, rounding): (Vec3, f32),
        observation: &mut BodyObservation,
    ) {
        const KEPT_OF_TORQUES: f32 = 0.1;
        let per_time = 1.0 / self.duration;
        let square = gravity.dot(gravity);
        let along_road = |v: &Velocity| {
            let down = |v: Vec3| gravity * (v.dot(gravity) / square.max(f32::MIN_POSITIVE));
            Velocity {
                linear: v.linear - down(v.linear),
                angular: down(v.angular),
            }
        };
        let external_change = observation.external_change.truncated();
        let counts = self.counts(&external_change, square);
        let counted = |v: Velocity| Velocity {
            linear: v.linear * counts[0],
            angular: v.angular * counts[1],
        };
        let (mut now, mut away) = (external_change, *moved * per_time);
        let mut given = Velocity::ZERO;
        if observation.is_rolling {
            let (road, road_away) = (along_road(&now), along_road(&away));
            given = Self::given(&road, &road_away, &Velocity::ZERO, rounding * per_time);
            (now, away) = (now - road, away - road_away);
            self.push = self.push + counted(road - given) * per_time;
        }
        let known = self.push * self.duration;
        let rest = Self::given(&now, &away, &known, rounding * per_time);
        now = counted(now - rest);
        let kept = Velocity {
            angular: now.angular * KEPT_OF_TORQUES,
            ..now
        };
        let rate = gain * per_time;
        self.push = self.push + kept * rate;
        observation.push = (self.push + now * rate).in_lanes();
        observation.velocity_jump = (given + rest).in_lanes();
    }

    /// [`given_after`] of both parts of a velocity.
    #[inline(always)]
    fn given(change: &Velocity, moved: &Velocity, known: &Velocity, rounding: f32) -> Velocity {
        let of =
            |change, moved, known: Vec3| given_after(change, moved, (known.dot(known), rounding));
        Velocity {
            linear: of(change.linear, moved.linear, known.linear),
            angular: of(change.angular, moved.angular, known.angular),
        }
    }

    /// Part of a change of velocity that counts, linear and angular (–): as much as gravity, of this `square`, changes it in the
    /// last step.
    #[inline(always)]
    fn counts(&self, change: &Velocity, square: f32) -> [f32; 2] {
        let most = square * self.duration * self.duration;
        // Angular velocities at a distance of 1 m.
        [change.linear, change.angular].map(|change| {
            let square = change.dot(change);
            if square > most {
                math::sqrt(most / square)
            } else {
                1.0
            }
        })
    }

    /// Whether a `body` is faster than 1 m/s over the ground of the last step.
    fn is_rolling(&self, body: &BodyState) -> bool {
        let ground = self.ground.velocity.at(-self.ground.position);
        let over_ground = body.linear_velocity - ground.linear;
        over_ground.dot(over_ground) > ROLLING_SPEED * ROLLING_SPEED
    }
}

impl StepRecord {
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
    /// Sum (`rad`) up to which rotations about several axes add like vectors.
    const SMALL: f32 = 1e-3;
    /// Angle (`rad`) up to which a single arc is its own sum; from half a turn on, the shorter arc leads the other way.
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
/// canceled = g + push
/// expected = set·max(1 − damping·dt, 0)
/// carry    = v⁺ − set
/// ```
///
/// Gravity and push are already in v̄, so that the engine must not add them again. If something else than the
/// wheels carries the body, their sum is near 0: a car on its roof keeps its weight. `push` is that of [`begin_step`]. The ground is
/// not known any more.
pub fn end_step(
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
    let next = &mut state.last_step;
    next.expected = Velocity {
        linear: set.linear * (1.0 - body.linear_damping * dt).max(0.0),
        angular: set.angular * (1.0 - body.angular_damping * dt).max(0.0),
    };
    next.position = chassis.moved;
    next.rotation = body.rotation.to_array();
    next.ground = GroundRecord::NONE;
    next.duration = dt;
    state.carry = chassis.velocity.truncated() - set;
    Motion::StepMotion {
        linear: set.linear,
        angular: set.angular,
        canceled_acceleration: gravity + push.linear.truncate(),
        canceled_angular_acceleration: push.angular.truncate(),
    }
}

#[cfg(test)]
mod tests;
