//! TMsimple of Rill: a sine of a saturating slip, from initial stiffness, maximum and sliding
//! force.
//!
//! ```text
//! F = K·sin(B·(1 − e^(−s/A)))        B = π − asin(F∞/K)        A = K·B/F′₀
//! ```
//!
//! over the resultant slip s, with K, F∞ and F′₀ in its direction: the hypotenuse of their
//! longitudinal and lateral parts, so that the forces stay on an ellipse. Slips are relative to the
//! speed of the rim. Each quantity is given at the nominal load and at twice that; a parabola
//! through 0 covers all loads up to 3.5 times the nominal one. Friction scales the whole curve, as
//! in Chrono. No camber, no aligning moment.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::real::Real;
use crate::rill::{Direction, on_rim_speed, parabola, relative_load};
use crate::steady::{Forces, SteadyInput, SteadyLaw, TINY, mapped, steady_model};

/// Parameters of [`TmSimple`]. Pairs are values at the nominal load and at twice that load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TmSimpleParams<T = f32> {
    /// Nominal load (`N`), > 0.
    pub nominal_load: T,
    /// Longitudinal force per slip at zero slip (`N`), > 0.
    pub initial_x: [T; 2],
    /// Maximum longitudinal force (`N`), > 0.
    pub peak_x: [T; 2],
    /// Longitudinal force of a sliding tire (`N`), > 0, no more than the maximum.
    pub sliding_x: [T; 2],
    /// Lateral force per slip at zero slip (`N`), > 0.
    pub initial_y: [T; 2],
    /// Maximum lateral force (`N`), > 0.
    pub peak_y: [T; 2],
    /// Lateral force of a sliding tire (`N`), > 0, no more than the maximum.
    pub sliding_y: [T; 2],
}

mapped!(TmSimpleParams {
    nominal_load;
    initial_x, peak_x, sliding_x, initial_y, peak_y, sliding_y,
});

impl Check for TmSimpleParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("nominal_load", self.nominal_load, "N");
        for (name, pair) in [
            ("initial_x", self.initial_x),
            ("peak_x", self.peak_x),
            ("sliding_x", self.sliding_x),
            ("initial_y", self.initial_y),
            ("peak_y", self.peak_y),
            ("sliding_y", self.sliding_y),
        ] {
            check_pair(i, name, pair, "N");
        }
        for (name, sliding, peak) in [
            ("sliding_x", self.sliding_x, self.peak_x),
            ("sliding_y", self.sliding_y, self.peak_y),
        ] {
            let holds = sliding[0] <= peak[0] && sliding[1] <= peak[1];
            i.rule(
                holds,
                name,
                format!("{sliding:?}"),
                "N",
                "must be no more than the peak",
            );
        }
    }
}

/// Values at one and two times the nominal load, whose parabola stays above 0 up to 3.5 times that
/// load.
pub(crate) fn check_pair(i: &mut Inspector, name: &str, pair: [f32; 2], unit: &str) {
    i.within(name, |i| {
        i.positive("[0]", pair[0], unit);
        i.positive("[1]", pair[1], unit);
        i.rule(
            parabola(&pair, 3.5) > 0.0,
            "[1]",
            pair[1],
            unit,
            "must leave the parabola above 0 at 3.5 times the nominal load",
        );
    });
}

impl TmSimpleParams {
    /// Odd; falls where sliding forces are below the maximum.
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.sliding_x != self.peak_x || self.sliding_y != self.peak_y,
            has_moments: false,
            has_properties: true,
            bounds_each: false,
        }
    }
}

impl<T: Real> TmSimpleParams<T> {
    /// Forces at slips relative to the rim's speed, which have the signs of the forces.
    #[inline]
    pub fn forces_at(&self, [sx, sy]: [T; 2], load: T, friction: T) -> Forces<T> {
        let q = relative_load(load, self.nominal_load);
        let direction = Direction::of(sx, sy);
        let in_direction =
            |x: &[T; 2], y: &[T; 2]| direction.between(parabola(x, q), parabola(y, q));
        let tiny = T::of(TINY);
        let peak = in_direction(&self.peak_x, &self.peak_y);
        let sliding = in_direction(&self.sliding_x, &self.sliding_y);
        let slope = in_direction(&self.initial_x, &self.initial_y);
        let ratio = (sliding / peak.max(tiny)).min(T::one());
        // π − asin x.
        let b = T::of(core::f64::consts::FRAC_PI_2) + ratio.acos();
        let growth = direction.slip * slope / (peak * b).max(tiny);
        let force = friction * peak * (b * (T::one() - (-growth).exp())).sin();
        Forces {
            longitudinal: force * direction.cos,
            lateral: force * direction.sin,
            aligning_moment: T::zero(),
        }
    }
}

impl<T: Real> SteadyLaw<T> for TmSimpleParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let slips = on_rim_speed(slip.ratio, slip.tan_angle);
        self.forces_at(slips, slip.load, slip.friction)
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        let q = relative_load(slip.load, self.nominal_load);
        [&self.peak_x, &self.peak_y].map(|peak| slip.friction * parabola(peak, q))
    }
}

steady_model!(
    /// TMsimple with its parameters.
    TmSimple,
    TmSimpleParams
);

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const LAW: TmSimpleParams<f64> = TmSimpleParams {
        nominal_load: 3000.0,
        initial_x: [54_000.0, 100_000.0],
        peak_x: [3150.0, 6000.0],
        sliding_x: [2400.0, 4600.0],
        initial_y: [45_000.0, 80_000.0],
        peak_y: [3000.0, 5700.0],
        sliding_y: [2500.0, 4700.0],
    };

    #[test]
    fn the_curve_has_the_given_slope_peak_and_end() {
        let fx = |s: f64| LAW.forces_at([s, 0.0], 3000.0, 1.0).longitudinal;
        assert_relative_eq!(fx(1e-7) / 1e-7, 54_000.0, max_relative = 1e-5);
        let peak = (0..10_000)
            .map(|i| fx(f64::from(i) * 1e-4))
            .fold(0.0, f64::max);
        assert_relative_eq!(peak, 3150.0, max_relative = 1e-6);
        assert_relative_eq!(fx(100.0), 2400.0, max_relative = 1e-9);
    }

    #[test]
    fn friction_scales_the_whole_curve() {
        let fy = |s: f64| LAW.forces_at([0.0, s], 6000.0, 0.5).lateral;
        assert_relative_eq!(fy(1e-7) / 1e-7, 40_000.0, max_relative = 1e-4);
        assert_relative_eq!(fy(100.0), 2350.0, max_relative = 1e-9);
    }
}
