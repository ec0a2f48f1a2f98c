//! Tire load from suspension force.

use crate::base::lanes::W4;
use crate::params::LoadFilter;

/// A load filter as a line between its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadLine {
    pub(crate) filter: LoadFilter,
    /// Filtered over normalized load (–).
    pub(crate) slope: f32,
}

impl LoadLine {
    /// Load line of a filter.
    #[inline]
    #[must_use]
    pub fn of(filter: &LoadFilter) -> Self {
        let rise = filter.max_filtered - filter.min_filtered;
        Self {
            filter: *filter,
            slope: rise / (filter.max_load - filter.min_load),
        }
    }

    /// Tire load (`N`) from suspension force (`N`) and rest load (`N`) (ALGORITHMS §3.6).
    // Without a division by the rest load, for which the tire would wait.
    #[inline]
    #[must_use]
    pub fn tire_load(&self, force: W4, rest_load: W4) -> W4 {
        let Self { filter, slope } = self;
        let of_rest = |share: f32| W4::splat(share) * rest_load;
        let (low, high) = (of_rest(filter.min_load), of_rest(filter.max_load));
        let (least, most) = (of_rest(filter.min_filtered), of_rest(filter.max_filtered));
        let between = least + (force - low) * W4::splat(*slope);
        let capped = force.ge(high).select(most, between);
        force.le(low).select(least, capped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::lanes::LANES;
    use crate::testing::uneven::{close, lanes};
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case(-1.0, 0.2308)]
    #[case(0.0, 0.2308)]
    #[case(1.5, 1.6154)]
    #[case(3.0, 3.0)]
    #[case(9.0, 3.0)]
    fn physx_filter(#[case] load: f32, #[case] expected: f32) {
        let got = LoadLine::of(&LoadFilter::PHYSX)
            .tire_load(W4::splat(load), W4::ONE)
            .lane(0);
        assert!((got - expected).abs() < 1e-6, "{got}");
    }

    #[test]
    fn without_a_filter_the_load_is_the_force() {
        let force = W4::from_array([-50.0, 0.0, 3000.0, 9000.0]);
        let load = LoadLine::of(&LoadFilter::OFF).tire_load(force, W4::splat(4000.0));
        let expected = [0.0, 0.0, 3000.0, 9000.0];
        for (lane, expected) in expected.into_iter().enumerate() {
            assert!((load.lane(lane) - expected).abs() < 1e-2, "{load:?}");
        }
    }

    proptest! {
        /// A filter is a line between its two points and constant outside, and the load is what it makes
        /// of the force over that at rest.
        #[test]
        fn a_filter_is_a_line_between_its_points(
            least in -0.5f32..0.5, range in 0.5f32..3.0, low in 0.1f32..0.5, rise in 0.5f32..3.0,
            force in lanes(-4000.0..16_000.0), rest in lanes(2000.0..6000.0),
        ) {
            let filter = LoadFilter {
                min_load: least,
                min_filtered: low,
                max_load: least + range,
                max_filtered: low + rise,
            };
            let actual = LoadLine::of(&filter).tire_load(force, rest);
            for lane in 0..LANES {
                let share = ((force.lane(lane) / rest.lane(lane) - least) / range).clamp(0.0, 1.0);
                let expected = (low + rise * share) * rest.lane(lane);
                prop_assert!(close(actual.lane(lane), expected, 3e4), "{expected} {actual:?}");
            }
        }
    }
}
