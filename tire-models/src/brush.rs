//! The brush model: bristles that stick until they exceed the parabolic pressure.
//!
//! A bristle of lateral stiffness c per length (`N/m²`) is bent by the theoretical slip
//! σ = (κ, tan α)/(1 + κ) over its path from the leading edge, at x = a, to the point where it lets go:
//!
//! ```text
//! u = 2a²·|cσ| / 3μN            share of the contact that slides; 1: all of it
//! F = μN·[3u(1 − u)²·t + u²(3 − 2u)·ν·d]     t along (cx·σx, cy·σy), d along (σx, σy)
//! Mz = μN·a·[u(1 − u)²(4u − 1)·t_y − 3u²(1 − u)²·ν·d_y]
//! ```
//!
//! with t and d of unit length, against the slip. For one stiffness and one friction this is the
//! well-known F = μN(3u − 3u² + u³) with the trail a(1 − u)³/(3 − 3u + u²). Sticking bristles have
//! friction μ, sliding ones ν·μ, where ν falls from 1 to `kinetic_friction` as the sliding speed
//! grows (Stribeck). A wheel that is locked or turns backwards (κ ≤ −1) slides in the whole
//! contact.
//!
//! With load N, half the contact length is a₀·√(N/N₀); friction is μ(1 − k(N/N₀ − 1)), no less than a
//! tenth of μ. No camber.

use serde::{Deserialize, Serialize};
use vehicle_core::tire::TireTraits;
use vehicle_core::{Check, Inspector};

use crate::real::Real;
use crate::steady::{Forces, SteadyInput, SteadyLaw, TINY, mapped, steady_model};

/// Parameters of [`Brush`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrushParams<T = f32> {
    /// Longitudinal stiffness of the bristles per length of contact (`N/m²`), > 0; about 10⁷.
    pub tread_stiffness_x: T,
    /// Lateral stiffness of the bristles per length of contact (`N/m²`), > 0. Slip stiffnesses are
    /// 2·(stiffness)·(half length)².
    pub tread_stiffness_y: T,
    /// Half the length of the contact at nominal load (`m`), > 0; about 0.07.
    pub half_length: T,
    /// Nominal load N₀ (`N`), > 0.
    pub nominal_load: T,
    /// Relative loss of friction per relative growth of load k (–), 0…1.
    pub load_sensitivity: T,
    /// Friction of a fast sliding bristle over that of a sticking one (–), > 0, at most 1.
    pub kinetic_friction: T,
    /// Sliding speed at which 63 % of that loss is reached (`m/s`), > 0.
    pub stribeck_speed: T,
}

mapped!(BrushParams {
    tread_stiffness_x,
    tread_stiffness_y,
    half_length,
    nominal_load,
    load_sensitivity,
    kinetic_friction,
    stribeck_speed,
});

impl Check for BrushParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("tread_stiffness_x", self.tread_stiffness_x, "N/m²");
        i.positive("tread_stiffness_y", self.tread_stiffness_y, "N/m²");
        i.positive("half_length", self.half_length, "m");
        i.positive("nominal_load", self.nominal_load, "N");
        i.within_range("load_sensitivity", self.load_sensitivity, 0.0, 1.0, "");
        i.positive("kinetic_friction", self.kinetic_friction, "");
        i.within_range("kinetic_friction", self.kinetic_friction, 0.0, 1.0, "");
        i.positive("stribeck_speed", self.stribeck_speed, "m/s");
    }
}

impl BrushParams {
    /// Odd; falls where sliding bristles hold less.
    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: false,
            feels_camber: false,
            friction_falls: self.kinetic_friction < 1.0,
            has_moments: true,
            has_properties: true,
            bounds_each: false,
        }
    }
}

/// The contact at one load.
struct BrushContact<T> {
    half_length: T,
    /// Maximum force of a contact that sticks, μN (`N`).
    friction_force: T,
}

impl<T: Real> BrushParams<T> {
    #[inline]
    fn contact(&self, slip: &SteadyInput<T>) -> BrushContact<T> {
        let relative = slip.load / self.nominal_load;
        let loss = self.load_sensitivity * (relative - T::one());
        let friction = slip.friction * (T::one() - loss).max(T::of(0.1));
        BrushContact {
            half_length: self.half_length * relative.sqrt(),
            friction_force: friction * slip.load,
        }
    }

    /// Friction of sliding bristles over that of sticking ones.
    #[inline]
    fn sliding_friction(&self, speed: T) -> T {
        let relative = speed / self.stribeck_speed;
        let fast = T::one() - (-(relative.min(T::of(1e3)).squared())).exp();
        T::one() - (T::one() - self.kinetic_friction) * fast
    }
}

/// A vector of unit length against (x, y), and the length.
#[inline]
fn against<T: Real>(x: T, y: T) -> ([T; 2], T) {
    let length = x.hypot(y);
    let divisor = length.max(T::of(TINY));
    ([x / divisor, -(y / divisor)], length)
}

