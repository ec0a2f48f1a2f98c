//! Standing, roll on a slope, sleeping, and stepping again from a saved state.

use super::*;

/// 20° (`rad`).
const STEEP: f32 = PI / 9.0;

#[rstest]
#[case::four_up(false, STEEP, 0.0)]
#[case::six_up(true, STEEP, 0.0)]
#[case::six_down(true, -STEEP, 0.0)]
#[case::six_across(true, 0.0, STEEP)]
#[case::six_askew(true, 0.2, 0.2)]
fn a_braked_car_stands_on_a_slope(#[case] six: bool, #[case] up: f32, #[case] left: f32) {
    let change = |p: &mut VehicleParams| {
        if six {
            six_wheeler(p);
        }
    };
    let model = model(params(change), testing::no_drive());
    let mut world = World::new(&model, up, left);
    world.run(2.0);
    let settled = world.body.position;
    world.run(5.0);
    let drift = (world.body.position - settled).length();
    // What HOLDING §5 shows is 0.03 mm, of settling.
    assert!(drift < 0.5e-3, "{drift}");
    let carried: f32 = world.forces().iter().sum();
    let weight = 1500.0 * 9.81 * world.normal.z;
    assert!((carried - weight).abs() < 1e-3 * weight, "{carried}");
}

/// A driver whose commands turn into nonsense, and a wheel whose probe does: the springs go on, and so do the brakes.
#[test]
fn a_car_stands_while_its_input_is_refused() {
    let model = model(params(|_| ()), geared(None));
    let mut world = World::new(&model, STEEP, 0.0);
    world.run(4.0);
    let (stood, loads) = (world.body.position, world.forces());
    world.command = CarCommand {
        steer: f32::NAN,
        ..CarCommand::default()
    };
    for _ in 0..30 {
        world.step();
        assert!(matches!(
            world.car.input_error(),
            Some(StepError::NotFinite { field: "steer", .. })
        ));
    }
    let off = (world.body.position - stood).length();
    assert!(off < 1e-5, "{off}");
    for (before, now) in loads.iter().zip(world.forces()) {
        assert!((before - now).abs() < 1.0, "{before} {now}");
    }
}

#[test]
fn a_car_set_down_on_a_slope_stays_where_it_is() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, STEEP, 0.0);
    world.run(2.0);
    let ahead = Vec3::new(STEEP.cos(), 0.0, STEEP.sin());
    let down = -(world.body.position.as_vec3() - world.normal * 1.65).dot(ahead);
    // Carcasses yield 0.4 mm at a third of their grip; the rest is springs that pitch the car.
    assert!(down > 0.3e-3 && down < 3e-3, "{down}");
}

#[test]
fn without_brakes_it_rolls() {
    let model = model(params(six_wheeler), testing::no_drive());
    let mut world = World::new(&model, STEEP, 0.0);
    world.command.brake = 0.0;
    world.run(2.0);
    // Six wheels of 2.5 kg·m² on 0.5 m weigh 60 kg more; bearings take 6 kg/s.
    let (m, damping) = (1560.0, 6.0);
    let pull = 1500.0 * 9.81 * STEEP.sin();
    let expected = pull / damping * (1.0 - (-damping / m * 2.0f32).exp());
    let speed = world.velocity().length();
    // The springs settle meanwhile.
    assert!(
        (speed - expected).abs() < 5e-3 * expected,
        "{speed} {expected}"
    );
}

// Four struts of 35 kN/m on 1.05 m, with bars of 10 kN/m on each axle or without.
#[rstest]
#[case::without(false, 0.0)]
#[case::with(false, 10_000.0)]
#[case::with_stiff(false, 40_000.0)]
#[case::six_without(true, 0.0)]
#[case::six_with(true, 10_000.0)]
fn a_car_rolls_as_springs_and_bars_let_it(#[case] six: bool, #[case] bar: f32) {
    let change = |p: &mut VehicleParams| {
        if six {
            six_wheeler(p);
        }
        p.anti_roll.iter_mut().for_each(|b| b.stiffness = bar);
    };
    let model = model(params(change), testing::no_drive());
    let tilt = 0.1f32;
    let mut world = World::new(&model, 0.0, tilt);
    world.run(4.0);
    let axles = if six { 3.0 } else { 2.0 };
    let track = 1.05 * 1.05;
    let stiffness = axles * track * (2.0 * 35_000.0 + 4.0 * bar);
    // Tires pull 0.3 m below the center of mass; as the car rolls, its weight moves over wheels
    // 1.65 m below.
    let weight = 1500.0 * 9.81;
    let expected = 0.3 * weight * tilt.sin() / (stiffness - 1.65 * weight * tilt.cos());
    let tilt = world.tilt();
    // Of second order in angles of up to 0.1.
    assert!(
        (tilt - expected).abs() < 0.02 * expected,
        "{tilt} {expected}"
    );
}

