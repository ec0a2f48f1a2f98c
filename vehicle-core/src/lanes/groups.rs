//! Groups of four wheels.

use alloc::vec::Vec;

use super::LANES;

/// One `T` per group of four wheels.
///
/// The first group stands inline, so that a four-wheeler's data is one piece of memory without a
/// pointer to follow.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Groups<T> {
    first: T,
    rest: Vec<T>,
}

impl<T> Groups<T> {
    /// Groups for `wheels` wheels, group `g` made by `f(g)`. At least one group.
    #[must_use]
    pub fn for_wheels(wheels: usize, mut f: impl FnMut(usize) -> T) -> Self {
        Self {
            first: f(0),
            rest: (1..wheels.div_ceil(LANES)).map(f).collect(),
        }
    }

    /// How many groups there are.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.rest.len()
    }

    /// The first group, in wheel order.
    #[inline]
    #[must_use]
    pub fn first(&self) -> &T {
        &self.first
    }

    /// Groups in wheel order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.first).chain(self.rest.iter())
    }

    /// Groups in wheel order, to change.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        core::iter::once(&mut self.first).chain(self.rest.iter_mut())
    }
}

impl<T> core::ops::Index<usize> for Groups<T> {
    type Output = T;
    #[inline]
    fn index(&self, group: usize) -> &T {
        if group == 0 {
            &self.first
        } else {
            &self.rest[group - 1]
        }
    }
}

impl<T> core::ops::IndexMut<usize> for Groups<T> {
    #[inline]
    fn index_mut(&mut self, group: usize) -> &mut T {
        if group == 0 {
            &mut self.first
        } else {
            &mut self.rest[group - 1]
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
        assert_eq!(g.count(), groups);
        assert!(g.iter().copied().eq(0..groups));
        assert_eq!(g[groups - 1], groups - 1);
    }
}
