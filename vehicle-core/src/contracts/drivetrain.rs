//! The contract [`Drivetrain`]: how a command becomes torque, brake and steering per wheel.
//!
//! A drivetrain returns *structure* (shares, ratio, clutch, engine), not finished speeds; the
//! solver couples it with the wheels (ALGORITHMS §4.7).

use core::fmt::Debug;

use crate::base::checked::Inspector;
use crate::base::lanes::{Groups, LANES, Mask4, W4};
use crate::exchange::command::{Command, CommandFault, GearCommand};
use crate::exchange::state::{DriveState, WheelState};

/// How exactly the coupled speeds of wheels and engine are solved.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum ClutchAccuracy {
    /// In closed form.
    #[default]
    Exact,
    /// By Gauss–Seidel sweeps from the old speeds.
    Iterative {
        /// Most sweeps, > 0.
        sweeps: u32,
        /// Squared residual, relative to the squared right-hand side, at which sweeps stop; ≥ 0.
        tolerance: f32,
    },
}

/// The engine as the solver sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineLaw {
    /// Moment of inertia (`kg·m²`), > 0.
    pub inertia: f32,
    /// Speed that it never falls below (`rad/s`), 0…`max_speed`.
    pub idle_speed: f32,
    /// Greatest speed (`rad/s`), > 0.
    pub max_speed: f32,
    /// Damping (`N·m·s/rad`), ≥ 0.
    pub damping: f32,
    /// Torque at the present speed (`N·m`).
    pub torque: f32,
    /// Dry friction at the present speed (`N·m`), ≥ 0: it opposes the speed and holds a standing
    /// engine. For the rows solver.
    pub friction: f32,
}

impl EngineLaw {
    /// A speed as far as the engine can have it (`rad/s`).
    #[must_use]
    pub fn limited(&self, speed: f32) -> f32 {
        speed.max(self.idle_speed).min(self.max_speed)
    }
}

/// Clutch, ratio and engine of a drivetrain that has an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineCoupling {
    /// The engine.
    pub engine: EngineLaw,
    /// Total gear ratio, engine speed over mean wheel speed (–); 0 in neutral.
    pub ratio: f32,
    /// Clutch strength (`N·m·s/rad`); 0 when open.
    pub clutch: f32,
    /// Torque that the clutch passes before its plates slip (`N·m`), ≥ 0: a friction clutch, which
    /// the rows solver holds rigid up to there. `None` for a clutch that always slips, by its
    /// strength.
    pub capacity: Option<f32>,
    /// How the coupled speeds are solved.
    pub accuracy: ClutchAccuracy,
    /// Accelerator after every cut (–), 0…1; the engine's torque is renewed with it each substep.
    pub throttle: f32,
}

/// Time that passes for gears and autobox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// How much (`s`), > 0.
    pub duration: f32,
    /// Whether a timer that runs out hands its remainder on, so that changes take equally long at
    /// every rate; PhysX's timers look before they count and start from 0.
    pub exact: bool,
}

impl Tick {
    /// What a timer begins with (`s`) when the one before it ran out `over` (`s`) ago.
    #[must_use]
    pub fn head_start(self, over: f32) -> f32 {
        if self.exact {
            // A timer that was set by hand may be over by more than a tick.
            over.clamp(0.0, self.duration)
        } else {
            0.0
        }
    }
}

/// What the driver does with feet and lever, as the drivetrain read it from the command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pedals {
    /// Accelerator (–), 0…1.
    pub throttle: f32,
    /// Clutch pedal (–), 0 (engaged) … 1.
    pub clutch: f32,
    /// The driver holds the vehicle back: touches brake pedal or handbrake, or gives no thrust to
    /// either track.
    pub braking: bool,
    /// What the gear lever asks for; the first `shift` of a step takes it.
    pub lever: GearCommand,
    /// The autobox may change gears.
    pub automatic: bool,
}

/// What the drivetrain does with four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelControl {
    /// Steering angle without toe (`rad`), positive to the left.
    pub steer: W4,
    /// Braking torque (`N·m`), ≥ 0; it opposes the spin.
    pub brake: W4,
    /// Direct driving torque (`N·m`).
    pub drive: W4,
    /// Share of the clutch torque × ratio that this wheel receives (–); negative for a wheel that is
    /// geared backwards.
    pub torque_share: W4,
    /// Share of this wheel in the mean wheel speed that the clutch sees (–); negative for a wheel that
    /// is geared backwards.
    pub speed_share: W4,
    /// The bond that this wheel belongs to, 1…[`Control::bonds`]; 0 for a wheel that turns on its own.
    pub bond: [u8; LANES],
    /// Spin of this wheel over that of its bond (–).
    pub bond_ratio: W4,
    /// Wheels that the driver means to accelerate.
    pub accelerated: Mask4,
}

