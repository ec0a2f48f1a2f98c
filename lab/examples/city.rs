//! 10,000 cars around a camera, in tiers of detail by their distance, on one thread and on all cores: `cargo run --release
//! -p jounce-lab --features rayon --example city`.
//!
//! Prints what a car of each tier costs. Writes `out/city.html`.

use core::error::Error;
use core::time::Duration;
use std::path::Path;
use std::thread;
use std::time::Instant;

use glam::DVec2;
use jounce::core::{Axis, CarCommand, Detail, Fleet, Gear, Surfaces, Vehicle};
use jounce::scene::{BodyDesc, Plane, Standalone};
use jounce::{parallel, presets};
use jounce_lab::report::{ReportTable, Sheet, heading, note};
use proving_ground::stage::GRAVITY;

const DT: f32 = 1.0 / 60.0;
const STEPS: u64 = 240;
/// Cars along each side of the city.
const SIDE: usize = 100;
/// Distance of crossings (`m`).
const SPACING: f64 = 12.0;

/// Cars up to a distance from the camera (`m`), and how much of them is computed.
struct Tier {
    name: &'static str,
    end: f64,
    detail: Detail,
}

const TIERS: [Tier; 4] = [
    Tier {
        name: "all of every step",
        end: 60.0,
        detail: Detail::FULL,
    },
    Tier {
        name: "rays in every 4th step",
        end: 150.0,
        detail: Detail {
            probe_every: 4,
            update_every: 1,
        },
    },
    Tier {
        name: "updates in every 2nd step",
        end: 400.0,
        detail: Detail {
            probe_every: 4,
            update_every: 2,
        },
    },
    Tier {
        name: "updates in every 3rd step",
        end: f64::INFINITY,
        detail: Detail {
            probe_every: 8,
            update_every: 3,
        },
    },
];

/// The cars of a tier, and how long their probes and updates took.
struct Crowd {
    fleet: Fleet,
    commands: Vec<CarCommand>,
    probes: Duration,
    updates: Duration,
}

impl Crowd {
    fn new() -> Self {
        Self {
            fleet: Fleet::new(),
            commands: Vec::new(),
            probes: Duration::ZERO,
            updates: Duration::ZERO,
        }
    }

    fn cars(&self) -> usize {
        self.commands.len()
    }

    /// Mean time of a car and a step (`ns`).
    fn per_car(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / (self.cars().max(1) as f64 * STEPS as f64)
    }

    /// One step without the world's.
    fn step(
        &mut self,
        world: &mut Standalone,
        surfaces: &Surfaces,
        detail: &Detail,
        step: u64,
    ) -> Result<(), String> {
        let effort = |n: usize, _: &Vehicle| detail.effort(step, n as u64);
        let start = Instant::now();
        let found = parallel::probe(&mut self.fleet, world, surfaces, effort);
        found.map_err(|error| error.to_string())?;
        let probed = Instant::now();
        parallel::update(&mut self.fleet, &self.commands, GRAVITY, DT);
        self.updates += probed.elapsed();
        self.probes += probed - start;
        if let Some(refused) = self.fleet.refused().iter().flatten().next() {
            return Err(refused.to_string());
        }
        let applied = self.fleet.apply(world);
        applied.map_err(|error| error.to_string())
    }
}

/// The place of car `n` of a city with so many cars along each side (`m`, from the camera).
fn crossing(n: usize, side: usize) -> DVec2 {
    let at = |index: usize| SPACING * (index as f64 - 0.5 * (side - 1) as f64);
    DVec2::new(at(n % side), at(n / side))
}

/// A city with so many cars along each side: each car drives on a circle of its own.
fn park(side: usize) -> Result<(Standalone, Vec<Crowd>), Box<dyn Error>> {
    let car = presets::sedan();
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
    let mut crowds: Vec<Crowd> = TIERS.iter().map(|_| Crowd::new()).collect();
    for n in 0..side * side {
        let place = crossing(n, side);
        let tier = TIERS.iter().position(|tier| place.length() < tier.end);
        let crowd = &mut crowds[tier.unwrap_or(TIERS.len() - 1)];
        let start = place.extend(car.ride_height());
        let body = world.add(&BodyDesc::at_rest(start, car.mass(), car.inertia()))?;
        let mut vehicle = Vehicle::new(car.kind(), body);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        crowd.fleet.push(vehicle);
        crowd.commands.push(CarCommand {
            throttle: 0.1 + 0.02 * (n % 7) as f32,
            steer: if n.is_multiple_of(2) { 0.8 } else { -0.8 },
            ..CarCommand::default()
        });
    }
    Ok((world, crowds))
}

