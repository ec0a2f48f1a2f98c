//! Slips at which tires reach their greatest longitudinal force, over friction.

use crate::base::lanes::W4;
use crate::stages::slip;
use crate::stages::tire_use::{
    ContactMotion, TireOperatingPoint, TireUse, tire_forces, tire_input,
};
use crate::stages::wheel_consts::WheelConsts;

/// Frictions of the table (–), from ice to warm racing tires.
const FRICTIONS: [f32; 7] = [0.05, 0.15, 0.3, 0.5, 0.75, 1.05, 1.5];
/// Number of slips that are tried; the greatest is 1.
const SLIPS: usize = 48;
/// Least slip that is tried, and the ratio of each to the one before (–): the 47th power of the ratio leads from one to the other.
const LEAST_SLIP: f32 = 0.005;
const RATIO: f32 = 1.119_3;
/// Part of the greatest force that counts as it (–): curves are so flat there that the rest would take twice the slip.
const NEARLY: f32 = 0.995;
/// Speed at which the laws are evaluated (`m/s`).
const SPEED: f32 = 20.0;

/// Table of the slips of the greatest longitudinal braking force of four wheels, at rest load without camber and slip angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BestSlips([W4; FRICTIONS.len()]);

impl BestSlips {
    /// The table of these wheels with these tires.
    #[must_use]
    pub(crate) fn new(k: &WheelConsts, tires: &[TireUse]) -> Self {
        Self(FRICTIONS.map(|friction| best_at(k, tires, friction)))
    }

    /// Slip of the greatest force of a wheel on this `friction` (–), 0…1, interpolated linearly.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[must_use]
    pub(crate) fn at(&self, lane: usize, friction: f32) -> f32 {
        let above = FRICTIONS.iter().position(|&known| known > friction);
        let next = above.unwrap_or(FRICTIONS.len() - 1).max(1);
        let (from, to) = (FRICTIONS[next - 1], FRICTIONS[next]);
        let part = ((friction - from) / (to - from)).clamp(0.0, 1.0);
        let [low, high] = [next - 1, next].map(|n| self.0[n].lane(lane));
        low + part * (high - low)
    }
}

/// Slips of the greatest force on this `friction` (–): the least slip with nearly that force.
fn best_at(k: &WheelConsts, tires: &[TireUse], friction: f32) -> W4 {
    let slips = slips();
    let forces = slips.map(|slip| braking_force(k, tires, friction, slip));
    let greatest = forces.iter().copied().fold(W4::ZERO, W4::max);
    let enough = greatest * W4::splat(NEARLY);
    let mut best = W4::ONE;
    for (n, force) in forces.iter().enumerate().rev() {
        best = force.ge(enough).select(W4::splat(slips[n]), best);
    }
    best
}

fn slips() -> [f32; SLIPS] {
    let mut slip = LEAST_SLIP;
    core::array::from_fn(|_| {
        let tried = slip.min(1.0);
        slip *= RATIO;
        tried
    })
}

/// Longitudinal braking force at a `slip` (–) on this `friction` (–), in `N`.
fn braking_force(k: &WheelConsts, tires: &[TireUse], friction: f32, slip: f32) -> W4 {
    let slip_ratio = W4::splat(-slip);
    let friction = W4::splat(friction) * slip::curve_friction(k, slip_ratio);
    let point = TireOperatingPoint {
        load: k.rest_load,
        rest_load: k.rest_load,
        gravity: k.design_gravity,
        ..TireOperatingPoint::default()
    };
    let motion = ContactMotion {
        forward: W4::splat(SPEED),
        left: W4::ZERO,
        rim: W4::splat(SPEED * (1.0 - slip)),
    };
    let input = tire_input(k, &point, &motion, [slip_ratio, W4::ZERO], friction);
    -tire_forces(tires, &input, k.enabled).longitudinal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn slips_lead_to_one() {
        let slips = slips();
        assert!(slips.is_sorted() && slips[SLIPS - 2] < 1.0);
        approx::assert_relative_eq!(slips[SLIPS - 1], 1.0, max_relative = 1e-2);
    }

    /// The tires of the sample car are linear up to friction: the force saturates at μ/stiffness.
    #[test]
    fn the_best_slip_of_a_linear_tire_is_where_it_saturates() {
        let model = testing::model();
        let best = BestSlips::new(&model.wheels()[0], &model.tires()[0]);
        let [low, high] = [0.3, 0.9].map(|friction| best.at(0, friction));
        assert!(low < high, "{low} {high}");
        for (lane, friction) in [(0, 0.3), (3, 0.75)] {
            let k = &model.wheels()[0];
            let force = |slip| braking_force(k, &model.tires()[0], friction, slip).lane(lane);
            let slip = best.at(lane, friction);
            let greatest = slips().map(force).into_iter().fold(0.0, f32::max);
            assert!(force(slip) >= 0.99 * greatest && force(0.8 * slip) < NEARLY * greatest);
        }
        assert_eq!(best.at(1, 0.01), best.at(1, 0.05));
        assert_eq!(best.at(1, 9.0), best.at(1, 1.5));
    }
}
