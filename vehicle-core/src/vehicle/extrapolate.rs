//! A step without an update: extrapolation of the last one.

use glam::Vec3;

use super::solve::motion_by;
use super::{StepError, Vehicle, check_inputs};
use crate::base::lanes::{V3x4, W4};
use crate::base::math;
use crate::base::velocity::{Velocity, VelocityLanes};
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::step_record::StepRecord;
use crate::exchange::step_result::{Motion, StepResult};
use crate::params::profile::{ExplicitSettings, RowsSettings, Solver};
use crate::solvers::rows::observer;
use crate::stages::chassis::Chassis;
use crate::stages::spin::{self, AngleWrap};

/// Speed of the engine after the last update, and its change since the update before, for extrapolation; those of the
/// wheels are beside their rotation. Corrections that an update makes for extrapolated steps are not part of it;
/// otherwise, each following step would repeat them.
#[derive(Clone, Debug)]
pub(super) struct Trend {
    /// Engine speed after the last update (`rad/s`).
    engine: f32,
    /// Change of the engine speed since the update before (`rad/s`).
    engine_changed: f32,
    /// Duration of this change and those of the wheels (`s`); 0 if unknown.
    duration: f32,
    /// Time since the last update (`s`); infinite if there was none.
    since: f32,
    /// Pose drift since then (`m`, `rad`, world axes): the next update counts it.
    pose_drift: VelocityLanes,
}

impl Trend {
    /// Trend before any update.
    pub(super) const NONE: Self = Self {
        engine: 0.0,
        engine_changed: 0.0,
        duration: 0.0,
        since: f32::INFINITY,
        pose_drift: VelocityLanes::ZERO,
    };

    /// Invalidates the history: earlier speeds are not comparable.
    pub(super) fn forget(&mut self) {
        self.duration = 0.0;
        self.since = f32::INFINITY;
        self.pose_drift = VelocityLanes::ZERO;
    }

    /// Takes what the engine moved the body by since the last update.
    #[inline]
    pub(super) fn take_pose_drift(&mut self) -> VelocityLanes {
        core::mem::replace(&mut self.pose_drift, VelocityLanes::ZERO)
    }
}

impl Vehicle {
    /// Records the speed of the engine after an update of `dt` (`s`).
    pub(super) fn note_trend(&mut self, dt: f32) {
        let trend = &mut self.trend;
        let engine = self.state.drive.engine_speed;
        trend.engine_changed = engine - trend.engine;
        trend.engine = engine;
        let known = trend.since < f32::INFINITY;
        trend.duration = if known { trend.since + dt } else { 0.0 };
        trend.since = 0.0;
    }

    /// Implements [`phases::extrapolate`](crate::phases::extrapolate).
    pub(crate) fn extrapolate(
        &mut self,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Result<StepResult, StepError> {
        self.ground.forget_pushes();
        self.forget_turning();
        self.input_error = None;
        let gravity = self.gravity.unwrap_or(gravity);
        check_inputs(body, gravity, dt)?;
        self.take_probe();
        self.asleep = body.asleep;
        if body.asleep {
            self.fall_asleep();
            return Ok(StepResult::default());
        }
        self.follow(body);
        let motion = match self.model.params().profile.solver {
            Solver::Rows(settings) => self.glide_on(&settings, body, gravity, dt),
            Solver::Explicit(settings) => self.roll_on(&settings, body, gravity, dt),
        };
        self.probed.end();
        self.begin_turning(dt);
        self.turn_on(dt);
        self.state
            .set_needs_update(self.needs_update(body.mass, gravity));
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(StepError::Overflow);
        }
        // No command is read; if there is one, the next update wakes the body.
        let wake = self.decides_sleep() && !self.is_at_rest();
        Ok(StepResult { motion, wake })
    }

