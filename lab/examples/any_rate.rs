//! A drive at 30, 60, 120 and 240 Hz: `cargo run --release -p jounce-lab --example any_rate`.
//!
//! Writes `out/any_rate.html`.

use core::f32::consts::TAU;
use std::path::Path;

use glam::{DVec2, DVec3};
use jounce::core::{CarCommand, Gear, GearCommand};
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Scale, Sheet, Window, abreast, heading, note,
};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, car_with};
use proving_ground::world::WorldKind;

/// Step rates: number of steps in each thirtieth of a second.
const STEPS: [usize; 4] = [1, 2, 4, 8];
/// Thirtieths of a second: commands change only there, and paths are compared there.
const TICKS: usize = 22 * 30;
const TICK_RATE: f32 = 30.0;
const SOLVERS: [&str; 2] = ["rows", "explicit"];
/// Steering amplitude relative to the drive shown.
const STEERING: [f32; 2] = [1.0, 1.5];
/// Color and width (`px`) of each rate's line: thin lines are on top of thick ones.
const LINES: [(usize, f64); 4] = [(3, 9.0), (4, 6.0), (1, 3.5), (0, 1.5)];

/// The driver's command in a tick; `steering` is relative to the drive shown.
fn command(tick: usize, steering: f32) -> CarCommand {
    let time = tick as f32 / TICK_RATE;
    let slalom = 0.04 * libm::sinf(TAU * (time - 6.0) / 3.0);
    let (throttle, brake, steer) = match time {
        ..6.0 => (1.0, 0.0, 0.0),
        ..15.0 => (0.3, 0.0, slalom),
        ..17.0 => (0.0, 0.0, -0.06),
        ..20.0 => (0.0, 0.35, -0.06),
        _ => (0.0, 0.8, 0.0),
    };
    let gear = match tick {
        60 => GearCommand::Engage(Gear(2)),
        120 => GearCommand::Engage(Gear(3)),
        _ => GearCommand::Hold,
    };
    CarCommand {
        throttle,
        brake,
        steer: steer * steering,
        gear,
        ..FREE
    }
}

/// The car after a tick.
struct Moment {
    /// Center of mass (`m`, world).
    place: DVec3,
    /// Over ground (`m/s`).
    speed: f64,
}

/// The drive at every rate.
struct Drive {
    world: WorldKind,
    solver: &'static str,
    steering: f32,
    /// One per rate: the car after every tick.
    runs: Vec<Vec<Moment>>,
}

/// Distance between two paths, and its time.
struct Parting {
    /// (`m`)
    distance: f64,
    tick: usize,
    rates: [usize; 2],
}

impl Drive {
    fn measure(
        world: WorldKind,
        solver: &'static str,
        steering: f32,
    ) -> Result<Self, ProvingError> {
        let car = car_with("sedan", "solver", solver)?;
        let setup = Setup { world, car: &car };
        let runs = STEPS.iter().map(|steps| run(&setup, *steps, steering));
        Ok(Self {
            world,
            solver,
            steering,
            runs: runs.collect::<Result<_, _>>()?,
        })
    }

    /// The maximum distance between any two paths after a tick.
    fn apart(&self, tick: usize) -> Parting {
        let mut most = Parting {
            distance: 0.0,
            tick,
            rates: [0, 0],
        };
        for a in 0..STEPS.len() {
            for b in 0..a {
                let distance = self.runs[a][tick].place.distance(self.runs[b][tick].place);
                if distance > most.distance {
                    most.distance = distance;
                    most.rates = [rate(b), rate(a)];
                }
            }
        }
        most
    }

    /// The maximum distance of the whole drive.
    fn parting(&self) -> Parting {
        let partings = (0..TICKS).map(|tick| self.apart(tick));
        let most = partings.max_by(|a, b| a.distance.total_cmp(&b.distance));
        most.expect("drives have ticks")
    }

    /// Final position of each run.
    fn ends(&self) -> impl Iterator<Item = DVec2> {
        let places = self.runs.iter().filter_map(|run| run.last());
        places.map(|moment| moment.place.truncate())
    }

    /// A curve per rate.
    fn curves(&self, point: impl Fn(usize, &Moment) -> DVec2) -> Vec<ChartCurve> {
        let each = self.runs.iter().zip(STEPS).zip(LINES);
        let curve = |((run, steps), (color, width)): ((&Vec<Moment>, _), _)| {
            let points = run.iter().enumerate();
            let points = points.map(|(tick, moment)| point(tick, moment));
            ChartCurve {
                width,
                ..ChartCurve::new(format!("{} Hz", 30 * steps), color, points.collect())
            }
        };
        each.map(curve).collect()
    }
}

