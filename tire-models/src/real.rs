//! The number types of the formulas: [`Real`], so that a formula is written once for single and
//! double precision, derivatives ([`Dual`]) and four lanes (`W4`).
//!
//! Transcendental functions give the same bits on every platform, in a lane and as scalars: double
//! precision uses `libm`; in single precision, the frequent ones are plain arithmetic
//! (`real/single.rs`), so that lanes run side by side. Branches are comparisons and
//! [`Real::select`].

mod sealed {
    pub trait Sealed {}
}

mod dual;
mod single;
mod scalars;
mod lanes;

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

pub use dual::Dual;

/// Result of a comparison: one, or one per lane.
pub trait Mask:
    sealed::Sealed + Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether any lane is true.
    fn any(self) -> bool;
    /// Whether all lanes are true.
    fn all(self) -> bool;
}

/// A real number, or four of them side by side: `f32`, `f64`, [`Dual`],
/// `W4`.
pub trait Real:
    sealed::Sealed
    + Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Result of a comparison.
    type Mask: Mask;

    /// The constant nearest to `x`, in every lane.
    fn of(x: f64) -> Self;

    /// The number without its derivatives.
    #[inline]
    #[must_use]
    fn detached(self) -> Self {
        self
    }
    /// Whether the number is 0 in every lane, derivatives included, so that products with it can be skipped.
    #[inline]
    #[must_use]
    fn is_nothing(self) -> bool {
        !self.abs().gt(Self::zero()).any()
    }
    /// `self < other`, false for `NaN`.
    fn lt(self, other: Self) -> Self::Mask;
    /// `self <= other`, false for `NaN`.
    fn le(self, other: Self) -> Self::Mask;
    /// `yes` where `mask` is true, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Magnitude.
    fn abs(self) -> Self;
    /// Magnitude of the number with the sign of another one, which may be a signed zero.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;
    /// Square root; `NaN` below 0.
    fn sqrt(self) -> Self;
    /// Sine of an angle (`rad`).
    fn sin(self) -> Self;
    /// Cosine of an angle (`rad`).
    fn cos(self) -> Self;
    /// Tangent of an angle (`rad`).
    fn tan(self) -> Self;
    /// Angle (`rad`) whose tangent this is, in (−π/2, π/2).
    fn atan(self) -> Self;
    /// Angle (`rad`) whose cosine this is, in [0, π]; `NaN` outside of ±1.
    fn acos(self) -> Self;
    /// eˣ.
    fn exp(self) -> Self;
    /// Natural logarithm; `NaN` below 0.
    fn ln(self) -> Self;
    /// `self` raised to a power; `NaN` for a negative base with a non-integer exponent.
    fn powf(self, exponent: Self) -> Self;

    /// A function at several points; in single precision, four at a time in lanes.
    #[inline]
    #[must_use]
    fn side_by_side<F: Function<K>, const K: usize, const N: usize>(
        x: [[Self; K]; N],
    ) -> [Self; N] {
        F::at(x)
    }
    /// The cosine of an angle (`rad`) if `cosine` is 1, its sine if it is 0.
    fn wave(self, cosine: Self) -> Self;
    /// Arctangents of several numbers, evaluated side by side.
    #[inline]
    #[must_use]
    fn atans<const N: usize>(x: [Self; N]) -> [Self; N] {
        Self::side_by_side::<Atan, 1, N>(x.map(|x| [x]))
    }

    /// 0.
    #[inline]
    #[must_use]
    fn zero() -> Self {
        Self::of(0.0)
    }
    /// 1.
    #[inline]
    #[must_use]
    fn one() -> Self {
        Self::of(1.0)
    }
    /// `self > other`, false for `NaN`.
    #[inline]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// `self >= other`, false for `NaN`.
    #[inline]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }
    /// The smaller of two; `other` where the comparison fails.
    #[inline]
    #[must_use]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }
    /// The larger of two; `other` where the comparison fails.
    #[inline]
    #[must_use]
    fn max(self, other: Self) -> Self {
        Self::select(self.gt(other), self, other)
    }
    /// Clamped to `low` and `high`; `NaN` becomes `low`.
    #[inline]
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
    /// −1 below 0, otherwise 1, also for −0.
    #[inline]
    #[must_use]
    fn sign_or_one(self) -> Self {
        Self::select(self.lt(Self::zero()), -Self::one(), Self::one())
    }
    /// −1, 0 or 1.
    #[inline]
    #[must_use]
    fn sign(self) -> Self {
        let not_positive = Self::select(self.lt(Self::zero()), -Self::one(), Self::zero());
        Self::select(self.gt(Self::zero()), Self::one(), not_positive)
    }
    /// `self²`.
    #[inline]
    #[must_use]
    fn squared(self) -> Self {
        self * self
    }
    /// `cos(atan x)` = 1/√(1 + x²).
    #[inline]
    #[must_use]
    fn cos_atan(self) -> Self {
        Self::one() / (Self::one() + self * self).sqrt()
    }
    /// Length of the vector (`self`, `other`).
    #[inline]
    #[must_use]
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }
}

/// A function of `K` numbers of any type.
pub trait Function<const K: usize> {
    /// Values of the function at `N` points. A function of several steps should do each step at all points before the next,
    /// which gives the processor independent work.
    fn at<T: Real, const N: usize>(x: [[T; K]; N]) -> [T; N];
}

struct Atan;
impl Function<1> for Atan {
    #[inline]
    fn at<T: Real, const N: usize>(x: [[T; 1]; N]) -> [T; N] {
        each([T::zero(); N], |_, i| x[i][0].atan())
    }
}

/// A function of each number and its index. Unlike the library's `map`, the loop is not split into
/// calls.
#[inline(always)]
pub(crate) fn each<T: Copy, const N: usize>(x: [T; N], f: impl Fn(T, usize) -> T) -> [T; N] {
    let mut y = x;
    for (i, y) in y.iter_mut().enumerate() {
        *y = f(*y, i);
    }
    y
}

#[cfg(test)]
mod tests;
