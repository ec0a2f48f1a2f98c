//! Slip limiters of differentials, against closed forms, at every rate.

use jounce::core::{CarCommand, Gear};
use jounce::file::Car;
use proving_ground::stage::{FREE, Scene, Stage, on_free_tires};
use rstest::rstest;
use toml::Value;

use super::{car, engine_drive, sprints_alike, stage_at};

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    ..FREE
};

/// The manual sports car with this limiter on its rear axle, and its load on the left, so that its right wheel slips first.
fn leaning(limiter: &str) -> Car {
    let limiter: toml::Table = format!("value = {limiter}").parse().unwrap();
    let keys = [
        (
            "chassis.center_of_mass",
            Value::try_from([-0.05, 0.55, 0.46]).unwrap(),
        ),
        (
            "drivetrain.differential.axles[0].slip_limiter",
            limiter["value"].clone(),
        ),
        ("aids.abs", Value::Table(toml::Table::new())),
    ];
    car("sports-car-manual").with_all(keys).unwrap()
}

/// Spins of the rear wheels (`rad/s`) and torques of their shafts (`N·m`), left and right.
fn rear(stage: &Stage) -> [[f32; 2]; 2] {
    let reports: Vec<_> = stage.vehicle.wheel_reports().collect();
    let spins = stage.spins();
    [
        [spins[2], spins[3]],
        [reports[2].drive_torque, reports[3].drive_torque],
    ]
}

/// Plates and Torsen differentials give the gripping wheel (1 + S)/(1 − S) of what the slipping one gets, and plates their preload
/// more.
#[rstest]
#[case::plates("{ plates = { preload = 0.0, power = 0.3, coast = 0.0 } }", 0.0, 1.3 / 0.7)]
#[case::preload("{ plates = { preload = 200.0, power = 0.2, coast = 0.9 } }", 200.0, 1.2 / 0.8)]
#[case::torsen("{ torsen = { power = 2.0, coast = 1.0 } }", 0.0, 2.0)]
fn torque_goes_to_the_wheel_that_grips(
    #[case] limiter: &str,
    #[case] preload: f32,
    #[case] bias: f32,
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let mut stage = stage_at(&leaning(limiter), &Scene::IN_FIRST, rate);
    stage.run(0.6, &FULL).unwrap();
    let [spins, [gripping, slipping]] = rear(&stage);
    println!("{rate}: {spins:?} rad/s, {gripping} {slipping} N·m");
    assert!(spins[1] > 1.3 * spins[0], "{spins:?}");
    let half = 0.5 * (gripping + slipping);
    let lock = (bias - 1.0) / (bias + 1.0);
    let expected = half * (1.0 + lock) + 0.5 * preload;
    assert!(
        (gripping / expected - 1.0).abs() < 1e-3,
        "{gripping}, not {expected}"
    );
}

/// A viscous coupling gives the slower wheel the torque of its curve at the difference of the speeds.
#[rstest]
fn a_viscous_coupling_follows_the_speeds(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let limiter = "{ viscous = { torque_curve = [[10.0, 200.0], [60.0, 500.0]] } }";
    let mut stage = stage_at(&leaning(limiter), &Scene::IN_FIRST, rate);
    stage.run(0.6, &FULL).unwrap();
    let [[slow, fast], [gripping, slipping]] = rear(&stage);
    let difference = fast - slow;
    let expected = if difference < 10.0 {
        20.0 * difference
    } else {
        (200.0 + 6.0 * (difference - 10.0)).min(500.0)
    };
    let found = 0.5 * (gripping - slipping);
    println!("{rate}: {difference} rad/s, {found} N·m");
    assert!(difference > 1.0);
    assert!(
        (found / expected - 1.0).abs() < 1e-3,
        "{found}, not {expected}"
    );
}

