//! When the engine of a power split runs, how fast, and what motor and generator add.

use super::*;
use alloc::boxed::Box;
use approx::assert_relative_eq;
use rstest::rstest;
use vehicle_core::WheelSensors;
use vehicle_core::glam::Vec3;

/// Radius of the wheels (`m`), and torque of the sun over the engine's.
const RADIUS: f32 = 0.3;
const SUN: f32 = 1.0 / 3.6;

/// A hybrid that keeps its speed.
struct Driven {
    drive: ElectricDrive,
    state: DriveState,
    memory: Vec<f32>,
    control: Control,
    /// Spin of the wheels (`rad/s`).
    spin: f32,
}

impl Driven {
    fn new(drive: ElectricDrive, speed: f32) -> Self {
        Self {
            state: drive.initial_state(),
            memory: vec![0.0; drive.memory(4)],
            control: Control {
                shafts: drive.shafts(4).map(Box::new),
                ..Control::idle(4)
            },
            drive,
            spin: speed / RADIUS,
        }
    }

    /// Lets the drive see a substep, at whose end engine and generator have the speeds that it wants.
    fn step(&mut self, throttle: f32, h: f32) {
        let command = Command::Car(CarCommand { throttle, ..IDLE });
        let (state, control) = (&mut self.state, &mut self.control);
        self.drive.control(&command, state, control).unwrap();
        let wheels = [WheelSensors {
            radius: RADIUS,
            spin: self.spin,
            ..WheelSensors::default()
        }; 4];
        let sensors = Sensors {
            duration: h,
            begins_step: true,
            engine_speed: 0.0,
            mass: 1500.0,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            velocity: Vec3::new(self.spin * RADIUS, 0.0, 0.0),
            angular_velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            command: Some(&command),
            wheels: &wheels,
        };
        self.drive.sense(&sensors, &mut self.memory, state, control);
        let target = self.report().engine.unwrap().target_speed;
        let split = self.drive.params().power_split.as_ref().unwrap();
        let sun = split.sun_speed(target, split.ratio * self.spin);
        let shafts = self.control.shafts.as_mut().unwrap();
        (shafts.nodes[0].speed, shafts.nodes[2].speed) = (target, sun);
        shafts.nodes[1].speed = 9.0 * self.spin;
        // Steady, but for the first seconds.
        shafts.rows[1].torque = SUN * shafts.nodes[0].torque;
        for node in &mut shafts.nodes {
            (node.applied, node.work) = (node.torque, node.torque * node.speed * h);
        }
    }

    fn run(&mut self, throttle: f32, time: f32) -> ElectricReport {
        for _ in 0..(time * 60.0) as u32 {
            self.step(throttle, 1.0 / 60.0);
        }
        self.report()
    }

    fn report(&self) -> ElectricReport {
        self.drive.report(&self.memory)
    }

    fn torques(&self) -> [f32; 3] {
        let nodes = &self.control.shafts.as_ref().unwrap().nodes;
        [nodes[0].torque, nodes[1].torque, nodes[2].torque]
    }
}

/// Torque that the accelerator asks at the wheels at full throttle, where the motor has its constant torque: its own and the
/// engine's 120 N·m on the ring.
const FULL: f32 = 400.0 * 9.0 + 120.0 * 3.0 * 2.6 * SUN;

/// Below 10 kW the car drives by its battery; above, the engine runs at the speed of the line, until there are less than 6 kW.
#[rstest]
#[case::less(9000.0, false)]
#[case::more(11_000.0, true)]
fn the_engine_starts_by_the_request(#[case] power: f32, #[case] runs: bool) {
    let mut car = Driven::new(hybrid(), 10.0);
    let throttle = power / (FULL * car.spin);
    let report = car.run(throttle, 4.0);
    let engine = report.engine.unwrap();
    assert_eq!(engine.running, runs);
    let torque = throttle * FULL;
    if runs {
        let expected = 100.0 + 400.0 * 1000.0 / 50_000.0;
        // The charge that starting takes comes back.
        assert!(
            (engine.target_speed / expected - 1.0).abs() < 0.03,
            "{engine:?}"
        );
        let [engine, motor, generator] = car.torques();
        assert_relative_eq!(generator, -SUN * engine, max_relative = 1e-3);
        let direct = 2.6 * 3.0 * SUN * engine;
        assert_relative_eq!(9.0 * motor + direct, torque, max_relative = 1e-3);
        assert!(car.run(0.7 * throttle, 1.0).engine.unwrap().running);
        assert!(!car.run(0.5 * throttle, 1.0).engine.unwrap().running);
    } else {
        assert_eq!(car.torques()[0], 0.0);
        assert_relative_eq!(9.0 * car.torques()[1], torque, max_relative = 1e-4);
    }
}