/// One drive with this number of steps per tick.
fn run(setup: &Setup<'_>, steps: usize, steering: f32) -> Result<Vec<Moment>, ProvingError> {
    let scene = Scene {
        gear: Gear::FIRST,
        ..Scene::LEVEL
    };
    let mut stage = Stage::new(setup, &scene, steps as f32 * TICK_RATE)?;
    let tick = |tick| {
        for _ in 0..steps {
            stage.step(&command(tick, steering))?;
        }
        Ok(Moment {
            place: stage.position()?,
            speed: f64::from(stage.velocity().truncate().length()),
        })
    };
    (0..TICKS).map(tick).collect()
}

/// The rate of a run (`Hz`).
fn rate(run: usize) -> usize {
    30 * STEPS[run]
}

/// A distance (`m`) in human-readable form.
fn text(distance: f64) -> String {
    if distance < 1.0 {
        format!("{:.1} cm", 100.0 * distance)
    } else {
        format!("{distance:.1} m")
    }
}

/// Time after a tick (`s`).
fn time(tick: usize) -> f64 {
    (tick + 1) as f64 / f64::from(TICK_RATE)
}

fn measure() -> Result<Vec<Drive>, ProvingError> {
    let mut drives = Vec::new();
    for steering in STEERING {
        for &world in WorldKind::all() {
            for solver in SOLVERS {
                drives.push(Drive::measure(world, solver, steering)?);
            }
        }
    }
    Ok(drives)
}

