//! Axes, slips and friction against the formulas in double precision.

use super::*;
use crate::base::lanes::LANES;
use crate::base::math;
use crate::params::profile::ExplicitSettings;
use crate::testing::uneven::{close, lanes, masks, near, normals, uneven, uneven_consts};
use glam::Vec3;
use proptest::prelude::*;
use rstest::rstest;

const SLIP: SlipSettings = ExplicitSettings::PHYSX_4.slip;

#[rstest]
#[case::standing(true, 0.0, 0.0, 0.0)]
#[case::locked(true, 10.0, 0.0, -10.0 / 10.1)]
#[case::spinning(true, 0.0, 10.0, 10.0 / 10.1)]
#[case::rolling_slowly(false, 1.0, 1.4, 0.1)]
#[case::rolling_fast(false, 10.0, 11.0, 1.0 / 11.0)]
fn each_denominator(
    #[case] active: bool,
    #[case] forward: f32,
    #[case] rim: f32,
    #[case] expected: f32,
) {
    let mask = if active { Mask4::ALL } else { Mask4::NONE };
    let slip = slip_ratio(&SLIP, mask, W4::splat(forward), W4::splat(rim)).lane(3);
    assert!((slip - expected).abs() < 1e-6, "{slip}");
}

#[test]
fn a_tracked_vehicle_divides_by_ground_speed_alone() {
    let settings = SlipSettings {
        active_counts_spin: false,
        ..SLIP
    };
    let slip = slip_ratio(&settings, Mask4::ALL, W4::splat(0.0), W4::splat(10.0));
    assert!((slip.lane(0) - 100.0).abs() < 1e-4);
}

#[test]
fn ground_across_the_axle_has_no_axes() {
    let axes = tire_axes(V3x4::splat(Vec3::Y), W4::ZERO, W4::ONE);
    assert_eq!(axes.longitudinal.lane(0), Vec3::ZERO);
    assert_eq!(axes.lateral.lane(0), Vec3::ZERO);
}

proptest! {
    #[test]
    fn axes_are_orthonormal_and_lie_in_the_ground(
        x in -0.8f32..0.8, y in -0.5f32..0.5, angle in -1.0f32..1.0,
    ) {
        let n = Vec3::new(x, y, (1.0 - x * x - y * y).max(0.05).sqrt()).normalize();
        let (sin, cos) = math::sin_cos(angle);
        let axes = tire_axes(V3x4::splat(n), W4::splat(sin), W4::splat(cos));
        let (long, lat) = (axes.longitudinal.lane(1), axes.lateral.lane(1));
        prop_assert!((long.length() - 1.0).abs() < 1e-5);
        prop_assert!((lat.length() - 1.0).abs() < 1e-5);
        prop_assert!(long.dot(lat).abs() < 1e-5);
        prop_assert!(long.dot(n).abs() < 1e-5);
        prop_assert!((n.cross(long) - lat).length() < 1e-5);
    }
}

/// The wheel's axle and heading as it is drawn.
fn drawn(steer: f32, camber: f32) -> (Vec3, Vec3) {
    let turned = math::matrix(crate::vehicle::pose::wheel_rotation(steer, camber, 0.0));
    (turned.y_axis, turned.x_axis)
}

fn sin_cos(angle: W4) -> (W4, W4) {
    let both = angle.to_array().map(math::sin_cos);
    let (sin, cos) = (both.map(|(sin, _)| sin), both.map(|(_, cos)| cos));
    (W4::from_array(sin), W4::from_array(cos))
}

#[test]
fn a_wheel_that_lies_on_the_ground_has_neither_axes_nor_camber() {
    let (axes, camber) = axle_axes(V3x4::splat(Vec3::Y), W4::ZERO, W4::ONE, W4::ZERO);
    assert_eq!((axes, camber), (TireAxes::default(), W4::ZERO));
    assert_eq!(
        inclination(V3x4::splat(Vec3::Y), W4::ZERO, W4::ONE),
        W4::ZERO
    );
}

