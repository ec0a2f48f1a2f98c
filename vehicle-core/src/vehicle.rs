//! One vehicle: probe, update, apply, present.

mod probe;
mod refused;

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use glam::{Mat3, Vec3};

use crate::chassis::{Chassis, Velocity};
use crate::command::{Command, CommandFault};
use crate::contact::{Contact, MovingGround};
use crate::drivetrain::Control;
use crate::explicit;
use crate::explicit::stops::{self, Row};
use crate::kind::VehicleKind;
use crate::lanes::{Groups, LANES, V3x4, W4};
use crate::outcome::{Motion, Outcome, Reaction};
use crate::outputs::WheelOutputs;
use crate::profile::{OutputMode, Solver};
use crate::rigid_bodies::BodyState;
use crate::rows;
use crate::rows::group::GroupRows;
use crate::rows::handover;
use crate::scene_query::{BodyId, QueryFilter};
use crate::state::{VehicleState, WheelState};
use crate::steering::Steering;

pub use refused::Refused;

/// A vehicle of some kind on a body of some world.
#[derive(Clone, Debug)]
pub struct Vehicle {
    kind: Arc<VehicleKind>,
    state: VehicleState,
    body: BodyId,
    filter: QueryFilter,
    probed: bool,
    contacts: Vec<Option<Contact>>,
    /// Contacts that are not yet known to be finite.
    incoming: Vec<Option<Contact>>,
    ground: Groups<MovingGround>,
    control: Control,
    steering: Groups<Steering>,
    outputs: Groups<WheelOutputs>,
    reactions: Groups<V3x4>,
    /// Room for the explicit solver's rows.
    stops: Vec<Row>,
    /// Room for the rows solver.
    rows: Groups<GroupRows>,
    clamped: bool,
    updated: Velocity,
    matrix: Mat3,
}

impl Vehicle {
    /// A vehicle at rest on `body`, which is never its own ground.
    #[must_use]
    pub fn new(kind: Arc<VehicleKind>, body: BodyId) -> Self {
        let wheels = kind.wheel_count();
        Self {
            state: VehicleState::at_rest(wheels, kind.drivetrain().initial_state()),
            body,
            filter: QueryFilter::except(body),
            probed: false,
            contacts: vec![None; wheels],
            incoming: vec![None; wheels],
            ground: Groups::for_wheels(wheels, |_| MovingGround::FIXED),
            control: Control::idle(wheels),
            steering: Groups::for_wheels(wheels, |_| Steering::STRAIGHT),
            outputs: Groups::for_wheels(wheels, |_| WheelOutputs::default()),
            reactions: Groups::for_wheels(wheels, |_| V3x4::ZERO),
            stops: Vec::with_capacity(3 * wheels),
            rows: Groups::for_wheels(wheels, |_| GroupRows::default()),
            clamped: false,
            updated: Velocity {
                linear: Vec3::ZERO,
                angular: Vec3::ZERO,
            },
            matrix: Mat3::IDENTITY,
            kind,
        }
    }

    /// What kind of vehicle it is.
    #[must_use]
    pub fn kind(&self) -> &Arc<VehicleKind> {
        &self.kind
    }

    /// Replaces the parameters without losing state.
    ///
    /// # Panics
    /// If the new kind has another number of wheels.
    pub fn set_kind(&mut self, kind: Arc<VehicleKind>) {
        assert_eq!(
            kind.wheel_count(),
            self.kind.wheel_count(),
            "a vehicle keeps its number of wheels"
        );
        self.control = Control::idle(kind.wheel_count());
        self.kind = kind;
    }

    /// Everything that it remembers; save it for a rollback.
    #[must_use]
    pub fn state(&self) -> &VehicleState {
        &self.state
    }

    /// The state, to restore or to change: spins, gears, engine speed.
    #[must_use]
    pub fn state_mut(&mut self) -> &mut VehicleState {
        &mut self.state
    }

    /// The body it moves.
    #[must_use]
    pub fn body(&self) -> BodyId {
        self.body
    }

    /// What its probes may hit, layers aside (those stand with each wheel).
    #[must_use]
    pub fn filter_mut(&mut self) -> &mut QueryFilter {
        &mut self.filter
    }

    /// What the last probe found per wheel; all `None` when planes of an earlier probe were used.
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

    /// What the drivetrain answered in the last update.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Whether values of the last command were clamped to their range.
    #[must_use]
    pub fn command_was_clamped(&self) -> bool {
        self.clamped
    }

    /// Velocities after the last update's substeps, gravity and rows not yet applied
    /// [world axes]: linear [m/s] and angular [rad/s].
    #[must_use]
    pub fn updated_velocity(&self) -> (Vec3, Vec3) {
        (self.updated.linear, self.updated.angular)
    }

    pub(crate) fn last_matrix(&self) -> Mat3 {
        self.matrix
    }

