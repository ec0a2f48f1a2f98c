//! Sine, cosine, tangent and arctangent in single precision, of nothing but sums, products, quotients and
//! selections: lanes compute them side by side and get the bits of scalars. Errors are below 4 units of
//! the last place (`tests`).
//!
//! Polynomials are Chebyshev fits in the square of the argument.

use super::{Mask, Real};

/// Up to this angle [rad], reduction to a quarter turn is exact enough.
const GREATEST_ANGLE: f64 = 8192.0;
/// π/2 in three parts, the first two short enough that whole multiples of them are exact.
const QUARTER: [f64; 3] = [1.570_312_5, 1014.0 / 2_097_152.0, 3.139_164_786_5e-7];
/// Added and subtracted, it rounds a number below 2²² to a whole one.
const ROUND: f64 = 12_582_912.0;

/// Sine and cosine of the rest of an angle after whole quarters, and the quarters modulo 4: −2 to 2.
struct Reduced<T> {
    sin: T,
    cos: T,
    quarter: T,
}

#[inline]
fn reduced<T: Real>(angle: T) -> Reduced<T> {
    let [a, b, c] = QUARTER.map(T::of);
    let round = T::of(ROUND);
    let whole = |x: T| (x + round) - round;
    let n = whole(angle * T::of(core::f64::consts::FRAC_2_PI));
    let r = ((angle - n * a) - n * b) - n * c;
    let z = r * r;
    let sin = T::of(-0.166_666_646_623)
        + z * (T::of(0.008_332_748_270_63) + z * T::of(-0.000_195_878_908_804));
    let cos = T::of(0.041_666_664_659_5)
        + z * (T::of(-0.001_388_830_303_59) + z * T::of(2.454_794_208_51e-5));
    Reduced {
        sin: r + r * (z * sin),
        cos: (T::one() - T::of(0.5) * z) + z * z * cos,
        quarter: n - T::of(4.0) * whole(n * T::of(0.25)),
    }
}

/// The function `fast` where angles allow it, `slow` elsewhere.
#[inline]
fn within_reach<T: Real>(angle: T, fast: impl Fn(T) -> T, slow: impl Fn(T) -> T) -> T {
    let near = angle.abs().le(T::of(GREATEST_ANGLE));
    let found = fast(T::select(near, angle, T::zero()));
    if near.all() {
        found
    } else {
        T::select(near, found, slow(angle))
    }
}

/// Sine; `slow` is that of great angles.
#[inline]
pub(super) fn sin<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    let sine = |angle: T| {
        let Reduced { sin, cos, quarter } = reduced(angle);
        let odd = is_odd(quarter);
        let magnitude = T::select(odd, cos, sin);
        // 2 and −2 turn round, of the odd ones −1.
        let negative = quarter.lt(T::of(-0.5)) | quarter.gt(T::of(1.5));
        T::select(negative, -magnitude, magnitude)
    };
    within_reach(angle, sine, slow)
}

/// Cosine; `slow` is that of great angles.
#[inline]
pub(super) fn cos<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    let cosine = |angle: T| {
        let Reduced { sin, cos, quarter } = reduced(angle);
        let odd = is_odd(quarter);
        let magnitude = T::select(odd, sin, cos);
        let negative = quarter.gt(T::of(0.5)) | quarter.lt(T::of(-1.5));
        T::select(negative, -magnitude, magnitude)
    };
    within_reach(angle, cosine, slow)
}

/// Tangent; `slow` is that of great angles.
#[inline]
pub(super) fn tan<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    let tangent = |angle: T| {
        let Reduced { sin, cos, quarter } = reduced(angle);
        let odd = is_odd(quarter);
        T::select(odd, -cos, sin) / T::select(odd, sin, cos)
    };
    within_reach(angle, tangent, slow)
}

/// Whether it is 1 or −1, of −2 to 2.
#[inline]
fn is_odd<T: Real>(quarter: T) -> T::Mask {
    let magnitude = quarter.abs();
    magnitude.gt(T::of(0.5)) & magnitude.lt(T::of(1.5))
}

/// Arctangent.
#[inline]
pub(super) fn atan<T: Real>(x: T) -> T {
    let magnitude = x.abs();
    // Beyond tan 3π/8 by the reciprocal, beyond tan π/8 by the angle to 45°.
    let (steep, inclined) = (
        magnitude.gt(T::of(2.414_213_562_37)),
        magnitude.gt(T::of(0.414_213_562_37)),
    );
    let one = T::one();
    let middle = |a: T, b: T, c: T| T::select(steep, a, T::select(inclined, b, c));
    let over = middle(-one, magnitude - one, magnitude);
    let under = middle(magnitude, magnitude + one, one);
    let base = middle(
        T::of(core::f64::consts::FRAC_PI_2),
        T::of(core::f64::consts::FRAC_PI_4),
        T::zero(),
    );
    let y = over / under;
    let z = y * y;
    let series = T::of(-0.333_333_317_612)
        + z * (T::of(0.199_995_404_836)
            + z * (T::of(-0.142_639_555_98)
                + z * (T::of(0.107_437_314_908) + z * T::of(-0.064_519_282_081_2))));
    let angle = base + (y + y * (z * series));
    T::select(x.lt(T::zero()), -angle, angle)
}
