use alloc::vec;

use super::*;
use crate::params::{DamperKnee, Damping};
use crate::testing;
use proptest::prelude::*;
use rstest::rstest;

/// 3000 N·s/m in compression and 1000 beyond 0.5 m/s; 4000 in extension.
fn digressive() -> Damping {
    Damping {
        bump: DamperStroke {
            rate: 3000.0,
            knee: Some(DamperKnee {
                speed: 0.5,
                rate: 1000.0,
            }),
        },
        rebound: DamperStroke {
            rate: 4000.0,
            knee: None,
        },
    }
}

fn curves(change: impl FnOnce(&mut WheelParams)) -> StrutCurves {
    let mut wheel = testing::four_wheeler().wheels.remove(0);
    change(&mut wheel);
    assert!(StrutCurves::are_needed(&wheel));
    StrutCurves::new(&[wheel])
}

#[rstest]
#[case::slow_bump(0.2, 600.0)]
#[case::at_the_knee(0.5, 1500.0)]
#[case::fast_bump(2.5, 3500.0)]
#[case::rebound(-2.0, -8000.0)]
#[case::still(0.0, 0.0)]
fn a_damper_follows_its_curve(#[case] speed: f32, #[case] force: f32) {
    let curves = curves(|w| w.suspension.damping = digressive());
    assert!(curves.bends);
    let found = (curves.damper(W4::splat(speed)) * W4::splat(speed)).lane(0);
    assert!((found - force).abs() < 1e-3, "{found}");
}

#[rstest]
#[case::below(-0.5, 0.1)]
#[case::at_a_point(0.0, 0.3)]
#[case::between(0.05, 0.2)]
#[case::beyond(9.0, 0.1)]
fn tables_are_linear_between_their_points_and_constant_outside(
    #[case] jounce: f32,
    #[case] value: f32,
) {
    let curves = curves(|w| w.compliance.toe = vec![(-0.1, 0.1), (0.0, 0.3), (0.1, 0.1)]);
    assert!(!curves.bends);
    assert!((curves.toe(W4::splat(jounce)).lane(3) - value).abs() < 1e-6);
}

#[test]
fn short_tables_are_constants_and_empty_ones_nothing() {
    let curves = curves(|w| {
        w.compliance.camber = vec![(0.2, -0.01)];
        w.compliance.tire_point = vec![(0.0, Vec3::ZERO), (0.1, Vec3::new(0.02, 0.0, 0.04))];
        w.suspension.roll_influence = 0.5;
    });
    let k = testing::wheel_consts();
    let at = |jounce: f32| Yielded::new(&k, &curves, &Steering::STRAIGHT, W4::splat(jounce));
    for jounce in [-0.3, 0.0, 0.4] {
        assert_eq!(camber(&k, Some(&curves), W4::splat(jounce)).lane(0), -0.01);
        assert_eq!(at(jounce).steering, Steering::STRAIGHT);
        assert_eq!(at(jounce).suspension_point, k.suspension_point);
    }
    let moved = at(0.05).tire_point.lane(0) - k.tire_point.lane(0);
    assert!(
        (moved - Vec3::new(0.01, 0.0, 0.02)).length() < 1e-6,
        "{moved}"
    );
    let side = at(0.05).side_point.lane(0);
    assert!((side.z - 0.5 * at(0.05).tire_point.lane(0).z).abs() < 1e-6);
}

proptest! {
    /// A damper takes energy whatever its curve, and its force is continuous.
    #[test]
    fn dampers_resist(
        rates in prop::array::uniform4(0f32..20_000.0), knees in prop::array::uniform2(0.01f32..5.0),
        speed in -20f32..20.0,
    ) {
        let stroke = |n: usize| DamperStroke {
            rate: rates[n],
            knee: Some(DamperKnee { speed: knees[n], rate: rates[n + 2] }),
        };
        let damping = Damping { bump: stroke(0), rebound: stroke(1) };
        let curves = curves(|w| w.suspension.damping = damping);
        let rate = |speed: f32| curves.damper(W4::splat(speed)).lane(0);
        prop_assert!(rate(speed) >= 0.0 && rate(speed).is_finite());
        let near = speed * 1.0001;
        let step = (rate(near) * near - rate(speed) * speed).abs();
        prop_assert!(step <= 20_000.0 * 1.01 * 1e-4 * speed.abs() + 0.2, "{step}");
    }
}
