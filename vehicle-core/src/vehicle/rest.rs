//! Sleep, waking, and rest.

use glam::Vec3;

use super::{Vehicle, at_rest};
use crate::base::lanes::W4;
use crate::base::velocity::Velocity;
use crate::exchange::command::{Command, CommandFault};
use crate::exchange::state::WheelState;
use crate::stages::outputs::WheelOutputs;

impl Vehicle {
    /// Whether a sleeping vehicle must wake: the driver wants to move or changes the brakes, or it stands on a
    /// moving body (ALGORITHMS §3.15).
    pub(super) fn must_wake(&mut self, command: &Command) -> Result<bool, CommandFault> {
        let drivetrain = self.kind.drivetrain();
        // Evaluates the command on a copy of the drive's state.
        let mut drive = self.state.drive;
        drivetrain.control(command, &mut drive, &mut self.control)?;
        let brakes_wake = self.kind.params().profile.brakes_wake;
        Ok(drivetrain.wants_motion(command, &self.state.drive)
            || (brakes_wake && self.braking() != self.state.braking)
            || (self.probed && self.stands_on_moving_ground()))
    }

    /// Sum of the drivetrain's braking torques (`N·m`).
    pub(super) fn braking(&self) -> f32 {
        self.control.wheels.iter().map(|w| w.brake.sum()).sum()
    }

    /// Whether the vehicle may fall asleep: it hardly moves, and no wheel spins freely, which would stop with
    /// the updates (PhysX 5: ALGORITHMS §7.14, ROWS §8).
    pub(super) fn is_at_rest(&self) -> bool {
        !self.a_wheel_turns() && is_slower(&self.updated, SLOW)
    }

    /// Whether a wheel turns.
    pub(super) fn a_wheel_turns(&self) -> bool {
        let turning = W4::splat(TURNING);
        let mut wheels = self.state.wheels.iter();
        wheels.any(|wheels| wheels.spin.abs().gt(turning).any())
    }

    /// The explicit solver stops everything that rotates, as PhysX does; the rows solver keeps the forces that
    /// hold the car. Known ground is kept.
    pub(super) fn fall_asleep(&mut self) {
        self.probed = false;
        self.trend.forget();
        if self.kind.params().profile.rows().is_some() {
            self.state.handover.duration = 0.0;
            return;
        }
        self.state.drive.engine_speed = self.kind.drivetrain().initial_state().engine_speed;
        self.state.carry = Velocity::ZERO;
        self.state.tire_moment = Vec3::ZERO;
        for wheels in self.state.wheels.iter_mut() {
            wheels.spin = W4::ZERO;
            wheels.spin_shown = W4::ZERO;
            wheels.jounce = W4::splat(WheelState::UNKNOWN);
            wheels.jounce_speed = W4::ZERO;
        }
    }

    /// Sets before each update of a trailer whether its towing vehicle is about to move: its
    /// [`Control::accelerating`](crate::Control::accelerating). The explicit solver then releases its hold,
    /// which would resist a gentle pull. The rows solver needs no such hint.
    pub fn set_towed(&mut self, drives_off: bool) {
        self.towed = drives_off;
    }

    /// Puts the vehicle to rest: zero spins and timers, initial gear, unknown ground (ALGORITHMS §4.11). Tire
    /// states are kept except for lengths: tires stay worn. The body's velocities are the caller's to change.
    ///
    /// With the explicit solver, call this after a teleport, too; the rows solver detects one, and a parked car
    /// stays parked.
    pub fn reset_to_rest(&mut self) {
        let worn = self.state.tires.clone();
        *self.state_mut() = at_rest(&self.kind);
        self.state.tires.wear_as(&worn);
        self.forget_turning();
        self.forget_contacts();
        self.forget_reactions();
        self.outputs
            .iter_mut()
            .for_each(|out| *out = WheelOutputs::default());
        self.fall_asleep();
    }
}

/// Spin that counts as standing (`rad/s`).
const TURNING: f32 = 0.3;

/// A car below this may fall asleep (`m/s`, `rad/s`).
const SLOW: f32 = 0.01;

/// Whether both velocities are below `limit` (`m/s`, `rad/s`).
pub(super) fn is_slower(velocity: &Velocity, limit: f32) -> bool {
    let slower = |v: Vec3| v.dot(v) < limit * limit;
    slower(velocity.linear) && slower(velocity.angular)
}
