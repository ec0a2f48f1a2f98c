//! The two curves of the Magic Formula, and guards that keep them finite.

use crate::real::Real;

/// ε of \[B\] 4.E6a: always added with the sign of what it is added to.
const EPSILON: f64 = 1e-6;
/// Greatest B·x: atan no longer changes, and products stay finite in single precision.
const GREATEST: f64 = 1e14;

/// atan(Bx − E(Bx − atan Bx)), the angle of both curves over C.
#[inline]
fn angle<T: Real>(bx: T, e: T) -> T {
    let bx = bx.clamp(T::of(-GREATEST), T::of(GREATEST));
    (bx - e * (bx - bx.atan())).atan()
}

/// sin(C atan(Bx − E(Bx − atan Bx))): the sine curve over its peak.
#[inline]
pub(crate) fn sine<T: Real>(bx: T, c: T, e: T) -> T {
    (c * angle(bx, e)).sin()
}

/// cos(C atan(Bx − E(Bx − atan Bx))): the cosine curve over its peak.
#[inline]
pub(super) fn cosine<T: Real>(bx: T, c: T, e: T) -> T {
    (c * angle(bx, e)).cos()
}

/// [`cosine`] of four curves.
#[inline]
pub(super) fn cosines<T: Real>(bx: [T; 4], c: [T; 4], e: [T; 4]) -> [T; 4] {
    let bx = bx.map(|bx| bx.clamp(T::of(-GREATEST), T::of(GREATEST)));
    let inner = T::atan4(bx);
    let bent = core::array::from_fn(|i| bx[i] - e[i] * (bx[i] - inner[i]));
    let angle = T::atan4(bent);
    T::cos4(core::array::from_fn(|i| c[i] * angle[i]))
}

/// `x` moved away from 0 by ε: a denominator.
#[inline]
pub(super) fn guarded<T: Real>(x: T) -> T {
    x + T::of(EPSILON) * x.sign_or_one()
}

/// `x`, or a number next to 0 where it is 0: a denominator that is hardly ever 0.
#[inline]
pub(super) fn nonzero<T: Real>(x: T) -> T {
    let least = T::of(1e-12);
    T::select(x.abs().lt(least), least * x.sign_or_one(), x)
}

/// eˣ that does not overflow in products.
#[inline]
pub(super) fn exponential<T: Real>(x: T) -> T {
    x.clamp(T::of(-30.0), T::of(30.0)).exp()
}
