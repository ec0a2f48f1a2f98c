//! Gearboxes changed by hand with a clutch pedal, ranges, retarder and power take-off, against closed forms, at every rate.

use jounce::core::{CarCommand, Command, Gear, GearCommand, Levers};
use jounce::telemetry::{EventWatcher, VehicleEvent};
use proving_ground::stage::{FREE, Scene, Stage, on_free_tires};
use rstest::rstest;
use toml::Value;

use super::{car, engine_drive, stage_at};

/// Clutch pedal pressed, worked by the driver alone.
const PRESSED: CarCommand = CarCommand {
    clutch: 1.0,
    levers: Levers {
        manual_clutch: true,
        ..Levers::RELEASED
    },
    ..FREE
};
/// Clutch pedal released.
const LET_OUT: CarCommand = CarCommand {
    clutch: 0.0,
    ..PRESSED
};

fn engine_speed(stage: &Stage) -> f32 {
    stage.vehicle.state().drive.engine_speed
}

fn gear(stage: &Stage) -> i8 {
    stage.vehicle.state().drive.gear.0
}

/// Asks for a gear in one step, and goes on with the pedals for this many seconds.
fn ask(stage: &mut Stage, asked: i8, pedals: &CarCommand, seconds: f32) {
    let command = CarCommand {
        gear: GearCommand::Engage(Gear(asked)),
        ..*pedals
    };
    stage.step(&command).unwrap();
    stage.run(seconds, pedals).unwrap();
}

/// A pedal that is let out at idle in third gear stalls the engine; it stands until the starter turns it with the clutch open.
#[rstest]
fn a_clutch_let_out_too_fast_stalls_the_engine(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let scene = Scene {
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car("sports-car-manual"), &scene, rate);
    stage.run(1.0, &PRESSED).unwrap();
    let idle = engine_drive(&car("sports-car-manual")).engine.idle_speed;
    assert!((engine_speed(&stage) / idle - 1.0).abs() < 0.05);
    stage.run(2.0, &LET_OUT).unwrap();
    assert!(
        engine_speed(&stage) < 0.1 * idle,
        "{}",
        engine_speed(&stage)
    );
    assert!(stage.velocity().length() < 0.5);
    // Neither the open clutch nor the throttle starts it.
    let kicked = CarCommand {
        throttle: 1.0,
        ..PRESSED
    };
    stage.run(1.0, &kicked).unwrap();
    assert!(
        engine_speed(&stage) < 0.1 * idle,
        "{}",
        engine_speed(&stage)
    );
    let mut starts = PRESSED;
    starts.levers.starter = true;
    stage.run(1.5, &starts).unwrap();
    stage.run(1.0, &PRESSED).unwrap();
    assert!(
        engine_speed(&stage) > 0.9 * idle,
        "{}",
        engine_speed(&stage)
    );
}

/// With the pedal at the bite point, the plates transmit a part of their capacity: the car starts, as fast at every rate.
#[test]
fn a_slipping_clutch_starts_the_car() {
    let drive = engine_drive(&car("sports-car-manual"));
    let pedal = drive.clutch.pedal.unwrap();
    let part = 0.3;
    let pedals = CarCommand {
        clutch: pedal.bite_point - part * (pedal.bite_point - pedal.closed_point),
        throttle: 0.6,
        ..PRESSED
    };
    let car = on_free_tires(&car("sports-car-manual")).unwrap();
    let speeds = [30.0, 60.0, 240.0].map(|rate| {
        let mut stage = stage_at(&car, &Scene::IN_FIRST, rate);
        let revving = CarCommand {
            clutch: 1.0,
            ..pedals
        };
        stage.run(1.0, &revving).unwrap();
        stage.run(0.5, &pedals).unwrap();
        let before = stage.velocity().x;
        stage.run(0.3, &pedals).unwrap();
        let gained = (stage.velocity().x - before) / 0.3;
        let torque = part * drive.clutch.capacity.unwrap() * drive.gearbox.ratio(Gear::FIRST);
        let model = car.model();
        let wheels = &model.params().wheels;
        let turning: f32 = wheels.iter().map(|w| w.inertia / w.radius.powi(2)).sum();
        let mass = stage.body().unwrap().mass + turning;
        let expected = torque / wheels[2].radius / mass;
        println!("{rate}: {gained} m/s², not {expected}");
        assert!(
            (gained / expected - 1.0).abs() < 0.01,
            "{gained}, not {expected}"
        );
        stage.velocity().x
    });
    for speed in speeds {
        assert!((speed / speeds[2] - 1.0).abs() < 5e-3, "{speeds:?}");
    }
}

