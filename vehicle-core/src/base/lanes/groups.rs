//! Groups of four wheels.

use alloc::vec::Vec;

use super::LANES;

/// One `T` per group of four wheels.
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

    /// The groups, in wheel order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            Storage::One(one) => one,
            Storage::More(more) => more,
        }
    }

    /// The groups, in wheel order, mutable.
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        match &mut self.0 {
            Storage::One(one) => one,
            Storage::More(more) => more,
        }
    }

    /// Number of groups, at least 1.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.as_slice().len()
    }

    /// The first group, in wheel order.
    #[inline]
    #[must_use]
    pub fn first(&self) -> &T {
        &self.as_slice()[0]
    }

    /// Groups in wheel order.
    #[inline]
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// Groups in wheel order, mutable.
    #[inline]
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, T> {
        self.as_mut_slice().iter_mut()
    }
}

impl<T> core::ops::Index<usize> for Groups<T> {
    type Output = T;
    #[inline]
    fn index(&self, group: usize) -> &T {
        &self.as_slice()[group]
    }
}

impl<T> core::ops::IndexMut<usize> for Groups<T> {
    #[inline]
    fn index_mut(&mut self, group: usize) -> &mut T {
        &mut self.as_mut_slice()[group]
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
        assert_eq!(g.count(), groups);
        assert!(g.iter().copied().eq(0..groups));
        assert_eq!(g[groups - 1], groups - 1);
    }
}
