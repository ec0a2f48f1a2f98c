//! The first Magic Formula, of Bakker, Nyborg and Pacejka (SAE 870421), 1987.
//!
//! With load N (`kN`), slip ratio (`%`), slip angle and inclination γ (`°`), and a1… the coefficients of each
//! curve, whose C is constant:
//!
//! | | Fx, a1…a8 | Fy, a1…a13 | Mz, a1…a13 |
//! |---|---|---|---|
//! | D | a1·N² + a2·N | the same | the same |
//! | B·C·D without camber | (a3·N² + a4·N)·e^(−a5·N) | a3·sin(a4·atan(a5·N)) | as Fx |
//! | E without camber | a6·N² + a7·N + a8 | the same | the same |
//! | B, E | as they are | B·(1 − a12·\|γ\|) | B·(1 − a12·\|γ\|), E/(1 − a13·\|γ\|) |
//! | Sh, Sv | 0 | a9·γ, (a10·N² + a11·N)·γ | the same |
//!
//! Combined slip and signs are those of [`crate::pacejka`]; the plain curves do not cut E off.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::pacejka::{
    Shape, Shapes, check_curves, combined, grip, growing, held, in_their_units, stiffness_factor,
};
use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw, mapped, steady_model};

/// Parameters of [`Bakker87`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bakker87Params<T = f32> {
    /// Shape factor C of Fx (–); 1.65 as published.
    pub longitudinal_shape: T,
    /// Shape factor C of Fy (–); 1.3 as published.
    pub lateral_shape: T,
    /// Shape factor C of Mz (–); 2.4 as published.
    pub aligning_shape: T,
    /// Coefficients a1…a8 of Fx.
    pub longitudinal: [T; 8],
    /// Coefficients a1…a13 of Fy.
    pub lateral: [T; 13],
    /// Coefficients a1…a13 of Mz; all 0 for none.
    pub aligning: [T; 13],
    /// Load up to which the curves follow it (`N`), > 0; above it they no longer change.
    pub greatest_load: T,
}

mapped!(Bakker87Params {
    longitudinal_shape, lateral_shape, aligning_shape, greatest_load;
    longitudinal, lateral, aligning,
});

impl Check for Bakker87Params {
    fn check(&self, i: &mut Inspector) {
        i.positive("longitudinal_shape", self.longitudinal_shape, "");
        i.positive("lateral_shape", self.lateral_shape, "");
        i.positive("aligning_shape", self.aligning_shape, "");
        let curves = [&self.longitudinal[..], &self.lateral, &self.aligning];
        check_curves(i, self.greatest_load, curves, 0);
    }
}

impl Bakker87Params {
    /// Shifts and falling curves.
    const fn traits(&self) -> TireTraits {
        TireTraits::UNKNOWN
    }
}

impl<T: Real> Bakker87Params<T> {
    /// The curves at a load (`kN`) and an inclination (`°`).
    #[inline]
    pub fn shapes(&self, load: T, camber: T) -> Shapes<T> {
        let x = &self.longitudinal;
        let longitudinal = upright(x, self.longitudinal_shape, exponential(x, load), load);
        let (a, m) = (&self.lateral, &self.aligning);
        let sine = a[2] * (a[3] * (a[4] * held(load)).atan()).sin();
        let lateral = upright(first(a), self.lateral_shape, sine, load);
        let aligning = upright(
            first(m),
            self.aligning_shape,
            exponential(first(m), load),
            load,
        );
        let left = T::one() - m[12] * camber.abs();
        Shapes {
            longitudinal,
            lateral: leaning(lateral, a, T::one(), load, camber),
            aligning: leaning(aligning, m, left, load, camber),
        }
    }
}

/// The coefficients that do not depend on camber.
#[inline]
fn first<T: Real>(a: &[T; 13]) -> &[T; 8] {
    a.first_chunk().expect("eight of thirteen")
}

/// Exponentially falling B·C·D, divided by a guarded load.
#[inline]
fn exponential<T: Real>(a: &[T; 8], n: T) -> T {
    growing([a[2], a[3]], held(n)) / (a[4] * n).exp()
}

/// The curve without camber.
#[inline]
fn upright<T: Real>(a: &[T; 8], c: T, stiffness: T, n: T) -> Shape<T> {
    let peak = |n| growing([a[0], a[1]], n);
    let e = (a[5] * n + a[6]) * n + a[7];
    Shape {
        b: stiffness_factor(stiffness, c, peak(held(n))),
        c,
        d: peak(n),
        e_positive: e,
        e_negative: e,
        shift: T::zero(),
        lift: T::zero(),
    }
}

/// The curve with camber; `left` divides E.
#[inline]
fn leaning<T: Real>(upright: Shape<T>, a: &[T; 13], left: T, n: T, camber: T) -> Shape<T> {
    Shape {
        b: upright.b * (T::one() - a[11] * camber.abs()).max(T::zero()),
        e_positive: upright.e_positive / left,
        e_negative: upright.e_negative / left,
        shift: a[8] * camber,
        lift: growing([a[9], a[10]], n) * camber,
        ..upright
    }
}

impl<T: Real> SteadyLaw<T> for Bakker87Params<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let [load, camber] = in_their_units(slip, self.greatest_load);
        combined(&self.shapes(load, camber), slip)
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let [load, camber] = in_their_units(slip, self.greatest_load);
        grip(&self.shapes(load, camber), slip)
    }
}

steady_model!(
    /// The first Magic Formula with its coefficients.
    Bakker87,
    Bakker87Params
);
