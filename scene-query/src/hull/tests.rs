//! Boxes that fall, slide, bounce and strike, on grounds of any orientation.

use core::iter;

use super::*;
use crate::body::{BodyDesc, CollisionBox};
use crate::grounds::Grounds;
use crate::plane::Plane;
use crate::steps::Steps;
use crate::{Axes, HeightField};
use glam::{DVec3, Quat};
use proptest::prelude::*;
use rstest::rstest;
use vehicle_core::frame::Axis;

mod obstacles;

const G: f32 = 9.81;
const DT: f32 = 1.0 / 120.0;

fn crate_at(position: DVec3, rotation: Quat, half: Vec3) -> Body {
    Body::new(&BodyDesc {
        rotation,
        hull: Some(CollisionBox {
            half_extents: half,
            center: Vec3::ZERO,
            friction: 0.5,
            layers: u32::MAX,
        }),
        ..BodyDesc::at_rest(position, 100.0, BodyDesc::box_inertia(100.0, half))
    })
}

fn step(ground: &Grounds, body: &mut Body) {
    step_under(ground, body, Vec3::Z);
}

/// A step with `up` against gravity.
fn step_under(ground: &Grounds, body: &mut Body, up: Vec3) {
    body.accelerate(-up * G, DT);
    let mut solver = HullSolver::default();
    solver.approach(&around(ground, up), iter::once(&mut *body));
    body.advance(DT);
    body.update_sleep(DT);
    solver.land(DT, iter::once(body));
}

fn around(ground: &Grounds, up: Vec3) -> Surroundings<'_> {
    Surroundings {
        ground,
        origin: DVec3::ZERO,
        up: Some(up.as_dvec3()),
        dt: DT,
    }
}

/// Kinetic and potential energy (`J`).
fn energy(body: &Body) -> f64 {
    let now = &body.now;
    let spin = math::matrix(now.rotation).transpose() * now.angular_velocity;
    let v = now.linear_velocity;
    let kinetic = 0.5 * (now.mass * v.dot(v) + spin.dot(now.inertia * spin));
    f64::from(kinetic) + f64::from(now.mass * G) * now.position.z
}

fn level() -> Grounds {
    Plane::level(Axis::Z, 0.0).unwrap().into()
}

fn flat_rows() -> Grounds {
    let rows = vec![vec![0.0; 20]; 20];
    let origin = DVec3::new(-10.0, -10.0, 0.0);
    let field = HeightField::new(Axes::Z_UP, origin, 1.0, &rows);
    field.unwrap().into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    // A cube: with unequal moments a free body's energy is not constant, as gyroscopic
    // torque is left out.
    #[test]
    fn energy_never_grows_and_it_comes_to_rest(
        axis in prop::array::uniform3(-1.0..1.0_f32),
        angle in 0.0..3.0_f32,
        speed in prop::array::uniform3(-4.0..4.0_f32),
        spin in prop::array::uniform3(-6.0..6.0_f32),
        field in any::<bool>(),
    ) {
        let ground = if field { flat_rows() } else { level() };
        let turn = math::rotation_about(math::unit_or_zero(Vec3::from(axis) + Vec3::X * 1.1), angle);
        let mut body = crate_at(DVec3::Z * 2.0, turn, Vec3::splat(0.5));
        body.now.linear_velocity = speed.into();
        body.now.angular_velocity = spin.into();
        let mut lowest = energy(&body);
        for _ in 0..1200 {
            step(&ground, &mut body);
            let now = energy(&body);
            // A tenth of a percent of its energy: the slow push-out lifts it slightly.
            prop_assert!(now < lowest + 2.0, "{now} {lowest}");
            lowest = lowest.min(now);
        }
        prop_assert!(body.is_asleep(), "{:?}", body.now);
        // Occasionally it stays balanced on an edge.
        let height = body.now.position.z;
        prop_assert!((height - 0.5).abs() < 0.01 || (height - 0.707).abs() < 0.01, "{height}");
    }
}

