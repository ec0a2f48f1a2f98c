//! Points of the chassis over ground that moves.

use super::*;
use crate::base::lanes::LANES;
use crate::testing::uneven::{near, vectors, views};
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

/// How far a body turns in `h` (`s`).
fn turned_by(spin: DVec3, h: f64) -> DMat3 {
    let angle = spin.length() * h;
    if angle > 0.0 {
        DMat3::from_axis_angle(spin.normalize(), angle)
    } else {
        DMat3::IDENTITY
    }
}

proptest! {
    /// The ground under a point moves as that point of a rigid body, seen along the vehicle's axes.
    #[test]
    fn ground_moves_as_a_rigid_body(view in views(), (own, ground) in bodies(), point in vectors(2.0)) {
        let actual = ground_velocity(&view, point, &ground);
        let slides = contact_velocity(&view, point, &ground);
        for lane in 0..LANES {
            let from_body = ground.arm.lane(lane) + view.moved + view.matrix * point.lane(lane);
            let world = own.lane(lane) + ground.spin.lane(lane).cross(from_body);
            let expected = view.matrix.transpose() * world;
            prop_assert!(near(actual.lane(lane), expected, 50.0));
            let chassis = view.linear + view.angular.cross(point.lane(lane));
            prop_assert!(near(slides.lane(lane), chassis - expected, 80.0));
        }
        let fixed = MovingGround { any: false, ..ground };
        prop_assert_eq!(ground_velocity(&view, point, &fixed), V3x4::ZERO);
        let own = V3x4::splat(view.linear) + V3x4::splat(view.angular).cross(point);
        prop_assert_eq!(contact_velocity(&view, point, &fixed), own);
    }

    /// In a step of no length, a point goes along with the ground as it is now: with a body that has gone on by its own
    /// speed since the step began.
    #[test]
    fn a_ground_body_moves_within_the_step(
        view in views(), (own, ground) in bodies(), point in vectors(2.0),
    ) {
        let actual = ground_velocities(&view, point, &ground, 0.0);
        prop_assert_eq!(actual.gain, V3x4::ZERO);
        for lane in 0..LANES {
            let gone = own.lane(lane) * view.elapsed;
            let from_body = ground.arm.lane(lane) + view.moved - gone
                + view.matrix * point.lane(lane);
            let world = own.lane(lane) + ground.spin.lane(lane).cross(from_body);
            let expected = view.matrix.transpose() * world;
            prop_assert!(near(actual.mean.lane(lane), expected, 50.0), "lane {lane}");
        }
    }

    /// A chassis that stands on a body and turns with it keeps its position there: the mean velocity of its center is that along
    /// the chord, and what it gains is what the center's gains along the arc.
    #[test]
    fn a_chassis_turns_with_its_ground(
        view in views(), (own, ground) in bodies(), point in vectors(2.0), h in 0.005f32..0.03,
    ) {
        for lane in 0..LANES {
            let spin = ground.spin.lane(lane);
            // The view is that of the middle.
            let mut view = view;
            view.angular = view.matrix.transpose() * spin;
            let actual = ground_velocities(&view, point, &ground, h);
            let turning = view.angular.cross(point.lane(lane)).as_dvec3();
            let gone = own.lane(lane) * view.elapsed;
            let center = (ground.arm.lane(lane) + view.moved - gone).as_dvec3();
            let back = |v: DVec3| view.matrix.transpose().as_dmat3() * v;
            let (spin, duration) = (spin.as_dvec3(), f64::from(h));
            let turned = turned_by(spin, duration);
            let displacement = own.lane(lane).as_dvec3() * duration + turned * center - center;
            let velocity = spin.cross(center);
            let gain = turned * velocity - velocity;
            let order = (spin.length() * duration).powi(3) * velocity.length();
            let off = actual.mean.lane(lane).as_dvec3() - turning - back(displacement / duration);
            prop_assert!(off.length() < 0.1 * order + 5e-5, "{off} {order}");
            let off = actual.gain.lane(lane).as_dvec3() - back(gain);
            prop_assert!(off.length() < 0.2 * order + 5e-5, "{off} {order}");
        }
    }
}
