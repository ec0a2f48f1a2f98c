//! Coupled wheels, and friction ellipses.

use super::*;
use crate::stages::load::LoadLine;
use crate::testing::uneven::{close, lanes};

/// Impulses of the second wheel, if they were beyond its ellipse; no other wheel has any.
fn clamped(forward: f32, left: f32, bound: f32, squeeze: f32) -> Option<[f32; 2]> {
    let unbounded = [forward, left].map(|impulse| Mask4::only(1).keep(W4::splat(impulse)));
    let (limited, beyond) = clamp_to_ellipse(unbounded, W4::splat(bound), W4::splat(squeeze));
    assert!(!beyond.lane(0) && limited[0].lane(0) == 0.0);
    beyond
        .lane(1)
        .then(|| limited.map(|impulses| impulses.lane(1)))
}

proptest! {
    /// The force is within the ellipse or on it, and keeps its direction.
    #[test]
    fn forces_beyond_the_ellipse_keep_their_direction(
        forward in -5000f32..5000.0, left in -5000f32..5000.0, bound in 0f32..3000.0,
        side in 0.2f32..3.0,
    ) {
        let used = |[forward, left]: [f32; 2]| f64::from(forward).hypot(f64::from(left) / f64::from(side));
        let unbounded = used([forward, left]);
        prop_assume!((unbounded - f64::from(bound)).abs() > 1e-3 * unbounded);
        match clamped(forward, left, bound, 1.0 / side) {
            None => prop_assert!(unbounded < f64::from(bound)),
            Some(limited) => {
                prop_assert!(unbounded > f64::from(bound));
                prop_assert!((used(limited) - f64::from(bound)).abs() < 1e-5 * unbounded, "{limited:?}");
                let across = limited[0] * left - limited[1] * forward;
                // What is left for the side is a root of a difference.
                prop_assert!(across.abs() < 1e-3 * forward.hypot(left) * bound.max(1.0), "{limited:?}");
                prop_assert!(limited[0] * forward >= 0.0 && limited[1] * left >= 0.0);
            }
        }
    }

    /// A wheel's bound is friction times its filtered load; without a load, it has none.
    #[test]
    fn a_bound_is_friction_times_the_filtered_load(
        wheels in any_wheels(), load in lanes(-2000.0..20_000.0),
        least in prop_oneof![Just(0f32), 0.05f32..0.8], range in 0.5f32..3.0, low in 0f32..0.5, rise in 0f32..3.0,
    ) {
        let filter = LoadFilter {
            min_load: least,
            min_filtered: low,
            max_load: least + range,
            max_filtered: low + rise,
        };
        let wheels = Wheels { filter, ..wheels };
        let (start, rows) = (wheels.start(), wheels.blocks(&wheels.tangent()));
        let actual = rows.bounds(rows.load_impulse(load * W4::splat(wheels.h)));
        let filtered = LoadLine::of(&filter).tire_load(load, start.rest_load);
        for lane in 0..LANES {
            let on = if load.lane(lane) > 0.0 { wheels.h } else { 0.0 };
            let expected = on * start.friction.lane(lane) * filtered.lane(lane);
            prop_assert!(close(actual.lane(lane), expected, 3e2), "{expected} {actual:?}");
        }
    }

    /// A pyramid bounds each force by itself, and leaves the other as it is.
    #[test]
    fn a_pyramid_bounds_each_force(
        forward in -5000f32..5000.0, left in -5000f32..5000.0, bound in 1f32..3000.0, side in 0.2f32..3.0,
    ) {
        let actual = clamped(forward, left, bound, -1.0 / side).unwrap_or([forward, left]);
        let expected = [(forward, bound), (left, bound * side)].map(|(x, most)| x.clamp(-most, most));
        for (actual, expected) in actual.into_iter().zip(expected) {
            prop_assert!((actual - expected).abs() < 1e-3 * (1.0 + expected.abs()), "{actual} {expected}");
        }
    }

    /// A coupled wheel has its ellipse scaled to a circle: the wheel's row slides outside of it, with both forces
    /// scaled down by the same factor.
    #[test]
    fn a_coupled_wheel_slides_on_its_couplings_ellipse(
        wheels in any_wheels(), side in 0.2f32..3.0, load in 500f32..8000.0, spin in -60f32..60.0,
    ) {
        // At the center of mass, a wheel's own rows do not change each other's speeds.
        let wheels = Wheels { points: V3x4::ZERO, ..wheels };
        let tangent = wheels.tangent();
        let mut start = wheels.start();
        start.lateral_grip = W4::splat(side);
        let k = testing::wheel_consts();
        let mut blocks = WheelRows::new(&k, &start, &wheels.rows, &LoadLine::of(&wheels.filter), &tangent, wheels.h);
        // Alone: the wheel beside it has no load.
        let normal = Mask4::only(0).keep(W4::splat(load * wheels.h));
        let bound = blocks.bounds(normal).lane(0);
        let standing_impulse = blocks.longitudinal.impulse(&tangent, 0).lane(0);
        let (turned, across) = (blocks.traction.lane(0) * spin, blocks.circular_lateral_impulse(&tangent).lane(0));
        let unbounded = (standing_impulse + turned).hypot(across);
        prop_assume!((unbounded - bound).abs() > 1e-3 * unbounded);
        let mut after = tangent;
        blocks.sweep_coupled(&mut after, normal, &[Shaft::At(spin); LANES], &axles());
        let [forward, left] = [0, 1].map(|kind| after.impulses[kind].lane(0));
        let share = (bound / unbounded).min(1.0);
        // Terms that nearly cancel, and a root of a difference of squares.
        let near = 1e-3 * (1.0 + standing_impulse.abs() + turned.abs() + across.abs());
        let expected = (standing_impulse + turned) * share;
        prop_assert!((forward - expected).abs() < near, "{forward} {expected}");
        prop_assert!((left / side - across * share).abs() < near, "{left} {across}");
    }

    /// A shaft's impulse on a gripping wheel acts like that of clutch and differential, but does not set the spin.
    #[test]
    fn a_shafts_impulse_acts_like_the_drives(
        wheels in any_wheels(), load in 500f32..8000.0, added in -200f32..200.0,
    ) {
        let gripping = Wheels { friction: 1e6, filter: LoadFilter::OFF, brake: 0.0, drive: 0.0, ..wheels };
        let normal = W4::splat(load * gripping.h);
        let (mut bound, mut free) = (gripping.tangent(), gripping.tangent());
        let mut blocks = gripping.blocks(&bound);
        let before = blocks.spin;
        blocks.sweep_coupled(&mut bound, normal, &[Shaft::Adds(added); LANES], &axles());
        prop_assert_eq!(blocks.spin, before, "the coupling sets it");
        // As if added by clutch and differential.
        blocks.drive = W4::splat(added);
        blocks.sweep(&mut free, normal, &axles());
        prop_assert_eq!(bound, free);
        let mut both = gripping.tangent();
        blocks.sweep_coupled(&mut both, normal, &[Shaft::Free; LANES], &axles());
        prop_assert_eq!(both, free);
    }
}
