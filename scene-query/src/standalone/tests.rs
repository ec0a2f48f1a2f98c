//! Requirements on every world, and those specific to this one.

mod platforms;
mod step_motion;
mod turned;

use super::*;
use crate::body::CollisionBox;
use crate::plane::Plane;
use glam::Mat3;
use proptest::prelude::*;
use vehicle_core::frame::Axis;
use vehicle_core::math;
use vehicle_core::{GroundRay, QueryFilter, SceneQuery as _};

const G: Vec3 = Vec3::new(0.0, -9.81, 0.0);

fn ball() -> BodyDesc {
    BodyDesc::at_rest(
        DVec3::Y * 10.0,
        2.0,
        Mat3::from_diagonal(Vec3::new(1.0, 2.0, 4.0)),
    )
}

fn world() -> (Standalone, BodyId) {
    let mut world = Standalone::new(Plane::level(Axis::Y, 0.0).unwrap());
    let id = world.add(&ball()).unwrap();
    (world, id)
}

fn change(linear: Vec3, wake: bool) -> StepResult {
    let angular = Vec3::ZERO;
    StepResult {
        motion: Motion::VelocityChange { linear, angular },
        wake,
    }
}

#[test]
fn free_fall_is_the_closed_form_of_the_scheme() {
    let (mut world, id) = world();
    let (dt, n) = (1.0 / 64.0, 64);
    for _ in 0..n {
        world.step(G, dt);
    }
    // Semi-implicit Euler falls g·dt²·n(n+1)/2.
    let fall = 9.81 / (64.0 * 64.0) * f64::from(n * (n + 1)) / 2.0;
    let now = world.body(id).unwrap().now();
    assert!((now.position.y - (10.0 - fall)).abs() < 1e-5);
    assert!((now.linear_velocity.y + 9.81).abs() < 1e-5);
}

#[test]
fn a_replaced_body_keeps_its_id_and_what_acts_on_it() {
    let (mut world, id) = world();
    let heavy = BodyDesc {
        mass: 5.0,
        ..ball()
    };
    world.set_force(id, Vec3::X * 10.0, Vec3::ZERO).unwrap();
    world.replace(id, &heavy).unwrap();
    assert_eq!(world.body(id).unwrap().now(), &heavy);
    world.step(Vec3::ZERO, 0.5);
    let moved = world.body(id).unwrap().clone();
    assert_eq!(moved.now().linear_velocity, Vec3::X);
    let spoilt = BodyDesc {
        mass: 0.0,
        ..ball()
    };
    let error = world.replace(id, &spoilt).unwrap_err();
    assert!(error.to_string().contains("body.mass = 0 kg"), "{error}");
    assert_eq!(world.body(id).unwrap(), &moved);
    assert!(world.replace(BodyId(7), &ball()).is_err());
}

#[test]
fn a_restored_body_falls_asleep_when_it_did() {
    let (mut world, id) = world();
    world.set_pose(id, DVec3::ZERO, Quat::IDENTITY).unwrap();
    (0..10).for_each(|_| world.step(Vec3::ZERO, 1.0 / 32.0));
    let saved = world.body(id).unwrap().clone();
    let asleep_after = |world: &mut Standalone| {
        let mut steps = 0..100;
        steps.find(|_| {
            world.step(Vec3::ZERO, 1.0 / 32.0);
            world.body(id).unwrap().is_asleep()
        })
    };
    let first = asleep_after(&mut world);
    assert!(first.is_some_and(|steps| steps > 0));
    world.restore_body(id, saved.clone()).unwrap();
    assert_eq!(asleep_after(&mut world), first);
    assert!(world.restore_body(BodyId(7), saved).is_err());
}

#[test]
fn an_acceleration_lasts_one_step_and_a_change_acts_at_once() {
    let (mut world, id) = world();
    let motion = Motion::Acceleration {
        linear: Vec3::X * 8.0,
        angular: Vec3::Z * 4.0,
    };
    let outcome = StepResult {
        motion,
        wake: false,
    };
    world.apply(&[id], &[outcome]).unwrap();
    assert_eq!(world.body(id).unwrap().now(), &ball());
    for _ in 0..3 {
        world.step(Vec3::ZERO, 0.25);
    }
    let now = *world.body(id).unwrap().now();
    assert_eq!(
        (now.linear_velocity, now.angular_velocity),
        (Vec3::X * 2.0, Vec3::Z)
    );
    world.apply(&[id], &[change(Vec3::Y, false)]).unwrap();
    let now = world.body(id).unwrap().now();
    assert_eq!(now.linear_velocity, Vec3::new(2.0, 1.0, 0.0));
    world.apply(&[id], &[StepResult::default()]).unwrap();
    let after = world.body(id).unwrap();
    assert_eq!(after.now().linear_velocity, Vec3::new(2.0, 1.0, 0.0));
}

#[test]
fn setting_a_velocity_by_outcome_does_not_wake() {
    let (mut world, id) = world();
    for _ in 0..10 {
        world.step(Vec3::ZERO, 0.1);
    }
    assert!(world.body(id).unwrap().is_asleep());
    world.apply(&[id], &[change(Vec3::X, false)]).unwrap();
    world.step(G, 0.1);
    assert_eq!(world.body(id).unwrap().now(), &ball());
    world.apply(&[id], &[change(Vec3::X, true)]).unwrap();
    let body = world.body(id).unwrap();
    assert_eq!(
        (body.is_asleep(), body.now().linear_velocity),
        (false, Vec3::X)
    );
}

