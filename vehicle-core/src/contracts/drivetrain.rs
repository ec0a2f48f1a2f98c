//! The contract [`Drivetrain`]: torque, brake and steering per wheel from a command.
//!
//! A drivetrain returns *structure* (torque split, speed split, ratio, clutch, engine), not finished speeds; the
//! solver couples it with the wheels (ALGORITHMS §4.7).

use alloc::boxed::Box;
use core::fmt::Debug;

use crate::base::checked::Inspector;
use crate::base::lanes::{Groups, LANES, Mask4, W4};
use crate::base::math;
use crate::contracts::sensors::Sensors;
use crate::contracts::shafts::Shafts;
use crate::contracts::tire::{TireForces, TireInput};
use crate::exchange::command::{Command, GearCommand, Levers, SteeringInput};
use crate::exchange::fuel_use::FuelUse;
use crate::exchange::state::{DriveState, WheelState};
use crate::exchange::steering_wheel::SteeringWheel;
use crate::exchange::step_error::StepError;

/// Accuracy of the solution for the coupled speeds of wheels and engine.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "kebab-case", deny_unknown_fields)
)]
pub enum ClutchAccuracy {
    /// Exact torque: in closed form, in the rows solver by as many Newton steps as it takes.
    #[default]
    Exact,
    /// An estimate, from the old speeds: by Gauss–Seidel sweeps, in the rows solver by Newton steps from the last
    /// torque.
    Iterative {
        /// Maximum number of sweeps or steps, > 0.
        sweeps: u32,
        /// Squared residual, relative to the squared right-hand side, at which they stop; ≥ 0. In the rows solver,
        /// of the clutch's slip to the engine's speed.
        tolerance: f32,
    },
}

/// Clutch, ratio and engine, for drivetrains with an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineCoupling {
    /// Moment of inertia of the engine (`kg·m²`), > 0.
    pub inertia: f32,
    /// Idle speed of the engine (`rad/s`), 0…`max_speed`: below it, the idle controller raises the torque. An engine
    /// never turns backward.
    pub idle_speed: f32,
    /// Torque up to which the idle controller opens the throttle (`N·m`), ≥ 0; infinite for an idle speed that is a limit.
    pub idle_torque: f32,
    /// Maximum speed of the engine (`rad/s`), > 0.
    pub max_speed: f32,
    /// Damping of the engine (`N·m·s/rad`), ≥ 0.
    pub damping: f32,
    /// Torque of the engine at its present speed (`N·m`).
    pub torque: f32,
    /// Dry friction of the engine at its present speed (`N·m`), ≥ 0: it opposes the speed and locks a standing engine.
    /// Rows solver only.
    pub friction: f32,
    /// Total gear ratio, engine speed over mean wheel speed (–); 0 in neutral.
    pub ratio: f32,
    /// Clutch strength (`N·m·s/rad`); 0 if open.
    pub clutch: f32,
    /// Maximum torque of a friction clutch before it slips (`N·m`), ≥ 0; the rows solver treats it as rigid up
    /// to this torque. `None` for a clutch that always slips, by its strength.
    pub capacity: Option<f32>,
    /// Accuracy of the coupled speeds.
    pub accuracy: ClutchAccuracy,
    /// Throttle after all cuts (–), 0…1, with which the engine's torque is updated in each substep.
    pub throttle: f32,
}

impl EngineCoupling {
    /// Torque that the idle controller can add to the engine's own (`N·m`), ≥ 0.
    #[must_use]
    pub fn idle_reserve(&self) -> f32 {
        math::greater(self.idle_torque - self.torque, 0.0)
    }

    /// The engine's speed (`rad/s`) after a step of `h` (`s`), of one without limits: raised toward the idle speed as far as
    /// the idle controller can, and clamped to 0…`max_speed`.
    #[must_use]
    pub fn limited(&self, speed: f32, h: f32) -> f32 {
        let raised = speed + self.idle_reserve() * (h / self.inertia);
        let least = math::lesser(self.idle_speed, math::greater(raised, 0.0));
        math::lesser(math::greater(speed, least), self.max_speed)
    }
}

