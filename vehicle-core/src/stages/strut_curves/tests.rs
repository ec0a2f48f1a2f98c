use alloc::vec;

use super::*;
use crate::params::{DamperKnee, DamperStroke, Damping};
use crate::stages::alignment::WheelAlignment;
use crate::stages::steering::Steering;
use crate::testing;
use crate::testing::model_of;
use crate::testing::uneven::{close, lanes, near, uneven, uneven_consts};
use glam::Vec2;
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
    let actual = (curves.damper(W4::splat(speed)) * W4::splat(speed)).lane(0);
    assert!((actual - force).abs() < 1e-3, "{actual}");
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
    assert!((curves.toe(W4::splat(jounce), None).lane(3) - value).abs() < 1e-6);
}

#[test]
fn short_tables_are_constants_and_empty_ones_nothing() {
    let curves = curves(|w| {
        w.compliance.camber = vec![(0.2, -0.01)];
        w.compliance.tire_point = vec![(0.0, Vec3::ZERO), (0.1, Vec3::new(0.02, 0.0, 0.04))];
        w.suspension.roll_influence = 0.5;
    });
    let k = testing::wheel_consts();
    let (of, straight) = (Some(&curves), Steering::STRAIGHT);
    let alignment = |jounce: f32| {
        let mut room = None;
        let alignment = WheelAlignment::new(&k, of, &straight, W4::splat(jounce), None, &mut room);
        assert_eq!(*alignment.steer_sin, straight.sin);
        assert_eq!(*alignment.suspension_point, k.suspension_point);
        [*alignment.tire_point, *alignment.side_point].map(|point| point.lane(0))
    };
    for jounce in [-0.3, 0.0, 0.4] {
        assert_eq!(
            camber(&k, Some(&curves), W4::splat(jounce), None).lane(0),
            -0.01
        );
        alignment(jounce);
    }
    let [tire, side] = alignment(0.05);
    let moved = tire - k.tire_point.lane(0);
    assert!(
        (moved - Vec3::new(0.01, 0.0, 0.02)).length() < 1e-6,
        "{moved}"
    );
    assert!((side.z - 0.5 * tire.z).abs() < 1e-6);
}

/// Each table that moves or turns a wheel counts on its own; links and camber do neither.
#[rstest]
#[case::toe(|c: &mut Compliance| c.toe = vec![(0.0, 0.0), (0.1, 0.02)], true)]
#[case::roll_steer(|c: &mut Compliance| c.roll_steer = 0.1, true)]
#[case::toe_by_force(|c: &mut Compliance| c.toe_by_force[1] = vec![(0.0, 0.0), (1e3, 0.01)], true)]
#[case::shift(|c: &mut Compliance| c.shift = vec![(0.0, Vec2::ZERO), (0.1, Vec2::ONE)], true)]
#[case::shift_by_force(|c: &mut Compliance| c.shift_by_force[0] = vec![(0.0, Vec2::X)], true)]
#[case::suspension_point(|c: &mut Compliance| c.suspension_point = vec![(0.0, Vec3::X)], true)]
#[case::tire_point(|c: &mut Compliance| c.tire_point = vec![(0.0, Vec3::X)], true)]
#[case::camber(|c: &mut Compliance| c.camber = vec![(0.0, 0.1)], false)]
#[case::links(|c: &mut Compliance| c.links = Some(LinkSlopes::default()), false)]
fn compliance_that_changes_alignment_is_known(
    #[case] change: fn(&mut Compliance),
    #[case] changes: bool,
) {
    assert_eq!(
        curves(|w| change(&mut w.compliance)).changes_alignment,
        changes
    );
}

proptest! {
    /// A damper takes energy whatever its curve, and its force is continuous.
    #[test]
    fn damper_rates_are_not_negative(
        rates in prop::array::uniform4(0f32..20_000.0), knees in prop::array::uniform2(0.01f32..5.0),
        speed in -20f32..20.0,
    ) {
        let stroke = |n: usize| DamperStroke {
            rate: rates[n],
            knee: Some(DamperKnee { speed: knees[n], rate: rates[n + 2] }),
        };
        let damping = Damping { bump: stroke(0), rebound: stroke(1) };
        let curves = curves(|w| w.suspension.damping = damping);
        let coefficient = |speed: f32| curves.damper(W4::splat(speed)).lane(0);
        prop_assert!(coefficient(speed) >= 0.0 && coefficient(speed).is_finite());
        let near = speed * 1.0001;
        let step = (coefficient(near) * near - coefficient(speed) * speed).abs();
        prop_assert!(step <= 20_000.0 * 1.01 * 1e-4 * speed.abs() + 0.2, "{step}");
    }
}

/// A wheel whose every table says something.
fn make_compliant(wheel: &mut WheelParams, n: f32) {
    let c = &mut wheel.compliance;
    c.toe = vec![(-0.1, -0.02), (0.05, 0.01 * (n + 1.0)), (0.2, 0.04)];
    c.camber = vec![(-0.05, 0.01), (0.1 + 0.01 * n, -0.03)];
    c.suspension_point = vec![(0.0, Vec3::ZERO), (0.1, Vec3::new(0.01, -0.02 * n, 0.03))];
    c.tire_point = vec![
        (-0.1, Vec3::new(0.0, 0.02, -0.01 * n)),
        (0.1, Vec3::ONE * 0.05),
    ];
    let stroke = |rate: f32| DamperStroke {
        rate,
        knee: Some(DamperKnee {
            speed: 0.3 + 0.1 * n,
            rate: 0.4 * rate,
        }),
    };
    wheel.suspension.damping = Damping {
        bump: stroke(3000.0 + 300.0 * n),
        rebound: stroke(4000.0 + 200.0 * n),
    };
}

