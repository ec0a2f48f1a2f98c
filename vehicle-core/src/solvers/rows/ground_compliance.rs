//! Bodies under the wheels that a push moves: how firmly rows may act on them (ROWS §5).
//!
//! Such a body responds a step T later. If a row of stiffness K and damping time τ bore it alone, it would move by
//!
//! ```text
//! x₃ − 2x₂ + x₁ = −q·(x₁ + s·(x₁ − x₀)),  q = K·T²/m,  s = τ/T
//! ```
//!
//! with the mass m with which it resists the row's push. That settles (Jury's criterion) only if
//!
//! ```text
//! s > 1  and  q < (s − 1)/s²,  at s = 2: q·s < ½        a damper c alone: c·T/m < 1
//! ```
//!
//! Beyond it, vehicle and body shake each other. Wheels act together, so that each has a share of m, by the mass that rests
//! on it. Rows along and across the ground turn a tall body together: of what settles, neither uses more than two fifths.

use crate::base::lanes::{Mask4, W4};

use super::contact_space::Jacobian;
use super::substep_context::{SubstepContext, SubstepInputs};
use super::tire_rows::Carcass;
use super::tuning::{CARCASS_RESPONSE, RESPONSE_STEPS, STRUT_RESPONSE};

/// Bounds of four wheels' rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundCompliance {
    /// m/T of the ground in the rows along the normal, forward and to the left, each wheel's share (`N·s/m`); infinite if
    /// no push moves it.
    resisting: [W4; 3],
}

impl Default for GroundCompliance {
    /// Ground that no push moves.
    fn default() -> Self {
        Self {
            resisting: [W4::splat(f32::INFINITY); 3],
        }
    }
}

impl GroundCompliance {
    /// Bounds of these `rows` along the normal, forward and to the left.
    pub(super) fn new(
        rows: [&Jacobian; 3],
        inputs: &SubstepInputs<'_>,
        now: &SubstepContext<'_>,
    ) -> Self {
        let step = now.h * now.count;
        let share = inputs.consts.rest_mass * W4::splat(now.inverse_mass / step);
        Self {
            resisting: rows.map(|row| {
                let world = row.direction.rotated(&now.view.matrix);
                let inverse = inputs.ground.inverse_mass_along(world);
                inverse
                    .gt(W4::ZERO)
                    .select(share / inverse, W4::splat(f32::INFINITY))
            }),
        }
    }

    /// The largest damping coefficient of a strut that this ground bears (`N·s/m`).
    #[inline]
    pub(super) fn most_damping(&self) -> W4 {
        self.resisting[0] * W4::splat(STRUT_RESPONSE)
    }

    /// Vertical stiffness (`N/m`) and damping (`N·s/m`) of tires that this ground bears, which responds after a step (`s`):
    /// `c ≥ 2·T·k`, `2·T·k ≤ ⅕·m/T`, `c ≤ ¼·m/T`.
    pub(super) fn bearable_tires(&self, stiffness: W4, damping: W4, step: f32) -> [W4; 2] {
        let yields = self.resisting[0].lt(W4::splat(f32::INFINITY));
        let response_time = W4::splat(RESPONSE_STEPS * step);
        let soft = stiffness.min(self.resisting[0] * W4::splat(CARCASS_RESPONSE) / response_time);
        let firm = damping.min(self.most_damping()).max(soft * response_time);
        [yields.select(soft, stiffness), yields.select(firm, damping)]
    }

