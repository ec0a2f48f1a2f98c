//! Sleep, waking, and rest.

use glam::Vec3;

use super::{Vehicle, at_rest};
use crate::base::digest::Digest;
use crate::base::lanes::W4;
use crate::base::velocity::Velocity;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::air::Air;
use crate::exchange::command::Command;
use crate::exchange::state::{DriveState, WheelState};
use crate::stages::contact::MovingGround;
use crate::stages::outputs::WheelOutputs;

impl Vehicle {
    /// Whether a sleeping vehicle must wake: the driver requests motion, or something is not as it was when it fell
    /// asleep (ROWS §8). In PhysX, the latter counts only for bodies under the wheels (ALGORITHMS §3.15).
    pub(super) fn must_wake(&self, requests_motion: bool, input_digest: u32, ground: u16) -> bool {
        let lies_elsewhere = ![0, ground].contains(&self.state.ground_digest);
        let ground_wakes = if self.model.params().profile.brakes_wake {
            self.ground_moves()
        } else {
            self.stands_on_moving_ground()
        };
        requests_motion
            || input_digest != self.state.input_digest
            || lies_elsewhere
            || (self.probed.is_present() && ground_wakes)
    }

    /// Digest of the inputs of a step, apart from the position of the ground; 0 where changes wake nothing.
    pub(super) fn input_digest(&self, command: &Command, gravity: Vec3, mass: f32) -> u32 {
        if !self.model.params().profile.brakes_wake {
            return 0;
        }
        let of_command = command.added_to(Digest::new(), self.model.wheel_count());
        let mut digest = of_command.numbers(&gravity.to_array()).word(mass.to_bits());
        let wheels = &self.state.wheels;
        wheels.each(|_, wheels| digest = digest.lanes(wheels.ground_friction));
        if self.model.air().is_some() {
            let Air { density, wind } = self.air;
            digest = digest.numbers(&wind.to_array()).numbers(&[density]);
        }
        digest.long()
    }

    /// Digest of how the vehicle lies on the ground: the planes of this step's probe, or what is known without
    /// one. A body that sleeps does not move, so that they stay the same to the bit.
    pub(super) fn ground_under(&self, body: &BodyState) -> u16 {
        if !(self.probed.is_present() && self.model.params().profile.brakes_wake) {
            return self.state.ground_digest;
        }
        let mut ground = Digest::new().numbers(&body.rotation.to_array());
        for wheels in self.state.wheels.iter() {
            ground = ground
                .vectors(wheels.ground_normal)
                .lanes(wheels.ground_height);
        }
        ground.short()
    }

    /// Whether a body under a wheel moves: of those that can, most stand.
    fn ground_moves(&self) -> bool {
        let moves = |ground: &MovingGround| {
            let (velocity, spin) = (ground.velocity, ground.spin);
            let speeds = velocity.dot(velocity) + spin.dot(spin);
            speeds.gt(W4::ZERO).any()
        };
        self.ground.ground().iter().any(moves)
    }

    /// Whether the vehicle may fall asleep: it hardly moves, nor does its ground or its steering wheel, and no wheel spins freely, which
    /// would stop with the updates (PhysX 5: ALGORITHMS §7.14, ROWS §8).
    pub(super) fn is_at_rest(&self) -> bool {
        let turning = W4::splat(TURNING);
        let mut wheels = self.state.wheels.iter();
        let wheels_turn = wheels.any(|wheels| wheels.spin.abs().gt(turning).any());
        let steering = self.state.extras.steering();
        let steering_turns = steering.is_some_and(|wheel| wheel.speed.abs() > SLOW);
        !wheels_turn && !steering_turns && !self.ground_moves() && self.updated.is_below(SLOW)
    }

    /// The explicit solver stops everything that rotates, as PhysX does, and may forget jounces; the rows solver keeps
    /// the forces by which the car stands. Known ground is kept.
    pub(super) fn fall_asleep(&mut self) {
        self.probed.end();
        self.trend.forget();
        let Some(settings) = self.model.params().profile.explicit().copied() else {
            self.state.last_step.duration = 0.0;
            return;
        };
        self.state.drive.engine_speed = self.model.drivetrain().initial_state().engine_speed;
        self.state.carry = Velocity::ZERO;
        self.state.tire_moment = Vec3::ZERO;
        for wheels in self.state.wheels.iter_mut() {
            wheels.spin = W4::ZERO;
            wheels.spin_shown = W4::ZERO;
            if !settings.sleep_keeps_jounce {
                wheels.jounce = W4::splat(WheelState::UNKNOWN);
                wheels.jounce_speed = W4::ZERO;
            }
        }
    }

    /// Sets before each update of a trailer whether its towing vehicle is about to move: its
    /// [`Control::accelerating`](crate::Control::accelerating). The explicit solver then releases sticking wheels,
    /// which would resist a gentle pull. The rows solver needs no such hint.
    pub fn set_towed(&mut self, drives_off: bool) {
        self.towed = drives_off;
    }

    /// Puts the vehicle to rest: zero spins and timers, initial gear, unknown ground (ALGORITHMS §4.11). Tire
    /// states are kept except for lengths: tires stay worn. Memories of drivetrain and driver aids begin anew;
    /// aids that are switched off stay off. The body's velocities are the caller's to change.
    ///
    /// With the explicit solver, call this after a teleport, too; the rows solver detects one, and a parked car
    /// stays parked.
    pub fn reset_to_rest(&mut self) {
        let worn = self.state.extras.clone();
        *self.state_mut() = at_rest(&self.model);
        self.state.extras.wear_as(&worn);
        self.state.extras.switch_as(&worn);
        self.forget_contacts();
        self.ground.forget_pushes();
        self.outputs
            .iter_mut()
            .for_each(|out| *out = WheelOutputs::default());
        self.fall_asleep();
    }
}

/// Whether an update left gears and their timers as they were: a change of gears or an autobox that still counts
/// would move a car that sleeps. (An engine that revs down does not.)
pub(super) fn is_drive_at_rest(before: &DriveState, after: &DriveState) -> bool {
    let gears = |state: &DriveState| DriveState {
        engine_speed: 0.0,
        clutch_torque: 0.0,
        ..*state
    };
    gears(before) == gears(after)
}

/// Spin that counts as standing (`rad/s`).
const TURNING: f32 = 0.3;

/// A car below this may fall asleep (`m/s`, `rad/s`).
const SLOW: f32 = 0.01;