/// Outputs of the drivetrain for four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelControl {
    /// Steering angle without toe (`rad`), positive to the left.
    pub steer: W4,
    /// Braking torque (`N·m`), ≥ 0; it opposes the spin. [`Drivetrain::control`] sets it, once per step at most: a
    /// method that lowers it in a substep must itself remember the torque that the driver requests.
    pub brake: W4,
    /// Direct driving torque (`N·m`).
    pub drive: W4,
    /// Torque split: fraction of the clutch torque × ratio for this wheel (–); negative for reversed gearing.
    pub torque_share: W4,
    /// Speed split: weight of this wheel in the mean wheel speed seen by the clutch (–); negative for reversed gearing.
    pub speed_share: W4,
    /// Wheel coupling of this wheel, 1…[`Control::wheel_couplings`]; 0 for a wheel without a wheel coupling.
    pub wheel_coupling: [u8; LANES],
    /// Spin of this wheel over the speed of its wheel coupling (–).
    pub coupling_ratio: W4,
    /// Weight w of this wheel in the sum Σ w·Ω of spins that a constraint keeps at 0, and in the constraint's torques (–):
    /// a locked center so couples the mean spins of axles, whose wheels turn freely. For wheels of wheel couplings only,
    /// which may be of one wheel.
    pub balance: W4,
    /// Wheels that the driver requests to accelerate.
    pub accelerated: Mask4,
    /// Moment of the road on the wheel about its steering axis (`N·m`), to the left; 0 without a
    /// [steering wheel](Drivetrain::steering_wheel).
    pub road_moment: W4,
}

impl WheelControl {
    /// The wheel coupling of a wheel, counted from 0, if there are `wheel_couplings`; `None` for a wheel without one.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn wheel_coupling_of(&self, lane: usize, wheel_couplings: u8) -> Option<usize> {
        let wheel_coupling = self.wheel_coupling[lane];
        let most = usize::from(wheel_couplings).min(crate::MAX_WHEELS);
        usize::from(wheel_coupling)
            .checked_sub(1)
            .filter(|&n| n < most)
    }
}

/// Output of a drivetrain for the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Per group of four wheels: a slice of [`WheelControl`].
    pub wheels: Groups<WheelControl>,
    /// Number of wheel couplings: sets of wheels that turn together at fixed ratios, such as those of a track or a locked
    /// axle.
    pub wheel_couplings: u8,
    /// Accelerator pedal, as the drivetrain reads it from the command (–), 0…1. The brake pedal is not kept: it becomes
    /// [`WheelControl::brake`] at once.
    pub throttle: f32,
    /// Clutch pedal, as the drivetrain reads it from the command (–), 0 (engaged) … 1.
    pub clutch: f32,
    /// Whether the driver brakes the vehicle: brake pedal or handbrake used, or no thrust on either track.
    pub braking: bool,
    /// Gear request of the driver; the first `change_gears` of a step takes it.
    pub gear_request: GearCommand,
    /// Whether the autobox may change gears.
    pub automatic: bool,
    /// Levers of the command beside the gear lever.
    pub levers: Levers,
    /// Disabled wheels, bit `n` for wheel `n`; set before `control`. They do not turn, so that a drivetrain that compares
    /// speeds must ignore them. Their torque and speed split are redistributed to the other wheels in proportion.
    pub disabled: u32,
    /// Forward speed of the chassis at the start of the step (`m/s`): set once per step, before `control`, and not updated in
    /// substeps.
    pub forward_speed: f32,
    /// Mass of the chassis and its load (`kg`); set before `control`, 0 if unknown.
    pub mass: f32,
    /// Forward acceleration of the chassis by everything but its wheels (`m/s²`): gravity, the air, a trailer. Negative
    /// uphill. The rows solver sets it before each `change_gears`; it stays 0 in the explicit solver.
    pub outside_acceleration: f32,
    /// Whether the rows solver asks for this control. Laws must then be continuous in the speeds, as at a standstill
    /// noise would otherwise decide, and an expired timer passes on its remainder, so that changes of gear take
    /// equally long at every rate.
    pub smooth: bool,
    /// Engine and clutch, if the drivetrain has an engine.
    pub coupling: Option<EngineCoupling>,
    /// Shafts between engines or motors and wheels, in place of `coupling`, if the drivetrain has any ([`Drivetrain::shafts`]). Speeds
    /// of nodes and torques of rows are those of the state before each [`Drivetrain::sense`], which sets every other number that it
    /// ever changes.
    pub shafts: Option<Box<Shafts>>,
    /// Whether the driver requests acceleration (ALGORITHMS §3.8).
    pub accelerating: bool,
    /// Input of the hands at the steering wheel, positive to the right, if there is one.
    pub hands: SteeringInput,
    /// Steering command of the angles in `wheels`: a drivetrain may reuse them while the command is unchanged.
    pub steered_for: Option<f32>,
}

