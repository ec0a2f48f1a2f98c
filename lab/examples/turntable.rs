//! A braked sedan on a turntable: `cargo run --release -p jounce-lab --example turntable`.
//!
//! Writes `out/turntable.html`.

use std::path::Path;

use glam::{DQuat, DVec2, DVec3, Vec3};
use jounce::core::CarCommand;
use jounce::file::Car;
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Scale, Sheet, Window, abreast, heading, note,
    outline,
};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, car_with, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Distance of the car's origin from the table's center (`m`).
const ARM: f64 = 8.0;
/// The table's final angular speed (`rad/s`), and its spin-up time (`s`).
const TURN: f32 = 0.5;
const START: f32 = 2.0;
/// Time from standstill until the clock starts, in which the car settles on its springs (`s`).
const SETTLING: f32 = 3.0;
/// Duration of the measurement after that (`s`).
const WATCH: f32 = 30.0;
/// Goal for the drift (`mm`).
const GOAL: f64 = 0.5;
const SOLVERS: [&str; 2] = ["rows", "explicit"];
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };

/// A car carried by the table.
struct Ride {
    world: WorldKind,
    solver: &'static str,
    car: Car,
    /// Path of the car since the clock started, from the table's center (`m`, world axes).
    path: Vec<DVec2>,
    /// Heading of the car at the end (`rad`).
    heading: f64,
    /// Time (`s`), and distance in the table's frame from the initial position (`mm`).
    drift: Vec<DVec2>,
}

impl Ride {
    fn measure(world: WorldKind, solver: &'static str) -> Result<Self, ProvingError> {
        let car = car_with("sedan", "solver", solver)?;
        let middle = DVec3::new(ARM, 0.0, 1.0);
        let scene = Scene {
            platform: Some(middle),
            ..Scene::LEVEL
        };
        let mut stage = Stage::new(&Setup { world, car: &car }, &scene, RATE)?;
        let (mut path, mut drift) = (Vec::new(), Vec::new());
        let (mut angle, mut stood) = (0.0, DVec3::ZERO);
        let settled = steps(SETTLING, RATE);
        for n in 0..=settled + steps(WATCH, RATE) {
            angle += turn(&mut stage, n)?;
            let arm = stage.position()? - middle;
            let on_table = DQuat::from_rotation_z(-angle) * arm;
            if n < settled {
                continue;
            }
            if n == settled {
                stood = on_table;
            }
            let time = (n - settled) as f64 / f64::from(RATE);
            path.push(arm.truncate());
            drift.push(DVec2::new(time, 1000.0 * on_table.distance(stood)));
        }
        let ahead = stage.body()?.rotation * Vec3::X;
        Ok(Self {
            heading: f64::from(ahead.y).atan2(ahead.x.into()),
            world,
            solver,
            car,
            path,
            drift,
        })
    }

    /// The maximum distance (`mm`).
    fn most(&self) -> f64 {
        self.drift.iter().map(|p| p.y).fold(0.0, f64::max)
    }

    fn explicit(&self) -> bool {
        self.solver == "explicit"
    }

    fn color(&self) -> usize {
        if self.explicit() { 1 } else { 0 }
    }
}

/// One step on the table, which spins up at first; returns its rotation in the step (`rad`).
fn turn(stage: &mut Stage, n: usize) -> Result<f64, ProvingError> {
    let speed = TURN * ((n as f32 + 0.5) * stage.dt / START).min(1.0);
    if let Some(table) = stage.platform {
        let turning = Vec3::Z * speed;
        stage
            .world
            .set_platform_velocity(table, Vec3::ZERO, turning)?;
    }
    stage.step(&BRAKED)?;
    Ok(f64::from(speed) * f64::from(stage.dt))
}

/// Rides of both solvers in every world.
fn measure() -> Result<Vec<Ride>, ProvingError> {
    let worlds = WorldKind::all().iter();
    let rides = worlds.flat_map(|world| SOLVERS.map(|solver| Ride::measure(*world, solver)));
    rides.collect()
}