    /// Softens the carcasses of `slow` wheels, on which `mass` rests (`kg`), until this ground bears them, which responds
    /// after a `step` (`s`).
    ///
    /// ```text
    /// τ ≥ 2·T     K·τ ≤ ⅕·m/T     K·τ·T ≤ mass
    /// ```
    #[inline]
    pub(super) fn soften(&self, carcass: &mut Carcass, slow: Mask4, mass: W4, step: f32) {
        let response_time = W4::splat(RESPONSE_STEPS * step);
        let firmest = mass / W4::splat(step);
        for (n, resisting) in self.resisting[1..].iter().enumerate() {
            let yields = slow & resisting.lt(W4::splat(f32::INFINITY));
            let time = carcass.damping_time[n].max(response_time);
            let stiffness = (*resisting * W4::splat(CARCASS_RESPONSE)).min(firmest) / time;
            carcass.damping_time[n] = yields.select(time, carcass.damping_time[n]);
            let softer = carcass.stiffness[n].min(stiffness);
            carcass.stiffness[n] = yields.select(softer, carcass.stiffness[n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STEP: f32 = 1.0 / 60.0;

    /// How far a body of mass 1 kg that was put aside by 1 still swings after 400 steps of `STEP`, held by a row of this
    /// stiffness (`N/m`) and damping (`N·s/m`) that responds to where the body was a step ago.
    fn swing(stiffness: f64, damping: f64) -> f64 {
        let step = f64::from(STEP);
        let (mut before, mut position, mut speed) = (1.0, 1.0, 0.0);
        let mut most = 0.0_f64;
        for n in 0..400 {
            let force = -stiffness * position - damping * (position - before) / step;
            before = position;
            position += speed * step;
            speed += force * step;
            if n >= 380 {
                most = most.max(position.abs());
            }
        }
        most
    }

    /// Stiffness (`N/m`) and damping (`N·s/m`) that a carcass may have on a body of 1 kg which bears a wheel with the whole mass.
    fn softened(stiffness: f32, damping_time: f32) -> (f64, f64) {
        let mut carcass = Carcass {
            stiffness: [W4::splat(stiffness); 2],
            damping_time: [W4::splat(damping_time); 2],
        };
        let ground_compliance = GroundCompliance {
            resisting: [W4::splat(1.0 / STEP); 3],
        };
        let all = Mask4::from_fn(|_| true);
        ground_compliance.soften(&mut carcass, all, W4::splat(1e9), STEP);
        let stiffness = f64::from(carcass.stiffness[0].lane(0));
        (
            stiffness,
            stiffness * f64::from(carcass.damping_time[1].lane(0)),
        )
    }

    proptest! {
        /// A body comes to rest under every carcass and damper, and would not under rows that are three times as firm as
        /// the firmest.
        #[test]
        fn bodies_come_to_rest(stiffness in 1e2f32..1e9, time in 0f32..1.0) {
            let (stiff, damped) = softened(stiffness, time);
            prop_assert!(swing(stiff, damped) < 1.0, "{stiff} {damped}");
            let damper = f64::from(GroundCompliance { resisting: [W4::splat(1.0 / STEP); 3] }.most_damping().lane(0));
            prop_assert!(swing(0.0, damper) <= 1.0);
        }
    }

    /// Tires that give are softened and damped until a body comes to rest under them, and are themselves on fixed ground.
    #[test]
    fn bodies_come_to_rest_under_tires() {
        let ground_compliance = GroundCompliance {
            resisting: [W4::splat(1.0 / STEP); 3],
        };
        for stiffness in [1.0, 1e2, 1e4, 1e6] {
            let tire = [stiffness, 1e-3 * stiffness].map(W4::splat);
            let actual = ground_compliance.bearable_tires(tire[0], tire[1], STEP);
            let [stiff, damped] = actual.map(|x| f64::from(x.lane(0)));
            assert!(stiff <= f64::from(stiffness) && stiff > 0.0);
            assert!(swing(stiff, damped) < 1.0, "{stiff} {damped}");
            assert_eq!(
                GroundCompliance::default().bearable_tires(tire[0], tire[1], STEP),
                tire
            );
        }
    }

    #[test]
    fn firmer_rows_would_shake_bodies() {
        let (stiff, damped) = softened(1e9, 0.0);
        assert!(swing(stiff, damped) < 1e-3);
        assert!(swing(3.0 * stiff, 3.0 * damped) > 1e3);
        assert!(swing(stiff, 0.5 * damped) > 1.0);
    }
}
