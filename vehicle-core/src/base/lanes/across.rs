//! Operations that mix lanes: transposition of four wheels' numbers, sums over wheels, one question to many numbers.

use core::ops::Add;

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

/// Lane `m` of number `n` as lane `n` of number `m`.
#[inline]
pub(crate) fn transposed(numbers: [W4; LANES]) -> [W4; LANES] {
    by_wheel(numbers).map(W4)
}

/// The sum of each number's lanes, added in order: ((0 + 1) + 2) + 3.
#[inline]
pub(crate) fn sums(numbers: [W4; 4]) -> Vec4 {
    let [a, b, c, d] = by_wheel(numbers);
    a + b + c + d
}

/// Pairs of lanes that a sum adds first: those of an axle, so that left and right may be exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Lanes 0 and 1, 2 and 3, as in most cars.
    #[default]
    Beside,
    /// Lanes 0 and 2, 1 and 3.
    Crossed,
    /// Lanes 0 and 3, 1 and 2.
    Nested,
}

impl Pairs {
    /// The pairs of wheels whose opposite wheels are in these lanes.
    pub(crate) fn of(opposite: [usize; LANES]) -> Self {
        if opposite[0] == 2 || opposite[1] == 3 {
            Self::Crossed
        } else if opposite[0] == 3 || opposite[1] == 2 {
            Self::Nested
        } else {
            Self::Beside
        }
    }

    #[inline]
    fn sum<T: Add<Output = T>>(self, [a, b, c, d]: [T; LANES]) -> T {
        match self {
            Self::Beside => (a + b) + (c + d),
            Self::Crossed => (a + c) + (b + d),
            Self::Nested => (a + d) + (b + c),
        }
    }

    /// The sum of each number's lanes.
    #[inline]
    pub(crate) fn sums(self, numbers: [W4; 4]) -> Vec4 {
        self.sum(by_wheel(numbers))
    }

    /// The sums of two numbers' lanes.
    #[inline]
    pub(crate) fn pair_of_sums(self, [x, y]: [W4; 2]) -> [f32; 2] {
        let [x, y] = [x, y].map(W4::to_array);
        let sum = self.sum(core::array::from_fn(|lane| {
            Vec4::new(x[lane], y[lane], 0.0, 0.0)
        }));
        [sum.x, sum.y]
    }
}

/// Lane of the opposite wheel of each wheel's axle; the wheel's own without one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OppositeWheels {
    lanes: [u8; LANES],
    /// Lane 0 with 1 and 2 with 3, as in most cars.
    beside: bool,
}

impl OppositeWheels {
    pub(crate) fn new(lanes: [usize; LANES]) -> Self {
        Self {
            lanes: lanes.map(|lane| (lane % LANES) as u8),
            beside: lanes == [1, 0, 3, 2],
        }
    }

    /// Number of its axle's opposite wheel, for each wheel.
    #[inline]
    pub(crate) fn of(&self, numbers: W4) -> W4 {
        if self.beside {
            return W4(numbers.0.yxwz());
        }
        let numbers = numbers.to_array();
        W4::from_fn(|lane| numbers[usize::from(self.lanes[lane]) % LANES])
    }
}

/// Whether every number is finite: the product of 0 and all of them is then 0, and otherwise NaN.
#[inline]
pub(crate) fn are_finite<const N: usize>(numbers: [W4; N]) -> bool {
    let product = numbers.iter().fold(W4::ZERO, |product, &x| product * x);
    product.same(W4::ZERO).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_not_finite_is_found() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for n in 0..2 * LANES {
                let mut numbers = [f32::MAX, -f32::MAX, 1e-40, 0.0, 1.0, -0.0, 2.0, -3e38];
                let both = |n: &[f32; 8]| [0, 4].map(|i| W4::from_fn(|lane| n[i + lane]));
                assert!(are_finite(both(&numbers)));
                numbers[n] = bad;
                assert!(!are_finite(both(&numbers)), "{bad} {n}");
            }
        }
    }

    #[test]
    fn opposite_wheels_are_found_beside_and_elsewhere() {
        let numbers = W4::from_array([5.0, 6.0, 7.0, 8.0]);
        for lanes in [[1, 0, 3, 2], [3, 2, 1, 0], [0, 1, 2, 3], [1, 0, 2, 3]] {
            let expected = lanes.map(|lane| numbers.lane(lane));
            assert_eq!(OppositeWheels::new(lanes).of(numbers).to_array(), expected);
        }
    }
}
