//! Pure longitudinal slip: Fx0 (\[B\] 4.E9–4.E18).

use crate::real::Real;

use super::load::Basics;
use super::motion::EffectiveSlip;
use super::shape::{MagicCurve, exponential, guarded};
use super::{MagicFormula, Version};

/// Fx0's curve at a load, without the friction of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongitudinalAtLoad<T> {
    /// Cx (4.E11).
    shape: T,
    /// μx over λ*μx (4.E13).
    friction: T,
    /// Kxκ (`N`) (4.E15).
    pub(super) stiffness: T,
    /// Ex before the sign of slip (4.E14).
    curvature: T,
    /// `SHx` (4.E17), except for motorcycles.
    shift: T,
    /// Motorcycles: `QSY1`·Fz (`N`). Their κ is 0 where Fx overcomes the rolling resistance:
    /// `SHx` = −(`QSY1`·Fz·λMy + `SVx`)/Kxκ.
    resistance: Option<T>,
    /// `SVx` over λ'μx (`N`) (4.E18).
    rise: T,
}

impl<T: Real> LongitudinalAtLoad<T> {
    pub(super) fn new(tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        let (c, one) = (&tire.c, T::one());
        let (fz, dfz, dpi) = (b.fz, b.dfz, b.dpi);
        let gamma = b.gamma * c.LGAX;
        let loaded = T::select(fz.gt(T::zero()), one, T::zero());
        Self {
            shape: c.PCX1 * c.LCX,
            friction: (c.PDX1 + c.PDX2 * dfz)
                * (one + c.PPX3 * dpi + c.PPX4 * dpi * dpi)
                * (one - c.PDX3 * gamma * gamma)
                * loaded,
            stiffness: fz
                * (c.PKX1 + c.PKX2 * dfz)
                * exponential(c.PKX3 * dfz)
                * (one + c.PPX1 * dpi + c.PPX2 * dpi * dpi)
                * c.LKX,
            curvature: (c.PEX1 + c.PEX2 * dfz + c.PEX3 * dfz * dfz) * c.LEX,
            shift: (c.PHX1 + c.PHX2 * dfz) * c.LHX,
            resistance: (tire.version == Version::Motorcycle).then(|| c.QSY1 * fz * c.LMY),
            rise: fz * (c.PVX1 + c.PVX2 * dfz) * c.LVX,
        }
    }
}

/// Fx0's curve at a friction: everything independent of slip, except decay and turn slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongitudinalAtFriction<T> {
    /// Bx (4.E16).
    slope: T,
    /// Dx (`N`).
    peak: T,
    /// μx.
    pub(super) friction: T,
    /// `SHx`.
    pub(super) shift: T,
    /// `SVx` (`N`).
    pub(super) rise: T,
}

impl<T: Real> LongitudinalAtFriction<T> {
    /// Computes the longitudinal curve at a load, and a `motion`'s effect on it.
    #[inline]
    pub(super) fn new(
        tire: &MagicFormula<T>,
        at: &LongitudinalAtLoad<T>,
        b: &Basics<T>,
        motion: Option<&EffectiveSlip<T>>,
    ) -> Self {
        let one = T::one();
        let (decay, fade) = motion.map_or((one, one), |m| (m.decay, m.fade));
        let turn = motion.and_then(|m| m.turn.as_ref());
        let peak_factor = turn.map_or(one, |turn| turn.peak_x);
        let scale = b.friction.0 * decay;
        let friction = at.friction * scale;
        let peak = friction * b.fz * peak_factor;
        let rise = at.rise * tire.digressive(scale) * peak_factor;
        let shift = match at.resistance {
            Some(resistance) => -(resistance + rise) / guarded(at.stiffness),
            None => at.shift,
        };
        Self {
            slope: at.stiffness / guarded(at.shape * peak),
            peak,
            friction,
            shift: shift * fade,
            rise: rise * fade,
        }
    }

    /// Fx0 (`N`) from the sine of [`MagicFormula::longitudinal_curve`].
    #[inline]
    pub(super) fn force(&self, sine: T, m: &EffectiveSlip<T>) -> T {
        let force = self.peak * sine + self.rise;
        // MFT.
        T::select(m.backward, -force, force)
    }
}

impl<T: Real> MagicFormula<T> {
    /// The argument of Fx0's sine.
    #[inline]
    pub(super) fn longitudinal_curve(
        &self,
        at: &LongitudinalAtLoad<T>,
        level: &LongitudinalAtFriction<T>,
        m: &EffectiveSlip<T>,
    ) -> MagicCurve<T> {
        let kappa = m.kappa + level.shift;
        let curvature = at.curvature * (T::one() - self.c.PEX4 * kappa.sign());
        MagicCurve::sine(level.slope * kappa, at.shape, self.curvature(curvature))
    }
}
