//! The order in which a sweep solves the lanes.

use crate::base::lanes::{LANES, W4};

/// Order in which a sweep solves the lanes. After one sweep, the rows solved last hold exactly and the first do not: of
/// two wheels that face each other, an axle's, the one that carries more is last. A drive and its mirror image then stay
/// together, whichever side has the first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order([u8; LANES]);

impl Default for Order {
    /// By their numbers.
    fn default() -> Self {
        Self([0, 1, 2, 3])
    }
}

impl Order {
    /// That of wheels with these `mates`, each other's or their own, and normal impulses (`N·s`).
    #[inline]
    #[must_use]
    pub fn heaviest_last(mates: &[u8; LANES], normal: W4) -> Self {
        let normal = normal.to_array();
        let mut order = Self::default();
        for lane in 0..LANES {
            let mate = usize::from(mates[lane] & 3);
            if lane < mate && normal[lane] > normal[mate] {
                order.0.swap(lane, mate);
            }
        }
        order
    }

    /// The lanes in this order.
    #[inline]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        (0..LANES).map(move |place| usize::from(self.0[place] & 3))
    }
}
