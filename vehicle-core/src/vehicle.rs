//! One vehicle: probe, update, apply, present.

pub mod detail;
mod turning;
mod probe;
mod sweep;
mod solve;
mod extrapolate;
mod rest;
mod change;
pub mod rigid_contact;
pub mod pose;
pub mod report;
pub mod fleet;

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use glam::{Mat3, Vec3};

use crate::base::ids::BodyId;
use crate::base::lanes::{Groups, LANES, W4};
use crate::base::math;
use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::Control;
use crate::contracts::ground::QueryFilter;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::command::Command;
use crate::exchange::outcome::{Motion, Outcome, Reaction};
use crate::exchange::refused::Refused;
use crate::exchange::state::VehicleState;
use crate::exchange::tire_state::TireState;
use crate::params::profile::Solver;
use crate::solvers::explicit::stops::Row;
use crate::solvers::rows::group::GroupRows;
use crate::solvers::rows::handover;
use crate::stages::contact::{Contact, MovingGround, SweptWheels};
use crate::stages::kind::VehicleKind;
use crate::stages::outputs::{GroundPushes, WheelOutputs};
use crate::stages::steering::Steering;

use extrapolate::Trend;

/// A vehicle of a [`VehicleKind`] on a body of an engine's world.
#[derive(Clone, Debug)]
pub struct Vehicle {
    kind: Arc<VehicleKind>,
    state: VehicleState,
    body: BodyId,
    filter: QueryFilter,
    probed: bool,
    /// Whether the towing vehicle is about to move.
    towed: bool,
    /// Whether `contacts` and `ground` hold results of a probe.
    has_contacts: bool,
    contacts: Vec<Option<Contact>>,
    /// Contacts not yet checked to be finite.
    incoming: Vec<Option<Contact>>,
    ground: Groups<MovingGround>,
    /// Orientation of swept wheels in this step.
    swept: Groups<Option<SweptWheels>>,
    control: Control,
    steering: Groups<Steering>,
    outputs: Groups<WheelOutputs>,
    reactions: Groups<GroundPushes>,
    air: Air,
    air_load: AirLoad,
    /// Scratch memory of the explicit solver's rows.
    stops: Vec<Row>,
    /// Scratch memory of the rows solver.
    rows: Groups<GroupRows>,
    trend: Trend,
    clamped: bool,
    updated: Velocity,
    matrix: Mat3,
    /// Rotation of the wheels in the last update (`rad`).
    turned: Groups<W4>,
    /// User values, one per wheel.
    user_values: Vec<u64>,
}

impl Vehicle {
    /// A vehicle at rest on `body`, which its probes never hit.
    #[must_use]
    pub fn new(kind: Arc<VehicleKind>, body: BodyId) -> Self {
        let wheels = kind.wheel_count();
        Self {
            state: at_rest(&kind),
            body,
            filter: QueryFilter::except(body),
            probed: false,
            towed: false,
            has_contacts: false,
            contacts: vec![None; wheels],
            incoming: vec![None; wheels],
            ground: Groups::for_wheels(wheels, |_| MovingGround::FIXED),
            swept: Groups::for_wheels(wheels, |_| None),
            control: kind.idle_control(),
            steering: Groups::for_wheels(wheels, |_| Steering::STRAIGHT),
            outputs: Groups::for_wheels(wheels, |_| WheelOutputs::default()),
            reactions: Groups::for_wheels(wheels, |_| GroundPushes::default()),
            air: Air::STILL,
            air_load: AirLoad::NONE,
            stops: Vec::with_capacity(3 * wheels),
            rows: Groups::for_wheels(wheels, |_| GroupRows::default()),
            trend: Trend::unknown(wheels),
            clamped: false,
            updated: Velocity {
                linear: Vec3::ZERO,
                angular: Vec3::ZERO,
            },
            matrix: Mat3::IDENTITY,
            turned: Groups::for_wheels(wheels, |_| W4::ZERO),
            user_values: vec![0; wheels],
            kind,
        }
    }

    /// The kind of the vehicle.
    #[must_use]
    pub fn kind(&self) -> &Arc<VehicleKind> {
        &self.kind
    }

    /// The complete state; save it for a rollback, and [`restore`](Self::restore) it.
    #[must_use]
    pub fn state(&self) -> &VehicleState {
        &self.state
    }

    /// The state, mutable: spins, gears, engine speed. A sleeping vehicle wakes in the next step. To restore a
    /// saved state, use [`Vehicle::restore`]: with another number of wheel groups, the next use would panic.
    #[must_use]
    pub fn state_mut(&mut self) -> &mut VehicleState {
        self.trend.forget();
        // The last command belongs to the state before.
        self.control = self.kind.idle_control();
        self.state.given = 0;
        &mut self.state
    }