/// A gear goes in only while the pedal is down; one whose pedal comes up too early stays out, and a lever that is moved with the pedal
/// up leaves its gear. Without the driver's foot the clutch works itself.
#[rstest]
fn gears_engage_with_the_pedal_down(#[values(30.0, 240.0)] rate: f32) {
    let scene = Scene {
        speed: 12.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car("sports-car-manual"), &scene, rate);
    let up = CarCommand {
        gear: GearCommand::Up,
        ..LET_OUT
    };
    stage.step(&up).unwrap();
    stage.run(0.6, &LET_OUT).unwrap();
    assert_eq!(gear(&stage), 2);
    ask(&mut stage, 3, &LET_OUT, 0.6);
    assert_eq!(gear(&stage), 0);
    ask(&mut stage, 3, &PRESSED, 0.1);
    stage.run(0.5, &LET_OUT).unwrap();
    assert_eq!(gear(&stage), 0);
    ask(&mut stage, 3, &PRESSED, 0.6);
    assert_eq!(gear(&stage), 3);
    ask(&mut stage, 0, &LET_OUT, 0.6);
    assert_eq!(gear(&stage), 0);
    ask(&mut stage, 2, &FREE, 0.6);
    assert_eq!(gear(&stage), 2);
}

/// A racing wheel tells the slot of its lever in each step: the gear follows it, neutral between two slots; with the pedal up the next
/// gear grinds, until the pedal goes down.
#[rstest]
fn the_gear_follows_the_lever(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let scene = Scene {
        speed: 12.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car("sports-car-manual"), &scene, rate);
    let mut watcher = EventWatcher::new(None, 0, 0);
    let mut drive = |slot: i8, pedals: &CarCommand, seconds: f32| {
        let command = CarCommand {
            gear: GearCommand::Engage(Gear(slot)),
            ..*pedals
        };
        let mut told = vec![];
        for _ in 0..(seconds * rate) as u32 {
            stage.step(&command).unwrap();
            let tell = &mut |event| told.push(event);
            watcher.watch(&stage.vehicle, &Command::Car(command), 1.0 / rate, tell);
        }
        (gear(&stage), told)
    };
    let [none, second, third] = [Gear::NEUTRAL, Gear(2), Gear(3)];
    assert_eq!(drive(2, &LET_OUT, 0.4), (2, vec![]));
    let (now, told) = drive(0, &PRESSED, 0.5);
    assert_eq!(now, 0);
    assert!(
        told.contains(&VehicleEvent::ShiftEnds { gear: none }),
        "{told:?}"
    );
    let (now, told) = drive(3, &PRESSED, 0.6);
    assert_eq!(now, 3);
    assert_eq!(told.last(), Some(&VehicleEvent::ShiftEnds { gear: third }));
    let grinds = VehicleEvent::GearGrinds { gear: second };
    let (now, told) = drive(2, &LET_OUT, 1.0);
    assert_eq!(now, 0);
    assert_eq!(
        told.iter().filter(|event| **event == grinds).count(),
        1,
        "{told:?}"
    );
    let (now, told) = drive(2, &PRESSED, 0.6);
    assert_eq!(now, 2);
    assert!(!told.contains(&grinds), "{told:?}");
}

