//! The state of a vehicle: plain data, at most 512 bytes for a four-wheeler. Stepping again from a restored
//! state gives the same bits.

use glam::{DVec3, Vec3};

use crate::base::lanes::{Groups, LANES, V3x4, W4};
use crate::base::velocity::Velocity;
use crate::exchange::command::Gear;
use crate::exchange::extra_states::ExtraStates;
use crate::exchange::grip_memory::GripMemory;
use crate::exchange::steering_wheel::SteeringWheel;
use crate::exchange::step_record::StepRecord;
use crate::params::profile::Solver;

/// Engine, gears and timers. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DriveState {
    /// Engine speed (`rad/s`), ≥ 0.
    pub engine_speed: f32,
    /// The engaged gear.
    pub gear: Gear,
    /// The gear being changed to; equal to `gear` if no change is in progress.
    pub target_gear: Gear,
    /// Time since the change began (`s`); with exact ticks, the next change starts with the remainder of the
    /// last one.
    pub switch_time: f32,
    /// Time since the autobox last changed gears (`s`); with exact ticks, it starts with the remainder of the
    /// last latency.
    pub autobox_time: f32,
    /// Whether a request for the next higher gear is pending.
    pub gear_up: bool,
    /// Whether a request for the next lower gear is pending.
    pub gear_down: bool,
    /// Torque transmitted by the clutch in the last substep (`N·m`), its warm start (rows solver).
    pub clutch_torque: f32,
}

impl DriveState {
    /// Engages a gear at once, without switch time.
    pub fn force_gear(&mut self, gear: Gear) {
        self.gear = gear;
        self.target_gear = gear;
    }
}

/// State of four wheels, which [`VehicleState::wheel`] reads one by one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WheelState {
    /// Spin (`rad/s`), positive rolling forward.
    pub spin: W4,
    /// Displayed spin (`rad/s`): blended toward rolling at low speed (ALGORITHMS §3.12).
    pub spin_shown: W4,
    /// Rotation angle (`rad`), within ±10π; within ±2π where
    /// [`ExplicitSettings::turns_once`](crate::profile::ExplicitSettings::turns_once) holds.
    pub angle: W4,
    /// Jounce at the end of the last substep (`m`); [`WheelState::UNKNOWN`] after rest.
    pub jounce: W4,
    /// Jounce speed in the last substep (`m/s`); in the air, that of the ground under the wheel, 0 without
    /// ground.
    pub jounce_speed: W4,
    /// Steering angle of the last step, with toe (`rad`): the orientation of a swept wheel.
    pub steer: W4,
    /// The solver's memory of the wheels' grip, which only the solver reads.
    pub grip: GripMemory,
    /// Normal of the ground plane under the wheel (world axes); zero without ground.
    pub ground_normal: V3x4,
    /// Height of the center of mass above the ground plane under the wheel (`m`).
    pub ground_height: W4,
    /// Friction of the tire on the ground under the wheel (–).
    pub ground_friction: W4,
    /// Force of the wheel on the chassis along the ground's normal in the last substep (`N`).
    pub normal_force: W4,
}

impl WheelState {
    /// Longitudinal forces of the tires on the chassis in the last substep (`N`), forward.
    #[must_use]
    pub fn driving_force(&self) -> W4 {
        self.grip.rows().force[0]
    }

    /// Value of an unknown jounce: the next step takes the jounce speed as 0.
    pub const UNKNOWN: f32 = f32::MAX;
    /// Magnitude at which displayed angles are wrapped (`rad`) (ALGORITHMS §3.12).
    pub const ANGLE_WRAP: f32 = 10.0 * core::f32::consts::PI;

    /// Wheels at rest without known ground.
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

