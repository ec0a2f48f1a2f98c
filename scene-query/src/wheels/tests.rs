use glam::DVec3;
use jointed_wheels::Motor;
use rstest::rstest;
use vehicle_core::Axis;

use super::*;
use crate::{CollisionBox, Plane, Platform};

const DT: f32 = 1.0 / 60.0;
const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);

fn attachment(position: Vec3) -> WheelAttachment {
    WheelAttachment {
        position,
        up: Vec3::Z,
        radius: 0.3,
        width: 0.2,
        mass: 20.0,
        inertia: [2.0, 1.0],
        stiffness: 30_000.0,
        damping: 3000.0,
        free_travel: -0.1,
        limits: [-0.2, 0.1],
        friction: 0.8,
        layers: u32::MAX,
    }
}

/// A body of 1 t on four wheels, at rest above the plane.
fn cart() -> (Standalone, BodyId, Vec<BodyId>) {
    cart_with(None, 0.0)
}

fn cart_with(hull: Option<CollisionBox>, sleep: f32) -> (Standalone, BodyId, Vec<BodyId>) {
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let mut desc = BodyDesc::at_rest(
        DVec3::Z * 0.6,
        1000.0,
        Mat3::from_diagonal(Vec3::new(300.0, 900.0, 1000.0)),
    );
    (desc.sleep_threshold, desc.hull) = (sleep, hull);
    let chassis = world.add(&desc).unwrap();
    let places = [(1.0, 0.7), (1.0, -0.7), (-1.0, 0.7), (-1.0, -0.7)];
    let attachments = places.map(|(x, y)| attachment(Vec3::new(x, y, -0.3)));
    let wheels = world.attach_wheels(chassis, &attachments).unwrap();
    (world, chassis, wheels)
}

fn drive(world: &mut Standalone, chassis: BodyId, steer: f32, motor: Motor) {
    let drive = WheelDrive {
        steer,
        free_travel: -0.1,
        motor,
    };
    world.drive_wheels(chassis, &[drive; 4], true).unwrap();
}

fn run(world: &mut Standalone, seconds: f32) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(G, DT);
    }
}

#[test]
fn a_cart_rests_on_its_springs() {
    let (mut world, chassis, _) = cart();
    run(&mut world, 3.0);
    let mut motions = [WheelMotion::default(); 4];
    world.wheel_motions(chassis, &mut motions).unwrap();
    // 250 kg on each spring: 81.75 mm from where it is free.
    for motion in motions {
        assert!(
            (motion.travel + 0.1 - 250.0 * 9.81 / 30_000.0).abs() < 2e-4,
            "{motion:?}"
        );
        assert!(motion.spin.abs() < 1e-3);
    }
}

#[test]
fn locked_wheels_slide_by_coulombs_friction_and_stop_for_good() {
    let (mut world, chassis, wheels) = cart();
    run(&mut world, 2.0);
    for body in [&[chassis], &wheels[..]].concat() {
        world
            .set_velocity(body, Vec3::X * 10.0, Vec3::ZERO)
            .unwrap();
    }
    let brake = Motor {
        inertia: f32::INFINITY,
        most: 1e5,
        ..Motor::default()
    };
    drive(&mut world, chassis, 0.0, brake);
    let start = world.body(chassis).unwrap().now().position;
    run(&mut world, 3.0);
    let way = (world.body(chassis).unwrap().now().position - start).length();
    // v²/2μg.
    assert!(
        (way / (100.0 / (2.0 * 0.8 * 9.81)) - 1.0).abs() < 0.03,
        "{way} m"
    );
    let stood = world.body(chassis).unwrap().now().position;
    run(&mut world, 5.0);
    let crept = (world.body(chassis).unwrap().now().position - stood).length();
    assert!(crept < 1e-4, "{crept} m");
}

