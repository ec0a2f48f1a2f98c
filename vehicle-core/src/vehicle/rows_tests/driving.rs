//! Driving: closed forms of pull, circles, torques on wheels.

use super::*;

#[test]
fn an_engine_accelerates_a_car_by_its_torque() {
    let model = model(params(|_| ()), geared(Some(1e4)));
    let mut world = World::new(&model, 0.0, 0.0);
    world.command = CarCommand {
        throttle: 0.5,
        ..CarCommand::default()
    };
    world.run(1.0);
    let (before, position) = (world.velocity().x, world.body.position.x);
    world.run(0.5);
    // 200 N·m less 20 of friction and 0.2 N·m·s of damping at the engine, 8:1 on wheels of 0.5 m;
    // the engine weighs 0.5·(8/0.5)² = 128 kg, wheels 40 kg, bearings take 4 kg/s.
    let mean = (world.body.position.x - position) as f32 / 0.5;
    let (engine, gear) = (200.0 - 20.0, 8.0 / 0.5);
    let force = gear * (engine - 0.2 * gear * mean) - 4.0 * mean;
    let expected = force / (1500.0 + 128.0 + 40.0);
    let actual = (world.velocity().x - before) / 0.5;
    // Tires slip by a percent or two, which costs damping and some of the gain in speed.
    assert!(
        (actual - expected).abs() < 0.02 * expected,
        "{actual} {expected}"
    );
}

// The clutch is solved before the wheels' last sweep, which moves their spins by a little: by 0.8 rad/s of 100, in a second
// sweep by 0.035 (by 0.14 if it took each wheel to push the chassis alone).
#[rstest]
#[case::once(1, 1.0)]
#[case::twice(2, 0.07)]
fn a_sticking_clutch_turns_with_the_wheels(#[case] sweeps: u32, #[case] bound: f32) {
    let params = params(|p| testing::rows(&mut p.profile).sweeps = sweeps);
    let model = model(params, geared(Some(1e4)));
    let mut world = World::new(&model, 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(0.5);
    let mut worst = 0.0f32;
    for n in 0..60 {
        world.command.throttle = if n / 6 % 2 == 0 { 1.0 } else { 0.0 };
        world.step();
        let state = world.car.state();
        let apart = state.drive.engine_speed - 8.0 * 0.25 * state.wheels[0].spin.sum();
        worst = worst.max(apart.abs());
    }
    assert!(worst < bound, "{worst}");
}

#[test]
fn a_circle_costs_the_same_at_every_rate() {
    let speed_at = |rate: u32| {
        let change = |p: &mut VehicleParams| testing::rows(&mut p.profile).max_substep = 1.0;
        let model = model(params(change), geared(Some(0.0)));
        let mut world = World::new(&model, 0.0, 0.0);
        world.command = CarCommand {
            steer: 0.3,
            ..CarCommand::default()
        };
        world.body.linear_velocity = Vec3::X * 8.0;
        world.car.state_mut().wheels[0].spin = W4::splat(16.0);
        let dt = 1.0 / rate as f32;
        for _ in 0..4 * rate {
            let outcome = world.update(dt).unwrap();
            world.apply(&outcome, dt);
        }
        world.velocity().length()
    };
    let fine = speed_at(240);
    for rate in [30, 60] {
        // 1 % if wheels swung by a whole substep.
        let off = speed_at(rate) / fine - 1.0;
        assert!(off.abs() < 1e-3, "{rate} {off}");
    }
}

#[test]
fn torques_on_wheels_drive_it() {
    let drive = Geared {
        capacity: Some(0.0),
        direct: 200.0,
        idle_speed: 0.0,
    };
    let model = model(params(|_| ()), Arc::new(drive));
    let mut world = World::new(&model, 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(1.0);
    // 1600 N on 1540 kg, less 4 kg/s of bearings.
    let expected = 1600.0 / 4.0 * (1.0 - (-4.0f32 / 1540.0).exp());
    let actual = world.velocity().x;
    // Wheels turn faster than the car by a slip of 1600/(10·14715) = 1.1 %, for which 40 kg of
    // theirs take 0.03 % of the speed.
    assert!(
        (actual - expected).abs() < 2e-3 * expected,
        "{actual} {expected}"
    );
}

/// A fact of NVIDIA's own tests: with the throttle closed, a car creeps by its engine's idle speed, and
/// only by that. The brake stops it all the same, and the engine with it.
#[test]
fn a_car_creeps_while_its_engine_idles() {
    let distances = [80.0, 0.0].map(|idle_speed| {
        let drive = Geared {
            capacity: None,
            direct: 0.0,
            idle_speed,
        };
        let mut world = World::new(&model(params(|_| ()), Arc::new(drive)), 0.0, 0.0);
        world.car.state_mut().drive.engine_speed = idle_speed;
        world.run(1.0);
        let before = world.body.position.x;
        world.command.brake = 0.0;
        world.run(4.0);
        let state = world.car.state();
        let engine_speed = state.drive.engine_speed;
        assert!(engine_speed > 0.99 * idle_speed - 1e-3, "{engine_speed}");
        let distance = (world.body.position.x - before) as f32;
        world.command.brake = 1.0;
        world.run(2.0);
        let left = world.velocity().length();
        assert!(left < 1e-3, "{left}");
        distance
    });
    // 80 rad/s, 8:1 on wheels of 0.5 m, are 5 m/s at most.
    assert!(distances[0] > 10.0 && distances[0] < 20.0, "{distances:?}");
    assert!(distances[1].abs() < 1e-3, "{distances:?}");
}
