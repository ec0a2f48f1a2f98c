//! Planes under wheels, and how they move.

use super::*;
use crate::base::ids::{BodyId, ColliderId, MaterialId};
use crate::contracts::ground::QueryFilter;
use crate::testing::model_of;
use crate::testing::uneven::{close, lanes, masks, near, normals, uneven, vector, vectors};
use proptest::prelude::*;
use rstest::rstest;

fn contact(distance: f32) -> Contact {
    let ray = GroundRay {
        anchor: DVec3::ZERO,
        offset: Vec3::new(1.0, 0.0, 0.5),
        direction: Vec3::NEG_Z,
        length: 3.0,
        filter: QueryFilter::except(BodyId(0)),
    };
    let hit = GroundHit {
        distance,
        normal: Vec3::Z,
        material: MaterialId(0),
        body: None,
        collider: ColliderId(0),
        triangle: None,
    };
    Contact::new(&ray, hit, 0.8)
}

#[test]
fn a_plane_is_stored_as_height_under_the_center_of_mass_and_follows_it() {
    let mut wheels = WheelState::AT_REST;
    ProbedGround::under(&[Some(contact(2.0)), None, Some(contact(0.0))]).store(&mut wheels);
    assert_eq!(wheels.ground_height.to_array(), [1.5, 0.0, 0.0, 0.0]);
    assert_eq!(wheels.ground_normal.lane(0), Vec3::Z);
    assert_eq!(wheels.ground_normal.lane(1), Vec3::ZERO);
    assert_eq!(wheels.ground_normal.lane(2), Vec3::ZERO, "initial overlap");
    move_planes(&mut wheels, Vec3::new(5.0, 5.0, 0.25));
    assert_eq!(wheels.ground_height.lane(0), 1.75);
}

#[test]
fn ground_that_turns_moves_the_point_under_the_car() {
    let turning = Some(GroundMotion {
        position: DVec3::new(-8.0, 0.0, 0.0),
        rotation: glam::Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::new(0.0, 0.0, 0.5),
        mass: None,
        inverse_inertia: Mat3::ZERO,
    });
    let moving = MovingGround::under(&[Some(contact(2.0))], &[turning], DVec3::ZERO);
    assert_eq!(moving.velocity.lane(0), Vec3::new(0.0, 4.0, 0.0));
    assert_eq!(moving.mass.lane(0), f32::INFINITY);
    assert!(!MovingGround::under(&[Some(contact(1.0))], &[None], DVec3::ZERO).any);
}

#[test]
fn a_contact_is_the_plane_through_its_hit() {
    let slope = Vec3::new(0.6, 0.0, 0.8);
    let ray = GroundRay {
        anchor: DVec3::ZERO,
        offset: Vec3::new(1.0, 2.0, 0.5),
        direction: Vec3::new(0.0, -0.6, -0.8),
        length: 3.0,
        filter: QueryFilter::except(BodyId(0)),
    };
    let hit = GroundHit {
        normal: slope,
        ..contact(2.0).hit
    };
    let contact = Contact::new(&ray, hit, 0.7);
    assert!(near(contact.point, Vec3::new(1.0, 0.8, -1.1), 1.0));
    // From the plane up to the center of mass: −(0.6 − 0.88).
    assert!((contact.height - 0.28).abs() < 1e-6);
    assert!(contact.carries && contact.in_reach);
    assert_eq!(contact.friction, 0.7);
}

/// A body's motion, of sound numbers.
const MOTION: GroundMotion = GroundMotion {
    position: DVec3::X,
    rotation: glam::Quat::IDENTITY,
    linear_velocity: Vec3::Y,
    angular_velocity: Vec3::Z,
    mass: Some(10.0),
    inverse_inertia: Mat3::ZERO,
};

#[rstest]
#[case::all(|_: &mut Contact| (), true)]
#[case::normal(|c: &mut Contact| c.hit.normal.y = f32::NAN, false)]
#[case::point(|c: &mut Contact| c.point.z = f32::INFINITY, false)]
#[case::height(|c: &mut Contact| c.height = f32::NAN, false)]
#[case::friction(|c: &mut Contact| c.friction = f32::INFINITY, false)]
fn every_number_of_a_contact_must_be_valid(#[case] change: fn(&mut Contact), #[case] sound: bool) {
    let mut contact = contact(2.0);
    change(&mut contact);
    assert_eq!(contact.is_finite(), sound);
}

#[rstest]
#[case::all(|_: &mut GroundMotion| (), true)]
#[case::scripted(|m: &mut GroundMotion| m.mass = None, true)]
#[case::position(|m: &mut GroundMotion| m.position.x = f64::NAN, false)]
#[case::velocity(|m: &mut GroundMotion| m.linear_velocity.x = f32::NAN, false)]
#[case::spin(|m: &mut GroundMotion| m.angular_velocity.x = f32::NAN, false)]
#[case::inertia(|m: &mut GroundMotion| m.inverse_inertia.x_axis.x = f32::NAN, false)]
#[case::weightless(|m: &mut GroundMotion| m.mass = Some(0.0), false)]
#[case::negative(|m: &mut GroundMotion| m.mass = Some(-3.0), false)]
fn every_number_of_a_motion_must_be_valid(
    #[case] change: fn(&mut GroundMotion),
    #[case] sound: bool,
) {
    let mut motion = MOTION;
    change(&mut motion);
    assert_eq!(motion.is_sound(), sound);
}

