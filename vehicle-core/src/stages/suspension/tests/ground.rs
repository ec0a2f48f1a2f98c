//! Points of the chassis over ground that moves.

use super::*;
use crate::base::lanes::LANES;
use crate::testing::uneven::{lanes, near, vectors, views};
use glam::{DMat3, DVec3};
use proptest::prelude::*;

/// A ground body under four wheels: its own velocity, its spin, and where the car is from its center.
fn bodies() -> impl Strategy<Value = (V3x4, MovingGround)> {
    (vectors(5.0), vectors(2.0), vectors(6.0)).prop_map(|(own, spin, arm)| {
        let ground = MovingGround {
            any: true,
            velocity: own + spin.cross(arm),
            arm,
            spin,
            ..MovingGround::FIXED
        };
        (own, ground)
    })
}

/// Velocity of a body's point `arm` from its center at the end of `h` (`s`), as much greater as makes the
/// mean of the velocities at both ends of such a step that of the chord: with x the angle turned, by
/// 1 + x²/12 to the order of x³.
fn turned_on(spin: DVec3, arm: DVec3, h: f64) -> DVec3 {
    let angle = spin.length() * h;
    let turn = if angle > 0.0 {
        DMat3::from_axis_angle(spin.normalize(), angle)
    } else {
        DMat3::IDENTITY
    };
    turn * spin.cross(arm) * (1.0 + angle * angle / 12.0)
}

proptest! {
    /// The ground under a point moves as that point of a rigid body, seen along the vehicle's axes.
    #[test]
    fn ground_moves_as_a_rigid_body(view in views(), (own, ground) in bodies(), point in vectors(2.0)) {
        let found = ground_velocity(&view, point, &ground);
        let slides = contact_velocity(&view, point, &ground);
        for lane in 0..LANES {
            let from_body = ground.arm.lane(lane) + view.moved + view.matrix * point.lane(lane);
            let world = own.lane(lane) + ground.spin.lane(lane).cross(from_body);
            let expected = view.matrix.transpose() * world;
            prop_assert!(near(found.lane(lane), expected, 50.0));
            let chassis = view.linear + view.angular.cross(point.lane(lane));
            prop_assert!(near(slides.lane(lane), chassis - expected, 80.0));
        }
        let fixed = MovingGround { any: false, ..ground };
        prop_assert_eq!(ground_velocity(&view, point, &fixed), V3x4::ZERO);
        let own = V3x4::splat(view.linear) + V3x4::splat(view.angular).cross(point);
        prop_assert_eq!(contact_velocity(&view, point, &fixed), own);
    }

    /// At the end of a step of no length, a point goes along with the ground as it is now: with a body
    /// that has gone on by its own speed since the step began.
    #[test]
    fn a_ground_body_moves_within_the_step(
        view in views(), (own, ground) in bodies(), point in vectors(2.0),
    ) {
        let found = ground_velocity_ahead(&view, point, &ground, 0.0);
        for lane in 0..LANES {
            let gone = own.lane(lane) * view.elapsed;
            let from_body = ground.arm.lane(lane) + view.moved - gone
                + view.matrix * point.lane(lane);
            let world = own.lane(lane) + ground.spin.lane(lane).cross(from_body);
            let expected = view.matrix.transpose() * world;
            prop_assert!(near(found.lane(lane), expected, 50.0), "lane {lane}");
        }
    }

    /// Within the step, body and chassis turn on along their arcs.
    #[test]
    fn ground_and_chassis_follow_their_arcs(
        view in views(), (own, ground) in bodies(), point in vectors(2.0), h in 0.005f32..0.03,
    ) {
        let now = ground_velocity_ahead(&view, point, &ground, 0.0);
        let found = ground_velocity_ahead(&view, point, &ground, h);
        for lane in 0..LANES {
            let back = |v: Vec3| (view.matrix.transpose() * v).as_dvec3();
            let gone = own.lane(lane) * view.elapsed;
            let lever = point.lane(lane).as_dvec3();
            let arm = back(ground.arm.lane(lane) + view.moved - gone) + lever;
            let (spin, angular) = (back(ground.spin.lane(lane)), view.angular.as_dvec3());
            let turned = |spin: DVec3, arm: DVec3| {
                turned_on(spin, arm, f64::from(h)) - spin.cross(arm)
            };
            let bend = turned(spin, arm) - turned(angular, lever);
            let left_out = |spin: DVec3, arm: DVec3| {
                (spin.length() * f64::from(h)).powi(3) * spin.length() * arm.length()
            };
            let order = left_out(spin, arm) + left_out(angular, lever);
            let off = ((found - now).lane(lane).as_dvec3() - bend).length();
            prop_assert!(off < 0.12 * order + 5e-5, "{off} {order}");
        }
    }

    /// A chassis that stands on a turntable, a step later, stands on it still.
    #[test]
    fn a_turntable_does_not_throw_a_car_out(arm in 1f32..8.0, spin in -1f32..1.0, rise in lanes(0.0..1.0)) {
        const H: f32 = 1.0 / 60.0;
        let ground = MovingGround {
            any: true,
            velocity: V3x4::splat(Vec3::Y * (spin * arm)),
            arm: V3x4::splat(Vec3::X * arm),
            spin: V3x4::splat(Vec3::Z * spin),
            rise,
            ..MovingGround::FIXED
        };
        let (mut view, _) = level(0.0);
        view.angular = Vec3::Z * spin;
        let ahead = ground_velocity_ahead(&view, V3x4::ZERO, &ground, H).lane(0);
        // Steady motion begins with the same speed, along the start's tangent.
        let way = (ahead + Vec3::Y * (spin.signum() * ahead.length())) * (0.5 * H);
        let (sin, cos) = crate::base::math::sin_cos(spin * H);
        let arc = Vec3::new(cos - 1.0, sin, 0.0) * arm;
        prop_assert!((way - arc).length() < 2e-6 * arm, "{way} {arc}");
    }
}
