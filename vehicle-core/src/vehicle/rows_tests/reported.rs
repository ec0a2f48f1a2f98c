//! Reports of wheels, compared with each other and with the inputs of the vehicle.

use core::ops::RangeInclusive;

use super::*;
use crate::params::profile::Solver;
use crate::vehicle::pose::wheel_rotation;
use crate::vehicle::report::EngineReport;
use crate::{WheelContact, WheelReport};

/// A six-wheeler on one of the solvers, of which wheel `n` is wheel `order[n]` of the usual one.
fn six(solver: Solver, order: [usize; 6]) -> Arc<VehicleModel> {
    let change = |p: &mut VehicleParams| {
        six_wheeler(p);
        p.profile.solver = solver;
        for (n, wheel) in p.wheels.iter_mut().enumerate() {
            wheel.toe = 0.002 * (n as f32 - 2.5);
            wheel.suspension.camber.at_rest = 0.01 * n as f32;
        }
        p.wheels = order.iter().map(|&n| p.wheels[n].clone()).collect();
        let index = |n: usize| order.iter().position(|&from| from == n).unwrap();
        for bar in &mut p.anti_roll {
            bar.wheels = bar.wheels.map(index);
        }
    };
    model(params(change), testing::no_drive())
}

/// Numbers of a report that belong to the wheel alone, each with what it is compared to at most.
fn numbers(report: &WheelReport) -> Vec<f32> {
    let vectors = [
        report.probe_start,
        report.probe_direction,
        report.suspension_point,
        report.tire_point,
        report.longitudinal_direction,
        report.lateral_direction,
    ];
    let flags = [
        report.in_air,
        report.at_stop,
        report.sticks_longitudinally,
        report.sticks_laterally,
    ];
    let scalars = [
        report.probe_length,
        report.jounce,
        report.jounce_speed,
        report.suspension_force / 3000.0,
        report.load / 3000.0,
        report.rest_mass / 300.0,
        report.friction,
        report.forward_speed,
        report.lateral_speed,
        report.slip_ratio,
        report.slip_angle,
        report.longitudinal_force / 3000.0,
        report.lateral_force / 3000.0,
        report.grip_used,
        report.skid_info,
        report.steer,
        report.camber,
        report.spin,
        report.spin_shown,
        report.angle,
        report.turned,
        report.still_forward,
        report.still_lateral,
    ];
    let vectors = vectors.into_iter().flat_map(|v| v.to_array());
    let flags = flags.into_iter().map(|flag| f32::from(u8::from(flag)));
    vectors.chain(scalars).chain(flags).collect()
}

/// A braked six-wheeler that skids to its left after some time.
fn driven(solver: Solver, order: [usize; 6]) -> World {
    let mut world = World::new(&six(solver, order), 0.02, -0.03);
    world.body.linear_velocity = Vec3::new(5.0, 0.8, -0.2);
    // Each stands on ground of its own.
    world.bumps = order.map(|n| 0.01 * n as f32);
    world.grip = order.map(|n| 1.0 - 0.05 * n as f32);
    world.command.brake = 0.03;
    world.run(0.3);
    world
}

/// Whichever indices wheels have in the list, each reports the same.
#[rstest]
fn the_order_of_wheels_does_not_matter(#[values(testing::ROWS, testing::EXPLICIT)] solver: Solver) {
    let order = [5, 2, 0, 4, 1, 3];
    let (usual, other) = (driven(solver, [0, 1, 2, 3, 4, 5]), driven(solver, order));
    let off = (usual.body.position - other.body.position).length();
    assert!(off < 1e-3, "{off}");
    for (n, from) in order.into_iter().enumerate() {
        let [expected, actual] = [usual.car.wheel_report(from), other.car.wheel_report(n)];
        assert_eq!(expected.ground.is_some(), actual.ground.is_some());
        for (i, (a, b)) in numbers(&expected).iter().zip(numbers(&actual)).enumerate() {
            assert!(
                (a - b).abs() < 0.02 * (1.0 + a.abs()).min(1.5),
                "{n} {i}: {a} {b}"
            );
        }
        let poses = [usual.car.wheel_pose(from), other.car.wheel_pose(n)];
        assert!((poses[0].position - poses[1].position).length() < 1e-3);
    }
    let loads: Vec<f32> = (0..6).map(|n| usual.car.wheel_report(n).load).collect();
    assert!(
        (0..6).all(|n| (0..n).all(|m| loads[n] != loads[m])),
        "all differ: {loads:?}"
    );
}

