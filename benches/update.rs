//! Time of `Vehicle::update`: 1 to 1000 sedans (and, as `magic-formula`, SUVs) in mixed driving on
//! a plane.
//!
//! Drives are recorded first. The timed loop plays them back: each update gets the recorded chassis
//! and uses the ground planes that the vehicle knows, so that the time includes neither queries nor
//! an engine. At the end of a recording the vehicle is reset to its start. Medians: `cargo xtask
//! bench`.

use core::hint::black_box;
use core::time::Duration;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Vec3};
use jounce::core::fleet::probe;
use jounce::core::{
    BodyState, CarCommand, Command, Gear, RigidBodies, Surfaces, Vehicle, VehicleKind, VehicleState,
};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;
/// Vehicles per update.
const COUNTS: [usize; 3] = [1, 100, 1000];
/// Different drives; further vehicles repeat them at another phase.
const DRIVES: usize = 20;
/// Steps of each recording, after its warm-up.
const STEPS: usize = 120;
const WARM_UP: usize = 300;

/// One recorded step.
struct Frame {
    body: BodyState,
    command: Command,
    before: VehicleState,
}

/// A preset vehicle with additional keys in its file.
fn ready(name: &str, keys: &str) -> Car {
    let found = presets::FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.expect("a preset vehicle");
    let mut file: toml::Table = text.parse().expect("it is TOML");
    let keys: toml::Table = keys.parse().expect("these are TOML");
    file.extend(keys);
    Car::parse(&file.to_string(), name).expect("it is valid")
}

/// The explicit solver with this many substeps.
fn explicit(substeps: u32) -> String {
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
fn record(car: &Car, n: usize) -> Vec<Frame> {
    let kind = car.kind();
    let chassis = kind.params().chassis;
    let mut world = Standalone::new(Plane::new(DVec3::ZERO, DVec3::Z).expect("a valid plane"));
    let desc = BodyDesc {
        // Half of the drives begin at speed.
        linear_velocity: Vec3::X * if n.is_multiple_of(2) { 18.0 } else { 0.0 },
        ..BodyDesc::at_rest(DVec3::Z * car.ride_height(), chassis.mass, chassis.inertia)
    };
    let body = world.add(&desc).expect("a valid body");
    let mut vehicle = Vehicle::new(kind, body);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let surfaces = Surfaces::new();
    let mut frames = Vec::with_capacity(STEPS);
    for step in 0..WARM_UP + STEPS {
        probe(&mut vehicle, &world, &surfaces).expect("the body is there");
        let command = command(n, step);
        let state = world.body(body).expect("the body is there").state();
        if step >= WARM_UP {
            frames.push(Frame {
                body: state,
                command,
                before: vehicle.state().clone(),
            });
        }
        let outcome = vehicle
            .update(&state, &command, GRAVITY, DT)
            .expect("a sane drive");
        world.apply(&[body], &[outcome]).expect("the body is there");
        world.step(GRAVITY, DT);
    }
    frames
}

/// A vehicle and its position in its recording.
struct Player {
    vehicle: Vehicle,
    drive: usize,
    next: usize,
}

impl Player {
    fn new(kind: &Arc<VehicleKind>, drives: &[Vec<Frame>], n: usize) -> Self {
        let (drive, next) = (n % DRIVES, (n / DRIVES * 7) % STEPS);
        let mut vehicle = Vehicle::new(Arc::clone(kind), jounce::core::BodyId(0));
        vehicle.state_mut().clone_from(&drives[drive][next].before);
        Self {
            vehicle,
            drive,
            next,
        }
    }

    /// One update.
    fn step(&mut self, drives: &[Vec<Frame>]) {
        let frame = &drives[self.drive][self.next];
        if self.next == 0 {
            self.vehicle.state_mut().clone_from(&frame.before);
        }
        let outcome = self
            .vehicle
            .update(&frame.body, &frame.command, GRAVITY, DT);
        black_box(outcome.is_ok());
        self.next = (self.next + 1) % STEPS;
    }
}

/// Reports and poses of all wheels, as read by a game with every display on.
fn look(vehicle: &Vehicle) {
    for wheel in 0..vehicle.kind().wheel_count() {
        black_box(vehicle.wheel_report(wheel));
        black_box(vehicle.wheel_pose(wheel));
    }
}

fn measure(criterion: &mut Criterion, name: &str, car: &Car, after: fn(&Vehicle)) {
    let kind = car.kind();
    let drives: Vec<Vec<Frame>> = (0..DRIVES).map(|n| record(car, n)).collect();
    let mut group = criterion.benchmark_group("update");
    group
        .sample_size(50)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    for count in COUNTS {
        let player = |n| Player::new(&kind, &drives, n);
        let mut players: Vec<Player> = (0..count).map(player).collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new(name, count), |bench| {
            bench.iter(|| {
                for player in &mut players {
                    player.step(&drives);
                    after(&player.vehicle);
                }
            });
        });
    }
    group.finish();
}

fn update(criterion: &mut Criterion) {
    let sedan = |keys: &str| ready("sedan", keys);
    let fine = "rows = { max_substep = 0.008333334 }";
    measure(criterion, "as-shipped", &sedan(""), |_| {});
    measure(criterion, "fine", &sedan(fine), |_| {});
    measure(criterion, "report-and-poses", &sedan(""), look);
    measure(criterion, "magic-formula", &ready("suv", ""), |_| {});
    measure(
        criterion,
        "explicit-1-substep",
        &sedan(&explicit(1)),
        |_| {},
    );
    measure(
        criterion,
        "explicit-3-substeps",
        &sedan(&explicit(3)),
        |_| {},
    );
}

criterion_group!(benches, update);
criterion_main!(benches);
