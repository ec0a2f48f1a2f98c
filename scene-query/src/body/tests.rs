//! Bodies: their properties, and a single step.

use super::*;
use proptest::prelude::*;

fn ball() -> BodyDesc {
    BodyDesc::at_rest(DVec3::new(1.0, 2.0, 3.0), 2.0, Mat3::IDENTITY)
}

#[test]
fn every_fault_is_reported() {
    let bad = BodyDesc {
        rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        mass: 0.0,
        inertia: Mat3::from_diagonal(Vec3::new(1.0, f32::NAN, 1.0)),
        hull: Some(CollisionBox {
            half_extents: Vec3::ONE,
            center: Vec3::ZERO,
            friction: -1.0,
            layers: u32::MAX,
        }),
        ..ball()
    };
    assert_eq!(
        bad.check().unwrap_err().to_string(),
        "4 invalid parameter(s):\n\
         body.rotation = [0, 0, 0, 0]: must be a unit quaternion within 1 %\n\
         body.mass = 0 kg: must be finite and > 0\n\
         body.inertia = [[1, 0, 0], [0, NaN, 0], [0, 0, 1]] kg·m²: must be finite, symmetric and positive definite\n\
         body.hull.friction = -1: must be finite and >= 0"
    );
}

#[test]
fn a_box_has_its_inertia() {
    let inertia = BodyDesc::box_inertia(12.0, Vec3::new(0.5, 1.0, 1.5));
    assert_eq!(inertia, Mat3::from_diagonal(Vec3::new(13.0, 10.0, 5.0)));
}

#[test]
fn the_contract_reads_the_numbers_of_the_description() {
    let desc = BodyDesc {
        inertia: Mat3::from_diagonal(Vec3::new(0.5, 4.0, 20.0)),
        linear_velocity: Vec3::X,
        angular_velocity: Vec3::Y,
        linear_damping: 0.1,
        angular_damping: 0.2,
        ..ball()
    };
    let state = Body::new(&desc).state();
    let inverse = Mat3::from_diagonal(Vec3::new(2.0, 0.25, 0.05));
    assert_eq!(state.inverse_inertia, inverse);
    assert_eq!((state.mass, state.position), (2.0, desc.position));
    let velocities = (state.linear_velocity, state.angular_velocity);
    assert_eq!(velocities, (Vec3::X, Vec3::Y));
    let damping = (state.linear_damping, state.angular_damping);
    assert_eq!((damping, state.asleep), ((0.1, 0.2), false));
    let mut sleeping = Body::new(&desc);
    sleeping.sleep.asleep = true;
    assert!(sleeping.state().asleep);
}

/// A body put back at its pose continues bit for bit; other rotations are normalized.
#[test]
fn rotations_are_normalized_and_unit_ones_are_unchanged() {
    for n in 0..200_u8 {
        let axis = Vec3::new(0.3, -0.7, 0.2 + f32::from(n) * 0.01).normalize();
        let found = Quat::from_axis_angle(axis, f32::from(n) * 0.03);
        // Rotations of bodies have unit length within rounding.
        let own = as_unit(found);
        assert_eq!(as_unit(own).to_array(), own.to_array());
        let slightly_off = Quat::from_xyzw(own.x, own.y, own.z, own.w + f32::EPSILON);
        if (slightly_off.length_squared() - 1.0).abs() <= 3.0 * f32::EPSILON {
            assert_eq!(as_unit(slightly_off).to_array(), slightly_off.to_array());
        }
        for length in [0.995, 1.005] {
            let unit = as_unit(found * length);
            assert!((unit.length() - 1.0).abs() < 1e-6, "{unit}");
            assert!(unit.dot(found) > 1.0 - 1e-6, "{unit} {found}");
        }
    }
}

