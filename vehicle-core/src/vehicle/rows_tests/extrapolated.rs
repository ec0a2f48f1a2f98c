//! Steps without an update: what goes on, what stays, what stops.

use super::*;
use crate::base::lanes::V3x4;
use crate::base::velocity::Velocity;
use crate::params::profile::Solver;
use crate::vehicle::detail::UpdateLevel;

/// The sample car on one of the solvers, high in the air, with wheels that nothing but brakes slows down.
fn falling(solver: Solver) -> World {
    let change = |p: &mut VehicleParams| {
        p.profile.solver = solver;
        p.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
    };
    let mut world = World::new(&model(params(change), testing::no_drive()), 0.0, 0.0);
    world.body.position.z = 200.0;
    world.command.brake = 0.0;
    world
}

impl World {
    fn extrapolate(&mut self, dt: f32) -> StepResult {
        let outcome = self.car.extrapolate(&self.body, GRAVITY, dt).unwrap();
        self.apply(&outcome, dt);
        outcome
    }

    fn advance(&mut self, dt: f32) {
        let outcome = self.update(dt).unwrap();
        self.apply(&outcome, dt);
    }

    fn spin(&self) -> f32 {
        self.car.state().wheels[0].spin.lane(0)
    }
}

proptest! {
    /// The brake's torque over the wheel's inertia, 3000/2.5 rad/s² for a full brake, whichever steps are
    /// updates and however long each is; and a wheel that would turn back stands.
    #[test]
    fn a_braked_wheel_slows_down_alike_with_and_without_updates(
        start in 1.0_f32..60.0,
        forward in any::<bool>(),
        brake in 0.0_f32..0.4,
        steps in proptest::collection::vec((any::<bool>(), 0.004_f32..0.02), 1..8),
    ) {
        let mut world = falling(testing::ROWS);
        let start = if forward { start } else { -start };
        world.car.state_mut().wheels[0].spin = W4::splat(start);
        world.command.brake = brake;
        let mut time = 0.0;
        for (n, (extrapolated, dt)) in [(false, 0.01); 2].into_iter().chain(steps).enumerate() {
            let (before, angle) = (world.spin(), world.car.state().wheels[0].angle.lane(0));
            if extrapolated {
                world.extrapolate(dt);
                let turned = world.spin() * dt;
                let actual = world.car.state().wheels[0].angle.lane(0) - angle;
                prop_assert!((actual - turned).abs() < 1e-4 || actual.abs() > 30.0);
                let report = world.car.wheel_report(0);
                prop_assert_eq!(report.spin_shown, world.spin());
                prop_assert!((report.turned - turned).abs() < 1e-4);
            } else {
                world.advance(dt);
            }
            time += dt;
            let left = (start.abs() - 1200.0 * brake * time).max(0.0);
            let expected = if forward { left } else { -left };
            prop_assert!(world.spin() * before >= 0.0, "turned back");
            // Once it stands, the steps in which it stopped tell of less.
            let stands = left == 0.0 || before == 0.0;
            prop_assert!(stands || (world.spin() - expected).abs() < 2e-3, "{}: {} {}", n, world.spin(), expected);
        }
    }

    /// The engine's speed changes as between the last two updates, and stops at 0.
    #[test]
    fn an_extrapolated_engine_changes_on_and_never_turns_back(
        speed in 0.0_f32..3.0, throttle in 0.0_f32..0.2, dt in 0.005_f32..0.02,
    ) {
        let mut world = World::new(&model(params(|_| ()), geared(None)), 0.0, 0.0);
        world.body.position.z = 200.0;
        world.command = CarCommand { throttle, clutch: 1.0, ..CarCommand::default() };
        world.car.state_mut().drive.engine_speed = speed;
        world.advance(DT);
        let first = world.car.state().drive.engine_speed;
        world.advance(DT);
        let second = world.car.state().drive.engine_speed;
        world.extrapolate(dt);
        let expected = (second + (second - first) * dt / DT).max(0.0);
        let actual = world.car.state().drive.engine_speed;
        prop_assert!((actual - expected).abs() < 1e-4, "{} {}", actual, expected);
    }

    /// A braked car slows down as it did in the last update, and does not roll back.
    #[test]
    fn an_extrapolated_car_brakes_on_and_never_rolls_back(
        speed in 0.02_f32..12.0, forward in any::<bool>(), steps in 1..3_usize,
    ) {
        let mut world = World::new(&model(params(|_| ()), testing::no_drive()), 0.0, 0.0);
        world.command.brake = 0.0;
        let velocity = if forward { speed } else { -speed };
        world.body.linear_velocity = Vec3::X * velocity;
        world.car.state_mut().wheels[0].spin = W4::splat(2.0 * velocity);
        world.run(0.1);
        world.command.brake = 0.1;
        world.step();
        let before = world.velocity().x;
        world.step();
        let mut last = world.velocity().x;
        let change = last - before;
        for _ in 0..steps {
            world.extrapolate(DT);
            let now = world.velocity().x;
            prop_assert!(now * last >= -1e-6, "{} {}", last, now);
            let free = last + change;
            let slows = free * last > 0.0 && free.abs() <= last.abs();
            let moves = if slows { free } else { 0.0 };
            // A braked car waits for the next update.
            let expected = if last.abs() < 0.05 { last } else { moves };
            prop_assert!((now - expected).abs() < 0.25 * change.abs() + 2e-3, "{} {}", now, expected);
            last = now;
        }
    }
}

