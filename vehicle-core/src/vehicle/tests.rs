//! Whole updates of the sample car on level ground.

use glam::{DVec3, Mat3, Quat};
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::base::ids::MaterialId;
use crate::base::lanes::W4;
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::GroundMotion;
use crate::exchange::command::{CarCommand, Command};
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::surface::Surfaces;
use crate::testing;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

fn body(height: f64, linear_velocity: Vec3) -> BodyState {
    BodyState {
        position: DVec3::new(3.0, -2.0, height),
        rotation: Quat::IDENTITY,
        linear_velocity,
        angular_velocity: Vec3::ZERO,
        mass: 1500.0,
        inverse_inertia: Mat3::from_diagonal(Vec3::new(1.0 / 1281.0, 1.0 / 3625.0, 1.0 / 3125.0)),
        locked_axes: crate::LockedAxes::NONE,
        linear_damping: 0.0,
        angular_damping: 0.0,
        asleep: false,
    }
}

fn car() -> Vehicle {
    Vehicle::new(Arc::new(testing::model()), BodyId(7))
}

/// A hit of level ground at z = 0 for a ray.
fn level(ray: &GroundRay) -> Option<GroundHit> {
    let height = ray.anchor.z + f64::from(ray.offset.z);
    let distance = (height / f64::from(-ray.direction.z)) as f32;
    (distance >= 0.0 && distance <= ray.length).then_some(GroundHit {
        distance,
        normal: Vec3::Z,
        material: MaterialId(0),
        body: None,
        collider: crate::ColliderId(0),
        triangle: None,
    })
}

fn probe(car: &mut Vehicle, body: &BodyState) {
    let mut rays = [GroundRay {
        anchor: DVec3::ZERO,
        offset: Vec3::ZERO,
        direction: Vec3::ZERO,
        length: 0.0,
        filter: QueryFilter::except(BodyId(0)),
    }; 4];
    car.plan_rays(body, &mut rays);
    let hits = rays.map(|ray| level(&ray));
    car.take_hits(&rays, &hits, &Surfaces::new(), |_| None)
        .unwrap();
}

fn braking(brake: f32) -> Command {
    Command::Car(CarCommand {
        brake,
        ..CarCommand::default()
    })
}

fn change(outcome: &StepResult) -> Vec3 {
    match outcome.motion {
        Motion::VelocityChange { linear, .. } => linear,
        other => panic!("{other:?}"),
    }
}

#[test]
fn at_its_design_height_a_car_carries_its_weight() {
    // At speed, a step is one substep.
    let (mut car, body) = (car(), body(1.65, Vec3::X * 8.0));
    probe(&mut car, &body);
    let outcome = car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    let lift = change(&outcome);
    assert!((lift.z - 9.81 * DT).abs() < 1e-3, "{lift}");
    assert!(!car.is_in_air());
    assert!((car.wheel_report(0).suspension_force - 437.5 * 9.81).abs() < 1.0);
}

#[test]
fn high_above_the_ground_nothing_acts() {
    let (mut car, body) = (car(), body(9.0, Vec3::X));
    probe(&mut car, &body);
    let outcome = car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
    assert_eq!(change(&outcome), Vec3::ZERO);
    assert!(car.is_in_air());
    assert_eq!(car.wheel_report(2).jounce, -0.1);
}

#[test]
fn cached_planes_follow_the_car() {
    let (mut car, start) = (car(), body(1.65, Vec3::ZERO));
    probe(&mut car, &start);
    car.update(&start, &braking(0.0), GRAVITY, DT).unwrap();
    let mut lower = start;
    lower.position += DVec3::new(1.0, 0.5, -0.05);
    car.update(&lower, &braking(0.0), GRAVITY, DT).unwrap();
    let report = car.wheel_report(1);
    assert!((report.jounce - 0.05).abs() < 0.01, "{}", report.jounce);
    assert!(report.ground.is_none(), "a cached plane has no material");
}

#[test]
fn a_vehicles_own_grip_is_a_factor_on_the_grounds_friction() {
    let friction = |grip: f32| {
        let (mut car, body) = (car(), body(1.65, Vec3::X));
        car.set_grip(grip).unwrap();
        probe(&mut car, &body);
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        car.wheel_report(0).ground_friction
    };
    assert_eq!([1.0, 0.25].map(friction), [1.0, 0.25]);
    let mut car = car();
    car.set_grip(0.5).unwrap();
    for bad in [-0.1, f32::NAN, f32::INFINITY] {
        let error = alloc::format!("{}", car.set_grip(bad).unwrap_err());
        assert_eq!(
            error,
            alloc::format!("grip = {bad}: must be finite and >= 0")
        );
    }
    assert_eq!(car.grip, 0.5);
}

