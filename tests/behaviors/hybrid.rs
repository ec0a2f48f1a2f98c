//! Hybrids on the road at every rate: what all of them do, and a power split against closed forms of its planetary gear.

use jounce::core::{CarCommand, Checked, Gear, GearCommand};
use jounce::drive::{ElectricDrive, ElectricDriveParams, ElectricReport};
use jounce::file::Car;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage, on_free_tires};
use rstest::rstest;

use super::{RATE, car, stage_at, time_to};

const RATES: [f32; 4] = [30.0, 60.0, 120.0, 240.0];
/// The car with a power split.
const SPLIT: &str = "hybrid-saloon";
/// The one with an engine in parallel.
const PARALLEL: &str = "hybrid-hatchback";

/// A hybrid on the road.
pub(super) struct Hybrid {
    pub(super) drive: ElectricDrive,
    pub(super) stage: Stage,
}

impl Hybrid {
    pub(super) fn at(car: &Car, scene: &Scene, rate: f32) -> Self {
        let params = car.spec().drive.params_of("electric").expect("it has one");
        Self {
            drive: ElectricDrive::new(Checked::new(params).unwrap()),
            stage: stage_at(car, scene, rate),
        }
    }

    pub(super) fn new(name: &str, scene: &Scene, rate: f32) -> Self {
        Self::at(&car(name), scene, rate)
    }

    fn params(&self) -> &ElectricDriveParams {
        self.drive.params()
    }

    pub(super) fn report(&self) -> ElectricReport {
        let memory = self.stage.vehicle.state().drivetrain_memory();
        self.drive.report(memory)
    }

    pub(super) fn speed(&self) -> f32 {
        self.stage.velocity().x
    }

    pub(super) fn engine_speed(&self) -> f32 {
        self.stage.vehicle.state().drive.engine_speed
    }

    /// Power that slipping tires take (`W`).
    pub(super) fn slip_power(&self) -> f32 {
        let wheels = self.stage.vehicle.model().params().wheels.clone();
        let reports = self.stage.vehicle.wheel_reports().zip(&wheels);
        let power = reports.map(|(now, wheel)| {
            now.longitudinal_force * (wheel.radius * now.spin - now.forward_speed)
        });
        power.sum()
    }

    /// Mean spin of the front wheels (`rad/s`).
    fn spin(&self) -> f32 {
        let spins = self.stage.spins();
        0.5 * (spins[0] + spins[1])
    }
}

/// From rest with full throttle, the time to 100 km/h is alike at every rate within 0.5 %; so are the energies, which also depend on when
/// gears change, within this.
#[rstest]
#[case::power_split(SPLIT, 1e-2)]
#[case::parallel(PARALLEL, 2e-2)]
fn a_sprint_does_not_depend_on_the_rate(#[case] name: &str, #[case] within: f32) {
    let all = RATES.map(|rate| {
        let mut car = Hybrid::new(name, &Scene::IN_FIRST, rate);
        let time = time_to(&mut car.stage, &FLAT_OUT, 100.0 / 3.6);
        let report = car.report();
        [time, report.energy_used, report.engine.unwrap().work]
    });
    println!("{all:?}");
    for one in all {
        for (value, reference) in one.into_iter().zip(all[3]) {
            assert!((value / reference - 1.0).abs() < within, "{all:?}");
        }
        assert!((one[0] / all[3][0] - 1.0).abs() < 5e-3, "{all:?}");
    }
}

/// Speeds are those of the teeth, and the generator bears its part of the engine's torque.
#[rstest]
fn a_planetary_gear_splits_speed_and_torque(#[values(30.0, 60.0, 240.0)] rate: f32) {
    let mut car = Hybrid::new(
        SPLIT,
        &Scene {
            speed: 20.0,
            ..Scene::IN_FIRST
        },
        rate,
    );
    let cruise = CarCommand {
        throttle: 0.3,
        ..FREE
    };
    car.stage.run(4.0, &cruise).unwrap();
    let report = car.report();
    let split = car.params().power_split.as_ref().unwrap();
    let engine = car.params().engine.as_ref().unwrap();
    let [motor, generator] = report.motors[..] else {
        panic!("{report:?}");
    };
    let (target, speed) = (report.engine.unwrap().target_speed, car.engine_speed());
    assert!((speed / target - 1.0).abs() < 0.02, "{speed}, not {target}");
    // The report is of the substep before the last.
    let sun = split.sun_speed(speed, split.ratio * car.spin());
    assert!(
        (generator.speed - sun).abs() < 0.02 * speed,
        "{generator:?} {sun}"
    );
    assert!((motor.speed / (car.params().motors[0].ratio * car.spin()) - 1.0).abs() < 0.01);
    let most = engine.torque(1.0, speed) - engine.damping(1.0, 1.0) * speed;
    let carried = -(1.0 + split.planetary) * generator.torque;
    assert!(
        (0.5 * most..1.02 * most).contains(&carried),
        "{carried} of {most}"
    );
}

