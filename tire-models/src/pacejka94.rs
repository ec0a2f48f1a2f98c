//! Pacejka's formula of 1994, with 14, 18 and 21 coefficients.
//!
//! With load N (`kN`), slip ratio (`%`), slip angle and inclination γ (`°`), and sgn that of the shifted slip:
//!
//! | | Fx, b | Fy, a | Mz, c |
//! |---|---|---|---|
//! | C | b0 | a0 | c0 |
//! | D | b1·N² + b2·N | (a1·N² + a2·N)·(1 − a15·γ²) | (c1·N² + c2·N)·(1 − c18·γ²) |
//! | B·C·D | (b3·N² + b4·N)·e^(−b5·N) | a3·sin(2·atan(N/a4))·(1 − a5·\|γ\|) | (c3·N² + c4·N)·(1 − c6·\|γ\|)·e^(−c5·N) |
//! | E | (b6·N² + b7·N + b8)·(1 − b13·sgn) | (a6·N + a7)·(1 − (a16·γ + a17)·sgn) | (c7·N² + c8·N + c9)·(1 − (c19·γ + c20)·sgn)/(1 − c10·\|γ\|) |
//! | Sh | b9·N + b10 | a8·N + a9 + a10·γ | c11·N + c12 + c13·γ |
//! | Sv | b11·N + b12 | a11·N + a12 + (a13·N² + a14·N)·γ | c14·N + c15 + (c16·N² + c17·N)·γ |
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

/// Parameters of [`Pacejka94`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pacejka94Params<T = f32> {
    /// Coefficients b0…b13 of Fx.
    pub longitudinal: [T; 14],
    /// Coefficients a0…a17 of Fy.
    pub lateral: [T; 18],
    /// Coefficients c0…c20 of Mz; all 0 for none.
    pub aligning: [T; 21],
    /// Load up to which the curves follow it (`N`), > 0; above it they no longer change.
    pub greatest_load: T,
}

mapped!(Pacejka94Params {
    greatest_load;
    longitudinal, lateral, aligning,
});

impl Check for Pacejka94Params {
    fn check(&self, i: &mut Inspector) {
        let curves = [&self.longitudinal[..], &self.lateral, &self.aligning];
        check_curves(i, self.greatest_load, curves, 1);
    }
}

impl Pacejka94Params {
    /// Shifts and falling curves.
    const fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }
}

impl<T: Real> Pacejka94Params<T> {
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
            e_positive: e * (T::one() - b[13]),
            e_negative: e * (T::one() + b[13]),
            shift: b[9] * n + b[10],
            lift: b[11] * n + b[12],
        }
    }

    #[inline]
    fn fy(&self, n: T, camber: T) -> Shape<T> {
        let a = &self.lateral;
        let left = (T::one() - a[15] * camber * camber).max(T::zero());
        let peak = |n| growing([a[1], a[2]], n) * left;
        let lean = (T::one() - a[5] * camber.abs()).max(T::zero());
        let e = a[6] * n + a[7];
        let asymmetry = a[16] * camber + a[17];
        Shape {
            b: stiffness_factor(
                a[3] * sin_2_atan(held(n) / a[4]) * lean,
                a[0],
                peak(held(n)),
            ),
            c: a[0],
            d: peak(n),
            e_positive: e * (T::one() - asymmetry),
            e_negative: e * (T::one() + asymmetry),
            shift: a[8] * n + a[9] + a[10] * camber,
            lift: a[11] * n + a[12] + growing([a[13], a[14]], n) * camber,
        }
    }

    #[inline]
    fn mz(&self, n: T, camber: T) -> Shape<T> {
        let c = &self.aligning;
        let left = T::one() - c[18] * camber * camber;
        let peak = |n| growing([c[1], c[2]], n) * left;
        let lean = T::one() - c[6] * camber.abs();
        let stiffness = growing([c[3], c[4]], held(n)) * lean * (-(c[5] * n)).exp();
        let e = ((c[7] * n + c[8]) * n + c[9]) / (T::one() - c[10] * camber.abs());
        let asymmetry = c[19] * camber + c[20];
        Shape {
            b: stiffness_factor(stiffness, c[0], peak(held(n))),
            c: c[0],
            d: peak(n),
            e_positive: e * (T::one() - asymmetry),
            e_negative: e * (T::one() + asymmetry),
            shift: c[11] * n + c[12] + c[13] * camber,
            lift: c[14] * n + c[15] + growing([c[16], c[17]], n) * camber,
        }
    }
}

impl<T: Real> SteadyLaw<T> for Pacejka94Params<T> {
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
    /// Pacejka's formula of 1994 with its coefficients.
    Pacejka94,
    Pacejka94Params
);