#[rstest]
#[case::no_time(0.0, GRAVITY)]
#[case::bad_time(f32::NAN, GRAVITY)]
#[case::bad_gravity(DT, Vec3::new(0.0, f32::INFINITY, 0.0))]
fn invalid_updates_are_refused_without_effect(#[case] dt: f32, #[case] gravity: Vec3) {
    let (mut car, body) = (car(), body(1.6, Vec3::X));
    probe(&mut car, &body);
    car.update(&body, &braking(0.3), GRAVITY, DT).unwrap();
    let before = car.state().clone();
    let refused = car.update(&body, &braking(0.3), gravity, dt);
    assert!(refused.is_err_and(|error| error.stops_step()));
    assert_eq!(*car.state(), before);
}

/// After a command that is refused, a car goes on as after the last accepted one, to the bit, and says so.
#[rstest]
#[case::throttle(Command::Car(CarCommand { throttle: f32::NAN, ..CarCommand::default() }))]
#[case::range(Command::Car(CarCommand { brake: 3.0, ..CarCommand::default() }))]
#[case::model(Command::Tank(crate::TankCommand::default()))]
fn the_last_command_goes_on_where_one_is_refused(#[case] command: Command) {
    let body = body(1.6, Vec3::X);
    let [(told, state), (refused, after)] = [braking(0.3), command].map(|second| {
        let mut car = car();
        probe(&mut car, &body);
        car.update(&body, &braking(0.3), GRAVITY, DT).unwrap();
        assert_eq!(car.input_error(), None);
        probe(&mut car, &body);
        let outcome = car.update(&body, &second, GRAVITY, DT).unwrap();
        let error = car.input_error();
        assert_eq!(error.is_some(), second != braking(0.3));
        assert!(error.is_none_or(|error| !error.stops_step()));
        car.update(&body, &braking(0.3), GRAVITY, DT).unwrap();
        assert_eq!(car.input_error(), None, "told once");
        (outcome, car.state().clone())
    });
    assert_eq!(told, refused);
    assert_eq!(state, after);
}

#[test]
fn a_body_that_is_not_finite_is_refused() {
    let (mut car, mut body) = (car(), body(1.6, Vec3::X));
    body.angular_velocity.y = f32::NAN;
    let before = car.state().clone();
    let refused = car.update(&body, &braking(0.0), GRAVITY, DT);
    assert_eq!(refused, Err(StepError::Body));
    assert_eq!(*car.state(), before);
}

/// Wheels whose contact or whose ground's motion is not finite have no ground in that step; others have theirs.
#[rstest]
#[case::normal(|hit: &mut GroundHit| hit.normal.x = f32::NAN, 1.0)]
#[case::distance(|hit: &mut GroundHit| hit.distance = f32::INFINITY, 1.0)]
#[case::motion(|_: &mut GroundHit| (), f32::NAN)]
fn a_contact_that_is_not_finite_leaves_out_its_wheel(
    #[case] spoil: fn(&mut GroundHit),
    #[case] mass: f32,
    #[values(&[2], &[1, 3])] bad: &[usize],
) {
    let (mut car, body) = (car(), body(1.65, Vec3::ZERO));
    let mut rays = [GroundRay::BLANK; 4];
    car.plan_rays(&body, &mut rays);
    let mut hits = rays.map(|ray| level(&ray));
    for &wheel in bad {
        let hit = hits[wheel].as_mut().unwrap();
        hit.body = Some(BodyId(3));
        spoil(hit);
    }
    let motion = |_| {
        Some(GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: Some(mass),
            inverse_inertia: Mat3::ZERO,
        })
    };
    let contacts: [_; 4] = core::array::from_fn(|n| Contact::new(&rays[n], hits[n].unwrap(), 1.0));
    let supplied = |n: usize| Some((contacts[n], contacts[n].hit.body.and_then(motion)));
    for supplies in [false, true] {
        let refused = if supplies {
            car.take_contacts(body.position, supplied)
        } else {
            car.take_hits(&rays, &hits, &Surfaces::new(), motion)
        };
        assert_eq!(refused, Err(StepError::Contact { wheel: bad[0] }));
        assert!(!car.knows_ground(), "the next step has a probe");
        let sound = [0, 1, 2, 3].map(|n| !bad.contains(&n));
        assert_eq!([0, 1, 2, 3].map(|n| car.contacts()[n].is_some()), sound);
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        let carries = |n: usize| car.wheel_report(n).suspension_force > 0.0;
        assert_eq!([0, 1, 2, 3].map(carries), sound);
    }
    probe(&mut car, &body);
    assert!(car.knows_ground());
}

