//! Reproducible random numbers, in single precision as PhysX writes them.

use core::ops::Range;

use serde_json::Value;

/// `SplitMix64` of Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The dice of one scenario.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed);
        // Neighboring seeds and numbers share no sequence.
        Self(dice.next() ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in a range.
    pub(super) fn within(&mut self, range: Range<f32>) -> f32 {
        let share = (self.next() >> 40) as f32 / (1_u32 << 24) as f32;
        range.start + (range.end - range.start) * share
    }

    /// A whole number in a range.
    pub(super) fn whole(&mut self, range: Range<usize>) -> usize {
        range.start + (self.next() % (range.end - range.start) as u64) as usize
    }

    /// One of some.
    pub(super) fn one_of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.whole(0..some.len())]
    }

    /// A fixed number as often as one in a range.
    pub(super) fn either(&mut self, fixed: f32, range: Range<f32>) -> f32 {
        if self.chance(0.5) {
            fixed
        } else {
            self.within(range)
        }
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f32) -> bool {
        self.within(0.0..1.0) < probability
    }

    /// Numbers in a range, as a list.
    pub(super) fn list(&mut self, count: usize, range: &Range<f32>) -> Value {
        (0..count).map(|_| self.within(range.clone())).collect()
    }
}
