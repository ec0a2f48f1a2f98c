//! A city car with a variator behind its converter, against its map, at every rate.

use jounce::core::{CarCommand, Gear, GearCommand};
use jounce::file::Car;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage, on_free_tires};
use rstest::rstest;

use super::{BRAKED, RATE, car, engine_drive, stage_at};

/// The city car on the road.
fn city(scene: &Scene, rate: f32) -> (Car, Stage) {
    let car = car("city-car-cvt");
    let stage = stage_at(&car, scene, rate);
    (car, stage)
}

fn engine_speed(stage: &Stage) -> f32 {
    stage.vehicle.state().drive.engine_speed
}

/// With the lock-up clutch closed, the engine has the speed of the map while the car gains speed.
#[rstest]
fn the_engine_keeps_the_speed_of_the_map(
    #[values(30.0, 60.0, 240.0)] rate: f32,
    #[values(0.3, 0.5, 1.0)] throttle: f32,
) {
    let scene = Scene {
        speed: 15.0,
        ..Scene::IN_FIRST
    };
    let (car, mut stage) = city(&scene, rate);
    let variator = engine_drive(&car).variator.unwrap();
    let command = CarCommand { throttle, ..FREE };
    stage.run(6.0, &command).unwrap();
    let before = stage.velocity().x;
    stage.run(2.0, &command).unwrap();
    let speed = stage.velocity().x;
    let expected = variator.input_speed(throttle, speed);
    let found = engine_speed(&stage);
    assert!(
        (found / expected - 1.0).abs() < 0.02,
        "{found}, not {expected}"
    );
    assert!(throttle < 0.4 || speed > before + 0.5, "{before} {speed}");
}

/// From rest with full throttle, the car is as fast at every rate, and its thrust has no hole.
#[test]
fn a_sprint_does_not_depend_on_the_rate() {
    let times = [30.0, 60.0, 120.0, 240.0].map(|rate| {
        let (_, mut stage) = city(&Scene::IN_FIRST, rate);
        let (mut time, mut before) = (0.0, 0.0);
        while stage.velocity().x < 100.0 / 3.6 {
            let earlier = before;
            before = stage.velocity().x;
            stage.step(&FLAT_OUT).unwrap();
            time += 1.0 / rate;
            let gained = (stage.velocity().x - earlier) * 0.5 * rate;
            assert!(
                time < 0.5 || gained > 0.8,
                "{gained} m/s² after {time} s at {rate} Hz"
            );
            assert!(time < 25.0);
        }
        let over = (stage.velocity().x - 100.0 / 3.6) / (stage.velocity().x - before);
        time - over / rate
    });
    println!("{times:?}");
    for time in times {
        assert!((time / times[3] - 1.0).abs() < 5e-3, "{times:?}");
    }
}

/// A changing ratio neither takes nor gives power: without losses of converter, belt, air and bearings, the engine's work is what
/// the car gains and its tires lose.
#[rstest]
fn energy_is_balanced(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let keys = [
        ("drivetrain.converter.efficiency", 1.0.into()),
        ("drivetrain.converter.lock_up.closes_above", 0.0.into()),
        ("drivetrain.converter.lock_up.capacity", 2000.0.into()),
        ("drivetrain.clutch.capacity", 4000.0.into()),
        ("aerodynamics.drag", 0.0.into()),
        ("axles.damping", 0.0.into()),
    ];
    let car = on_free_tires(&car("city-car-cvt").with_all(keys).unwrap()).unwrap();
    let drive = engine_drive(&car);
    let scene = Scene {
        speed: 8.0,
        ..Scene::IN_FIRST
    };
    let mut stage = stage_at(&car, &scene, rate);
    let gentle = CarCommand {
        throttle: 0.5,
        ..FREE
    };
    stage.run(4.0, &gentle).unwrap();
    let wheels = car.model().params().wheels.clone();
    let energy = |stage: &Stage| {
        let (speed, engine) = (stage.velocity().length(), engine_speed(stage));
        let spins = stage.spins();
        let wheels = wheels
            .iter()
            .zip(&spins)
            .map(|(w, spin)| w.inertia * spin * spin);
        let shafts = drive.engine.inertia + drive.converter.as_ref().unwrap().inertia;
        0.5 * (stage.body().unwrap().mass * speed * speed
            + wheels.sum::<f32>()
            + shafts * engine * engine)
    };
    let (before, mut work, mut slip) = (energy(&stage), 0.0, 0.0);
    for step in 0..(8.0 * rate) as u32 {
        let throttle = if (step as f32) < 5.0 * rate { 1.0 } else { 0.5 };
        let start = engine_speed(&stage);
        stage.step(&CarCommand { throttle, ..FREE }).unwrap();
        let mean = 0.5 * (start + engine_speed(&stage));
        let torque =
            drive.engine.torque(throttle, start) - drive.engine.damping(throttle, 1.0) * mean;
        work += torque * mean / rate;
        let reports = stage.vehicle.wheel_reports().zip(&wheels);
        let power = reports.map(|(now, wheel)| {
            now.longitudinal_force * (wheel.radius * now.spin - now.forward_speed)
        });
        slip += power.sum::<f32>() / rate;
    }
    let gained = energy(&stage) - before;
    let rest = work - gained - slip;
    println!("{rate}: work {work} gained {gained} slip {slip} rest {rest}");
    assert!(rest.abs() < 1e-3 * work, "{rest} of {work}");
}

/// Held by its brakes, it starts in the greatest ratio again; in reverse it creeps backward.
#[test]
fn it_starts_in_its_greatest_ratio() {
    let (car, mut stage) = city(&Scene::IN_FIRST, RATE);
    let drive = engine_drive(&car);
    stage.run(6.0, &FLAT_OUT).unwrap();
    stage.run(6.0, &BRAKED).unwrap();
    stage.run(3.0, &FREE).unwrap();
    let creep = stage.velocity().x;
    assert!((0.8..4.0).contains(&creep), "{creep}");
    stage.run(1.0, &BRAKED).unwrap();
    let reverse = CarCommand {
        gear: GearCommand::Engage(Gear::REVERSE),
        ..FREE
    };
    stage.run(5.0, &reverse).unwrap();
    assert!(stage.velocity().x < -0.5, "{}", stage.velocity().x);
    assert!(drive.gearbox.ratio(Gear::REVERSE) < 0.0);
}
