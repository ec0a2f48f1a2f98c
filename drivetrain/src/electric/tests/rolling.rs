//! Closed forms of a vehicle whose wheels roll without slip.

use super::*;
use alloc::boxed::Box;
use rstest::rstest;
use vehicle_core::WheelSensors;
use vehicle_core::glam::Vec3;

/// Mass (`kg`) and radius of the wheels (`m`).
const MASS: f32 = 2000.0;
const RADIUS: f32 = 0.33;

/// A vehicle on rails, whose rotors turn with it.
struct Rolling {
    drive: ElectricDrive,
    state: DriveState,
    memory: Vec<f32>,
    control: Control,
    mass: f32,
    speed: f32,
}

impl Rolling {
    fn new(drive: ElectricDrive, speed: f32) -> Self {
        let mut rolling = Self {
            state: drive.initial_state(),
            memory: vec![0.0; drive.memory(4)],
            control: Control {
                shafts: drive.shafts(4).map(Box::new),
                ..Control::idle(4)
            },
            drive,
            mass: MASS,
            speed,
        };
        rolling.turn_rotors();
        rolling
    }

    /// Speed of each rotor over that of the vehicle (`1/m`).
    fn gearing(&self) -> Vec<f32> {
        let motors = self.drive.params.motors.iter();
        motors.map(|motor| motor.ratio / RADIUS).collect()
    }

    fn turn_rotors(&mut self) {
        let gearing = self.gearing();
        let shafts = self.control.shafts.as_mut().unwrap();
        for (node, gearing) in shafts.nodes.iter_mut().zip(gearing) {
            node.speed = gearing * self.speed;
        }
    }

    /// Mass with the rotors' inertia (`kg`).
    fn inertia(&self) -> f32 {
        let motors = self.drive.params.motors.iter().zip(self.gearing());
        self.mass + motors.map(|(motor, g)| motor.inertia * g * g).sum::<f32>()
    }

    /// Lets the drive see the vehicle.
    fn sense(&mut self, car: CarCommand, h: f32) {
        let command = Command::Car(car);
        self.control.forward_speed = self.speed;
        let (state, control) = (&mut self.state, &mut self.control);
        self.drive.control(&command, state, control).unwrap();
        let wheels = [WheelSensors {
            radius: RADIUS,
            spin: self.speed / RADIUS,
            ..WheelSensors::default()
        }; 4];
        let sensors = Sensors {
            duration: h,
            begins_step: true,
            engine_speed: 0.0,
            mass: self.mass,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            velocity: Vec3::new(self.speed, 0.0, 0.0),
            angular_velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            command: Some(&command),
            wheels: &wheels,
        };
        self.drive.sense(&sensors, &mut self.memory, state, control);
    }

    /// A step of `h` (`s`): the vehicle as the solver would move it.
    fn step(&mut self, car: CarCommand, h: f32) {
        self.sense(car, h);
        let (gearing, inertia) = (self.gearing(), self.inertia());
        let nodes = &self.control.shafts.as_ref().unwrap().nodes;
        let pairs = || nodes.iter().zip(&gearing);
        let force: f32 = pairs().map(|(node, g)| node.torque * g).sum();
        let slope: f32 = pairs().map(|(node, g)| node.slope * g * g).sum();
        let brakes = self.control.wheels[0].brake.sum() / RADIUS;
        let change = h * (force - brakes * self.speed.signum()) / (inertia + h * slope);
        self.speed += change;
        let shafts = self.control.shafts.as_mut().unwrap();
        for (node, g) in shafts.nodes.iter_mut().zip(&gearing) {
            let gains = g * change;
            node.applied = node.torque - node.slope * gains;
            node.work = node.applied * (node.speed + 0.5 * gains) * h;
        }
        self.turn_rotors();
    }

    /// Time until `ends` (`s`), the last step in part.
    fn drive_until(&mut self, car: CarCommand, rate: f32, end: f32) -> f32 {
        let mut time = 0.0;
        while time < 100.0 {
            let before = self.speed;
            self.step(car, 1.0 / rate);
            if (before - end) * (self.speed - end) <= 0.0 {
                return time + (end - before) / (self.speed - before) / rate;
            }
            time += 1.0 / rate;
        }
        panic!("{} m/s", self.speed);
    }

    fn report(&mut self, car: CarCommand) -> ElectricReport {
        self.sense(car, 1e-9);
        self.drive.report(&self.memory)
    }
}

const FULL: CarCommand = CarCommand {
    throttle: 1.0,
    ..IDLE
};