/// With the torques of gearbox and center, an axle's plates lock by what the axle gets.
#[rstest]
fn plates_of_an_axle_are_pressed_by_what_the_center_leaves(#[values(60.0, 240.0)] rate: f32) {
    let differential: toml::Table = "model = 'limited-slip'\n\
         slip_limiter = { plates = { preload = 400.0, power = 0.0, coast = 0.0 } }\n\
         axles = [{ wheels = [0, 1], share = 0.3 }, \
         { wheels = [2, 3], share = 0.7, slip_limiter = { plates = { preload = 0.0, power = 0.3, coast = 0.3 } } }]"
        .parse()
        .unwrap();
    let keys = [
        (
            "chassis.center_of_mass",
            Value::try_from([-0.3, 0.55, 0.46]).unwrap(),
        ),
        ("drivetrain.differential", Value::Table(differential)),
    ];
    let car = car("sports-car-manual").with_all(keys).unwrap();
    let mut stage = stage_at(
        &car,
        &Scene {
            friction: 0.6,
            ..Scene::IN_FIRST
        },
        rate,
    );
    stage.run(0.6, &FULL).unwrap();
    let torques: Vec<f32> = stage
        .vehicle
        .wheel_reports()
        .map(|wheel| wheel.drive_torque)
        .collect();
    let spins = stage.spins();
    println!("{rate}: {spins:?} rad/s, {torques:?} N·m");
    let axle = torques[2] + torques[3];
    let total: f32 = torques.iter().sum();
    let moved = (axle - 0.7 * total).abs();
    assert!((moved - 200.0).abs() < 1.0, "the center moves {moved} N·m");
    let expected = 0.5 * 0.3 * axle.abs();
    let found = 0.5 * (torques[2] - torques[3]).abs();
    assert!(
        (found / expected - 1.0).abs() < 2e-3,
        "{found}, not {expected}"
    );
}

/// From rest with full throttle, the car is as fast at every rate.
#[test]
fn a_sprint_does_not_depend_on_the_rate() {
    sprints_alike("sports-car-manual");
}

/// The engine's work is what the car gains, its tires lose, and the plates of the center turn into heat while the front axle slips. A
/// tire's force acts through the whole step, on the mean of its slip.
#[rstest]
fn energy_is_balanced(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let differential: toml::Table = "model = 'limited-slip'\n\
         slip_limiter = { plates = { preload = 100.0, power = 0.2, coast = 0.2 } }\n\
         axles = [{ wheels = [0, 1], share = 0.6 }, { wheels = [2, 3], share = 0.4 }]"
        .parse()
        .unwrap();
    let keys = [
        ("drivetrain.differential", Value::Table(differential)),
        ("aerodynamics.drag", 0.0.into()),
        ("axles.damping", 0.0.into()),
    ];
    let car = on_free_tires(&car("sports-car-manual").with_all(keys).unwrap()).unwrap();
    let drive = engine_drive(&car);
    let scene = Scene {
        speed: 9.0,
        gear: Gear(2),
        friction: 0.5,
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    stage.run(0.5, &FULL).unwrap();
    let wheels = car.model().params().wheels.clone();
    let engine_speed = |stage: &Stage| stage.vehicle.state().drive.engine_speed;
    let energy = |stage: &Stage| {
        let (speed, engine) = (stage.velocity().length(), engine_speed(stage));
        let spins = stage.spins();
        let wheels = wheels.iter().zip(&spins);
        let wheels = wheels.map(|(wheel, spin)| wheel.inertia * spin * spin);
        let turning = wheels.sum::<f32>() + drive.engine.inertia * engine * engine;
        0.5 * (stage.body().unwrap().mass * speed * speed + turning)
    };
    // Speed of the front axle over that of the rear one.
    let difference = |stage: &Stage| {
        let spins = stage.spins();
        0.5 * (spins[0] + spins[1] - spins[2] - spins[3])
    };
    let slips = |stage: &Stage| -> Vec<f32> {
        let reports = stage.vehicle.wheel_reports().zip(&wheels);
        let slips = reports.map(|(now, wheel)| wheel.radius * now.spin - now.forward_speed);
        slips.collect()
    };
    let (before, [mut work, mut slip, mut plates]) = (energy(&stage), [0.0; 3]);
    for _ in 0..(1.5 * rate) as u32 {
        let (start, apart) = (engine_speed(&stage), difference(&stage));
        let slipped = slips(&stage);
        stage.step(&FULL).unwrap();
        let mean = 0.5 * (start + engine_speed(&stage));
        let torque = drive.engine.torque(1.0, start) - drive.engine.damping(1.0, 1.0) * mean;
        work += torque * mean / rate;
        let reports: Vec<_> = stage.vehicle.wheel_reports().collect();
        let means = slipped
            .iter()
            .zip(slips(&stage))
            .map(|(a, b)| 0.5 * (a + b));
        let power = reports
            .iter()
            .zip(means)
            .map(|(now, mean)| now.longitudinal_force * mean);
        slip += power.sum::<f32>() / rate;
        let torques: Vec<f32> = reports.iter().map(|now| now.drive_torque).collect();
        let moved = 0.6 * (torques[2] + torques[3]) - 0.4 * (torques[0] + torques[1]);
        plates += moved * 0.5 * (apart + difference(&stage)) / rate;
    }
    let rest = work - (energy(&stage) - before) - slip - plates;
    println!("{rate}: work {work} slip {slip} plates {plates} rest {rest}");
    assert!(plates > 0.01 * work, "{plates} of {work}");
    assert!(rest.abs() < 1e-3 * work, "{rest} of {work}");
}
