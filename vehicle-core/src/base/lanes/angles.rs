//! Sine, cosine and arc tangent of four angles at once: the polynomials of `libm` (FreeBSD's msun), in its order, and so
//! its bits.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use glam::DVec4;

use super::W4;
use crate::base::math;

/// Sines and cosines of four angles (`rad`), with the bits of [`math::sin_cos`].
#[inline]
pub(crate) fn sin_cos(angle: W4) -> (W4, W4) {
    /// The largest number below π/4: so far, as wheels steer and lean, there is no quarter turn to take away.
    const SMALL: f32 = core::f32::consts::FRAC_PI_4.next_down();
    /// Angles up to this (`rad`) are computed in lanes.
    const MOST: f32 = 16.0;
    let size = angle.abs();
    if size.le(W4::splat(SMALL)).all() {
        return of_small(angle);
    }
    if !size.le(W4::splat(MOST)).all() {
        return one_by_one(angle);
    }
    let quarters = nearest(angle.0.as_dvec4() * FRAC_2_PI);
    let quarters = W4(quarters.as_vec4());
    let rest = within_a_quarter(angle, quarters);
    let (s, c) = (W4(sine(rest).as_vec4()), W4(cosine(rest).as_vec4()));
    // Of a sum; sine and cosine of quarter turns are 0 and ±1.
    let (up, on) = (of_quarters(quarters), of_quarters(quarters + W4::ONE));
    let (sin, cos) = (up * c + on * s, on * c - up * s);
    // With the sign of zero.
    (angle.same(W4::ZERO).select(angle, sin), cos)
}

/// The same of angles within ±π/4 (`rad`), of which those of wheels that stand straight are 0.
#[inline]
fn of_small(angle: W4) -> (W4, W4) {
    let is_zero = angle.same(W4::ZERO);
    if is_zero.all() {
        return (angle, W4::ONE);
    }
    let x = angle.0.as_dvec4();
    let (sin, cos) = (W4(sine(x).as_vec4()), W4(cosine(x).as_vec4()));
    // With the sign of zero.
    (is_zero.select(angle, sin), cos)
}

/// Angles (`rad`) whose tangents are `x`, in (−π/2, π/2), with the bits of [`math::atan`].
#[inline]
pub(crate) fn atan(x: W4) -> W4 {
    const A: [f32; 5] = [
        3.333_332_8e-1,
        -1.999_915_8e-1,
        1.425_363_6e-1,
        -1.064_801_74e-1,
        6.168_760_7e-2,
    ];
    if !x.abs().lt(W4::splat(0.4375)).all() {
        return W4::from_array(x.to_array().map(math::atan));
    }
    let a = A.map(W4::splat);
    let z = x * x;
    let w = z * z;
    let odd = z * (a[0] + w * (a[2] + w * a[4]));
    let even = w * (a[1] + w * a[3]);
    // With the sign of zero.
    (x - x * (odd + even)).copysign(x)
}

#[cold]
#[inline(never)]
fn one_by_one(angle: W4) -> (W4, W4) {
    let each = angle.to_array().map(math::sin_cos);
    (
        W4::from_array(each.map(|(sin, _)| sin)),
        W4::from_array(each.map(|(_, cos)| cos)),
    )
}

/// The nearest integers, of two equally near ones the even one.
#[inline]
fn nearest(x: DVec4) -> DVec4 {
    /// Next to it, numbers are integers.
    const FAR: f64 = 1.5 / f64::EPSILON;
    x + FAR - FAR
}

/// Angles without so many quarter turns (`rad`). Within 9π/4 `libm` subtracts multiples of π/2 as it is; beyond, in two
/// parts, the first of which has so few bits that its multiples are exact.
#[inline]
fn within_a_quarter(angle: W4, quarters: W4) -> DVec4 {
    /// The largest number below 9π/4.
    const NEAR: f32 = 7.068_583;
    const FIRST: f64 = 1.570_796_310_901_641_8;
    const SECOND: f64 = 1.589_325_477_352_819_7e-8;
    let is_near = angle.abs().le(W4::splat(NEAR));
    let x = angle.0.as_dvec4() - is_near.keep(quarters).0.as_dvec4() * FRAC_PI_2;
    if is_near.all() {
        return x;
    }
    // What is 0 in the other lanes takes nothing away there.
    let far = is_near.select(W4::ZERO, quarters).0.as_dvec4();
    x - far * FIRST - far * SECOND
}

