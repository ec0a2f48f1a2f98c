//! A step without an update: the vehicle goes on as it did.

use glam::Vec3;

use super::solve::handed_over;
use super::{Refused, Vehicle, check_inputs};
use crate::base::lanes::{Groups, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::Tick;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::outcome::{Motion, Outcome};
use crate::exchange::state::Handover;
use crate::params::profile::{OutputMode, RowsSettings, Solver};
use crate::solvers::rows::handover::{self, Ending};
use crate::stages::chassis::Chassis;
use crate::stages::spin::{self, AngleWrap};

/// How wheels and engine turned after the last update, and by how much that differs from the update
/// before: what they are extrapolated by. What an update puts right of the steps between is no part of it,
/// or it would be put right again in each step that follows.
#[derive(Clone, Debug)]
pub(super) struct Trend {
    /// Spins after the last update (`rad/s`).
    spins: Groups<W4>,
    /// By how much they have changed since the update before (`rad/s`).
    spins_changed: Groups<W4>,
    /// Engine speed after the last update (`rad/s`).
    engine: f32,
    /// By how much it has changed since the update before (`rad/s`).
    engine_changed: f32,
    /// How long these changes took (`s`); 0 if they are not known.
    duration: f32,
    /// Time since the last update (`s`), if there was one.
    since: Option<f32>,
}

impl Trend {
    /// Nothing is known, for so many wheels.
    pub(super) fn unknown(wheels: usize) -> Self {
        Self {
            spins: Groups::for_wheels(wheels, |_| W4::ZERO),
            spins_changed: Groups::for_wheels(wheels, |_| W4::ZERO),
            engine: 0.0,
            engine_changed: 0.0,
            duration: 0.0,
            since: None,
        }
    }

    /// What was is not to be compared with what comes.
    pub(super) fn forget(&mut self) {
        self.duration = 0.0;
        self.since = None;
    }
}

impl Vehicle {
    /// Notes how wheels and engine turn after an update of `dt` (`s`).
    pub(super) fn note_trend(&mut self, dt: f32) {
        let trend = &mut self.trend;
        let spins = trend.spins.iter_mut().zip(trend.spins_changed.iter_mut());
        for ((spin, changed), wheels) in spins.zip(self.state.wheels.iter()) {
            *changed = wheels.spin - *spin;
            *spin = wheels.spin;
        }
        let engine = self.state.drive.engine_speed;
        trend.engine_changed = engine - trend.engine;
        trend.engine = engine;
        trend.duration = trend.since.map_or(0.0, |since| since + dt);
        trend.since = Some(0.0);
    }

    /// A step of `dt` (`s`) under `gravity` (`m/s²`, world axes) in which the vehicle goes on as in the last
    /// one: cheap, and right for one or two steps between updates. No command is read and the suspension
    /// stays; time passes for gears, and wheels and engine change their speeds as between the last two
    /// updates. These changes are no part of the state: after one was restored, both speeds stay until two
    /// updates have shown them.
    ///
    /// With the rows solver the velocity changes as it did in the last update; that of a car that stands
    /// does not turn back. With the explicit
    /// solver it stays, as the speeds of wheels and engine do. Either way a vehicle falls as far as its
    /// wheels did not carry it: from half of its weight on, they count as carrying all of it.
    ///
    /// It is right for a vehicle that [knows its ground](Self::knows_ground). Pedals stay as they were in
    /// the last update; none is pressed after a state was restored or changed.
    ///
    /// # Errors
    /// If a value is not finite or out of range; see [`Refused`].
    pub fn extrapolate(
        &mut self,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Result<Outcome, Refused> {
        self.forget_reactions();
        self.forget_turning();
        check_inputs(body, gravity, dt)?;
        if body.asleep {
            self.fall_asleep();
            return Ok(Outcome::default());
        }
        let motion = match self.kind.params().profile.solver {
            Solver::Rows(settings) => self.glide_on(&settings, body, gravity, dt),
            Solver::Explicit(settings) => self.roll_on(settings.output, body, gravity, dt),
        };
        self.follow(body);
        self.probed = false;
        self.begin_turning();
        self.turn_on(dt);
        self.end_turning(dt);
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(Refused::Overflow);
        }
        // No command was read; what it asks for wakes the body in the next update.
        let wake = self.decides_sleep() && !self.is_at_rest();
        Ok(Outcome { motion, wake })
    }

    /// The rows solver's motion.
    fn glide_on(
        &mut self,
        settings: &RowsSettings,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Motion {
        let (carry, told) = (self.state.carry, self.state.handover);
        let velocity = handover::receive(settings, &mut self.state, body, gravity);
        let lift = self.lift(body, gravity);
        // What was told may have turned out not to hold.
        let known = if self.state.handover.duration > 0.0 {
            told
        } else {
            Handover::NONE
        };
        let mut end = velocity + known.change(carry, lift, gravity, dt);
        if told.standing {
            // What stops a standing car would drive it back, and rock it to and fro for ever.
            let onwards = |before: Vec3, v: Vec3| if before.dot(v) > 0.0 { v } else { Vec3::ZERO };
            end.linear = onwards(velocity.linear, end.linear);
            end.angular = onwards(velocity.angular, end.angular);
        }
        let mut chassis = Chassis::new(body, velocity.linear, velocity.angular);
        let end = Velocity {
            linear: chassis.to_vehicle(end.linear),
            angular: chassis.to_vehicle(end.angular),
        };
        chassis.glide(&end, dt);
        self.matrix = chassis.matrix;
        self.updated = Velocity {
            linear: chassis.linear,
            angular: chassis.angular,
        };
        let ending = Ending {
            lift,
            standing: told.standing,
        };
        handover::hand_over(&mut self.state, body, &chassis, ending, gravity, dt)
    }

    /// The explicit solver's motion: the weight is carried, and what a bump stop corrected is given
    /// back.
    fn roll_on(&mut self, output: OutputMode, body: &BodyState, gravity: Vec3, dt: f32) -> Motion {
        let carried = gravity * handover::carried_by_wheels(self.lift(body, gravity));
        let given_back = core::mem::replace(&mut self.state.carry, Velocity::ZERO);
        let (linear, angular) = (given_back.linear - carried * dt, given_back.angular);
        handed_over(output, linear, angular, dt)
    }

    /// Time passes for gears; wheels and engine change their speeds as between the last two updates, but
    /// do not turn back.
    fn turn_on(&mut self, dt: f32) {
        let explicit = self.kind.params().profile.explicit();
        let wrap = AngleWrap::of(explicit);
        let tick = Tick {
            duration: dt,
            exact: explicit.is_none(),
        };
        let (drive, wheels) = (&mut self.state.drive, &mut self.state.wheels);
        self.kind
            .drivetrain()
            .shift(drive, wheels, tick, &mut self.control);
        if !tick.exact {
            self.kind.drivetrain().substep(drive, dt, &mut self.control);
        }
        let trend = &mut self.trend;
        // Wheels that change under a chassis that does not would slip.
        let part = if tick.exact && trend.duration > 0.0 {
            dt / trend.duration
        } else {
            0.0
        };
        for (changed, wheels) in trend.spins_changed.iter().zip(wheels.iter_mut()) {
            let now = wheels.spin;
            let next = now + *changed * W4::splat(part);
            wheels.spin = (next * now).gt(W4::ZERO).keep(next);
            wheels.spin_shown = wheels.spin;
            spin::turn_on(wheels, wrap, dt);
        }
        drive.engine_speed = (drive.engine_speed + trend.engine_changed * part).max(0.0);
        trend.since = trend.since.map(|since| since + dt);
    }

    /// What the wheels lifted over the weight in the last update (–), [`Ending::lift`], but for the tires'
    /// share in it.
    fn lift(&self, body: &BodyState, gravity: Vec3) -> f32 {
        let down = V3x4::splat(gravity);
        let wheels = self.state.wheels.iter();
        let along = wheels.map(|w| (w.ground_normal.dot(down) * w.normal_force).sum());
        -along.sum::<f32>() / (body.mass * gravity.dot(gravity))
    }
}