/// Values that a wheel reports in several forms agree.
#[rstest]
fn the_numbers_of_a_report_agree(#[values(testing::ROWS, testing::EXPLICIT)] solver: Solver) {
    let world = driven(solver, [0, 1, 2, 3, 4, 5]);
    let car = &world.car;
    for wheel in 0..6 {
        let report = car.wheel_report(wheel);
        let out = &car.outputs()[wheel / LANES];
        let lane = wheel % LANES;
        assert!(report.lateral_grip > 0.0 && out.loaded.lane(lane));
        let across = report.lateral_force / report.lateral_grip;
        let force = (report.longitudinal_force.powi(2) + across.powi(2)).sqrt();
        let used = force / (report.friction * report.load);
        assert!((report.grip_used - used).abs() < 1e-5, "{used} {report:?}");
        assert!((0.01..1.01).contains(&report.grip_used));
        let tan = out.tan_slip_angle.lane(lane);
        assert!((libm::tanf(report.slip_angle) - tan).abs() < 1e-6);
        // A hit's plane is that of the world.
        let ground = report.ground.unwrap();
        assert!((ground.normal - world.normal).length() < 1e-6);
        let directions = report
            .longitudinal_direction
            .cross(report.lateral_direction);
        assert!((directions - world.normal).length() < 2e-3, "{directions}");
        let matrix = math::matrix(world.body.rotation);
        assert!((matrix.x_axis.dot(report.longitudinal_direction) - 1.0).abs() < 1e-3);
        assert!((report.turned - report.spin_shown * DT).abs() < 0.05);
        let pose = car.unrolled_wheel_pose(wheel);
        let axle = math::matrix(pose.rotation).y_axis;
        let steered = libm::atan2f(-axle.x, axle.y);
        assert!(
            (steered - report.steer).abs() < 1e-3,
            "{steered} {}",
            report.steer
        );
        assert_eq!(pose.position, car.wheel_pose(wheel).position);
        assert_eq!(report.steer, car.model().params().wheels[wheel].toe);
    }
    let still = car.wheel_report(0).still_forward;
    assert_eq!(still, 0.0, "it rolls");
}

/// Wheels that turned by different angles are drawn so, and tell contact hooks their own spins.
#[test]
fn each_wheel_is_drawn_as_it_turned() {
    let mut world = driven(testing::ROWS, [0, 1, 2, 3, 4, 5]);
    for (g, wheels) in world.car.state_mut().wheels.iter_mut().enumerate() {
        wheels.angle = W4::from_fn(|lane| 0.3 + 0.1 * lane as f32 + 0.5 * g as f32);
        wheels.spin_shown = W4::from_fn(|lane| 3.0 + lane as f32 - 9.0 * g as f32);
    }
    let (car, body) = (&world.car, &world.body);
    let matrix = math::matrix(body.rotation);
    for wheel in 0..6 {
        let report = car.wheel_report(wheel);
        let pose = car.wheel_pose(wheel);
        let turned = wheel_rotation(report.steer, report.camber, report.angle);
        assert_eq!(pose.rotation, turned);
        let hook = WheelContact::of(
            car,
            wheel,
            body.rotation,
            crate::WheelColliderSettings::DEFAULT,
        );
        assert_eq!(hook.spin, report.spin_shown);
        assert_eq!(
            hook.spin,
            3.0 + (wheel % 4) as f32 - 9.0 * (wheel / 4) as f32
        );
        assert!((hook.center - matrix * pose.position).length() < 1e-5);
        let axle = matrix * (math::matrix(pose.rotation) * Vec3::Y);
        assert!((hook.axle - axle).length() < 1e-5);
        assert!((hook.travel + matrix.z_axis).length() < 1e-6);
        assert_eq!(hook.application_point, None, "contacts act where they are");
    }
}

/// A wheel is drawn where it touches its ground, and at full droop over a hole.
#[rstest]
fn a_wheel_is_drawn_on_its_ground_or_at_full_droop(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let mut world = World::new(&six(solver, [0, 1, 2, 3, 4, 5]), 0.0, 0.0);
    world.bumps = core::array::from_fn(|n| 0.01 * n as f32);
    world.bumps[1] = -5.0;
    world.run(3.0);
    let (matrix, wheels) = (
        math::matrix(world.body.rotation),
        &world.car.model().params().wheels,
    );
    for (n, wheel) in wheels.iter().enumerate() {
        let pose = world.car.wheel_pose(n);
        if n == 1 {
            assert_eq!(pose.position.z, wheel.position.z - 0.1);
            continue;
        }
        let height = world.body.position.z as f32 + (matrix * pose.position).z;
        let gap = height - wheel.radius - world.bumps[n];
        assert!(gap.abs() < 3e-3, "{n}: {gap} m");
    }
}

/// Only the explicit solver counts how long a wheel stands still.
#[rstest]
#[case::explicit(testing::EXPLICIT, true)]
#[case::rows(testing::ROWS, false)]
fn standing_still_is_timed_by_the_explicit_solver(#[case] solver: Solver, #[case] counts: bool) {
    let mut world = World::new(&six(solver, [0, 1, 2, 3, 4, 5]), 0.0, 0.0);
    world.run(0.5);
    for wheel in 0..6 {
        let report = world.car.wheel_report(wheel);
        let times = [report.still_forward, report.still_lateral];
        assert!(
            times.iter().all(|time| (*time > 0.2) == counts),
            "{times:?}"
        );
    }
}

