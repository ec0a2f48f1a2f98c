//! The overturning moment Mx (MFT; \[B\] 4.E69).

use crate::real::Real;

use super::settings::Variant;
use super::{LoadContext, MagicFormula, Planar};

/// The part of Mx that depends only on load and inclination.
pub(crate) struct OverturningAtLoad<T> {
    /// Load used by the formula (`N`).
    load: T,
    /// Mx over load, without the contribution of the lateral force.
    share: T,
    /// QSX4·cos(QSX5·atan((QSX6·Fz/Fz0)²)).
    mixed: T,
    /// Coefficient of Mx by lateral force, besides the load's part (–).
    lateral: T,
    /// Mx over the unloaded upright radius (`N`).
    lean: T,
}

impl<T: Real> OverturningAtLoad<T> {
    /// MFT: below `FZMIN`, the load is replaced by Fz·(Fz/FZMIN)².
    #[inline]
    pub(crate) fn new(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Self {
        let (c, b, one) = (&tire.c, &at.basics, T::one());
        let (gamma, book) = (b.gamma, tire.settings.variant == Variant::Book);
        let mut load = b.fz;
        if !book {
            let share = load / c.FZMIN.max(T::of(1e-9));
            load = T::select(load.lt(c.FZMIN), load * share * share, load);
        }
        let relative = load / c.FNOMIN;
        let by_load = (c.QSX6 * relative) * (c.QSX6 * relative);
        let [by_load, lean] = T::atans([by_load, c.QSX11 * relative]);
        let share =
            c.QSX1 * c.LVMX - c.QSX2 * gamma * (one + c.PPMX1 * b.dpi) + c.QSX10 * lean * gamma;
        let none = T::zero();
        Self {
            load,
            share,
            mixed: c.QSX4 * (c.QSX5 * by_load).cos(),
            lateral: if book {
                none
            } else {
                c.QSX13 + c.QSX14 * gamma.abs()
            },
            lean: if book {
                none
            } else {
                load * c.QSX12 * gamma * gamma.abs()
            },
        }
    }
}

impl<T: Real> MagicFormula<T> {
    /// The overturning moment Mx (`N·m`) about the rolling direction, for forces from
    /// [`MagicFormula::planar`] at the same load.
    ///
    /// MFT: below `FZMIN`, the load is replaced by Fz·(Fz/FZMIN)².
    #[must_use]
    pub fn overturning(&self, at: &LoadContext<T>, planar: &Planar<T>) -> T {
        self.overturning_of(&OverturningAtLoad::new(self, at), at, planar)
    }

    /// [`MagicFormula::overturning`] with the load-dependent part given.
    #[inline]
    pub(crate) fn overturning_of(
        &self,
        own: &OverturningAtLoad<T>,
        at: &LoadContext<T>,
        planar: &Planar<T>,
    ) -> T {
        let c = &self.c;
        let fy = planar.unscaled.1;
        let by_force = c.QSX8 * (c.QSX9 * fy / c.FNOMIN).atan();
        let mixed = own.mixed * (c.QSX7 * at.basics.gamma + by_force).sin();
        let per_load = own.share + c.QSX3 * fy / c.FNOMIN + mixed;
        let moment = own.load * per_load + fy * own.lateral - own.lean;
        c.UNLOADED_RADIUS * c.LMX * moment * at.scale
    }
}
