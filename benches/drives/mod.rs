//! Recorded drives, and vehicles that play them back: each update gets the recorded chassis and uses the ground planes
//! that the vehicle knows, so that what is measured includes neither queries nor an engine.

use core::hint::black_box;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::{
    BodyState, CarCommand, Command, Gear, RigidBodies, Surfaces, Vehicle, VehicleModel,
    VehicleState, phases,
};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

pub(crate) const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
pub(crate) const DT: f32 = 1.0 / 60.0;
/// Different drives; further vehicles repeat them at another phase.
pub(crate) const DRIVES: usize = 20;
/// Steps of each recording, after its warm-up.
pub(crate) const STEPS: usize = 120;
const WARM_UP: usize = 300;

/// One recorded step.
pub(crate) struct Frame {
    body: BodyState,
    command: Command,
    before: VehicleState,
}

/// The benchmarks' sedan or a preset vehicle, with additional keys in its file.
pub(crate) fn ready(name: &str, keys: &str) -> Car {
    let found = presets::FILES.iter().find(|(known, _)| *known == name);
    let (_, shipped) = found.expect("a preset vehicle");
    let text = if name == "sedan" {
        presets::BENCHMARK_SEDAN
    } else {
        shipped
    };
    let mut file: toml::Table = text.parse().expect("it is TOML");
    let keys: toml::Table = keys.parse().expect("these are TOML");
    file.extend(keys);
    Car::parse(&file.to_string(), name).expect("it is valid")
}

/// The explicit solver with this many substeps.
pub(crate) fn explicit(substeps: u32) -> String {
    format!(
        "solver = \"explicit\"\n\
         substeps = {{ threshold_speed = 5.0, slow = {substeps}, fast = {substeps} }}"
    )
}

/// Command of drive `n` at step `step`: full throttle, braking, slalom, coasting, each with its own
/// period.
fn command(n: usize, step: usize) -> Command {
    let time = step as f32 * DT + n as f32 * 0.37;
    let phase = (time * (0.2 + 0.01 * n as f32)).fract();
    let (throttle, brake) = match (phase * 4.0) as u32 {
        0 => (1.0, 0.0),
        1 => (0.5, 0.0),
        2 => (0.0, 0.3),
        _ => (0.0, 0.0),
    };
    let wave = 4.0 * (phase - 0.5).abs() - 1.0;
    Command::Car(CarCommand {
        throttle,
        brake,
        steer: 0.3 * wave * (n % 3) as f32 / 2.0,
        ..CarCommand::default()
    })
}

/// Drives on the standalone plane and keeps the last [`STEPS`] steps.
pub(crate) fn record(car: &Car, n: usize) -> Vec<Frame> {
    record_commands(car, n, command)
}

/// Drives on the standalone plane by `command`, a function of drive and step, and keeps the last [`STEPS`] steps.
pub(crate) fn record_commands(
    car: &Car,
    n: usize,
    command: impl Fn(usize, usize) -> Command,
) -> Vec<Frame> {
    let model = car.model();
    let chassis = model.params().chassis;
    let mut world = Standalone::new(Plane::new(DVec3::ZERO, DVec3::Z).expect("a valid plane"));
    let desc = BodyDesc {
        // Half of the drives begin at speed.
        linear_velocity: Vec3::X * if n.is_multiple_of(2) { 18.0 } else { 0.0 },
        ..BodyDesc::at_rest(
            DVec3::Z * car.ride_height(),
            chassis.mass,
            chassis.inertia_tensor(),
        )
    };
    let body = world.add(&desc).expect("a valid body");
    let mut vehicle = Vehicle::new(model, body);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let surfaces = Surfaces::new();
    let mut frames = Vec::with_capacity(STEPS);
    for step in 0..WARM_UP + STEPS {
        phases::probe(&mut vehicle, &world, &surfaces).expect("the body is there");
        let command = command(n, step);
        let state = world.body(body).expect("the body is there").state();
        if step >= WARM_UP {
            frames.push(Frame {
                body: state,
                command,
                before: vehicle.state().clone(),
            });
        }
        let outcome = phases::update(&mut vehicle, &state, &command, GRAVITY, DT);
        let outcome = outcome.expect("a sane drive");
        world.apply(&[body], &[outcome]).expect("the body is there");
        world.step(GRAVITY, DT);
    }
    frames
}

/// A vehicle and its position in its recording.
pub(crate) struct Player {
    pub(crate) vehicle: Vehicle,
    drive: usize,
    next: usize,
}

impl Player {
    pub(crate) fn new(model: &Arc<VehicleModel>, drives: &[Vec<Frame>], n: usize) -> Self {
        let (drive, next) = (n % DRIVES, (n / DRIVES * 7) % STEPS);
        let mut vehicle = Vehicle::new(Arc::clone(model), jounce::core::BodyId(0));
        vehicle.state_mut().clone_from(&drives[drive][next].before);
        Self {
            vehicle,
            drive,
            next,
        }
    }

    /// One update.
    pub(crate) fn step(&mut self, drives: &[Vec<Frame>]) {
        let frame = &drives[self.drive][self.next];
        if self.next == 0 {
            self.vehicle.state_mut().clone_from(&frame.before);
        }
        let (body, command) = (&frame.body, &frame.command);
        let outcome = phases::update(&mut self.vehicle, body, command, GRAVITY, DT);
        black_box(outcome.is_ok());
        self.next = (self.next + 1) % STEPS;
    }
}

/// Reports and poses of all wheels, as read by a game with every display on.
pub(crate) fn look(vehicle: &Vehicle) {
    for report in vehicle.wheel_reports() {
        black_box(&report);
    }
    for pose in vehicle.wheel_poses() {
        black_box(&pose);
    }
}