/// Time to 100 km/h (`s`) with constant torque, then constant power, by closed forms.
fn sprint() -> f32 {
    let inertia = MASS + 0.05 * (9.0 / RADIUS) * (9.0 / RADIUS);
    let (base, end) = (500.0 * RADIUS / 9.0, 100.0 / 3.6);
    let constant_torque = inertia * base / (400.0 * 9.0 / RADIUS);
    constant_torque + 0.5 * inertia * (end * end - base * base) / 200_000.0
}

#[rstest]
fn it_sprints_with_constant_torque_and_then_constant_power(
    #[values(30.0, 60.0, 120.0, 240.0)] rate: f32,
) {
    let time = Rolling::new(saloon(), 0.0).drive_until(FULL, rate, 100.0 / 3.6);
    assert!((time / sprint() - 1.0).abs() < 2e-3, "{time} {}", sprint());
}

/// Two motors that share the torque, on one axle each or on one, sprint in half the time.
#[test]
fn two_motors_sprint_in_half_the_time() {
    let two = with(|params| {
        params.motors.push(MOTOR(&[0, 1]));
        params.battery.discharge_power = 1e6;
    });
    let mut rolling = Rolling::new(two, 0.0);
    let share = rolling.inertia() / Rolling::new(saloon(), 0.0).inertia();
    let time = rolling.drive_until(FULL, 120.0, 100.0 / 3.6);
    assert!(
        (time / (0.5 * share * sprint()) - 1.0).abs() < 3e-3,
        "{time}"
    );
}

/// The energy that left the battery is what moves the vehicle, and the losses.
#[rstest]
fn a_sprint_uses_kinetic_energy_and_losses(#[values(30.0, 240.0)] rate: f32) {
    let mut rolling = Rolling::new(saloon(), 0.0);
    let mut losses = 0.0;
    while rolling.speed < 30.0 {
        rolling.step(FULL, 1.0 / rate);
        // Torques and work are of the substep before: the first has none, and the last is added below.
        losses += rolling.drive.report(&rolling.memory).motors[0].losses / rate;
    }
    let report = rolling.report(FULL);
    losses += report.motors[0].losses / rate;
    let kinetic = 0.5 * rolling.inertia() * rolling.speed * rolling.speed;
    let expected = kinetic + losses;
    let used = report.energy_used;
    assert!((used / expected - 1.0).abs() < 1e-3, "{used} {expected}");
    assert!(losses > 0.02 * kinetic, "{losses} {kinetic}");
}

/// 1080 N·m of the pedal by the motor alone: constant torque, so that its losses have a closed form.
#[rstest]
fn a_light_pedal_regenerates_kinetic_energy_less_losses(
    #[values(30.0, 60.0, 120.0, 240.0)] rate: f32,
) {
    let pedal = CarCommand {
        brake: 0.18,
        ..IDLE
    };
    let mut rolling = Rolling::new(saloon(), 25.0);
    let time = rolling.drive_until(pedal, rate, 5.0);
    let (torque, inertia) = (1080.0 / 9.0, rolling.inertia());
    let expected_time = 20.0 * inertia * RADIUS / 1080.0;
    assert!(
        (time / expected_time - 1.0).abs() < 2e-3,
        "{time} {expected_time}"
    );
    let mean_rotor = 15.0 * 9.0 / RADIUS;
    let losses = (0.06 * torque * torque + 1.5 * mean_rotor + 200.0) * expected_time;
    let expected = 0.5 * inertia * (25.0 * 25.0 - 5.0 * 5.0) - losses;
    let recovered = rolling.report(pedal).energy_recovered;
    assert!(
        (recovered / expected - 1.0).abs() < 4e-3,
        "{recovered} {expected}"
    );
}

/// Whether motors or friction brake, a pedal stops in the same distance.
#[test]
fn a_full_battery_brakes_by_friction() {
    let pedal = CarCommand {
        brake: 0.15,
        ..IDLE
    };
    let full = with(|params| params.battery.state_of_charge = 1.0);
    let [by_motor, by_friction] = [saloon(), full].map(|drive| {
        let mut rolling = Rolling::new(drive, 20.0);
        let time = rolling.drive_until(pedal, 120.0, 2.0);
        (time, rolling.report(pedal).energy_recovered)
    });
    assert!((by_motor.0 / by_friction.0 - 1.0).abs() < 2e-3);
    assert!(
        by_motor.1 > 200_000.0 && by_friction.1 < 1000.0,
        "{by_friction:?}"
    );
}

