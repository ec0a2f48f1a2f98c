//! Dampers of four wheels at once: coefficients with knees, or curves.

use crate::base::lanes::{Mask4, W4};
use crate::params::DamperStroke;
use crate::stages::polyline::Polyline;

/// Damper curves in one direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strokes {
    /// Coefficient at low speed (`N·s/m`).
    rate: W4,
    /// Speed at the knee (`m/s`).
    knee: W4,
    /// Coefficient beyond the knee (`N·s/m`).
    beyond: W4,
    /// Wheels with a curve instead, and the curve: force over `rate` at a speed (`m/s`).
    curve: Option<(Mask4, Polyline)>,
}

impl Strokes {
    pub(super) fn new<'a>(
        stroke: impl Fn(usize) -> DamperStroke,
        curve: impl Fn(usize) -> &'a [(f32, f32)],
    ) -> Self {
        let knee = |lane: usize| stroke(lane).knee;
        let curved = Mask4::from_fn(|lane| !curve(lane).is_empty());
        Self {
            curve: curved
                .any()
                .then(|| (curved, Polyline::through_origin(curve))),
            rate: W4::from_fn(|lane| stroke(lane).rate),
            knee: W4::from_fn(|lane| knee(lane).map_or(f32::MAX, |knee| knee.speed)),
            beyond: W4::from_fn(|lane| knee(lane).map_or(0.0, |knee| knee.rate)),
        }
    }

    /// Force over speed at a speed ≥ 0 (`N·s/m`).
    pub(super) fn secant(&self, speed: W4) -> W4 {
        let over = (speed - self.knee).max(W4::ZERO);
        let share = over / speed.max(self.knee);
        let plain = self.rate + (self.beyond - self.rate) * share;
        match &self.curve {
            None => plain,
            Some((curved, curve)) => curved.select(self.rate * over_speed(curve, speed), plain),
        }
    }
}

/// A curve's value over the speed.
fn over_speed(curve: &Polyline, speed: W4) -> W4 {
    let speed = speed.max(W4::splat(LEAST_SPEED));
    curve.at(speed) / speed
}

/// Below this speed (`m/s`), a damper keeps its coefficient.
const LEAST_SPEED: f32 = 1e-6;