fn table(drives: &[Drive]) -> ReportTable {
    let head = [
        "solver",
        "world",
        "steering",
        "apart by [cm]",
        "rates [Hz]",
        "at [s]",
    ];
    let row = |drive: &Drive| {
        let Parting {
            distance,
            tick,
            rates: [a, b],
        } = drive.parting();
        vec![
            drive.solver.to_owned(),
            format!("{:?}", drive.world).to_lowercase(),
            format!("{:.1}", drive.steering),
            format!("{:.1}", 100.0 * distance),
            format!("{a}, {b}"),
            format!("{:.1}", time(tick)),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: drives.iter().map(row).collect(),
    }
}

/// All four paths, in a window common to all drives.
fn map(drive: &Drive, window: Window, inset: Window) -> String {
    let pin = |at, text: &str| Pin {
        at,
        color: 5,
        text: text.to_owned(),
    };
    let start = drive.runs[0][0].place.truncate();
    let end = drive.ends().last().unwrap_or(start);
    Plan {
        title: "The four paths".to_owned(),
        how: format!(
            "Seen from above, the same scale both ways. A thin line on a thick one is on the same \
             path. The frame at the end, {} by {}, is magnified below.",
            text(inset.size.x),
            text(inset.size.y)
        ),
        window,
        curves: drive.curves(|_, moment| moment.place.truncate()),
        shapes: vec![inset.corners()],
        pins: vec![pin(start, "start"), pin(end, "end")],
    }
    .html()
}

/// A window twice as wide as high around the ends of all paths.
fn around_ends(drive: &Drive) -> Window {
    let bounds = Window::around(drive.ends()).expect("drives end");
    let height = 1.6 * bounds.size.y.max(0.5 * bounds.size.x);
    bounds.resized(DVec2::new(2.0 * height, height))
}

fn end(drive: &Drive, window: Window) -> String {
    let parting = drive.parting();
    let [a, b] = parting.rates;
    let how = format!(
        "Dots: where the cars stand in the end. The maximum distance between any two at the same \
         time is {}: {a} and {b} Hz after {:.1} s.",
        text(parting.distance),
        time(parting.tick)
    );
    let pins = drive.ends().zip(LINES).map(|(at, (color, _))| Pin {
        at,
        color,
        text: String::new(),
    });
    Plan {
        title: "The end of the path, magnified".to_owned(),
        how,
        window,
        curves: drive.curves(|_, moment| moment.place.truncate()),
        shapes: Vec::new(),
        pins: pins.collect(),
    }
    .html()
}

fn speed(drive: &Drive) -> String {
    Chart {
        title: "Speed".to_owned(),
        unit: "km/h",
        how: String::new(),
        curves: drive.curves(|tick, moment| DVec2::new(time(tick), 3.6 * moment.speed)),
        scale: Scale::Linear(10.0),
        goal: None,
        words: Vec::new(),
        height: 250,
    }
    .html()
}

fn apart(drives: &[Drive]) -> String {
    let curve = |drive: &Drive| {
        let explicit = drive.solver == "explicit";
        let points = (0..TICKS).map(|tick| {
            let parting = drive.apart(tick);
            DVec2::new(time(tick), 100.0 * parting.distance)
        });
        let name = format!("{} solver", drive.solver);
        ChartCurve {
            dashed: explicit,
            ..ChartCurve::new(name, usize::from(explicit), points.collect())
        }
    };
    Chart {
        title: "The farthest two of four".to_owned(),
        unit: "apart by, cm",
        how: "The maximum distance between any two of the four cars at the same time. The scale \
              is logarithmic: a line up is ten times as far."
            .to_owned(),
        curves: drives.iter().map(curve).collect(),
        scale: Scale::Decades(-2, 4),
        goal: None,
        words: Vec::new(),
        height: 230,
    }
    .html()
}

/// Text on differences too small for the pictures.
fn finer(shown: &[Drive]) -> String {
    let [rows, explicit] = [&shown[0], &shown[1]].map(|drive| drive.ends().last());
    let far = rows.zip(explicit).map_or(f64::NAN, |(a, b)| a.distance(b));
    format!(
        "With rows, a step of 1/30 s is solved as two of 1/60 s: 30 and 60 Hz are nearly one. At \
         240 Hz both solvers mean the same car: they stop {} from each other. In the table, \
         steering 1.5 is a harder drive, with all steering half as much again.",
        text(far)
    )
}

const DRIVE: &str = "A sedan is driven open-loop by a script: full throttle through three \
     gears, a slalom at 75 km/h, off the pedals into a bend to the left, brakes in the bend, and \
     a stop. Commands change only at multiples of 1/30 s, so that every rate gets the same; \
     nothing steers back, and whatever a step does differently grows with the way.";

fn sheet(drives: &[Drive], table: &ReportTable) -> Sheet {
    let shown = &drives[..SOLVERS.len()];
    let insets: Vec<Window> = shown.iter().map(around_ends).collect();
    let moments = shown.iter().flat_map(|drive| drive.runs.iter().flatten());
    let places = moments.map(|moment| moment.place.truncate());
    let bounds = Window::around(places.chain(insets.iter().flat_map(Window::corners)));
    let bounds = bounds.expect("drives have places");
    let window = bounds.resized(bounds.size + DVec2::new(24.0, 44.0));
    let mut sections = Vec::new();
    for (drive, inset) in shown.iter().zip(insets) {
        sections.push(heading(&format!("{} solver", drive.solver)));
        sections.push(map(drive, window, inset));
        sections.push(abreast(&[end(drive, inset), speed(drive)]));
    }
    sections.extend([heading("How far apart"), apart(shown), table.html()]);
    sections.push(note(&finer(shown)));
    Sheet {
        brand: "jounce example: any_rate".to_owned(),
        title: "The same drive at any rate".to_owned(),
        what: DRIVE.to_owned(),
        facts: vec![
            ("car", "sedan".to_owned()),
            ("ground", "flat".to_owned()),
            ("world in the pictures", "standalone".to_owned()),
            ("steps", "1/30, 1/60, 1/120 and 1/240 s".to_owned()),
        ],
        sections,
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let drives = measure()?;
    let table = table(&drives);
    let path = sheet(&drives, &table).save(Path::new("out"), "any_rate.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured: 34 cm over 370 m, and 32 cm with half as much steering again.
    const BOUND: f64 = 0.4;

    #[test]
    fn with_rows_all_rates_drive_the_same_path_and_with_explicit_they_do_not() {
        let drives = measure().unwrap();
        assert_eq!(drives.len(), 4 * WorldKind::all().len());
        for drive in &drives {
            let apart = drive.parting().distance;
            let rows = drive.solver == "rows";
            assert_eq!(apart < BOUND, rows, "{:?}: {apart}", drive.world);
            assert_eq!(apart > 5.0, !rows, "{:?}: {apart}", drive.world);
        }
        let html = sheet(&drives, &table(&drives)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }

    #[test]
    fn cars_stop() {
        let drive = Drive::measure(WorldKind::Standalone, "rows", 1.0).unwrap();
        let mut last = drive.runs.iter().filter_map(|run| run.last());
        assert!(last.all(|moment| moment.speed < 0.01));
    }
}
