//! The overturning moment Mx (MFT; \[B\] 4.E69).

use crate::real::Real;

use super::settings::Variant;
use super::{LoadContext, MagicFormula, Planar};

impl<T: Real> MagicFormula<T> {
    /// The overturning moment Mx [N·m] about the rolling direction, of forces that
    /// [`MagicFormula::planar`] gave at the same load.
    ///
    /// MFT: below `FZMIN`, the load enters as Fz·(Fz/FZMIN)².
    #[must_use]
    pub fn overturning(&self, at: &LoadContext<T>, planar: &Planar<T>) -> T {
        let (c, b, one) = (&self.c, &at.basics, T::one());
        let (gamma, fz0) = (b.gamma, c.FNOMIN);
        let fy = planar.unscaled.1;
        let book = self.settings.variant == Variant::Book;
        let mut fz = b.fz;
        if !book {
            let share = fz / c.FZMIN.max(T::of(1e-9));
            fz = T::select(fz.lt(c.FZMIN), fz * share * share, fz);
        }
        let load = fz / fz0;
        let by_load = (c.QSX6 * load) * (c.QSX6 * load);
        let mixed = (c.QSX5 * by_load.atan()).cos()
            * (c.QSX7 * gamma + c.QSX8 * (c.QSX9 * fy / fz0).atan()).sin();
        let per_load = c.QSX1 * c.LVMX - c.QSX2 * gamma * (one + c.PPMX1 * b.dpi)
            + c.QSX3 * fy / fz0
            + c.QSX4 * mixed
            + c.QSX10 * (c.QSX11 * load).atan() * gamma;
        let mut moment = fz * per_load;
        if !book {
            moment = moment + fy * (c.QSX13 + c.QSX14 * gamma.abs())
                - fz * c.QSX12 * gamma * gamma.abs();
        }
        c.UNLOADED_RADIUS * c.LMX * moment * at.scale
    }
}