impl Control {
    /// No steering, drive and brake, for `wheels` wheels.
    #[must_use]
    pub fn idle(wheels: usize) -> Self {
        Self {
            wheels: Groups::for_wheels(wheels, |_| WheelControl::default()),
            wheel_couplings: 0,
            disabled: 0,
            forward_speed: 0.0,
            mass: 0.0,
            outside_acceleration: 0.0,
            throttle: 0.0,
            clutch: 0.0,
            braking: false,
            gear_request: GearCommand::Hold,
            automatic: false,
            levers: Levers::RELEASED,
            smooth: false,
            coupling: None,
            shafts: None,
            accelerating: false,
            hands: SteeringInput::Angle(0.0),
            steered_for: None,
        }
    }

    /// Whether a wheel is disabled.
    ///
    /// # Panics
    /// If `wheel >= 32`.
    #[inline]
    #[must_use]
    pub fn is_disabled(&self, wheel: usize) -> bool {
        self.disabled & (1 << wheel) != 0
    }

    /// Removes disabled wheels; `enabled(group)` returns the others, to which torque and speed split are redistributed
    /// in proportion.
    #[cold]
    #[inline(never)]
    pub(crate) fn disable(&mut self, enabled: impl Fn(usize) -> Mask4) {
        let redistribute = |share: fn(&mut WheelControl) -> &mut W4,
                            wheels: &mut Groups<WheelControl>| {
            let sum = |wheels: &mut Groups<WheelControl>| -> f32 {
                wheels.iter_mut().map(|w| share(w).abs().sum()).sum()
            };
            let before = sum(wheels);
            for (g, wheels) in wheels.iter_mut().enumerate() {
                *share(wheels) = enabled(g).keep(*share(wheels));
            }
            let after = sum(wheels);
            if after > 0.0 {
                let more = W4::splat(before / after);
                wheels.iter_mut().for_each(|w| *share(w) = *share(w) * more);
            }
        };
        redistribute(|w| &mut w.torque_share, &mut self.wheels);
        redistribute(|w| &mut w.speed_share, &mut self.wheels);
        for (g, wheels) in self.wheels.iter_mut().enumerate() {
            let enabled = enabled(g);
            wheels.drive = enabled.keep(wheels.drive);
            wheels.brake = enabled.keep(wheels.brake);
            wheels.balance = enabled.keep(wheels.balance);
            wheels.wheel_coupling = core::array::from_fn(|n| {
                if enabled.lane(n) {
                    wheels.wheel_coupling[n]
                } else {
                    0
                }
            });
        }
    }
}

/// The drivetrain of a vehicle: engine-driven, direct, tracked, or user-defined.
///
/// Every method is total: any finite command and state give a finite control.
pub trait Drivetrain: Debug + Send + Sync {
    /// Reports parameters that do not fit a vehicle of `wheels` wheels: indices of missing wheels.
    fn check(&self, wheels: usize, inspector: &mut Inspector);

    /// State of a fresh vehicle.
    fn initial_state(&self) -> DriveState;

    /// Number of values that the drivetrain remembers beside [`DriveState`], for a vehicle of `wheels` wheels; they begin as 0,
    /// and are saved and restored with the state. It never changes.
    fn memory(&self, _wheels: usize) -> usize {
        0
    }

    /// Number of the last remembered values that only count, such as fuel, or fade, such as temperatures: a vehicle may fall asleep while
    /// they change, and asleep they do not.
    fn counters(&self) -> usize {
        0
    }

