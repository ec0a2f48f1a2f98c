//! Carcass stiffness and relaxation lengths (\[P\] 17–19; PAC2002, `PAC_MC`).

use crate::real::Real;

use super::settings::Version;
use super::shape::{exponential, nonzero};
use super::{LoadContext, MagicFormula, Planar};

/// Stiffness of the standing tire, and the distances over which its forces build up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation<T> {
    /// Longitudinal stiffness of the carcass Cx (`N/m`).
    pub longitudinal_stiffness: T,
    /// Lateral stiffness of the carcass Cy (`N/m`).
    pub lateral_stiffness: T,
    /// Relaxation length of Fx, σκ (`m`).
    pub longitudinal_length: T,
    /// Relaxation length of Fy, σα (`m`).
    pub lateral_length: T,
}

impl<T: Real> MagicFormula<T> {
    /// Carcass stiffness and relaxation lengths, for forces from [`MagicFormula::planar`] at the
    /// same load.
    #[must_use]
    pub fn relaxation(&self, at: &LoadContext<T>, planar: &Planar<T>) -> Relaxation<T> {
        self.relaxation_of(at, planar.lateral_stiffness)
    }

    /// [`MagicFormula::relaxation`] at a cornering stiffness Kyα (`N/rad`).
    #[inline]
    pub(super) fn relaxation_of(&self, at: &LoadContext<T>, cornering: T) -> Relaxation<T> {
        let (c, b, one) = (&self.c, &at.basics, T::one());
        let (dfz, dpi) = (b.dfz, b.dpi);
        let cx = c.LONGITUDINAL_STIFFNESS
            * (one + c.PCFX1 * dfz + c.PCFX2 * dfz * dfz)
            * (one + c.PCFX3 * dpi);
        let cy = c.LATERAL_STIFFNESS
            * (one + c.PCFY1 * dfz + c.PCFY2 * dfz * dfz)
            * (one + c.PCFY3 * dpi);
        let along = || {
            b.fz * (c.PTX1 + c.PTX2 * dfz)
                * exponential(-(c.PTX3 * dfz))
                * (c.UNLOADED_RADIUS / c.FNOMIN)
                * c.LSGKP
        };
        let across = |peak: T, curvature: T, by_camber: T| {
            let load = b.fz / nonzero(peak * b.nominal);
            c.PTY1
                * (curvature * load.atan()).sin()
                * (one - by_camber)
                * c.UNLOADED_RADIUS
                * c.LFZO
                * c.LSGAL
        };
        let (longitudinal_length, lateral_length) = match self.version {
            Version::V52 => (along(), across(c.PTY2, T::of(2.0), c.PKY3 * b.gamma.abs())),
            Version::Motorcycle => (along(), across(c.PTY3, c.PTY2, c.PKY5 * b.gamma * b.gamma)),
            Version::V61 | Version::V62 => (
                (at.longitudinal.stiffness / nonzero(cx)).abs(),
                (cornering / nonzero(cy)).abs(),
            ),
        };
        Relaxation {
            longitudinal_stiffness: cx,
            lateral_stiffness: cy,
            longitudinal_length,
            lateral_length,
        }
    }
}