    /// Four wheels with the states of the wheels `source(lane)` of `wheels`; at rest where there is none.
    ///
    /// # Panics
    /// If `source` gives a wheel beyond the last group.
    #[must_use]
    pub fn gathered(wheels: &[Self], source: impl Fn(usize) -> Option<usize>) -> Self {
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
            grip: wheels[0].grip.gathered(|lane| {
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

/// The complete state of a vehicle between steps.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct VehicleState {
    /// Engine and gears.
    pub drive: DriveState,
    /// Wheels in groups of four, which [`VehicleState::wheel`] reads one by one.
    #[doc(hidden)]
    pub wheels: Groups<WheelState>,
    /// Digest of the last step's inputs: command, gravity, mass, friction under the wheels; 0 if unknown, or if the driver
    /// requested motion. A sleeping car wakes when it changes (ROWS §8).
    #[cfg_attr(feature = "serde", serde(default))]
    pub input_digest: u32,
    /// Digest of the pose of a sleeping car over the ground; 0 while it is awake.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ground_digest: u16,
    /// Position of the center of mass at the last update (`m`, world); the ground planes are relative to it.
    pub position: DVec3,
    /// Whether the next step needs a probe: at the last one, a wheel touched a body that can move, its ground was about to
    /// end, or its contact was not finite.
    #[cfg_attr(feature = "serde", serde(default))]
    pub needs_probe: bool,
    /// Bits 0–5 count the steps since the last probe, this one included, up to 63; 0 before the first. Bit 6 is set if the
    /// next step needs an update (rows solver), bit 7 if the engine moved the body as the last step asked. One byte, because
    /// `VehicleState` must fit 512 bytes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub marks: u8,
    /// True velocity of the body minus the engine's, `linear` (`m/s`) and `angular` (`rad/s`, world axes): the engine moves
    /// it at the mean velocity of a step, or at one that also corrects a bump stop. See [`VehicleState::at_end_of_step`].
    #[doc(hidden)]
    pub carry: Velocity,
    /// Moment of the tires on the chassis in the last substep (`N·m`, vehicle frame), applied in the next one
    /// (rows solver).
    #[cfg_attr(feature = "serde", serde(default))]
    pub tire_moment: Vec3,
    /// States of some vehicles only: of tires, of a steering wheel that torques move, and forces on bushings.
    #[cfg_attr(feature = "serde", serde(default))]
    #[doc(hidden)]
    pub extras: ExtraStates,
    /// Record of the last step and the observer's estimates (rows solver), which only the solver reads.
    #[doc(hidden)]
    pub last_step: StepRecord,
}

impl VehicleState {
    /// The bit of [`VehicleState::marks`] that is set if the body arrived where the last step moved it.
    const ARRIVED: u8 = 1 << 7;
    /// The bit of [`VehicleState::marks`] that is set if the next step needs an update.
    const NEEDS_UPDATE: u8 = 1 << 6;
    /// The bits of [`VehicleState::marks`] that count steps.
    const STEPS: u8 = Self::NEEDS_UPDATE - 1;

    /// This state for a vehicle with `solver`: another solver's grip memory keeps only its forces.
    #[must_use]
    pub(crate) fn for_solver(mut self, solver: &Solver) -> Self {
        for wheels in self.wheels.iter_mut() {
            wheels.grip = wheels.grip.of(solver);
        }
        self
    }

    /// Copies a state of as many wheels whose extra states are as long, without an allocation.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        let Self {
            drive,
            wheels,
            input_digest,
            ground_digest,
            position,
            needs_probe,
            marks,
            carry,
            tire_moment,
            extras,
            last_step,
        } = self;
        *drive = other.drive;
        wheels.copy_from_slice(&other.wheels);
        (*input_digest, *ground_digest) = (other.input_digest, other.ground_digest);
        (*position, *needs_probe, *marks) = (other.position, other.needs_probe, other.marks);
        (*carry, *tire_moment) = (other.carry, other.tire_moment);
        extras.copy_from(&other.extras);
        *last_step = other.last_step;
    }

    /// Values that the drivetrain remembers, as [`Drivetrain::memory`](crate::Drivetrain::memory) documents.
    #[must_use]
    pub fn drivetrain_memory(&self) -> &[f32] {
        self.extras.memories().map_or(&[], |all| &all.drivetrain)
    }

    /// Values that a driver aid remembers, by its index in the model's [list](crate::VehicleModel::with_aids).
    ///
    /// # Panics
    /// If there is no such aid.
    #[must_use]
    pub fn aid_memory(&self, aid: usize) -> &[f32] {
        self.extras.memories().map_or(&[], |all| &all.aids[aid])
    }

    /// Values that a driver aid remembers, mutable: to switch it, or to give it a speed to hold, as the aid documents.
    ///
    /// # Panics
    /// If there is no such aid.
    pub fn aid_memory_mut(&mut self, aid: usize) -> &mut [f32] {
        self.extras
            .memories_mut()
            .map_or(&mut [], |all| &mut all.aids[aid])
    }

    /// Whether a driver aid is switched on, by its index in the model's list; an aid that is not is not called.
    #[must_use]
    pub fn aid_is_enabled(&self, aid: usize) -> bool {
        let memories = self.extras.memories();
        memories.is_none_or(|all| all.aid_is_enabled(aid))
    }

    /// Switches a driver aid on or off, by its index in the model's list. What it remembers stays.
    ///
    /// # Panics
    /// If there is no such aid.
    pub fn enable_aid(&mut self, aid: usize, enabled: bool) {
        let count = self.extras.memories().map_or(0, |all| all.aids.len());
        assert!(aid < count, "aid {aid} of {count}");
        if let Some(all) = self.extras.memories_mut() {
            all.disabled_aids = all.disabled_aids & !(1 << aid) | u32::from(!enabled) << aid;
        }
    }

    /// Whether the engine moved the body as the last step asked: nothing placed it elsewhere.
    #[inline]
    pub(crate) fn arrived(&self) -> bool {
        self.marks & Self::ARRIVED != 0
    }

    #[inline]
    pub(crate) fn set_arrived(&mut self, arrived: bool) {
        self.mark(Self::ARRIVED, arrived);
    }

    /// Whether the next step needs an update.
    #[inline]
    pub(crate) fn needs_update(&self) -> bool {
        self.marks & Self::NEEDS_UPDATE != 0
    }

    #[inline]
    pub(crate) fn set_needs_update(&mut self, needs: bool) {
        self.mark(Self::NEEDS_UPDATE, needs);
    }

    #[inline]
    fn mark(&mut self, bit: u8, is_set: bool) {
        self.marks = (self.marks & !bit) | if is_set { bit } else { 0 };
    }

    /// Number of steps since the last probe, that of the probe included (–), at most 63; 0 before the first.
    #[inline]
    pub(crate) fn steps_since_probe(&self) -> u8 {
        self.marks & Self::STEPS
    }

    /// Counts a step since the last probe; restarts the count if the step was `probed`.
    #[inline]
    pub(crate) fn count_step(&mut self, probed: bool) {
        let before = if probed { 0 } else { self.steps_since_probe() };
        self.marks = (self.marks & !Self::STEPS) | (before + 1).min(Self::STEPS);
    }

    /// Sets the position of the center of mass (`m`, world).
    #[inline]
    pub(crate) fn move_to(&mut self, position: DVec3) {
        self.move_by((position - self.position).as_vec3(), position);
    }

    /// Sets the position of the center of mass (`m`, world), which is `moved` (`m`) from where it was.
    #[inline]
    pub(crate) fn move_by(&mut self, moved: Vec3, position: DVec3) {
        self.last_step.position -= moved;
        self.position = position;
    }

    /// The steering wheel; `None` if the wheels follow the command at once.
    #[must_use]
    pub fn steering_wheel(&self) -> Option<SteeringWheel> {
        self.extras.steering().copied()
    }

    /// A vehicle at rest with `wheels` wheels and no tire states.
    #[must_use]
    pub fn at_rest(wheels: usize, drive: DriveState) -> Self {
        Self {
            drive,
            wheels: Groups::for_wheels(wheels, |_| WheelState::AT_REST),
            input_digest: 0,
            ground_digest: 0,
            position: DVec3::ZERO,
            needs_probe: false,
            marks: 0,
            carry: Velocity::ZERO,
            tire_moment: Vec3::ZERO,
            extras: ExtraStates::default(),
            last_step: StepRecord::NONE,
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
