//! Automatic gearboxes behind a torque converter, against closed forms, at every rate.

use jounce::core::{CarCommand, Gear};
use jounce::drive::EngineDriveParams;
use jounce::jointed::{Attachments, JointedError};
use proving_ground::stage::{FLAT_OUT, FREE};
use rstest::rstest;
use vehicle_conformance::stability::Scene;

use super::{BRAKED, RATE, car, engine_drive, stage_at};

/// Speed at which an engine with full throttle stalls its converter: where its torque is C·Ω².
fn stall_speed(drive: &EngineDriveParams) -> f32 {
    let capacity = drive.converter.as_ref().unwrap().capacity.at(0.0);
    let (mut low, mut high) = (drive.engine.idle_speed, drive.engine.max_speed);
    for _ in 0..40 {
        let speed = 0.5 * (low + high);
        let own = drive.engine.torque(1.0, speed) - drive.engine.damping(1.0, 1.0) * speed;
        if own > capacity * speed * speed {
            low = speed;
        } else {
            high = speed;
        }
    }
    low
}

/// Held by its brakes, the engine reaches the converter's stall speed, and the wheels stand.
#[rstest]
fn an_engine_stalls_its_converter(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let car = car("suv-automatic");
    // In first gear, the turbine is stronger than the brakes.
    let scene = Scene {
        gear: Gear(3),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, rate);
    let both = CarCommand {
        brake: 1.0,
        throttle: 1.0,
        ..FREE
    };
    stage.run(4.0, &both).unwrap();
    let speed = stage.vehicle.state().drive.engine_speed;
    let expected = stall_speed(&engine_drive(&car));
    assert!(
        (speed / expected - 1.0).abs() < 1e-3,
        "{speed}, not {expected}"
    );
    assert!(stage.spins().iter().all(|spin| spin.abs() < 1e-3));
}

/// In gear without pedals, the car creeps; its brake stops it, and in neutral it stands.
#[test]
fn it_creeps() {
    let car = car("suv-automatic");
    let mut stage = stage_at(&car, &Scene::IN_FIRST, RATE);
    stage.run(10.0, &FREE).unwrap();
    let creep = stage.velocity().length();
    assert!((1.0..4.0).contains(&creep), "{creep}");
    stage.run(3.0, &BRAKED).unwrap();
    assert!(stage.velocity().length() < 1e-3);
    let mut stage = stage_at(&car, &Scene::LEVEL, RATE);
    stage.run(5.0, &FREE).unwrap();
    assert!(stage.velocity().length() < 1e-3);
}

/// From rest with full throttle: the time to 100 km/h is alike at every rate, gears change under torque (a clutch that opens
/// would leave the car without), and no faster than the autobox allows.
#[test]
fn gears_change_under_torque_at_every_rate() {
    let car = car("suv-automatic");
    let times = [30.0, 60.0, 240.0].map(|rate| {
        let mut stage = stage_at(&car, &Scene::IN_FIRST, rate);
        let (mut time, mut before, mut changes) = (0.0, 0.0, 0);
        let mut least = f32::INFINITY;
        while stage.velocity().length() < 100.0 / 3.6 && time < 20.0 {
            let gear = stage.vehicle.state().drive.gear;
            stage.step(&FLAT_OUT).unwrap();
            let speed = stage.velocity().length();
            least = if time > 1.0 {
                least.min((speed - before) * rate)
            } else {
                least
            };
            changes += u32::from(stage.vehicle.state().drive.gear > gear && gear == Gear::NEUTRAL);
            (time, before) = (time + 1.0 / rate, speed);
        }
        assert!((2..=4).contains(&changes), "{changes} changes");
        assert!(least > 1.0, "{least} m/s² at {rate} Hz");
        time
    });
    let spread = times.iter().map(|time| (time / times[2] - 1.0).abs());
    assert!(spread.fold(0.0, f32::max) < 0.02, "{times:?}");
}

/// Cruising in a high gear, the lock-up clutch turns engine and gearbox at one speed; the converter slips without it.
#[rstest]
#[case::locked(2, true)]
#[case::never(7, false)]
fn a_lock_up_clutch_closes(#[case] from_gear: i8, #[case] locked: bool) {
    let car = car("suv-automatic")
        .with("drivetrain.converter.lock_up.from_gear", from_gear)
        .unwrap();
    let scene = Scene {
        speed: 25.0,
        gear: Gear(4),
        ..Scene::LEVEL
    };
    let mut stage = stage_at(&car, &scene, RATE);
    let cruise = CarCommand {
        throttle: 0.3,
        automatic: false,
        ..FREE
    };
    stage.run(3.0, &cruise).unwrap();
    let drive = engine_drive(&car);
    let state = stage.vehicle.state();
    let mean: f32 = stage.spins().iter().sum::<f32>() / 4.0;
    let slip = state.drive.engine_speed / (drive.gearbox.ratio(Gear(4)) * mean) - 1.0;
    assert!(
        if locked {
            slip.abs() < 0.01
        } else {
            slip > 0.02
        },
        "{slip}"
    );
}

#[test]
fn wheels_on_joints_refuse_shafts() {
    let attached = |name: &str| {
        let model = car(name).model().clone();
        Attachments::of(&model, 1.0).err()
    };
    let refused = attached("suv-automatic");
    assert!(matches!(refused, Some(JointedError::Shafts)), "{refused:?}");
    assert!(attached("suv").is_none());
}

/// Work of the engine becomes that of car, wheels and engine, but for the losses of fluid, gearbox, tires and bearings.
#[test]
fn no_energy_is_gained() {
    // Its turbocharger does not limit it.
    let unboosted = vec![vec![0.0, 1.0]];
    let lossless = car("suv-automatic")
        .with_all([
            ("drivetrain.converter.efficiency", 1.0.into()),
            ("drivetrain.engine.turbo.unboosted", unboosted.into()),
        ])
        .unwrap();
    let mut stage = stage_at(&lossless, &Scene::IN_FIRST, RATE);
    let drive = engine_drive(&lossless);
    let mut work = 0.0;
    for _ in 0..300 {
        let before = stage.vehicle.state().drive.engine_speed;
        stage.step(&FLAT_OUT).unwrap();
        let speed = stage.vehicle.state().drive.engine_speed;
        let mean = 0.5 * (before + speed);
        work += drive.engine.torque(1.0, mean) * mean / 60.0;
    }
    let speed = stage.velocity().length();
    let gained = 0.5 * lossless.mass() * speed * speed;
    assert!(gained < work && gained > 0.7 * work, "{gained} of {work}");
}
