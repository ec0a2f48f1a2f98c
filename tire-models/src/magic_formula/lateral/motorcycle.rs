//! Pure lateral slip of motorcycles: Fy0 of de Vries and Pacejka (VSD 28, 1998; \[B\] ch. 11), with
//! the keys of MF-MCTyre 1.1.
//!
//! ```text
//! Fy0 = Dy·sin[Cy·atan(By·αy − Ey(…)) + Cγ·atan(Bγ·γ − Eγ(…))] + SVy
//! αy  = α + pHy1·λHy
//! Dy  = Fz·pDy1·exp(pDy2·dfz)·(1 − pDy3·γ²)·λμy
//! Ey  = [pEy1 + pEy2·γ² + (pEy3 + pEy4·γ)·sgn αy]·λEy
//! Kyα = pKy1·Fz0'·sin[pKy2·atan{Fz/((pKy3 + pKy4·γ²)·Fz0')}]·(1 − pKy5·γ²)·λKyα
//! Kyγ = (pKy6 + pKy7·dfz)·Fz·λKyγ
//! By  = Kyα/(Cy·Dy),  Bγ = Kyγ/(Cγ·Dy),  Cγ = pCy2·λCγ,  Eγ = pEy5·λEγ
//! ```
//!
//! Inclination acts inside the sine: an inclined tire has its lateral force without slip, and no more
//! friction for it. That force has no pneumatic trail.

use super::{LateralAtFriction, LateralAtLoad};
use crate::magic_formula::MagicFormula;
use crate::magic_formula::load::Basics;
use crate::magic_formula::shape::{MagicCurve, exponential, guarded, nonzero};
use crate::real::Real;

/// The part of inclination at a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lean<T> {
    /// Kyγ·γ (`N`).
    force: T,
    /// Cγ.
    shape: T,
    /// Eγ.
    curvature: T,
}

/// Cγ·atan(Bγ·γ − Eγ(…)) at a friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::magic_formula) struct LeanAngle<T> {
    /// The angle (`rad`).
    pub(in crate::magic_formula) angle: T,
    sin: T,
    cos: T,
}

impl<T: Real> Lean<T> {
    /// Computes the angle at the peak Dy (`N`).
    #[inline]
    pub(super) fn angle(&self, peak: T) -> LeanAngle<T> {
        let argument = self.force / guarded(self.shape * peak);
        let angle = MagicCurve::sine(argument, self.shape, self.curvature).angle();
        LeanAngle {
            angle,
            sin: angle.sin(),
            cos: angle.cos(),
        }
    }
}

/// Computes the lateral shape at the actual inclination.
#[inline]
pub(super) fn leaning<T: Real>(tire: &MagicFormula<T>, b: &Basics<T>) -> LateralAtLoad<T> {
    if b.gamma_star.is_nothing() {
        return at(tire, b, T::zero());
    }
    let leaning = at(tire, b, b.gamma_star);
    let force = b.gamma_star * leaning.camber_stiffness;
    LateralAtLoad {
        lean: Some(Lean {
            force,
            shape: tire.c.PCY2 * tire.c.LCC,
            curvature: tire.curvature(tire.c.PEY5 * tire.c.LEC),
        }),
        ..leaning
    }
}

/// The curve over the slip angle at an inclination γ* (`rad`).
pub(super) fn at<T: Real>(tire: &MagicFormula<T>, b: &Basics<T>, gamma: T) -> LateralAtLoad<T> {
    let (c, one) = (&tire.c, T::one());
    let (fz, dfz) = (b.fz, b.dfz);
    let square = gamma * gamma;
    let loaded = T::select(fz.gt(T::zero()), one, T::zero());
    let greatest = c.PKY1 * b.nominal * c.LKY;
    let by_load = |square: T| {
        let load = fz / nonzero((c.PKY3 + c.PKY4 * square) * b.nominal);
        (c.PKY2 * load.atan()).sin()
    };
    LateralAtLoad {
        gamma,
        lean: None,
        shape: c.PCY1 * c.LCY,
        friction: c.PDY1 * exponential(c.PDY2 * dfz) * (one - c.PDY3 * square) * loaded,
        stiffness: greatest * by_load(square) * (one - c.PKY5 * square),
        stiffness_upright: greatest * by_load(T::zero()),
        camber_stiffness: fz * (c.PKY6 + c.PKY7 * dfz) * c.LKYC,
        curvature: c.LEY,
        even: c.PEY1 + c.PEY2 * square,
        odd: -(c.PEY3 + c.PEY4 * gamma),
        shift: c.PHY1 * c.LHY,
        rise: fz * (c.PVY1 + c.PVY2 * dfz) * c.LVY,
        camber_rise: T::zero(),
    }
}

impl<T: Real> MagicFormula<T> {
    /// The sine of Fy0 from that of its curve over the slip angle: turned by the part of
    /// inclination, if there is one.
    #[inline]
    pub(in crate::magic_formula) fn leaning_sine(
        &self,
        level: &LateralAtFriction<T>,
        curve: MagicCurve<T>,
        sine: T,
    ) -> T {
        match &level.lean {
            Some(lean) => sine * lean.cos + curve.turned().value() * lean.sin,
            None => sine,
        }
    }
}

#[cfg(test)]
mod tests;
