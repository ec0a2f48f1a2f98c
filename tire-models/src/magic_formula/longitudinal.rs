//! Pure longitudinal slip: Fx0 (\[B\] 4.E9–4.E18).

use crate::real::Real;

use super::context::Basics;
use super::motion::Motion;
use super::shape::{Curve, exponential, guarded};
use super::{Coefficients, MagicFormula};

/// Fx0's curve at a load, without the friction of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AtLoad<T> {
    /// Cx (4.E11).
    shape: T,
    /// μx over λ*μx (4.E13).
    friction: T,
    /// Kxκ [N] (4.E15).
    pub(super) stiffness: T,
    /// Ex before the sign of slip (4.E14).
    curvature: T,
    /// `SHx` (4.E17).
    shift: T,
    /// `SVx` over λ'μx [N] (4.E18).
    rise: T,
}

impl<T: Real> AtLoad<T> {
    pub(super) fn new(c: &Coefficients<T>, b: &Basics<T>) -> Self {
        let one = T::one();
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
            rise: fz * (c.PVX1 + c.PVX2 * dfz) * c.LVX,
        }
    }
}

/// Fx0's curve at a slip.
pub(super) struct Pure<T: Real> {
    curve: Curve<T>,
    /// Dx [N].
    peak: T,
    /// μx.
    pub(super) friction: T,
    /// `SHx`.
    pub(super) shift: T,
    /// `SVx` [N].
    pub(super) rise: T,
    /// Whether Fx0 is turned round: backward (MFT).
    turned: T::Mask,
}

impl<T: Real> Pure<T> {
    /// What is taken the sine of.
    #[inline]
    pub(super) fn curve(&self) -> Curve<T> {
        self.curve
    }

    /// Fx0 [N] of the curve's sine.
    #[inline]
    pub(super) fn force(&self, sine: T) -> T {
        let force = self.peak * sine + self.rise;
        T::select(self.turned, -force, force)
    }
}

impl<T: Real> MagicFormula<T> {
    /// Fx0's curve at a slip.
    #[inline]
    pub(super) fn longitudinal_pure(
        &self,
        at: &AtLoad<T>,
        b: &Basics<T>,
        m: &Motion<T>,
    ) -> Pure<T> {
        let scale = b.friction.0 * m.decay;
        let friction = at.friction * scale;
        let peak_factor = m.turn.as_ref().map_or(T::one(), |turn| turn.peak_x);
        let peak = friction * b.fz * peak_factor;
        let slope = at.stiffness / guarded(at.shape * peak);
        let shift = at.shift * m.fade;
        let kappa = m.kappa + shift;
        let curvature = at.curvature * (T::one() - self.c.PEX4 * kappa.sign());
        Pure {
            curve: Curve::sine(slope * kappa, at.shape, self.curvature(curvature)),
            peak,
            friction,
            shift,
            rise: at.rise * self.digressive(scale) * peak_factor * m.fade,
            turned: m.backward,
        }
    }
}
