use crate::core::{
    Axis, BodyId, CarCommand, Command, Environment, Gear, GearCommand, SteeringInput, Surfaces,
    Vehicle, step,
};
use crate::file::Car;
use crate::scene::{BodyDesc, Plane, Standalone};
use glam::{DVec3, Vec3};
use rstest::rstest;
use vehicle_core::Air;

const SEDAN: &str = include_str!("../../../vehicles/sedan.toml");

const SYSTEM: &str = "
[drivetrain.steering.system]
ratio_at_deg = [[0.0, 16.0], [360.0, 14.0]]
wheel_inertia = 0.035
rack_inertia = 0.015
column_stiffness = 120.0
rack_stiffness = 60.0
damping = 0.25
friction = 0.3
assist = [{ torque = 2.0, by_speed = [[0.0, 4.0], [30.0, 0.0]] }, { torque = 8.0, by_speed = [[0.0, 40.0], [30.0, 8.0]] }]
tread = { stiffness = 2500.0, pressure = 220000.0 }
";

/// The sedan with a steering wheel, and this axis.
fn text(axis: &str) -> String {
    let steering = "steering = { max_deg = 36.0, ackermann = 0.8";
    assert!(SEDAN.contains(steering));
    SEDAN.replace(steering, &format!("{steering}, axis = {{ {axis} }}")) + SYSTEM
}

const AXIS: &str = "caster_deg = 5.0, inclination_deg = 12.0, trail = 0.025, scrub_radius = 0.01";

/// The sedan with every key of a steering wheel.
pub(in crate::file) fn with_system() -> String {
    text(AXIS)
}

struct Drive {
    world: Standalone,
    vehicle: Vehicle,
    body: BodyId,
    dt: f32,
}

impl Drive {
    /// A car on a plane at a speed (`m/s`), in steps of this rate (`Hz`).
    fn new(axis: &str, speed: f32, rate: f32) -> Self {
        Self::of(&text(axis), speed, rate)
    }

    /// The car of this file on a plane at a speed (`m/s`), in steps of this rate (`Hz`).
    fn of(file: &str, speed: f32, rate: f32) -> Self {
        let car = Car::parse(file, "sedan.toml").unwrap();
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).unwrap());
        let place = car.center_of_mass().as_dvec3();
        let desc = BodyDesc {
            linear_velocity: Vec3::X * speed,
            ..BodyDesc::at_rest(place, car.mass(), car.inertia())
        };
        let body = world.add(&desc).unwrap();
        let mut vehicle = Vehicle::new(car.model(), body);
        let radius = vehicle.model().params().wheels[0].radius;
        (0..4).for_each(|wheel| vehicle.state_mut().set_spin(wheel, speed / radius));
        Self {
            world,
            vehicle,
            body,
            dt: 1.0 / rate,
        }
    }

    fn step(&mut self, hands: SteeringInput, brake: f32) {
        let command = Command::Car(CarCommand {
            steering_wheel: Some(hands),
            brake,
            clutch: 1.0,
            gear: GearCommand::Engage(Gear::NEUTRAL),
            automatic: false,
            ..CarCommand::default()
        });
        let gravity = Vec3::NEG_Z * 9.81;
        let environment = Environment {
            gravity,
            surfaces: &Surfaces::new(),
            air: Air::STILL,
        };
        step(
            &mut self.vehicle,
            &mut self.world,
            &command,
            &environment,
            self.dt,
        )
        .unwrap();
        self.world.step(gravity, self.dt);
    }

    fn pinion(&self) -> f32 {
        self.vehicle.state().steering_wheel().unwrap().pinion
    }

    fn place(&self) -> DVec3 {
        self.world.body(self.body).unwrap().now().position
    }
}

/// Hands off in a bend, the wheel returns: as fast, and as far beyond the middle, at every rate, but for what the rack gives,
/// which follows the road's torque a substep late.
#[rstest]
#[case::stiff_rack("rack_stiffness = 60000.0", 0.01)]
#[case::soft_rack("rack_stiffness = 60.0", 0.1)]
fn hands_off_the_wheel_returns_alike_at_every_rate(#[case] rack: &str, #[case] parts: f32) {
    let file = text(AXIS).replace("rack_stiffness = 60.0", rack);
    assert!(file.contains(rack));
    let returned = [30.0, 60.0, 120.0, 240.0].map(|rate| {
        let mut drive = Drive::of(&file, 20.0, rate);
        for _ in 0..(2.0 * rate) as u32 {
            drive.step(SteeringInput::Angle(-0.5), 0.0);
        }
        let begun = drive.pinion();
        assert!(begun > 0.3, "{begun}");
        assert!(drive.vehicle.wheel_report(0).steering_moment < 0.0);
        assert!(drive.vehicle.state().steering_wheel().unwrap().torque > 0.5);
        let (mut half, mut beyond) = (None, 0.0_f32);
        for n in 1..(3.0 * rate) as u32 {
            drive.step(SteeringInput::Torque(0.0), 0.0);
            if drive.pinion() < 0.5 * begun {
                half.get_or_insert(n as f32 / rate);
            }
            beyond = beyond.max(-drive.pinion() / begun);
        }
        assert!(
            drive.pinion().abs() < 0.1 * begun,
            "{rate}: {}",
            drive.pinion()
        );
        (half.unwrap(), beyond)
    });
    println!("{returned:?}");
    let spread = |of: fn(&(f32, f32)) -> f32| {
        let all = returned.iter().map(of);
        all.clone().fold(f32::MIN, f32::max) - all.fold(f32::MAX, f32::min)
    };
    // A step of the slowest rate; parts of the way.
    assert!(spread(|r| r.0) <= 1.0 / 30.0, "{returned:?}");
    assert!(spread(|r| r.1) <= parts, "{returned:?}");
}

