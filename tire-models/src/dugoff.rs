//! Dugoff's law: two stiffnesses and a friction circle in closed form.
//!
//! ```text
//! H = √((Cκ·κ)² + (Cα·tan α)²)     λ = μN·(1 + κ) / 2H     f = λ·(2 − λ) for λ < 1, else 1
//! Fx = Cκ·κ·f/(1 + κ)              Fy = −Cα·tan α·f/(1 + κ)
//! ```
//!
//! For a wheel that is locked or turns backwards (κ ≤ −1), λ is 0: the full friction force, along
//! the slip. No aligning moment, no camber.
//!
//! `steady_model!` makes the [`SteadyLaw`] of [`DugoffParams`] a [`TireModel`](vehicle_core::TireModel), [`Dugoff`].

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw, TINY, mapped, steady_model};

/// Parameters of [`Dugoff`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DugoffParams<T = f32> {
    /// Longitudinal force per slip ratio Cκ (`N`), > 0; about 100 000.
    pub slip_stiffness: T,
    /// Lateral force per tangent of the slip angle Cα (`N/rad`), > 0; about 80 000.
    pub cornering_stiffness: T,
}

mapped!(DugoffParams {
    slip_stiffness,
    cornering_stiffness,
});

impl Check for DugoffParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("slip_stiffness", self.slip_stiffness, "N");
        i.positive("cornering_stiffness", self.cornering_stiffness, "N/rad");
    }
}

impl DugoffParams {
    /// Traits of the law: its forces are odd in slip and never fall in pure slip.
    const fn traits(&self) -> TireTraits {
        TireTraits {
            feels_camber: false,
            ..TireTraits::PLAIN
        }
    }
}

impl<T: Real> SteadyLaw<T> for DugoffParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let longitudinal = self.slip_stiffness * slip.ratio;
        let lateral = -(self.cornering_stiffness * slip.tan_angle);
        let (two, rolling) = (T::of(2.0), T::one() + slip.ratio);
        let linear = longitudinal.hypot(lateral);
        let half = slip.friction * slip.load / (two * linear).max(T::of(TINY));
        let lambda = (half * rolling).max(T::zero());
        let slides = lambda.lt(T::one());
        let rolling = T::select(slides, T::one(), rolling);
        let factor = T::select(slides, half * (two - lambda), T::one() / rolling);
        Forces {
            longitudinal: longitudinal * factor,
            lateral: lateral * factor,
            aligning_moment: T::zero(),
        }
    }
}

steady_model!(
    /// Dugoff's law with its parameters.
    Dugoff,
    DugoffParams
);

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;

    const LAW: DugoffParams<f64> = DugoffParams {
        slip_stiffness: 100_000.0,
        cornering_stiffness: 80_000.0,
    };

    #[rstest]
    #[case::small(0.001, 0.0, 100.0 / 1.001, 0.0)]
    #[case::drift(0.0, 0.01, 0.0, -800.0)]
    #[case::locked(-1.0, 0.0, -4000.0, 0.0)]
    #[case::backwards(-3.0, 0.0, -4000.0, 0.0)]
    #[case::still(0.0, 0.0, 0.0, 0.0)]
    // λ = 4000/2/16000 = 1/8: 16000·(1/8)(15/8).
    #[case::sliding(0.0, -0.2, 0.0, 3750.0)]
    fn forces_by_hand(#[case] ratio: f64, #[case] tan: f64, #[case] x: f64, #[case] y: f64) {
        let f = LAW.forces(&SteadyInput {
            ratio,
            tan_angle: tan,
            camber: 0.0,
            load: 4000.0,
            friction: 1.0,
            speed: 0.0,
        });
        assert_relative_eq!(f.longitudinal, x, max_relative = 1e-12);
        assert_relative_eq!(f.lateral, y, max_relative = 1e-12);
    }
}
