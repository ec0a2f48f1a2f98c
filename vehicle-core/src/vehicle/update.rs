//! An update: from what the engine has and the driver asks to what the engine must do, and the forces on bodies under
//! the wheels.

use glam::Vec3;

use super::{Vehicle, check_inputs, rest};
use crate::base::lanes::LANES;
use crate::base::math;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::air::AirLoad;
use crate::exchange::command::Command;
use crate::exchange::state::DriveState;
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::profile::Solver;
use crate::solvers::rows::group::GroupRows;
use crate::solvers::rows::{self, low_speed, observer};

/// A command as a step read it.
struct CommandRead<'a> {
    /// The command, if the drivetrain accepted it.
    accepted: Option<&'a Command>,
    /// Whether the driver requests motion, so that a sleeping vehicle must wake.
    requests_motion: bool,
    /// Digest of the step's inputs; 0 if the driver requests motion.
    digest: u32,
}

impl Vehicle {
    /// Implements [`phases::update`](crate::phases::update).
    #[inline]
    pub(crate) fn update(
        &mut self,
        body: &BodyState,
        command: &Command,
        gravity: Vec3,
        dt: f32,
    ) -> Result<StepResult, StepError> {
        match self.rows_groups() {
            0 => self.update_with(&mut [], body, command, gravity, dt),
            groups => rows::with_scratch(groups, |rows| {
                self.update_with(rows, body, command, gravity, dt)
            }),
        }
    }

    /// Number of groups of wheels whose rows an update needs.
    pub(super) fn rows_groups(&self) -> usize {
        match self.model.params().profile.solver {
            Solver::Rows(_) => self.state.wheels.len(),
            Solver::Explicit(_) => 0,
        }
    }

