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
use jounce::core::{Axis, CarCommand, Detail, Environment, Fleet, Gear, Surfaces, Vehicle};
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
const TIERS: [(f64, Detail); 4] = [
    (60.0, Detail::FULL),
    (150.0, detail(4, 1)),
    (400.0, detail(4, 2)),
    (f64::INFINITY, detail(8, 3)),
];

const fn detail(probe_every: u32, update_every: u32) -> Detail {
    Detail {
        probe_every,
        update_every,
    }
}

/// The cars of a tier with this detail, and how long their probes and updates took.
struct Crowd {
    detail: Detail,
    fleet: Fleet,
    commands: Vec<CarCommand>,
    probes: Duration,
    updates: Duration,
}

/// A part of a crowd's time.
type CrowdTime = fn(&Crowd) -> Duration;

impl Crowd {
    fn new(detail: Detail) -> Self {
        Self {
            detail,
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
        environment: &Environment<'_>,
        step: u64,
    ) -> Result<(), String> {
        let detail = self.detail;
        let update_level = |n: usize, car: &Vehicle| car.update_level(detail, step, n as u64);
        let start = Instant::now();
        let found = parallel::probe(&mut self.fleet, world, environment, update_level);
        found.map_err(|error| error.to_string())?;
        let probed = Instant::now();
        parallel::update(&mut self.fleet, &self.commands, environment, DT);
        self.updates += probed.elapsed();
        self.probes += probed - start;
        if let Some(refused) = self.fleet.errors().iter().flatten().next() {
            return Err(refused.to_string());
        }
        let applied = self.fleet.apply(world);
        applied.map_err(|error| error.to_string())
    }
}

/// The world, and the crowds of all tiers.
type City = (Standalone, [Crowd; TIERS.len()]);

/// The position of car `n` of a city with so many cars along each side (`m`, from the camera).
fn crossing(n: usize, side: usize) -> DVec2 {
    let at = |index: usize| SPACING * (index as f64 - 0.5 * (side - 1) as f64);
    DVec2::new(at(n % side), at(n / side))
}

/// A city with so many cars along each side, in tiers of these details: each car drives on a circle of its own.
fn park(side: usize, details: [Detail; TIERS.len()]) -> Result<City, Box<dyn Error>> {
    let car = presets::sedan();
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
    let mut crowds = details.map(Crowd::new);
    for n in 0..side * side {
        let place = crossing(n, side);
        let tier = TIERS.iter().position(|(end, _)| place.length() < *end);
        let crowd = &mut crowds[tier.unwrap_or(TIERS.len() - 1)];
        let start = place.extend(car.ride_height());
        let body = world.add(&BodyDesc::at_rest(start, car.mass(), car.inertia()))?;
        let mut vehicle = Vehicle::new(car.model(), body);
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

/// A city after a drive on so many threads.
fn drive(
    side: usize,
    details: [Detail; TIERS.len()],
    threads: usize,
) -> Result<City, Box<dyn Error>> {
    let (mut world, mut crowds) = park(side, details)?;
    let surfaces = Surfaces::new();
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let driven = pool.build()?.install(|| {
        for step in 0..STEPS {
            for crowd in &mut crowds {
                crowd.step(&mut world, &environment, step)?;
            }
            world.step(GRAVITY, DT);
        }
        Ok::<_, String>(())
    });
    driven?;
    Ok((world, crowds))
}

/// Table of the time that each tier takes, for each number of threads.
fn table(drives: &[(usize, [Crowd; TIERS.len()])]) -> ReportTable {
    let head = [
        "threads",
        "up to, m",
        "steps/update",
        "updates/probe",
        "cars",
        "probe, ns/car and step",
        "update, ns/car and step",
        "all, ms/step",
    ];
    let row = |threads: usize, end: f64, crowd: &Crowd| {
        vec![
            threads.to_string(),
            end.to_string(),
            crowd.detail.update_every.to_string(),
            crowd.detail.probe_every.to_string(),
            crowd.cars().to_string(),
            format!("{:.0}", crowd.per_car(crowd.probes)),
            format!("{:.0}", crowd.per_car(crowd.updates)),
            format!("{:.2}", per_step(crowd.probes + crowd.updates)),
        ]
    };
    let rows = drives.iter().flat_map(|(threads, crowds)| {
        let crowds = crowds.iter().zip(&TIERS);
        crowds.map(|(crowd, (end, _))| row(*threads, *end, crowd))
    });
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Mean time of a step (`ms`).
fn per_step(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3 / STEPS as f64
}

/// The time of a part of all steps on one thread and on `threads`, and, by Amdahl's law, how many times as fast as one
/// thread eight would be.
fn scaling(part: &str, times: [Duration; 2], threads: usize) -> String {
    let [one, many] = times.map(per_step);
    let inverse = 1.0 / threads as f64;
    let serial = ((many / one - inverse) / (1.0 - inverse)).clamp(0.0, 1.0);
    let eight = 1.0 / (serial + (1.0 - serial) / 8.0);
    format!(
        "{part}: {one:.2} ms a step on one thread, {many:.2} on {threads}: {:.2} times as fast; serial: {:.0} %, on eight \
         threads: {eight:.1} times",
        one / many,
        100.0 * serial
    )
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
    let details = TIERS.map(|(_, detail)| detail);
    let mut drives = Vec::new();
    for threads in [1, cores.max(2)] {
        drives.push((threads, drive(SIDE, details, threads)?.1));
    }
    let table = table(&drives);
    println!("{table}");
    let [(_, one), (threads, many)] = &drives[..] else {
        return Ok(());
    };
    let parts: [(&str, CrowdTime); 3] = [
        ("probes", |crowd| crowd.probes),
        ("updates", |crowd| crowd.updates),
        ("both", |crowd| crowd.probes + crowd.updates),
    ];
    for (name, part) in parts {
        let times = [one, many].map(|crowds| crowds.iter().map(part).sum());
        println!("{}", scaling(name, times, *threads));
    }
    let path = sheet(SIDE * SIDE, &table).save(Path::new("out"), "city.html")?;
    println!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use jounce::core::{BodyState, RigidBodies as _};

    use super::*;

    const FEW: usize = 70;

    /// Bodies of each tier.
    fn bodies((world, crowds): &City) -> [Vec<BodyState>; TIERS.len()] {
        crowds.each_ref().map(|crowd| {
            let bodies: Vec<_> = crowd.fleet.vehicles().iter().map(Vehicle::body).collect();
            let mut states = vec![BodyState::BLANK; bodies.len()];
            world.read(&bodies, &mut states).unwrap();
            states
        })
    }

    /// Cars with less detail go where they would with all of it, as far as can be seen, and threads change no bit.
    #[test]
    fn tiers_follow_full_detail() {
        let details = TIERS.map(|(_, detail)| detail);
        let city = drive(FEW, details, 1).unwrap();
        let found = bodies(&city);
        assert_eq!(found, bodies(&drive(FEW, details, 3).unwrap()));
        let full = bodies(&drive(FEW, [Detail::FULL; TIERS.len()], 1).unwrap());
        assert_eq!(found[0], full[0]);
        for (tier, (found, full)) in found.iter().zip(&full).enumerate().skip(1) {
            let pairs = found.iter().zip(full);
            let apart = pairs.map(|(a, b)| a.position.distance(b.position));
            // For a camera, where the tier begins.
            let seen = (apart.fold(0.0, f64::max) / TIERS[tier - 1].0).to_degrees();
            println!("tier {tier}: {seen:.1e}° apart after 4 s");
            assert!(found.len() > 50 && 0.0 < seen && seen < 0.1, "{tier}");
        }
        let table = table(&[(1, city.1)]);
        let html = sheet(FEW * FEW, &table).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