/// Carcasses count in the next update how far an engine pushed a car aside since the last: it stands as with every step.
#[rstest]
fn a_braked_car_stands_in_steps_without_an_update(
    #[values(2, 3)] every: u32,
    #[values(0.0, 0.3)] push: f32,
    #[values(60.0, 240.0)] rate: f32,
) {
    let mut world = World::new(&model(params(|_| ()), testing::no_drive()), 0.0, PI / 12.0);
    let dt = 1.0 / rate;
    let mut go = |seconds: f32, every: u32| {
        for n in 0..(seconds * rate) as u32 {
            let outcome = if n % every == 0 {
                world.update(dt).unwrap()
            } else {
                world.car.extrapolate(&world.body, GRAVITY, dt).unwrap()
            };
            world.apply(&outcome, dt);
            let added = Vec3::X * (push * 9.81 * dt);
            world.body.linear_velocity += added;
            world.body.position += (added * dt).as_dvec3();
        }
        world.body.position
    };
    let settled = go(3.0, 1);
    go(3.0, every);
    let stood = go(3.0, every);
    let drift = (go(20.0, every) - stood).length();
    assert!(drift < 1e-4, "{drift}");
    let astray = (stood - settled).length();
    assert!(astray < 5e-4, "{astray}");
}

/// While a braked car still swings on its carcasses, it is updated; once it stands, it is not.
#[test]
fn a_car_that_comes_to_rest_is_updated_until_it_does() {
    let mut world = World::new(&model(params(|_| ()), testing::no_drive()), 0.0, 0.0);
    world.body.position.z += 0.02;
    world.run(0.5);
    let least = |world: &World| world.car.required_level(UpdateLevel::Extrapolated);
    assert!(world.car.updated_velocity().0.length() > 1e-3);
    assert_eq!(least(&world), UpdateLevel::KnownGround);
    world.run(5.0);
    assert_eq!(least(&world), UpdateLevel::Extrapolated);
    world.command.brake = 0.0;
    world.body.linear_velocity = Vec3::X * 0.03;
    world.run(0.1);
    assert_eq!(least(&world), UpdateLevel::Extrapolated, "it rolls");
}

#[rstest]
fn in_the_air_it_falls_in_a_step_without_an_update_as_in_one_with(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let mut world = falling(solver);
    world.body.linear_velocity = Vec3::new(12.0, -3.0, 4.0);
    world.body.angular_velocity = Vec3::new(0.0, 0.0, 0.7);
    let (start, turning) = (world.velocity(), world.body.angular_velocity);
    let mut time = 0.0;
    for n in 0..12 {
        let dt = if n % 2 == 0 { DT } else { 0.01 };
        if n % 3 == 0 {
            world.advance(dt);
        } else {
            world.extrapolate(dt);
        }
        time += dt;
        let off = world.velocity() - (start + GRAVITY * time);
        assert!(off.length() < 1e-4, "{n}: {off}");
        let turned = world.body.angular_velocity + world.car.state().carry.angular;
        assert!((turned - turning).length() < 1e-4, "{n}: {turned}");
    }
    let fallen = world.body.position.z - 200.0;
    let time = f64::from(time);
    let expected = 4.0 * time - 0.5 * 9.81 * time * time;
    // Engines fall at the velocity of the end of a step: on rows in the first one only.
    let slack = if solver == testing::ROWS {
        1.5e-3
    } else {
        0.05
    };
    assert!((fallen - expected).abs() < slack, "{fallen} {expected}");
}

