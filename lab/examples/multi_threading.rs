//! 360 vehicles of all preset models, on one thread, two, three …: `cargo run --release -p jounce-lab
//! --features rayon --example multi_threading`.
//!
//! Writes `out/multi_threading.html`.

use core::error::Error;
use core::time::Duration;
use std::path::Path;
use std::thread;
use std::time::Instant;

use glam::DVec2;
use jounce::core::{Axis, BodyId, BodyState, Environment};
use jounce::core::{
    CarCommand, Command, Fleet, Gear, RigidBodies as _, Surfaces, UpdateLevel, Vehicle,
};
use jounce::file::Car;
use jounce::scene::{BodyDesc, Plane, Standalone};
use jounce::{parallel, presets};
use jounce_lab::report::{ChartCurve, Plan, ReportTable, Sheet, Window, heading, note};
use proving_ground::stage::GRAVITY;

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 480;
/// Vehicles of each model.
const EACH: usize = 20;
/// Spacing between vehicle models, and between vehicles of one (`m`).
const SPACING: DVec2 = DVec2::new(100.0, 30.0);
/// Steps between two points of a path.
const PER_POINT: usize = 20;
/// Maximum number of threads, whatever the number of cores.
const MOST_THREADS: usize = 8;

/// The command for the vehicle of a number; tanks, boards and trailers accept it, too.
fn command(number: usize, step: usize) -> Command {
    let wave = libm::sinf(0.02 * step as f32 + number as f32);
    Command::Car(CarCommand {
        throttle: 0.3 + 0.6 * (number % 7) as f32 / 7.0,
        brake: if step > 400 { 0.5 } else { 0.0 },
        steer: 0.15 * wave,
        ..CarCommand::default()
    })
}

/// A drive of all vehicles on this number of threads.
struct Drive {
    threads: usize,
    /// Time of all updates, without probing and the world, which run on one thread.
    time: Duration,
    /// States of all vehicles and bodies at the end, as text with every bit.
    end: String,
    paths: Vec<Vec<DVec2>>,
}

/// All vehicles side by side, and the fleet's bodies.
fn park(cars: &[Car]) -> Result<(Standalone, Fleet, Vec<BodyId>), Box<dyn Error>> {
    let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
    let (mut fleet, mut bodies) = (Fleet::new(), Vec::new());
    for number in 0..EACH * cars.len() {
        let (model, row) = (number % cars.len(), number / cars.len());
        let car = &cars[model];
        let place = SPACING * DVec2::new(model as f64, row as f64);
        let place = place.extend(car.ride_height());
        let body = world.add(&BodyDesc::at_rest(place, car.mass(), car.inertia()))?;
        let mut vehicle = Vehicle::new(car.model(), body);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        fleet.push(vehicle);
        bodies.push(body);
    }
    Ok((world, fleet, bodies))
}

fn drive(cars: &[Car], threads: usize) -> Result<Drive, Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build()?;
    let (mut world, mut fleet, bodies) = park(cars)?;
    let surfaces = Surfaces::new();
    let environment = Environment::in_still_air(GRAVITY, &surfaces);
    let mut states = vec![BodyState::BLANK; bodies.len()];
    let mut paths = vec![Vec::new(); bodies.len()];
    let mut time = Duration::ZERO;
    for step in 0..STEPS {
        fleet.probe(&world, &environment, |_, _| UpdateLevel::Full)?;
        let commands: Vec<Command> = (0..bodies.len()).map(|n| command(n, step)).collect();
        let start = Instant::now();
        pool.install(|| parallel::update(&mut fleet, &commands, &environment, DT));
        time += start.elapsed();
        if let Some(refused) = fleet.errors().iter().flatten().next() {
            return Err(format!("{refused:?}").into());
        }
        fleet.apply(&mut world)?;
        world.step(GRAVITY, DT);
        world.read(&bodies, &mut states)?;
        if step % PER_POINT == 0 {
            for (path, state) in paths.iter_mut().zip(&states) {
                path.push(state.position.truncate());
            }
        }
    }
    let vehicles = fleet.vehicles().iter().zip(&states);
    let texts = vehicles.map(|(vehicle, body)| format!("{:?} {body:?}\n", vehicle.state()));
    Ok(Drive {
        threads,
        time,
        end: texts.collect(),
        paths,
    })
}

fn measure(cars: &[Car], most: usize) -> Result<Vec<Drive>, Box<dyn Error>> {
    (1..=most).map(|threads| drive(cars, threads)).collect()
}

/// Every preset vehicle that stands by itself.
fn cars() -> Vec<Car> {
    let names = presets::FILES.into_iter().map(|(name, _)| name);
    let cars = names.filter_map(presets::by_name);
    cars.filter(|car| car.model().params().chassis.support.is_none())
        .collect()
}

fn table(drives: &[Drive]) -> ReportTable {
    let alone = &drives[0];
    let head = [
        "threads",
        "time / one thread's",
        "µs/vehicle and step",
        "same bits",
    ];
    let row = |drive: &Drive| {
        let updates = (STEPS * drive.paths.len()) as f64;
        let bits = if drive.end == alone.end { "yes" } else { "NO" };
        vec![
            drive.threads.to_string(),
            format!("{:.2}", drive.time.as_secs_f64() / alone.time.as_secs_f64()),
            format!("{:.2}", 1e6 * drive.time.as_secs_f64() / updates),
            bits.to_owned(),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: drives.iter().map(row).collect(),
    }
}

fn sheet(drives: &[Drive], table: &ReportTable) -> Sheet {
    let paths = &drives[0].paths;
    let window = Window::around(paths.iter().flatten().copied()).expect("they drive");
    let curves = paths.iter().enumerate();
    // Only the first has a name: a legend of 360 entries would hide the plan.
    let curves = curves.map(|(n, path)| ChartCurve {
        width: 1.0,
        ..ChartCurve::new(if n == 0 { "vehicle" } else { "" }, n % 6, path.clone())
    });
    let plan = Plan {
        title: "All paths".to_owned(),
        how: "Seen from above; a column for every kind; trailers have no drive. Vehicles of this world do not collide."
            .to_owned(),
        window: window.resized(window.size * 1.05),
        curves: curves.collect(),
        shapes: Vec::new(),
        pins: Vec::new(),
    };
    Sheet {
        brand: "jounce example: multi_threading".to_owned(),
        title: "A fleet on all cores".to_owned(),
        what: format!(
            "{} vehicles: cars, trucks of up to 18 wheels, a tank, three-wheelers, skateboards, \
             trailers. Each is computed independently, so that the number of threads changes no bit.",
            paths.len()
        ),
        facts: vec![
            ("world", "standalone".to_owned()),
            ("steps", STEPS.to_string()),
        ],
        sections: vec![
            heading("Times"),
            table.html(),
            note("Times are those of the updates alone, and of this machine."),
            heading("Where they went"),
            plan.html(),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let cores = thread::available_parallelism()?.get();
    let drives = measure(&cars(), cores.clamp(2, MOST_THREADS))?;
    let table = table(&drives);
    let path = sheet(&drives, &table).save(Path::new("out"), "multi_threading.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_drives_all_vehicles_to_the_same_bits() {
        let drives = measure(&cars(), 4).unwrap();
        assert!(drives.iter().all(|drive| drive.end == drives[0].end));
        let way = |path: &Vec<DVec2>| path[0].distance(path[path.len() - 1]);
        let moved = drives[0]
            .paths
            .iter()
            .filter(|path| way(path) > 5.0)
            .count();
        println!("{moved} of {} moved", drives[0].paths.len());
        assert!(moved > 300);
        let html = sheet(&drives, &table(&drives)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
