//! Four wheels side by side: [`W4`] and [`Mask4`].
//!
//! A vehicle's wheels are in groups of four lanes, in wheel order; unused lanes of the last group are masked
//! off. Lanes have only `+ − × ÷`, square root, comparison and selection, each of which gives the same bits as
//! the scalar operation on every platform; so have `angles`, which consist of them.

pub(crate) mod across;
pub(crate) mod angles;
pub(crate) mod groups;
pub(crate) mod vector;

use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use glam::{BVec4A, Vec4};

use crate::base::math;

pub(crate) use across::{OppositeWheels, Pairs, are_finite, by_number, by_wheel, sums, transposed};
pub(crate) use groups::Groups;
pub(crate) use vector::V3x4;

/// Wheels in one group.
pub const LANES: usize = 4;

/// One scalar for each of four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct W4(Vec4);

impl W4 {
    /// All lanes 0.
    pub const ZERO: Self = Self(Vec4::ZERO);
    /// All lanes 1.
    pub const ONE: Self = Self(Vec4::ONE);

    /// Four lanes of one value.
    #[inline]
    #[must_use]
    pub const fn splat(x: f32) -> Self {
        Self(Vec4::splat(x))
    }

    /// Lanes from an array, lane 0 first.
    #[inline]
    #[must_use]
    pub const fn from_array(lanes: [f32; LANES]) -> Self {
        Self(Vec4::from_array(lanes))
    }

    /// The lanes as an array, lane 0 first.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [f32; LANES] {
        self.0.to_array()
    }

    /// The lanes in place, to pick from without a copy of all four.
    #[inline]
    #[must_use]
    pub(crate) fn as_array(&self) -> &[f32; LANES] {
        self.0.as_ref()
    }

    /// Lanes `f(0)` to `f(3)`.
    #[inline]
    #[must_use]
    pub fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
        Self::from_array(core::array::from_fn(f))
    }

    /// The value in `lane`.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn lane(self, lane: usize) -> f32 {
        self.to_array()[lane]
    }

    #[inline]
    fn by_lanes(a: Self, b: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let (a, b) = (a.to_array(), b.to_array());
        Self::from_array([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }

    /// Square root; `NaN` in lanes that are negative.
    #[inline]
    #[must_use]
    pub fn sqrt(self) -> Self {
        let [a, b, c, d] = self.to_array();
        Self::from_array([math::sqrt(a), math::sqrt(b), math::sqrt(c), math::sqrt(d)])
    }

    /// These lanes with another value in one of them.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn with_lane(self, lane: usize, value: f32) -> Self {
        Mask4::only(lane).select(Self::splat(value), self)
    }

    /// Magnitude.
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Magnitude of `self` with the sign of another number, including that of zero.
    #[inline]
    #[must_use]
    pub fn copysign(self, sign: Self) -> Self {
        Self(self.0.copysign(sign.0))
    }

    /// The smaller of two lanes; `other` where the comparison fails.
    #[inline]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::by_lanes(self, other, math::lesser)
    }

    /// The larger of two lanes; `other` where the comparison fails.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::by_lanes(self, other, math::greater)
    }

    /// −1, 0 or 1.
    #[inline]
    #[must_use]
    pub fn sign(self) -> Self {
        self.gt(Self::ZERO).select(
            Self::ONE,
            self.lt(Self::ZERO).select(-Self::ONE, Self::ZERO),
        )
    }

    /// `self < other`, false for `NaN`.
    #[inline]
    #[must_use]
    pub fn lt(self, other: Self) -> Mask4 {
        Mask4(self.0.cmplt(other.0))
    }

    /// `self <= other`, false for `NaN`.
    #[inline]
    #[must_use]
    pub fn le(self, other: Self) -> Mask4 {
        Mask4(self.0.cmple(other.0))
    }

    /// `self > other`, false for `NaN`.
    #[inline]
    #[must_use]
    pub fn gt(self, other: Self) -> Mask4 {
        Mask4(self.0.cmpgt(other.0))
    }

    /// `self >= other`, false for `NaN`.
    #[inline]
    #[must_use]
    pub fn ge(self, other: Self) -> Mask4 {
        Mask4(self.0.cmpge(other.0))
    }

    /// `self == other`, exactly.
    #[inline]
    #[must_use]
    pub fn same(self, other: Self) -> Mask4 {
        Mask4(self.0.cmpeq(other.0))
    }

    /// Lanes added in order: ((0 + 1) + 2) + 3.
    #[inline]
    #[must_use]
    pub fn sum(self) -> f32 {
        let [a, b, c, d] = self.to_array();
        a + b + c + d
    }

    /// Whether every lane is finite.
    #[inline]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.0.is_finite()
    }
}