impl WheelControl {
    /// The bond of a wheel, counted from 0, when there are `bonds`; `None` for a wheel that turns on its
    /// own.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn bond_of(&self, lane: usize, bonds: u8) -> Option<usize> {
        let bond = self.bond[lane];
        let most = usize::from(bonds).min(crate::MAX_WHEELS);
        usize::from(bond).checked_sub(1).filter(|&n| n < most)
    }
}

/// What a drivetrain tells the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Per group of wheels.
    pub wheels: Groups<WheelControl>,
    /// How many bonds there are: sets of wheels that turn together at fixed ratios, such as the wheels
    /// of a track or of a locked axle.
    pub bonds: u8,
    /// The driver's feet and lever.
    pub pedals: Pedals,
    /// Wheels that are off, bit `n` for wheel `n`; known before `control`. They stand still, so that a
    /// drive that compares speeds must not count them. What it gives to them goes to the others in
    /// proportion.
    pub off: u32,
    /// Forward speed of the chassis (`m/s`), which responses to a command may depend on; known before
    /// `control`.
    pub forward_speed: f32,
    /// Whether laws must not jump with the speeds, as the rows solver asks: at a standstill, noise
    /// would decide.
    pub smooth: bool,
    /// Engine and clutch, if the drive has an engine.
    pub coupling: Option<EngineCoupling>,
    /// Whether the driver means to accelerate (ALGORITHMS §3.8).
    pub accelerating: bool,
    /// The steering command that the angles in `wheels` belong to: a drivetrain may keep them while
    /// the command stays the same.
    pub steered_for: Option<f32>,
}

impl Control {
    /// Nothing steered, braked or driven, for `wheels` wheels.
    #[must_use]
    pub fn idle(wheels: usize) -> Self {
        Self {
            wheels: Groups::for_wheels(wheels, |_| WheelControl::default()),
            bonds: 0,
            off: 0,
            forward_speed: 0.0,
            pedals: Pedals::default(),
            smooth: false,
            coupling: None,
            accelerating: false,
            steered_for: None,
        }
    }

    /// Whether a wheel is off.
    ///
    /// # Panics
    /// If `wheel >= 32`.
    #[inline]
    #[must_use]
    pub fn is_off(&self, wheel: usize) -> bool {
        self.off & (1 << wheel) != 0
    }

    /// Takes wheels that are off out of the drive: `on(group)` tells which are on. What was theirs goes
    /// to the others in proportion.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_out(&mut self, on: impl Fn(usize) -> Mask4) {
        let left = |share: fn(&mut WheelControl) -> &mut W4, wheels: &mut Groups<WheelControl>| {
            let sum = |wheels: &mut Groups<WheelControl>| -> f32 {
                wheels.iter_mut().map(|w| share(w).abs().sum()).sum()
            };
            let before = sum(wheels);
            for (g, wheels) in wheels.iter_mut().enumerate() {
                *share(wheels) = on(g).keep(*share(wheels));
            }
            let after = sum(wheels);
            if after > 0.0 {
                let more = W4::splat(before / after);
                wheels.iter_mut().for_each(|w| *share(w) = *share(w) * more);
            }
        };
        left(|w| &mut w.torque_share, &mut self.wheels);
        left(|w| &mut w.speed_share, &mut self.wheels);
        for (g, wheels) in self.wheels.iter_mut().enumerate() {
            let on = on(g);
            wheels.drive = on.keep(wheels.drive);
            wheels.brake = on.keep(wheels.brake);
            wheels.bond = core::array::from_fn(|n| if on.lane(n) { wheels.bond[n] } else { 0 });
        }
    }
}

/// The drive of a vehicle: engine-driven, direct, tracked, or the user's own.
///
/// Every method is total: any finite command and state give a finite control.
pub trait Drivetrain: Debug + Send + Sync {
    /// Reports parameters that do not fit a vehicle of `wheels` wheels: indices of none.
    fn check(&self, wheels: usize, inspector: &mut Inspector);

    /// State of a fresh vehicle.
    fn initial_state(&self) -> DriveState;

    /// Fits the state of another drive to this one, as far as it does not: a gear that there is not
    /// becomes the nearest. Called when a running vehicle changes its kind or goes on from a saved state.
    fn adopt(&self, _state: &mut DriveState) {}