/// A report of the vehicle: the true velocity, and the clutch's slip over what the wheels ask for.
#[test]
fn a_vehicles_report_has_its_true_velocity_and_its_clutchs_slip() {
    let mut world = World::new(&model(params(|_| ()), geared(None)), 0.0, 0.0);
    assert_eq!(
        world.car.report(&world.body).engine,
        None,
        "before the first update"
    );
    assert!(world.car.report(&world.body).in_air);
    world.command = CarCommand {
        throttle: 0.4,
        ..CarCommand::default()
    };
    world.run(0.5);
    let car = &world.car;
    let report = car.report(&world.body);
    assert!(!report.in_air);
    let back = math::matrix(world.body.rotation).transpose();
    let true_velocity = back * world.velocity();
    assert!((report.forward_speed - true_velocity.x).abs() < 1e-5);
    assert!((report.lateral_speed - true_velocity.y).abs() < 1e-5);
    assert!(
        car.state().carry.linear.length() > 1e-3,
        "else it told nothing"
    );
    let engine = report.engine.unwrap();
    assert_eq!(engine.speed, car.state().drive.engine_speed);
    assert_eq!((engine.ratio, engine.throttle), (8.0, 0.4));
    assert_eq!(engine.torque, 160.0);
    let spins: f32 = (0..4).map(|wheel| car.wheel_report(wheel).spin).sum();
    let slip = engine.speed - 8.0 * spins / 4.0;
    assert!(
        (engine.clutch_slip - slip).abs() < 1e-3,
        "{slip} {engine:?}"
    );
    assert!(engine.clutch_slip.abs() > 0.1);
}

/// A parked wheel and one that rolls follow the ground; one that is locked, spins on the spot or hangs in the air
/// does not.
#[rstest]
#[case::parked(0.0, 0.0, 1.0, 0.0, 0.999..=1.0)]
#[case::locked(10.0, 0.0, 1.0, 0.0, 0.0..=0.0)]
#[case::sideways(0.0, 5.0, 0.0, 0.0, 0.0..=0.05)]
#[case::in_the_air(10.0, 0.0, 0.0, 30.0, 0.0..=0.0)]
fn a_wheel_tells_how_well_it_follows_the_ground(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
    #[case] ahead: f32,
    #[case] left: f32,
    #[case] brake: f32,
    #[case] lift: f64,
    #[case] expected: RangeInclusive<f32>,
) {
    follows_the_ground(solver, [ahead, left, brake], lift, &expected);
}

/// On the rows solver alone: the explicit solver's spins swing about those of a wheel that rolls.
#[rstest]
#[case::rolling(0.0, 0.995..=1.0)]
#[case::braking(0.03, 0.9..=0.995)]
fn a_braked_wheel_follows_the_ground_less(
    #[case] brake: f32,
    #[case] expected: RangeInclusive<f32>,
) {
    follows_the_ground(testing::ROWS, [10.0, 0.0, brake], 0.0, &expected);
}

fn follows_the_ground(
    solver: Solver,
    [ahead, left, brake]: [f32; 3],
    lift: f64,
    expected: &RangeInclusive<f32>,
) {
    let mut world = World::new(&six(solver, [0, 1, 2, 3, 4, 5]), 0.0, 0.0);
    world.body.linear_velocity = Vec3::new(ahead, left, 0.0);
    world.body.position.z += lift;
    for wheels in world.car.state_mut().wheels.iter_mut() {
        wheels.spin = W4::splat(ahead / 0.33);
    }
    world.command.brake = brake;
    world.run(0.4);
    for wheel in 0..6 {
        let actual = world.car.wheel_report(wheel).skid_info;
        assert!(expected.contains(&actual), "{wheel}: {actual}");
    }
}

/// In the air, the reported torque and the bearing alone turn a wheel: behind dry plates and behind a viscous clutch.
#[rstest]
#[case::dry(Profile::DEFAULT, Some(150.0))]
#[case::viscous(Profile::DEFAULT, None)]
#[case::explicit(Profile::PHYSX_4, None)]
fn the_reported_torque_turns_a_wheel(#[case] profile: Profile, #[case] capacity: Option<f32>) {
    let model = model(
        params(|p| {
            p.profile = profile;
            p.substeps.slow = 1;
        }),
        geared(capacity),
    );
    let mut world = World::new(&model, 0.0, 0.0);
    world.bumps = [-100.0; 6];
    world.command = CarCommand {
        throttle: 0.8,
        ..CarCommand::default()
    };
    world.car.state_mut().drive.engine_speed = 120.0;
    for _ in 0..20 {
        let before = world.car.wheel_report(1).spin;
        world.update(DT).unwrap();
        let (after, wheel) = (world.car.wheel_report(1), &model.params().wheels[1]);
        let gained = wheel.inertia * (after.spin - before) / DT + wheel.damping * after.spin;
        assert!(
            (after.drive_torque - gained).abs() < 0.01 * gained,
            "{after:?}"
        );
        let engine = EngineReport::of(&world.car).unwrap();
        assert!((4.0 * after.drive_torque - 8.0 * engine.clutch_torque).abs() < 1e-3 * gained);
        assert!(capacity.is_none_or(|most| engine.clutch_torque <= 1.0001 * most));
    }
}
