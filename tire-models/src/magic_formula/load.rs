//! Load, inclination and pressure as inputs of the formulas.

use crate::real::Real;

use super::MagicFormula;
use super::limits::{Clamped, OutOfRange};
use super::settings::{SlipDefinition, Variant};

/// Load, inclination and pressure of a tire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<T> {
    /// Load Fz (`N`); negative counts as zero.
    pub force: T,
    /// Inclination γ (`rad`) about the rolling direction: positive with the top to the right.
    pub inclination: T,
    /// Inflation pressure (`Pa`); `None` uses the file's (`INFLPRES`).
    pub pressure: Option<T>,
    /// Grip of the surface over that of the measurement [−]: scales the peak friction in both
    /// directions, as `LMUX` and `LMUY`; ≥ 0.
    pub grip: T,
}

impl<T: Real> Load<T> {
    /// An upright tire at its own pressure on the surface of its measurement.
    #[must_use]
    pub fn new(force: T) -> Self {
        Self {
            force,
            inclination: T::zero(),
            pressure: None,
            grip: T::one(),
        }
    }
}

/// Terms of load, inclination and pressure used by every formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Basics<T> {
    /// Fz within the limits (`N`).
    pub(super) fz: T,
    /// Fz as given, not negative [N]: used by radii, contact patch and rolling resistance.
    pub(super) fz_given: T,
    /// Fz of Mz and of the deflection: at least `FZMIN`, except that zero stays zero (MFT) (`N`).
    pub(super) fz_moment: T,
    /// dfz = (Fz − Fz0')/Fz0' (4.E2a).
    pub(super) dfz: T,
    /// dpi = (p − p0)/p0 (4.E2b).
    pub(super) dpi: T,
    /// Fz0' = λFz0·Fz0 (4.E1) (`N`).
    pub(super) nominal: T,
    /// Pressure (`Pa`).
    pub(super) pressure: T,
    /// γ within the limits (`rad`).
    pub(super) gamma: T,
    /// γ*: γ, or sin γ (4.E4).
    pub(super) gamma_star: T,
    /// λμx and λμy with the surface's grip.
    pub(super) friction: (T, T),
}

/// Upper bound of the grip.
const GREATEST_GRIP: f64 = 1e3;
/// `Aμ` of \[B\] 4.E8.
const DIGRESSION: f64 = 10.0;

impl<T: Real> MagicFormula<T> {
    /// Common terms of a load; the factor on forces; which limits acted.
    pub(super) fn basics(&self, load: &Load<T>) -> (Basics<T>, T, Clamped<T::Mask>) {
        let c = &self.c;
        let fz_given = load.force.clamp(T::zero(), self.greatest_load());
        let held = self.held_load(load.force);
        let (mut fz, mut scale, mut acted) = (held.value, T::one(), held.acted);
        if self.settings.limits == Some(OutOfRange::ScaleWithLoad) {
            let least = c.FZMIN.max(T::of(1e-3) * c.FNOMIN).min(c.FZMAX);
            fz = fz.max(least);
            scale = fz_given / fz;
            acted = acted | fz_given.lt(least);
        }
        let mut fz_moment = fz;
        if self.settings.limits.is_some() {
            let none = fz.le(T::zero());
            fz_moment = T::select(none, T::zero(), fz.max(c.FZMIN));
        }
        let pressure = self.held_pressure(load.pressure.unwrap_or(c.INFLPRES));
        let gamma = self.held_inclination(load.inclination);
        let nominal = c.LFZO * c.FNOMIN;
        let grip = load.grip.clamp(T::zero(), T::of(GREATEST_GRIP));
        let basics = Basics {
            fz,
            fz_given,
            fz_moment,
            dfz: (fz - nominal) / nominal,
            dpi: (pressure.value - c.NOMPRES) / c.NOMPRES,
            nominal,
            pressure: pressure.value,
            gamma: gamma.value,
            gamma_star: match self.settings.slip_definition {
                SlipDefinition::Angles => gamma.value,
                SlipDefinition::Tangents => gamma.value.sin(),
            },
            friction: (c.LMUX * grip, c.LMUY * grip),
        };
        let none = T::one().lt(T::zero());
        let clamped = Clamped {
            pressure: pressure.acted,
            load: acted,
            inclination: gamma.acted,
            slip_ratio: none,
            slip_angle: none,
        };
        (basics, scale, clamped)
    }

    /// λ'μ from λ*μ (4.E8); in MFT `Aμ` = 1, which leaves it unchanged.
    #[inline]
    pub(super) fn digressive(&self, friction: T) -> T {
        match self.settings.variant {
            Variant::Book => {
                let a = T::of(DIGRESSION);
                a * friction / (T::one() + (a - T::one()) * friction)
            }
            Variant::MfTyre | Variant::MfevalCompat => friction,
        }
    }
}