#[test]
fn a_torque_drives_as_the_whole_mass_lets_it_and_steering_turns_the_way() {
    let (mut world, chassis, _) = cart();
    run(&mut world, 2.0);
    drive(
        &mut world,
        chassis,
        0.0,
        Motor {
            torque: 100.0,
            ..Motor::default()
        },
    );
    let before = world.body(chassis).unwrap().now().linear_velocity.x;
    run(&mut world, 2.0);
    let gained = world.body(chassis).unwrap().now().linear_velocity.x - before;
    // 400 N·m at 0.3 m; each wheel is as heavy as 20 + 2/0.3² kg.
    let expected = 2.0 * (400.0 / 0.3) / (1000.0 + 4.0 * (20.0 + 2.0 / 0.09));
    assert!(
        (gained / expected - 1.0).abs() < 0.02,
        "{gained}, not {expected} m/s"
    );
    // All wheels steer alike: the cart goes aside without turning.
    drive(&mut world, chassis, 0.5, Motor::default());
    run(&mut world, 2.0);
    let now = world.body(chassis).unwrap().now();
    let slant = now.linear_velocity.y / now.linear_velocity.x;
    assert!((slant - 0.5_f32.tan()).abs() < 0.03, "{slant}");
}

/// Rows between bodies without mass must leave nothing behind.
#[test]
fn a_cart_that_slept_drives_off() {
    let (mut world, chassis, wheels) = cart_with(None, 0.005);
    run(&mut world, 5.0);
    let all = || [&[chassis], &wheels[..]].concat().into_iter();
    assert!(all().all(|id| world.body(id).unwrap().is_asleep()));
    let motor = Motor {
        torque: 100.0,
        ..Motor::default()
    };
    drive(&mut world, chassis, 0.0, motor);
    run(&mut world, 2.0);
    let now = world.body(chassis).unwrap().now();
    assert!(
        now.linear_velocity.x > 2.0 && now.position.z > 0.5,
        "{now:?}"
    );
}

/// Without ground: what the chassis gains, the wheel loses, its spin's momentum included.
#[test]
fn a_spinning_wheel_is_a_gyroscope() {
    let mut world = Standalone::new(Plane::level(Axis::Z, -100.0).unwrap());
    let mut desc = BodyDesc::at_rest(DVec3::ZERO, 100.0, Mat3::from_diagonal(Vec3::splat(20.0)));
    desc.sleep_threshold = 0.0;
    let chassis = world.add(&desc).unwrap();
    let wheel = world
        .attach_wheels(chassis, &[attachment(Vec3::ZERO)])
        .unwrap()[0];
    world.set_velocity(chassis, Vec3::ZERO, Vec3::Z).unwrap();
    world
        .set_velocity(wheel, Vec3::ZERO, Vec3::new(0.0, 20.0, 1.0))
        .unwrap();
    let momentum = |world: &Standalone| -> Vec3 {
        let of = |id: BodyId| {
            let now = world.body(id).unwrap().now();
            now.rotation * (now.inertia * (now.rotation.inverse() * now.angular_velocity))
        };
        of(chassis) + of(wheel)
    };
    let before = momentum(&world);
    for _ in 0..60 {
        world.step(Vec3::ZERO, DT);
    }
    let change = (momentum(&world) - before).length() / before.length();
    let turn = world.body(chassis).unwrap().now().angular_velocity;
    assert!(change < 0.03, "{change}");
    // 2·20 N·m·s turned by the yaw roll the chassis.
    assert!(turn.truncate().length() > 0.3, "{turn}");
}

#[test]
fn wheels_are_of_one_chassis_in_one_world() {
    let (mut world, chassis, wheels) = cart();
    let again = world.attach_wheels(chassis, &[attachment(Vec3::X)]);
    assert_eq!(again, Err(JointedError::Twice(chassis)));
    let absent = world.attach_wheels(BodyId(99), &[attachment(Vec3::X)]);
    assert_eq!(
        absent,
        Err(JointedError::Body(BodyError::Missing(BodyId(99))))
    );
    let mut motions = [WheelMotion::default(); 4];
    let other = wheels[0];
    let foreign = world.wheel_motions(other, &mut motions);
    assert_eq!(foreign, Err(JointedError::NotAttached(other)));
    // A bad wheel leaves nothing behind.
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
    let chassis = world
        .add(&BodyDesc::at_rest(DVec3::Z, 1.0, Mat3::IDENTITY))
        .unwrap();
    let bad = WheelAttachment {
        radius: -1.0,
        ..attachment(Vec3::X)
    };
    let fault = world
        .attach_wheels(chassis, &[attachment(Vec3::X), bad])
        .unwrap_err();
    assert!(fault.to_string().contains("tread.radius"), "{fault}");
    assert!(world.body(BodyId(1)).is_err() && world.body(BodyId(2)).is_err());
}

