//! Relaxation of forces over a distance, for tires with relaxation lengths σ.
//!
//! The slip y at which the law is evaluated follows the actual slip s: `ẏ = (s − y)·V/σ`, where V is the
//! denominator of s, so that at a standstill y grows by the distance that the contact slides. Over a step:
//!
//! ```text
//! y⁺ = s + (y − s)·exp(−V·h/σ)
//! ```
//!
//! exactly, for any step: [`relaxed`].

use core::ops::{Add, Mul, Neg, Sub};

use crate::base::lanes::{Mask4, W4};
use crate::base::math;
use crate::contracts::tire::{TireInput, is_there};
use crate::stages::tire_use::{TireUse, tire_properties};
use crate::stages::wheel_consts::WheelConsts;

/// Numbers of single or double precision.
pub trait Precision:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// eˣ.
    #[must_use]
    fn exp(self) -> Self;
}

impl Precision for f32 {
    #[inline]
    fn exp(self) -> Self {
        math::exp(self)
    }
}

impl Precision for f64 {
    #[inline]
    fn exp(self) -> Self {
        libm::exp(self)
    }
}

/// The slip at which the law is evaluated (–) after the contact has rolled this number of relaxation lengths,
/// V·h/σ ≥ 0: `before` at first, `slip` in the limit. Exact for any distance (Pacejka, Tire and Vehicle
/// Dynamics, 3rd ed., ch. 7).
#[inline]
#[must_use]
pub fn relaxed<T: Precision>(before: T, slip: T, lengths: T) -> T {
    slip + (before - slip) * (-lengths).exp()
}

/// Relaxes the slips of `input` for tires of `rolling` wheels with relaxation lengths, forward and to the left;
/// slips have the denominators `speeds` (`m/s`). The stored quantities are `forces` of deflected carcasses
/// (`N`): slip stiffness times slip.
pub(super) fn relax(
    k: &WheelConsts,
    tires: &[TireUse],
    forces: &mut [W4; 2],
    input: &mut TireInput<W4>,
    rolling: [Mask4; 2],
    speeds: [W4; 2],
    h: f32,
) {
    let properties = tire_properties(k, tires, input, rolling[0] | rolling[1]);
    let slips = [input.slip_ratio, -input.tan_slip_angle];
    let mut lagging = slips;
    for (n, force) in forces.iter_mut().enumerate() {
        let (stiffness, length) = (
            properties.slip_stiffness[n],
            properties.relaxation_length[n],
        );
        let relaxes = rolling[n] & is_there(stiffness) & is_there(length);
        let before = *force / stiffness;
        lagging[n] = W4::from_fn(|lane| {
            let slip = slips[n].lane(lane);
            if relaxes.lane(lane) {
                let lengths = speeds[n].lane(lane) * h / length.lane(lane);
                relaxed(before.lane(lane), slip, lengths)
            } else {
                slip
            }
        });
        *force = relaxes.keep(lagging[n] * stiffness);
    }
    (input.slip_ratio, input.tan_slip_angle) = (lagging[0], -lagging[1]);
}

#[cfg(test)]
mod tests;
