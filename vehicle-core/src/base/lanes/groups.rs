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

    /// Calls `f` with the number of each group and the group.
    ///
    /// A four-wheeler's is not a loop: before one, the compiler finds out how often to unroll it, which takes longer than
    /// most that is done for a group. And the code for more lies apart, so that what a four-wheeler executes is dense.
    #[inline(always)]
    pub fn each<'a>(&'a self, mut f: impl FnMut(usize, &'a T)) {
        match &self.0 {
            Storage::One([only]) => f(0, only),
            Storage::More(more) => {
                more.iter().enumerate().for_each(|(g, group)| f(g, group));
            }
        }
    }

    /// Calls `f` with the number of each group and the group, mutable.
    #[inline(always)]
    pub fn each_mut(&mut self, mut f: impl FnMut(usize, &mut T)) {
        match &mut self.0 {
            Storage::One([only]) => f(0, only),
            Storage::More(more) => {
                let groups = more.iter_mut().enumerate();
                groups.for_each(|(g, group)| f(g, group));
            }
        }
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

    #[rstest]
    #[case(4)]
    #[case(9)]
    fn each_group_is_met_in_order(#[case] wheels: usize) {
        let mut doubled = Groups::for_wheels(wheels, |_| 0);
        doubled.each_mut(|g, group| *group = 2 * g);
        let mut met = Vec::new();
        doubled.each(|g, group| met.push((g, *group)));
        assert_eq!(met, [(0, 0), (1, 2), (2, 4)][..doubled.len()]);
    }
}
