//! Speed-up of a fleet with two and four threads: `cargo bench --features rayon --bench threads`.
//!
//! Sedans with different commands on level ground; only their updates are timed.

use core::time::Duration;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Vec3};
use jounce::core::{Axis, CarCommand, Command, Environment, Fleet, Surfaces, UpdateLevel, Vehicle};
use jounce::scene::{BodyDesc, Plane, Standalone};
use jounce::{parallel, presets};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;
const VEHICLES: [usize; 2] = [100, 1000];
const THREADS: [usize; 3] = [1, 2, 4];
/// Steps after which the sedans restart.
const STEPS: usize = 300;

struct Drive {
    world: Standalone,
    fleet: Fleet,
    commands: Vec<Command>,
    surfaces: Surfaces,
}

impl Drive {
    fn new(vehicles: usize) -> Self {
        let car = presets::sedan();
        let mut world = Standalone::new(Plane::level(Axis::Z, 0.0).expect("a plane"));
        let mut fleet = Fleet::new();
        let command = |n: usize| {
            Command::Car(CarCommand {
                throttle: 0.2 + 0.6 * (n % 7) as f32 / 7.0,
                steer: 0.05 * (n % 5) as f32 - 0.1,
                ..CarCommand::default()
            })
        };
        for n in 0..vehicles {
            let place = DVec3::new(0.0, 6.0 * n as f64, car.ride_height());
            let body = BodyDesc::at_rest(place, car.mass(), car.inertia());
            let body = world.add(&body).expect("a body");
            fleet.push(Vehicle::new(car.model(), body));
        }
        Self {
            world,
            fleet,
            commands: (0..vehicles).map(command).collect(),
            surfaces: Surfaces::new(),
        }
    }

    /// One step; returns how long the update took.
    fn step(&mut self) -> Duration {
        let environment = Environment::in_still_air(GRAVITY, &self.surfaces);
        let probed = self
            .fleet
            .probe(&self.world, &environment, |_, _| UpdateLevel::Full);
        probed.expect("all bodies are there");
        let start = Instant::now();
        parallel::update(&mut self.fleet, &self.commands, &environment, DT);
        let time = start.elapsed();
        self.fleet
            .apply(&mut self.world)
            .expect("all bodies are there");
        self.world.step(GRAVITY, DT);
        time
    }
}

fn threads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    for vehicles in VEHICLES {
        group.throughput(Throughput::Elements(vehicles as u64));
        for threads in THREADS {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            let mut drive = Drive::new(vehicles);
            let mut step = 0;
            group.bench_function(BenchmarkId::new(threads.to_string(), vehicles), |bench| {
                bench.iter_custom(|iterations| {
                    let one = |_| {
                        step += 1;
                        if step % STEPS == 0 {
                            drive = Drive::new(vehicles);
                        }
                        pool.install(|| drive.step())
                    };
                    (0..iterations).map(one).sum()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, threads);
criterion_main!(benches);