#[test]
fn setters_wake_and_refuse_bad_numbers() {
    let (mut world, id) = world();
    for _ in 0..10 {
        world.step(Vec3::ZERO, 0.1);
    }
    world.set_velocity(id, Vec3::ZERO, Vec3::ZERO).unwrap();
    assert!(!world.body(id).unwrap().is_asleep());
    let before = world.body(id).unwrap().clone();
    assert!(world.set_velocity(id, Vec3::NAN, Vec3::ZERO).is_err());
    assert!(world.set_pose(id, DVec3::NAN, Quat::IDENTITY).is_err());
    world
        .set_pose(id, DVec3::ZERO, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0))
        .unwrap_err();
    world.step(Vec3::NAN, 0.1);
    world.step(G, f32::NAN);
    world.step(G, -0.1);
    world.shift_origin(DVec3::INFINITY);
    assert_eq!(world.body(id).unwrap(), &before);
}

#[test]
fn ids_are_never_used_again() {
    let (mut world, id) = world();
    world.remove(id).unwrap();
    let other = world.add(&ball()).unwrap();
    assert_ne!(id, other);
    assert_eq!(world.remove(id), Err(BodyError::Missing(id)));
    let mut states = [world.body(other).unwrap().state(); 2];
    assert_eq!(
        world.read(&[other, id], &mut states),
        Err(BodyError::Missing(id))
    );
    let outcomes = [change(Vec3::X, false); 2];
    assert_eq!(
        world.apply(&[other, id], &outcomes),
        Err(BodyError::Missing(id))
    );
    // The one before the missing one was applied.
    assert_eq!(world.body(other).unwrap().now().linear_velocity, Vec3::X);
    assert_eq!(world.ground_motion(id), None);
    assert_eq!(world.ground_motion(BodyId(u64::MAX)), None);
    assert_eq!(world.ground_motion(other).unwrap().mass, Some(2.0));
}

#[test]
fn reactions_last_one_step() {
    let (mut world, id) = world();
    let reaction = Reaction {
        body: id,
        force: Vec3::X * 8.0,
        torque: Vec3::Z * 2.0,
        anchor: DVec3::Y * 9.0,
        offset: Vec3::Y * 2.0,
    };
    let gone = Reaction {
        body: BodyId(99),
        ..reaction
    };
    world.react(&[gone, reaction]);
    world.step(Vec3::ZERO, 0.5);
    world.step(Vec3::ZERO, 0.5);
    let now = world.body(id).unwrap().now();
    // A step with reactions is made of substeps, whose sum is rounded.
    assert!((now.linear_velocity - Vec3::X * 2.0).length() < 1e-5);
    // 8 N at 1 m over the center: −8 N·m about z, and 2 N·m, of inertia 4, for half a second.
    assert!((now.angular_velocity + Vec3::Z * 0.75).length() < 1e-5);
}

#[test]
fn an_origin_shift_changes_coordinates_only() {
    let (mut world, id) = world();
    let ask = |world: &Standalone| {
        let ray = GroundRay {
            anchor: world.body(id).unwrap().now().position,
            offset: Vec3::Y,
            direction: Vec3::NEG_Y,
            length: 20.0,
            filter: QueryFilter::except(id),
        };
        let mut hits = [None];
        world.cast_rays(&[ray], &mut hits);
        hits[0]
    };
    let before = ask(&world);
    world.shift_origin(DVec3::new(1000.0, 8.0, -500.0));
    assert_eq!(
        world.body(id).unwrap().now().position,
        DVec3::new(-1000.0, 2.0, 500.0)
    );
    assert_eq!(ask(&world), before);
    assert_eq!(before.unwrap().distance, 11.0);
}

#[test]
fn a_hull_rests_on_the_same_ground_after_an_origin_shift() {
    let (mut world, _) = world();
    let hull = CollisionBox {
        half_extents: Vec3::splat(0.5),
        center: Vec3::ZERO,
        friction: 0.5,
        layers: u32::MAX,
    };
    let desc = BodyDesc {
        hull: Some(hull),
        ..ball()
    };
    let id = world.add(&desc).unwrap();
    world.shift_origin(DVec3::Y * 7.0);
    for _ in 0..500 {
        world.step(G, 0.01);
    }
    let now = world.body(id).unwrap().now();
    assert!((now.position.y + 6.5).abs() < 0.01, "{:?}", now.position);
}

proptest! {
    #[test]
    fn rotation_follows_the_exact_arc(speed in 0.1..20.0_f32, dt in 0.001..0.05_f32) {
        let (mut world, id) = world();
        world.set_velocity(id, Vec3::ZERO, Vec3::Y * speed).unwrap();
        for _ in 0..20 {
            world.step(Vec3::ZERO, dt);
        }
        let expected = math::rotation_about(Vec3::Y, speed * dt * 20.0);
        let found = world.body(id).unwrap().now().rotation;
        let dot = expected.x * found.x + expected.y * found.y
            + expected.z * found.z + expected.w * found.w;
        prop_assert!(dot.abs() > 1.0 - 1e-5);
    }

    #[test]
    fn no_outcome_introduces_nan(
        a in prop::array::uniform3(prop::num::f32::ANY),
        b in prop::array::uniform3(prop::num::f32::ANY),
    ) {
        let (mut world, id) = world();
        for motion in [
            Motion::VelocityChange { linear: a.into(), angular: b.into() },
            Motion::Acceleration { linear: b.into(), angular: a.into() },
        ] {
            world.apply(&[id], &[StepResult { motion, wake: true }]).unwrap();
            world.react(&[Reaction {
                body: id,
                force: a.into(),
                torque: b.into(),
                anchor: DVec3::ZERO,
                offset: b.into(),
            }]);
            world.step(G, 0.01);
            let now = *world.body(id).unwrap().now();
            prop_assert!(now.position.is_finite() && now.rotation.is_finite());
            prop_assert!(now.linear_velocity.is_finite() && now.angular_velocity.is_finite());
        }
    }
}