/// 100 kW at the terminals leave less than that for the motor: (P − losses)/Ω.
#[test]
fn a_weak_battery_limits_the_power() {
    let weak = with(|params| params.battery.discharge_power = 100_000.0);
    let mut rolling = Rolling::new(weak, 25.0);
    for _ in 0..3 {
        rolling.step(FULL, 1.0 / 240.0);
    }
    let report = rolling.report(FULL);
    assert!((report.power / 100_000.0 - 1.0).abs() < 1e-3, "{report:?}");
    assert!(report.motors[0].torque < 200.0);
}

/// A small motor that keeps a speed: as hot as its torque lets it become.
#[rstest]
fn a_hot_motor_has_less_torque(#[values(30.0, 240.0)] rate: f32) {
    let heat = MotorHeatParams {
        capacity: 2000.0,
        cooling: 60.0,
        derating: [60.0, 100.0],
    };
    let hot = with(|params| params.motors[0].heat = Some(heat));
    let mut rolling = Rolling::new(hot, 10.0);
    // Such a long climb that the speed stays.
    rolling.mass = 1e9;
    for _ in 0..(400.0 * rate) as u32 {
        rolling.step(FULL, 1.0 / rate);
    }
    // 60·ΔT = 0.06·T² + 1.5·Ω + 200 with T = 400·(100 − ΔT)/40, by bisection.
    let speed = 10.0 * 9.0 / RADIUS;
    let (mut cool, mut warm) = (60.0_f32, 100.0_f32);
    for _ in 0..40 {
        let rise = 0.5 * (cool + warm);
        let torque = 10.0 * (100.0 - rise);
        let heats = 0.06 * torque * torque + 1.5 * speed + 200.0 > 60.0 * rise;
        (cool, warm) = if heats { (rise, warm) } else { (cool, rise) };
    }
    let report = rolling.drive.report(&rolling.memory);
    let rise = report.motors[0].temperature_rise;
    assert!((rise - cool).abs() < 0.05, "{rise} {cool}");
    assert!((report.motors[0].torque - 10.0 * (100.0 - cool)).abs() < 1.0);
}

/// With a released accelerator it slows down to a stop, and stays there on the brakes.
#[rstest]
fn one_pedal_stops_and_holds(#[values(30.0, 240.0)] rate: f32) {
    let one_pedal = with(|params| {
        params.regeneration.lift_off = 0.2;
        params.regeneration.one_pedal = 0.4;
    });
    let mut rolling = Rolling::new(one_pedal, 10.0);
    let time = rolling.drive_until(IDLE, rate, 0.1);
    // 720 N·m at the wheels, 1.06 m/s², and as much by the brakes at the end.
    assert!((8.0..10.0).contains(&time), "{time}");
    let brakes = rolling.control.wheels[0].brake.sum();
    assert!((brakes - 0.4 * 6000.0).abs() < 1.0, "{brakes}");
    assert_eq!(
        rolling.control.shafts.as_ref().unwrap().nodes[0].torque,
        0.0
    );
}

/// It creeps to its speed at any rate.
#[rstest]
fn it_creeps(#[values(30.0, 240.0)] rate: f32) {
    let creeping = with(|params| {
        params.creep = Some(CreepParams {
            torque: 500.0,
            speed: 2.0,
        });
    });
    let mut rolling = Rolling::new(creeping, 0.0);
    // v = 2 m/s·(1 − exp(−t/τ)), τ = m·v·r/T.
    let tau = rolling.inertia() * 2.0 * RADIUS / 500.0;
    for _ in 0..(2.0 * rate) as u32 {
        rolling.step(IDLE, 1.0 / rate);
    }
    let expected = 2.0 * (1.0 - vehicle_core::math::exp(-2.0 / tau));
    assert!(
        (rolling.speed - expected).abs() < 2e-3,
        "{} {expected}",
        rolling.speed
    );
}

/// Bits of the memory stay as they are while it stands on its brake, in any gear.
#[rstest]
fn a_standing_vehicle_remembers_the_same(
    #[values(Gear::FIRST, Gear::NEUTRAL, Gear::REVERSE)] gear: Gear,
) {
    let stand = CarCommand {
        brake: 0.4,
        gear: vehicle_core::GearCommand::Engage(gear),
        ..IDLE
    };
    let creeping = with(|params| {
        params.creep = Some(CreepParams {
            torque: 500.0,
            speed: 2.0,
        });
    });
    let mut rolling = Rolling::new(creeping, 0.0);
    rolling.sense(stand, 0.01);
    let bits = |memory: &[f32]| -> Vec<u32> { memory.iter().map(|x| x.to_bits()).collect() };
    let before = bits(&rolling.memory);
    for noise in [1e-4, -1e-4, 0.0] {
        rolling.speed = noise;
        rolling.turn_rotors();
        rolling.sense(stand, 0.01);
        assert_eq!(bits(&rolling.memory), before);
    }
}
