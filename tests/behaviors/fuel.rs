//! Fuel of cars on the road, against the Willans line, at every rate.

use jounce::core::{CarCommand, FuelUse, Gear};
use jounce::drive::{EngineDriveParams, FuelParams};
use jounce::file::Car;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage};
use rstest::rstest;

use super::{BRAKED, RATE, car, engine_drive, stage_at};

/// A shipped car whose engine counts petrol.
fn fueled(name: &str) -> Car {
    let fuel = toml::toml! {
        heating_value = 42.5e6
        density = 745.0
        efficiency = 0.4
        friction = [[0.0, 15.0], [400.0, 25.0]]
    };
    car(name).with("drivetrain.engine.fuel", fuel).unwrap()
}

fn fuel_of(drive: &EngineDriveParams) -> &FuelParams {
    drive.engine.fuel.as_ref().expect("it has fuel")
}

fn used(stage: &Stage) -> FuelUse {
    stage
        .vehicle
        .model()
        .fuel_use(stage.vehicle.state())
        .expect("it counts fuel")
}

fn is_near(found: f32, expected: f32, part: f32) {
    assert!(
        (found / expected - 1.0).abs() < part,
        "{found}, not {expected}"
    );
}

/// An engine without load burns what its friction takes, in both solvers: 20 s of `T_f·ω/(e·H)`.
#[rstest]
fn an_idling_engine_burns_for_its_friction(
    #[values("hatchback", "suv-automatic")] name: &str,
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let car = fueled(name);
    let drive = engine_drive(&car);
    let flow = fuel_of(&drive).flow(drive.engine.idle_speed, 0.0);
    let mut stage = stage_at(&car, &Scene::LEVEL, rate);
    stage.run(2.0, &BRAKED).unwrap();
    let before = used(&stage);
    stage.run(20.0, &BRAKED).unwrap();
    let after = used(&stage);
    is_near(after.flow, flow, 1e-3);
    is_near(after.mass - before.mass, 20.0 * flow, 2e-3);
    is_near(after.volume, after.mass / 745.0, 1e-5);
}

#[test]
fn the_explicit_solver_counts_fuel() {
    let car = fueled("hatchback").with("solver", "explicit").unwrap();
    let drive = engine_drive(&car);
    let mut stage = stage_at(&car, &Scene::LEVEL, RATE);
    stage.run(2.0, &BRAKED).unwrap();
    let idle = fuel_of(&drive).flow(drive.engine.idle_speed, 0.0);
    is_near(used(&stage).flow, idle, 1e-3);
    // At longer steps, its wheels swing to and fro.
    let flow = steady_flow(&car, 240.0);
    is_near(flow[0], flow[1], 1e-2);
}

/// Flow of a car with constant throttle at its steady speed in fourth gear, and that of its engine's torque.
fn steady_flow(car: &Car, rate: f32) -> [f32; 2] {
    let drive = engine_drive(car);
    let scene = Scene {
        speed: 25.0,
        gear: Gear(4),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(car, &scene, rate);
    stage.air = jounce::core::Air::STILL;
    let cruise = CarCommand {
        throttle: 0.25,
        ..FREE
    };
    stage.run(60.0, &cruise).unwrap();
    let (engine, speed) = (&drive.engine, stage.vehicle.state().drive.engine_speed);
    let torque = engine.torque(0.25, speed) - engine.damping(0.25, 1.0) * speed;
    [used(&stage).flow, fuel_of(&drive).flow(speed, torque)]
}

#[rstest]
fn a_steady_car_burns_by_its_torque(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let [found, expected] = steady_flow(&fueled("hatchback"), rate);
    is_near(found, expected, 2e-3);
}

/// From rest to 100 km/h a car burns as much at any rate, and so much that combustion gives the kinetic energy, its friction and some
/// losses on the way.
#[rstest]
#[case::clutch("hatchback", 0.01, 0.6)]
#[case::converter("suv-automatic", 0.02, 0.6)]
fn a_sprint_burns_alike_at_every_rate(
    #[case] name: &str,
    #[case] spread: f32,
    #[case] losses: f32,
) {
    let car = fueled(name);
    let sprint = |rate: f32| {
        let mut stage = stage_at(&car, &Scene::IN_FIRST, rate);
        while stage.velocity().x < 100.0 / 3.6 {
            stage.step(&FLAT_OUT).unwrap();
        }
        used(&stage).mass
    };
    let masses = [30.0, 60.0, 120.0, 240.0].map(sprint);
    println!("{name}: {masses:?} kg");
    for mass in masses {
        is_near(mass, masses[3], spread);
        let work = 0.4 * 42.5e6 * mass;
        let kinetic = 0.5 * car.mass() * (100.0_f32 / 3.6).powi(2);
        let share = work / kinetic;
        assert!((1.05..1.0 + losses).contains(&share), "{share}");
    }
}

/// With the throttle closed in gear, nothing burns until the engine nears its idle speed.
#[rstest]
fn nothing_burns_on_overrun(#[values(30.0, 240.0)] rate: f32) {
    let car = fueled("hatchback");
    let idle = engine_drive(&car).engine.idle_speed;
    let scene = Scene {
        speed: 25.0,
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    stage.run(0.5, &FREE).unwrap();
    let before = used(&stage).mass;
    while stage.vehicle.state().drive.engine_speed > 1.55 * idle {
        stage.step(&FREE).unwrap();
        assert_eq!(used(&stage).flow, 0.0);
    }
    assert_eq!(used(&stage).mass, before);
    stage.run(2.0, &FREE).unwrap();
    assert!(used(&stage).mass > before);
}

/// A car with its engine idling falls asleep, and counts nothing then; a stopped engine burns nothing.
#[test]
fn a_sleeping_car_counts_no_fuel() {
    let car = fueled("hatchback");
    let scene = Scene {
        sleeps: true,
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, RATE);
    stage.run(6.0, &BRAKED).unwrap();
    assert!(stage.body().unwrap().asleep);
    let asleep = used(&stage).mass;
    assert!(asleep > 0.0);
    stage.run(1.0, &BRAKED).unwrap();
    assert_eq!(used(&stage).mass, asleep);
    let off = Scene {
        engine_off: true,
        ..Scene::IN_FIRST
    };
    let mut stage = stage_at(&car, &off, RATE);
    stage.run(1.0, &BRAKED).unwrap();
    assert_eq!(used(&stage).mass, 0.0);
}

/// A car without the table counts nothing, and drives to the same bits as one with it.
#[test]
fn counting_changes_no_motion() {
    let drive = |car: &Car| {
        let mut stage = stage_at(car, &Scene::IN_FIRST, RATE);
        stage.run(8.0, &FLAT_OUT).unwrap();
        (
            stage.body().unwrap(),
            stage
                .vehicle
                .model()
                .fuel_use(stage.vehicle.state())
                .is_some(),
        )
    };
    let (with, counts) = drive(&fueled("sedan"));
    let (without, none) = drive(&car("sedan"));
    assert!(counts && !none);
    assert_eq!(with, without);
}
