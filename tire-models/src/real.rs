//! The number types of the formulas: [`Real`], so that a formula is written once for single and
//! double precision, derivatives ([`Dual`]) and four lanes ([`W4`]).
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

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use vehicle_core::lanes::{Mask4, W4};

pub use dual::Dual;

/// Result of a comparison: one, or one per lane.
pub trait Mask:
    sealed::Sealed + Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether any is true.
    fn any(self) -> bool;
    /// Whether all are true.
    fn all(self) -> bool;
}

/// A real number, or four of them side by side: `f32`, `f64`, [`Dual`], [`W4`].
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
    /// Whether it is 0 in every lane, derivatives included, so that products with it can be
    /// skipped.
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
    /// Its magnitude with the sign of another number, which may be a signed zero.
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
    /// Its values at `N` points. A function of several steps should do each step at all points
    /// before the next, which gives the processor independent work.
    fn at<T: Real, const N: usize>(x: [[T; K]; N]) -> [T; N];
}

struct Atan;
impl Function<1> for Atan {
    #[inline]
    fn at<T: Real, const N: usize>(x: [[T; 1]; N]) -> [T; N] {
        each([T::zero(); N], |_, i| x[i][0].atan())
    }
}

impl sealed::Sealed for bool {}
impl Mask for bool {
    #[inline]
    fn any(self) -> bool {
        self
    }
    #[inline]
    fn all(self) -> bool {
        self
    }
}

impl sealed::Sealed for Mask4 {}
impl Mask for Mask4 {
    #[inline]
    fn any(self) -> bool {
        Self::any(self)
    }
    #[inline]
    fn all(self) -> bool {
        Self::all(self)
    }
}

/// `Real` for a primitive type; `sin`, `cos`, `tan`, `atan`, `exp` and `ln` as given, the rest from
/// `libm`.
macro_rules! primitive {
    ($t:ident, $sin:expr, $cos:expr, $tan:expr, $atan:expr, $exp:expr, $ln:expr,
     $acos:ident, $pow:ident, { $($more:tt)* }) => {
        impl sealed::Sealed for $t {}
        impl Real for $t {
            type Mask = bool;

            #[inline]
            fn of(x: f64) -> Self {
                x as $t
            }
            #[inline]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline]
            fn le(self, other: Self) -> bool {
                self <= other
            }
            #[inline]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
            #[inline]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline]
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, sign)
            }
            #[inline]
            fn sqrt(self) -> Self {
                // Exact on every platform.
                $t::sqrt(self)
            }
            #[inline]
            fn sin(self) -> Self {
                ($sin)(self)
            }
            #[inline]
            fn cos(self) -> Self {
                ($cos)(self)
            }
            #[inline]
            fn tan(self) -> Self {
                ($tan)(self)
            }
            #[inline]
            fn atan(self) -> Self {
                ($atan)(self)
            }
            #[inline]
            fn acos(self) -> Self {
                libm::$acos(self)
            }
            #[inline]
            fn exp(self) -> Self {
                ($exp)(self)
            }
            #[inline]
            fn ln(self) -> Self {
                ($ln)(self)
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                libm::$pow(self, exponent)
            }
            $($more)*
        }
    };
}
primitive!(
    f64,
    libm::sin,
    libm::cos,
    libm::tan,
    libm::atan,
    libm::exp,
    libm::log,
    acos,
    pow,
    {
        #[inline]
        fn wave(self, cosine: Self) -> Self {
            if cosine > 0.0 {
                libm::cos(self)
            } else {
                libm::sin(self)
            }
        }
    }
);
primitive!(
    f32,
    |x| single::sin(x, libm::sinf),
    |x| single::cos(x, libm::cosf),
    |x| single::tan(x, libm::tanf),
    single::atan,
    |x| single::exp(x, power_of_two, libm::expf),
    |x| single::ln(x, split, libm::logf),
    acosf,
    powf,
    {
        #[inline]
        fn side_by_side<F: Function<K>, const K: usize, const N: usize>(
            x: [[Self; K]; N],
        ) -> [Self; N] {
            let mut y = [0.0; N];
            for (y, x) in y.chunks_mut(4).zip(x.chunks(4)) {
                let at = |k: usize| W4::from_fn(|i| x.get(i).map_or(0.0, |x| x[k]));
                let [found] = F::at([core::array::from_fn(at)]).map(W4::to_array);
                y.copy_from_slice(&found[..y.len()]);
            }
            y
        }
        #[inline]
        fn wave(self, cosine: Self) -> Self {
            let libm = |x| {
                if cosine > 0.0 {
                    libm::cosf(x)
                } else {
                    libm::sinf(x)
                }
            };
            single::wave(self, cosine, libm)
        }
    }
);

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