#[test]
fn the_order_is_accelerate_then_damp_then_clamp() {
    let desc = BodyDesc {
        linear_damping: 0.5,
        angular_damping: 1.0,
        max_angular_speed: 3.0,
        ..ball()
    };
    let mut body = Body::new(&desc);
    body.set_motion([Vec3::X * 9.0, Vec3::Z * 9.0]);
    body.set_motion([Vec3::X * 0.5, Vec3::Z * 60.0]);
    body.add_reaction(Vec3::X, Vec3::Z * 30.0);
    body.add_reaction(Vec3::X * 0.5, Vec3::Z * 10.0);
    body.accelerate(Vec3::NEG_Z * 10.0, 0.1);
    assert_eq!(
        body.now.linear_velocity,
        Vec3::new(0.2, 0.0, -1.0) * (1.0 - 0.05)
    );
    assert_eq!(body.now.angular_velocity, Vec3::Z * 3.0);
    body.end_step();
    // The accelerations were for one step.
    body.accelerate(Vec3::ZERO, 0.1);
    assert!(body.now.linear_velocity.x < 0.2);
}

#[test]
fn sleep_zeroes_and_only_waking_ends_it() {
    let mut body = Body::new(&ball());
    for _ in 0..60 {
        body.advance(0.01);
        body.update_sleep(0.01);
    }
    assert!(body.is_asleep());
    body.end_step();
    body.add_velocity(Vec3::X, Vec3::X);
    body.set_motion([Vec3::X; 2]);
    body.add_reaction(Vec3::X, Vec3::X);
    body.accelerate(Vec3::NEG_Z, 0.01);
    body.advance(0.01);
    body.update_sleep(0.01);
    body.end_step();
    assert_eq!(body.now, ball());
    body.wake();
    assert_eq!((body.is_asleep(), body.wake_counter()), (false, 0.4));
    // The accelerations of the step it slept through are gone.
    body.accelerate(Vec3::ZERO, 0.01);
    assert_eq!(body.now.linear_velocity, Vec3::ZERO);
}

proptest! {
    #[test]
    fn sums_stay_finite(
        a in prop::array::uniform3(prop::num::f32::ANY),
        b in prop::array::uniform3(prop::num::f32::ANY),
        dt in 0.001..0.1_f32,
    ) {
        let mut body = Body::new(&ball());
        for _ in 0..3 {
            body.add_velocity(a.into(), b.into());
            body.add_reaction(b.into(), a.into());
            body.accelerate(a.into(), dt);
            body.advance(dt);
            body.update_sleep(dt);
        }
        let now = &body.now;
        prop_assert!(now.position.is_finite() && now.rotation.is_finite());
        prop_assert!(now.linear_velocity.is_finite() && now.angular_velocity.is_finite());
    }
}

/// A user's torque and a reaction's turn a body by the inverse of its whole tensor, however it lies; as a mover of joints it
/// has the same inverse.
#[test]
fn a_body_with_products_turns_by_its_whole_inertia() {
    let lean = math::rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7);
    let tensor = inertia::tensor(Vec3::new(2.0, 4.0, 5.0), [0.3, -0.8, 0.4]);
    let desc = BodyDesc {
        inertia: tensor,
        rotation: lean,
        ..ball()
    };
    let turn = math::matrix(lean);
    let inverse = turn * tensor.inverse() * turn.transpose();
    let near = |a: Mat3, b: Mat3| {
        let off = (a - b).to_cols_array();
        assert!(off.into_iter().all(|x| x.abs() < 1e-6), "{a} {b}");
    };
    near(desc.state().inverse_inertia, tensor.inverse());
    let mut body = Body::new(&desc);
    assert_eq!(body.state().inverse_inertia, desc.state().inverse_inertia);
    near(body.mover().inverse_inertia, inverse);
    let torque = Vec3::new(3.0, -1.0, 2.0);
    body.set_push(Vec3::ZERO, torque);
    body.accelerate(Vec3::ZERO, 0.5);
    let found = body.now().angular_velocity;
    assert!((found - inverse * torque * 0.5).length() < 1e-6, "{found}");
    // Another description, under the same push.
    body.describe(&ball());
    body.accelerate(Vec3::ZERO, 0.5);
    assert_eq!(body.now().angular_velocity, torque * 0.5);
}
