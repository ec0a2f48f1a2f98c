//! Sine, cosine, tangent, arctangent, exponential function and logarithm in single precision, using
//! only sums, products, quotients and selections (and the exponent of a number): lanes compute them
//! side by side with the bits of scalars. Errors are below 4 units in the last place (`tests`).
//!
//! Polynomials are minimax fits (Remez) of the relative error, in the square of the argument but
//! for the exponential function. Each is summed in pairs, which gives the processor two dependency
//! chains instead of one.

use super::{Mask, Real};

/// Up to this angle (`rad`), the reduction to half a turn is accurate enough.
const GREATEST_ANGLE: f64 = 8192.0;
/// Up to this magnitude, powers of e have a normal exponent.
const GREATEST_EXPONENT: f64 = 80.0;
/// π in three parts, the first two short enough that whole and half multiples of them are exact.
const HALF_TURN: [f64; 3] = [3.140_625, 1014.0 / 1_048_576.0, 6.278_329_573e-7];
/// ln 2 in two parts, the first short enough that whole multiples of it are exact.
const LN_2: [f64; 2] = [0.693_359_375, -2.121_944_400_5e-4];
/// Constant whose addition and subtraction rounds a number below 2²² to an integer.
const ROUND: f64 = 12_582_912.0;

#[inline]
fn whole<T: Real>(x: T) -> T {
    let round = T::of(ROUND);
    (x + round) - round
}

/// `angle` minus `n` half turns.
#[inline]
fn without<T: Real>(angle: T, n: T) -> T {
    let [a, b, c] = HALF_TURN.map(T::of);
    ((angle - n * a) - n * b) - n * c
}

/// −½, 0 or ½: 0 where `n` is even.
#[inline]
fn parity<T: Real>(n: T) -> T {
    let half = n * T::of(0.5);
    half - whole(half)
}

/// `found` where `near`, otherwise `slow` of `x`.
#[inline]
fn or_far<T: Real>(near: T::Mask, found: T, x: T, slow: impl Fn(T) -> T) -> T {
    #[cold]
    #[inline(never)]
    fn far<T: Real>(near: T::Mask, found: T, x: T, slow: impl Fn(T) -> T) -> T {
        T::select(near, found, slow(x))
    }
    if near.all() {
        found
    } else {
        far(near, found, x, slow)
    }
}

/// Whether the reduction of the angle is accurate in each lane.
#[inline]
fn within_reach<T: Real>(angle: T) -> T::Mask {
    angle.abs().le(T::of(GREATEST_ANGLE))
}

/// Sine of an angle plus `ahead` half turns, 0 or ½; `slow` handles large angles.
#[inline]
fn sine<T: Real>(angle: T, ahead: T, slow: impl Fn(T) -> T) -> T {
    let turns = whole(angle * T::of(core::f64::consts::FRAC_1_PI) + ahead);
    let r = without(angle, turns - ahead);
    let odd = parity(turns);
    let r_signed = r * (T::one() - T::of(8.0) * (odd * odd));
    let z = r * r;
    let series = (T::of(-0.166_666_595_476) + z * T::of(0.008_333_066_166_47))
        + (z * z) * (T::of(-0.000_198_095_966_387) + z * T::of(2.605_765_926_48e-6));
    let found = r_signed + r_signed * (z * series);
    or_far(within_reach(angle), found, angle, slow)
}

/// Sine; `slow` handles large angles.
#[inline]
pub(super) fn sin<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    sine(angle, T::zero(), slow)
}

/// Cosine; `slow` handles large angles.
#[inline]
pub(super) fn cos<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    sine(angle, T::of(0.5), slow)
}

/// The cosine where `cosine` is 1, the sine where it is 0.
#[inline]
pub(super) fn wave<T: Real>(angle: T, cosine: T, slow: impl Fn(T) -> T) -> T {
    sine(angle, cosine * T::of(0.5), slow)
}

