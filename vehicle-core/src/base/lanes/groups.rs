//! Groups of four wheels.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::LANES;

/// One `T` per group of four wheels: a slice in wheel order.
///
/// A single group is stored inline, so that a four-wheeler's data is contiguous, without a pointer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Groups<T>(Storage<T>);

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
enum Storage<T> {
    One([T; 1]),
    More(Vec<T>),
}

impl<T: Default> Default for Groups<T> {
    fn default() -> Self {
        Self(Storage::One([T::default()]))
    }
}

impl<T> Groups<T> {
    /// Groups for `wheels` wheels, group `g` made by `f(g)`. At least one group.
    #[must_use]
    pub fn for_wheels(wheels: usize, mut f: impl FnMut(usize) -> T) -> Self {
        let count = wheels.div_ceil(LANES);
        Self(if count > 1 {
            Storage::More((0..count).map(f).collect())
        } else {
            Storage::One([f(0)])
        })
    }

    /// The first group, in wheel order.
    #[inline]
    #[must_use]
    pub fn first(&self) -> &T {
        &self[0]
    }
}

impl<T> Deref for Groups<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Storage::One(one) => one,
            Storage::More(more) => more,
        }
    }
}

impl<T> DerefMut for Groups<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Storage::One(one) => one,
            Storage::More(more) => more,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(0, 1)]
    #[case(3, 1)]
    #[case(4, 1)]
    #[case(5, 2)]
    #[case(20, 5)]
    fn groups_hold_four_wheels_each(#[case] wheels: usize, #[case] groups: usize) {
        let g = Groups::for_wheels(wheels, |i| i);
        assert_eq!(g.len(), groups);
        assert!(g.iter().copied().eq(0..groups));
        assert_eq!(g[groups - 1], groups - 1);
    }
}