impl<T: Real> SteadyLaw<T> for BrushParams<T> {
    #[inline]
    fn forces(&self, slip: &SteadyInput<T>) -> Forces<T> {
        let BrushContact {
            half_length: a,
            friction_force,
        } = self.contact(slip);
        let bent = (
            self.tread_stiffness_x * slip.ratio,
            self.tread_stiffness_y * slip.tan_angle,
        );
        let (stick, bend) = against(bent.0, bent.1);
        let (slide, _) = against(slip.ratio, slip.tan_angle);

        // u without its divisor 1 + κ, which may be 0 or less.
        let share = T::of(2.0) * a * a * bend / (T::of(3.0) * friction_force).max(T::of(TINY));
        let rolling = T::one() + slip.ratio;
        let slides = rolling.le(share);
        let u = T::select(
            slides,
            T::one(),
            share / T::select(slides, T::one(), rolling),
        );

        let held = (T::one() - u).squared();
        let kinetic = self.sliding_friction(slip.speed);
        let sticking = T::of(3.0) * u * held;
        let sliding = u * u * (T::of(3.0) - T::of(2.0) * u) * kinetic;
        let arm_sticking = u * held * (T::of(4.0) * u - T::one());
        let arm_sliding = -(T::of(3.0) * u * u * held * kinetic);
        Forces {
            longitudinal: friction_force * (sticking * stick[0] + sliding * slide[0]),
            lateral: friction_force * (sticking * stick[1] + sliding * slide[1]),
            aligning_moment: friction_force
                * a
                * (arm_sticking * stick[1] + arm_sliding * slide[1]),
        }
    }

    fn grip(&self, slip: &SteadyInput<T>) -> [T; 2] {
        [self.contact(slip).friction_force; 2]
    }
}

steady_model!(
    /// The brush model with its parameters.
    Brush,
    BrushParams
);

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const LAW: BrushParams<f64> = BrushParams {
        tread_stiffness_x: 2e7,
        tread_stiffness_y: 1e7,
        half_length: 0.06,
        nominal_load: 4000.0,
        load_sensitivity: 0.1,
        kinetic_friction: 0.8,
        stribeck_speed: 2.0,
    };

    fn slip(ratio: f64, tan_angle: f64, speed: f64) -> SteadyInput<f64> {
        SteadyInput {
            ratio,
            tan_angle,
            camber: 0.0,
            load: 4000.0,
            friction: 1.0,
            speed,
        }
    }

    /// Forces and moment of the brush as sums over its bristles.
    fn bristles(law: &BrushParams<f64>, slip: &SteadyInput<f64>) -> [f64; 3] {
        const COUNT: usize = 20_000;
        let kinetic = law.sliding_friction(slip.speed);
        let (sx, sy) = (
            slip.ratio / (1.0 + slip.ratio),
            slip.tan_angle / (1.0 + slip.ratio),
        );
        let a = law.half_length;
        let mut sum = [0.0; 3];
        for i in 0..COUNT {
            let x = a * (1.0 - (2.0 * i as f64 + 1.0) / COUNT as f64);
            let dx = 2.0 * a / COUNT as f64;
            let limit = 0.75 * slip.friction * slip.load / a * (1.0 - (x / a).powi(2));
            let (qx, qy) = (
                law.tread_stiffness_x * sx * (a - x),
                -law.tread_stiffness_y * sy * (a - x),
            );
            let (fx, fy) = if qx.hypot(qy) <= limit {
                (qx, qy)
            } else {
                let s = sx.hypot(sy);
                (limit * kinetic * sx / s, -limit * kinetic * sy / s)
            };
            sum = [sum[0] + fx * dx, sum[1] + fy * dx, sum[2] + x * fy * dx];
        }
        sum
    }

    #[test]
    fn the_closed_form_equals_the_sum_over_bristles() {
        for (ratio, tan, speed) in [
            (0.02, 0.0, 0.2),
            (0.0, -0.05, 1.0),
            (0.03, 0.04, 2.0),
            (-0.05, 0.02, 5.0),
            (-0.3, 0.2, 9.0),
        ] {
            let slip = slip(ratio, tan, speed);
            let f = LAW.forces(&slip);
            let expected = bristles(&LAW, &slip);
            // Where sticking ends, a single bristle of up to 0.3 N either sticks or slides.
            assert_relative_eq!(f.longitudinal, expected[0], epsilon = 0.1);
            assert_relative_eq!(f.lateral, expected[1], epsilon = 0.1);
            assert_relative_eq!(f.aligning_moment, expected[2], epsilon = 0.006);
        }
    }

    #[test]
    fn a_locked_wheel_slides_against_its_speed() {
        let f = LAW.forces(&slip(-1.0, 0.75, 1e3));
        assert_relative_eq!(f.longitudinal, -0.8 * 4000.0 * 0.8, max_relative = 1e-12);
        assert_relative_eq!(f.lateral, -0.8 * 4000.0 * 0.6, max_relative = 1e-12);
        assert_eq!(f.aligning_moment, 0.0);
    }

    #[test]
    fn friction_falls_with_load_to_a_tenth_and_the_contact_grows() {
        let mut at = slip(-1.0, 0.0, 0.0);
        at.load = 8000.0;
        assert_relative_eq!(LAW.forces(&at).longitudinal, -7200.0, max_relative = 1e-12);
        assert_relative_eq!(LAW.contact(&at).half_length, 0.06 * 2.0_f64.sqrt());
        at.load = 1e6;
        assert_relative_eq!(LAW.forces(&at).longitudinal, -1e5, max_relative = 1e-12);
    }
}
