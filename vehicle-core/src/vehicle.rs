//! One vehicle: probe, update, apply, present.

pub mod detail;
mod turning;
mod moving_ground;
mod ground_chord;
mod probe_result;
mod probe;
mod ground_edge;
mod sweep;
mod sections;
mod solve;
mod extrapolate;
mod rest;
mod update;
mod change;
mod reset;
pub mod rigid_contact;
pub mod pose;
pub mod report;
pub mod fleet;
pub mod phases;
mod step;
#[doc(hidden)]
pub mod stage_results;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec3, Mat3, Vec3};

use crate::base::checked::Fault;
use crate::base::ids::BodyId;
use crate::base::lanes::{Groups, are_finite};
use crate::base::velocity::Velocity;
use crate::contracts::drivetrain::Control;
use crate::contracts::ground::QueryFilter;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::air::{Air, AirLoad};
use crate::exchange::state::{VehicleState, WheelState};
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::Motion;
use crate::params::Probe;
use crate::params::surface::not_negative;
use crate::solvers::explicit::stops::Row;
use crate::stages::contact::{Contact, SweptWheels};
use crate::stages::edge_ground::EdgeGround;
use crate::stages::model::VehicleModel;
use crate::stages::outputs::WheelOutputs;
use crate::stages::steering::Steering;

use extrapolate::Trend;
use ground_chord::ProbeTimes;
use moving_ground::GroundBodies;
use probe::ProbeAge;
use probe_result::ProbeResult;
use turning::WheelTurns;

pub use step::step;

/// A vehicle of a [`VehicleModel`] on a body of an engine's world.
#[derive(Clone, Debug)]
pub struct Vehicle {
    model: Arc<VehicleModel>,
    state: VehicleState,
    body: BodyId,
    filter: QueryFilter,
    /// Age of the probe whose results `contacts` and `ground` are.
    probed: ProbeAge,
    /// Planes that the last probe found, which the next step takes into the state.
    probe_result: ProbeResult,
    /// Whether the towing vehicle is about to move.
    towed: bool,
    contacts: Box<[Option<Contact>]>,
    /// Bodies under the wheels that can move.
    ground: GroundBodies,
    /// Planes from before the last probe, from which the next step's planes lead to its own.
    probe_times: ProbeTimes,
    /// Orientation of swept wheels in this step, per group; empty for rays.
    swept: Box<[Option<SweptWheels>]>,
    /// Ground at edges and walls, if wheels meet sections of the ground.
    edges: Option<Box<EdgeGround>>,
    control: Control,
    steering: Groups<Steering>,
    outputs: Groups<WheelOutputs>,
    /// Gravity of this vehicle alone (`m/s²`, world axes); `None` if that of its steps counts.
    gravity: Option<Vec3>,
    /// The air around the vehicle: the last sound one that was set.
    air: Air,
    /// The air that was set last, if it is not sound: `air` is then the last sound one.
    unsound_air: Option<Air>,
    air_load: AirLoad,
    /// Factor on the friction of the ground that probes find (–).
    grip: f32,
    /// Scratch memory of the explicit solver's rows.
    stops: Vec<Row>,
    /// How the wheels turn, per group.
    turning: Groups<WheelTurns>,
    /// Duration of this rotation (`s`); 0 if there was none.
    turned_for: f32,
    trend: Trend,
    clamped: bool,
    /// Why an input of the last update was not used.
    input_error: Option<StepError>,
    /// Whether the body slept in the last step.
    asleep: bool,
    updated: Velocity,
    matrix: Mat3,
    /// User values, one per wheel; empty until one is set.
    user_values: Box<[u64]>,
}

impl Vehicle {
    /// A vehicle at rest on `body`, which its probes never hit.
    #[must_use]
    pub fn new(model: Arc<VehicleModel>, body: BodyId) -> Self {
        let wheels = model.wheel_count();
        Self {
            state: at_rest(&model),
            body,
            filter: QueryFilter::except(body),
            probed: ProbeAge::Forgotten,
            probe_result: ProbeResult::none(wheels),
            towed: false,
            contacts: vec![None; wheels].into(),
            ground: GroundBodies::default(),
            probe_times: ProbeTimes::none(wheels),
            swept: no_swept_wheels(&model),
            edges: no_edge_ground(&model),
            control: model.idle_control(),
            steering: Groups::for_wheels(wheels, |_| Steering::STRAIGHT),
            outputs: Groups::for_wheels(wheels, |_| WheelOutputs::default()),
            gravity: None,
            air: Air::STILL,
            unsound_air: None,
            air_load: AirLoad::NONE,
            grip: 1.0,
            stops: match model.params().profile.explicit() {
                Some(_) => Vec::with_capacity(3 * wheels),
                None => Vec::new(),
            },
            turning: Groups::for_wheels(wheels, |_| WheelTurns::default()),
            turned_for: 0.0,
            trend: Trend::NONE,
            clamped: false,
            input_error: None,
            asleep: false,
            updated: Velocity {
                linear: Vec3::ZERO,
                angular: Vec3::ZERO,
            },
            matrix: Mat3::IDENTITY,
            user_values: Box::default(),
            model,
        }
    }

