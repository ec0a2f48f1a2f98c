//! The two curves of the Magic Formula, and guards that keep them finite.

use crate::real::{Function, Real, each};

/// ε of \[B\] 4.E6a: always added with the sign of the operand.
const EPSILON: f64 = 1e-6;
/// Upper bound of B·x: atan no longer changes, and products stay finite in single precision.
const GREATEST: f64 = 1e14;

/// The sine or the cosine of C·atan(Bx − E(Bx − atan Bx)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MagicCurve<T> {
    /// B·x.
    argument: T,
    /// C.
    shape: T,
    /// E.
    curvature: T,
    /// 1 for the cosine, 0 for the sine.
    cosine: T,
}

impl<T: Real> MagicCurve<T> {
    /// The sine curve at B·x with C and E.
    #[inline]
    pub(crate) fn sine(argument: T, shape: T, curvature: T) -> Self {
        Self {
            argument,
            shape,
            curvature,
            cosine: T::zero(),
        }
    }

    /// The cosine curve at B·x with C and E.
    #[inline]
    pub(crate) fn cosine(argument: T, shape: T, curvature: T) -> Self {
        Self {
            cosine: T::one(),
            ..Self::sine(argument, shape, curvature)
        }
    }

    /// The cosine of a sine curve, and the sine of a cosine curve.
    #[inline]
    pub(crate) fn turned(self) -> Self {
        Self {
            cosine: T::one() - self.cosine,
            ..self
        }
    }

    /// C·atan(Bx − E(Bx − atan Bx)) (`rad`).
    #[inline]
    pub(crate) fn angle(self) -> T {
        let bx = self.argument.clamp(T::of(-GREATEST), T::of(GREATEST));
        self.shape * (bx - self.curvature * (bx - bx.atan())).atan()
    }

    /// The curve over its peak.
    #[inline]
    pub(crate) fn value(self) -> T {
        let [value] = values([self]);
        value
    }
}

struct OverPeak;
impl Function<4> for OverPeak {
    #[inline]
    fn at<T: Real, const N: usize>(curves: [[T; 4]; N]) -> [T; N] {
        let bent = each([T::zero(); N], |_, i| {
            let [argument, _, curvature, _] = curves[i];
            let bx = argument.clamp(T::of(-GREATEST), T::of(GREATEST));
            bx - curvature * (bx - bx.atan())
        });
        let angles = each(bent, |bent, i| curves[i][1] * bent.atan());
        each(angles, |angle, i| angle.wave(curves[i][3]))
    }
}

/// Curves over their peaks, side by side.
#[inline]
pub(super) fn values<T: Real, const N: usize>(curves: [MagicCurve<T>; N]) -> [T; N] {
    let mut numbers = [[T::zero(); 4]; N];
    for (numbers, curve) in numbers.iter_mut().zip(curves) {
        *numbers = [curve.argument, curve.shape, curve.curvature, curve.cosine];
    }
    T::side_by_side::<OverPeak, 4, N>(numbers)
}

/// `x` moved away from 0 by ε: a denominator.
#[inline]
pub(super) fn guarded<T: Real>(x: T) -> T {
    x + T::of(EPSILON) * x.sign_or_one()
}

/// `x`, or a tiny number if it is 0: a denominator that is rarely 0.
#[inline]
pub(super) fn nonzero<T: Real>(x: T) -> T {
    let least = T::of(1e-12);
    T::select(x.abs().lt(least), least * x.sign_or_one(), x)
}

/// A non-negative number raised to a power; 0 is replaced by a tiny number.
#[inline]
pub(super) fn power<T: Real>(x: T, exponent: T) -> T {
    exponential(exponent * x.max(T::of(1e-9)).ln())
}

/// eˣ, bounded so that products do not overflow.
#[inline]
pub(super) fn exponential<T: Real>(x: T) -> T {
    x.clamp(T::of(-30.0), T::of(30.0)).exp()
}
