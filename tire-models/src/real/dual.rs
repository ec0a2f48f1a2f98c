//! [`Dual`]: a number together with its derivatives.

use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{Real, sealed};

/// A number and its derivatives with respect to `N` variables (forward-mode automatic
/// differentiation).
///
/// Comparisons use the value alone. An infinite derivative (√0) is replaced by 0, so that finite
/// input gives finite output.
///
/// ```
/// use tire_models::real::{Dual, Real};
///
/// let x = Dual::<f64, 1>::variable(2.0, 0);
/// let y = x * x * x;
/// assert_eq!((y.value, y.derivatives), (8.0, [12.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T, const N: usize> {
    /// The number.
    pub value: T,
    /// Derivative of the number by each variable.
    pub derivatives: [T; N],
}

impl<T: Real, const N: usize> Dual<T, N> {
    /// A number that depends on no variable.
    #[inline]
    #[must_use]
    pub fn constant(value: T) -> Self {
        Self {
            value,
            derivatives: [T::zero(); N],
        }
    }

    /// The variable number `index`.
    ///
    /// # Panics
    /// If `index >= N`.
    #[inline]
    #[must_use]
    pub fn variable(value: T, index: usize) -> Self {
        let mut variable = Self::constant(value);
        variable.derivatives[index] = T::one();
        variable
    }

    /// Applies the chain rule: a function's value and derivative at this number.
    #[inline]
    fn chain(self, value: T, derivative: T) -> Self {
        Self {
            value,
            derivatives: self.derivatives.map(|d| derivative * d),
        }
    }

    /// Combines the derivatives of both, one by one.
    #[inline]
    fn with(self, other: Self, value: T, f: impl Fn(T, T) -> T) -> Self {
        Self {
            value,
            derivatives: core::array::from_fn(|i| f(self.derivatives[i], other.derivatives[i])),
        }
    }
}

/// `a / b`, 0 where `b` is 0.
#[inline]
fn over<T: Real>(a: T, b: T) -> T {
    let none = b.le(T::zero()) & b.ge(T::zero());
    T::select(none, T::zero(), a / T::select(none, T::one(), b))
}

impl<T: Real, const N: usize> Add for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.with(other, self.value + other.value, |a, b| a + b)
    }
}

impl<T: Real, const N: usize> Sub for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.with(other, self.value - other.value, |a, b| a - b)
    }
}

impl<T: Real, const N: usize> Mul for Dual<T, N> {
    type Output = Self;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the product rule")]
    fn mul(self, other: Self) -> Self {
        let (x, y) = (self.value, other.value);
        self.with(other, x * y, |a, b| a * y + x * b)
    }
}

impl<T: Real, const N: usize> Div for Dual<T, N> {
    type Output = Self;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "the quotient rule")]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        let y = other.value;
        self.with(other, quotient, |a, b| (a - quotient * b) / y)
    }
}

impl<T: Real, const N: usize> Neg for Dual<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.value, -T::one())
    }
}

impl<T, const N: usize> sealed::Sealed for Dual<T, N> {}
impl<T: Real, const N: usize> Real for Dual<T, N> {
    type Mask = T::Mask;

    #[inline]
    fn of(x: f64) -> Self {
        Self::constant(T::of(x))
    }
    #[inline]
    fn detached(self) -> Self {
        Self::constant(self.value)
    }
    #[inline]
    fn is_nothing(self) -> bool {
        self.value.is_nothing() && self.derivatives.iter().all(|part| part.is_nothing())
    }
    #[inline]
    fn lt(self, other: Self) -> T::Mask {
        self.value.lt(other.value)
    }
    #[inline]
    fn le(self, other: Self) -> T::Mask {
        self.value.le(other.value)
    }
    #[inline]
    fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        let value = T::select(mask, yes.value, no.value);
        yes.with(no, value, |a, b| T::select(mask, a, b))
    }
    #[inline]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign_or_one())
    }
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        let one = T::one();
        let turned = one.copysign(self.value) * one.copysign(sign.value);
        self.chain(self.value.copysign(sign.value), turned)
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, over(T::of(0.5), root))
    }
    #[inline]
    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }
    #[inline]
    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }
    #[inline]
    fn wave(self, cosine: Self) -> Self {
        let (one, cosine) = (T::one(), cosine.value);
        let slope = self.value.wave(one - cosine) * (one - (cosine + cosine));
        self.chain(self.value.wave(cosine), slope)
    }
    #[inline]
    fn tan(self) -> Self {
        let tan = self.value.tan();
        self.chain(tan, T::one() + tan * tan)
    }
    #[inline]
    fn atan(self) -> Self {
        let slope = T::one() / (T::one() + self.value * self.value);
        self.chain(self.value.atan(), slope)
    }
    #[inline]
    fn acos(self) -> Self {
        let sine = (T::one() - self.value * self.value).sqrt();
        self.chain(self.value.acos(), -over(T::one(), sine))
    }
    #[inline]
    fn exp(self) -> Self {
        let exp = self.value.exp();
        self.chain(exp, exp)
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), over(T::one(), self.value))
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let power = self.value.powf(exponent.value);
        let by_base = over(exponent.value * power, self.value);
        let positive = self.value.gt(T::zero());
        let logarithm = T::select(positive, self.value, T::one()).ln();
        let by_exponent = power * logarithm;
        self.with(exponent, power, |a, b| by_base * a + by_exponent * b)
    }
}
