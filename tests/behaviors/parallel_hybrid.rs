//! A parallel hybrid on the road: electric start, the engine by its separating clutch, boost and energy, at every rate.

use jounce::core::{CarCommand, Gear, GearCommand};
use proving_ground::stage::{FLAT_OUT, FREE, Scene, on_free_tires};
use rstest::rstest;

use super::hybrid::Hybrid;
use super::{RATE, car};

const NAME: &str = "hybrid-hatchback";

/// Kinetic energy of car, wheels, engine and rotor (`J`).
fn energy(car: &Hybrid) -> f32 {
    let wheels = &car.stage.vehicle.model().params().wheels;
    let spins = car.stage.spins();
    let twice = wheels.iter().zip(&spins);
    let twice = twice.map(|(wheel, spin)| wheel.inertia * spin * spin);
    let params = car.drive.params();
    let engine = params.engine.as_ref().unwrap().inertia;
    // The engine is coupled to the rotor.
    let turning = (engine + params.motors[0].inertia) * car.engine_speed().powi(2);
    let mass = car.stage.body().unwrap().mass;
    let moving = mass * car.stage.velocity().length_squared();
    0.5 * (moving + twice.sum::<f32>() + turning)
}

fn foot(throttle: f32) -> CarCommand {
    CarCommand { throttle, ..FREE }
}

/// A light foot sets off by the motor alone; more of it starts the engine by the clutch, which then turns with the motor; a braked
/// car stops it, and charges its battery.
#[rstest]
fn the_motor_sets_off_and_starts_the_engine(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let mut car = Hybrid::new(NAME, &Scene::IN_FIRST, rate);
    car.stage.run(4.0, &foot(0.12)).unwrap();
    assert!(
        car.speed() > 2.5 && car.engine_speed() < 1.0,
        "{} m/s, {} rad/s",
        car.speed(),
        car.engine_speed()
    );
    let before = car.speed();
    car.stage.run(2.0, &foot(0.5)).unwrap();
    let report = car.report();
    assert!(report.engine.unwrap().running, "{report:?}");
    let (engine, motor) = (car.engine_speed(), report.motors[0].speed);
    assert!((engine / motor - 1.0).abs() < 0.02, "{engine} {motor}");
    assert!(car.speed() > before + 2.0, "{}", car.speed());
    let braked = CarCommand { brake: 0.2, ..FREE };
    car.stage.run(10.0, &braked).unwrap();
    let report = car.report();
    assert!(
        car.engine_speed() < 1e-3 && !report.engine.unwrap().running,
        "{report:?}"
    );
    assert!(report.energy_recovered > 10_000.0, "{report:?}");
}

/// The speed never falls while the clutch cranks the engine: the motor bears its friction.
#[test]
fn cranking_does_not_brake_the_car() {
    let scene = Scene {
        speed: 8.0,
        gear: Gear(2),
        ..Scene::IN_FIRST
    };
    let mut car = Hybrid::new(NAME, &scene, RATE);
    let mut last = car.speed();
    for step in 0..120 {
        car.stage.step(&foot(0.4)).unwrap();
        assert!(car.speed() > last - 1e-3, "step {step}");
        last = car.speed();
    }
    assert!(car.engine_speed() > 100.0, "{}", car.engine_speed());
}

/// What engine and battery give is what the car gains, but for losses of motor and tires: on the whole car, in third gear.
#[rstest]
fn energy_is_balanced(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let alone = [
        ("aerodynamics.drag", 0.0.into()),
        ("axles.damping", 0.0.into()),
        ("drivetrain.parallel.efficiency", 1.0.into()),
    ];
    let car = on_free_tires(&car(NAME).with_all(alone).unwrap()).unwrap();
    let scene = Scene {
        speed: 14.0,
        gear: Gear(3),
        ..Scene::IN_FIRST
    };
    let mut car = Hybrid::at(&car, &scene, rate);
    let by_hand = CarCommand {
        automatic: false,
        ..FLAT_OUT
    };
    let (mut begun, mut lost, mut slip) = (None, 0.0, 0.0);
    for step in 0..(7.0 * rate) as u32 {
        // A report is of the last substep's start.
        let (stored, slipped) = (energy(&car), car.slip_power());
        car.stage.step(&by_hand).unwrap();
        let report = car.report();
        let given = report.engine.unwrap().work + report.energy_used - report.energy_recovered;
        // Until then the clutch slips.
        if step as f32 == 2.0 * rate {
            begun = Some(f64::from(given) - f64::from(stored));
            continue;
        }
        if let Some(begun) = begun {
            lost += report.motors[0].losses / rate;
            slip += slipped / rate;
            let rest = f64::from(given) - f64::from(stored) - begun - f64::from(lost + slip);
            assert!(
                rest.abs() < 1e-3 * f64::from(given),
                "{rest} of {given} at step {step}"
            );
        }
    }
    assert!(lost > 5000.0 && slip > 2000.0, "{lost} {slip}");
}

/// An empty battery is charged while the engine drives the car, and a full one is not.
#[rstest]
#[case::empty(0.38, true)]
#[case::full(0.79, false)]
fn the_engine_charges_an_empty_battery(#[case] charge: f32, #[case] charges: bool) {
    let car = car(NAME)
        .with("drivetrain.battery.state_of_charge", charge)
        .unwrap();
    let scene = Scene {
        speed: 20.0,
        gear: Gear(4),
        ..Scene::IN_FIRST
    };
    let mut car = Hybrid::at(&car, &scene, RATE);
    car.stage.run(2.0, &foot(0.3)).unwrap();
    let begun = car.report();
    car.stage.run(5.0, &foot(0.3)).unwrap();
    let end = car.report();
    let gained = end.energy_recovered - begun.energy_recovered;
    let spent = end.energy_used - begun.energy_used;
    assert_eq!(gained - spent > 15_000.0, charges, "{gained} J, {spent} J");
    assert_eq!(spent > 5000.0, !charges, "{gained} J, {spent} J");
}

/// It drives backward by its reverse gear, with a rotor that turns forward.
#[test]
fn it_drives_backward() {
    let mut car = Hybrid::new(NAME, &Scene::IN_FIRST, RATE);
    let back = CarCommand {
        gear: GearCommand::Engage(Gear::REVERSE),
        ..foot(0.15)
    };
    car.stage.run(4.0, &back).unwrap();
    assert!(car.speed() < -1.5, "{}", car.speed());
    assert!(car.report().motors[0].speed > 50.0);
    let braked = CarCommand { brake: 0.5, ..FREE };
    car.stage.run(4.0, &braked).unwrap();
    assert!(car.speed().abs() < 1e-3, "{}", car.speed());
}
