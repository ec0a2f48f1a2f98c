//! Pacejka's formula of 1989 (SAE 890087), with 11, 14 and 18 coefficients.
//!
//! With load N (`kN`), slip ratio (`%`), slip angle and inclination γ [°]:
//!
//! | | Fx, b | Fy, a | Mz, c |
//! |---|---|---|---|
//! | C | b0 | a0 | c0 |
//! | D | b1·N² + b2·N | a1·N² + a2·N | c1·N² + c2·N |
//! | B·C·D | (b3·N² + b4·N)·e^(−b5·N) | a3·sin(2·atan(N/a4))·(1 − a5·\|γ\|) | (c3·N² + c4·N)·(1 − c6·\|γ\|)·e^(−c5·N) |
//! | E | b6·N² + b7·N + b8 | a6·N + a7 | (c7·N² + c8·N + c9)·(1 − c10·\|γ\|) |
//! | Sh | b9·N + b10 | a8·γ + a9·N + a10 | c11·γ + c12·N + c13 |
//! | Sv | 0 | a11·N·γ + a12·N + a13 | (c14·N² + c15·N)·γ + c16·N + c17 |
//!
//! Combined slip and signs are those of [`crate::pacejka`]; the plain curves do not cut E off.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::pacejka::{
    Shape, Shapes, check_curves, combined, grip, growing, held, in_their_units, sin_2_atan,
    stiffness_factor,
};
use crate::real::Real;
use crate::steady::{Forces, Slip, SteadyLaw, mapped, steady_model};

/// Parameters of [`Pacejka89`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pacejka89Params<T = f32> {
    /// Coefficients b0…b10 of Fx.
    pub longitudinal: [T; 11],
    /// Coefficients a0…a13 of Fy.
    pub lateral: [T; 14],
    /// Coefficients c0…c17 of Mz; all 0 for none.
    pub aligning: [T; 18],
    /// Load up to which the curves follow it (`N`), > 0; above it they no longer change.
    pub greatest_load: T,
}

mapped!(Pacejka89Params {
    greatest_load;
    longitudinal, lateral, aligning,
});

impl Check for Pacejka89Params {
    fn check(&self, i: &mut Inspector) {
        let curves = [&self.longitudinal[..], &self.lateral, &self.aligning];
        check_curves(i, self.greatest_load, curves, 1);
    }
}

impl Pacejka89Params {
    /// Shifts and falling curves.
    const fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }
}

impl<T: Real> Pacejka89Params<T> {
    /// The curves at a load (`kN`) and an inclination (`°`).
    #[inline]
    pub fn shapes(&self, load: T, camber: T) -> Shapes<T> {
        Shapes {
            longitudinal: self.fx(load),
            lateral: self.fy(load, camber),
            aligning: self.mz(load, camber),
        }
    }

    #[inline]
    fn fx(&self, n: T) -> Shape<T> {
        let b = &self.longitudinal;
        let peak = |n| growing([b[1], b[2]], n);
        let stiffness = growing([b[3], b[4]], held(n)) * (-(b[5] * n)).exp();
        let e = (b[6] * n + b[7]) * n + b[8];
        Shape {
            b: stiffness_factor(stiffness, b[0], peak(held(n))),
            c: b[0],
            d: peak(n),
            e_positive: e,
            e_negative: e,
            shift: b[9] * n + b[10],
            lift: T::zero(),
        }
    }

    #[inline]
    fn fy(&self, n: T, camber: T) -> Shape<T> {
        let a = &self.lateral;
        let peak = |n| growing([a[1], a[2]], n);
        let lean = (T::one() - a[5] * camber.abs()).max(T::zero());
        let e = a[6] * n + a[7];
        Shape {
            b: stiffness_factor(
                a[3] * sin_2_atan(held(n) / a[4]) * lean,
                a[0],
                peak(held(n)),
            ),
            c: a[0],
            d: peak(n),
            e_positive: e,
            e_negative: e,
            shift: a[8] * camber + a[9] * n + a[10],
            lift: a[11] * n * camber + a[12] * n + a[13],
        }
    }

    #[inline]
    fn mz(&self, n: T, camber: T) -> Shape<T> {
        let c = &self.aligning;
        let peak = |n| growing([c[1], c[2]], n);
        let lean = T::one() - c[6] * camber.abs();
        let stiffness = growing([c[3], c[4]], held(n)) * lean * (-(c[5] * n)).exp();
        let e = ((c[7] * n + c[8]) * n + c[9]) * (T::one() - c[10] * camber.abs());
        Shape {
            b: stiffness_factor(stiffness, c[0], peak(held(n))),
            c: c[0],
            d: peak(n),
            e_positive: e,
            e_negative: e,
            shift: c[11] * camber + c[12] * n + c[13],
            lift: growing([c[14], c[15]], n) * camber + c[16] * n + c[17],
        }
    }
}

impl<T: Real> SteadyLaw<T> for Pacejka89Params<T> {
    #[inline]
    fn forces(&self, slip: &Slip<T>) -> Forces<T> {
        let [load, camber] = in_their_units(slip, self.greatest_load);
        combined(&self.shapes(load, camber), slip)
    }

    fn grip(&self, slip: &Slip<T>) -> [T; 2] {
        let [load, camber] = in_their_units(slip, self.greatest_load);
        grip(&self.shapes(load, camber), slip)
    }
}

steady_model!(
    /// Pacejka's formula of 1989 with its coefficients.
    Pacejka89,
    Pacejka89Params
);
