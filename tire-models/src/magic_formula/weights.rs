//! The weighting functions of combined slip at a load.

use crate::real::Real;

use super::MagicFormula;
use super::load::Basics;

/// The weighting functions at a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WeightsAtLoad<T> {
    /// Bxα before the slip ratio (4.E54).
    pub(super) slope_x: T,
    /// Exα (4.E56).
    pub(super) curvature_x: T,
    /// Byκ before the slip angle (4.E62).
    pub(super) slope_y: T,
    /// Eyκ (4.E64).
    pub(super) curvature_y: T,
    /// `SHyκ` (4.E65).
    pub(super) shift_y: T,
    /// `DVyκ` over μy·Fz, before the slip angle (4.E67).
    pub(super) side_force: T,
}

impl<T: Real> WeightsAtLoad<T> {
    pub(super) fn new(tire: &MagicFormula<T>, b: &Basics<T>) -> Self {
        let c = &tire.c;
        let (dfz, gamma) = (b.dfz, b.gamma_star);
        Self {
            slope_x: (c.RBX1 + c.RBX3 * gamma * gamma) * c.LXAL,
            curvature_x: tire.curvature(c.REX1 + c.REX2 * dfz),
            slope_y: (c.RBY1 + c.RBY4 * gamma * gamma) * c.LYKA,
            curvature_y: tire.curvature(c.REY1 + c.REY2 * dfz),
            shift_y: c.RHY1 + c.RHY2 * dfz,
            side_force: (c.RVY1 + c.RVY2 * dfz + c.RVY3 * gamma) * c.LVYKA,
        }
    }
}
