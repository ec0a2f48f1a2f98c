//! Friction bounds: the bound of a wheel's impulses at its normal impulse, and the ellipse or pyramid of both (ROWS §6).

use crate::base::lanes::{Mask4, W4};
use crate::base::math;
use crate::stages::load::LoadLine;

use super::{WheelStart, clamp4};
use crate::solvers::rows::tuning::LEAST_GRIP;

/// The tires' longitudinal and lateral impulses, scaled down to ellipses with semi-axes `bound` and `bound/|squeeze|`, and the
/// wheels at which they were beyond. With a negative `squeeze` (a pyramid) each is bounded by its semi-axis alone.
#[inline(always)]
pub(super) fn clamp_to_ellipse(unbounded: [W4; 2], bound: W4, squeeze: W4) -> ([W4; 2], Mask4) {
    let [longitudinal, lateral] = unbounded;
    let circular = lateral * squeeze;
    let square = longitudinal * longitudinal + circular * circular;
    let beyond = square.gt(bound * bound);
    if !beyond.any() {
        return (unbounded, beyond);
    }
    let pyramid = squeeze.lt(W4::ZERO);
    let scaled = longitudinal * (bound / square.sqrt());
    let rest = (bound * bound - scaled * scaled).max(W4::ZERO).sqrt();
    let scaled = pyramid.select(clamp4(longitudinal, bound), scaled);
    let rest = pyramid.select(bound, rest);
    let limited = [scaled, clamp4(circular, rest) / squeeze];
    let limited = core::array::from_fn(|n| beyond.select(limited[n], unbounded[n]));
    (limited, beyond)
}

/// Longitudinal friction bound for a normal impulse `λ_n` > 0: `least + slope·min(λ_n, most)`; otherwise 0. Impulses
/// below `flat` count as `flat`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FrictionBound {
    least: W4,
    pub(super) slope: W4,
    most: W4,
    /// Only if the filter's least load is above 0.
    pub(super) flat: Option<W4>,
    /// Maximum longitudinal over maximum lateral impulse (–); negative for a pyramid.
    pub(super) squeeze: W4,
}

impl FrictionBound {
    /// The load filter is linear between its minimum and its maximum load, and constant outside. `shape` is 1 for
    /// cones and −1 for pyramids.
    #[inline]
    pub(super) fn new(line: &LoadLine, start: &WheelStart, shape: W4, step: W4) -> Self {
        let LoadLine { filter, slope } = *line;
        let rest = start.rest_load * step;
        let at_zero = filter.min_filtered - slope * filter.min_load;
        Self {
            least: start.friction * rest * W4::splat(at_zero),
            flat: (filter.min_load > 0.0).then(|| rest * W4::splat(filter.min_load)),
            slope: start.friction * W4::splat(slope),
            most: rest * W4::splat(filter.max_load),
            squeeze: shape / start.lateral_grip,
        }
    }

    /// The bounds of all wheels at once.
    #[inline]
    pub(super) fn of_all(&self, normal: W4) -> W4 {
        let count = self.least + self.slope * normal.min(self.most);
        normal.gt(W4::ZERO).keep(count)
    }

    /// [`Self::pyramid`] of all wheels, for these longitudinal and lateral impulses.
    // Out of line: few tires have one.
    #[inline(never)]
    pub(super) fn pyramids(&self, whole: W4, impulses: [W4; 2], lifting: [W4; 2]) -> W4 {
        W4::from_fn(|lane| {
            let [longitudinal, lateral] = impulses.map(|impulses| impulses.lane(lane));
            let along = |force: f32, fraction: W4| {
                let fraction = fraction.lane(lane);
                if force < 0.0 { -fraction } else { fraction }
            };
            let lifting = [along(longitudinal, lifting[0]), along(lateral, lifting[1])];
            let sizes = [longitudinal.abs(), lateral.abs()];
            self.pyramid(lane, whole.lane(lane), sizes, lifting)
        })
    }

    /// Longitudinal bound B of a pyramid, for impulses of these sizes that lift the wheel by these fractions t of them; it is
    /// `whole` for impulses that lift nothing. Each impulse is bounded by itself, `B = μ·(N − Σ t·min(size, its bound))`. The
    /// smaller, over its own bound, is the first that fits.
    fn pyramid(&self, lane: usize, whole: f32, sizes: [f32; 2], lifting: [f32; 2]) -> f32 {
        let slope = self.slope.lane(lane);
        let scales = [1.0, -self.squeeze.lane(lane)];
        let reached: [f32; 2] = core::array::from_fn(|n| sizes[n] * scales[n]);
        let lifts: [f32; 2] = core::array::from_fn(|n| slope * lifting[n] / scales[n]);
        let grip_after = |lift: f32| math::greater(1.0 + lift, LEAST_GRIP);
        let (small, large) = if reached[0] < reached[1] {
            (0, 1)
        } else {
            (1, 0)
        };
        let both = whole / grip_after(lifts[0] + lifts[1]);
        if both <= reached[small] {
            return both;
        }
        let rest = math::greater(whole - lifts[small] * reached[small], 0.0);
        let one = rest / grip_after(lifts[large]);
        if one <= reached[large] {
            return one;
        }
        math::greater(rest - lifts[large] * reached[large], 0.0)
    }
}
