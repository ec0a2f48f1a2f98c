//! A step without an update: the vehicle goes on as it did.

use glam::Vec3;

use super::{Refused, Vehicle, check_inputs};
use crate::chassis::{Chassis, Velocity};
use crate::drivetrain::Tick;
use crate::lanes::{V3x4, W4};
use crate::outcome::{Motion, Outcome};
use crate::profile::{OutputMode, Solver};
use crate::rigid_bodies::BodyState;
use crate::rows::handover::{self, Ending};
use crate::spin::{self, Display};
use crate::state::WheelState;

/// How the engine turned before the last step: what it is extrapolated from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Earlier {
    /// Engine speed [rad/s].
    pub(super) engine: f32,
    /// Length of the step since [s]; 0 if there was none.
    pub(super) duration: f32,
}

impl Earlier {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        engine: 0.0,
        duration: 0.0,
    };
}

impl Vehicle {
    /// A step of `dt` [s] under `gravity` [m/s², world axes] in which the vehicle goes on as in the last
    /// one: cheap, and right for one or two steps between updates. No command is read and the suspension
    /// stays; time passes for gears, and wheels and engine change their speeds as in the last step. After
    /// a state was restored, the next step is to be an update, for those changes are no part of it.
    ///
    /// With the rows solver the velocity changes as it did in the last update. With the explicit
    /// solver it stays, and gravity acts only on a vehicle that no wheel carries.
    ///
    /// # Errors
    /// If a value is not finite or out of range; see [`Refused`].
    pub fn extrapolate(
        &mut self,
        body: &BodyState,
        gravity: Vec3,
        dt: f32,
    ) -> Result<Outcome, Refused> {
        self.reactions.iter_mut().for_each(|r| *r = V3x4::ZERO);
        self.forget_turning();
        check_inputs(body, gravity, dt)?;
        if body.asleep {
            self.fall_asleep();
            return Ok(Outcome::default());
        }
        let motion = match self.kind.params().profile.solver {
            Solver::Rows => self.glide_on(body, gravity, dt),
            Solver::Explicit => self.roll_on(gravity, dt),
        };
        self.follow(body);
        self.probed = false;
        self.begin_turning();
        self.turn_on(dt);
        self.end_turning();
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(Refused::Overflow);
        }
        Ok(Outcome { motion, wake: true })
    }

    /// The rows solver's motion: what the last step's end exceeded its mean velocity by, which is
    /// carried, is half of what that step changed.
    fn glide_on(&mut self, body: &BodyState, gravity: Vec3, dt: f32) -> Motion {
        let (carry, told) = (self.state.carry, self.state.handover);
        let profile = &self.kind.params().profile;
        let velocity = handover::receive(profile, &mut self.state, body, gravity);
        let expected = self.state.handover.duration > 0.0;
        let change = if expected {
            2.0 * dt / told.duration
        } else {
            0.0
        };
        let end = velocity + carry * change;
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
            lift: if self.is_carried() { 1.0 } else { 0.0 },
            standing: told.standing,
        };
        handover::hand_over(&mut self.state, body, &chassis, ending, gravity, dt)
    }

    /// The explicit solver's motion: the weight is carried, and what a bump stop corrected is given
    /// back.
    fn roll_on(&mut self, gravity: Vec3, dt: f32) -> Motion {
        let given_back = core::mem::replace(&mut self.state.carry, Velocity::ZERO);
        let lift = if self.is_carried() {
            gravity
        } else {
            Vec3::ZERO
        };
        let (linear, angular) = (given_back.linear - lift * dt, given_back.angular);
        match self.kind.params().profile.output {
            OutputMode::VelocityChange => Motion::VelocityChange { linear, angular },
            OutputMode::Acceleration => Motion::Acceleration {
                linear: linear / dt,
                angular: angular / dt,
            },
        }
    }

    /// Time passes for gears; wheels and engine change their speeds as in the last step, but do not
    /// turn back.
    fn turn_on(&mut self, dt: f32) {
        let profile = &self.kind.params().profile;
        let wrap = Display::of(profile).wrap;
        let tick = Tick {
            duration: dt,
            exact: profile.solver == Solver::Rows,
        };
        let (drive, wheels) = (&mut self.state.drive, &mut self.state.wheels);
        self.kind
            .drivetrain()
            .shift(drive, wheels, tick, &mut self.control);
        let part = if self.earlier.duration > 0.0 {
            dt / self.earlier.duration
        } else {
            0.0
        };
        for (turning, wheels) in self.turning.iter_mut().zip(wheels.iter_mut()) {
            let now = wheels.spin;
            let next = now + (now - turning.earlier_spin) * W4::splat(part);
            turning.earlier_spin = now;
            wheels.spin = (next * now).gt(W4::ZERO).keep(next);
            wheels.spin_shown = wheels.spin;
            spin::turn_on(wheels, wrap, dt);
        }
        let now = drive.engine_speed;
        let next = now + (now - self.earlier.engine) * part;
        self.earlier.engine = now;
        self.earlier.duration = dt;
        drive.engine_speed = next.max(0.0);
    }

    /// Whether a wheel was above its droop in the last update.
    fn is_carried(&self) -> bool {
        let pairs = self.state.wheels.iter().zip(self.kind.wheels().iter());
        let mut lifted = pairs.map(|(wheels, k)| {
            let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
            k.enabled & known & wheels.jounce.gt(-k.max_droop)
        });
        lifted.any(|wheels| wheels.any())
    }
}