/// In the field range, engine and wheels turn at four times the ratio.
#[rstest]
fn a_range_box_multiplies_the_gears(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let car = car("tractor-range");
    let drive = engine_drive(&car);
    let field = CarCommand {
        throttle: 0.4,
        levers: Levers {
            range: 1,
            ..Levers::RELEASED
        },
        ..FREE
    };
    let mut stage = stage_at(&car, &Scene::IN_FIRST, rate);
    stage.run(6.0, &field).unwrap();
    assert_eq!(gear(&stage), 1);
    let mean = 0.5 * (stage.spins()[2] + stage.spins()[3]);
    let ratio = engine_speed(&stage) / mean;
    let expected = drive.gearbox.ratio(Gear::FIRST) * 4.0;
    assert!(
        (ratio / expected - 1.0).abs() < 1e-3,
        "{ratio}, not {expected}"
    );
}

/// Out of gear, the retarder slows the truck by its torque at the output shaft, by steps of the lever, and never moves it.
#[rstest]
fn a_retarder_brakes_by_steps(#[values(30.0, 60.0, 240.0)] rate: f32, #[values(2, 5)] lever: u8) {
    let keys = [("axles.damping", 0.0.into())];
    let car = car("eighteen-wheeler-retarder").with_all(keys).unwrap();
    let car = on_free_tires(&car).unwrap();
    let drive = engine_drive(&car);
    let retarder = drive.retarder.unwrap();
    let scene = Scene {
        speed: 12.0,
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    let mut slowed = FREE;
    slowed.levers.retarder = lever;
    stage.run(1.0, &slowed).unwrap();
    let before = stage.velocity().x;
    stage.run(0.2, &slowed).unwrap();
    let found = (before - stage.velocity().x) / 0.2;
    let model = car.model();
    let wheels = &model.params().wheels;
    let turning: f32 = wheels.iter().map(|w| w.inertia / w.radius.powi(2)).sum();
    let ratio = drive.gearbox.final_ratio;
    let torque = retarder.torque(ratio * before / wheels[2].radius, lever);
    assert!(torque > 1000.0);
    let expected = torque * ratio / wheels[2].radius / (stage.body().unwrap().mass + turning);
    println!("{rate}: {found} m/s², not {expected}");
    assert!(
        (found / expected - 1.0).abs() < 0.01,
        "{found}, not {expected}"
    );
}

/// A retarder with a torque at standstill stops the truck as a brake does, and does not move it.
#[rstest]
fn a_retarder_never_reverses(#[values(30.0, 240.0)] rate: f32) {
    let curve = Value::try_from([[0.0, 3000.0]]).unwrap();
    let car = car("eighteen-wheeler-retarder");
    let car = car.with("drivetrain.retarder.torque_curve", curve).unwrap();
    let scene = Scene {
        speed: 2.0,
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    let mut slowed = FREE;
    slowed.levers.retarder = 5;
    stage.run(8.0, &slowed).unwrap();
    let stopped = stage.position().unwrap();
    assert!(stage.velocity().length() < 1e-3, "{}", stage.velocity());
    stage.run(4.0, &slowed).unwrap();
    let moved = stage.position().unwrap().distance(stopped);
    assert!(moved < 1e-3, "{moved} m");
}

/// Standing, an engine with a power take-off settles where its torque is what the implement draws.
#[rstest]
fn a_power_take_off_loads_the_engine(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let car = car("tractor-range");
    let drive = engine_drive(&car);
    let drawn = drive.power_take_off.unwrap().torque;
    let mut working = CarCommand {
        throttle: 0.9,
        ..FREE
    };
    working.levers.power_take_off = true;
    let mut stage = stage_at(&car, &Scene::LEVEL, rate);
    stage.run(12.0, &working).unwrap();
    let speed = engine_speed(&stage);
    let own = drive.engine.torque(0.9, speed) - drive.engine.damping(0.9, 0.0) * speed;
    println!("{rate}: {speed} rad/s, {own} N·m");
    assert!((own / drawn - 1.0).abs() < 0.01, "{own}, not {drawn}");
    assert!(stage.velocity().length() < 1e-3);
}