    /// The vehicle model.
    #[must_use]
    pub fn model(&self) -> &Arc<VehicleModel> {
        &self.model
    }

    /// The complete state; save it for a rollback, and [`restore`](Self::restore) it. A probe does not change it: between a
    /// probe and its update, it is the state before the probe, and a vehicle that restores it probes again.
    #[must_use]
    pub fn state(&self) -> &VehicleState {
        &self.state
    }

    /// The state, mutable: spins, gears, engine speed. A sleeping vehicle wakes in the next step. To restore a
    /// saved state, use [`Vehicle::restore`]: with another number of wheel groups, the next use would panic.
    #[must_use]
    pub fn state_mut(&mut self) -> &mut VehicleState {
        self.trend.forget();
        self.forget_turning();
        self.asleep = false;
        // The last command belongs to the state before.
        self.control = self.model.idle_control();
        self.state.input_digest = 0;
        &mut self.state
    }

    /// Restores a saved state. States of tires and steering wheel, and memories of drivetrain and driver aids, are reset if the
    /// vehicle has others, or if they are not finite. Of another solver's grip memory, only tire forces are used. The state of
    /// another drive is [adapted](crate::Drivetrain::adopt): gears that it lacks become the nearest, and
    /// a direct drive has no engine that turns.
    ///
    /// # Errors
    /// If the state has another number of groups of four wheels; nothing is changed then.
    pub fn restore(&mut self, state: VehicleState) -> Result<(), StepError> {
        let (groups, expected) = (state.wheels.len(), self.state.wheels.len());
        if groups != expected {
            return Err(StepError::ForeignState { groups, expected });
        }
        let fresh = self.model.fresh_extras();
        let extras = if state.extras.fits(&fresh) {
            state.extras
        } else {
            fresh
        };
        let mut state = VehicleState { extras, ..state };
        self.model.drivetrain().adopt(&mut state.drive);
        *self.state_mut() = state.for_solver(&self.model.params().profile.solver);
        // The probe's ground belongs to the previous state.
        self.probed.end();
        Ok(())
    }

    /// Implements [`phases::last_probe`].
    pub(crate) fn probe(&self) -> Probe {
        match (self.model.params().probe, self.probe_result.met_sections) {
            (Probe::Auto, Some(true)) => Probe::Sections,
            (Probe::Auto, Some(false)) => Probe::Ray,
            (probe, _) => probe,
        }
    }