#[test]
fn a_rolled_car_comes_to_rest_on_its_roof_or_wheels() {
    let half = Vec3::new(2.2, 0.9, 0.6);
    let mut car = crate_at(DVec3::Z * 1.5, Quat::IDENTITY, half);
    car.now.linear_velocity = Vec3::new(15.0, 6.0, 0.0);
    car.now.angular_velocity = Vec3::new(-8.0, 0.3, 0.5);
    for _ in 0..1500 {
        step(&level(), &mut car);
        assert!(car.now.position.z > 0.5 && car.now.position.z < 4.0);
    }
    assert!(car.is_asleep(), "{:?}", car.now);
}

#[test]
fn friction_stops_a_slide_at_the_expected_length() {
    let mut body = crate_at(DVec3::Z * 0.501, Quat::IDENTITY, Vec3::new(2.0, 1.0, 0.5));
    body.now.linear_velocity = Vec3::X * 5.0;
    for _ in 0..400 {
        step(&level(), &mut body);
    }
    let way = 25.0 / (2.0 * 0.5 * f64::from(G));
    assert!((body.now.position.x - way).abs() < 0.05, "{:?}", body.now);
    assert!(body.is_asleep());
}

/// A hull passes through ground that it shares no layer with.
#[test]
fn ground_of_other_layers_is_not_touched() {
    let floor = |layers: u32| {
        let plane = Plane::level(Axis::Z, 0.0).unwrap();
        Grounds(vec![
            crate::grounds::GroundPart::new(plane).in_layers(layers),
        ])
    };
    let height = |layers: u32| {
        let mut body = crate_at(DVec3::Z, Quat::IDENTITY, Vec3::splat(0.5));
        body.now.hull = body.now.hull.map(|hull| CollisionBox { layers: 2, ..hull });
        let ground = floor(layers);
        (0..120).for_each(|_| step(&ground, &mut body));
        body.now.position.z
    };
    assert!((height(3) - 0.5).abs() < 0.01);
    assert!(height(1) < -3.0);
}

#[test]
fn a_wall_stops_it_and_does_not_lift_it() {
    let wall = Steps::curb(Axes::Z_UP, DVec3::X * 5.0, 3.0).unwrap();
    let mut body = crate_at(DVec3::Z * 0.5, Quat::IDENTITY, Vec3::splat(0.5));
    body.now.linear_velocity = Vec3::X * 12.0;
    for _ in 0..400 {
        step(&wall.clone().into(), &mut body);
        assert!(body.now.position.z < 0.75, "{:?}", body.now);
        assert!(body.now.position.x < 4.62, "{:?}", body.now);
    }
}

#[test]
fn a_bouncing_body_leaves_with_its_restitution() {
    let wall = Steps::curb(Axes::Z_UP, DVec3::X * 5.0, 9.0).unwrap();
    for restitution in [0.0, 0.6] {
        let mut body = crate_at(DVec3::Z * 4.0, Quat::IDENTITY, Vec3::splat(0.5));
        body.now.restitution = restitution;
        body.now.linear_velocity = Vec3::X * 12.0;
        for _ in 0..60 {
            step(&wall.clone().into(), &mut body);
        }
        let speed = -body.now.linear_velocity.x;
        assert!((speed - restitution * 12.0).abs() < 0.05, "{speed}");
    }
}

#[test]
fn a_buried_body_rises_slowly() {
    let mut body = crate_at(DVec3::Z * -0.8, Quat::IDENTITY, Vec3::splat(0.5));
    for _ in 0..600 {
        step(&level(), &mut body);
        assert!(body.now.linear_velocity.length() < 0.5, "{:?}", body.now);
    }
    assert!((body.now.position.z - 0.5).abs() < 0.02, "{:?}", body.now);
}

