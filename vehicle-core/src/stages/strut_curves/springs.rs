//! Springs of four wheels at once, and their curves.

use alloc::vec::Vec;

use crate::base::lanes::{LANES, W4};
use crate::stages::polyline::Polyline;

/// A linear spring as a curve.
const LINEAR: [(f32, f32); 2] = [(0.0, 0.0), (1.0, 1.0)];

/// Curves of springs: force over stiffness (`m`) over jounce (`m`).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpringCurve {
    pub(super) force: Polyline,
    /// Inverse of `force`: jounce over force.
    pub(super) jounce: Polyline,
}

impl SpringCurve {
    /// Spring curves of four wheels; `None` if all springs are linear.
    pub(super) fn new<'a>(curve: impl Fn(usize) -> &'a [(f32, f32)]) -> Option<Self> {
        if (0..LANES).all(|lane| curve(lane).is_empty()) {
            return None;
        }
        let points = |lane: usize| match curve(lane) {
            [] => &LINEAR,
            points => points,
        };
        let swapped: [Vec<(f32, f32)>; LANES] =
            core::array::from_fn(|lane| points(lane).iter().map(|&(x, y)| (y, x)).collect());
        Some(Self {
            force: Polyline::through_origin(points),
            jounce: Polyline::through_origin(|lane| &swapped[lane]),
        })
    }
}

/// Springs of four wheels along a part of their travel: force `preload + stiffness·j`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Springs {
    /// Force at jounce 0 (`N`).
    pub preload: W4,
    /// Stiffness (`N/m`).
    pub stiffness: W4,
}