/// The crowds of all tiers after their drive on so many threads, and the world.
fn drive(side: usize, threads: usize) -> Result<(Standalone, Vec<Crowd>), Box<dyn Error>> {
    let (mut world, mut crowds) = park(side)?;
    let surfaces = Surfaces::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let driven = pool.build()?.install(|| {
        for step in 0..STEPS {
            for (crowd, tier) in crowds.iter_mut().zip(&TIERS) {
                crowd.step(&mut world, &surfaces, &tier.detail, step)?;
            }
            world.step(GRAVITY, DT);
        }
        Ok::<_, String>(())
    });
    driven?;
    Ok((world, crowds))
}

/// What the tiers cost on each number of threads.
fn table(drives: &[(usize, Vec<Crowd>)]) -> ReportTable {
    let head = [
        "threads",
        "tier",
        "up to",
        "cars",
        "probe, ns/car and step",
        "update, ns/car and step",
        "all its cars, ms/step",
    ];
    let row = |threads: usize, tier: &Tier, crowd: &Crowd| {
        let whole = (crowd.probes + crowd.updates).as_secs_f64() * 1e3 / STEPS as f64;
        let end = if tier.end.is_finite() {
            format!("{} m", tier.end)
        } else {
            "the end".to_owned()
        };
        vec![
            threads.to_string(),
            tier.name.to_owned(),
            end,
            crowd.cars().to_string(),
            format!("{:.0}", crowd.per_car(crowd.probes)),
            format!("{:.0}", crowd.per_car(crowd.updates)),
            format!("{whole:.2}"),
        ]
    };
    let rows = drives.iter().flat_map(|(threads, crowds)| {
        let crowds = crowds.iter().zip(&TIERS);
        crowds.map(|(crowd, tier)| row(*threads, tier, crowd))
    });
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Time of a step of all tiers (`ms`).
fn whole(crowds: &[Crowd]) -> f64 {
    let time: Duration = crowds
        .iter()
        .map(|crowd| crowd.probes + crowd.updates)
        .sum();
    time.as_secs_f64() * 1e3 / STEPS as f64
}

fn sheet(cars: usize, table: &ReportTable) -> Sheet {
    Sheet {
        brand: "jounce example: city".to_owned(),
        title: "A city of cars".to_owned(),
        what: format!("{cars} sedans around a camera, in tiers of detail by their distance."),
        facts: vec![
            ("world", "standalone".to_owned()),
            ("steps", STEPS.to_string()),
        ],
        sections: vec![
            heading("What the tiers cost"),
            table.html(),
            note(
                "Times are those of probes and updates, without the world's step, and of this machine.",
            ),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let cores = thread::available_parallelism()?.get();
    let mut drives = Vec::new();
    for threads in if cores > 1 { vec![1, cores] } else { vec![1] } {
        drives.push((threads, drive(SIDE, threads)?.1));
    }
    let table = table(&drives);
    println!("{table}");
    for (threads, crowds) in &drives {
        println!(
            "threads: {threads}; all tiers: {:.2} ms a step",
            whole(crowds)
        );
    }
    let path = sheet(SIDE * SIDE, &table).save(Path::new("out"), "city.html")?;
    println!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use jounce::core::{BodyState, RigidBodies as _};

    use super::*;

    /// Every car belongs to one tier, and those of all tiers drive, on any number of threads the same.
    #[test]
    fn all_tiers_drive() {
        const FEW: usize = 70;
        let (world, crowds) = drive(FEW, 1).unwrap();
        let (other_world, others) = drive(FEW, 3).unwrap();
        assert_eq!(crowds.iter().map(Crowd::cars).sum::<usize>(), FEW * FEW);
        for ((crowd, other), tier) in crowds.iter().zip(&others).zip(&TIERS) {
            assert!(crowd.cars() > 50, "{}", tier.name);
            let bodies: Vec<_> = crowd.fleet.vehicles().iter().map(Vehicle::body).collect();
            let read = |world: &Standalone| {
                let mut states = vec![BodyState::BLANK; bodies.len()];
                world.read(&bodies, &mut states).unwrap();
                states
            };
            let states = read(&world);
            assert_eq!(states, read(&other_world), "{}", tier.name);
            assert_eq!(crowd.cars(), other.cars());
            let slowest = states.iter().map(|state| state.linear_velocity.length());
            let slowest = slowest.fold(f32::INFINITY, f32::min);
            assert!(slowest > 0.5, "{}: {slowest} m/s", tier.name);
        }
    }
}