#[test]
fn a_bar_lifts_a_wheel_off_the_ground() {
    let raised = |bar: f32| {
        let change = |p: &mut VehicleParams| p.anti_roll[1].stiffness = bar;
        let model = model(params(change), testing::no_drive());
        let mut world = World::new(&model, 0.0, 0.0);
        // The light axle: the heavy one keeps the car from rolling with it.
        world.bumps[2] = 0.2;
        world.run(4.0);
        world
    };
    let (soft, stiff) = (raised(0.0), raised(200_000.0));
    assert!(soft.forces()[3] > 500.0);
    let forces = stiff.forces();
    let (touched, lifted) = (stiff.car.contacts()[3].unwrap(), stiff.car.wheel_report(3));
    assert!(lifted.in_air && forces[3] == 0.0, "{forces:?}");
    // There is ground within the reach of its spring.
    let reach = 2.0 * 0.5 + 0.3 + 0.1;
    assert!(touched.hit.distance < reach - 0.02, "{touched:?}");
    let carried: f32 = forces.iter().sum();
    assert!((carried - 1500.0 * 9.81).abs() < 15.0, "{forces:?}");
}

#[test]
fn a_disabled_wheel_carries_nothing() {
    let change = |p: &mut VehicleParams| {
        six_wheeler(p);
        p.anti_roll.remove(1);
        for n in [2, 3] {
            p.wheels[n].enabled = false;
        }
        for n in [0, 1, 4, 5] {
            p.wheels[n].suspension.sprung_mass = 375.0;
        }
    };
    let model = model(params(change), testing::no_drive());
    let mut world = World::new(&model, 0.1, 0.0);
    world.run(2.0);
    let (forces, position) = (world.forces(), world.body.position);
    assert_eq!(forces[2..4], [0.0, 0.0]);
    assert!(world.car.wheel_report(3).in_air);
    let weight = 1500.0 * 9.81 * 0.1f32.cos();
    let carried: f32 = forces.iter().sum();
    assert!((carried - weight).abs() < 1e-3 * weight, "{forces:?}");
    world.run(2.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 0.2e-3, "{drift}");
}

#[test]
fn without_friction_it_slides_freely() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, STEEP, 0.0);
    world.friction = 0.0;
    world.run(2.0);
    let downhill = Vec3::new(-STEEP.cos(), 0.0, -STEEP.sin());
    let speed = world.velocity().dot(downhill);
    let expected = 9.81 * STEEP.sin() * 2.0;
    // 120 steps, each rounded at 6.7 m/s.
    assert!((speed - expected).abs() < 1e-3, "{speed} {expected}");
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        assert_eq!(
            [report.spin, report.longitudinal_force, report.lateral_force],
            [0.0; 3]
        );
    }
}

#[test]
fn in_the_air_it_follows_its_parabola() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    world.body.position.z = 50.0;
    world.body.linear_velocity = Vec3::new(7.0, 0.0, 3.0);
    world.run(2.0);
    let position = world.body.position;
    let fallen = 0.5 * 9.81 * 2.0 * 2.0;
    let expected = DVec3::new(14.0, 0.0, 50.0 + 6.0 - fallen);
    assert!((position - expected).length() < 1e-4, "{position}");
    assert!(world.car.is_in_air());
}

