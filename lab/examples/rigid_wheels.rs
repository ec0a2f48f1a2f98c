//! One car on rays, on swept wheels, on constraints, and on wheels that are bodies on joints:
//! `cargo run --release -p jounce-lab --example rigid_wheels`.
//!
//! Writes `out/rigid_wheels.html`.

use std::path::Path;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::{BodyState, CarCommand};
use jounce::file::{Car, WheelKind};
use jounce::presets;
use jounce::scene::{Axes, Steps};
use jounce_lab::report::{Chart, ChartCurve, Plan, ReportTable, Sheet, Window, heading};
use proving_ground::ProvingError;
use proving_ground::car::on_constraints;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::jointed::JointedStage;
use proving_ground::stage::{FLAT_OUT, FREE, Scene, Stage, car_with, steps};
use proving_ground::world::{self, WorldKind};

const RATE: f32 = 60.0;
const DT: f32 = 1.0 / RATE;
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
/// Height, depth (`m`) and number of the stairs.
const STAIRS: (f64, f64, u32) = (0.17, 0.3, 6);

/// The car as its file says.
enum Ride {
    Probing(Box<Stage>),
    Rigid(Box<JointedStage>),
}

impl Ride {
    fn new(
        kind: WorldKind,
        terrain: &Terrain,
        car: &Car,
        scene: &Scene,
    ) -> Result<Self, ProvingError> {
        let world = world::open(kind, terrain, DT)?;
        Ok(match car.wheels {
            WheelKind::Probes => {
                Self::Probing(Box::new(Stage::put(world, terrain, car, scene, DT)?))
            }
            WheelKind::Jointed => {
                Self::Rigid(Box::new(JointedStage::put(world, terrain, car, scene, DT)?))
            }
        })
    }

    fn step(&mut self, command: &CarCommand) -> Result<(), ProvingError> {
        match self {
            Self::Probing(stage) => stage.step(command),
            Self::Rigid(stage) => stage.step(command),
        }
    }

    fn body(&self) -> Result<BodyState, ProvingError> {
        match self {
            Self::Probing(stage) => stage.body(),
            Self::Rigid(stage) => stage.body(),
        }
    }

    fn position(&self) -> Result<DVec3, ProvingError> {
        match self {
            Self::Probing(stage) => stage.position(),
            Self::Rigid(stage) => stage.position(),
        }
    }

    fn speed(&self) -> Result<f32, ProvingError> {
        Ok(self.body()?.linear_velocity.length())
    }
}

/// Drive of one car in one world.
struct Drive {
    world: WorldKind,
    car: &'static str,
    /// Path of the car (`m`); `speed` (`m/s`) and `height` on the stairs (`m`) are over time (`s`).
    path: Vec<DVec2>,
    speed: Vec<DVec2>,
    height: Vec<DVec2>,
    /// Way in 10 s on a slope of 20° (`mm`), and from 100 km/h (`m`).
    parked: f64,
    braked: f64,
}

