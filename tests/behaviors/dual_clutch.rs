//! A double-clutch gearbox: thrust without a hole, at every rate.

use jounce::core::{CarCommand, Gear, GearCommand};
use proving_ground::stage::{FREE, Scene, Stage, on_free_tires};
use rstest::rstest;

use super::{BRAKED, RATE, car, engine_drive, sprints_alike, stage_at};

fn engine_speed(stage: &Stage) -> f32 {
    stage.vehicle.state().drive.engine_speed
}

/// Changes to a gear by the lever, and returns the least and the greatest acceleration meanwhile (`m/s²`), means over 1/30 s, with the
/// time until the gear is engaged (`s`).
fn change(stage: &mut Stage, throttle: f32, gear: i8, rate: f32) -> [f32; 3] {
    let keep = CarCommand {
        throttle,
        automatic: false,
        ..FREE
    };
    let ask = CarCommand {
        gear: GearCommand::Engage(Gear(gear)),
        ..keep
    };
    let steps = (rate / 30.0) as usize;
    let (mut least, mut most, mut time) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
    let mut command = ask;
    for _ in 0..18 {
        let before = stage.velocity().x;
        for _ in 0..steps {
            stage.step(&command).unwrap();
            command = keep;
            if stage.vehicle.state().drive.gear != Gear(gear) {
                time += 1.0 / rate;
            }
        }
        let gained = (stage.velocity().x - before) * 30.0;
        (least, most) = (least.min(gained), most.max(gained));
    }
    [least, most, time]
}

/// Acceleration of a car with this throttle in its gear (`m/s²`).
fn steady(stage: &mut Stage, throttle: f32) -> f32 {
    let keep = CarCommand {
        throttle,
        automatic: false,
        ..FREE
    };
    stage.run(1.2, &keep).unwrap();
    let before = stage.velocity().x;
    stage.run(0.2, &keep).unwrap();
    (stage.velocity().x - before) / 0.2
}

/// A change up under power has no hole of torque: the car gains speed no less than in the gear that it leads to, where a clutch that
/// opens would leave it without thrust.
#[rstest]
fn a_change_up_has_no_hole_of_torque(
    #[values(30.0, 60.0, 240.0)] rate: f32,
    #[values(0.5, 1.0)] throttle: f32,
) {
    let scene = Scene {
        speed: 9.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car("hatchback-dct"), &scene, rate);
    let before = steady(&mut stage, throttle);
    let [least, most, time] = change(&mut stage, throttle, 3, rate);
    let after = steady(&mut stage, throttle);
    println!("{rate} {throttle}: {before} [{least} {most}] {after} in {time} s");
    assert_eq!(stage.vehicle.state().drive.gear, Gear(3));
    assert!(after > 0.3 && after < 0.9 * before, "{before} {after}");
    assert!(least > 0.9 * after, "{least} m/s², not {after}");
    assert!(most < 1.6 * before, "{most} m/s², not {before}");
    assert!((time - 0.35).abs() < 1.5 / rate, "{time} s");
}

/// A change down under power lets the engine speed up on the clutch of the last gear, whose torque goes on.
#[rstest]
fn a_change_down_keeps_the_thrust(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let scene = Scene {
        speed: 7.0,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car("hatchback-dct"), &scene, rate);
    let before = steady(&mut stage, 1.0);
    let [least, ..] = change(&mut stage, 1.0, 2, rate);
    let after = steady(&mut stage, 1.0);
    println!("{rate}: {before} [{least}] {after}");
    assert!(after > 1.05 * before, "{before} {after}");
    assert!(least > 0.25 * before, "{least} m/s²");
}

/// From rest with full throttle, the car is as fast at every rate.
#[test]
fn a_sprint_does_not_depend_on_the_rate() {
    sprints_alike("hatchback-dct");
}

/// In one gear, the engine's work is what the car gains and its tires lose, without losses of gears, air and bearings.
#[rstest]
fn energy_is_balanced(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let keys = [
        ("drivetrain.dual_clutch.efficiency", 1.0.into()),
        ("aerodynamics.drag", 0.0.into()),
        ("axles.damping", 0.0.into()),
    ];
    let car = on_free_tires(&car("hatchback-dct").with_all(keys).unwrap()).unwrap();
    let drive = engine_drive(&car);
    let scene = Scene {
        speed: 12.0,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    let command = CarCommand {
        throttle: 1.0,
        automatic: false,
        ..FREE
    };
    stage.run(2.0, &command).unwrap();
    let wheels = car.model().params().wheels.clone();
    let energy = |stage: &Stage| {
        let (speed, engine) = (stage.velocity().length(), engine_speed(stage));
        let spins = stage.spins();
        let wheels = wheels
            .iter()
            .zip(&spins)
            .map(|(w, spin)| w.inertia * spin * spin);
        let turning = wheels.sum::<f32>() + drive.engine.inertia * engine * engine;
        0.5 * (stage.body().unwrap().mass * speed * speed + turning)
    };
    let (before, mut work, mut slip) = (energy(&stage), 0.0, 0.0);
    for _ in 0..(6.0 * rate) as u32 {
        let start = engine_speed(&stage);
        stage.step(&command).unwrap();
        let mean = 0.5 * (start + engine_speed(&stage));
        let torque = drive.engine.torque(1.0, start) - drive.engine.damping(1.0, 1.0) * mean;
        work += torque * mean / rate;
        let reports = stage.vehicle.wheel_reports().zip(&wheels);
        let power = reports.map(|(now, wheel)| {
            now.longitudinal_force * (wheel.radius * now.spin - now.forward_speed)
        });
        slip += power.sum::<f32>() / rate;
    }
    let rest = work - (energy(&stage) - before) - slip;
    println!("{rate}: work {work} slip {slip} rest {rest}");
    assert!(rest.abs() < 1e-3 * work, "{rest} of {work}");
}

/// It creeps in gear, stops by its brake with the engine running, and backs in reverse.
#[test]
fn it_creeps_and_backs() {
    let mut stage = stage_at(&car("hatchback-dct"), &Scene::IN_FIRST, RATE);
    stage.run(6.0, &FREE).unwrap();
    assert!(
        (0.5..4.0).contains(&stage.velocity().x),
        "{}",
        stage.velocity().x
    );
    stage.run(3.0, &BRAKED).unwrap();
    assert!(stage.velocity().length() < 1e-3 && engine_speed(&stage) > 60.0);
    let reverse = CarCommand {
        gear: GearCommand::Engage(Gear::REVERSE),
        throttle: 0.2,
        ..FREE
    };
    stage.run(4.0, &reverse).unwrap();
    assert!(stage.velocity().x < -1.0, "{}", stage.velocity().x);
}
