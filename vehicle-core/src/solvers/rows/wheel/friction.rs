//! What friction bounds: the bound of a wheel's impulses at its normal impulse, and the ellipse or pyramid of both (ROWS §6).

use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::stages::load::LoadLine;

use super::{WheelStart, clamp};

/// Least part of a tire's force that its own lifting leaves to be held by friction (–).
pub(super) const LEAST_HOLD: f32 = 0.1;

/// The tire's impulses forward and to the left, scaled down to the ellipse with semi-axes `bound` and
/// `bound/|squeeze|`; `None` if they are within it. With a negative `squeeze` (a pyramid) each is bounded by its
/// semi-axis alone.
#[inline]
pub(super) fn clamp_to_ellipse(
    forward: f32,
    left: f32,
    bound: f32,
    squeeze: f32,
) -> Option<[f32; 2]> {
    let across = left * squeeze;
    let square = forward * forward + across * across;
    (square > bound * bound).then(|| {
        if squeeze < 0.0 {
            return [clamp(forward, bound), clamp(left, -bound / squeeze)];
        }
        let forward = forward * (bound / math::sqrt(square));
        let rest = math::sqrt(math::greater(bound * bound - forward * forward, 0.0));
        [forward, clamp(across, rest) / squeeze]
    })
}

/// Friction bound forward for a normal impulse `λ_n` > 0: `least + slope·min(λ_n, most)`; otherwise 0. Impulses
/// below `flat` count as `flat`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FrictionBound {
    least: [f32; LANES],
    pub(super) slope: [f32; LANES],
    most: [f32; LANES],
    /// Only if the filter's least load is above 0.
    pub(super) flat: Option<W4>,
    /// Maximum longitudinal over maximum lateral impulse (–); negative for a pyramid.
    pub(super) squeeze: [f32; LANES],
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
            least: (start.friction * rest * W4::splat(at_zero)).to_array(),
            flat: (filter.min_load > 0.0).then(|| rest * W4::splat(filter.min_load)),
            slope: (start.friction * W4::splat(slope)).to_array(),
            most: (rest * W4::splat(filter.max_load)).to_array(),
            squeeze: (shape / start.side_grip).to_array(),
        }
    }

    #[inline]
    pub(super) fn at(&self, lane: usize, normal: f32) -> f32 {
        if normal > 0.0 {
            self.least[lane] + self.slope[lane] * math::lesser(normal, self.most[lane])
        } else {
            0.0
        }
    }

    /// The bounds of all wheels at once.
    #[inline]
    pub(super) fn of_all(&self, normal: W4) -> W4 {
        let [least, slope, most] = [self.least, self.slope, self.most].map(W4::from_array);
        normal.gt(W4::ZERO).keep(least + slope * normal.min(most))
    }

    /// Bound B forward of a pyramid, which is `whole` for impulses that lift nothing, for impulses of these sizes that lift the
    /// wheel by these `parts` t of them: each is bounded by itself, `B = μ·(N − Σ t·min(size, its bound))`. The smaller, over
    /// its own bound, is the first that fits.
    pub(super) fn pyramid(&self, lane: usize, whole: f32, sizes: [f32; 2], parts: [f32; 2]) -> f32 {
        let slope = self.slope[lane];
        let scales = [1.0, -self.squeeze[lane]];
        let reached: [f32; 2] = core::array::from_fn(|n| sizes[n] * scales[n]);
        let held: [f32; 2] = core::array::from_fn(|n| slope * parts[n] / scales[n]);
        let hold = |held: f32| math::greater(1.0 + held, LEAST_HOLD);
        let (small, large) = if reached[0] < reached[1] {
            (0, 1)
        } else {
            (1, 0)
        };
        let both = whole / hold(held[0] + held[1]);
        if both <= reached[small] {
            return both;
        }
        let rest = math::greater(whole - held[small] * reached[small], 0.0);
        let one = rest / hold(held[large]);
        if one <= reached[large] {
            return one;
        }
        math::greater(rest - held[large] * reached[large], 0.0)
    }
}