/// Turned on the spot, the treads of both front tires slip by Gough's formula, the car stands, and let go, the wheel
/// springs back until friction holds it.
#[rstest]
#[case(30.0)]
#[case(60.0)]
#[case(240.0)]
fn turned_on_the_spot_the_treads_slip(#[case] rate: f32) {
    let mut drive = Drive::new("", 0.0, rate);
    for _ in 0..rate as u32 {
        drive.step(SteeringInput::Angle(0.0), 1.0);
    }
    let place = drive.place();
    let (mut angle, mut before) = (0.0, [0.0; 3]);
    let seen = |drive: &Drive| {
        let steer = [0, 1].map(|wheel| drive.vehicle.wheel_report(wheel).steer);
        let wheel = drive.vehicle.state().steering_wheel().unwrap();
        [steer[0], steer[1], wheel.pinion + wheel.compliance]
    };
    while angle < 3.0 {
        angle += 1.5 * drive.dt;
        before = seen(&drive);
        drive.step(SteeringInput::Angle(-angle), 1.0);
    }
    let after = seen(&drive);
    let bound: f32 = [0, 1]
        .map(|n: usize| {
            let wheel = drive.vehicle.wheel_report(n);
            let slope = (after[n] - before[n]) / (after[2] - before[2]);
            wheel.friction / 3.0 * (wheel.load.powi(3) / 220e3).sqrt() * slope
        })
        .iter()
        .sum();
    let road = -drive.vehicle.state().steering_wheel().unwrap().road;
    println!("{rate}: {road} of {bound} N·m, {after:?}");
    assert!(
        (0.95 * bound..1.01 * bound).contains(&road),
        "{road} {bound}"
    );
    assert!((drive.place() - place).length() < 5e-4);
    let held = drive.pinion();
    for _ in 0..(3.0 * rate) as u32 {
        drive.step(SteeringInput::Torque(0.0), 1.0);
    }
    let wheel = drive.vehicle.state().steering_wheel().unwrap();
    assert!(wheel.pinion < held && wheel.speed.abs() < 0.01, "{wheel:?}");
    assert!((drive.place() - place).length() < 5e-4);
}

/// A restored state goes on with the same bits.
#[test]
fn a_restored_steering_wheel_gives_the_same_bits() {
    let mut drive = Drive::new(AXIS, 15.0, 60.0);
    for _ in 0..30 {
        drive.step(SteeringInput::Angle(0.7), 0.0);
    }
    let (saved, world) = (drive.vehicle.state().clone(), drive.world.clone());
    let mut ends = [(); 2].map(|()| {
        drive.world = world.clone();
        drive.vehicle.restore(saved.clone()).unwrap();
        for _ in 0..60 {
            drive.step(SteeringInput::Torque(0.0), 0.2);
        }
        drive.vehicle.state().clone()
    });
    let [first, second] = &mut ends;
    assert_eq!(first, second);
    assert_ne!(first.steering_wheel(), saved.steering_wheel());
}

/// A share of the command holds the steering wheel where the road wheels have that share of their angle.
#[test]
fn a_command_without_hands_turns_the_wheels_as_before() {
    let car = Car::parse(&text(AXIS), "sedan.toml").unwrap();
    let plain = Car::parse(SEDAN, "sedan.toml").unwrap();
    let turned = [car, plain].map(|car| {
        let mut vehicle = Vehicle::new(car.model(), BodyId(0));
        let mut control = vehicle.control().clone();
        let command = Command::Car(CarCommand {
            steer: 0.4,
            ..CarCommand::default()
        });
        let drive = &mut vehicle.state_mut().drive;
        car.model()
            .drivetrain()
            .control(&command, drive, &mut control)
            .unwrap();
        control.wheels[0].steer.to_array()
    });
    assert_eq!(turned[0], turned[1]);
}

#[rstest]
#[case(
    "ratio_at_deg = [[0.0, 16.0], [360.0, 14.0]]",
    "ratio_at_deg = [[10.0, 16.0]]",
    "drivetrain.steering.system.ratio_at_deg[0].angle = 10 °: the first must be 0"
)]
#[case(
    "14.0]]",
    "-14.0]]",
    "drivetrain.steering.system.ratio_at_deg[1].ratio = -14: must be"
)]
#[case(
    "rack_stiffness = 60.0",
    "rack_stiffness = 0.0",
    "drivetrain.steering.system.rack_stiffness = 0"
)]
#[case(
    "caster_deg = 5.0",
    "caster_deg = 75.0",
    "axles[0].steering.axis.caster_deg = 75 °"
)]
#[case(
    "[drivetrain.steering.system]",
    "[drivetrain.steering.systen]",
    "systen"
)]
#[case("solver = \"rows\"", "solver = \"explicit\"", "needs the rows solver")]
fn faults_are_named(#[case] right: &str, #[case] wrong: &str, #[case] expected: &str) {
    let text = text(AXIS);
    assert!(text.contains(right), "{right}");
    let error = Car::parse(&text.replace(right, wrong), "sedan.toml")
        .unwrap_err()
        .to_string();
    assert!(error.contains(expected), "{error}");
}