fn table(rides: &[Ride]) -> ReportTable {
    let turns = f64::from(TURN * WATCH) / core::f64::consts::TAU;
    let rows = rides.chunks(SOLVERS.len()).map(|pair| {
        let drift = pair.iter().map(|ride| format!("{:.3}", ride.most()));
        let world = format!("{:?}", pair[0].world).to_lowercase();
        core::iter::once(world).chain(drift).collect()
    });
    let title = format!("drift in {turns:.1} turns [mm]");
    ReportTable {
        rows: rows.collect(),
        head: vec![title, "rows".to_owned(), "explicit".to_owned()],
    }
}

fn plan(pair: &[Ride]) -> String {
    let radius = 1.45 * ARM;
    let window = Window {
        low: DVec2::splat(-radius),
        size: DVec2::splat(2.0 * radius),
    };
    let curve = |ride: &Ride| ChartCurve {
        dashed: ride.explicit(),
        width: if ride.explicit() { 2.0 } else { 4.0 },
        ..ChartCurve::new(name(ride), ride.color(), ride.path.clone())
    };
    let end = |ride: &Ride| ride.path.last().copied().unwrap_or_default();
    let pin = |ride: &Ride| Pin {
        at: end(ride),
        color: ride.color(),
        text: String::new(),
    };
    let middle = Pin {
        at: DVec2::ZERO,
        color: 4,
        text: "middle".to_owned(),
    };
    let shape = |ride: &Ride| outline(&ride.car, end(ride), ride.heading);
    Plan {
        title: format!("{:?}", pair[0].world),
        how: "The path of the center of mass in the world, and the car at the end.".to_owned(),
        window,
        curves: pair.iter().map(curve).collect(),
        shapes: pair.iter().map(shape).collect(),
        pins: pair.iter().map(pin).chain([middle]).collect(),
    }
    .html()
}

fn name(ride: &Ride) -> &'static str {
    if ride.explicit() {
        "explicit solver"
    } else {
        "rows solver"
    }
}

fn chart(pair: &[Ride]) -> String {
    let curve = |ride: &Ride| ChartCurve {
        dashed: ride.explicit(),
        ..ChartCurve::new(name(ride), ride.color(), ride.drift.clone())
    };
    Chart {
        title: format!("{:?}", pair[0].world),
        unit: "drift on the table, mm",
        how: String::new(),
        curves: pair.iter().map(curve).collect(),
        scale: Scale::Decades(-3, 3),
        goal: Some((GOAL, "goal: 0.5 mm")),
        words: Vec::new(),
        height: 230,
    }
    .html()
}

fn sheet(rides: &[Ride], table: &ReportTable) -> Sheet {
    let each = |draw: fn(&[Ride]) -> String| {
        let pairs = rides.chunks(SOLVERS.len());
        pairs.map(draw).collect::<Vec<_>>()
    };
    Sheet {
        brand: "jounce example: turntable".to_owned(),
        title: "A car on a turntable".to_owned(),
        what: "A sedan stands braked on a turntable that turns to the left, its nose to the middle. Seen from the world it \
               goes round in circles; seen from the table it should stay where it is, pushed \
               outwards by a fifth of its weight. The table gets up to speed within 2 s; the clock \
               starts 1 s later. With the key solver = \"explicit\", which holds a car as PhysX does, \
               the circle becomes a spiral."
            .to_owned(),
        facts: vec![
            ("from the middle", format!("{ARM} m")),
            ("turning", format!("{TURN} rad/s")),
            ("step", format!("1/{RATE} s")),
            ("watched", format!("{WATCH} s")),
        ],
        sections: vec![
            heading("Seen from the world"),
            abreast(&each(plan)),
            heading("Seen from the table"),
            abreast(&each(chart)),
            note("The scale is logarithmic: each line up is ten times as far."),
            heading("Figures"),
            table.html(),
        ],
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let rides = measure()?;
    let table = table(&rides);
    let path = sheet(&rides, &table).save(Path::new("out"), "turntable.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_rows_the_car_stays_on_its_circle_and_an_explicit_one_does_not() {
        let rides = measure().unwrap();
        assert_eq!(rides.len(), 2 * WorldKind::all().len());
        for ride in &rides {
            let drift = ride.most();
            assert_eq!(drift < GOAL, !ride.explicit(), "{:?}: {drift}", ride.world);
            assert_eq!(drift > 100.0, ride.explicit(), "{:?}: {drift}", ride.world);
        }
        let html = sheet(&rides, &table(&rides)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
