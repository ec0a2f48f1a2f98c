//! The rolling resistance moment My (\[P\] A48; \[B\] 4.E70; PAC2002).

use crate::real::Real;

use super::settings::{Variant, Version};
use super::{LoadContext, MagicFormula, Planar};

impl<T: Real> MagicFormula<T> {
    /// The rolling resistance moment My [N·m] about the axle, of forces that
    /// [`MagicFormula::planar`] gave at the same load: negative when rolling forward.
    #[must_use]
    pub fn rolling_resistance(&self, at: &LoadContext<T>, planar: &Planar<T>) -> T {
        let (c, b) = (&self.c, &at.basics);
        let m = &planar.motion;
        // MFT: below FZMIN, the load enters as Fz·(Fz/FZMIN).
        let share = b.fz_given / c.FZMIN.max(T::of(1e-9));
        let low = b.fz_given.lt(c.FZMIN);
        let fz = T::select(low, b.fz_given * share, b.fz_given);
        let (load, speed) = (fz / c.FNOMIN, m.vx / c.LONGVL);
        let square = speed * speed;
        let rolling = c.QSY1
            + c.QSY2 * (planar.longitudinal / c.FNOMIN)
            + c.QSY3 * speed.abs()
            + c.QSY4 * (square * square);
        let camber = (c.QSY5 + c.QSY6 * load) * b.gamma * b.gamma;
        let powers = || {
            let least = T::of(1e-9);
            let pressure = (b.pressure / c.NOMPRES).max(least).powf(c.QSY8);
            let none = load.le(T::zero());
            T::select(none, T::zero(), load.max(least).powf(c.QSY7)) * pressure
        };
        let per_radius = match (self.version, self.settings.variant) {
            (Version::V52, _) => fz * rolling,
            (_, Variant::Book) => fz * (rolling + camber) * powers(),
            (_, Variant::MfTyre | Variant::MfevalCompat) => {
                c.FNOMIN * (rolling + camber) * powers()
            }
        };
        let forward = -(c.UNLOADED_RADIUS * per_radius * c.LMY);
        forward * m.direction * self.rolling_share(m.vx, m.kappa_given)
    }

    /// MFT: how much of My acts at a slip ratio. Towards a standstill it falls, and a wheel that turns
    /// backward is braked the other way round.
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
