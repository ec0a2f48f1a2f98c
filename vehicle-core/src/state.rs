//! The state of a vehicle: plain data, at most 512 bytes for a four-wheeler. Save it, restore it,
//! step again: the same bits.

use glam::{DVec3, Quat};

use crate::chassis::Velocity;
use crate::command::Gear;
use crate::lanes::{Groups, V3x4, W4};

/// Engine, gears and timers. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DriveState {
    /// Engine speed [rad/s], ≥ 0.
    pub engine_speed: f32,
    /// The gear engaged now.
    pub gear: Gear,
    /// The gear that is being changed to; equal to `gear` when nothing changes.
    pub target_gear: Gear,
    /// Time since the change began [s]; at exact ticks the next change begins with what the last
    /// one took too long.
    pub switch_time: f32,
    /// Time since the autobox last changed gears [s]; at exact ticks it begins with what was over
    /// of the latency before.
    pub autobox_time: f32,
    /// A request for the next higher gear waits.
    pub gear_up: bool,
    /// A request for the next lower gear waits.
    pub gear_down: bool,
    /// Torque that the clutch passed in the last substep [N·m] (rows solver).
    pub clutch_torque: f32,
}

impl DriveState {
    /// Puts a gear in at once, without the time that a change takes.
    pub fn force_gear(&mut self, gear: Gear) {
        self.gear = gear;
        self.target_gear = gear;
    }
}

/// State of four wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WheelState {
    /// Spin [rad/s], positive rolling forward.
    pub spin: W4,
    /// Spin as shown [rad/s]: blended towards rolling at low speed (ALGORITHMS §3.12).
    pub spin_shown: W4,
    /// Rotation angle [rad], within ±10π.
    pub angle: W4,
    /// Jounce at the end of the last substep [m]; [`WheelState::UNKNOWN`] after rest.
    pub jounce: W4,
    /// Steering angle of the last step, toe included [rad]: how a swept wheel is turned.
    pub steer: W4,
    /// How long the wheel has stood still forward [s].
    pub still_forward: W4,
    /// How long the wheel has stood still sideways [s].
    pub still_sideways: W4,
    /// Normal of the ground plane under the wheel [world axes]; zero for no ground.
    pub ground_normal: V3x4,
    /// Height of the centre of mass above that plane [m].
    pub ground_height: W4,
    /// Friction of the tire on that ground [−].
    pub ground_friction: W4,
    /// Deflection of the tire's carcass forward [m]; its force pushes the chassis forward.
    pub carcass_forward: W4,
    /// Deflection of the tire's carcass to the left [m].
    pub carcass_left: W4,
    /// Forces on the chassis in the last substep [N]: along the ground's normal,
    pub normal_force: W4,
    /// forward,
    pub forward_force: W4,
    /// to the left.
    pub left_force: W4,
}

impl WheelState {
    /// Marks a jounce that is not known: the next step takes the jounce speed as 0.
    pub const UNKNOWN: f32 = f32::MAX;
    /// Displayed angles are wrapped at this [rad] (ALGORITHMS §3.12).
    pub const ANGLE_WRAP: f32 = 10.0 * core::f32::consts::PI;

    /// Standing wheels over no known ground.
    pub const AT_REST: Self = Self {
        spin: W4::ZERO,
        spin_shown: W4::ZERO,
        angle: W4::ZERO,
        jounce: W4::splat(Self::UNKNOWN),
        steer: W4::ZERO,
        still_forward: W4::ZERO,
        still_sideways: W4::ZERO,
        ground_normal: V3x4::ZERO,
        ground_height: W4::ZERO,
        ground_friction: W4::ZERO,
        carcass_forward: W4::ZERO,
        carcass_left: W4::ZERO,
        normal_force: W4::ZERO,
        forward_force: W4::ZERO,
        left_force: W4::ZERO,
    };
}

/// What the engine was told in the last step, and what it has been found to add ([`handover`]). World
/// axes.
///
/// [`handover`]: crate::rows::handover
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handover {
    /// Position of the body when it was told [m, world].
    pub position: DVec3,
    /// Rotation of the body when it was told, vehicle → world.
    pub rotation: Quat,
    /// Velocity that it should have after the step.
    pub expected: Velocity,
    /// Acceleration by the engine's own doing, learned [m/s², rad/s²].
    pub push: Velocity,
    /// Way beyond the velocity handed over, per square of the step's length, learned [m/s², rad/s²]:
    /// a push moves the body so, by half to all of its acceleration.
    pub drift: Velocity,
    /// Way that the body strayed all the same and is still to be taken back [m, rad].
    pub astray: Velocity,
    /// Length of the step [s]; 0 if there was none to compare with.
    pub duration: f32,
    /// Whether the car stood on its wheels at its end.
    pub standing: bool,
    /// Whether the engine added nothing that was not known: no contact, no joint.
    pub undisturbed: bool,
}

impl Handover {
    /// Nothing was told.
    pub const NONE: Self = Self {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        expected: Velocity::ZERO,
        push: Velocity::ZERO,
        drift: Velocity::ZERO,
        astray: Velocity::ZERO,
        duration: 0.0,
        standing: false,
        undisturbed: false,
    };
}

/// Everything that a vehicle remembers from step to step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VehicleState {
    /// Engine and gears.
    pub drive: DriveState,
    /// Wheels, in groups of four.
    pub wheels: Groups<WheelState>,
    /// Sum of the braking torques of the last step [N·m]: a sleeping car wakes when it changes.
    pub braking: f32,
    /// Where the centre of mass was at the last update [m, world]; the ground planes count from
    /// it.
    pub position: DVec3,
    /// What the body's true velocity exceeds the engine's by [world axes]: the engine moves it at
    /// the mean velocity of a step, or at one that also corrects a bump stop.
    pub carry: Velocity,
    /// What the engine was told in the last step (rows solver).
    pub handover: Handover,
}

impl VehicleState {
    /// A vehicle at rest with `wheels` wheels.
    #[must_use]
    pub fn at_rest(wheels: usize, drive: DriveState) -> Self {
        Self {
            drive,
            wheels: Groups::for_wheels(wheels, |_| WheelState::AT_REST),
            braking: 0.0,
            position: DVec3::ZERO,
            carry: Velocity::ZERO,
            handover: Handover::NONE,
        }
    }

    /// Forgets for how long wheels have stood still: the explicit solver holds none until it has stood
    /// for so long again. For a trailer in each step in which its truck means to drive off
    /// ([`Control::accelerating`](crate::Control::accelerating)), as nothing else tells it so. The rows
    /// solver holds nothing that is towed.
    pub fn forget_stillness(&mut self) {
        for wheels in self.wheels.iter_mut() {
            (wheels.still_forward, wheels.still_sideways) = (W4::ZERO, W4::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_four_wheelers_state_fits_in_512_bytes() {
        assert!(
            size_of::<VehicleState>() <= 512,
            "{}",
            size_of::<VehicleState>()
        );
    }
}