fn cars() -> Result<[(&'static str, Car); 4], ProvingError> {
    let sweep: toml::Table = toml::Table::new();
    Ok([
        ("rays", presets::sedan()),
        ("sweeps", car_with("sedan", "sweep", sweep)?),
        ("constraints", on_constraints("sedan", 1.4, 0.4)?),
        ("rigid wheels", car_with("sedan", "wheels", "rigid")?),
    ])
}

/// Accelerates, goes through a slalom, and brakes.
fn tour(ride: &mut Ride) -> Result<[Vec<DVec2>; 2], ProvingError> {
    let (mut path, mut speed) = (Vec::new(), Vec::new());
    for step in 0..steps(14.0, RATE) {
        let time = step as f32 * DT;
        let aside = ride.position()?.y;
        let ahead = ride.body()?.rotation * Vec3::X;
        let course = 1.5 * (ride.position()?.x * core::f64::consts::TAU / 40.0).sin();
        let steer = (0.15 * (aside - course) as f32 + 0.8 * ahead.y).clamp(-0.3, 0.3);
        let command = match time {
            time if time < 3.0 => FLAT_OUT,
            time if time < 11.0 => CarCommand { steer, ..FREE },
            _ => BRAKED,
        };
        ride.step(&command)?;
        path.push(ride.position()?.truncate());
        speed.push(DVec2::new(time.into(), ride.speed()?.into()));
    }
    Ok([path, speed])
}

/// Climbs the stairs at some 5 m/s.
fn climb(ride: &mut Ride) -> Result<Vec<DVec2>, ProvingError> {
    let mut height = Vec::new();
    for step in 0..steps(10.0, RATE) {
        let throttle = if ride.speed()? < 5.0 { 1.0 } else { 0.0 };
        ride.step(&CarCommand { throttle, ..FREE })?;
        height.push(DVec2::new(f64::from(step as f32 * DT), ride.position()?.z));
    }
    Ok(height)
}

/// Way in 10 s after 3 s of settling (`mm`).
fn park(ride: &mut Ride) -> Result<f64, ProvingError> {
    (0..steps(3.0, RATE)).try_for_each(|_| ride.step(&BRAKED))?;
    let stood = ride.position()?;
    (0..steps(10.0, RATE)).try_for_each(|_| ride.step(&BRAKED))?;
    Ok(1000.0 * ride.position()?.distance(stood))
}

/// Way from 100 km/h (`m`).
fn brake(ride: &mut Ride) -> Result<f64, ProvingError> {
    while ride.speed()? < 100.0 / 3.6 {
        ride.step(&FLAT_OUT)?;
    }
    let start = ride.position()?;
    (0..steps(6.0, RATE)).try_for_each(|_| ride.step(&BRAKED))?;
    Ok(ride.position()?.distance(start))
}

fn drive(world: WorldKind, name: &'static str, car: &Car) -> Result<Drive, ProvingError> {
    let flat = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let slope = Terrain::new(&GroundSpec::Slope(20.0), MeshUp::Z)?;
    let (rise, depth, count) = STAIRS;
    let stairs = Steps::new(Axes::Z_UP, DVec3::X * 12.0, rise, depth, count)?;
    let stairs = Terrain::triangles("six stairs".to_owned(), stairs.triangles(200.0))?;
    let on = |terrain: &Terrain| Ride::new(world, terrain, car, &Scene::IN_FIRST);
    let [path, speed] = tour(&mut on(&flat)?)?;
    Ok(Drive {
        world,
        car: name,
        path,
        speed,
        height: climb(&mut on(&stairs)?)?,
        parked: park(&mut on(&slope)?)?,
        braked: brake(&mut on(&flat)?)?,
    })
}

fn curves(drives: &[&Drive], of: fn(&Drive) -> &Vec<DVec2>) -> Vec<ChartCurve> {
    let drives = drives.iter().enumerate();
    let curve = |(n, drive): (usize, &&Drive)| {
        ChartCurve::new(drive.car, [0, 1, 2, 4][n], of(drive).clone())
    };
    drives.map(curve).collect()
}

fn sections(world: WorldKind, drives: &[&Drive]) -> Vec<String> {
    let paths = drives.iter().flat_map(|drive| drive.path.iter().copied());
    let plan = Window::around(paths).map(|window| Plan {
        title: "The way, from above".to_owned(),
        how: "Full throttle for 3 s, a slalom, brakes from 11 s on.".to_owned(),
        window,
        curves: curves(drives, |drive| &drive.path),
        shapes: Vec::new(),
        pins: Vec::new(),
    });
    let chart = |title, unit, curves| Chart::plain(title, unit, "", curves).html();
    vec![
        heading(world.name()),
        plan.map_or_else(String::new, |plan| plan.html()),
        chart("Speed", "m/s", curves(drives, |drive| &drive.speed)),
        chart(
            "Height on six stairs of 17 cm",
            "m",
            curves(drives, |drive| &drive.height),
        ),
    ]
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let mut drives = Vec::new();
    for &world in WorldKind::all() {
        for (name, car) in &cars()? {
            drives.push(drive(world, name, car)?);
        }
    }
    let row = |drive: &Drive| {
        let figures = [drive.parked, drive.braked].map(|figure| format!("{figure:.2}"));
        let name = format!("{}, {}", drive.world.name(), drive.car);
        [vec![name], figures.to_vec()].concat()
    };
    let table = ReportTable {
        head: [
            "",
            "parked on 20°: way in 10 s [mm]",
            "way from 100 km/h [m]",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: drives.iter().map(row).collect(),
    };
    for row in &table.rows {
        println!("{}", row.join("  "));
    }
    let mut all = Vec::new();
    for &world in WorldKind::all() {
        let of_world: Vec<_> = drives.iter().filter(|drive| drive.world == world).collect();
        all.extend(sections(world, &of_world));
    }
    all.extend([heading("Figures"), table.html()]);
    let sheet = Sheet {
        brand: "jounce example: rigid_wheels".to_owned(),
        title: "Rays, sweeps, constraints, and wheels that are bodies".to_owned(),
        what: "One sedan four times: its wheels probe the ground with rays, are swept, stand on constraints (tires that \
               stick or slide, struts that hold their design position), or, with the key wheels = \"rigid\", are bodies \
               on the engine's joints, where springs, stops, friction and contact are the engine's. Rigid wheels climb \
               what they run into; the other cars stop there; only rays and sweeps have a tire's slip."
            .to_owned(),
        facts: vec![("rate", "60 Hz".to_owned()), ("slope", "20°".to_owned())],
        sections: all,
    };
    println!(
        "{}",
        sheet.save(Path::new("out"), "rigid_wheels.html")?.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigid_wheels_park_brake_and_climb_as_their_file_says() -> Result<(), ProvingError> {
        for &world in WorldKind::all() {
            let all = cars()?;
            assert_eq!(
                all.each_ref()
                    .map(|(_, car)| car.wheels == WheelKind::Jointed),
                [false, false, false, true]
            );
            let [rays, _, constraints, rigid] = all;
            let constraints = drive(world, constraints.0, &constraints.1)?;
            assert!(constraints.parked < 0.5, "{} mm", constraints.parked);
            let rays = drive(world, rays.0, &rays.1)?;
            let rigid = drive(world, rigid.0, &rigid.1)?;
            assert!(rigid.parked < 10.0, "{} mm", rigid.parked);
            assert!(
                (rigid.braked / rays.braked - 1.0).abs() < 0.05,
                "{} m",
                rigid.braked
            );
            let climbed = rigid.height[599].y - rigid.height[0].y;
            assert!((climbed - 6.0 * STAIRS.0).abs() < 0.1, "{climbed} m");
        }
        Ok(())
    }
}
