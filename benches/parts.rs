//! Time of what surrounds an update: vehicles with 3 to 18 wheels, their reports and poses, sleep, snapshots, loading of
//! files.

use core::hint::black_box;
use core::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use glam::DVec3;
use jounce::core::{Axis, CarCommand, Detail, Environment, Fleet, Surfaces, Vehicle, VehicleState};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{BodyDesc, Plane, Standalone};

mod drives;

use drives::{DT, Frame, GRAVITY, Player, explicit, look, ready, record};

/// Vehicles per update.
const COUNT: usize = 100;
/// Number of drives that the vehicles share.
const SHARED: usize = 4;
/// Wheels and presets that have them.
const KINDS: [(usize, &str); 5] = [
    (3, "tadpole"),
    (4, "sedan"),
    (6, "truck-6x6"),
    (14, "tank"),
    (18, "eighteen-wheeler"),
];

/// The truck with a fourth, undriven axle.
fn eight_wheeler() -> Car {
    let text = presets::FILES.iter().find(|(name, _)| *name == "truck-6x6");
    let mut file: toml::Table = text.expect("a preset").1.parse().expect("it is TOML");
    let axles = file["axles"].as_array_mut().expect("a list of axles");
    let mut tag = axles.last().expect("three axles").clone();
    tag["name"] = "tag".into();
    tag["x"] = (-3.5).into();
    axles.push(tag);
    Car::parse(&file.to_string(), "eight-wheeler").expect("it is valid")
}

fn settings<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    group
}

fn players(car: &Car, drives: &[Vec<Frame>]) -> Vec<Player> {
    let model = car.model();
    (0..COUNT)
        .map(|n| Player::new(&model, drives, n % SHARED))
        .collect()
}

/// Updates by number of wheels, and reports and poses by themselves.
fn wheels(criterion: &mut Criterion) {
    let mut group = settings(criterion, "wheels");
    group.throughput(Throughput::Elements(COUNT as u64));
    let models = KINDS.map(|(wheels, name)| ("update", wheels, ready(name, "")));
    let others = [
        ("update", 8, eight_wheeler()),
        ("explicit", 4, ready("sedan", &explicit(1))),
    ];
    for (name, wheels, car) in models.into_iter().chain(others) {
        assert_eq!(car.model().wheel_count(), wheels);
        let drives: Vec<Vec<Frame>> = (0..SHARED).map(|n| record(&car, n)).collect();
        let mut players = players(&car, &drives);
        group.bench_function(BenchmarkId::new(name, wheels), |bench| {
            bench.iter(|| players.iter_mut().for_each(|player| player.step(&drives)));
        });
        let shown = BenchmarkId::new(format!("{name}-reports-and-poses"), wheels);
        group.bench_function(shown, |bench| {
            bench.iter(|| players.iter().for_each(|player| look(&player.vehicle)));
        });
    }
}

/// Parked sedans.
struct Parking {
    world: Standalone,
    fleet: Fleet,
    commands: Vec<CarCommand>,
    steps: u64,
}

impl Parking {
    fn new() -> Self {
        let car = ready("sedan", "");
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).expect("a plane"));
        let add = |n| {
            let place = DVec3::new(0.0, 6.0 * n as f64, car.ride_height());
            let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
            Vehicle::new(car.model(), world.add(&body).expect("a body"))
        };
        let fleet = (0..COUNT).map(add).collect();
        let parked = CarCommand {
            handbrake: 1.0,
            ..CarCommand::default()
        };
        Self {
            world,
            fleet,
            commands: vec![parked; COUNT],
            steps: 0,
        }
    }

    /// A probe of those that are due, an update, and what follows for the bodies.
    fn step(&mut self, in_turns: bool) {
        let surfaces = Surfaces::new();
        let environment = Environment::in_still_air(GRAVITY, &surfaces);
        let update_level = |n: usize, car: &Vehicle| match in_turns {
            true => car.update_level(Detail::FULL, self.steps, n as u64),
            false => Detail::FULL.update_level(self.steps, n as u64),
        };
        let probed = self.fleet.probe(&self.world, &environment, update_level);
        probed.expect("all bodies are there");
        self.fleet.update(&self.commands, &environment, DT);
        let applied = self.fleet.apply(&mut self.world);
        applied.expect("all bodies are there");
        self.steps += 1;
    }
}

/// Steps of sedans that sleep, without the world's: with full updates, and where they take turns to probe.
fn asleep(criterion: &mut Criterion) {
    let mut group = settings(criterion, "asleep");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, in_turns) in [("full-effort", false), ("in-turns", true)] {
        let mut parking = Parking::new();
        while !parking.fleet.vehicles().iter().all(Vehicle::sleeps) {
            parking.step(in_turns);
            parking.world.step(GRAVITY, DT);
        }
        group.bench_function(name, |bench| bench.iter(|| parking.step(in_turns)));
    }
}

/// A vehicle's state, copied and restored, and as bytes.
fn snapshot(criterion: &mut Criterion) {
    let mut group = settings(criterion, "snapshot");
    let car = presets::sedan();
    let drives = vec![record(&car, 0)];
    let mut vehicle: Vehicle = Player::new(&car.model(), &drives, 0).vehicle;
    let mut kept = vehicle.state().clone();
    group.bench_function("save", |bench| {
        bench.iter(|| kept.clone_from(black_box(vehicle.state())));
    });
    group.bench_function("restore", |bench| {
        bench.iter(|| vehicle.state_mut().clone_from(black_box(&kept)));
    });
    let bytes = postcard::to_allocvec(&kept).expect("plain data");
    group.bench_function("write", |bench| {
        bench.iter(|| postcard::to_allocvec(black_box(&kept)));
    });
    group.bench_function("read", |bench| {
        bench.iter(|| postcard::from_bytes::<VehicleState>(black_box(&bytes)));
    });
}

/// Vehicle files, parsed, checked and built.
fn load(criterion: &mut Criterion) {
    let mut group = settings(criterion, "load");
    for name in ["sedan", "suv", "truck-6x6", "tank", "eighteen-wheeler"] {
        let found = presets::FILES.iter().find(|(known, _)| *known == name);
        let (_, text) = found.expect("a preset vehicle");
        group.bench_function(name, |bench| {
            bench.iter(|| Car::parse(black_box(text), name).expect("it is valid"));
        });
    }
}

criterion_group!(benches, wheels, asleep, snapshot, load);
criterion_main!(benches);
