//! Lines of springs; whole cars are in `vehicle/rows_tests/hops.rs`.

use super::*;
use proptest::prelude::*;

proptest! {
    /// Along its line, a one-sided spring does its work over the displacement, wherever it begins and ends, and pushes on the part of
    /// the displacement that lies in it.
    #[test]
    fn one_sided_springs_do_their_work(stiffness in 1e3f32..1e6, start in -0.1f32..0.1, displacement in -0.1f32..0.1) {
        prop_assume!(displacement.abs() > 1e-4);
        let four = [stiffness, start, displacement].map(W4::splat);
        let (force, slope, share) = one_sided(four[0], four[1], four[2]);
        let [force, slope, share] = [force, slope, share].map(|x| f64::from(x.lane(0)));
        let [stiffness, start, displacement] = [stiffness, start, displacement].map(f64::from);
        let energy = |x: f64| 0.5 * stiffness * x.max(0.0) * x.max(0.0);
        let work = (force + slope * 0.5 * displacement) * displacement;
        let expected = energy(start + displacement) - energy(start);
        let most = energy(start.abs() + displacement.abs());
        prop_assert!((work - expected).abs() < 1e-5 * most, "{work} {expected}");
        prop_assert!((force - stiffness * start.max(0.0)).abs() <= 1e-5 * stiffness);
        let ends = [start, start + displacement];
        let inside = ends[0].max(0.0).max(ends[1]) - ends[0].max(0.0).min(ends[1].max(0.0));
        prop_assert!((share - (inside / displacement.abs()).clamp(0.0, 1.0)).abs() < 1e-4, "{share}");
        prop_assert!(slope >= -1e-3 * stiffness && slope <= stiffness * (1.0 + 1e-5), "{slope}");
    }
}

#[test]
fn a_spring_that_does_not_move_has_its_rate() {
    let (force, slope, share) = one_sided(
        W4::splat(2e5),
        W4::from_array([0.02, 0.0, -0.02, 0.01]),
        W4::ZERO,
    );
    assert_eq!(force.to_array(), [4e3, 0.0, 0.0, 2e3]);
    assert_eq!(slope.to_array(), [2e5, 0.0, 0.0, 2e5]);
    assert_eq!(share.to_array(), [1.0, 0.0, 0.0, 1.0]);
}