#[test]
fn unusable_contacts_have_no_ground_motion() {
    let unusable = Contact {
        carries: false,
        ..contact(2.0)
    };
    let motions = [Some(MOTION), None];
    let ground = MovingGround::under(&[Some(unusable), None], &motions, DVec3::ZERO);
    assert_eq!(ground, MovingGround::FIXED);
}

proptest! {
    /// Velocities and speeds of rise are those of points of rigid bodies, each wheel's ground its own.
    #[test]
    fn ground_moves_with_its_body(
        position in vector(5.0), linear in vectors(5.0), spin in vectors(2.0), point in vectors(2.0),
        normal in normals(), moves in masks(), mass in lanes(1.0..100.0), tilt in -3f32..3.0,
    ) {
        let car = DVec3::new(100.0, -40.0, 3.0);
        let motions: [_; LANES] = core::array::from_fn(|lane| {
            moves.lane(lane).then(|| GroundMotion {
                position: car - (position * (lane as f32 + 1.0)).as_dvec3(),
                rotation: glam::Quat::IDENTITY,
                linear_velocity: linear.lane(lane),
                angular_velocity: spin.lane(lane),
                mass: (lane != 2).then(|| mass.lane(lane)),
                inverse_inertia: math::matrix(math::rotation_about(Vec3::X, tilt))
                    * Mat3::from_diagonal(Vec3::new(0.5, 1.0, 2.0) / mass.lane(lane))
                    * math::matrix(math::rotation_about(Vec3::X, -tilt)),
            })
        });
        let contacts: [_; LANES] = core::array::from_fn(|lane| {
            let mut contact = contact(2.0);
            (contact.hit.normal, contact.point) = (normal.lane(lane), point.lane(lane));
            Some(contact)
        });
        let ground = MovingGround::under(&contacts, &motions, car);
        prop_assert_eq!(ground.any, moves.any());
        for lane in 0..LANES {
            let arm = position * (lane as f32 + 1.0);
            let still = !moves.lane(lane);
            let or_zero = |v: Vec3| if still { Vec3::ZERO } else { v };
            let at = |arm: Vec3| or_zero(linear.lane(lane) + spin.lane(lane).cross(arm));
            prop_assert!(near(ground.arm.lane(lane), or_zero(arm), 20.0));
            prop_assert_eq!(ground.spin.lane(lane), or_zero(spin.lane(lane)));
            prop_assert!(near(ground.velocity.lane(lane), at(arm), 80.0));
            let rise = at(arm + point.lane(lane)).dot(normal.lane(lane));
            prop_assert!(close(ground.rise.lane(lane), rise, 80.0));
            let heavy = still || lane == 2;
            let expected = if heavy { f32::INFINITY } else { mass.lane(lane) };
            prop_assert_eq!(ground.mass.lane(lane), expected);
            // Pushed by an impulse of 1 N·s along the normal, the body gains this speed there.
            let along = ground.inverse_mass_along(normal).lane(lane);
            let inverse_mass = if heavy { 0.0 } else { 1.0 / mass.lane(lane) };
            let push = (arm + point.lane(lane)).cross(normal.lane(lane));
            let tilted = math::rotation_about(Vec3::X, -tilt);
            let push = math::matrix(tilted) * push;
            let turned = push * push * Vec3::new(0.5, 1.0, 2.0);
            let gained = inverse_mass * (1.0 + turned.element_sum());
            prop_assert!(close(along, gained, inverse_mass * 1e4), "{along} {gained}");
        }
    }

    /// A swept wheel stands as it is drawn at the jounce and steering of the last step; at jounce 0 while
    /// none is known.
    #[test]
    fn swept_wheels_have_the_displayed_orientation(
        jounce in lanes(-0.08..0.2), steer in lanes(-0.6..0.6), known in masks(), yields in any::<bool>(),
    ) {
        let mut params = uneven();
        if yields {
            params.wheels[1].compliance.toe = alloc::vec![(-0.1, -0.05), (0.2, 0.1)];
            params.wheels[2].compliance.camber = alloc::vec![(0.0, 0.03)];
        }
        let kind = model_of(params);
        let (k, curves) = (kind.wheels().first(), kind.curves(0));
        let wheels = WheelState {
            jounce: known.select(jounce, W4::splat(WheelState::UNKNOWN)),
            steer,
            ..WheelState::AT_REST
        };
        let swept = SweptWheels::new(k, curves, None, &wheels, ShapeKind::Capsule, yields);
        prop_assert_eq!((swept.kind, swept.overlaps_carry), (ShapeKind::Capsule, yields));
        let at = known.keep(jounce);
        let camber = strut_curves::camber(k, curves, at, None);
        for lane in 0..LANES {
            let toe = curves.map_or(0.0, |curves| curves.toe(at, None).lane(lane));
            let steer = steer.lane(lane) + toe;
            let drawn = crate::vehicle::pose::wheel_rotation(steer, camber.lane(lane), 0.0);
            prop_assert!(near(swept.axle.lane(lane), math::matrix(drawn).y_axis, 1.0));
        }
    }
}