    /// Fuel that the drivetrain has used, by its memory; `None` if it does not count any.
    fn fuel(&self, _memory: &[f32]) -> Option<FuelUse> {
        None
    }

    /// Whether the drivetrain uses sensors: only then is [`Drivetrain::sense`] called.
    fn uses_sensors(&self) -> bool {
        false
    }

    /// Shafts of a vehicle of `wheels` wheels, as [`Control::shafts`] begins; by default it has none. They need the rows solver, and a
    /// drivetrain that [uses sensors](Drivetrain::uses_sensors) and has no wheel couplings.
    fn shafts(&self, _wheels: usize) -> Option<Shafts> {
        None
    }

    /// Adapts the state of another drivetrain: a gear that does not exist becomes the nearest, and fields that this drivetrain
    /// does not use become those of a fresh vehicle. A state of its own must stay as it is. Called when a running vehicle
    /// changes its model or a state is restored.
    fn adopt(&self, _state: &mut DriveState) {}

    /// Reads the command, once per step at most: stores pedals and gear request, sets steering, brakes and the speed split. Time
    /// does not advance: a vehicle that stays asleep drops the changed `state`. In steps without an acceptable command, it
    /// is not called, and `control` stays as the last step left it.
    ///
    /// # Errors
    /// If this drivetrain does not accept such commands; `state` and `control` are then unchanged, and the vehicle goes
    /// on with the last command.
    fn control(
        &self,
        command: &Command,
        state: &mut DriveState,
        control: &mut Control,
    ) -> Result<(), StepError>;

    /// Advances gears, autobox and differentials by `duration` (`s`), and sets the results: ratio, clutch, wheel couplings,
    /// wheels that the driver requests to accelerate. Called once per step in the explicit solver, once per substep in the
    /// rows solver. By default nothing changes.
    fn change_gears(
        &self,
        _state: &mut DriveState,
        _wheels: &[WheelState],
        _duration: f32,
        _control: &mut Control,
    ) {
    }

    /// Advances gears within a step by a substep of the explicit solver (`s`), as PhysX 5 does. Called before
    /// `split_torque`. The rows solver does not call it: there, `change_gears` runs in every substep.
    fn substep(&self, _state: &mut DriveState, _duration: f32, _control: &mut Control) {}

    /// Updates quantities that depend on present speeds, once per substep: the torque split, and the engine's torque and
    /// friction. Jounces and normal forces of the `wheels` are those of the present substep in the explicit solver, and of the last
    /// one in the rows solver, which solves them together with the clutch. By default nothing is updated.
    fn split_torque(&self, _state: &DriveState, _wheels: &[WheelState], _control: &mut Control) {}

    /// Changes the control by what the sensors show, after [`Drivetrain::split_torque`], in each substep of either solver.
    /// `memory` has the values that the drivetrain remembers; one that is not finite sets all to 0.
    fn sense(
        &self,
        _sensors: &Sensors<'_>,
        _memory: &mut [f32],
        _state: &mut DriveState,
        _control: &mut Control,
    ) {
    }

    /// The steering wheel of a fresh vehicle, if torques move it in the rows solver. By default there is none: the
    /// wheels follow the command at once, as they do in the explicit solver.
    fn steering_wheel(&self) -> Option<SteeringWheel> {
        None
    }

    /// Advances the steering wheel by a substep of `duration` (`s`) and sets the angles of the wheels, and the moments
    /// of the road on them. `road` has, per group of four wheels, the inputs and the forces of the tires in the substep. At
    /// the beginning of a step, the duration is 0, and `road` empty. Called for vehicles with a steering wheel, in the rows
    /// solver.
    fn steer(
        &self,
        _wheel: &mut SteeringWheel,
        _road: &[(TireInput<W4>, TireForces<W4>)],
        _duration: f32,
        _control: &mut Control,
    ) {
    }

