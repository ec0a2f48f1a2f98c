//! Cars parked on a slope, and how far they creep: `cargo run --release -p jounce-lab --example parked`.
//!
//! Writes `out/parked.html`.

use core::f32::consts::FRAC_PI_2;
use std::path::Path;

use glam::DVec2;
use jounce::core::{CarCommand, Gear};
use jounce_lab::report::{Chart, ChartCurve, ReportTable, Scale, Sheet, abreast, heading, note};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, steps, without_aids};
use proving_ground::world::WorldKind;

/// The slope (`°`).
const SLOPE: f64 = 20.0;
/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// A car is placed at its design height; time for its springs to settle (`s`).
const SETTLING: f32 = 3.0;
/// Duration of the measurement after that (`s`).
const WATCH: f32 = 10.0;
/// Goal for the creep (`mm`).
const GOAL: f64 = 0.5;
const CARS: [&str; 3] = ["sedan", "sports-car", "truck"];
const SOLVERS: [&str; 2] = ["rows", "explicit"];

/// A setup of a parked car.
struct Parking {
    name: &'static str,
    scene: Scene,
    command: CarCommand,
}

fn parkings() -> [Parking; 3] {
    let nose_down = Scene::nose_down(SLOPE);
    let braked = CarCommand { brake: 1.0, ..FREE };
    [
        Parking {
            name: "nose down, braked",
            scene: nose_down,
            command: braked,
        },
        Parking {
            name: "across, braked",
            scene: Scene {
                heading: FRAC_PI_2,
                ..nose_down
            },
            command: braked,
        },
        Parking {
            name: "nose down, in first gear, engine off",
            scene: Scene {
                gear: Gear::FIRST,
                engine_off: true,
                ..nose_down
            },
            command: FREE,
        },
    ]
}

/// Creep of one parked car.
struct Creep {
    parking: &'static str,
    car: &'static str,
    world: WorldKind,
    solver: &'static str,
    /// Distance moved while settling (`mm`).
    settled: f64,
    /// Time since then (`s`), and distance from the position at that time (`mm`).
    drift: Vec<DVec2>,
}

impl Creep {
    fn measure(
        parking: &Parking,
        car: &'static str,
        world: WorldKind,
        solver: &'static str,
    ) -> Result<Self, ProvingError> {
        let model = without_aids(car)?.with("solver", solver)?;
        let setup = Setup { world, car: &model };
        let mut stage = Stage::new(&setup, &parking.scene, RATE)?;
        let put_down = stage.position()?;
        stage.run(SETTLING, &parking.command)?;
        let stood = stage.position()?;
        let mut drift = Vec::new();
        for n in 1..=steps(WATCH, RATE) {
            stage.step(&parking.command)?;
            let far = 1000.0 * stage.position()?.distance(stood);
            drift.push(DVec2::new(n as f64 / f64::from(RATE), far));
        }
        Ok(Self {
            parking: parking.name,
            car,
            world,
            solver,
            settled: 1000.0 * stood.distance(put_down),
            drift,
        })
    }

    /// The maximum distance (`mm`).
    fn most(&self) -> f64 {
        self.drift.iter().map(|p| p.y).fold(0.0, f64::max)
    }

    fn curve(&self) -> ChartCurve {
        let color = CARS.iter().position(|car| *car == self.car);
        let dashed = self.solver == "explicit";
        let name = if dashed { "" } else { self.car };
        ChartCurve {
            dashed,
            ..ChartCurve::new(name, [0, 1, 4][color.unwrap_or(0)], self.drift.clone())
        }
    }
}

/// Every car, parked in every way, in every world, with both solvers.
fn measure() -> Result<Vec<Creep>, ProvingError> {
    let mut creeps = Vec::new();
    for parking in &parkings() {
        for car in CARS {
            for solver in SOLVERS {
                for &world in WorldKind::all() {
                    creeps.push(Creep::measure(parking, car, world, solver)?);
                }
            }
        }
    }
    Ok(creeps)
}

/// One line per car and way to park.
fn table(creeps: &[Creep]) -> ReportTable {
    let mut head = vec!["moved in 10 s [mm]".to_owned()];
    for solver in SOLVERS {
        let worlds = WorldKind::all().iter();
        head.extend(worlds.map(|world| format!("{solver}, {world:?}").to_lowercase()));
    }
    head.extend(SOLVERS.map(|solver| format!("settling, {solver}")));
    let worlds = WorldKind::all().len();
    let rows = creeps.chunks(SOLVERS.len() * worlds).map(|line| {
        let name = format!("{}: {}", line[0].car, line[0].parking);
        let creep = line.iter().map(|creep| format!("{:.4}", creep.most()));
        let settled = [&line[0], &line[worlds]].map(|creep| format!("{:.1}", creep.settled));
        core::iter::once(name).chain(creep).chain(settled).collect()
    });
    ReportTable {
        rows: rows.collect(),
        head,
    }
}

fn chart(creeps: &[Creep], parking: &str, world: WorldKind) -> String {
    let shown = creeps
        .iter()
        .filter(|creep| creep.parking == parking && creep.world == world);
    Chart {
        title: format!("{world:?}"),
        unit: "moved by, mm",
        how: String::new(),
        curves: shown.map(Creep::curve).collect(),
        scale: Scale::Decades(-4, 2),
        goal: Some((GOAL, "goal: 0.5 mm")),
        words: vec![
            (DVec2::new(5.0, 40.0), "dashed: explicit solver"),
            (DVec2::new(5.0, 0.06), "solid: rows solver"),
        ],
        height: 230,
    }
    .html()
}

fn sheet(creeps: &[Creep], table: &ReportTable) -> Sheet {
    let mut sections = Vec::new();
    for parking in parkings() {
        let worlds = WorldKind::all().iter();
        let charts = worlds.map(|world| chart(creeps, parking.name, *world));
        sections.push(heading(parking.name));
        sections.push(abreast(&charts.collect::<Vec<_>>()));
    }
    sections.push(heading("Figures"));
    sections.push(table.html());
    sections.push(note(
        "Settling: how far the car moved in the standalone world before the clock starts.",
    ));
    Sheet {
        brand: "jounce example: parked".to_owned(),
        title: "Parked cars stay".to_owned(),
        what: "Three cars on a slope. Each is placed at its design height and settles on its \
               springs; then the clock starts, and the curves show how far its center of mass has \
               moved from there. The scale is logarithmic: each line up is ten times as far, and anything \
               below 0.0001 mm is clamped. Solid lines are the preset files, \
               with the rows solver; dashed ones have the key solver = \"explicit\", which holds a \
               car as PhysX does, by timers. Rapier rounds positions to about 0.0001 mm, hence the \
               steps."
            .to_owned(),
        facts: vec![
            ("slope", format!("{SLOPE}°")),
            ("step", format!("1/{RATE} s")),
            ("settling", format!("{SETTLING} s")),
            ("watched", format!("{WATCH} s")),
        ],
        sections,
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let creeps = measure()?;
    let table = table(&creeps);
    let path = sheet(&creeps, &table).save(Path::new("out"), "parked.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_rows_cars_stay_within_the_goal_and_explicit_ones_do_not() {
        let creeps = measure().unwrap();
        assert_eq!(creeps.len(), 18 * WorldKind::all().len());
        for creep in &creeps {
            let kept = creep.most() < GOAL;
            let told = format!(
                "{} {} {:?} {}",
                creep.car,
                creep.parking,
                creep.world,
                creep.most()
            );
            assert_eq!(kept, creep.solver == "rows", "{told}");
        }
        let html = sheet(&creeps, &table(&creeps)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
