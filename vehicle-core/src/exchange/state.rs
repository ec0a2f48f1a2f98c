//! The state of a vehicle: plain data, at most 512 bytes for a four-wheeler. Save it, restore it,
//! step again: the same bits.

use glam::{DVec3, Quat, Vec3};

use crate::base::lanes::{Groups, LANES, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::exchange::command::Gear;
use crate::exchange::grip_memory::GripMemory;
use crate::exchange::tire_state::TireStates;
use crate::params::profile::Solver;

/// Engine, gears and timers. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DriveState {
    /// Engine speed (`rad/s`), ≥ 0.
    pub engine_speed: f32,
    /// The gear engaged now.
    pub gear: Gear,
    /// The gear that is being changed to; equal to `gear` when nothing changes.
    pub target_gear: Gear,
    /// Time since the change began (`s`); at exact ticks the next change begins with what the last
    /// one took too long.
    pub switch_time: f32,
    /// Time since the autobox last changed gears (`s`); at exact ticks it begins with what was over
    /// of the latency before.
    pub autobox_time: f32,
    /// A request for the next higher gear waits.
    pub gear_up: bool,
    /// A request for the next lower gear waits.
    pub gear_down: bool,
    /// Torque that the clutch passed in the last substep (`N·m`) (rows solver).
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
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WheelState {
    /// Spin (`rad/s`), positive rolling forward.
    pub spin: W4,
    /// Spin as shown [rad/s]: blended towards rolling at low speed (ALGORITHMS §3.12).
    pub spin_shown: W4,
    /// Rotation angle (`rad`), within ±10π; within ±2π where
    /// [`ExplicitSettings::turns_once`](crate::profile::ExplicitSettings::turns_once) holds.
    pub angle: W4,
    /// Jounce at the end of the last substep (`m`); [`WheelState::UNKNOWN`] after rest.
    pub jounce: W4,
    /// Rate of jounce in the last substep [m/s]: of a wheel in the air, that of the ground under it, 0
    /// without any.
    pub jounce_speed: W4,
    /// Steering angle of the last step, toe included (`rad`): how a swept wheel is turned.
    pub steer: W4,
    /// How the wheels hold the ground, as their solver remembers it.
    pub grip: GripMemory,
    /// Normal of the ground plane under the wheel (world axes); zero for no ground.
    pub ground_normal: V3x4,
    /// Height of the centre of mass above that plane (`m`).
    pub ground_height: W4,
    /// Friction of the tire on that ground (–).
    pub ground_friction: W4,
    /// Force on the chassis along the ground's normal in the last substep (`N`).
    pub normal_force: W4,
}

impl WheelState {
    /// Marks a jounce that is not known: the next step takes the jounce speed as 0.
    pub const UNKNOWN: f32 = f32::MAX;
    /// Displayed angles are wrapped at this (`rad`) (ALGORITHMS §3.12).
    pub const ANGLE_WRAP: f32 = 10.0 * core::f32::consts::PI;

    /// Standing wheels over no known ground.
    pub const AT_REST: Self = Self {
        spin: W4::ZERO,
        spin_shown: W4::ZERO,
        angle: W4::ZERO,
        jounce: W4::splat(Self::UNKNOWN),
        jounce_speed: W4::ZERO,
        steer: W4::ZERO,
        grip: GripMemory::NONE,
        ground_normal: V3x4::ZERO,
        ground_height: W4::ZERO,
        ground_friction: W4::ZERO,
        normal_force: W4::ZERO,
    };

    /// Four wheels, each as the wheel of `wheels` that `source(lane)` names; at rest where it names
    /// none.
    ///
    /// # Panics
    /// If it names a wheel beyond the last group.
    #[must_use]
    pub fn gathered(wheels: &Groups<Self>, source: impl Fn(usize) -> Option<usize>) -> Self {
        let from = |lane: usize| match source(lane) {
            Some(wheel) => (&wheels[wheel / LANES], wheel % LANES),
            None => (&Self::AT_REST, 0),
        };
        let scalar = |f: fn(&Self) -> W4| {
            W4::from_fn(|lane| {
                let (group, wheel) = from(lane);
                f(group).lane(wheel)
            })
        };
        let normals = core::array::from_fn(|lane| {
            let (group, wheel) = from(lane);
            group.ground_normal.lane(wheel)
        });
        Self {
            spin: scalar(|w| w.spin),
            spin_shown: scalar(|w| w.spin_shown),
            angle: scalar(|w| w.angle),
            jounce: scalar(|w| w.jounce),
            jounce_speed: scalar(|w| w.jounce_speed),
            steer: scalar(|w| w.steer),
            grip: wheels.first().grip.gathered(|lane| {
                let wheel = source(lane)?;
                Some((&wheels[wheel / LANES].grip, wheel % LANES))
            }),
            ground_normal: V3x4::from_array(normals),
            ground_height: scalar(|w| w.ground_height),
            ground_friction: scalar(|w| w.ground_friction),
            normal_force: scalar(|w| w.normal_force),
        }
    }
}

/// What the engine was told in the last step, and what it has been found to add ([`handover`]). World
/// axes.
///
/// [`handover`]: crate::solvers::rows::handover
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Handover {
    /// Position of the body when it was told (`m`, world).
    pub position: DVec3,
    /// Rotation of the body when it was told, vehicle → world.
    pub rotation: Quat,
    /// Velocity that it should have after the step.
    pub expected: Velocity,
    /// Acceleration by the engine's own doing, learned (`m/s²`, `rad/s²`).
    pub push: Velocity,
    /// Way beyond the velocity handed over, per square of the step's length, learned [m/s², rad/s²]:
    /// a push moves the body so, by half to all of its acceleration.
    pub drift: Velocity,
    /// Way that the body strayed all the same and is still to be taken back (`m`, `rad`).
    pub astray: Velocity,
    /// Length of the step (`s`); 0 if there was none to compare with.
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
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct VehicleState {
    /// Engine and gears.
    pub drive: DriveState,
    /// Wheels, in groups of four.
    pub wheels: Groups<WheelState>,
    /// Sum of the braking torques of the last step [N·m]: a sleeping car wakes when it changes.
    pub braking: f32,
    /// Where the centre of mass was at the last update (`m`, world); the ground planes count from
    /// it.
    pub position: DVec3,
    /// Whether a wheel stood on a body that can move when the ground was last looked for.
    #[cfg_attr(feature = "serde", serde(default))]
    pub on_moving_ground: bool,
    /// What the body's true velocity exceeds the engine's by (world axes): the engine moves it at
    /// the mean velocity of a step, or at one that also corrects a bump stop.
    pub carry: Velocity,
    /// Moment of the tires on the chassis in the last substep (`N·m`, vehicle frame), with which the next
    /// one begins (rows solver).
    #[cfg_attr(feature = "serde", serde(default))]
    pub tire_moment: Vec3,
    /// What tires remember.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tires: TireStates,
    /// What the engine was told in the last step (rows solver).
    pub handover: Handover,
}

impl VehicleState {
    /// The state as a vehicle that `solver` advances goes on from it: of what another one remembers of the
    /// wheels' grip, the forces.
    #[must_use]
    pub(crate) fn for_solver(mut self, solver: &Solver) -> Self {
        for wheels in self.wheels.iter_mut() {
            wheels.grip = wheels.grip.of(solver);
        }
        self
    }

    /// A vehicle at rest with `wheels` wheels, whose tires remember nothing.
    #[must_use]
    pub fn at_rest(wheels: usize, drive: DriveState) -> Self {
        Self {
            drive,
            wheels: Groups::for_wheels(wheels, |_| WheelState::AT_REST),
            braking: 0.0,
            position: DVec3::ZERO,
            on_moving_ground: false,
            carry: Velocity::ZERO,
            tire_moment: Vec3::ZERO,
            tires: TireStates::default(),
            handover: Handover::NONE,
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
