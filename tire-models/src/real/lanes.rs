//! Four lanes of single precision as a number of the formulas.

use vehicle_core::lanes::{Mask4, W4};

use super::{Mask, Real, sealed, single};

impl sealed::Sealed for Mask4 {}
impl Mask for Mask4 {
    #[inline]
    fn any(self) -> bool {
        Self::any(self)
    }
    #[inline]
    fn all(self) -> bool {
        Self::all(self)
    }
}

/// A scalar function applied to each lane.
#[inline]
fn by_lanes(x: W4, f: impl Fn(f32) -> f32) -> W4 {
    let [a, b, c, d] = x.to_array();
    W4::from_array([f(a), f(b), f(c), f(d)])
}

impl sealed::Sealed for W4 {}
impl Real for W4 {
    type Mask = Mask4;

    #[inline]
    fn wave(self, cosine: Self) -> Self {
        single::wave(self, cosine, |x| {
            let (sine, cosines) = (by_lanes(x, libm::sinf), by_lanes(x, libm::cosf));
            cosine.gt(Self::ZERO).select(cosines, sine)
        })
    }

    #[inline]
    fn of(x: f64) -> Self {
        Self::splat(x as f32)
    }
    #[inline]
    fn lt(self, other: Self) -> Mask4 {
        Self::lt(self, other)
    }
    #[inline]
    fn le(self, other: Self) -> Mask4 {
        Self::le(self, other)
    }
    #[inline]
    fn select(mask: Mask4, yes: Self, no: Self) -> Self {
        mask.select(yes, no)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        Self::min(self, other)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        Self::max(self, other)
    }
    #[inline]
    fn abs(self) -> Self {
        Self::abs(self)
    }
    #[inline]
    fn copysign(self, sign: Self) -> Self {
        Self::copysign(self, sign)
    }
    #[inline]
    fn sqrt(self) -> Self {
        // This compiles to one instruction, glam's to four.
        by_lanes(self, f32::sqrt)
    }
    #[inline]
    fn sin(self) -> Self {
        single::sin(self, |x| by_lanes(x, libm::sinf))
    }
    #[inline]
    fn cos(self) -> Self {
        single::cos(self, |x| by_lanes(x, libm::cosf))
    }
    #[inline]
    fn tan(self) -> Self {
        single::tan(self, |x| by_lanes(x, libm::tanf))
    }
    #[inline]
    fn atan(self) -> Self {
        single::atan(self)
    }
    #[inline]
    fn acos(self) -> Self {
        by_lanes(self, Real::acos)
    }
    #[inline]
    fn exp(self) -> Self {
        let power = |n| by_lanes(n, single::power_of_two);
        single::exp(self, power, |x| by_lanes(x, libm::expf))
    }
    #[inline]
    fn ln(self) -> Self {
        let split = |x: Self| {
            (
                by_lanes(x, |x| single::split(x).0),
                by_lanes(x, |x| single::split(x).1),
            )
        };
        single::ln(self, split, |x| by_lanes(x, libm::logf))
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let (x, e) = (self.to_array(), exponent.to_array());
        Self::from_fn(|i| Real::powf(x[i], e[i]))
    }
}