/// The corners of a hull (`m`, world).
fn corners(body: &Body) -> [DVec3; 8] {
    let half = body.now.hull.unwrap().half_extents;
    let turn = math::matrix(body.now.rotation);
    core::array::from_fn(|n| {
        let sign = |bit: usize| if n & bit == 0 { 1.0 } else { -1.0 };
        let side = turn * (half * Vec3::new(sign(1), sign(2), sign(4)));
        body.now.position + side.as_dvec3()
    })
}

/// A corner under the ground removes a fifth of the depth left by the previous ones, each of four in turn.
#[rstest]
#[case::shallow(0.004)]
#[case::deeper(0.03)]
fn corners_push_out_by_fractions_of_the_remaining_depth(#[case] depth: f64) {
    let mut body = crate_at(DVec3::Z * (0.5 - depth), Quat::IDENTITY, Vec3::splat(0.5));
    HullSolver::default().approach(&around(&level(), Vec3::Z), iter::once(&mut body));
    let risen = body.now.position.z - (0.5 - depth);
    let expected = (depth - f64::from(SLOP)) * (1.0 - 0.8_f64.powi(4));
    assert!((risen - expected).abs() < 1e-6, "{risen} {expected}");
    assert_eq!(body.now.linear_velocity, Vec3::ZERO);
}

/// An overlap within the slop counts as rest, and a body that already rises fast enough is not
/// pushed.
#[rstest]
#[case::at_rest(0.000_9, 0.0)]
#[case::rising(0.03, 4.0)]
fn no_push_where_none_is_needed(#[case] depth: f64, #[case] speed: f32) {
    let start = DVec3::Z * (0.5 - depth);
    let mut body = crate_at(start, Quat::IDENTITY, Vec3::splat(0.5));
    body.now.linear_velocity = Vec3::Z * speed;
    HullSolver::default().approach(&around(&level(), Vec3::Z), iter::once(&mut body));
    assert_eq!(body.now.position, start);
    assert_eq!(body.now.linear_velocity, Vec3::Z * speed);
}

/// The step that finds a body above the ground within its reach ends on the ground, with the velocity after the impact, however
/// fast it is.
#[rstest]
fn a_fall_ends_on_the_ground(
    #[values(1.5, 5.0, 30.0)] fall: f32,
    #[values(0.1, 0.9)] part: f32,
    #[values(0.0, 0.5)] restitution: f32,
) {
    let height = f64::from(part * fall * DT);
    let mut body = crate_at(DVec3::Z * (0.5 + height), Quat::IDENTITY, Vec3::splat(0.5));
    body.now.restitution = restitution;
    body.now.linear_velocity = Vec3::Z * (G * DT - fall);
    step(&level(), &mut body);
    let bounces = if fall > BOUNCE { restitution } else { 0.0 };
    let velocity = body.now.linear_velocity.z;
    assert!((velocity - bounces * fall).abs() < 1e-3, "{velocity}");
    assert!((body.now.position.z - 0.5).abs() < 1e-5, "{:?}", body.now);
}

/// A body that does not reach the ground within the step keeps its velocity, though it would in the next.
#[test]
fn ground_beyond_a_step_is_not_felt() {
    let mut body = crate_at(DVec3::Z * (0.5 + 0.1), Quat::IDENTITY, Vec3::splat(0.5));
    body.now.linear_velocity = Vec3::Z * (G * DT - 10.0);
    step(&level(), &mut body);
    assert!((body.now.linear_velocity.z + 10.0).abs() < 1e-4);
    assert!((body.now.position.z - 0.5 - 0.1 + 10.0 * f64::from(DT)).abs() < 1e-6);
}