    /// Restores a saved state. Tire states are reset if their number differs from the vehicle's stateful tires,
    /// or if they are not finite. Of another solver's grip memory, only tire forces are used. The state of
    /// another drive is [adapted](crate::Drivetrain::adopt): gears that it lacks become the nearest, and
    /// a direct drive has no engine that turns.
    ///
    /// # Errors
    /// If the state has another number of groups of four wheels; nothing is changed then.
    pub fn restore(&mut self, state: VehicleState) -> Result<(), Refused> {
        let (found, expected) = (state.wheels.len(), self.state.wheels.len());
        if found != expected {
            return Err(Refused::ForeignState { found, expected });
        }
        let fresh = self.kind.fresh_tires();
        let found = &state.tires;
        let fits = found.len() == fresh.len() && found.iter().all(TireState::is_finite);
        let tires = if fits { state.tires } else { fresh };
        let mut state = VehicleState { tires, ..state };
        self.kind.drivetrain().adopt(&mut state.drive);
        *self.state_mut() = state.for_solver(&self.kind.params().profile.solver);
        // The probe's ground belongs to the previous state.
        self.probed = false;
        Ok(())
    }

    /// The vehicle's body.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.body
    }

    /// What its probes may hit, except for layers, which each wheel has.
    #[must_use]
    pub fn filter_mut(&mut self) -> &mut QueryFilter {
        &mut self.filter
    }

    /// Results of the last probe per wheel; all `None` if planes of an earlier probe were used.
    #[must_use]
    pub fn contacts(&self) -> &[Option<Contact>] {
        &self.contacts
    }

    /// Stage results of the last substep, per group of wheels.
    #[must_use]
    pub fn outputs(&self) -> &Groups<WheelOutputs> {
        &self.outputs
    }

    /// Steering of the last update, per group of wheels.
    #[must_use]
    pub fn steering(&self) -> &Groups<Steering> {
        &self.steering
    }

    /// The drivetrain's control in the last update.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Whether values of the last command were clamped to their range.
    #[must_use]
    pub fn command_was_clamped(&self) -> bool {
        self.clamped
    }

    /// Velocities after the last update's substeps (world axes): linear (`m/s`) and angular (`rad/s`).
    ///
    /// With the rows solver, the true velocities at the end of the step; the engine has the step's mean. With
    /// the explicit solver, gravity and its rows are not yet applied.
    #[must_use]
    pub fn updated_velocity(&self) -> (Vec3, Vec3) {
        (self.updated.linear, self.updated.angular)
    }

    /// User value of wheel `wheel`, 0 unless set. It is not part of the state.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn user_value(&self, wheel: usize) -> u64 {
        self.user_values[wheel]
    }

    /// Sets the user value of wheel `wheel`, which its reports return: for example, the key of a sound.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn set_user_value(&mut self, wheel: usize, value: u64) {
        self.user_values[wheel] = value;
    }

    /// The air around the vehicle.
    #[must_use]
    pub fn air(&self) -> Air {
        self.air
    }

    /// Sets the air around the vehicle, [`Air::STILL`] at first: for wind that differs from place to place, in each
    /// step where the vehicle is. [`step`](crate::step) and [`Fleet::step`](crate::Fleet::step) set the environment's.
    /// A vehicle without [aerodynamics](crate::VehicleParams::aerodynamics) ignores it; another is woken by a change.
    pub fn set_air(&mut self, air: Air) {
        self.air = air;
    }

    pub(crate) fn last_matrix(&self) -> Mat3 {
        self.matrix
    }

    /// Advances by one step of `dt` (`s`) under `gravity` (`m/s²`, world axes) and returns what the engine must
    /// do. Does not access a world.
    ///
    /// Without a probe since the last update, the last probe's ground planes are used and taken as fixed.
    ///
    /// # Errors
    /// If a value is not finite or out of range; see [`Refused`].
    pub fn update(
        &mut self,
        body: &BodyState,
        command: &Command,
        gravity: Vec3,
        dt: f32,
    ) -> Result<Outcome, Refused> {
        self.forget_reactions();
        self.forget_turning();
        let examined = if command.is_usual() {
            None
        } else {
            let refuses = self.kind.params().profile.refuses_out_of_range;
            Some(command.examined(refuses, self.kind.wheel_count())?)
        };
        self.clamped = examined.as_ref().is_some_and(|found| found.clamped);
        let command = examined.as_ref().map_or(command, |found| &found.command);
        check_inputs(body, gravity, dt)?;
        if self.kind.air().is_some() && !self.air.is_sound() {
            return Err(Refused::Air(self.air));
        }
        if handover::is_untouched(&self.state, body) {
            return Err(Refused::NotStepped);
        }
        // Stops of the explicit solver push a body back at a speed that it does not keep.
        self.control.forward_speed = match self.kind.params().profile.explicit() {
            Some(_) => self.at_end_of_step(body).forward_speed(),
            None => body.forward_speed(),
        };
        let given = self.given(command, gravity, body.mass);
        if body.asleep {
            let ground = self.ground_under(body);
            if !self.must_wake(command, given, ground)? {
                self.fall_asleep();
                self.state.slept_on = ground;
                return Ok(Outcome::default());
            }
        }
        let drivetrain = self.kind.drivetrain();
        let drive = self.state.drive;
        let wants_motion = drivetrain.wants_motion(command, &drive);
        drivetrain.control(command, &mut self.state.drive, &mut self.control)?;
        self.control.accelerating |= self.towed;
        let idle = !wants_motion && given == self.state.given;
        (self.state.given, self.state.slept_on) = (given, 0);
        let sweeps_lag = self.kind.params().profile.sweeps_lag;
        if sweeps_lag {
            self.turn_swept_wheels();
        }
        self.steer();
        if !sweeps_lag {
            self.turn_swept_wheels();
        }
        self.begin_turning();
        self.air_load = AirLoad::NONE;
        let motion = match self.kind.params().profile.solver {
            Solver::Rows(settings) => self.solve_rows(&settings, body, gravity, dt),
            Solver::Explicit(settings) => self.solve_explicitly(&settings, body, gravity, dt),
        };
        self.end_turning(dt);
        self.note_trend(dt);
        self.probed = false;
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(Refused::Overflow);
        }
        let idle = idle && rest::has_settled(&drive, &self.state.drive);
        Ok(Outcome {
            motion,
            wake: body.asleep || (self.decides_sleep() && !(idle && self.is_at_rest())),
        })
    }

    /// Whether the vehicle decides when it may sleep; otherwise, the engine does.
    fn decides_sleep(&self) -> bool {
        self.kind.params().profile.rows().is_some()
    }

    /// Steers the wheels to the drivetrain's angles plus toe.
    fn steer(&mut self) {
        for (g, steering) in self.steering.iter_mut().enumerate() {
            steering.turn_to(self.kind.wheels()[g].toe + self.control.wheels[g].steer);
            self.state.wheels[g].steer = steering.angle;
        }
    }

    /// Swept wheels keep their orientation in this step.
    fn turn_swept_wheels(&mut self) {
        if self.sweep_settings().is_none() {
            return;
        }
        for g in 0..self.swept.len() {
            self.swept[g] = self.swept_wheels(g);
        }
    }

    /// Subtracts a `shift` of the world's origin (`m`) from all positions.
    pub fn shift_origin(&mut self, shift: glam::DVec3) {
        self.state.position -= shift;
        // From another origin, distances are rounded otherwise.
        self.state.slept_on = 0;
    }

    /// Whether a wheel stands on a body that can move.
    #[must_use]
    pub fn stands_on_moving_ground(&self) -> bool {
        self.ground.iter().any(|ground| ground.any)
    }

    /// Forces of the last update on dynamic bodies under the wheels. None accelerates its body by more than the
    /// profile's [`max_ground_acceleration`](crate::Profile::max_ground_acceleration).
    pub fn reactions(&self) -> impl Iterator<Item = Reaction> {
        let limit = self.kind.params().profile.max_ground_acceleration;
        let wheels = self.contacts.iter().enumerate();
        wheels.filter_map(move |(wheel, contact)| {
            let contact = contact.as_ref()?;
            let most = contact.motion?.mass? * limit;
            let (pushes, lane) = (&self.reactions[wheel / LANES], wheel % LANES);
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

    fn forget_reactions(&mut self) {
        let reactions = self.reactions.iter_mut();
        reactions.for_each(|pushes| *pushes = GroundPushes::default());
    }

    fn is_finite(&self, motion: &Motion) -> bool {
        let (Motion::VelocityChange { linear, angular }
        | Motion::Acceleration { linear, angular }
        | Motion::StepMotion {
            linear, angular, ..
        }) = motion
        else {
            return true;
        };
        linear.is_finite()
            && angular.is_finite()
            && self.state.carry.is_finite()
            && self.state.handover.expected.is_finite()
            && self.state.drive.engine_speed.is_finite()
            && self.state.wheels.iter().all(|wheels| {
                let turning = wheels.spin.is_finite() && wheels.angle.is_finite();
                let pressed = wheels.jounce.is_finite() && wheels.normal_force.is_finite();
                turning && pressed && wheels.grip.is_finite()
            })
    }
}

/// The state of a vehicle at rest on new tires.
fn at_rest(kind: &VehicleKind) -> VehicleState {
    let drive = kind.drivetrain().initial_state();
    let state = VehicleState {
        tires: kind.fresh_tires(),
        ..VehicleState::at_rest(kind.wheel_count(), drive)
    };
    state.for_solver(&kind.params().profile.solver)
}

#[inline]
fn check_inputs(body: &BodyState, gravity: Vec3, dt: f32) -> Result<(), Refused> {
    if !(dt > 0.0 && dt.is_finite()) {
        return Err(Refused::TimeStep(dt));
    }
    if !(gravity.is_finite() && gravity.dot(gravity) >= f32::MIN_POSITIVE) {
        return Err(Refused::Gravity(gravity));
    }
    let finite = body.position.is_finite()
        && body.rotation.is_finite()
        && body.linear_velocity.is_finite()
        && body.angular_velocity.is_finite()
        && body.inverse_inertia.is_finite()
        && body.mass.is_finite();
    let damped = [body.linear_damping, body.angular_damping];
    let sound = damped.iter().all(|d| *d >= 0.0 && d.is_finite());
    if finite && sound && body.mass > 0.0 {
        Ok(())
    } else {
        Err(Refused::Body)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod rows_tests;
#[cfg(test)]
mod sweep_tests;