/// 2 to the power of an integer between −126 and 127.
#[inline]
fn power_of_two(n: f32) -> f32 {
    // In a float of this size the low bits hold the units; the shift moves them to the exponent.
    const WHOLE: f32 = 12_582_912.0;
    f32::from_bits((n + WHOLE).to_bits().wrapping_add(127) << 23)
}

/// Binary exponent of a normal number, and its mantissa between √½ and √2.
#[inline]
fn split(x: f32) -> (f32, f32) {
    const ROOT_OF_HALF: u32 = core::f32::consts::FRAC_1_SQRT_2.to_bits();
    let above = x.to_bits().wrapping_sub(ROOT_OF_HALF);
    let exponent = (above as i32) >> 23;
    let rest = (above & 0x007f_ffff).wrapping_add(ROOT_OF_HALF);
    (exponent as f32, f32::from_bits(rest))
}

/// A scalar function applied to each lane.
#[inline]
fn by_lanes(x: W4, f: impl Fn(f32) -> f32) -> W4 {
    let [a, b, c, d] = x.to_array();
    W4::from_array([f(a), f(b), f(c), f(d)])
}

impl sealed::Sealed for W4 {}
impl Real for W4 {
    type Mask = Mask4;

    #[inline]
    fn wave(self, cosine: Self) -> Self {
        single::wave(self, cosine, |x| {
            let (sine, cosines) = (by_lanes(x, libm::sinf), by_lanes(x, libm::cosf));
            cosine.gt(Self::ZERO).select(cosines, sine)
        })
    }

    #[inline]
    fn of(x: f64) -> Self {
        Self::splat(x as f32)
    }
    #[inline]
    fn lt(self, other: Self) -> Mask4 {
        Self::lt(self, other)
    }
    #[inline]
    fn le(self, other: Self) -> Mask4 {
        Self::le(self, other)
    }
    #[inline]
    fn select(mask: Mask4, yes: Self, no: Self) -> Self {
        mask.select(yes, no)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::min(self, other)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::max(self, other)
    }
    #[inline]
    fn abs(self) -> Self {
        Self::abs(self)
    }
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        Self::copysign(self, sign)
    }
    #[inline]
    fn sqrt(self) -> Self {
        // This compiles to one instruction, glam's to four.
        by_lanes(self, f32::sqrt)
    }
    #[inline]
    fn sin(self) -> Self {
        single::sin(self, |x| by_lanes(x, libm::sinf))
    }
    #[inline]
    fn cos(self) -> Self {
        single::cos(self, |x| by_lanes(x, libm::cosf))
    }
    #[inline]
    fn tan(self) -> Self {
        single::tan(self, |x| by_lanes(x, libm::tanf))
    }
    #[inline]
    fn atan(self) -> Self {
        single::atan(self)
    }
    #[inline]
    fn acos(self) -> Self {
        by_lanes(self, Real::acos)
    }
    #[inline]
    fn exp(self) -> Self {
        let power = |n| by_lanes(n, power_of_two);
        single::exp(self, power, |x| by_lanes(x, libm::expf))
    }
    #[inline]
    fn ln(self) -> Self {
        let split = |x: Self| (by_lanes(x, |x| split(x).0), by_lanes(x, |x| split(x).1));
        single::ln(self, split, |x| by_lanes(x, libm::logf))
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let (x, e) = (self.to_array(), exponent.to_array());
        Self::from_fn(|i| Real::powf(x[i], e[i]))
    }
}

#[cfg(test)]
mod tests;