/// Value of a table at a jounce: linear between its points, constant outside.
fn interpolated<T>(points: &[(f32, T)], jounce: f32) -> T
where
    T: Copy + core::ops::Add<Output = T> + core::ops::Mul<f32, Output = T>,
{
    let after = points.iter().position(|(x, _)| jounce <= *x);
    match after {
        Some(0) => points[0].1,
        None => points[points.len() - 1].1,
        Some(n) => {
            let ((x0, y0), (x1, y1)) = (points[n - 1], points[n]);
            let share = (jounce - x0) / (x1 - x0);
            y0 * (1.0 - share) + y1 * share
        }
    }
}

fn damper_force(stroke: DamperStroke, speed: f32) -> f32 {
    let knee = stroke.knee.unwrap();
    stroke.rate * speed.min(knee.speed) + knee.rate * (speed - knee.speed).max(0.0)
}

fn steering(angle: W4) -> Steering {
    let mut steering = Steering::STRAIGHT;
    steering.turn_to(angle);
    steering
}

proptest! {
    /// Dampers and tables of every wheel are its own.
    #[test]
    fn each_wheel_has_its_own_compliance(
        speed in lanes(-2.0..2.0), jounce in lanes(-0.2..0.3), angle in lanes(-0.5..0.5),
    ) {
        let mut params = uneven();
        for (n, wheel) in params.wheels.iter_mut().enumerate() {
            make_compliant(wheel, n as f32);
        }
        let kind = model_of(params.clone());
        let (k, curves) = (kind.wheels().first(), kind.curves(0));
        let (steering, mut room) = (steering(angle), None);
        let alignment = WheelAlignment::new(k, curves, &steering, jounce, None, &mut room);
        let coefficients = curves.unwrap().damper(speed);
        let cambers = camber(k, curves, jounce, None);
        let center = params.chassis.center_of_mass;
        for (n, wheel) in params.wheels.iter().enumerate() {
            let (c, s, x) = (&wheel.compliance, &wheel.suspension, jounce.lane(n));
            let v = speed.lane(n);
            let stroke = if v > 0.0 { s.damping.bump } else { s.damping.rebound };
            prop_assert!(close(coefficients.lane(n) * v.abs(), damper_force(stroke, v.abs()), 1e4));
            let turned = angle.lane(n) + interpolated(&c.toe, x);
            prop_assert!(close(alignment.steer_sin.lane(n), turned.sin(), 1.0));
            prop_assert!(close(alignment.steer_cos.lane(n), turned.cos(), 1.0));
            let camber = k.camber(jounce).lane(n) + interpolated(&c.camber, x);
            prop_assert!(close(cambers.lane(n), camber, 1.0));
            let strut = s.application_point - center + interpolated(&c.suspension_point, x);
            prop_assert!(near(alignment.suspension_point.lane(n), strut, 3.0));
            let tire = wheel.tire.application_point - center + interpolated(&c.tire_point, x);
            prop_assert!(near(alignment.tire_point.lane(n), tire, 3.0));
            let side = Vec3::new(tire.x, tire.y, tire.z * s.roll_influence);
            prop_assert!(near(alignment.side_point.lane(n), side, 3.0));
        }
    }

    /// Without curves a wheel stands as its constants say.
    #[test]
    fn plain_wheels_have_no_compliance(jounce in lanes(-0.2..0.3), angle in lanes(-0.5..0.5)) {
        let k = uneven_consts();
        let (steering, mut room) = (steering(angle), None);
        let alignment = WheelAlignment::new(&k, None, &steering, jounce, None, &mut room);
        prop_assert_eq!((*alignment.steer_sin, *alignment.steer_cos), (steering.sin, steering.cos));
        let points = (*alignment.suspension_point, *alignment.tire_point, *alignment.side_point);
        prop_assert_eq!(points, (k.suspension_point, k.tire_point, k.side_point));
        prop_assert_eq!(camber(&k, None, jounce, None), k.camber(jounce));
    }
}

/// Curves are prepared for a damper that is not one rate or a table that says something, and for no others.
#[rstest]
#[case::plain(|_: &mut WheelParams| (), false)]
#[case::rates(|w: &mut WheelParams| w.suspension.damping.rebound.rate += 1.0, true)]
#[case::toe(|w: &mut WheelParams| w.compliance.toe = vec![(0.0, 0.1)], true)]
fn curves_are_needed_for_nonlinear_struts_only(
    #[case] change: fn(&mut WheelParams),
    #[case] needed: bool,
) {
    let mut params = testing::four_wheeler();
    change(&mut params.wheels[3]);
    assert_eq!(StrutCurves::are_needed(&params.wheels[3]), needed);
    let kind = model_of(params);
    assert_eq!(kind.curves(0).is_some(), needed);
}