/// Twice the part of the weight that the wheels lift counts as carried, all of it at most: of forces along the
/// ground's normal, the part against gravity.
#[rstest]
#[case::nothing(0.0, Vec3::Z, 0.0)]
#[case::a_tenth(0.1, Vec3::Z, 0.2)]
#[case::a_third_on_a_slope(0.6, Vec3::new(0.866_025_4, 0.0, 0.5), 0.6)]
#[case::half(0.5, Vec3::Z, 1.0)]
#[case::all(1.0, Vec3::Z, 1.0)]
fn lift_counts_as_carried(
    #[case] lifted: f32,
    #[case] normal: Vec3,
    #[case] carried: f32,
    #[values(false, true)] accelerates: bool,
) {
    let explicit = params(|p| {
        p.profile = Profile::PHYSX_4;
        testing::explicit(&mut p.profile).accelerates = accelerates;
    });
    let mut world = World::new(&model(explicit, testing::no_drive()), 0.0, 0.0);
    let owed = Velocity {
        linear: Vec3::new(0.01, 0.02, -0.03),
        angular: Vec3::new(-0.1, 0.2, 0.3),
    };
    let state = world.car.state_mut();
    let weights = [0.4, 0.1, 0.2, 0.3].map(|part| part * lifted * 1500.0 * 9.81);
    state.wheels[0].normal_force = W4::from_array(weights);
    state.wheels[0].ground_normal = V3x4::splat(normal);
    state.carry = owed;
    for owed in [owed, Velocity::ZERO] {
        let outcome = world.car.extrapolate(&world.body, GRAVITY, DT).unwrap();
        let (linear, angular) = match outcome.motion {
            Motion::VelocityChange { linear, angular } => (linear, angular),
            Motion::Acceleration { linear, angular } => (linear * DT, angular * DT),
            other => panic!("{other:?}"),
        };
        assert!(!outcome.wake, "the engine alone decides on sleep");
        let expected = owed.linear - GRAVITY * (carried * DT);
        assert!((linear - expected).length() < 1e-6, "{linear} {expected}");
        assert!((angular - owed.angular).length() < 1e-6, "{angular}");
    }
}

#[rstest]
fn what_cannot_be_extrapolated_is_refused_and_changes_nothing(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let mut world = falling(solver);
    world.advance(DT);
    let before = world.car.state().clone();
    let mut light = world.body;
    light.mass = 0.0;
    let (body, down) = (world.body, GRAVITY);
    for (body, gravity, dt, why) in [
        (body, down, 0.0, StepError::TimeStep(0.0)),
        (body, Vec3::INFINITY, DT, StepError::Gravity(Vec3::INFINITY)),
        (light, down, DT, StepError::Body),
    ] {
        assert_eq!(world.car.extrapolate(&body, gravity, dt), Err(why));
        assert_eq!(*world.car.state(), before);
    }
}

/// Wheels of cars on explicit solvers keep their speeds where nothing tells how the chassis changes.
#[test]
fn on_the_explicit_solver_wheels_keep_their_speeds() {
    let mut world = falling(testing::EXPLICIT);
    world.car.state_mut().wheels[0].spin = W4::from_array([40.0, -40.0, 20.0, 0.0]);
    world.command.brake = 0.2;
    world.advance(DT);
    world.advance(DT);
    let before = world.car.state().wheels[0].spin;
    assert!(before.lane(0) < 35.0);
    world.extrapolate(DT);
    assert_eq!(world.car.state().wheels[0].spin, before);
}