proptest! {
    /// ALGORITHMS §3.7: the vehicle's own axes in the ground plane, turned there by the steering angle.
    #[test]
    fn steered_axes_turn_about_the_normal(normal in normals(), angle in lanes(-1.0..1.0)) {
        let (sin, cos) = sin_cos(angle);
        let axes = tire_axes(normal, sin, cos);
        for lane in 0..LANES {
            let n = normal.lane(lane);
            let ahead = Vec3::Y.cross(n).normalize();
            let turn = glam::Quat::from_axis_angle(n, angle.lane(lane));
            prop_assert!(near(axes.longitudinal.lane(lane), turn * ahead, 1.0));
            prop_assert!(near(axes.lateral.lane(lane), turn * n.cross(ahead), 1.0));
        }
    }

    /// ALGORITHMS §7.11: the axle as it is drawn, in the ground plane; camber is the angle between the
    /// axle and that plane, seen along the wheel's heading.
    #[test]
    fn axes_of_an_axle_follow_the_drawn_wheel(
        normal in normals(), steer in lanes(-0.7..0.7), camber in lanes(-0.5..0.5),
    ) {
        let (sin, cos) = sin_cos(steer);
        let (axes, to_ground) = axle_axes(normal, sin, cos, camber);
        for lane in 0..LANES {
            let n = normal.lane(lane);
            let (axle, heading) = drawn(steer.lane(lane), camber.lane(lane));
            let long = axle.cross(n).normalize();
            prop_assert!(near(axes.longitudinal.lane(lane), long, 1.0));
            prop_assert!(near(axes.lateral.lane(lane), n.cross(long), 1.0));
            let seen = (n - heading * n.dot(heading)).normalize();
            let angle = math::sqrt((1.0 - axle.dot(seen).powi(2)).max(0.0));
            let expected = math::atan(axle.dot(seen) / angle);
            prop_assert!(close(to_ground.lane(lane), expected, 5.0), "{expected} {to_ground:?}");
        }
    }

    /// A wheel turns by its camber about its heading, about which the chassis tilts.
    #[test]
    fn inclination_adds_to_camber(
        normal in normals(), steer in lanes(-0.7..0.7), camber in lanes(-0.5..0.5),
    ) {
        let (sin, cos) = sin_cos(steer);
        let (_, to_ground) = axle_axes(normal, sin, cos, camber);
        let sum = camber + inclination(normal, sin, cos);
        for lane in 0..LANES {
            let (sum, expected) = (sum.lane(lane), to_ground.lane(lane));
            // Beyond a right angle, the wheel has neither.
            let apart = if sum.abs() < 1.5 { sum - expected } else { 0.0 };
            prop_assert!(apart.abs() < 4e-4, "{sum} {expected}");
        }
    }

    /// Every rule of the denominators, wheel by wheel.
    #[test]
    fn slips_have_their_denominators(
        spin_counts in any::<bool>(), adds in any::<bool>(), active in masks(),
        forward in lanes(-12.0..12.0), rim in lanes(-12.0..12.0), lateral in lanes(-5.0..5.0),
    ) {
        let settings = SlipSettings { active_counts_spin: spin_counts, passive_adds: adds, ..SLIP };
        let slips = slip_ratio(&settings, active, forward, rim);
        let tangents = tan_slip_angle(&settings, forward, lateral);
        for lane in 0..LANES {
            let (v, r) = (forward.lane(lane), rim.lane(lane));
            let den = match (active.lane(lane), spin_counts, adds) {
                (true, true, _) => v.abs().max(r.abs()) + 0.1,
                (true, false, _) => v.abs() + 0.1,
                (false, _, true) => v.abs() + 4.0,
                (false, _, false) => v.abs().max(r.abs()).max(4.0),
            };
            prop_assert!(close(slips.lane(lane), (r - v) / den, 10.0));
            let tangent = lateral.lane(lane) / (v.abs() + 1.0);
            prop_assert!(close(tangents.lane(lane), tangent, 5.0));
        }
    }

    /// A friction curve is linear between its points, even in slip, and constant after the last.
    #[test]
    fn friction_follows_its_curve(slip in lanes(-1.2..1.2)) {
        let k = uneven_consts();
        let params = uneven();
        let actual = curve_friction(&k, slip);
        for (lane, wheel) in params.wheels.iter().enumerate() {
            let [[_, y0], [x1, y1], [x2, y2]] = wheel.tire.friction_curve;
            let x = slip.lane(lane).abs();
            let expected = if x <= x1 {
                y0 + (y1 - y0) * (x / x1)
            } else {
                y1 + (y2 - y1) * ((x - x1) / (x2 - x1)).min(1.0)
            };
            prop_assert!(close(actual.lane(lane), expected, 2.0), "{lane} {expected} {actual:?}");
        }
    }
}