    /// [`Vehicle::update`] with scratch memory for at least so many `rows`.
    pub(super) fn update_with(
        &mut self,
        rows: &mut [GroupRows],
        body: &BodyState,
        command: &Command,
        gravity: Vec3,
        dt: f32,
    ) -> Result<StepResult, StepError> {
        self.ground.forget_pushes();
        self.forget_turning();
        self.asleep = false;
        self.input_error = None;
        let gravity = self.gravity.unwrap_or(gravity);
        let examined = if command.is_usual() {
            None
        } else {
            let refuses = self.model.params().profile.refuses_out_of_range;
            Some(command.examined(refuses, self.model.wheel_count()))
        };
        self.clamped = matches!(&examined, Some(Ok(examined)) if examined.clamped);
        check_inputs(body, gravity, dt)?;
        if observer::is_untouched(&self.state, body) {
            return Err(StepError::NotStepped);
        }
        self.take_probe();
        self.matrix = math::matrix(body.rotation);
        // Stops of the explicit solver push a body back at a speed that it does not keep.
        let velocity = match self.model.params().profile.explicit() {
            Some(_) => body.linear_velocity + self.state.carry.linear,
            None => body.linear_velocity,
        };
        self.control.forward_speed = self.matrix.x_axis.dot(velocity);
        self.control.mass = body.mass;
        if self.unsound_air.is_some() && self.model.air().is_some() {
            self.input_error = self.unsound_air.map(StepError::Air);
        }
        let command = match &examined {
            None => Ok(command),
            Some(examined) => examined.as_ref().map(|examined| &examined.command),
        };
        let drive = self.state.drive;
        let memories = self.memory_digest();
        let mut controlled = drive;
        let read = self.read_command(command, &mut controlled, gravity, body.mass);
        let CommandRead {
            accepted,
            requests_motion,
            digest,
        } = read;
        if body.asleep {
            let ground = self.ground_under(body);
            if !self.must_wake(requests_motion, digest, ground) {
                self.fall_asleep();
                self.asleep = true;
                self.state.ground_digest = ground;
                return Ok(StepResult::default());
            }
        }
        self.state.drive = controlled;
        let drivetrain = self.model.drivetrain();
        self.control.accelerating |= self.towed;
        if let Some(wheel) = self.state.extras.steering_mut() {
            drivetrain.steer(wheel, &[], 0.0, &mut self.control);
        }
        let idle = !requests_motion && digest == self.state.input_digest;
        (self.state.input_digest, self.state.ground_digest) = (digest, 0);
        let sweeps_lag = self.model.params().profile.sweeps_lag;
        if sweeps_lag {
            self.turn_swept_wheels();
        }
        self.steer();
        if !sweeps_lag {
            self.turn_swept_wheels();
        }
        self.begin_turning(dt);
        self.air_load = AirLoad::NONE;
        let motion = match self.model.params().profile.solver {
            Solver::Rows(settings) => {
                self.solve_rows(&settings, body, (accepted, gravity, dt), rows)
            }
            Solver::Explicit(settings) => {
                self.solve_explicitly(&settings, body, (accepted, gravity, dt))
            }
        };
        self.note_spins();
        self.note_trend(dt);
        self.state
            .set_needs_update(self.needs_update(body.mass, gravity));
        self.probed.end();
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(StepError::Overflow);
        }
        let idle = idle
            && rest::is_drive_at_rest(&drive, &self.state.drive)
            && memories == self.memory_digest();
        Ok(StepResult {
            motion,
            wake: body.asleep || (self.decides_sleep() && !(idle && self.is_at_rest())),
        })
    }

    /// Digest of what drivetrain and driver aids remember, without what they count.
    #[inline]
    fn memory_digest(&self) -> u32 {
        let (model, wheels) = (&self.model, self.model.wheel_count());
        let of_aid = |n: usize| model.aids().get(n).map_or(0, |aid| aid.counters(wheels));
        let counters = model.drivetrain().counters();
        self.state.extras.memory_digest(counters, of_aid)
    }

    /// Reads a command into the control, and what it changes at once into a copy of the `drive`'s state. A refused one leaves all
    /// as the last accepted one set it.
    fn read_command<'a>(
        &mut self,
        command: Result<&'a Command, &StepError>,
        drive: &mut DriveState,
        gravity: Vec3,
        mass: f32,
    ) -> CommandRead<'a> {
        let drivetrain = self.model.drivetrain();
        let error = match command {
            Ok(command) => {
                let requests_motion = drivetrain.requests_motion(command, drive);
                match drivetrain.control(command, drive, &mut self.control) {
                    Ok(()) => {
                        let digest = if requests_motion {
                            0
                        } else {
                            self.input_digest(command, gravity, mass)
                        };
                        return CommandRead {
                            accepted: Some(command),
                            requests_motion,
                            digest,
                        };
                    }
                    Err(error) => error,
                }
            }
            Err(error) => *error,
        };
        self.input_error = Some(error);
        let digest = self.state.input_digest;
        CommandRead {
            accepted: None,
            requests_motion: self.model.params().profile.brakes_wake && digest == 0,
            digest,
        }
    }

    /// Steers the wheels to the drivetrain's angles plus toe.
    #[inline(always)]
    fn steer(&mut self) {
        let steering = &mut self.steering;
        self.state.wheels.each_mut(|g, wheels| {
            let k = &self.model.wheels()[g];
            let angle = k.toe + self.control.wheels[g].steer;
            steering[g].turn_to(angle);
            low_speed::steer_wheels(k, wheels, angle);
        });
    }

    /// Swept wheels keep their orientation in this step.
    fn turn_swept_wheels(&mut self) {
        for g in 0..self.swept.len() {
            self.swept[g] = self.swept_wheels(g);
        }
    }

    /// Implements [`phases::reactions`](crate::phases::reactions).
    pub(crate) fn reactions(&self) -> impl Iterator<Item = Reaction> {
        let limit = self.model.params().profile.max_ground_acceleration;
        let wheels = self.contacts.iter().enumerate();
        wheels.filter_map(move |(wheel, contact)| {
            let contact = contact.as_ref()?;
            let most = self.ground.mass(wheel)? * limit;
            let (pushes, lane) = (self.ground.pushes(wheel / LANES)?, wheel % LANES);
            let push = pushes.force.lane(lane);
            let size = math::sqrt(push.dot(push));
            let share = if size > most { most / size } else { 1.0 };
            let torque = pushes.torque.lane(lane) * share;
            (push != Vec3::ZERO).then_some(Reaction {
                body: contact.hit.body?,
                force: push * share,
                torque: if torque.is_finite() {
                    torque
                } else {
                    Vec3::ZERO
                },
                anchor: self.state.position,
                offset: contact.point,
            })
        })
    }
}