/// Sines of so many quarter turns: 0, 1, 0, −1 and so on.
#[inline]
fn of_quarters(quarters: W4) -> W4 {
    const FAR: W4 = W4::splat(1.5 / f32::EPSILON);
    // Half of an odd number is rounded to an even one: up or down, by whether one or three quarters are beyond full turns.
    let halves = quarters * W4::splat(0.5) + FAR - FAR;
    quarters - (halves + halves)
}

/// Sines of angles within ±π/4 (`rad`).
#[inline]
fn sine(x: DVec4) -> DVec4 {
    const S: [f64; 4] = [
        -0.166_666_666_416_265_24,
        0.008_333_329_385_889_463,
        -0.000_198_393_348_360_966_32,
        0.000_002_718_311_493_989_822,
    ];
    let z = x * x;
    let (w, s) = (z * z, z * x);
    (x + s * (S[0] + z * S[1])) + s * w * (S[2] + z * S[3])
}

/// Cosines of angles within ±π/4 (`rad`).
#[inline]
fn cosine(x: DVec4) -> DVec4 {
    const C: [f64; 4] = [
        -0.499_999_997_251_031,
        0.041_666_623_323_739_06,
        -0.001_388_676_377_460_993,
        0.000_024_390_448_796_277_41,
    ];
    let z = x * x;
    let w = z * z;
    ((1.0 + z * C[0]) + w * C[1]) + (w * z) * (C[2] + z * C[3])
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::base::lanes::LANES;
    use proptest::prelude::*;

    /// The bits of these numbers' sines, cosines and arc tangents, in lanes and one by one; any number that is none counts
    /// as the same.
    fn both(x: [f32; LANES]) -> [[[u32; LANES]; 3]; 2] {
        let bits = |x: f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
        let (sin, cos) = sin_cos(W4::from_array(x));
        let lanes = [sin, cos, atan(W4::from_array(x))].map(|lanes| lanes.to_array().map(bits));
        let one: [fn(f32) -> f32; 3] = [libm::sinf, libm::cosf, libm::atanf];
        [lanes, one.map(|of| x.map(|x| bits(of(x))))]
    }

    /// Every `step`-th number within ±16, in fours whose other lanes are near to it, or far.
    fn within_the_range(step: u32) {
        for bits in (0..=16.0_f32.to_bits()).step_by(step as usize) {
            let x = f32::from_bits(bits);
            for four in [[x, -x, 0.5 * x, 0.0], [x, -0.0, x.min(0.7), -x]] {
                let [lanes, one] = both(four);
                assert_eq!(lanes, one, "{four:?}");
            }
        }
    }

    /// Every 1009th number, and every 31st in the long form (`JOUNCE_LONG=1`).
    #[test]
    fn angles_have_the_bits_of_libm() {
        let long = std::env::var_os("JOUNCE_LONG").is_some();
        within_the_range(if long { 31 } else { 1009 });
    }

    #[test]
    fn edges_have_the_bits_of_libm() {
        let edges = [
            0.0,
            1e-45,
            1e-38,
            2.4e-4,
            0.4375,
            core::f32::consts::FRAC_PI_4,
            1.570_796_4,
            2.356_194_5,
            3.006_105,
            core::f32::consts::PI,
            3.926_990_8,
            4.712_389,
            5.497_787,
            6.283_185_5,
            7.068_583_5,
            7.853_982,
            9.424_778,
            12.566_371,
            15.707_963,
            16.0,
            16.1,
            1e6,
            1e30,
            f32::INFINITY,
            f32::NAN,
        ];
        for x in edges {
            let near = [
                x,
                f32::from_bits(x.to_bits() + 1),
                x * (1.0 - f32::EPSILON),
                -x,
            ];
            for other in edges {
                for four in [near, [x, other, -other, -x], [other, x, 0.0, -0.0]] {
                    let [lanes, one] = both(four);
                    assert_eq!(lanes, one, "{four:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn lanes_do_not_matter_to_each_other(four in [-20.0_f32..20.0, -16.0_f32..16.0, -1.0_f32..1.0, -0.1_f32..0.1], shift in 0_usize..4) {
            let mut four = four;
            four.rotate_left(shift);
            let [lanes, one] = both(four);
            prop_assert_eq!(lanes, one);
        }
    }
}
