//! Valid ranges: what happens outside them, and which limits acted.

use crate::real::{Mask, Real};

use super::MagicFormula;

/// Behavior outside the ranges of a file.
///
/// Pressure, slips and inclination are clamped to their range. The load differs:
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutOfRange {
    /// A load above `FZMAX` is clamped, as in MF-Tyre: the tire then carries more load than its
    /// forces account for.
    Clamp,
    /// Below `FZMIN` and above `FZMAX`, forces and moments are those at the end of the range,
    /// scaled with the load.
    ScaleWithLoad,
    /// Loads are clamped as by [`OutOfRange::Clamp`], and [`MagicFormula::try_planar`] returns an error if a limit acts.
    Error,
}

/// Limits that acted; one lane per wheel.
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
    /// The limits that acted as bits: 1 pressure, 2 load, 4 inclination, 8 slip ratio, 16 slip angle.
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

/// A limit acted, and [`OutOfRange::Error`] is set.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("outside the tire's valid range: {clamped:?}")]
pub struct OutsideRange<M: core::fmt::Debug> {
    /// Limits that acted.
    pub clamped: Clamped<M>,
}

/// Upper bound of load over nominal load. Tires stay far below; far beyond, single precision
/// overflows.
const GREATEST_LOAD: f64 = 1e3;
/// Upper bound of the slip ratio.
const GREATEST_SLIP: f64 = 1e4;
/// Upper bound of angles that are reduced to their range (`rad`).
pub(crate) const GREATEST_ANGLE: f64 = 100.0;
/// Upper bound of pressure over nominal pressure.
const GREATEST_PRESSURE: f64 = 1e2;
/// Upper bound of the speed (`m/s`).
pub(crate) const GREATEST_SPEED: f64 = 1e6;
/// Upper bound of the path curvature (`1/m`).
pub(crate) const GREATEST_CURVATURE: f64 = 1e4;

/// A value clamped to its range.
pub(crate) struct Bounded<T: Real> {
    pub(crate) value: T,
    pub(crate) acted: T::Mask,
}

/// `x` clamped to a range.
#[inline]
fn held<T: Real>(x: T, low: T, high: T) -> Bounded<T> {
    Bounded {
        value: x.clamp(low, high),
        acted: x.lt(low) | x.gt(high),
    }
}

impl<T: Real> MagicFormula<T> {
    /// The file's range if limits are on, otherwise another one.
    #[inline]
    fn range(&self, file: (T, T), otherwise: (f64, f64), x: T) -> Bounded<T> {
        if self.settings.limits.is_some() {
            held(x, file.0, file.1)
        } else {
            held(x, T::of(otherwise.0), T::of(otherwise.1))
        }
    }

    /// Pressure over nominal pressure, clamped to its range; never below 0.
    #[inline]
    pub(crate) fn held_pressure(&self, pressure: T) -> Bounded<T> {
        let c = &self.c;
        let most = c.NOMPRES * T::of(GREATEST_PRESSURE);
        let (low, high) = (c.PRESMIN.max(T::zero()), c.PRESMAX.min(most));
        if self.settings.limits.is_some() {
            held(pressure, low, high)
        } else {
            held(pressure, T::zero(), most)
        }
    }

    /// Load clamped to 0 and its maximum.
    #[inline]
    pub(crate) fn held_load(&self, load: T) -> Bounded<T> {
        let most = self.greatest_load();
        let high = if self.settings.limits.is_some() {
            self.c.FZMAX.clamp(T::zero(), most)
        } else {
            most
        };
        held(load, T::zero(), high)
    }

    /// Upper bound of the load, whatever the limits (`N`).
    #[inline]
    pub(crate) fn greatest_load(&self) -> T {
        self.c.FNOMIN * T::of(GREATEST_LOAD)
    }

    /// Inclination clamped to its range.
    #[inline]
    pub(crate) fn held_inclination(&self, inclination: T) -> Bounded<T> {
        let file = (self.c.CAMMIN, self.c.CAMMAX);
        self.range(file, (-GREATEST_ANGLE, GREATEST_ANGLE), inclination)
    }

    /// Slip ratio clamped to its range.
    #[inline]
    pub(crate) fn held_slip_ratio(&self, ratio: T) -> Bounded<T> {
        let file = (self.c.KPUMIN, self.c.KPUMAX);
        self.range(file, (-GREATEST_SLIP, GREATEST_SLIP), ratio)
    }

    /// Slip angle clamped to its range.
    #[inline]
    pub(crate) fn held_slip_angle(&self, angle: T) -> Bounded<T> {
        let file = (self.c.ALPMIN, self.c.ALPMAX);
        self.range(file, (-GREATEST_ANGLE, GREATEST_ANGLE), angle)
    }

    /// Slip ratio as given, but bounded so that all formulas stay finite.
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
