//! A step without an update: the vehicle goes on as it did.

use glam::Vec3;

use super::{Refused, Vehicle, check_inputs};
use crate::chassis::{Chassis, Velocity};
use crate::lanes::{V3x4, W4};
use crate::outcome::{Motion, Outcome};
use crate::profile::{OutputMode, Solver};
use crate::rigid_bodies::BodyState;
use crate::rows::handover::{self, Ending};
use crate::spin::{self, Display};
use crate::state::WheelState;

impl Vehicle {
    /// A step of `dt` [s] under `gravity` [m/s², world axes] in which the vehicle goes on as in the last
    /// one: cheap, and right for one or two steps between updates. No command is read; engine, gears
    /// and suspension stay, wheels turn on.
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
        let wrap = Display::of(&self.kind.params().profile).wrap;
        self.begin_turning();
        for wheels in self.state.wheels.iter_mut() {
            spin::turn_on(wheels, wrap, dt);
        }
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