/// Steps of any lengths: a force makes the car stand, whatever carcass a length allows.
#[rstest]
#[case::a_little_uneven(1.0 / 70.0, 1.0 / 60.0)]
#[case::twice_as_long(1.0 / 120.0, 1.0 / 60.0)]
#[case::one_to_three_substeps(1.0 / 240.0, 1.0 / 30.0)]
#[case::some_substeps_too_long_to_count_the_distance(1.0 / 30.0, 1.0 / 6.0)]
fn a_braked_car_stands_still_in_uneven_steps(
    #[case] shortest: f32,
    #[case] longest: f32,
    #[values((STEEP, 0.0), (0.0, STEEP))] slope: (f32, f32),
) {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, slope.0, slope.1);
    world.command.brake = 1.0;
    world.run(4.0);
    let stood = world.body.position;
    for n in 0..600 {
        // Fractions of multiples of the golden ratio.
        let part = (n as f32 * 0.618_034).fract();
        let dt = shortest + (longest - shortest) * part;
        let outcome = world.update(dt).unwrap();
        world.apply(&outcome, dt);
        let moved = (world.body.position - stood).length();
        assert!(moved < 1e-5, "{n}: {moved}");
    }
}

#[test]
fn the_ground_feels_the_weight() {
    let model = model(params(six_wheeler), testing::no_drive());
    let mut world = World::new(&model, 0.1, 0.0);
    world.motion = Some(GroundMotion {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: Some(1e9),
        inverse_inertia: Mat3::ZERO,
    });
    world.run(3.0);
    let push: Vec3 = world.car.reactions().map(|reaction| reaction.force).sum();
    let weight = 1500.0 * 9.81;
    assert!((push - GRAVITY * 1500.0).length() < 1e-3 * weight, "{push}");
    assert_eq!(world.car.reactions().count(), 6);
    // The mean of three substeps is no other.
    world.update(3.0 * DT).unwrap();
    let push: Vec3 = world.car.reactions().map(|reaction| reaction.force).sum();
    assert!((push - GRAVITY * 1500.0).length() < 1e-3 * weight, "{push}");
}

/// A new origin between a probe and its update moves the ground that the probe found, too. By two millimeters, ground that stayed
/// would have slipped away; by a kilometer, it would be another one.
#[rstest]
#[case::millimeters(DVec3::new(-1.0, 2.0, 0.5) / 512.0)]
#[case::a_kilometer(DVec3::new(1024.0, -512.0, 64.0))]
fn a_new_origin_after_the_probe_moves_the_ground_too(#[case] shift: DVec3) {
    let go = |shift: DVec3| {
        let model = model(params(|_| ()), testing::no_drive());
        let mut world = World::new(&model, 0.0, 0.0);
        // It brakes under a car that stands on it.
        let mut ground = GroundMotion {
            position: DVec3::ZERO,
            rotation: Quat::IDENTITY,
            linear_velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            mass: None,
            inverse_inertia: Mat3::ZERO,
        };
        for n in 0..30 {
            ground.linear_velocity = Vec3::X * (0.01 * (30 - n) as f32);
            world.motion = Some(ground);
            if n < 29 {
                world.step();
            } else {
                world.probe();
            }
            ground.position += (ground.linear_velocity * DT).as_dvec3();
        }
        world.car.shift_origin(shift);
        world.body.position -= shift;
        let command = Command::Car(world.command);
        let outcome = world.car.update(&world.body, &command, GRAVITY, DT);
        let Motion::StepMotion { linear, .. } = outcome.unwrap().motion else {
            panic!("{outcome:?}");
        };
        (linear, world.car.state().last_step.ground.position)
    };
    let ((stayed, center), (moved, moved_center)) = (go(DVec3::ZERO), go(shift));
    assert!((stayed - moved).length() < 1e-6, "{stayed} {moved}");
    assert!(
        (center - moved_center).length() < 1e-6,
        "{center} {moved_center}"
    );
}

