//! The rolling resistance moment My (\[P\] A48; \[B\] 4.E70; PAC2002).

use crate::real::Real;

use super::settings::{Variant, Version};
use super::shape::power;
use super::{Coefficients, LoadContext, MagicFormula, Planar};

/// The part of My that depends only on load, inclination and pressure.
pub(crate) struct ResistanceAtLoad<T> {
    /// My over radius and rolling share (`N`).
    force: T,
    /// Contribution of inclination to the rolling share.
    camber: T,
}

impl<T: Real> ResistanceAtLoad<T> {
    /// MFT: below FZMIN, the load is replaced by Fz·(Fz/FZMIN).
    #[inline]
    pub(crate) fn new(tire: &MagicFormula<T>, at: &LoadContext<T>) -> Self {
        let (c, b) = (&tire.c, &at.basics);
        let share = b.fz_given / c.FZMIN.max(T::of(1e-9));
        let low = b.fz_given.lt(c.FZMIN);
        let fz = T::select(low, b.fz_given * share, b.fz_given);
        let load = fz / c.FNOMIN;
        let camber = (c.QSY5 + c.QSY6 * load) * b.gamma * b.gamma;
        let powers = || {
            let none = load.le(T::zero());
            let by_load = power(load, c.QSY7);
            T::select(none, T::zero(), by_load) * tire.resistance_at(b.pressure)
        };
        let (force, camber) = match (tire.version, tire.settings.variant) {
            (Version::V52 | Version::Motorcycle, _) => (fz, T::zero()),
            (_, Variant::Book) => (fz * powers(), camber),
            (_, Variant::MfTyre | Variant::MfevalCompat) => (c.FNOMIN * powers(), camber),
        };
        Self { force, camber }
    }
}

/// Ratio of the rolling resistance at a pressure (`Pa`) to that at the nominal one.
pub(crate) fn by_pressure<T: Real>(c: &Coefficients<T>, pressure: T) -> T {
    power(pressure / c.NOMPRES, c.QSY8)
}

impl<T: Real> MagicFormula<T> {
    /// The rolling resistance moment My (`N·m`) about the axle, for forces from
    /// [`MagicFormula::planar`] at the same load: negative when rolling forward.
    #[must_use]
    pub fn rolling_resistance(&self, at: &LoadContext<T>, planar: &Planar<T>) -> T {
        self.rolling_resistance_of(&ResistanceAtLoad::new(self, at), planar)
    }

    /// [`MagicFormula::rolling_resistance`] with the load-dependent part given.
    #[inline]
    pub(crate) fn rolling_resistance_of(&self, own: &ResistanceAtLoad<T>, planar: &Planar<T>) -> T {
        let (c, m) = (&self.c, &planar.motion);
        let speed = m.vx / c.LONGVL;
        let square = speed * speed;
        let rolling = c.QSY1
            + c.QSY2 * (planar.longitudinal / c.FNOMIN)
            + c.QSY3 * speed.abs()
            + c.QSY4 * (square * square);
        let forward = -(c.UNLOADED_RADIUS * (own.force * (rolling + own.camber)) * c.LMY);
        forward * m.direction * self.rolling_share(m.vx, m.kappa_given)
    }

    /// [`by_pressure`], precomputed for the tire's own pressure.
    #[inline]
    fn resistance_at(&self, pressure: T) -> T {
        if (pressure - self.c.INFLPRES).is_nothing() {
            self.own_resistance
        } else {
            by_pressure(&self.c, pressure)
        }
    }

    /// MFT: the share of My that acts at a slip ratio. It falls toward a standstill, and acts in
    /// the other direction on a wheel that turns backward.
    fn rolling_share(&self, vx: T, kappa: T) -> T {
        let one = T::one();
        let low_speed = self.c.VXLOW;
        let high = low_speed / vx.abs().max(T::of(1e-9)) - one;
        let low = -one - low_speed - high;
        let quarter = T::of(core::f64::consts::FRAC_PI_2);
        let rise = (quarter * (kappa + one) / (high + one).max(T::of(1e-12))).sin();
        let within = kappa.ge(low) & kappa.le(high);
        T::select(within, rise, T::select(kappa.lt(low), -one, one))
    }
}
