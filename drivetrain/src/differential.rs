//! Differentials: how much torque each wheel gets, how much its speed counts for the clutch, and
//! which wheels turn together.
//!
//! Every law accepts any wheels of the vehicle; wheels that it does not name are not driven.
//!
//! | law | torque | from |
//! |---|---|---|
//! | [`Differential4W`] | four wheels, open or limited slip | PhysX 4, ALGORITHMS §4.5 |
//! | [`EqualSplit`] | the same to every driven wheel | PhysX 4, N-wheel drive |
//! | [`LimitedSlip`] | any axles, limited slip on and between any, by speeds or by a [`SlipLimiter`] | |
//! | [`TorqueVectoring`] | more to wheels that carry more | |
//! | [`MultiWheel`] | fixed ratios, backwards too | PhysX 5, ALGORITHMS §7.6 |
//! | [`LockingDifferential`] | fixed ratios; axles that lock | PhysX 5 |
//! | [`TankDifferential`] | two tracks | both |

mod split;
mod slip_limiter;
mod four_wheel;
mod equal_split;
mod limited_slip;
mod torque_vectoring;
mod multi_wheel;
mod locking;
mod tank;

use serde::{Deserialize, Serialize};
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::{LANES, Mask4, W4};
use vehicle_core::state::WheelState;
use vehicle_core::{Check, Control, Inspector};

pub use equal_split::EqualSplit;
pub(crate) use four_wheel::SpeedSplit;
pub use four_wheel::{Differential4W, DifferentialKind};
pub(crate) use limited_slip::LimitedOutputs;
pub use limited_slip::{DrivenAxle, LimitedSlip};
pub use locking::{FreeAxle, LockingDifferential, SpeedLimit};
pub use multi_wheel::{MultiWheel, TorqueBy};
pub use slip_limiter::SlipLimiter;
pub use tank::{TankDifferential, TankLaw, Track, TrackCoupling, TrackSide};
pub use torque_vectoring::TorqueVectoring;

/// The law by which wheels share torque and speed.
// With a tag of its own: one within the lists of the laws takes longer to read.
#[repr(u8)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Differential {
    /// PhysX 4's three differentials of four wheels.
    FourWheel(Differential4W),
    /// An equal share of the torque for every driven wheel.
    Equal(EqualSplit),
    /// Any axles, limited slip on and between any.
    LimitedSlip(LimitedSlip),
    /// Larger torque shares for wheels that carry more load.
    TorqueVectoring(TorqueVectoring),
    /// Fixed torque and speed ratios.
    MultiWheel(MultiWheel),
    /// Fixed ratios of four wheels; axles that lock.
    Locking(LockingDifferential),
    /// Two tracks, which take the commands of a tank, too.
    Tank(TankDifferential),
}

/// The driver's demands on a differential.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    /// Handbrake, 0…1.
    pub(crate) handbrake: f32,
    /// Thrust of the left and the right track, −1…1.
    pub(crate) thrust: [f32; 2],
}

/// The common interface of all laws.
pub(crate) trait DifferentialLaw: Check {
    /// Reports wheel indices beyond a vehicle of `wheels` wheels.
    fn check_wheels(&self, wheels: usize, i: &mut Inspector);

    /// Sets the speed shares, and torque shares and wheel couplings that do not depend on speeds. Once per
    /// step.
    fn ask(&self, asked: &Asked, control: &mut Control);

    /// Sets wheel couplings that depend on speeds, `duration` (`s`) after the previous call.
    #[inline]
    fn lock(&self, _wheels: &[WheelState], _duration: f32, _control: &mut Control) {}

    /// Sets torque shares that depend on the wheels' state, and on the `torque` (`N·m`) that they had to share before.
    #[inline]
    fn share(&self, _wheels: &[WheelState], _torque: f32, _control: &mut Control) {}

    /// Mask of the wheels that the throttle accelerates. Called before `share`.
    #[inline]
    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        !wheels.speed_share.same(W4::ZERO)
    }
}