fn platform(world: &mut Standalone, linear: Vec3, angular: Vec3) {
    let mut deck = Platform::at_rest(Plane::level(Axis::Z, 0.0).unwrap(), DVec3::Z * 0.1);
    (deck.linear_velocity, deck.angular_velocity) = (linear, angular);
    world.add_platform(deck).unwrap();
}

/// A lift, a belt and a turntable: with its brakes on, the cart goes where they go.
#[rstest]
#[case::lift(Vec3::Z * 0.5, Vec3::ZERO)]
#[case::belt(Vec3::new(2.0, 1.0, 0.0), Vec3::ZERO)]
#[case::turntable(Vec3::ZERO, Vec3::Z * 0.4)]
fn a_cart_is_carried_by_what_moves(#[case] linear: Vec3, #[case] angular: Vec3) {
    let (mut world, chassis, _) = cart();
    platform(&mut world, linear, angular);
    let brake = Motor {
        inertia: f32::INFINITY,
        most: 1e5,
        ..Motor::default()
    };
    drive(&mut world, chassis, 0.0, brake);
    run(&mut world, 4.0);
    let now = *world.body(chassis).unwrap().now();
    assert!(
        (now.linear_velocity - linear).length() < 0.01,
        "{}",
        now.linear_velocity
    );
    assert!(
        (now.angular_velocity - angular).length() < 0.01,
        "{}",
        now.angular_velocity
    );
    // On its springs, above the deck as it is now.
    let deck = 0.1 + f64::from(linear.z) * 4.0;
    let height = now.position.z - deck;
    assert!((height - 0.6).abs() < 0.05, "{height}");
}

/// A free box in the way of a wheel: what one gains, the other loses.
#[test]
fn a_body_feels_the_wheel_that_runs_into_it() {
    let mut world = Standalone::new(Plane::level(Axis::Z, -100.0).unwrap());
    let body = |x: f64, mass: f32| {
        BodyDesc::at_rest(
            DVec3::X * x,
            mass,
            Mat3::from_diagonal(Vec3::splat(0.3 * mass)),
        )
    };
    let chassis = world.add(&body(0.0, 100.0)).unwrap();
    let level = WheelAttachment {
        free_travel: 0.0,
        ..attachment(Vec3::ZERO)
    };
    let wheel = world.attach_wheels(chassis, &[level]).unwrap()[0];
    let mut obstacle = body(2.0, 200.0);
    obstacle.hull = Some(CollisionBox {
        half_extents: Vec3::splat(0.5),
        center: Vec3::ZERO,
        friction: 0.5,
        layers: u32::MAX,
    });
    let obstacle = world.add(&obstacle).unwrap();
    // It sleeps until it is met.
    for _ in 0..120 {
        world.step(Vec3::ZERO, DT);
    }
    assert!(world.body(obstacle).unwrap().is_asleep());
    for id in [chassis, wheel] {
        world.set_velocity(id, Vec3::X * 3.0, Vec3::ZERO).unwrap();
    }
    for _ in 0..60 {
        world.step(Vec3::ZERO, DT);
    }
    let speed = |id| world.body(id).unwrap().now().linear_velocity.x;
    let momentum = 100.0 * speed(chassis) + 20.0 * speed(wheel) + 200.0 * speed(obstacle);
    assert!((momentum / 360.0 - 1.0).abs() < 1e-3, "{momentum}");
    // Without bounce, all three go on together, but for what few iterations of a joint leave.
    for id in [chassis, wheel, obstacle] {
        assert!((speed(id) - 360.0 / 320.0).abs() < 0.15, "{}", speed(id));
    }
}

/// Wheels pass through the hull of their own chassis.
#[test]
fn a_cart_does_not_touch_itself() {
    let hull = CollisionBox {
        half_extents: Vec3::new(1.5, 0.9, 0.35),
        center: Vec3::Z * 0.2,
        friction: 0.5,
        layers: u32::MAX,
    };
    let heights = [None, Some(hull)].map(|hull| {
        let (mut world, chassis, _) = cart_with(hull, 0.0);
        run(&mut world, 2.0);
        world.body(chassis).unwrap().now().position.z
    });
    assert_eq!(heights[0], heights[1]);
}