macro_rules! lane_operator {
    ($trait:ident, $method:ident) => {
        impl $trait for W4 {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self($trait::$method(self.0, other.0))
            }
        }
    };
}
lane_operator!(Add, add);
lane_operator!(Sub, sub);
lane_operator!(Mul, mul);
lane_operator!(Div, div);

impl Neg for W4 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for W4 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// One truth value for each of four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mask4(BVec4A);

impl Mask4 {
    /// All lanes false.
    pub const NONE: Self = Self(BVec4A::FALSE);
    /// All lanes true.
    pub const ALL: Self = Self(BVec4A::TRUE);

    /// True in this lane alone.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn only(lane: usize) -> Self {
        const ONLY: [Mask4; LANES] = [
            Mask4(BVec4A::new(true, false, false, false)),
            Mask4(BVec4A::new(false, true, false, false)),
            Mask4(BVec4A::new(false, false, true, false)),
            Mask4(BVec4A::new(false, false, false, true)),
        ];
        ONLY[lane]
    }

    /// Lanes from an array, lane 0 first.
    #[inline]
    #[must_use]
    pub fn from_array(lanes: [bool; LANES]) -> Self {
        Self(BVec4A::from_array(lanes))
    }

    /// Lanes `f(0)` to `f(3)`.
    #[inline]
    #[must_use]
    pub fn from_fn(f: impl FnMut(usize) -> bool) -> Self {
        Self::from_array(core::array::from_fn(f))
    }

    /// `yes` where true, `no` elsewhere.
    #[inline]
    #[must_use]
    pub fn select(self, yes: W4, no: W4) -> W4 {
        W4(Vec4::select(self.0, yes.0, no.0))
    }

    /// `x` where true, 0 elsewhere.
    #[inline]
    #[must_use]
    pub fn keep(self, x: W4) -> W4 {
        self.select(x, W4::ZERO)
    }

    /// Whether any lane is true.
    #[inline]
    #[must_use]
    pub fn any(self) -> bool {
        self.0.any()
    }

    /// Whether all lanes are true.
    #[inline]
    #[must_use]
    pub fn all(self) -> bool {
        self.0.all()
    }

    /// Number of true lanes.
    #[inline]
    #[must_use]
    pub fn count(self) -> u32 {
        self.bits().count_ones()
    }

    /// A bit for each true lane, the lowest for lane 0.
    #[inline]
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0.bitmask()
    }

    /// The true lanes, in order.
    #[inline]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let mut left = self.bits();
        core::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (lane < LANES).then_some(lane)
        })
    }

    /// The value in `lane`.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn lane(self, lane: usize) -> bool {
        assert!(lane < LANES, "there are four lanes");
        self.bits() >> lane & 1 == 1
    }
}

impl BitAnd for Mask4 {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask4 {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask4 {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn selection_ignores_nan_in_the_other_lane() {
        let a = W4::from_array([1.0, f32::NAN, 3.0, f32::NAN]);
        let finite = a.same(a);
        assert_eq!(finite.keep(a).to_array(), [1.0, 0.0, 3.0, 0.0]);
    }

    #[test]
    fn a_lane_is_replaced_alone() {
        let before = [0.1, f32::NAN, -0.0, f32::INFINITY];
        for lane in 0..LANES {
            let mut expected = before;
            expected[lane] = 7.0;
            let actual = W4::from_array(before).with_lane(lane, 7.0);
            assert_eq!(bits(actual.to_array()), bits(expected));
            assert_eq!(Mask4::only(lane), Mask4::from_fn(|n| n == lane));
        }
    }

    #[test]
    fn lanes_give_the_bits_of_scalars() {
        let a = W4::from_array([0.1, -2.7, 1e-8, 3e7]);
        let b = W4::from_array([9.3, 0.4, 5e-3, -0.7]);
        let lanes = (a * b + a / b - b).to_array();
        for (i, lane) in lanes.into_iter().enumerate() {
            let (a, b) = (a.lane(i), b.lane(i));
            assert_eq!(lane, a * b + a / b - b);
        }
    }