/// Tangent; `slow` handles large angles.
#[inline]
pub(super) fn tan<T: Real>(angle: T, slow: impl Fn(T) -> T) -> T {
    let quarters = whole(angle * T::of(core::f64::consts::FRAC_2_PI));
    let r = without(angle, quarters * T::of(0.5));
    let z = r * r;
    let far = (T::of(0.024_431_434_744_4) + z * T::of(0.003_117_808_070_08))
        + (z * z) * T::of(0.009_386_668_733_05);
    let series = (T::of(0.333_331_566_931) + z * T::of(0.133_388_036_604))
        + (z * z) * (T::of(0.053_410_922_519_2) + z * far);
    let tangent = r + r * (z * series);
    let odd = parity(quarters).abs().gt(T::of(0.25));
    let found = T::select(odd, -T::one(), tangent) / T::select(odd, tangent, T::one());
    or_far(within_reach(angle), found, angle, slow)
}

/// Arctangent.
#[inline]
pub(super) fn atan<T: Real>(x: T) -> T {
    let (one, magnitude) = (T::one(), x.abs());
    // Beyond 45° by the reciprocal. NaN stays NaN: `min` returns its second operand then.
    let y = one.min(magnitude) / one.max(magnitude);
    let z = y * y;
    let (z2, z4) = (z * z, (z * z) * (z * z));
    let near = (T::of(-0.333_331_527_264) + z * T::of(0.199_937_725_712))
        + z2 * (T::of(-0.142_110_530_591) + z * T::of(0.106_659_957_159));
    let far = (T::of(-0.075_521_953_725_9) + z * T::of(0.043_211_640_087_9))
        + z2 * (T::of(-0.016_367_794_077_6) + z * T::of(0.002_920_659_211_08));
    let angle = y + y * (z * (near + z4 * far));
    let steep = magnitude.gt(one);
    let angle = T::select(steep, T::of(core::f64::consts::FRAC_PI_2) - angle, angle);
    angle.copysign(x)
}

/// eˣ; `power` gives integer powers of 2, and `slow` handles large exponents.
#[inline]
pub(super) fn exp<T: Real>(x: T, power: impl Fn(T) -> T, slow: impl Fn(T) -> T) -> T {
    let n = whole(x * T::of(core::f64::consts::LOG2_E));
    let [a, b] = LN_2.map(T::of);
    let r = (x - n * a) - n * b;
    let z = r * r;
    let series = (T::of(0.499_999_934_479) + r * T::of(0.166_665_206_287))
        + z * ((T::of(0.041_668_387_991) + r * T::of(0.008_368_717_157_05))
            + z * T::of(0.001_381_460_245_47));
    let found = (T::one() + (r + z * series)) * power(n);
    or_far(x.abs().le(T::of(GREATEST_EXPONENT)), found, x, slow)
}

/// Natural logarithm; `split` gives the exponent as an integer, and the mantissa between √½ and √2;
/// `slow` handles numbers without a normal exponent.
#[inline]
pub(super) fn ln<T: Real>(x: T, split: impl Fn(T) -> (T, T), slow: impl Fn(T) -> T) -> T {
    let (exponent, rest) = split(x);
    let s = (rest - T::one()) / (rest + T::one());
    let z = s * s;
    let series = (T::of(0.666_667_767_167) + z * T::of(0.399_774_956_226))
        + (z * z) * T::of(0.298_730_722_221);
    let [a, b] = LN_2.map(T::of);
    let found = exponent * a + ((s + s) + (s * (z * series) + exponent * b));
    let normal = x.ge(T::of(f32::MIN_POSITIVE.into())) & x.le(T::of(f32::MAX.into()));
    or_far(normal, found, x, slow)
}

/// 2 to the power of an integer between −126 and 127.
#[inline]
pub(super) fn power_of_two(n: f32) -> f32 {
    // In a float of this size the low bits hold the units; the shift moves them to the exponent.
    const WHOLE: f32 = 12_582_912.0;
    f32::from_bits((n + WHOLE).to_bits().wrapping_add(127) << 23)
}

/// Binary exponent of a normal number, and its mantissa between √½ and √2.
#[inline]
pub(super) fn split(x: f32) -> (f32, f32) {
    const ROOT_OF_HALF: u32 = core::f32::consts::FRAC_1_SQRT_2.to_bits();
    let above = x.to_bits().wrapping_sub(ROOT_OF_HALF);
    let exponent = (above as i32) >> 23;
    let rest = (above & 0x007f_ffff).wrapping_add(ROOT_OF_HALF);
    (exponent as f32, f32::from_bits(rest))
}