#[test]
fn supplied_contacts_serve_instead_of_queries() {
    let (mut asked, mut told, body) = (car(), car(), body(1.6, Vec3::X));
    probe(&mut asked, &body);
    let contacts: Vec<_> = asked.contacts().to_vec();
    told.take_contacts(body.position, |wheel| Some((contacts[wheel]?, None)))
        .unwrap();
    let command = braking(0.2);
    let a = asked.update(&body, &command, GRAVITY, DT);
    let b = told.update(&body, &command, GRAVITY, DT);
    assert_eq!(a, b);
    assert_eq!(asked.state(), told.state());
}

#[test]
fn asleep_the_wheels_stand_and_the_body_is_left_alone() {
    let (mut car, mut body) = (car(), body(1.65, Vec3::ZERO));
    probe(&mut car, &body);
    car.state_mut().wheels[0].spin = W4::splat(3.0);
    body.asleep = true;
    let outcome = car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
    assert_eq!(outcome, StepResult::default());
    assert_eq!(car.state().wheels[0].spin, W4::ZERO);
    let steering = Command::Car(CarCommand {
        steer: 0.5,
        ..CarCommand::default()
    });
    let outcome = car.update(&body, &steering, GRAVITY, DT).unwrap();
    assert!(outcome.wake && outcome.motion != Motion::Keep);
}

#[test]
fn a_car_on_a_lift_feels_its_weight() {
    let carry = |rise: f32| {
        let (mut car, body) = (car(), body(1.65, Vec3::Z * rise));
        probe(&mut car, &body);
        let contacts: Vec<_> = car.contacts().to_vec();
        let moving = |wheel: usize| {
            let contact = contacts[wheel]?;
            let motion = Some(GroundMotion {
                position: DVec3::ZERO,
                rotation: Quat::IDENTITY,
                linear_velocity: Vec3::Z * rise,
                angular_velocity: Vec3::ZERO,
                mass: None,
                inverse_inertia: Mat3::ZERO,
            });
            Some((contact, motion))
        };
        // Twice, so that the damper knows the jounce before.
        car.take_contacts(body.position, moving).unwrap();
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        car.take_contacts(body.position, moving).unwrap();
        change(&car.update(&body, &braking(0.0), GRAVITY, DT).unwrap()).z
    };
    let still = carry(0.0);
    for rise in [-1.0, 1.0] {
        assert!((carry(rise) - still).abs() < 0.01, "{rise} {}", carry(rise));
    }
}

#[test]
fn a_refused_update_pushes_nothing() {
    let (mut car, body) = (car(), body(1.6, Vec3::ZERO));
    probe(&mut car, &body);
    let contacts: Vec<_> = car.contacts().to_vec();
    let on_a_crate = |wheel: usize| {
        let mut contact = contacts[wheel]?;
        contact.hit.body = Some(BodyId(3));
        let motion = Some(GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: Some(800.0),
            inverse_inertia: Mat3::ZERO,
        });
        Some((contact, motion))
    };
    car.take_contacts(body.position, on_a_crate).unwrap();
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    assert_eq!(car.reactions().count(), 4);
    assert!(car.reactions().all(|push| push.force.z < 0.0));
    car.take_contacts(body.position, on_a_crate).unwrap();
    let refused = car.update(&body, &braking(0.0), GRAVITY, 0.0);
    assert!(refused.is_err());
    assert_eq!(car.reactions().count(), 0);
}

#[test]
fn acceleration_of_a_light_body_is_limited() {
    let mut params = testing::four_wheeler();
    params.profile = crate::Profile::DEFAULT;
    let params = crate::Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &testing::tires(), testing::no_drive()).unwrap();
    let mut car = Vehicle::new(Arc::new(model), BodyId(0));
    let body = body(1.6, Vec3::ZERO);
    for (mass, limited) in [(800.0, false), (5.0, true)] {
        probe(&mut car, &body);
        let contacts: Vec<_> = car.contacts().to_vec();
        let on_a_body = |wheel: usize| {
            let mut contact = contacts[wheel]?;
            contact.hit.body = Some(BodyId(3));
            let motion = Some(GroundMotion {
                position: DVec3::ZERO,
                rotation: Quat::IDENTITY,
                linear_velocity: Vec3::ZERO,
                angular_velocity: Vec3::ZERO,
                mass: Some(mass),
                inverse_inertia: Mat3::ZERO,
            });
            Some((contact, motion))
        };
        car.take_contacts(body.position, on_a_body).unwrap();
        car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
        for push in car.reactions() {
            let acceleration = push.force.length() / mass;
            assert_eq!(
                (acceleration - 100.0).abs() < 1e-3,
                limited,
                "{acceleration}"
            );
        }
    }
}