/// Calls a method of the `law` of a [`Differential`], whichever it is.
macro_rules! by_law {
    ($differential:expr, $law:ident => $does:expr) => {
        match $differential {
            Differential::FourWheel($law) => $does,
            Differential::Equal($law) => $does,
            Differential::LimitedSlip($law) => $does,
            Differential::TorqueVectoring($law) => $does,
            Differential::MultiWheel($law) => $does,
            Differential::Locking($law) => $does,
            Differential::Tank($law) => $does,
        }
    };
}

impl DifferentialLaw for Differential {
    fn check_wheels(&self, wheels: usize, i: &mut Inspector) {
        by_law!(self, law => law.check_wheels(wheels, i));
    }

    #[inline]
    fn ask(&self, asked: &Asked, control: &mut Control) {
        by_law!(self, law => law.ask(asked, control));
    }

    #[inline]
    fn lock(&self, wheels: &[WheelState], duration: f32, control: &mut Control) {
        by_law!(self, law => law.lock(wheels, duration, control));
    }

    #[inline]
    fn share(&self, wheels: &[WheelState], torque: f32, control: &mut Control) {
        by_law!(self, law => law.share(wheels, torque, control));
    }

    #[inline]
    fn accelerated(&self, wheels: &WheelControl) -> Mask4 {
        by_law!(self, law => law.accelerated(wheels))
    }
}

impl Differential {
    /// Whether the differential can lock wheels together.
    pub(crate) fn locks(&self) -> bool {
        matches!(self, Self::Locking(_) | Self::Tank(_))
    }

    /// Outputs between which slip limiters act: those of a center first, whose torque presses the axles' plates.
    pub(crate) fn limited_outputs(&self) -> impl Iterator<Item = LimitedOutputs<'_>> {
        let law = match self {
            Self::LimitedSlip(law) => Some(law),
            _ => None,
        };
        law.into_iter().flat_map(LimitedSlip::limited_outputs)
    }
}

impl Check for Differential {
    fn check(&self, i: &mut Inspector) {
        by_law!(self, law => law.check(i));
    }
}

/// Wheels that get torque, for laws whose shares do not depend on speeds.
fn receives(wheels: &WheelControl) -> Mask4 {
    !wheels.torque_share.same(W4::ZERO)
}

/// Lets all wheels turn on their own.
fn release(control: &mut Control) {
    control.wheel_couplings = 0;
    for wheels in control.wheels.iter_mut() {
        (wheels.wheel_coupling, wheels.balance) = ([0; LANES], W4::ZERO);
    }
}

/// Makes wheels turn together, at these spins relative to the first.
fn wheel_coupling(members: impl Iterator<Item = (usize, f32)>, control: &mut Control) {
    control.wheel_couplings += 1;
    let wheel_coupling = control.wheel_couplings;
    for (wheel, ratio) in members {
        let wheels = &mut control.wheels[wheel / LANES];
        let lane = wheel % LANES;
        wheels.wheel_coupling[lane] = wheel_coupling;
        wheels.coupling_ratio = wheels.coupling_ratio.with_lane(lane, ratio);
    }
}

/// Holds the sum of the mean spins of two axles of coupled wheels, so weighted, at 0. Wheels that are off do not
/// count, nor does anything if an axle has no other.
fn balance(axles: [[usize; 2]; 2], weights: [f32; 2], control: &mut Control) {
    let off = axles.map(|axle| axle.map(|wheel| control.is_disabled(wheel)));
    if off.contains(&[true; 2]) {
        return;
    }
    for (n, axle) in axles.into_iter().enumerate() {
        let share = if off[n] == [false; 2] { 0.5 } else { 1.0 };
        for (wheel, _) in axle.into_iter().zip(off[n]).filter(|(_, off)| !off) {
            let wheels = &mut control.wheels[wheel / LANES];
            let lane = wheel % LANES;
            wheels.balance = wheels.balance.with_lane(lane, weights[n] * share);
        }
    }
}

#[cfg(test)]
mod tests;