/// What engine and battery give is what the car gains, but for losses of motors and tires: on the whole car.
#[rstest]
fn energy_is_balanced(#[values(60.0, 120.0, 240.0)] rate: f32) {
    let none = [
        ("aerodynamics.drag", 0.0.into()),
        ("axles.damping", 0.0.into()),
    ];
    let car = on_free_tires(&car("hybrid-saloon").with_all(none).unwrap()).unwrap();
    let scene = Scene {
        speed: 3.0,
        ..Scene::IN_FIRST
    };
    let mut car = Hybrid::at(&car, &scene, rate);
    let (mut begun, mut lost, mut slip) = (None, 0.0, 0.0);
    for step in 0..(9.0 * rate) as u32 {
        // A report is of the last substep's start.
        let motion = Motion::of(&car);
        let slipped = car.slip_power();
        car.stage.step(&FLAT_OUT).unwrap();
        let report = car.report();
        let stored = motion.energy(car.params(), &report);
        let given = report.engine.unwrap().work + report.energy_used - report.energy_recovered;
        if step as f32 == rate {
            begun = Some(f64::from(given) - f64::from(stored));
            continue;
        }
        if let Some(begun) = begun {
            lost += report.motors.iter().map(|motor| motor.losses).sum::<f32>() / rate;
            slip += slipped / rate;
            let rest = f64::from(given) - f64::from(stored) - begun - f64::from(lost + slip);
            assert!(
                rest.abs() < 1e-3 * f64::from(given),
                "{rest} of {given} at step {step}"
            );
        }
    }
    assert!(lost > 5000.0 && slip > 5000.0, "{lost} {slip}");
}

/// Speeds of a car's parts.
struct Motion {
    mass: f32,
    speed: f32,
    /// Twice the energy of the wheels (`J`).
    wheels: f32,
    engine: f32,
}

impl Motion {
    fn of(car: &Hybrid) -> Self {
        let wheels = car.stage.vehicle.model().params().wheels.clone();
        let spins = car.stage.spins();
        let twice = wheels
            .iter()
            .zip(&spins)
            .map(|(wheel, spin)| wheel.inertia * spin * spin);
        Self {
            mass: car.stage.body().unwrap().mass,
            speed: car.stage.velocity().length(),
            wheels: twice.sum(),
            engine: car.engine_speed(),
        }
    }

    /// Kinetic energy with that of the rotors in a report (`J`).
    fn energy(&self, params: &ElectricDriveParams, report: &ElectricReport) -> f32 {
        let rotors = params.motors.iter().zip(&report.motors);
        let rotors = rotors.map(|(motor, now)| motor.inertia * now.speed * now.speed);
        let engine = params.engine.as_ref().unwrap().inertia * self.engine * self.engine;
        0.5 * (self.mass * self.speed * self.speed + self.wheels + rotors.sum::<f32>() + engine)
    }
}

/// A light accelerator drives by the battery alone; more of it starts the engine, and a standing car stops it.
#[test]
fn a_light_foot_drives_without_the_engine() {
    let mut car = Hybrid::new(SPLIT, &Scene::IN_FIRST, RATE);
    let foot = |throttle| CarCommand { throttle, ..FREE };
    car.stage.run(6.0, &foot(0.2)).unwrap();
    assert!(
        car.speed() > 3.0 && car.engine_speed() < 1.0,
        "{}",
        car.engine_speed()
    );
    car.stage.run(3.0, &foot(0.5)).unwrap();
    assert!(car.engine_speed() > 150.0, "{}", car.engine_speed());
    let braked = CarCommand { brake: 0.2, ..FREE };
    car.stage.run(10.0, &braked).unwrap();
    let report = car.report();
    assert!(
        car.engine_speed() < 1e-3 && !report.engine.unwrap().running,
        "{report:?}"
    );
    assert!(report.energy_recovered > 10_000.0, "{report:?}");
}

/// An empty battery is charged while the car stands, held by its brakes.
#[test]
fn a_standing_car_charges_its_battery() {
    let low = car("hybrid-saloon")
        .with("drivetrain.battery.state_of_charge", 0.44)
        .unwrap();
    let mut car = Hybrid::at(&low, &Scene::IN_FIRST, RATE);
    let braked = CarCommand { brake: 1.0, ..FREE };
    car.stage.run(3.0, &braked).unwrap();
    let (begun, place) = (car.report(), car.stage.position().unwrap());
    car.stage.run(10.0, &braked).unwrap();
    let charged = car.report().energy_recovered - begun.energy_recovered;
    assert!((60_000.0..80_000.0).contains(&charged), "{charged}");
    assert!(car.stage.position().unwrap().distance(place) < 1e-3);
}

/// On a slope of 20 %, brake or handbrake hold the car.
#[rstest]
#[case::brake(CarCommand { brake: 1.0, ..FREE })]
#[case::handbrake_in_neutral(CarCommand { handbrake: 1.0, gear: GearCommand::Engage(Gear::NEUTRAL), ..FREE })]
fn it_parks_on_a_slope(#[values(SPLIT, PARALLEL)] name: &str, #[case] command: CarCommand) {
    let scene = Scene {
        gear: Gear::FIRST,
        ..Scene::nose_down(11.3)
    };
    let mut car = Hybrid::new(name, &scene, RATE);
    car.stage.run(4.0, &command).unwrap();
    let before = car.stage.position().unwrap();
    car.stage.run(6.0, &command).unwrap();
    let drift = car.stage.position().unwrap().distance(before);
    assert!(drift < 1e-4, "{drift} m");
}
