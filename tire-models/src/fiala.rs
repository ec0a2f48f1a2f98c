//! Fiala's law in the form of Adams: a brush whose friction falls with slip.
//!
//! ```text
//! S = min(1, √(κ² + tan²α))        U = μ·(U₀ − (U₀ − U₁)·S)
//! Fx = C·κ for |κ| < U·N/2C, else sgn κ·(U·N − (U·N)²/(4|κ|·C))
//! H = 1 − Cα·|tan α|/(3U·N)        Fy = −U·N·(1 − H³)·sgn α        Mz = U·N·w·(1 − H)·H³·sgn α
//! ```
//!
//! with H = 0 beyond full sliding. The surface's friction scales U before the critical slips follow
//! from it. [`FialaParams::forces_uncombined`] implements this, as Adams has it: only U depends on
//! combined slip, so that the resultant can exceed U·N by 41 %. The vehicle model limits it to U·N.
//! No camber.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw, TINY, mapped, steady_model};

/// Parameters of [`Fiala`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FialaParams<T = f32> {
    /// Longitudinal force per slip ratio (`CSLIP`) (`N`), > 0; about 200 000.
    pub slip_stiffness: T,
    /// Lateral force per tangent of the slip angle (`CALPHA`) (`N/rad`), > 0; about 50 000.
    pub cornering_stiffness: T,
    /// Friction at full slip (`UMIN`) (–), > 0.
    pub sliding_friction: T,
    /// Friction without slip (`UMAX`) (–), at least the sliding friction.
    pub static_friction: T,
    /// Width of the tire, the arm of the aligning moment (`m`), ≥ 0.
    pub width: T,
}

mapped!(FialaParams {
    slip_stiffness,
    cornering_stiffness,
    sliding_friction,
    static_friction,
    width,
});

impl Check for FialaParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("slip_stiffness", self.slip_stiffness, "N");
        i.positive("cornering_stiffness", self.cornering_stiffness, "N/rad");
        i.positive("sliding_friction", self.sliding_friction, "");
        i.positive("static_friction", self.static_friction, "");
        i.rule(
            self.static_friction >= self.sliding_friction,
            "static_friction",
            self.static_friction,
            "",
            "must be no less than sliding_friction",
        );
        i.not_negative("width", self.width, "m");
    }
}

impl FialaParams {
    /// Odd; falls where friction does.
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.static_friction > self.sliding_friction,
            has_moments: true,
            has_properties: true,
            bounds_each: false,
        }
    }
}

impl<T: Real> FialaParams<T> {
    /// Friction force at a slip, U·N (`N`).
    #[inline]
    fn friction_force(&self, slip: &SteadyInput<T>) -> T {
        let total = slip.ratio.hypot(slip.tan_angle).min(T::one());
        let loss = (self.static_friction - self.sliding_friction) * total;
        (self.static_friction - loss) * slip.friction * slip.load
    }

    /// Maximum longitudinal force over that of friction without slip (–), where full slip takes `loss` (`N`)
    /// of it: with U·N = u − d·κ, at κ = u/√(d·(4C + d)).
    #[inline]
    fn greatest_along(&self, loss: T) -> T {
        let relative = loss / (self.slip_stiffness + self.slip_stiffness);
        let root = (relative * (relative + T::of(2.0))).sqrt();
        T::one() + relative - root
    }

    /// Maximum lateral force over that of friction without slip (–), where full slip takes `loss` (`N`) of it. With q
    /// = 1 − Cα·|tan α|/(3U·N) and e = d/Cα the force over u is (1 − q³)/(1 + 3e·(1 − q)), maximum where q²·(1 + 3e −
    /// 2e·q) = e.
    #[inline]
    fn greatest_across(&self, loss: T) -> T {
        let e = loss / self.cornering_stiffness;
        let (one, thrice) = (T::one(), T::of(3.0) * e);
        let mut q = (e / (one + thrice)).sqrt();
        // Where friction falls by as much as the stiffness (e = 1), each turn leaves a sixth of the error.
        for _ in 0..4 {
            q = (e / (one + thrice - (e + e) * q)).sqrt();
        }
        (one - q * q * q) / (one + thrice * (one - q))
    }

    /// Adams's forces, each independent of the other except for the shared friction.
    #[inline]
    pub fn forces_uncombined(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let limit = self.friction_force(slip);
        let (one, tiny) = (T::one(), T::of(TINY));

        let elastic = self.slip_stiffness * slip.ratio;
        let slope = (T::of(4.0) * elastic.abs()).max(tiny);
        let sliding = (limit - limit * limit / slope) * slip.ratio.sign_or_one();
        let sticks = (elastic.abs() + elastic.abs()).lt(limit);

        let lateral = self.cornering_stiffness * slip.tan_angle.abs();
        let spent = (lateral / (T::of(3.0) * limit).max(tiny)).min(one);
        let h = one - spent;
        let h3 = h * h * h;
        let side = slip.tan_angle.sign();
        Forces {
            longitudinal: T::select(sticks, elastic, sliding),
            lateral: -(limit * (one - h3) * side),
            aligning_moment: limit * self.width * spent * h3 * side,
        }
    }
}

