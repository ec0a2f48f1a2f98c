//! Electric saloons on the road, against closed forms of motors and battery.

use core::mem;
use std::sync::Arc;

use jounce::aids::Abs;
use jounce::core::{CarCommand, Checked, DriverAid, Gear, GearCommand};
use jounce::drive::{ElectricDrive, ElectricReport};
use jounce::file::Car;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage};
use rstest::rstest;

use super::{car, stage_at, time_to};

/// The electric drive of a car.
fn drive_of(car: &Car) -> ElectricDrive {
    let params = car.spec().drive.params_of("electric").expect("it has one");
    ElectricDrive::new(Checked::new(params).unwrap())
}

fn report(car: &Car, stage: &Stage) -> ElectricReport {
    drive_of(car).report(stage.vehicle.state().drivetrain_memory())
}

/// A car that drives straight on, without air.
fn standing(car: &Car, rate: f32) -> Stage {
    let mut stage = stage_at(car, &Scene::IN_FIRST, rate);
    let braked = CarCommand { brake: 1.0, ..FREE };
    stage.run(1.0, &braked).unwrap();
    stage
}

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    ..FREE
};

/// Kinetic energy of a car that rolls (`J`), rotors included.
fn kinetic_energy(car: &Car, stage: &Stage) -> f32 {
    let speed = stage.velocity().x;
    let body = stage.body().unwrap();
    let wheels = car.model().params().wheels.clone();
    let turning = wheels.iter().zip(stage.spins());
    let of_wheels: f32 = turning.map(|(w, spin)| 0.5 * w.inertia * spin * spin).sum();
    let drive = drive_of(car);
    let motors = &drive.params().motors;
    let of_rotors = motors.iter().map(|motor| {
        let spins: f32 = motor.wheels.iter().map(|w| stage.spins()[*w]).sum();
        let rotor = motor.ratio * spins / motor.wheels.len() as f32;
        0.5 * motor.inertia * rotor * rotor
    });
    0.5 * body.mass * speed * speed + of_wheels + of_rotors.sum::<f32>()
}

/// A sprint takes as long at any rate, and so much energy as moves the car but for losses, slip and rolling.
#[rstest]
fn a_sprint_does_not_depend_on_the_rate(#[values("ev-saloon", "ev-saloon-awd")] name: &str) {
    let car = car(name);
    let sprint = |rate: f32| {
        let mut stage = standing(&car, rate);
        let time = time_to(&mut stage, &FULL, 100.0 / 3.6);
        let used = report(&car, &stage).energy_used;
        (time, used / kinetic_energy(&car, &stage))
    };
    let all = [30.0, 60.0, 120.0, 240.0].map(sprint);
    println!("{name}: {all:?}");
    let (reference, _) = all[3];
    for (time, share) in all {
        assert!((time / reference - 1.0).abs() < 5e-3, "{all:?}");
        assert!((1.02..1.25).contains(&share), "{all:?}");
    }
}

/// A light pedal brings back the kinetic energy but for the losses, at any rate.
#[rstest]
fn a_light_pedal_regenerates(#[values("ev-saloon", "ev-saloon-awd")] name: &str) {
    let car = car(name);
    let pedal = CarCommand {
        brake: 0.15,
        ..FREE
    };
    let stop = |rate: f32| {
        let mut stage = standing(&car, rate);
        time_to(&mut stage, &FULL, 25.0);
        stage.run(0.5, &FREE).unwrap();
        let (before, used) = (kinetic_energy(&car, &stage), report(&car, &stage));
        time_to(&mut stage, &pedal, 5.0);
        let lost = before - kinetic_energy(&car, &stage);
        let recovered = report(&car, &stage).energy_recovered - used.energy_recovered;
        recovered / lost
    };
    let all = [30.0, 60.0, 120.0, 240.0].map(stop);
    println!("{name}: {all:?}");
    for share in all {
        assert!((0.8..0.97).contains(&share), "{all:?}");
        assert!((share / all[3] - 1.0).abs() < 5e-3, "{all:?}");
    }
}

/// On a slope of 20 %, brake, handbrake and, with one pedal, nothing hold the car.
#[rstest]
#[case::brake("ev-saloon", CarCommand { brake: 1.0, ..FREE })]
#[case::handbrake("ev-saloon", CarCommand { handbrake: 1.0, ..FREE })]
#[case::one_pedal("ev-saloon", FREE)]
#[case::brake_of_two_motors("ev-saloon-awd", CarCommand { brake: 1.0, ..FREE })]
#[case::handbrake_in_reverse("ev-saloon-awd", CarCommand { handbrake: 1.0, gear: GearCommand::Engage(Gear::REVERSE), ..FREE })]
fn it_parks_on_a_slope(#[case] name: &str, #[case] command: CarCommand) {
    let car = car(name);
    let slope = libm::atan(0.2).to_degrees();
    for scene in [
        Scene::nose_down(slope),
        Scene {
            slope,
            ..Scene::LEVEL
        },
    ] {
        let scene = Scene {
            gear: Gear::FIRST,
            ..scene
        };
        let mut stage = stage_at(&car, &scene, 60.0);
        stage.run(4.0, &command).unwrap();
        let (before, memory) = (stage.position().unwrap(), report(&car, &stage));
        stage.run(6.0, &command).unwrap();
        let drift = stage.position().unwrap().distance(before);
        assert!(drift < 1e-4, "{drift} m");
        // Motors that held it for a moment cool on.
        let cooled = |mut report: ElectricReport| {
            let motors = report.motors.iter_mut();
            let rises = motors.map(|motor| mem::take(&mut motor.temperature_rise));
            (rises.collect::<Vec<f32>>(), report)
        };
        let ((warm, before), (cool, after)) = (cooled(memory), cooled(report(&car, &stage)));
        assert_eq!(after, before);
        assert!(
            cool.iter()
                .zip(&warm)
                .all(|(cool, warm)| cool <= warm && *warm < 0.1)
        );
    }
}

/// Motors that have driven cool down for minutes; the car does not wait for them.
#[rstest]
fn it_falls_asleep_with_warm_motors(#[values("ev-saloon", "ev-saloon-awd")] name: &str) {
    let car = car(name);
    let scene = Scene {
        sleeps: true,
        ..Scene::IN_FIRST
    };
    let mut stage = stage_at(&car, &scene, 60.0);
    stage.run(3.0, &FLAT_OUT).unwrap();
    let braked = CarCommand { brake: 1.0, ..FREE };
    stage.run(12.0, &braked).unwrap();
    let warm = report(&car, &stage).motors[0].temperature_rise;
    assert!(stage.body().unwrap().asleep && warm > 0.5, "{warm} K");
}

/// On ice, a motor that brakes as the accelerator is released locks its wheels; an ABS lets it brake no harder than they grip.
#[rstest]
fn an_abs_limits_motors_that_brake(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let plain = car("ev-saloon");
    let abs: Arc<dyn DriverAid> = Arc::new(Abs::car());
    let model = plain.model().as_ref().clone().with_aids(&[abs]).unwrap();
    let [without, with] = [plain.model().as_ref().clone(), model].map(|model| {
        let scene = Scene {
            speed: 20.0,
            friction: 0.08,
            ..Scene::IN_FIRST
        };
        let mut stage = stage_at(&plain, &scene, rate);
        stage.vehicle.set_model(Arc::new(model));
        stage.run(1.0, &FREE).unwrap();
        let radius = plain.model().params().wheels[2].radius;
        1.0 - stage.spins()[2] * radius / stage.velocity().length()
    });
    assert!(without > 0.5, "{without}");
    assert!((0.0..0.2).contains(&with), "{with}");
}