    /// A function of a lane's two numbers.
    type Of = fn(f32, f32) -> f32;
    /// How two numbers compare.
    type Is = fn(&f32, &f32) -> bool;

    fn four() -> impl Strategy<Value = [f32; LANES]> {
        let lane = || prop_oneof![6 => -9.0_f32..9.0, 1 => Just(0.0), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)];
        [lane(), lane(), lane(), lane()]
    }

    /// Bits of lanes; all numbers that are none count alike.
    fn bits(lanes: [f32; LANES]) -> [u32; LANES] {
        lanes.map(|x| if x.is_nan() { u32::MAX } else { x.to_bits() })
    }

    proptest! {
        /// Every function of lanes is that of scalars, lane by lane.
        #[test]
        fn lanes_are_scalars(a in four(), b in four()) {
            let (x, y) = (W4::from_array(a), W4::from_array(b));
            let numbers: [(W4, Of); 11] = [
                (x + y, |a, b| a + b),
                (x - y, |a, b| a - b),
                (x * y, |a, b| a * b),
                (x / y, |a, b| a / b),
                (-x, |a, _| -a),
                (x.abs(), |a, _| a.abs()),
                (x.sqrt(), |a, _| math::sqrt(a)),
                (x.copysign(y), f32::copysign),
                (x.min(y), |a, b| if a < b { a } else { b }),
                (x.max(y), |a, b| if a > b { a } else { b }),
                (x.sign(), |a, _| f32::from(i8::from(a > 0.0) - i8::from(a < 0.0))),
            ];
            for (n, (actual, of)) in numbers.into_iter().enumerate() {
                let expected = core::array::from_fn(|lane| of(a[lane], b[lane]));
                prop_assert_eq!(bits(actual.to_array()), bits(expected), "function {}", n);
            }
            let mut sum = x;
            sum += y;
            prop_assert_eq!(bits(sum.to_array()), bits((x + y).to_array()));
            prop_assert_eq!(x.is_finite(), a.iter().all(|a| a.is_finite()));
            prop_assert_eq!(bits([x.sum(); 4]), bits([a[0] + a[1] + a[2] + a[3]; 4]));
            prop_assert_eq!(bits(a), bits(core::array::from_fn(|lane| x.lane(lane))));
        }

        #[test]
        fn masks_are_truth_values(a in four(), b in four()) {
            let (x, y) = (W4::from_array(a), W4::from_array(b));
            let comparisons: [(Mask4, Is); 5] = [
                (x.lt(y), |a, b| a < b),
                (x.le(y), |a, b| a <= b),
                (x.gt(y), |a, b| a > b),
                (x.ge(y), |a, b| a >= b),
                (x.same(y), |a, b| a == b),
            ];
            let other = Mask4::from_array([true, true, false, false]);
            for (mask, of) in comparisons {
                let expected: [bool; LANES] = core::array::from_fn(|lane| of(&a[lane], &b[lane]));
                let actual: [bool; LANES] = core::array::from_fn(|lane| mask.lane(lane));
                prop_assert_eq!(actual, expected);
                prop_assert_eq!(mask.any(), expected.contains(&true));
                prop_assert_eq!(mask.all(), !expected.contains(&false));
                prop_assert_eq!(mask.count() as usize, expected.iter().filter(|is| **is).count());
                prop_assert!(mask.lanes().eq((0..LANES).filter(|&lane| expected[lane])));
                for lane in 0..LANES {
                    let is = expected[lane];
                    prop_assert_eq!((mask & other).lane(lane), is && lane < 2);
                    prop_assert_eq!((mask | other).lane(lane), is || lane < 2);
                    prop_assert_eq!((!mask).lane(lane), !is);
                    let chosen = mask.select(x, y).lane(lane);
                    prop_assert_eq!(chosen.to_bits(), if is { a[lane] } else { b[lane] }.to_bits());
                    let kept = mask.keep(x).lane(lane);
                    prop_assert_eq!(kept.to_bits(), if is { a[lane] } else { 0.0 }.to_bits());
                }
            }
        }
    }
}
