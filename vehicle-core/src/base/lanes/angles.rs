//! Sine, cosine and arc tangent of four angles at once.

use core::f32::consts::{FRAC_2_PI, FRAC_PI_4};

use super::W4;
use crate::base::math;

/// Angles up to this (`rad`) are computed in lanes: multiples of the first two parts of π/2 are exact so far.
const MOST: f32 = 8192.0;

/// Sines and cosines of four angles (`rad`): to one unit in the last place within ±π/4, and to 1¾ beyond, where the angle
/// without quarter turns is rounded, too, by up to a unit of its sine. None depends on the angles in other lanes.
#[inline]
pub(crate) fn sin_cos(angle: W4) -> (W4, W4) {
    let size = angle.abs();
    // So far wheels steer and are inclined, and there is no quarter turn to take away.
    if size.le(W4::splat(FRAC_PI_4)).all() {
        return of_small(angle);
    }
    let quarters = nearest(angle * W4::splat(FRAC_2_PI));
    let rest = without_quarters(angle, quarters);
    let (s, c) = (sine(rest), cosine(rest));
    // Of a sum; sine and cosine of quarter turns are 0 and ±1.
    let (up, on) = (of_quarters(quarters), of_quarters(quarters + W4::ONE));
    let (sin, cos) = (up * c + on * s, on * c - up * s);
    let near = size.le(W4::splat(MOST));
    if near.all() {
        return (sin, cos);
    }
    let (far_sin, far_cos) = one_by_one(angle);
    (near.select(sin, far_sin), near.select(cos, far_cos))
}

/// Sine and cosine of angles within ±π/4 (`rad`).
#[inline]
fn of_small(angle: W4) -> (W4, W4) {
    // Wheels that stand straight.
    if angle.same(W4::ZERO).all() {
        return (angle, W4::ONE);
    }
    (sine(angle), cosine(angle))
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

fn one_by_one(angle: W4) -> (W4, W4) {
    let each = angle.to_array().map(math::sin_cos);
    (
        W4::from_array(each.map(|(sin, _)| sin)),
        W4::from_array(each.map(|(_, cos)| cos)),
    )
}

/// The nearest integers, of two equally near ones the even one.
#[inline]
fn nearest(x: W4) -> W4 {
    /// Next to it, numbers are integers.
    const FAR: W4 = W4::splat(1.5 / f32::EPSILON);
    x + FAR - FAR
}

/// Angles without so many quarter turns (`rad`): π/2 in three parts, of which the first two have so few bits that their
/// multiples are exact (Cephes 2.2, `sinf.c`).
#[inline]
fn without_quarters(angle: W4, quarters: W4) -> W4 {
    const PARTS: [f32; 3] = [1.570_312_5, 4.837_513e-4, 7.549_79e-8];
    let [a, b, c] = PARTS.map(|part| quarters * W4::splat(part));
    angle - a - b - c
}

/// Sines of so many quarter turns: 0, 1, 0, −1 and so on.
#[inline]
fn of_quarters(quarters: W4) -> W4 {
    // Half of an odd number is rounded to an even one: up or down, by whether one or three quarters are beyond full turns.
    let halves = nearest(quarters * W4::splat(0.5));
    quarters - (halves + halves)
}

/// Sines of angles within ±π/4 (`rad`) (Cephes 2.2, `sinf.c`).
#[inline]
fn sine(x: W4) -> W4 {
    const S: [f32; 3] = [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4];
    let [a, b, c] = S.map(W4::splat);
    let z = x * x;
    x + x * z * (a + z * (b + z * c))
}

/// Cosines of angles within ±π/4 (`rad`) (Cephes 2.2, `sinf.c`).
#[inline]
fn cosine(x: W4) -> W4 {
    const C: [f32; 3] = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];
    let [a, b, c] = C.map(W4::splat);
    let z = x * x;
    // The small terms first, which round by less.
    W4::ONE - (z * W4::splat(0.5) - z * z * (a + z * (b + z * c)))
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::base::lanes::LANES;
    use proptest::prelude::*;

    /// Size of the last place of a number near `x`.
    fn last_place(x: f64) -> f64 {
        let x = (x as f32).abs();
        f64::from(x.next_up()) - f64::from(x)
    }

    /// Remainder of π/2 beyond its three parts, over the angle (–).
    const LEFT_OUT: f64 = 1e-14;

    /// Asserts that sines and cosines of these angles are as true as they should be, and that arc tangents have the bits of `libm`.
    fn check(four: [f32; LANES]) {
        let (sin, cos) = sin_cos(W4::from_array(four));
        let arcs = atan(W4::from_array(four));
        for (lane, x) in four.into_iter().enumerate() {
            let (actual, exact) = ([sin.lane(lane), cos.lane(lane)], f64::from(x));
            let exact = [libm::sin(exact), libm::cos(exact)];
            for (actual, exact) in actual.into_iter().zip(exact) {
                if !x.is_finite() {
                    assert!(actual.is_nan(), "{x}: {actual}");
                    continue;
                }
                let off = (f64::from(actual) - exact).abs();
                let units = if x.abs() <= FRAC_PI_4 { 1.0 } else { 1.75 };
                let most = units * last_place(exact) + LEFT_OUT * (1.0 + f64::from(x.abs()));
                assert!(off <= most, "{four:?} {x}: {actual} {exact}");
            }
            let (arc, exact) = (arcs.lane(lane), libm::atanf(x));
            assert!(arc.to_bits() == exact.to_bits() || (arc.is_nan() && exact.is_nan()));
        }
    }

    /// Every 1009th number within ±8192, and every 31st in the long form (`JOUNCE_LONG=1`), in fours whose other lanes are near to
    /// it, or far.
    #[test]
    fn angles_are_true_to_the_last_place() {
        let long = std::env::var_os("JOUNCE_LONG").is_some();
        for bits in (0..=MOST.to_bits()).step_by(if long { 31 } else { 1009 }) {
            let x = f32::from_bits(bits);
            check([x, -x, 0.5 * x, 0.0]);
            check([x, -0.0, x.min(0.7), -x]);
        }
    }

    #[test]
    fn edges_are_true_to_the_last_place() {
        let edges = [
            0.0,
            1e-45,
            1e-38,
            2.4e-4,
            0.4375,
            FRAC_PI_4,
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
            8192.0,
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
            check(near);
            for other in edges {
                check([x, other, -other, -x]);
                check([other, x, 0.0, -0.0]);
            }
        }
    }

    proptest! {
        /// An angle among others has the sine and cosine that it has alone, to the bit, and its negative has their mirror image.
        #[test]
        fn lanes_do_not_matter_to_each_other(four in [-1e5_f32..1e5, -20.0_f32..20.0, -1.0_f32..1.0, -0.1_f32..0.1], shift in 0_usize..4) {
            let mut turned = four;
            turned.rotate_left(shift);
            check(turned);
            let angles = W4::from_array(turned);
            let ((sin, cos), (mirrored, same)) = (sin_cos(angles), sin_cos(-angles));
            prop_assert_eq!((mirrored, same), (-sin, cos));
            for (lane, angle) in turned.into_iter().enumerate() {
                let (own, own_cos) = sin_cos(W4::splat(angle));
                prop_assert_eq!((own.lane(0), own_cos.lane(0)), (sin.lane(lane), cos.lane(lane)));
            }
        }
    }
}