#[test]
fn planes_follow_a_car_that_slept() {
    let (mut car, mut body) = (car(), body(1.65, Vec3::ZERO));
    probe(&mut car, &body);
    body.asleep = true;
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    body.asleep = false;
    body.position.z += 5.0;
    car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    assert!(car.is_in_air());
    assert!(car.contacts().iter().all(Option::is_none));
}

#[rstest]
#[case::physx(crate::Profile::PHYSX_4, false)]
#[case::default(crate::Profile::DEFAULT, true)]
fn releasing_the_brake_of_a_sleeping_car(#[case] profile: crate::Profile, #[case] wakes: bool) {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    let params = crate::Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &testing::tires(), testing::no_drive()).unwrap();
    let (mut car, mut body) = (
        Vehicle::new(Arc::new(model), BodyId(7)),
        body(1.65, Vec3::ZERO),
    );
    probe(&mut car, &body);
    car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
    body.asleep = true;
    let result = car.update(&body, &braking(1.0), GRAVITY, DT).unwrap();
    assert_eq!(result, StepResult::default(), "a held brake lets it sleep");
    let released = car.update(&body, &braking(0.0), GRAVITY, DT).unwrap();
    assert_eq!(released.wake, wakes);
}

#[test]
fn a_restored_state_gives_the_same_bits() {
    let (mut car, body) = (car(), body(1.6, Vec3::new(4.0, 0.3, 0.1)));
    probe(&mut car, &body);
    car.update(&body, &braking(0.1), GRAVITY, DT).unwrap();
    let saved = car.state().clone();
    probe(&mut car, &body);
    let first = car.update(&body, &braking(0.4), GRAVITY, DT).unwrap();
    let end = car.state().clone();
    car.restore(saved).unwrap();
    probe(&mut car, &body);
    let second = car.update(&body, &braking(0.4), GRAVITY, DT).unwrap();
    assert_eq!(first, second);
    assert_eq!(*car.state(), end);
}

#[test]
fn a_state_of_other_wheels_is_refused() {
    let mut car = car();
    let before = car.state().clone();
    let of = |wheels| VehicleState::at_rest(wheels, crate::DriveState::default());
    let (groups, expected) = (5, 1);
    let error = StepError::ForeignState { groups, expected };
    assert_eq!(car.restore(of(18)), Err(error));
    assert_eq!(*car.state(), before);
    assert_eq!(car.restore(of(3)), Ok(()));
}

#[test]
fn numbers_beyond_all_range_put_the_car_to_rest() {
    let (mut car, body) = (car(), body(1.6, Vec3::X));
    let rest = car.state().clone();
    probe(&mut car, &body);
    let refused = car.update(&body, &braking(1.0), GRAVITY, 1e38);
    assert_eq!(refused, Err(StepError::Overflow));
    assert_eq!(*car.state(), rest);
}

proptest! {
    #[test]
    fn finite_motions_give_finite_outcomes(
        vx in -80.0f32..80.0, vy in -40.0f32..40.0, vz in -30.0f32..30.0,
        wx in -8.0f32..8.0, wy in -8.0f32..8.0, wz in -8.0f32..8.0,
        qx in -1.0f32..1.0, qy in -1.0f32..1.0, height in 0.2f64..2.5,
        spin in -300.0f32..300.0, steer in -1.0f32..1.0, brake in 0.0f32..1.0,
    ) {
        let mut car = car();
        let mut body = body(height, Vec3::new(vx, vy, vz));
        body.angular_velocity = Vec3::new(wx, wy, wz);
        body.rotation = math::unit(Quat::from_xyzw(qx, qy, 0.0, 1.0));
        car.state_mut().wheels[0].spin = W4::splat(spin);
        probe(&mut car, &body);
        let command = Command::Car(CarCommand { steer, brake, ..CarCommand::default() });
        let outcome = car.update(&body, &command, GRAVITY, DT).unwrap();
        prop_assert!(change(&outcome).is_finite());
        for wheel in 0..4 {
            let report = car.wheel_report(wheel);
            prop_assert!(report.spin.is_finite() && report.load.is_finite());
            prop_assert!(car.wheel_pose(wheel).rotation.is_finite());
        }
    }
}

mod update_level;
mod pressed;
mod step_error;
mod reports;