    /// The vehicle's body.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.body
    }

    /// Filter of the vehicle's probes, except for layers, which each wheel has.
    #[must_use]
    pub fn filter_mut(&mut self) -> &mut QueryFilter {
        &mut self.filter
    }

    /// Results of the last probe per wheel; all `None` if planes of an earlier probe were used.
    #[must_use]
    pub(crate) fn contacts(&self) -> &[Option<Contact>] {
        &self.contacts
    }

    /// Stage results of the last substep, per group of wheels.
    #[must_use]
    pub(crate) fn outputs(&self) -> &Groups<WheelOutputs> {
        &self.outputs
    }

    /// Steering of the last update, per group of wheels.
    #[must_use]
    pub(crate) fn steering(&self) -> &Groups<Steering> {
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

    /// Why an input of the last update was refused: its command, so that the last accepted one goes on, or the air, so
    /// that the last sound one stays. `None` if the update used both. The control of a command is no part of the state:
    /// after a state is restored or changed, no pedal is pressed until a command is accepted.
    #[must_use]
    pub fn input_error(&self) -> Option<StepError> {
        self.input_error
    }

    /// Whether the vehicle's body slept in the last step: it does not move until something wakes it.
    #[must_use]
    pub fn sleeps(&self) -> bool {
        self.asleep
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
    #[inline]
    #[must_use]
    pub(crate) fn user_value(&self, wheel: usize) -> u64 {
        assert!(wheel < self.contacts.len(), "there is no such wheel");
        self.user_values.get(wheel).copied().unwrap_or_default()
    }

    /// Sets the user value of wheel `wheel`, which its reports return: for example, the key of a sound.
    ///
    /// # Panics
    /// If there is no such wheel.
    pub fn set_user_value(&mut self, wheel: usize, value: u64) {
        if self.user_values.is_empty() {
            self.user_values = vec![0; self.contacts.len()].into();
        }
        self.user_values[wheel] = value;
    }

    /// Sets the air around the vehicle, [`Air::STILL`] at first: for wind that differs from place to place, in each
    /// step where the vehicle is. [`step`](crate::step) and [`Fleet::step`](crate::Fleet::step) set the environment's.
    /// A vehicle without [aerodynamics](crate::VehicleParams::aerodynamics) ignores it; another is woken by a change, and
    /// tells in its next update if this air is not finite or has a negative density: [`Vehicle::input_error`].
    pub fn set_air(&mut self, air: Air) {
        if air.is_sound() {
            self.air = air;
            self.unsound_air = None;
        } else {
            self.unsound_air = Some(air);
        }
    }

    /// Sets the gravity of this vehicle alone (`m/s²`, world axes), which then counts instead of that of its steps; `None` at
    /// first. The engine must pull its body by the same: by a gravity scale, or by a force beside its own gravity. Where the two
    /// differ, the difference acts like any other push.
    pub fn set_gravity(&mut self, gravity: Option<Vec3>) {
        self.gravity = gravity;
    }

    /// Sets a factor on the friction of all ground that this vehicle's probes find from now on (–), 1 at first, besides that of its
    /// [surfaces](crate::Surfaces::set_grip): so that each of many vehicles on one ground meets weather of its own. It is not part of
    /// the state. Contacts that [the user takes](crate::phases::take_contacts) have their own friction.
    ///
    /// # Errors
    /// If it is negative or not finite; the grip is then unchanged.
    pub fn set_grip(&mut self, grip: f32) -> Result<(), Fault> {
        self.grip = not_negative("grip", grip)?;
        Ok(())
    }

    pub(crate) fn last_matrix(&self) -> Mat3 {
        self.matrix
    }

    /// Whether the vehicle decides when it may sleep; otherwise, the engine does.
    fn decides_sleep(&self) -> bool {
        self.model.params().profile.rows().is_some()
    }

    /// Subtracts a `shift` of the world's origin (`m`) from all positions.
    pub fn shift_origin(&mut self, shift: DVec3) {
        self.state.position -= shift;
        self.probe_result.shift_origin(shift);
        self.ground.shift_origin(shift);
        // From another origin, distances are rounded otherwise.
        self.state.ground_digest = 0;
    }

    /// Whether a wheel stands on a body that can move.
    #[must_use]
    pub(crate) fn stands_on_moving_ground(&self) -> bool {
        self.ground.moves()
    }

    /// Whether the result of an update is finite: the motion, and all numbers of the state that lead to the next one.
    fn is_finite(&self, motion: &Motion) -> bool {
        let state = &self.state;
        let of_wheels = |wheels: &WheelState| {
            are_finite([
                wheels.jounce,
                wheels.normal_force,
                wheels.spin,
                wheels.angle,
            ]) && wheels.grip.is_finite()
        };
        motion.is_finite()
            && state.carry.is_finite()
            && state.last_step.expected.is_finite()
            && state.drive.engine_speed.is_finite()
            && state.wheels.iter().all(of_wheels)
            && state.extras.is_finite()
    }
}

/// No orientation yet for each group of wheels that is swept.
fn no_swept_wheels(model: &VehicleModel) -> Box<[Option<SweptWheels>]> {
    match model.params().probe {
        Probe::Ray => Box::default(),
        Probe::Sweep(_) | Probe::Sections | Probe::Auto => vec![None; model.wheels().len()].into(),
    }
}

/// No edges and walls, for a vehicle whose wheels meet sections of the ground.
fn no_edge_ground(model: &VehicleModel) -> Option<Box<EdgeGround>> {
    let sections = matches!(model.params().probe, Probe::Sections | Probe::Auto);
    sections.then(|| Box::new(EdgeGround::none(model.wheels().len())))
}

/// The state of a vehicle at rest on new tires.
fn at_rest(model: &VehicleModel) -> VehicleState {
    let drive = model.drivetrain().initial_state();
    let state = VehicleState {
        extras: model.fresh_extras(),
        ..VehicleState::at_rest(model.wheel_count(), drive)
    };
    state.for_solver(&model.params().profile.solver)
}

/// Checks that a step of `dt` (`s`) can be made with this body under this `gravity` (`m/s²`, world axes).
fn check_inputs(body: &BodyState, gravity: Vec3, dt: f32) -> Result<(), StepError> {
    let is_amount = |x: f32| x >= 0.0 && x.is_finite();
    if !(dt > 0.0 && is_amount(dt)) {
        return Err(StepError::TimeStep(dt));
    }
    if !is_amount(gravity.dot(gravity)) {
        return Err(StepError::Gravity(gravity));
    }
    let Mat3 {
        x_axis,
        y_axis,
        z_axis,
    } = body.inverse_inertia;
    let is_sound = body.position.is_finite()
        && body.rotation.is_finite()
        && body.velocity().is_finite()
        && [x_axis, y_axis, z_axis]
            .iter()
            .all(|axis| axis.extend(0.0).is_finite())
        && is_amount(body.mass)
        && body.mass > 0.0
        && is_amount(body.linear_damping)
        && is_amount(body.angular_damping);
    if is_sound {
        Ok(())
    } else {
        Err(StepError::Body)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod rows_tests;
#[cfg(test)]
mod sweep_tests;