/// A step takes no corner below the ground, neither by falling nor by rotating about another point.
#[rstest]
fn a_step_takes_no_corner_into_the_ground(
    #[values(0.01, 0.15, 0.25)] height: f64,
    #[values(-20.0, 0.0, 20.0)] pitch: f32,
    #[values(-15.0, 0.0, 40.0)] roll: f32,
    #[values(0.0, 12.0)] fall: f32,
) {
    let half = Vec3::new(2.0, 0.6, 0.2);
    let start = DVec3::Z * (0.2 + height);
    let mut bar = crate_at(start, Quat::IDENTITY, half);
    bar.now.linear_velocity = Vec3::NEG_Z * fall;
    bar.now.angular_velocity = Vec3::new(roll, pitch, 0.0);
    step(&level(), &mut bar);
    let lowest = corners(&bar).map(|corner| corner.z);
    let lowest = lowest.into_iter().fold(f64::INFINITY, f64::min);
    // Deviation of an arc from its tangent.
    let angle = bar.now.angular_velocity.length() * DT;
    let bend = f64::from(half.length() * angle * angle) * 0.5;
    assert!(lowest > -0.005 - bend, "{lowest} {bend}");
}

/// A long box that strikes with a corner first, on ground with the normal `up`.
fn strike(turn: Quat, friction: f32, steps: usize) -> Body {
    let turned = |v: Vec3| math::matrix(turn) * v;
    let half = Vec3::new(1.2, 0.7, 0.4);
    let lean = math::rotation_about(Vec3::new(0.6, 0.8, 0.0), 0.5);
    let place = turned(Vec3::Z * 1.2).as_dvec3();
    let mut body = crate_at(place, math::compose(turn, lean), half);
    body.now.hull.as_mut().unwrap().friction = friction;
    body.now.hull.as_mut().unwrap().center = Vec3::new(0.1, -0.05, 0.02);
    body.now.linear_velocity = turned(Vec3::new(3.0, -1.0, -2.0));
    body.now.angular_velocity = turned(Vec3::new(-1.0, 2.0, 0.5));
    let up = turned(Vec3::Z);
    let ground = Plane::new(DVec3::ZERO, up.as_dvec3()).unwrap().into();
    for _ in 0..steps {
        step_under(&ground, &mut body, up);
    }
    body
}

/// Rotating world, ground, gravity and body together rotates the result.
fn assert_turned(turn: Quat, friction: f32) {
    // It strikes after some fifteen steps.
    let (here, there) = (
        strike(Quat::IDENTITY, friction, 40),
        strike(turn, friction, 40),
    );
    let turned = |v: Vec3| math::matrix(turn) * v;
    let place = turned(here.now.position.as_vec3()) - there.now.position.as_vec3();
    let speed = turned(here.now.linear_velocity) - there.now.linear_velocity;
    let spin = turned(here.now.angular_velocity) - there.now.angular_velocity;
    assert!(
        here.now.angular_velocity.y < 1.5,
        "it has struck: {:?}",
        here.now
    );
    assert!(place.length() < 1e-4, "{place}");
    assert!(
        speed.length() < 1e-3 && spin.length() < 2e-3,
        "{speed} {spin}"
    );
}

/// A hull slides with friction along fixed axes: the orientation of its two directions is the solver's choice.
#[rstest]
#[case::x_up(Quat::from_xyzw(0.5, 0.5, 0.5, 0.5))]
#[case::y_up(Quat::from_xyzw(0.5, 0.5, 0.5, -0.5))]
#[case::upside_down(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0))]
#[case::turned_round(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0))]
#[case::a_quarter(Quat::from_xyzw(0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()))]
fn a_rotated_world_gives_a_rotated_result(#[case] turn: Quat) {
    assert_turned(turn, 0.5);
}

#[rstest]
#[case(Quat::from_xyzw(0.1, -0.2, 0.3, 0.86_f32.sqrt()))]
#[case(Quat::from_xyzw(0.7, 0.1, -0.5, 0.5))]
fn without_friction_any_rotation_is_allowed(#[case] turn: Quat) {
    assert_turned(turn, 0.0);
}

#[test]
fn a_sleeping_body_stays_in_place() {
    let mut body = crate_at(DVec3::Z * 0.3, Quat::IDENTITY, Vec3::splat(0.5));
    body.sleep.asleep = true;
    let before = body.clone();
    HullSolver::default().approach(&around(&level(), Vec3::Z), iter::once(&mut body));
    assert_eq!(body, before);
}
