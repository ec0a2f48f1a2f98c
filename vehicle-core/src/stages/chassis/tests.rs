//! A free body under forces, and what its wheels see of it.

use super::*;
use crate::testing::uneven::{NEAR, close, near, tilted, vector};
use glam::DVec3;
use proptest::prelude::*;
use rstest::rstest;

fn body(rotation: Quat) -> BodyState {
    BodyState {
        position: DVec3::ZERO,
        rotation,
        mass: 1600.0,
        inverse_inertia: Mat3::from_diagonal(Vec3::new(1e-3, 4e-4, 3e-4)),
        ..BodyState::BLANK
    }
}

fn velocities() -> impl Strategy<Value = Velocity> {
    (vector(20.0), vector(2.0)).prop_map(|(linear, angular)| Velocity { linear, angular })
}

/// A body that turns and moves within a step.
fn moving() -> impl Strategy<Value = Chassis> {
    (tilted(), velocities()).prop_map(|(rotation, velocity)| {
        let mut chassis = Chassis::new(&body(rotation), velocity.linear, velocity.angular);
        (chassis.moved, chassis.elapsed) = (Vec3::new(0.1, -0.2, 0.3), 0.01);
        chassis
    })
}

#[rstest]
#[case::fine(1.0, 1.0, true)]
#[case::linear(f32::NAN, 1.0, false)]
#[case::angular(1.0, f32::INFINITY, false)]
fn a_velocity_is_finite_in_both_parts(
    #[case] linear: f32,
    #[case] angular: f32,
    #[case] finite: bool,
) {
    let velocity = Velocity {
        linear: Vec3::X * linear,
        angular: Vec3::Y * angular,
    };
    assert_eq!(velocity.is_finite(), finite);
}

proptest! {
    /// Velocities are a vector space: part by part as vectors are.
    #[test]
    fn velocities_add_as_vectors(a in velocities(), b in velocities(), times in -3f32..3.0) {
        let sum = Velocity { linear: a.linear + b.linear, angular: a.angular + b.angular };
        prop_assert_eq!(a + b, sum);
        let less = Velocity { linear: a.linear - b.linear, angular: a.angular - b.angular };
        prop_assert_eq!(a - b, less);
        let scaled = Velocity { linear: a.linear * times, angular: a.angular * times };
        prop_assert_eq!(a * times, scaled);
    }

    /// Four vectors at once are each for itself, bit by bit.
    #[test]
    fn a_view_in_wind_is_the_same(chassis in moving(), gravity in vector(20.0), wind in vector(30.0)) {
        let (view, actual) = chassis.view_in_wind(gravity.extend(0.0), wind);
        prop_assert_eq!(view, chassis.view(gravity));
        prop_assert_eq!(actual, chassis.to_vehicle(wind));
    }

    /// Vectors of a view are those of the world, turned back; there and back is the same.
    #[test]
    fn a_view_is_in_vehicle_axes(chassis in moving(), gravity in vector(10.0)) {
        let view = chassis.view(gravity);
        let back = chassis.rotation.inverse();
        let world = chassis.velocity.truncated();
        prop_assert!(near(view.linear, back * world.linear, 20.0));
        prop_assert!(near(view.angular, back * world.angular, 2.0));
        prop_assert!(near(view.gravity, back * gravity, 10.0));
        let there = (view.matrix, view.moved, view.elapsed);
        prop_assert_eq!(there, (chassis.matrix, chassis.moved, chassis.elapsed));
        prop_assert!(near(chassis.matrix * view.linear, world.linear, 20.0));
    }

    /// Force is mass times acceleration, torque the inertia's, in the vehicle's frame; velocity first, then
    /// the pose at the new velocity.
    #[test]
    fn a_body_follows_its_forces(
        before in moving(), force in vector(2e4), torque in vector(5e3), h in 0.001f32..0.02,
    ) {
        let mut after = before;
        after.push(force.extend(0.0), torque.extend(0.0), h);
        after.drift(h);
        let (start, end) = (before.velocity.truncated(), after.velocity.truncated());
        let push = before.rotation * (force * (h / 1600.0));
        prop_assert!(near(end.linear, start.linear + push, 50.0));
        let twist = before.rotation * (Vec3::new(1e-3, 4e-4, 3e-4) * torque * h);
        prop_assert!(near(end.angular, start.angular + twist, 5.0));
        prop_assert!(near(after.moved, before.moved + end.linear * h, 1.0));
        prop_assert!(close(after.elapsed, before.elapsed + h, 1.0));
        let turned = Quat::from_scaled_axis(end.angular * h) * before.rotation;
        prop_assert!(1.0 - turned.dot(after.rotation).abs() < 1e-5);
        prop_assert_eq!(after.matrix, math::matrix(after.rotation));
    }

    /// Turned by its whole displacement, a chassis is as after a glide; its view in these axes keeps position and velocity.
    #[test]
    fn a_chassis_turns_in_place(before in moving(), h in 0.001f32..0.02) {
        let turned = before.rotation_after(h);
        let mut after = before;
        after.glide(&VelocityLanes::ZERO, h);
        after.turn_by_arc();
        // A turn of the first order is θ³/12 short, 2·atan(θ/2) − θ.
        let world = before.velocity.truncated();
        let angle = world.angular.length() * h;
        let bound = 1.0 + angle.powi(3) / 12.0 / NEAR;
        prop_assert!(near(turned * Vec3::X, after.rotation * Vec3::X, bound));
        prop_assert!(near(turned * Vec3::Y, after.rotation * Vec3::Y, bound));
        let columns = math::columns(turned);
        let (view, _) = before.view_in_axes(&columns, Vec4::ZERO, Vec3::ZERO);
        prop_assert_eq!((view.moved, view.elapsed, view.matrix), (before.moved, before.elapsed, math::matrix(turned)));
        prop_assert!(near(turned * view.linear, world.linear, 20.0));
        prop_assert!(near(turned * view.angular, world.angular, 2.0));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            prop_assert!(near(view.matrix * axis, turned * axis, 1.0));
        }
    }

    /// A glide moves and turns at the mean of the velocities at both ends.
    #[test]
    fn a_glide_is_at_the_mean_velocity(
        before in moving(), change in velocities(), h in 0.001f32..0.02,
    ) {
        let mut after = before;
        after.glide(&change.in_lanes(), h);
        prop_assert_eq!((after.rotation, after.matrix), (before.rotation, before.matrix));
        let rotation = after.rotation_with_arc();
        after.turn_by_arc();
        prop_assert_eq!((after.rotation, after.arc), (rotation, Vec3::ZERO));
        let (start, end) = (before.velocity.truncated(), after.velocity.truncated());
        prop_assert!(near(end.linear, start.linear + change.linear, 20.0));
        prop_assert!(near(end.angular, start.angular + change.angular, 2.0));
        let displacement = (start.linear + end.linear) * (0.5 * h);
        prop_assert!(near(after.moved, before.moved + displacement, 1.0));
        prop_assert!(close(after.elapsed, before.elapsed + h, 1.0));
        let turn = Quat::from_scaled_axis((start.angular + end.angular) * (0.5 * h));
        prop_assert!(near(after.rotation * Vec3::X, turn * before.rotation * Vec3::X, 1.0));
        prop_assert!(near(after.rotation * Vec3::Y, turn * before.rotation * Vec3::Y, 1.0));
        prop_assert_eq!(after.matrix, math::matrix(after.rotation));
    }
}
