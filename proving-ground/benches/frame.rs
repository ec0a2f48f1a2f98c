//! Time of the stages of a frame, per sedan: `cargo bench -p jounce-proving-ground --features rapier --bench frame`, with the
//! feature `avian` in Avian, too.
//!
//! | | |
//! |---|---|
//! | `probe` | the ground under the wheels, with rays or, as `sweeps`, with wheels |
//! | `update` | the vehicles |
//! | `apply` | handing their forces to the engine |
//! | `present` | poses of all wheels, for drawing |
//! | `frame` | all of them |

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Command, Environment, Fleet, Gear, Surfaces, UpdateLevel, Vehicle};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::{Axes, BodyDesc, HeightField};
use proving_ground::ground::Terrain;
use proving_ground::world::{ColliderShape, ColliderSpec, FreeBodies, GRAVITY, World};

const DT: f32 = 1.0 / 60.0;
/// Sedans of a fleet.
const COUNT: usize = 100;
/// Steps after which a fleet starts anew: they stay on the ground for so long.
const STEPS: usize = 240;
/// Height below which nothing matters (`m`).
const DEEP: f64 = -100.0;

/// Stages of a frame, in this order, and their names.
const STAGES: [&str; 4] = ["probe", "update", "apply", "present"];
/// Time that each stage took.
type FrameTimes = [Duration; STAGES.len()];

/// Ground below the wheels.
#[derive(Clone, Copy)]
enum Underfoot {
    Plane,
    HeightField,
    Mesh,
    /// Low blocks beside each other.
    Boxes,
}

const ALL: [(&str, Underfoot); 4] = [
    ("plane", Underfoot::Plane),
    ("heightfield", Underfoot::HeightField),
    ("mesh", Underfoot::Mesh),
    ("boxes", Underfoot::Boxes),
];

/// Waves of 0.8 m on a square of 1.2 km about the origin.
fn waves() -> HeightField {
    let (half, cell) = (600.0, 6.0);
    let height = |x: f64, y: f64| 0.8 * ((x - half) / 11.0).sin() * ((y - half) / 13.0).cos();
    let origin = DVec3::new(-half, -half, 0.0);
    HeightField::from_fn(Axes::Z_UP, origin, cell, [201; 2], height).expect("a valid grid")
}

fn level(height: f64) -> Terrain {
    Terrain::plane("plane".to_owned(), DVec3::Z * height, DVec3::Z).expect("a plane")
}

/// Blocks of 10 m, 0.1 m apart in height.
fn blocks() -> impl Iterator<Item = ColliderSpec> {
    let half = Vec3::new(5.0, 5.0, 1.0);
    let block = move |n: i32| {
        let (x, y) = (f64::from(n % 120 - 60), f64::from(n / 120 - 60));
        let low = if n % 2 == 0 { -1.0 } else { -1.1 };
        ColliderSpec::fixed(
            ColliderShape::Cuboid(half),
            DVec3::new(10.0 * x, 10.0 * y, low),
        )
    };
    (0..120 * 120).map(block)
}

/// Ground of an engine as its own shapes, over a plane deep below.
fn filled<W: World>(mut world: W, ground: Underfoot) -> W {
    let fixed = |shape| vec![ColliderSpec::fixed(shape, DVec3::ZERO)];
    let parts: Vec<ColliderSpec> = match ground {
        Underfoot::Plane => fixed(ColliderShape::HalfSpace(DVec3::Z)),
        Underfoot::HeightField => fixed(ColliderShape::HeightField(waves())),
        Underfoot::Mesh => fixed(ColliderShape::Mesh(waves().triangles())),
        Underfoot::Boxes => blocks().collect(),
    };
    let colliders = world.colliders().expect("the engine has colliders");
    for part in parts {
        colliders.add_collider(&part).expect("a valid collider");
    }
    world
}

fn standalone(ground: Underfoot) -> Option<Box<dyn World>> {
    let terrain = match ground {
        Underfoot::Plane => level(0.0),
        Underfoot::HeightField => Terrain::height_field("waves".to_owned(), waves()),
        Underfoot::Mesh => {
            Terrain::triangles("waves".to_owned(), waves().triangles()).expect("a mesh")
        }
        Underfoot::Boxes => return None,
    };
    Some(Box::new(FreeBodies::new(&terrain)))
}

#[cfg(feature = "rapier")]
fn rapier(ground: Underfoot) -> Option<Box<dyn World>> {
    let world = proving_ground::world::Rapier::new(&level(DEEP), DT).expect("a world");
    Some(Box::new(filled(world, ground)))
}