    /// The motion with the rows solver.
    fn glide_on(
        &mut self,
        settings: &RowsSettings,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Motion {
        let (carry, last) = (self.state.carry, self.state.last_step);
        let observation = observer::begin_step(settings, &mut self.state, body, gravity);
        self.trend.pose_drift = self.trend.pose_drift + observation.pose_drift;
        // What was given to the body, it has at once: without an update, no substep spreads it.
        let velocity = (observation.velocity + observation.velocity_jump).truncated();
        let carried = carried_by_wheels(self.lift(body, gravity));
        let mut chassis = Chassis::new(body, velocity.linear, velocity.angular);
        let locked = carried == 1.0 && self.has_locked_wheel();
        if !(locked && velocity.is_below(CREEPING)) {
            let change =
                self.change_onwards(&velocity, (last, carry), (carried, locked), gravity, dt);
            chassis.glide(&change.in_lanes(), dt);
        }
        self.matrix = math::matrix(chassis.rotation_with_arc());
        self.updated = chassis.velocity.truncated();
        observer::end_step(
            &mut self.state,
            body,
            &chassis,
            &observation.push,
            (gravity, dt),
        )
    }

    /// Change of a `velocity` as in the `last` step, which left so much carry: of a car of whose weight its wheels carry this
    /// part, and of which brakes or engine may lock one.
    fn change_onwards(
        &self,
        velocity: &Velocity,
        (last, carry): (StepRecord, Velocity),
        (carried, locked): (f32, bool),
        gravity: Vec3,
        dt: f32,
    ) -> Velocity {
        // The step record may have been invalid.
        let mut end = if self.state.last_step.duration > 0.0 {
            *velocity + last.change(carry, dt)
        } else {
            let falling = gravity * ((1.0 - carried) * dt);
            Velocity {
                linear: velocity.linear + falling,
                ..*velocity
            }
        };
        if carried == 1.0 && velocity.is_below(STANDING) {
            // The forces that stop a car would drive it back, and make it oscillate forever; those of locked or
            // braked wheels only slow it.
            let onwards = |before: Vec3, v: Vec3| {
                let slows = before.dot(v) > 0.0 && (!locked || v.dot(v) <= before.dot(before));
                if slows { v } else { Vec3::ZERO }
            };
            end.linear = onwards(velocity.linear, end.linear);
            end.angular = onwards(velocity.angular, end.angular);
        }
        end - *velocity
    }

    /// The motion with the explicit solver: the weight is carried, and the correction of bump stops is
    /// reverted.
    fn roll_on(
        &mut self,
        settings: &ExplicitSettings,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Motion {
        let carried = gravity * carried_by_wheels(self.lift(body, gravity));
        let given_back = core::mem::replace(&mut self.state.carry, Velocity::ZERO);
        let (linear, angular) = (given_back.linear - carried * dt, given_back.angular);
        motion_by(settings, linear, angular, dt)
    }

    /// Advances timers of gears; changes the speeds of wheels and engine as between the last two updates,
    /// without reversing them.
    fn turn_on(&mut self, dt: f32) {
        let explicit = self.model.params().profile.explicit();
        let wrap = AngleWrap::of(explicit);
        let by_rows = explicit.is_none();
        self.control.smooth = by_rows;
        let (drive, wheels) = (&mut self.state.drive, &mut self.state.wheels);
        self.model
            .drivetrain()
            .change_gears(drive, wheels, dt, &mut self.control);
        if !by_rows {
            self.model
                .drivetrain()
                .substep(drive, dt, &mut self.control);
        }
        let trend = &mut self.trend;
        // Wheels whose speed changes under a chassis whose speed does not would slip.
        let part = if by_rows && trend.duration > 0.0 {
            dt / trend.duration
        } else {
            0.0
        };
        for (last, wheels) in self.turning.iter().zip(wheels.iter_mut()) {
            let now = wheels.spin;
            let next = now + last.changed * W4::splat(part);
            wheels.spin = (next * now).gt(W4::ZERO).keep(next);
            wheels.spin_shown = wheels.spin;
            spin::turn_on(wheels, wrap, dt);
        }
        drive.engine_speed = (drive.engine_speed + trend.engine_changed * part).max(0.0);
        trend.since += dt;
    }

    /// Whether a vehicle of this `mass` (`kg`) under `gravity` (`m/s²`) needs an update in the next step, because the forces of
    /// the last one would not do: those that stop a fall would throw it off the ground.
    #[inline]
    pub(super) fn needs_update(&self, mass: f32, gravity: Vec3) -> bool {
        let by_rows = self.model.params().profile.rows().is_some();
        let mut load = W4::ZERO;
        self.state
            .wheels
            .each(|_, wheels| load += wheels.normal_force);
        let (load, most) = (load.sum(), MOST_LOAD * mass);
        let is_pressed = load * load > most * most * gravity.dot(gravity);
        by_rows && (is_pressed || self.comes_to_rest())
    }

    /// Whether a car that brakes or engine lock still moves on its springs: without updates, it would come to rest later.
    fn comes_to_rest(&self) -> bool {
        let moves = self.updated.is_below(CREEPING) && !self.updated.is_below(SETTLED);
        moves && self.has_locked_wheel()
    }

    /// Whether a wheel is braked, or does not turn at all on the ground, as only brakes and engine can lock it.
    fn has_locked_wheel(&self) -> bool {
        let mut wheels = self.state.wheels.iter();
        let brakes = self.control.wheels.iter().any(|w| w.brake.sum() > 0.0);
        brakes || wheels.any(|w| (w.spin.same(W4::ZERO) & w.normal_force.gt(W4::ZERO)).any())
    }

    /// Vertical force of the wheels over the weight in the last update (–), without the
    /// tires' part; 0 where nothing has any weight.
    fn lift(&self, body: &BodyState, gravity: Vec3) -> f32 {
        let down = V3x4::splat(gravity);
        let wheels = self.state.wheels.iter();
        let along = wheels.map(|w| (w.ground_normal.dot(down) * w.normal_force).sum());
        let weight = body.mass * gravity.dot(gravity);
        if weight > 0.0 {
            -along.sum::<f32>() / weight
        } else {
            0.0
        }
    }
}

/// Load of the wheels over the weight up to which a step may be extrapolated (–): wheels do not accelerate the vehicle away from
/// the ground by more than it falls. With more, in loops of 8 to 30 m at 30 Hz, extrapolated steps raised the energy by up to
/// 74 %.
const MOST_LOAD: f32 = 2.0;

/// Below this, a car is about to stand (`m/s`, `rad/s`).
const STANDING: f32 = 0.3;

/// Below this speed, a car that brakes or engine lock does not move in a step without an update (`m/s`, `rad/s`).
const CREEPING: f32 = 0.05;

/// Below this speed, a car that brakes or engine lock has come to rest (`m/s`, `rad/s`): what is left moves it by a tenth of a
/// millimeter.
const SETTLED: f32 = 1e-4;

/// Part of gravity that wheels carry whose vertical force over the weight is `lift` (–): all from half of the
/// weight on, below in proportion.
fn carried_by_wheels(lift: f32) -> f32 {
    (2.0 * lift).clamp(0.0, 1.0)
}