    /// Whether a command requests motion, so that a sleeping vehicle must wake. Brakes do not.
    fn requests_motion(&self, command: &Command, state: &DriveState) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An idle speed is a limit, or 3 N·m raise the engine's by 1.5 rad/s in half a second; it never turns backward.
    #[rstest::rstest]
    #[case::limit(f32::INFINITY, [70.0, 70.0, 70.0, 300.0, 600.0, 600.0])]
    #[case::controller(8.0, [0.0, 70.0, 70.0, 300.0, 600.0, 600.0])]
    #[case::controller_too_slow(5.5, [0.0, 69.25, 70.0, 300.0, 600.0, 600.0])]
    #[case::less_than_the_throttle(4.0, [0.0, 69.0, 70.0, 300.0, 600.0, 600.0])]
    fn an_engine_stays_in_its_range(#[case] idle_torque: f32, #[case] expected: [f32; 6]) {
        let engine = EngineCoupling {
            inertia: 1.0,
            idle_speed: 70.0,
            idle_torque,
            max_speed: 600.0,
            damping: 0.0,
            torque: 5.0,
            friction: 0.0,
            ratio: 0.0,
            clutch: 0.0,
            capacity: None,
            accuracy: ClutchAccuracy::Exact,
            throttle: 0.0,
        };
        let actual =
            [-5.0, 69.0, 70.0, 300.0, 600.0, 700.0].map(|speed| engine.limited(speed, 0.5));
        assert_eq!(actual, expected);
    }

    #[test]
    fn each_bit_disables_one_wheel() {
        let mut control = Control::idle(20);
        control.disabled = 1 << 19 | 1 << 4 | 1;
        let disabled: alloc::vec::Vec<_> = (0..20)
            .filter(|&wheel| control.is_disabled(wheel))
            .collect();
        assert_eq!(disabled, [0, 4, 19]);
    }

    #[test]
    fn only_existing_couplings_count() {
        let control = WheelControl {
            wheel_coupling: [0, 1, 2, 3],
            ..WheelControl::default()
        };
        let actual = [0, 1, 2, 3].map(|lane| control.wheel_coupling_of(lane, 3));
        assert_eq!(actual, [None, Some(0), Some(1), Some(2)]);
    }

    proptest! {
        /// Torque and speed split of disabled wheels go to the others in proportion, in every group: sums of
        /// magnitudes stay; torques of their own, brakes and wheel couplings end.
        #[test]
        fn the_split_of_disabled_wheels_is_redistributed(
            shares in proptest::collection::vec(0.05_f32..1.0, 8), signs in proptest::collection::vec(any::<bool>(), 8),
            disabled in proptest::collection::vec(any::<bool>(), 7),
        ) {
            let share = |n: usize| if signs[n] { shares[n] } else { -shares[n] };
            let disabled = |n: usize| n < 7 && disabled[n];
            let mut control = Control::idle(8);
            for (g, wheels) in control.wheels.iter_mut().enumerate() {
                let lanes = W4::from_fn(|lane| share(4 * g + lane));
                (wheels.torque_share, wheels.speed_share) = (lanes, lanes * W4::splat(0.5));
                (wheels.drive, wheels.brake) = (W4::splat(50.0), W4::splat(70.0));
                (wheels.wheel_coupling, wheels.balance) = ([1; LANES], W4::ONE);
            }
            control.disable(|g| Mask4::from_fn(|lane| !disabled(4 * g + lane)));
            let total: f32 = shares.iter().sum();
            let enabled: f32 = (0..8).filter(|&n| !disabled(n)).map(|n| shares[n]).sum();
            for n in 0..8 {
                let (wheels, lane) = (&control.wheels[n / 4], n % 4);
                let on = if disabled(n) { 0.0 } else { 1.0 };
                let expected = on * share(n) * total / enabled;
                prop_assert!((wheels.torque_share.lane(lane) - expected).abs() < 1e-4);
                prop_assert!((wheels.speed_share.lane(lane) - 0.5 * expected).abs() < 1e-4);
                prop_assert_eq!(wheels.drive.lane(lane), 50.0 * on);
                prop_assert_eq!(wheels.brake.lane(lane), 70.0 * on);
                prop_assert_eq!(wheels.balance.lane(lane), on);
                prop_assert_eq!(wheels.wheel_coupling[lane], u8::from(!disabled(n)));
            }
        }
    }
}
