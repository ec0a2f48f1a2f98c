//! Engines on the road: the lag of a turbocharger and a rev limiter, at every rate.

use jounce::core::report::EngineReport;
use jounce::core::{CarCommand, Gear};
use jounce::file::Car;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage};
use rstest::rstest;

use super::{BRAKED, RATE, car, engine_drive, stage_at};

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    ..FREE
};

/// A car whose engine has this part of its torque without a turbocharger of 0.5 s.
fn turbocharged(name: &str, unboosted: f32) -> Car {
    let mut turbo = toml::toml! { lag = [[0.0, 0.5]] };
    let unboosted = vec![vec![0.0, unboosted]];
    turbo.insert("unboosted".to_owned(), unboosted.into());
    car(name).with("drivetrain.engine.turbo", turbo).unwrap()
}

/// Torque of the engine over that which it has at this throttle when it is steady.
fn torque_part(car: &Car, stage: &Stage, speed: f32, throttle: f32) -> f32 {
    let engine = EngineReport::of(&stage.vehicle).expect("it has an engine");
    engine.torque / engine_drive(car).engine.torque(throttle, speed)
}

/// After the throttle opened, an engine gives u + (1 − u)·(1 − exp(−t/τ)) of its torque, in both solvers.
#[rstest]
fn torque_builds_up_by_an_exponential(
    #[values("rows", "explicit")] solver: &str,
    #[values(30.0, 60.0, 240.0)] rate: f32,
) {
    let car = turbocharged("sedan", 0.5).with("solver", solver).unwrap();
    let scene = Scene {
        speed: 25.0,
        gear: Gear(5),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    stage.run(0.5, &FREE).unwrap();
    for second in [0.2_f32, 0.4, 0.6, 0.8, 1.0] {
        stage.run(0.2 - stage.dt, &FULL).unwrap();
        let speed = stage.vehicle.state().drive.engine_speed;
        stage.step(&FULL).unwrap();
        let found = torque_part(&car, &stage, speed, 1.0);
        let expected = 1.0 - 0.5 * (-second / 0.5).exp();
        // The torque is the mean of the last substep.
        let earlier = 1.0 - 0.5 * (-(second - 1.0 / rate) / 0.5).exp();
        assert!(
            (earlier - 5e-3..expected + 5e-3).contains(&found),
            "{second} s: {found}, not {expected}"
        );
    }
    stage.run(4.0, &FULL).unwrap();
    let speed = stage.vehicle.state().drive.engine_speed;
    assert!((torque_part(&car, &stage, speed, 1.0) - 1.0).abs() < 5e-3);
}

/// It costs time from rest, as much at every rate, and none at a steady speed.
#[rstest]
#[case::clutch("sedan")]
#[case::converter("suv-automatic")]
fn a_sprint_takes_longer_by_the_lag(#[case] name: &str) {
    let time = |car: &Car, rate: f32| {
        let mut stage = stage_at(car, &Scene::IN_FIRST, rate);
        let (mut time, mut before) = (0.0, 0.0);
        loop {
            stage.step(&FLAT_OUT).unwrap();
            let speed = stage.velocity().x;
            if speed >= 15.0 {
                return time + stage.dt * (15.0 - before) / (speed - before);
            }
            (time, before) = (time + stage.dt, speed);
        }
    };
    let lagging = turbocharged(name, 0.5);
    let times = [30.0, 60.0, 120.0, 240.0].map(|rate| time(&lagging, rate));
    let at_once = time(&turbocharged(name, 1.0), 240.0);
    println!("{name}: {times:?}, {at_once} s without lag");
    for found in times {
        assert!((found / times[3] - 1.0).abs() < 0.01, "{times:?}");
        assert!(
            (0.15..1.0).contains(&(found - at_once)),
            "{times:?}, {at_once}"
        );
    }
}

#[test]
fn a_turbocharged_car_falls_asleep() {
    let scene = Scene {
        sleeps: true,
        ..Scene::IN_FIRST
    };
    let mut stage = stage_at(&turbocharged("sedan", 0.5), &scene, RATE);
    stage.run(1.0, &FULL).unwrap();
    stage.run(12.0, &BRAKED).unwrap();
    assert!(stage.body().unwrap().asleep);
}

/// In neutral at full throttle, a rev limiter swings the engine between its two speeds, as often as inertia, torque and damping say: with
/// dω/dt = −ζ₀·ω/I while it is cut, and (T − ζ·ω)/I otherwise.
#[rstest]
fn a_limiter_swings_between_two_speeds(#[values(60.0, 240.0)] rate: f32) {
    let limiter = toml::toml! {
        cuts_above = 600.0
        resumes_below = 540.0
    };
    let car = car("sedan")
        .with("drivetrain.engine.limiter", limiter)
        .unwrap();
    let engine = engine_drive(&car).engine;
    let mut stage = stage_at(&car, &Scene::LEVEL, rate);
    stage.run(2.0, &FULL).unwrap();
    let (mut least, mut most, mut swings, mut falls) = (f32::INFINITY, 0.0_f32, 0_u32, false);
    let mut before = stage.vehicle.state().drive.engine_speed;
    let seconds = 8.0;
    for _ in 0..(seconds * rate) as usize {
        stage.step(&FULL).unwrap();
        let speed = stage.vehicle.state().drive.engine_speed;
        (least, most) = (least.min(speed), most.max(speed));
        swings += u32::from(!falls && speed < before);
        (falls, before) = (speed < before, speed);
    }
    let fall = engine.inertia / engine.damping(0.0, 0.0) * (600.0_f32 / 540.0).ln();
    let torque = engine.torque(1.0, 570.0) - engine.damping(1.0, 0.0) * 570.0;
    let rise = 60.0 * engine.inertia / torque;
    let expected = seconds / (fall + rise);
    // A step more each way.
    let overshoot = torque / engine.inertia / rate;
    println!("{rate} Hz: {least} to {most} rad/s, {swings} swings, {expected} expected");
    assert!(most > 599.0 && most < 601.0 + overshoot, "{most}");
    assert!(least < 541.0 && least > 539.0 - overshoot, "{least}");
    let part = swings as f32 / expected;
    assert!((0.8..1.05).contains(&part), "{swings}, not {expected}");
}

/// An engine that is cut burns nothing.
#[test]
fn a_cut_engine_burns_nothing() {
    let limiter = toml::toml! {
        cuts_above = 600.0
        resumes_below = 100.0
    };
    let car = car("hatchback")
        .with("drivetrain.engine.limiter", limiter)
        .unwrap();
    let mut stage = stage_at(&car, &Scene::LEVEL, RATE);
    while stage.vehicle.state().drive.engine_speed < 590.0 {
        stage.step(&FULL).unwrap();
    }
    stage.run(0.3, &FULL).unwrap();
    let before = stage
        .vehicle
        .model()
        .fuel_use(stage.vehicle.state())
        .expect("it counts fuel");
    stage.run(0.3, &FULL).unwrap();
    let after = stage
        .vehicle
        .model()
        .fuel_use(stage.vehicle.state())
        .expect("it counts fuel");
    assert!(before.mass > 0.0);
    assert_eq!((after.mass, after.flow), (before.mass, 0.0));
}