#[cfg(feature = "avian")]
fn avian(ground: Underfoot) -> Option<Box<dyn World>> {
    let world = proving_ground::world::Avian::new(&level(DEEP)).expect("a world");
    Some(Box::new(filled(world, ground)))
}

/// A fleet of sedans and its world.
struct Traffic {
    world: Box<dyn World>,
    fleet: Fleet,
    commands: Vec<Command>,
    surfaces: Surfaces,
}

impl Traffic {
    fn new(mut world: Box<dyn World>, car: &Car) -> Self {
        let model = car.model();
        let mut fleet = Fleet::new();
        let command = |n: usize| {
            Command::Car(CarCommand {
                throttle: 0.3 + 0.05 * (n % 7) as f32,
                steer: 0.1 * (n % 5) as f32 - 0.2,
                ..CarCommand::default()
            })
        };
        for n in 0..COUNT {
            let place = 9.0 * DVec3::new(n as f64 % 10.0 - 5.0, (n / 10) as f64 - 5.0, 0.0);
            let place = place + DVec3::Z * (car.ride_height() + 0.5);
            let body = BodyDesc {
                linear_velocity: Vec3::X * 10.0,
                ..BodyDesc::at_rest(place, car.mass(), car.inertia())
            };
            let body = world.add_body(&body).expect("a valid body");
            let mut vehicle = Vehicle::new(model.clone(), body);
            vehicle.state_mut().drive.force_gear(Gear::FIRST);
            fleet.push(vehicle);
        }
        Self {
            world,
            fleet,
            commands: (0..COUNT).map(command).collect(),
            surfaces: Surfaces::new(),
        }
    }

    /// One step; the engine's own is not timed.
    fn step(&mut self) -> FrameTimes {
        let environment = Environment::in_still_air(GRAVITY, &self.surfaces);
        let mut last = Instant::now();
        let mut lap = || {
            let now = Instant::now();
            now - core::mem::replace(&mut last, now)
        };
        let probed = self
            .fleet
            .probe(&*self.world, &environment, |_, _| UpdateLevel::Full);
        probed.expect("all bodies are there");
        let probe = lap();
        self.fleet.update(&self.commands, &environment, DT);
        let update = lap();
        let applied = self.fleet.apply(&mut *self.world);
        applied.expect("all bodies are there");
        let apply = lap();
        for vehicle in self.fleet.vehicles() {
            for pose in vehicle.wheel_poses() {
                black_box(&pose);
            }
        }
        let present = lap();
        self.world.advance(GRAVITY, DT);
        [probe, update, apply, present]
    }
}

/// A world on some ground, if it has such.
type Maker = fn(Underfoot) -> Option<Box<dyn World>>;

/// Measures some stages of sedans; in a world without such ground, nothing.
fn measure(
    criterion: &mut Criterion,
    names: [&str; 2],
    make: &dyn Fn() -> Option<Box<dyn World>>,
    car: &Car,
    stages: &[&str],
) {
    let Some(world) = make() else {
        return;
    };
    let mut traffic = Traffic::new(world, car);
    let mut step = 0;
    let mut next = || {
        step += 1;
        if step % STEPS == 0 {
            traffic = Traffic::new(make().expect("as before"), car);
        }
        traffic.step()
    };
    for &stage in stages {
        let place = STAGES.iter().position(|name| *name == stage);
        let of = |times: FrameTimes| place.map_or(times.iter().sum(), |place| times[place]);
        let mut group = criterion.benchmark_group(format!("frame/{}", names[0]));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(800))
            .throughput(Throughput::Elements(COUNT as u64));
        group.bench_function(BenchmarkId::new(names[1], stage), |bench| {
            bench.iter_custom(|count| (0..count).map(|_| of(next())).sum());
        });
    }
}

fn frame(criterion: &mut Criterion) {
    let worlds: [(&str, Maker); _] = [
        ("standalone", standalone),
        #[cfg(feature = "rapier")]
        ("rapier", rapier),
        #[cfg(feature = "avian")]
        ("avian", avian),
    ];
    let sedan = presets::sedan();
    let swept = proving_ground::stage::car_with("sedan", "sweep", toml::Table::new());
    let swept = swept.expect("a sedan on sweeps");
    for (name, make) in worlds {
        for (ground_name, ground) in ALL {
            let make = || make(ground);
            let stages: &[&str] = match ground {
                Underfoot::Plane => &["probe", "update", "apply", "present", "frame"],
                _ => &["probe", "frame"],
            };
            measure(criterion, [name, ground_name], &make, &sedan, stages);
            let sweeps = format!("{ground_name}-sweeps");
            measure(criterion, [name, &sweeps], &make, &swept, &["probe"]);
        }
    }
}

criterion_group!(benches, frame);
criterion_main!(benches);