    /// Reads the command, once per step: notes what pedals and lever ask for, sets steering, brakes
    /// and the shares of the wheel speed. Time does not pass, so that it may be called on a copy of
    /// the state to see what the brakes would do.
    ///
    /// # Errors
    /// If the command is of a kind that this drive does not take; `state` is then untouched.
    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), CommandFault>;

    /// Lets time pass for gears, autobox and differentials, and sets what follows: ratio, clutch,
    /// bonds, which wheels the driver means to accelerate. Once per step in the explicit solver, once
    /// per substep in the rows solver.
    fn shift(
        &self,
        state: &mut DriveState,
        wheels: &Groups<WheelState>,
        tick: Tick,
        control: &mut Control,
    );

    /// Lets the time (`s`) of a substep of the explicit solver pass for what changes within a step: the
    /// gears of PhysX 5. It comes before `shares`. In the rows solver, `shift` does it all.
    fn substep(&self, _state: &mut DriveState, _duration: f32, _control: &mut Control) {}

    /// Updates what depends on present speeds, once per substep: torque shares and the engine's
    /// torque and friction.
    fn shares(&self, state: &DriveState, wheels: &Groups<WheelState>, control: &mut Control);

    /// Whether a command asks for motion, so that a sleeping vehicle must wake. Brakes do not.
    fn wants_motion(&self, command: &Command, state: &DriveState) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn exact_timers_hand_on_what_was_over_within_a_tick() {
        let tick = |exact| Tick {
            duration: 0.01,
            exact,
        };
        for (over, head_start) in [(0.004, 0.004), (0.03, 0.01), (-0.002, 0.0)] {
            assert_eq!(tick(true).head_start(over), head_start);
            assert_eq!(tick(false).head_start(over), 0.0);
        }
    }

    #[test]
    fn an_engine_stays_between_idle_and_its_greatest_speed() {
        let engine = EngineLaw {
            inertia: 1.0,
            idle_speed: 70.0,
            max_speed: 600.0,
            damping: 0.0,
            torque: 0.0,
            friction: 0.0,
        };
        let found = [-5.0, 69.0, 70.0, 300.0, 600.0, 700.0].map(|speed| engine.limited(speed));
        assert_eq!(found, [70.0, 70.0, 70.0, 300.0, 600.0, 600.0]);
    }

    #[test]
    fn each_bit_tells_of_one_wheel() {
        let mut control = Control::idle(20);
        control.off = 1 << 19 | 1 << 4 | 1;
        let off: alloc::vec::Vec<_> = (0..20).filter(|&wheel| control.is_off(wheel)).collect();
        assert_eq!(off, [0, 4, 19]);
    }

    #[test]
    fn only_bonds_that_there_are_bind() {
        let control = WheelControl {
            bond: [0, 1, 2, 3],
            ..WheelControl::default()
        };
        let found = [0, 1, 2, 3].map(|lane| control.bond_of(lane, 3));
        assert_eq!(found, [None, Some(0), Some(1), Some(2)]);
    }

    proptest! {
        /// What wheels that are off would have had goes to the others in proportion, in every group: sums of
        /// magnitudes stay; torques of their own, brakes and bonds end.
        #[test]
        fn the_others_take_what_was_the_wheels_that_are_off(
            shares in proptest::collection::vec(0.05_f32..1.0, 8), signs in proptest::collection::vec(any::<bool>(), 8),
            off in proptest::collection::vec(any::<bool>(), 7),
        ) {
            let share = |n: usize| if signs[n] { shares[n] } else { -shares[n] };
            let off = |n: usize| n < 7 && off[n];
            let mut control = Control::idle(8);
            for (g, wheels) in control.wheels.iter_mut().enumerate() {
                let lanes = W4::from_fn(|lane| share(4 * g + lane));
                (wheels.torque_share, wheels.speed_share) = (lanes, lanes * W4::splat(0.5));
                (wheels.drive, wheels.brake) = (W4::splat(50.0), W4::splat(70.0));
                wheels.bond = [1; LANES];
            }
            control.leave_out(|g| Mask4::from_fn(|lane| !off(4 * g + lane)));
            let total: f32 = shares.iter().sum();
            let left: f32 = (0..8).filter(|&n| !off(n)).map(|n| shares[n]).sum();
            for n in 0..8 {
                let (wheels, lane) = (&control.wheels[n / 4], n % 4);
                let on = if off(n) { 0.0 } else { 1.0 };
                let expected = on * share(n) * total / left;
                prop_assert!((wheels.torque_share.lane(lane) - expected).abs() < 1e-4);
                prop_assert!((wheels.speed_share.lane(lane) - 0.5 * expected).abs() < 1e-4);
                prop_assert_eq!(wheels.drive.lane(lane), 50.0 * on);
                prop_assert_eq!(wheels.brake.lane(lane), 70.0 * on);
                prop_assert_eq!(wheels.bond[lane], u8::from(!off(n)));
            }
        }
    }
}
