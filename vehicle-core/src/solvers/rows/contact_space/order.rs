//! The order in which a sweep solves the lanes.

use crate::base::lanes::{LANES, W4};
use crate::stages::wheel_consts::WheelConsts;

/// Order in which a sweep solves the lanes that are wheels. After one sweep, the rows solved last hold exactly and the first do
/// not: of two wheels that face each other, an axle's, the one that carries more is last. A drive and its mirror image then
/// stay together, whichever side has the first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order([u8; LANES]);

impl Default for Order {
    /// Four wheels by their numbers.
    fn default() -> Self {
        Self([0, 1, 2, 3])
    }
}

impl Order {
    /// Wheels by their numbers.
    #[inline]
    #[must_use]
    pub fn by_number(k: &WheelConsts) -> Self {
        Self(k.lanes)
    }

    /// That of wheels with these normal impulses (`N·s`).
    #[inline]
    #[must_use]
    pub fn heaviest_last(k: &WheelConsts, normal: W4) -> Self {
        let (mates, normal) = (&k.mates, normal.to_array());
        let mut order = Self::by_number(k);
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
        let lanes = self.0.into_iter().map(usize::from);
        lanes.take_while(|lane| *lane < LANES)
    }
}