/// Gears have the same time in steps with and without an update: `change_gears` in both solvers, `substep` in the
/// explicit one.
#[rstest]
#[case::rows(testing::ROWS, 0.0)]
#[case::explicit(testing::EXPLICIT, 1.0)]
fn gear_timers_advance(#[case] solver: Solver, #[case] in_substeps: f32) {
    let change = |p: &mut VehicleParams| {
        p.profile.solver = solver;
    };
    let mut world = World::new(&model(params(change), geared(None)), 0.0, 0.0);
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    let mut time = 0.0;
    for n in 0..9 {
        let dt = 0.005 + 0.001 * n as f32;
        if n % 3 == 0 {
            world.advance(dt);
        } else {
            world.extrapolate(dt);
        }
        time += dt;
        let drive = world.car.state().drive;
        assert!((drive.autobox_time - 0.5 * time).abs() < 1e-6, "{n}");
        assert!((drive.switch_time - in_substeps * time).abs() < 1e-6, "{n}");
    }
}

/// In a step without an update nothing is pushed, and what was probed before it is old.
#[rstest]
fn a_probe_before_a_step_without_an_update_is_an_old_one(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let change = |p: &mut VehicleParams| {
        p.profile.solver = solver;
    };
    let mut world = World::new(&model(params(change), testing::no_drive()), 0.0, 0.0);
    world.motion = Some(GroundMotion {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: Some(800.0),
        inverse_inertia: Mat3::ZERO,
    });
    world.run(0.1);
    assert_eq!(world.car.reactions().count(), 4);
    world.probe();
    world.extrapolate(DT);
    assert_eq!(world.car.reactions().count(), 0);
    assert!(world.car.contacts().iter().all(Option::is_some));
    let command = Command::Car(world.command);
    world
        .car
        .update(&world.body, &command, GRAVITY, DT)
        .unwrap();
    assert!(world.car.contacts().iter().all(Option::is_none));
}

/// A body that sleeps is left alone, and wheels of the explicit solver stand.
#[rstest]
fn a_sleeping_vehicle_is_not_extrapolated(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let mut world = falling(solver);
    world.car.state_mut().wheels[0].spin = W4::splat(9.0);
    world.advance(DT);
    world.body.asleep = true;
    let outcome = world.extrapolate(DT);
    assert_eq!(outcome, StepResult::default());
    assert_eq!(world.spin() == 0.0, solver == testing::EXPLICIT);
    assert_eq!(world.car.state().last_step.duration, 0.0);
    assert_eq!(world.car.turned(0), W4::ZERO);
}

/// On rows, reports know how the chassis is turned.
#[test]
fn lines_turn_with_an_extrapolated_body() {
    let mut world = World::new(&model(params(|_| ()), testing::no_drive()), 0.0, 0.0);
    world.run(0.1);
    world.body.rotation = math::rotation_about(Vec3::X, 0.4);
    world.extrapolate(DT);
    let line = world.car.wheel_report(0).probe_direction;
    let expected = math::matrix(math::rotation_about(Vec3::X, 0.4)) * Vec3::NEG_Z;
    assert!((line - expected).length() < 1e-6, "{line}");
}

proptest! {
    /// However the body moves, and whatever it costs: the plane stays where it is in the world.
    #[test]
    fn a_known_plane_stays_where_it_is(
        up in -0.3_f32..0.3, left in -0.3_f32..0.3,
        steps in proptest::collection::vec((any::<bool>(), [-0.2_f64..0.2, -0.2..0.2, -0.05..0.2]), 1..8),
    ) {
        let mut world = World::new(&model(params(|_| ()), testing::no_drive()), up, left);
        world.run(0.05);
        for (extrapolated, displacement) in steps {
            world.body.position += DVec3::from(displacement);
            let position = world.body.position;
            if extrapolated {
                world.extrapolate(DT);
            } else {
                let command = Command::Car(world.command);
                world.car.update(&world.body, &command, GRAVITY, DT).unwrap();
            }
            let expected = world.normal.as_dvec3().dot(position) as f32;
            for wheel in 0..4 {
                let actual = world.car.state().wheels[0].ground_height.lane(wheel);
                prop_assert!((actual - expected).abs() < 1e-4, "{wheel}: {actual} {expected}");
            }
            prop_assert_eq!(world.car.state().position, position);
        }
    }
}