    /// Advances by one step of `dt` [s] under `gravity` [m/s², world axes] and says what the engine
    /// is to do. Touches no world.
    ///
    /// Without a probe since the last update, the ground planes of the last probe are used: their
    /// motion is then ignored.
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
        self.reactions.iter_mut().for_each(|r| *r = V3x4::ZERO);
        let policy = self.kind.params().profile.commands;
        let examined = command.examined(policy, self.kind.wheel_count())?;
        self.clamped = examined.clamped;
        let command = examined.replacement.as_ref().unwrap_or(command);
        check_inputs(body, gravity, dt)?;
        if body.asleep && !self.must_wake(command)? {
            self.fall_asleep();
            return Ok(Outcome::default());
        }
        let drivetrain = self.kind.drivetrain();
        let wants_motion = drivetrain.wants_motion(command, &self.state.drive);
        drivetrain.control(command, &mut self.state.drive, &mut self.control)?;
        let idle = !wants_motion && self.braking() == self.state.braking;
        self.state.braking = self.braking();
        self.steer();
        let (motion, decides_sleep) = match self.kind.params().profile.solver {
            Solver::Rows => (self.solve_rows(body, gravity, dt), true),
            Solver::Explicit => (self.solve_explicitly(body, gravity, dt), false),
        };
        self.probed = false;
        if !self.is_finite(&motion) {
            self.reset_to_rest();
            return Err(Refused::Overflow);
        }
        Ok(Outcome {
            motion,
            wake: body.asleep || (decides_sleep && !(idle && is_at_rest(&self.updated))),
        })
    }

    /// The rows solver's step.
    fn solve_rows(&mut self, body: &BodyState, gravity: Vec3, dt: f32) -> Motion {
        let settings = self.kind.params().profile.rows;
        let velocity = handover::receive(&settings, &mut self.state, body, gravity);
        self.follow(body);
        let mut chassis = Chassis::new(body, velocity.linear, velocity.angular);
        self.matrix = chassis.matrix;
        let mut work = rows::Workspace {
            control: &mut self.control,
            steering: &self.steering,
            ground: &self.ground,
            outputs: &mut self.outputs,
            reactions: &mut self.reactions,
            rows: &mut self.rows,
        };
        let (kind, state) = (&self.kind, &mut self.state);
        let ending = rows::advance(kind, gravity, dt, state, &mut chassis, &mut work);
        self.updated = Velocity {
            linear: chassis.linear,
            angular: chassis.angular,
        };
        handover::hand_over(state, body, &chassis, ending, gravity, dt)
    }

    /// The explicit solver's step.
    fn solve_explicitly(&mut self, body: &BodyState, gravity: Vec3, dt: f32) -> Motion {
        self.follow(body);
        let linear = body.linear_velocity + self.state.carry.linear;
        let angular = body.angular_velocity + self.state.carry.angular;
        let mut chassis = Chassis::new(body, linear, angular);
        self.matrix = chassis.matrix;
        let mut work = explicit::Workspace {
            control: &mut self.control,
            steering: &self.steering,
            ground: &self.ground,
            outputs: &mut self.outputs,
            reactions: &mut self.reactions,
            rows: &mut self.stops,
        };
        let (kind, state) = (&self.kind, &mut self.state);
        explicit::advance(kind, gravity, dt, state, &mut chassis, &mut work);
        self.motion(body, &chassis, gravity, dt)
    }

    /// What the engine is to do so that, after its own gravity and damping, the body moves as the
    /// solver decided.
    fn motion(&mut self, body: &BodyState, chassis: &Chassis, gravity: Vec3, dt: f32) -> Motion {
        self.updated = Velocity {
            linear: chassis.linear,
            angular: chassis.angular,
        };
        let mut target = self.updated;
        self.state.carry = Velocity::ZERO;
        if !self.stops.is_empty() {
            // An engine's damping stops a body within the step at most.
            let linear_left = (1.0 - body.linear_damping * dt).max(LEAST_LEFT);
            let angular_left = (1.0 - body.angular_damping * dt).max(LEAST_LEFT);
            let world = self.matrix;
            let to_vehicle = |v: Vec3| world.transpose() * v;
            let start = Velocity {
                linear: to_vehicle((target.linear + gravity * dt) * linear_left),
                angular: to_vehicle(target.angular * angular_left),
            };
            let solved = stops::solve(
                &self.stops,
                start,
                1.0 / body.mass,
                &body.inverse_inertia,
                self.kind.params().profile.sticky.damping,
                dt,
            );
            target.linear += world * (solved.moving.linear - start.linear) / linear_left;
            target.angular += world * (solved.moving.angular - start.angular) / angular_left;
            let carry = solved.end - solved.moving;
            self.state.carry = Velocity {
                linear: world * carry.linear,
                angular: world * carry.angular,
            };
        }
        let linear = target.linear - body.linear_velocity;
        let angular = target.angular - body.angular_velocity;
        match self.kind.params().profile.output {
            OutputMode::VelocityChange => Motion::VelocityChange { linear, angular },
            OutputMode::Acceleration => Motion::Acceleration {
                linear: linear / dt,
                angular: angular / dt,
            },
        }
    }

    /// Turns the wheels to the drivetrain's angles plus toe.
    fn steer(&mut self) {
        for (g, steering) in self.steering.iter_mut().enumerate() {
            steering.turn_to(self.kind.wheels()[g].toe + self.control.wheels[g].steer);
        }
    }

    /// Whether a sleeping vehicle must wake: the driver wants to move or changes the brakes, or it
    /// stands on a body that moves (ALGORITHMS §3.15).
    fn must_wake(&mut self, command: &Command) -> Result<bool, CommandFault> {
        let drivetrain = self.kind.drivetrain();
        // A look at what the command would do; the drive's own state stays.
        let mut drive = self.state.drive;
        drivetrain.control(command, &mut drive, &mut self.control)?;
        let brakes_wake = self.kind.params().profile.brakes_wake;
        Ok(drivetrain.wants_motion(command, &self.state.drive)
            || (brakes_wake && self.braking() != self.state.braking)
            || (self.probed && self.stands_on_moving_ground()))
    }

    /// Sum of the braking torques that the drivetrain answered [N·m].
    fn braking(&self) -> f32 {
        self.control.wheels.iter().map(|w| w.brake.sum()).sum()
    }

    /// The explicit solver stops everything that turns, as PhysX does; the rows solver keeps what
    /// holds the car. What is known of the ground stays.
    fn fall_asleep(&mut self) {
        self.probed = false;
        if self.kind.params().profile.solver == Solver::Rows {
            self.state.handover.duration = 0.0;
            return;
        }
        self.state.drive.engine_speed = 0.0;
        self.state.carry = Velocity::ZERO;
        for wheels in self.state.wheels.iter_mut() {
            wheels.spin = W4::ZERO;
            wheels.spin_shown = W4::ZERO;
            wheels.jounce = W4::splat(WheelState::UNKNOWN);
        }
    }

    /// Puts the vehicle to rest: nothing turns, timers are zero, the gear is the initial one, the
    /// ground is forgotten (ALGORITHMS §4.11). The body's velocities are the caller's. To be called
    /// after a teleport, too.
    pub fn reset_to_rest(&mut self) {
        let drive = self.kind.drivetrain().initial_state();
        self.state = VehicleState::at_rest(self.kind.wheel_count(), drive);
        self.contacts.fill(None);
        self.ground
            .iter_mut()
            .for_each(|g| *g = MovingGround::FIXED);
        self.reactions.iter_mut().for_each(|r| *r = V3x4::ZERO);
        self.outputs
            .iter_mut()
            .for_each(|out| *out = WheelOutputs::default());
        self.fall_asleep();
    }

    /// Tells the vehicle that the world's origin moved by `shift` [m]: positions lose it.
    pub fn shift_origin(&mut self, shift: glam::DVec3) {
        self.state.position -= shift;
        self.state.handover.position -= shift;
    }

    /// Whether a wheel stands on a body that can move.
    #[must_use]
    pub fn stands_on_moving_ground(&self) -> bool {
        self.ground.iter().any(|ground| ground.any)
    }

    /// The pushes of the last update on dynamic bodies under the wheels.
    pub fn reactions(&self) -> impl Iterator<Item = Reaction> {
        let wheels = self.contacts.iter().enumerate();
        wheels.filter_map(|(wheel, contact)| {
            let contact = contact.as_ref()?;
            contact.motion?.mass?;
            let force = self.reactions[wheel / LANES].lane(wheel % LANES);
            (force != Vec3::ZERO).then_some(Reaction {
                body: contact.hit.body?,
                force,
                anchor: self.state.position,
                offset: contact.point,
            })
        })
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
            && self.state.drive.engine_speed.is_finite()
            && self.state.wheels.iter().all(|wheels| {
                wheels.spin.is_finite() && wheels.angle.is_finite() && wheels.jounce.is_finite()
            })
    }
}

/// Whether a car as slow as this may fall asleep: below 1 cm/s and 0.01 rad/s (HOLDING §4).
fn is_at_rest(velocity: &Velocity) -> bool {
    const SLOW: f32 = 0.01;
    let slow = |v: Vec3| v.dot(v) < SLOW * SLOW;
    slow(velocity.linear) && slow(velocity.angular)
}

/// Share of a velocity that damping is taken to leave at least, so that it can be divided by.
const LEAST_LEFT: f32 = 1e-3;

fn check_inputs(body: &BodyState, gravity: Vec3, dt: f32) -> Result<(), Refused> {
    if !(dt > 0.0 && dt.is_finite()) {
        return Err(Refused::TimeStep(dt));
    }
    if !(gravity.is_finite() && gravity != Vec3::ZERO) {
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
