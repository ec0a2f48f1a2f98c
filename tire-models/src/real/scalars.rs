//! Single and double precision as numbers of the formulas.

use vehicle_core::lanes::W4;

use super::{Function, Mask, Real, sealed, single};

impl sealed::Sealed for bool {}
impl Mask for bool {
    #[inline]
    fn any(self) -> bool {
        self
    }
    #[inline]
    fn all(self) -> bool {
        self
    }
}

/// `Real` for a primitive type; `sin`, `cos`, `tan`, `atan`, `exp` and `ln` as given, the rest from
/// `libm`.
macro_rules! primitive {
    ($t:ident, $sin:expr, $cos:expr, $tan:expr, $atan:expr, $exp:expr, $ln:expr,
     $acos:ident, $pow:ident, { $($more:tt)* }) => {
        impl sealed::Sealed for $t {}
        impl Real for $t {
            type Mask = bool;

            #[inline]
            fn of(x: f64) -> Self {
                x as $t
            }
            #[inline]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline]
            fn le(self, other: Self) -> bool {
                self <= other
            }
            #[inline]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
            #[inline]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline]
            fn copysign(self, sign: Self) -> Self {
                $t::copysign(self, sign)
            }
            #[inline]
            fn sqrt(self) -> Self {
                // Exact on every platform.
                $t::sqrt(self)
            }
            #[inline]
            fn sin(self) -> Self {
                ($sin)(self)
            }
            #[inline]
            fn cos(self) -> Self {
                ($cos)(self)
            }
            #[inline]
            fn tan(self) -> Self {
                ($tan)(self)
            }
            #[inline]
            fn atan(self) -> Self {
                ($atan)(self)
            }
            #[inline]
            fn acos(self) -> Self {
                libm::$acos(self)
            }
            #[inline]
            fn exp(self) -> Self {
                ($exp)(self)
            }
            #[inline]
            fn ln(self) -> Self {
                ($ln)(self)
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                libm::$pow(self, exponent)
            }
            $($more)*
        }
    };
}
primitive!(
    f64,
    libm::sin,
    libm::cos,
    libm::tan,
    libm::atan,
    libm::exp,
    libm::log,
    acos,
    pow,
    {
        #[inline]
        fn wave(self, cosine: Self) -> Self {
            if cosine > 0.0 {
                libm::cos(self)
            } else {
                libm::sin(self)
            }
        }
    }
);
primitive!(
    f32,
    |x| single::sin(x, libm::sinf),
    |x| single::cos(x, libm::cosf),
    |x| single::tan(x, libm::tanf),
    single::atan,
    |x| single::exp(x, single::power_of_two, libm::expf),
    |x| single::ln(x, single::split, libm::logf),
    acosf,
    powf,
    {
        #[inline]
        fn side_by_side<F: Function<K>, const K: usize, const N: usize>(
            x: [[Self; K]; N],
        ) -> [Self; N] {
            let mut y = [0.0; N];
            for (y, x) in y.chunks_mut(4).zip(x.chunks(4)) {
                let at = |k: usize| W4::from_fn(|i| x.get(i).map_or(0.0, |x| x[k]));
                let [found] = F::at([core::array::from_fn(at)]).map(W4::to_array);
                y.copy_from_slice(&found[..y.len()]);
            }
            y
        }
        #[inline]
        fn wave(self, cosine: Self) -> Self {
            let libm = |x| {
                if cosine > 0.0 {
                    libm::cosf(x)
                } else {
                    libm::sinf(x)
                }
            };
            single::wave(self, cosine, libm)
        }
    }
);