/// An empty battery, a fast car: the engine runs without a request.
#[rstest]
#[case::charged(0.55, 10.0, false)]
#[case::empty(0.35, 10.0, true)]
#[case::fast(0.55, 25.0, true)]
#[case::empty_and_standing(0.35, 0.0, true)]
fn the_engine_starts_by_charge_and_speed(
    #[case] charge: f32,
    #[case] speed: f32,
    #[case] runs: bool,
) {
    let drive = hybrid_with(|params| params.battery.state_of_charge = charge).unwrap();
    let mut car = Driven::new(drive, speed);
    let report = car.run(0.0, 5.0);
    assert_eq!(report.engine.unwrap().running, runs);
    if charge < 0.4 {
        // 8 kW from the engine, less what the generator loses.
        let lost: f32 = report.motors.iter().map(|motor| motor.losses).sum();
        assert_relative_eq!(report.power, lost - 8000.0, max_relative = 0.02);
    }
}

/// What the generator and the battery give is what the motor takes, and no more than the battery has.
#[rstest]
fn full_throttle_takes_the_engines_and_the_batterys_power(#[values(30.0, 40.0)] speed: f32) {
    let mut car = Driven::new(hybrid(), speed);
    let report = car.run(1.0, 6.0);
    assert_relative_eq!(report.power, 27_000.0, max_relative = 5e-3);
    let [engine, ..] = car.torques();
    let engine_speed = report.engine.unwrap().target_speed;
    assert_relative_eq!(engine * engine_speed, 60_000.0, max_relative = 0.01);
    let lost: f32 = report.motors.iter().map(|motor| motor.losses).sum();
    let [engine, motor, _] = car.torques();
    let wheels = (9.0 * motor + 2.6 * 3.0 * SUN * engine) * car.spin;
    assert_relative_eq!(wheels, 87_000.0 - lost, max_relative = 0.01);
}

/// The engine comes to its speed as fast as it may, and the memory keeps what it did.
#[rstest]
fn the_engine_speeds_up_at_its_rate(#[values(30.0, 240.0)] rate: f32) {
    let mut car = Driven::new(hybrid(), 20.0);
    for _ in 0..rate as u32 {
        car.step(1.0, 1.0 / rate);
    }
    let engine = car.report().engine.unwrap();
    assert_relative_eq!(engine.target_speed, 250.0, max_relative = 1e-4);
    assert!(engine.work > 0.0);
}

/// The generator's maximum speed bounds the engine's: low while the car stands, not standing while it is fast.
#[test]
fn the_generator_bounds_the_engines_speed() {
    let slow = |params: &mut ElectricDriveParams| {
        params.motors[1].max_speed = 800.0;
        params.power_split.as_mut().unwrap().electric_speed = None;
    };
    let mut standing = Driven::new(hybrid_with(slow).unwrap(), 0.0);
    let engine = standing.run(1.0, 6.0).engine.unwrap();
    assert!(engine.target_speed <= 0.95 * 800.0 / 3.6, "{engine:?}");
    let mut fast = Driven::new(hybrid_with(slow).unwrap(), 45.0);
    let engine = fast.run(0.0, 6.0).engine.unwrap();
    let least = (2.6 * 3.0 * fast.spin - 0.95 * 800.0) / 3.6;
    assert!(engine.running && engine.target_speed >= least, "{engine:?}");
}

/// In neutral the engine turns no wheel, and the motor gives nothing.
#[test]
fn neutral_drives_nothing() {
    let mut car = Driven::new(hybrid(), 0.0);
    car.state.force_gear(Gear::NEUTRAL);
    car.run(1.0, 2.0);
    assert_eq!(car.torques(), [0.0; 3]);
}
