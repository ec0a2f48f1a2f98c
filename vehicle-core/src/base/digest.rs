//! A short digest of numbers, to find out later whether any of them has changed.

use super::lanes::{V3x4, W4};

/// A digest of numbers, bit by bit, except that zeros are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Digest {
    /// Digest of no numbers.
    pub(crate) const fn new() -> Self {
        Self(0)
    }

    /// This digest with one more word.
    #[inline]
    #[must_use]
    pub(crate) const fn word(self, word: u32) -> Self {
        // Fibonacci hashing; the rotation lets high bits act on low ones.
        Self((self.0.rotate_left(23) ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// This digest with more numbers.
    #[inline]
    #[must_use]
    pub(crate) fn numbers(self, numbers: &[f32]) -> Self {
        let word = |digest: Self, number: &f32| digest.word((number + 0.0).to_bits());
        numbers.iter().fold(self, word)
    }

    /// This digest with a number of each lane.
    #[inline]
    #[must_use]
    pub(crate) fn lanes(self, numbers: W4) -> Self {
        self.numbers(&numbers.to_array())
    }

    /// This digest with a vector of each lane.
    #[must_use]
    pub(crate) fn vectors(self, vectors: V3x4) -> Self {
        self.lanes(vectors.x).lanes(vectors.y).lanes(vectors.z)
    }

    /// The digest, never 0. Other numbers give the same one in one of 2³² cases.
    pub(crate) const fn long(self) -> u32 {
        let folded = (self.0 >> 32) as u32;
        if folded == 0 { 1 } else { folded }
    }

    /// The digest in 16 bits, never 0. Other numbers give the same one in one of 2¹⁶ cases.
    pub(crate) const fn short(self) -> u16 {
        let folded = (self.0 >> 48) as u16;
        if folded == 0 { 1 } else { folded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    fn of(numbers: &[f32]) -> u32 {
        Digest::new().numbers(numbers).long()
    }

    #[test]
    fn zeros_are_alike_and_something_is_known_of_them() {
        assert_eq!(of(&[0.0, -0.0]), of(&[-0.0, 0.0]));
        assert_eq!((of(&[]), Digest::new().short()), (1, 1), "not 0");
    }

    #[test]
    fn order_and_number_count() {
        assert_ne!(of(&[1.0, 2.0]), of(&[2.0, 1.0]));
        assert_ne!(of(&[1.0]), of(&[1.0, 0.0]));
        let vectors = |v: Vec3| Digest::new().vectors(V3x4::splat(v)).short();
        assert_ne!(vectors(Vec3::X), vectors(Vec3::Y));
        assert_ne!(vectors(Vec3::Y), vectors(Vec3::Z));
    }

    proptest! {
        /// A change of signs alone changes the digest, too: signs are the highest bits of their words.
        #[test]
        fn a_change_is_seen(
            numbers in proptest::collection::vec(0.1_f32..10.0, 2..20),
            signs in proptest::collection::vec(any::<bool>(), 20),
        ) {
            let turned: alloc::vec::Vec<f32> =
                numbers.iter().zip(&signs).map(|(n, turn)| if *turn { -n } else { *n }).collect();
            prop_assert_eq!(of(&turned) == of(&numbers), turned == numbers);
            let mut nudged = numbers.clone();
            nudged[0] = nudged[0].next_up();
            prop_assert_ne!(of(&nudged), of(&numbers));
        }
    }
}
