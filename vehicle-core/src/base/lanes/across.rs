//! What mixes lanes: numbers of four wheels as the wheels' numbers and back, sums over wheels, one question to many numbers.

use glam::{Mat4, Vec4, Vec4Swizzles};

use super::{LANES, W4};

/// The numbers of each wheel side by side.
#[inline]
#[must_use]
pub fn by_wheel([x, y, z, w]: [W4; 4]) -> [Vec4; LANES] {
    let wheels = Mat4::from_cols(x.0, y.0, z.0, w.0).transpose();
    [wheels.x_axis, wheels.y_axis, wheels.z_axis, wheels.w_axis]
}

/// The other way: each number of four wheels.
#[inline]
pub(crate) fn by_number(wheels: [Vec4; LANES]) -> [W4; 4] {
    let [a, b, c, d] = wheels;
    let numbers = Mat4::from_cols(a, b, c, d).transpose();
    [
        numbers.x_axis,
        numbers.y_axis,
        numbers.z_axis,
        numbers.w_axis,
    ]
    .map(W4)
}

/// The sum of each number's lanes, added in order: ((0 + 1) + 2) + 3.
#[inline]
pub(crate) fn sums(numbers: [W4; 4]) -> Vec4 {
    let [a, b, c, d] = by_wheel(numbers);
    a + b + c + d
}

/// The same of two numbers.
#[inline]
pub(crate) fn pair_of_sums([x, y]: [W4; 2]) -> [f32; 2] {
    let (x, y) = (x.0, y.0);
    let first = Vec4::new(x.x, y.x, x.y, y.y);
    let last = Vec4::new(x.z, y.z, x.w, y.w);
    let sum = first + first.zwzw() + last + last.zwzw();
    [sum.x, sum.y]
}

/// Whether every number is finite, of several lanes at once.
#[inline]
pub(crate) fn are_finite<const N: usize>(numbers: [W4; N]) -> bool {
    nothing_of(numbers).same(W4::ZERO).all()
}

/// 0 if every number is finite, and NaN otherwise: 0 times an infinite number or NaN is NaN.
#[inline]
pub(crate) fn nothing_of<const N: usize>(numbers: [W4; N]) -> W4 {
    numbers.iter().fold(W4::ZERO, |sum, &x| sum + x * W4::ZERO)
}
