//! Valid ranges: what happens outside of them, and which of them acted.

use crate::real::{Mask, Real};

use super::MagicFormula;

/// What happens outside the ranges of a file.
///
/// Pressure, slips and inclination are held at the end of their range. They differ in the load:
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutOfRange {
    /// A load above `FZMAX` is held there, as in MF-Tyre: the tire then carries more than its forces
    /// know.
    Clamp,
    /// Below `FZMIN` and above `FZMAX`, forces and moments are those of the end of the range, in
    /// proportion to the load.
    ScaleWithLoad,
    /// As [`OutOfRange::Clamp`], and [`MagicFormula::try_planar`] is an error where a limit acts.
    Error,
}

/// Which limits acted; in lanes, a lane each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clamped<M> {
    /// `PRESMIN`, `PRESMAX`.
    pub pressure: M,
    /// `FZMAX`, a negative load, and `FZMIN` where it changes anything.
    pub load: M,
    /// `CAMMIN`, `CAMMAX`.
    pub inclination: M,
    /// `KPUMIN`, `KPUMAX`.
    pub slip_ratio: M,
    /// `ALPMIN`, `ALPMAX`.
    pub slip_angle: M,
}

impl<M: Mask> Clamped<M> {
    /// Whether any limit acted, in each lane.
    #[must_use]
    pub fn any(self) -> M {
        self.pressure | self.load | self.inclination | self.slip_ratio | self.slip_angle
    }
}

impl Clamped<bool> {
    /// As bits: 1 pressure, 2 load, 4 inclination, 8 slip ratio, 16 slip angle.
    #[must_use]
    pub fn bits(self) -> u8 {
        let flags = [
            self.pressure,
            self.load,
            self.inclination,
            self.slip_ratio,
            self.slip_angle,
        ];
        flags
            .iter()
            .rev()
            .fold(0, |bits, &flag| bits << 1 | u8::from(flag))
    }
}

/// A limit acted, and limits are errors ([`OutOfRange::Error`]).
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("outside the tire's valid range: {clamped:?}")]
pub struct OutsideRange<M: core::fmt::Debug> {
    /// Which limits.
    pub clamped: Clamped<M>,
}

/// Maximum load over nominal load that is computed with. No tire comes near; far beyond, single
/// precision overflows.
const GREATEST_LOAD: f64 = 1e3;
/// Maximum slip ratio.
const GREATEST_SLIP: f64 = 1e4;
/// Maximum angle that is reduced to its range (`rad`).
pub(crate) const GREATEST_ANGLE: f64 = 100.0;
/// Maximum pressure over nominal pressure.
const GREATEST_PRESSURE: f64 = 1e2;
/// Maximum speed (`m/s`).
pub(crate) const GREATEST_SPEED: f64 = 1e6;
/// Maximum path curvature (`1/m`).
pub(crate) const GREATEST_CURVATURE: f64 = 1e4;

/// A value that was held within its range.
pub(crate) struct Held<T: Real> {
    pub(crate) value: T,
    pub(crate) acted: T::Mask,
}

/// `x` within a range.
#[inline]
fn held<T: Real>(x: T, low: T, high: T) -> Held<T> {
    Held {
        value: x.clamp(low, high),
        acted: x.lt(low) | x.gt(high),
    }
}

impl<T: Real> MagicFormula<T> {
    /// The file's range where limits are on, another one otherwise.
    #[inline]
    fn range(&self, file: (T, T), otherwise: (f64, f64), x: T) -> Held<T> {
        if self.settings.limits.is_some() {
            held(x, file.0, file.1)
        } else {
            held(x, T::of(otherwise.0), T::of(otherwise.1))
        }
    }

    /// Pressure over nominal pressure within its range; never below 0.
    #[inline]
    pub(crate) fn held_pressure(&self, pressure: T) -> Held<T> {
        let c = &self.c;
        let most = c.NOMPRES * T::of(GREATEST_PRESSURE);
        let (low, high) = (c.PRESMIN.max(T::zero()), c.PRESMAX.min(most));
        if self.settings.limits.is_some() {
            held(pressure, low, high)
        } else {
            held(pressure, T::zero(), most)
        }
    }

    /// Load within 0 and its greatest.
    #[inline]
    pub(crate) fn held_load(&self, load: T) -> Held<T> {
        let most = self.greatest_load();
        let high = if self.settings.limits.is_some() {
            self.c.FZMAX.clamp(T::zero(), most)
        } else {
            most
        };
        held(load, T::zero(), high)
    }

    /// The maximum load that is computed with, whatever the limits (`N`).
    #[inline]
    pub(crate) fn greatest_load(&self) -> T {
        self.c.FNOMIN * T::of(GREATEST_LOAD)
    }

    /// Inclination within its range.
    #[inline]
    pub(crate) fn held_inclination(&self, inclination: T) -> Held<T> {
        let file = (self.c.CAMMIN, self.c.CAMMAX);
        self.range(file, (-GREATEST_ANGLE, GREATEST_ANGLE), inclination)
    }

    /// Slip ratio within its range.
    #[inline]
    pub(crate) fn held_slip_ratio(&self, ratio: T) -> Held<T> {
        let file = (self.c.KPUMIN, self.c.KPUMAX);
        self.range(file, (-GREATEST_SLIP, GREATEST_SLIP), ratio)
    }

    /// Slip angle within its range.
    #[inline]
    pub(crate) fn held_slip_angle(&self, angle: T) -> Held<T> {
        let file = (self.c.ALPMIN, self.c.ALPMAX);
        self.range(file, (-GREATEST_ANGLE, GREATEST_ANGLE), angle)
    }

    /// Slip ratio as given, but finite in all formulas.
    #[inline]
    pub(crate) fn finite_slip_ratio(&self, ratio: T) -> T {
        bounded(ratio, GREATEST_SLIP)
    }
}

/// `x` within ±`limit`.
#[inline]
pub(crate) fn bounded<T: Real>(x: T, limit: f64) -> T {
    x.clamp(T::of(-limit), T::of(limit))
}