impl<T: Real> SteadyLaw<T> for FialaParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let limit = self.friction_force(slip);
        self.forces_uncombined(slip).within_circle(limit)
    }

    /// Friction falls before the curves reach it, so that they stay below U₀·N.
    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let still = self.static_friction * slip.friction * slip.load;
        let slid = self.sliding_friction * slip.friction * slip.load;
        let loss = still - slid;
        [
            still * self.greatest_along(loss),
            still * self.greatest_across(loss),
        ]
        .map(|peak| peak.max(slid))
    }
}

steady_model!(
    /// Fiala's law with its parameters.
    Fiala,
    FialaParams
);

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use rstest::rstest;

    const LAW: FialaParams<f64> = FialaParams {
        slip_stiffness: 100_000.0,
        cornering_stiffness: 60_000.0,
        sliding_friction: 0.5,
        static_friction: 1.0,
        width: 0.2,
    };

    fn slip(ratio: f64, tan_angle: f64) -> SteadyInput<f64> {
        SteadyInput {
            ratio,
            tan_angle,
            camber: 0.0,
            load: 4000.0,
            friction: 1.0,
            speed: 0.0,
        }
    }

    #[test]
    fn the_resultant_stays_within_the_circle() {
        let full = slip(0.6, 0.8);
        let apart = LAW.forces_uncombined(&full);
        assert!(apart.longitudinal.hypot(apart.lateral) > 2700.0);
        let together = LAW.forces(&full);
        let total = together.longitudinal.hypot(together.lateral);
        assert_relative_eq!(total, 2000.0, max_relative = 1e-12);
    }

    // Hardly any loss of friction, some, and a loss as large as the stiffness.
    #[rstest]
    #[case(1.0, 0.999, 60_000.0)]
    #[case(0.9, 0.7, 50_000.0)]
    #[case(1.0, 0.3, 2800.0)]
    fn grip_is_the_maximum_force(
        #[case] static_friction: f64,
        #[case] sliding_friction: f64,
        #[case] cornering_stiffness: f64,
    ) {
        let law = FialaParams {
            static_friction,
            sliding_friction,
            cornering_stiffness,
            ..LAW
        };
        let slips = || (1..1_000_000).map(|n| 1e-5 * f64::from(n));
        let along = slips().map(|x| law.forces(&slip(x, 0.0)).longitudinal);
        let across = slips().map(|y| law.forces(&slip(0.0, -y)).lateral);
        let told = law.grip(&slip(0.0, 0.0));
        for (told, found) in told
            .into_iter()
            .zip([along.fold(0.0, f64::max), across.fold(0.0, f64::max)])
        {
            assert_relative_eq!(told, found, max_relative = 2e-3);
        }
    }

    /// Friction alone decides; where it does not fall, the grip is the peak's.
    #[rstest]
    #[case(0.5, true)]
    #[case(1.0, false)]
    fn friction_falls_where_sliding_friction_is_less(#[case] sliding: f32, #[case] falls: bool) {
        let law = FialaParams::<f32> {
            slip_stiffness: 1e5,
            cornering_stiffness: 6e4,
            sliding_friction: sliding,
            static_friction: 1.0,
            width: 0.2,
        };
        assert_eq!(law.traits().friction_falls, falls);
    }

    #[test]
    fn forces_by_hand() {
        let f = LAW.forces(&slip(0.01, 0.0));
        assert_relative_eq!(f.longitudinal, 1000.0, max_relative = 1e-12);
        // Slides: U = 0.9, (UN)²/(4·C·κ) = 3600²/80 000.
        let f = LAW.forces(&slip(-0.2, 0.0));
        assert_relative_eq!(f.longitudinal, -(3600.0 - 162.0), max_relative = 1e-12);
        let f = LAW.forces(&slip(0.0, -0.1));
        // U = 0.95, H = 1 − 6000/11400.
        let h: f64 = 1.0 - 6000.0 / 11_400.0;
        assert_relative_eq!(f.lateral, 3800.0 * (1.0 - h.powi(3)), max_relative = 1e-12);
        let moment = -3800.0 * 0.2 * (1.0 - h) * h.powi(3);
        assert_relative_eq!(f.aligning_moment, moment, max_relative = 1e-12);
    }
}