#[test]
fn a_car_at_rest_sleeps_until_its_brake_is_released() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, STEEP, 0.0);
    world.run(1.0);
    assert!(!world.last.wake, "at rest it lets itself be put to sleep");
    world.body.asleep = true;
    world.body.linear_velocity = Vec3::ZERO;
    world.body.angular_velocity = Vec3::ZERO;
    let before = world.car.state().clone();
    let position = world.body;
    for _ in 0..60 {
        world.step();
        assert_eq!(world.last, StepResult::default());
    }
    assert_eq!(world.body, position);
    let mut state = world.car.state().clone();
    assert_eq!(state.last_step.duration, 0.0);
    state.last_step.duration = before.last_step.duration;
    assert_ne!(state.ground_digest, 0);
    state.ground_digest = before.ground_digest;
    // Where it is and what is under it was probed after the step that `before` was left by.
    state.position = before.position;
    state.last_step.position = before.last_step.position;
    state.wheels[0].ground_height = before.wheels[0].ground_height;
    assert_eq!(state, before, "nothing else changed");
    world.command.brake = 0.0;
    world.step();
    assert!(world.last.wake && !world.body.asleep);
    world.run(0.5 - DT);
    // As without_brakes_it_rolls has it, with four wheels: 40 kg of spin, 4 kg/s. The tires'
    // carcass gives back its deflection: 1 mm at full grip.
    let pull = 1500.0 * 9.81 * STEEP.sin();
    let expected = pull / 1540.0 * 0.5;
    let speed = world.velocity().length();
    assert!(
        (speed - expected).abs() < 0.02 * expected,
        "{speed} {expected}"
    );
}

#[rstest]
#[case::none(0.0, false)]
#[case::hardly(0.2, false)]
#[case::one(40.0, true)]
fn a_wheel_that_turns_by_itself_keeps_a_car_awake(#[case] spin: f32, #[case] awake: bool) {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    world.command.brake = 0.0;
    world.car.state_mut().wheels[0].spin = W4::from_array([0.0, 0.0, spin, 0.0]);
    // Over nothing and all but weightless, so that nothing else moves, as on its roof.
    let command = Command::Car(world.command);
    let gravity = 1e-3 * GRAVITY;
    // In the first step, the command is new.
    let mut step = || world.car.update(&world.body, &command, gravity, DT);
    let (first, second) = (step().unwrap(), step().unwrap());
    assert_eq!((first.wake, second.wake), (true, awake));
}

#[test]
fn woken_by_others_a_held_car_goes_on_standing() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, STEEP, 0.0);
    world.run(2.0);
    world.body.asleep = true;
    world.run(0.5);
    let position = world.body.position;
    world.body.asleep = false;
    world.run(2.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 0.1e-3, "{drift}");
}

#[rstest]
#[case::dry(Some(400.0))]
#[case::viscous(None)]
fn a_clone_of_the_state_steps_to_the_same_bits(#[case] capacity: Option<f32>) {
    let model = model(params(six_wheeler), geared(capacity));
    let mut world = World::new(&model, 0.05, 0.02);
    world.command = CarCommand {
        throttle: 0.8,
        steer: 0.3,
        ..CarCommand::default()
    };
    world.run(1.5);
    assert!(world.velocity().length() > 1.0, "it drives");
    // Only the state is saved, and comes into a vehicle that knows nothing.
    let mut again = world.clone();
    again.car = Vehicle::new(Arc::clone(&model), BodyId(7));
    again.car.restore(world.car.state().clone()).unwrap();
    for n in 0..120 {
        if n == 60 {
            world.command.brake = 1.0;
            again.command.brake = 1.0;
        }
        world.step();
        again.step();
        assert_eq!(world.last, again.last, "step {n}");
        assert_eq!(world.car.state(), again.car.state(), "step {n}");
        assert_eq!(world.body, again.body, "step {n}");
    }
}

/// A car that is extrapolated lets its body sleep, too.
#[test]
fn a_parked_car_that_is_extrapolated_may_fall_asleep() {
    let model = model(params(|_| ()), testing::no_drive());
    let mut world = World::new(&model, 0.0, 0.0);
    let mut awake = 0;
    for n in 0..360 {
        if n % 3 == 0 {
            world.step();
        } else {
            let outcome = world.car.extrapolate(&world.body, GRAVITY, DT).unwrap();
            world.last = outcome;
            world.apply(&outcome, DT);
        }
        if world.last.wake {
            awake = n;
        }
    }
    assert!(awake < 180, "{awake}");
}
