//! Three braked cars on the bed of a truck that drives off, turns and brakes, on Rapier:
//! `cargo run --release -p jounce-lab --example loaded`.
//!
//! Writes `out/loaded.html`.

use core::error::Error;
use core::f32::consts::TAU;
use std::path::Path;

use glam::{DVec2, Vec3};
use jounce::core::{Air, CarCommand, Command, Environment, Fleet, Frame, Gear, Surfaces, Vehicle};
use jounce::file::Car;
use jounce::presets;
use jounce::rapier::{RapierLink, RapierWorld, body_handle};
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Scale, Sheet, Window, heading, note, outline,
    profile,
};
use proving_ground::stage::{FLAT_OUT, FREE, GRAVITY, steps, without_aids};
use rapier3d::prelude::*;

/// Rate of the world (`Hz`).
const RATE: f32 = 120.0;
/// Axes of every body in the engine.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// The springs take up the load, then the clock starts: full throttle, a bend to the left and one to the right,
/// full braking (`s`).
const SETTLING: f32 = 5.0;
const LAUNCH: f32 = 10.0;
const BENDS: f32 = 14.0;
const DRIVE: f32 = 30.0;
/// Steering of the driver in the bends (–).
const STEER: f32 = 0.45;
const TRUCK: &str = "eighteen-wheeler";
/// The cars, and where they stand along the bed (`m`, ahead of the truck's origin).
const CARS: [(&str, f32); 3] = [("sedan", 1.7), ("sports-car", -3.1), ("hatchback", -7.6)];
const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
/// The cars' commands: they have their handbrakes on, too.
const PARKED: CarCommand = CarCommand {
    handbrake: 1.0,
    ..BRAKED
};
const SOLVERS: [&str; 2] = ["rows", "explicit"];
/// Height of the bed (`m`).
const BED: f32 = 1.2;
/// The truck as the engine sees it, bed and cab: corners of boxes (`m`, from its origin).
const BOXES: [[Vec3; 2]; 2] = [
    [Vec3::new(-10.2, -1.25, 0.8), Vec3::new(4.3, 1.25, BED)],
    [Vec3::new(4.4, -1.25, 0.8), Vec3::new(6.8, 1.25, 3.9)],
];
/// Goal for how far a car has moved on the bed once the truck stands again (`mm`).
const GOAL: f64 = 1.0;

/// Command of the truck's driver at a time (`s`).
fn drive(time: f32) -> CarCommand {
    let bends = (time - LAUNCH) / BENDS;
    match bends {
        ..0.0 => FLAT_OUT,
        0.0..1.0 => CarCommand {
            throttle: 0.5,
            steer: -STEER * libm::sinf(bends * TAU),
            ..FLAT_OUT
        },
        _ => BRAKED,
    }
}

/// A road with a truck and its load.
struct Road {
    physics: PhysicsWorld,
    link: RapierLink,
    fleet: Fleet,
}

impl Road {
    fn new() -> Self {
        let mut physics = PhysicsWorld::new();
        physics.gravity = GRAVITY;
        physics.integration_parameters.dt = 1.0 / RATE;
        physics.insert_collider(
            ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
            None,
        );
        let mut link = RapierLink::new(FRAME);
        // By default, wheels do not see other vehicles.
        link.options.drive_on_vehicles = true;
        Self {
            physics,
            link,
            fleet: Fleet::new(),
        }
    }

    /// A vehicle with its origin at `place`, in first gear, made of these boxes.
    fn put(&mut self, car: &Car, place: Vec3, boxes: &[[Vec3; 2]]) -> Result<(), Box<dyn Error>> {
        let physics = &mut self.physics;
        let body = physics.insert_body(RigidBodyBuilder::dynamic().translation(place));
        for &[from, to] in boxes {
            let half = 0.5 * (to - from);
            let solid = ColliderBuilder::cuboid(half.x, half.y, half.z).translation(from + half);
            physics.insert_collider(solid, Some(body));
        }
        let chassis = self.link.attach(physics, body, car)?;
        let mut vehicle = Vehicle::new(car.model(), chassis);
        vehicle.state_mut().drive.force_gear(Gear::FIRST);
        self.fleet.push(vehicle);
        Ok(())
    }

    /// One step in which the truck, the first of the fleet, gets this command; the cars stand braked.
    fn step(&mut self, truck: CarCommand) -> Result<(), Box<dyn Error>> {
        let mut commands = [Command::Car(PARKED); CARS.len() + 1];
        commands[0] = Command::Car(truck);
        let dt = self.physics.integration_parameters.dt;
        let mut view = RapierWorld::of(&mut self.link, &mut self.physics);
        let environment = Environment {
            gravity: GRAVITY,
            surfaces: &Surfaces::new(),
            air: Air::STILL,
        };
        self.fleet.step(&mut view, &commands, &environment, dt)?;
        self.physics.step();
        self.link.end_step(&mut self.physics.bodies);
        Ok(())
    }

    fn body(&self, vehicle: usize) -> &RigidBody {
        &self.physics.bodies[body_handle(self.fleet.vehicles()[vehicle].body())]
    }

    /// Center of mass of a vehicle (`m`), and its heading to the left of +x (`rad`).
    fn place(&self, vehicle: usize) -> (DVec2, f64) {
        let body = self.body(vehicle);
        let ahead = *body.rotation() * Vec3::X;
        let place = body.center_of_mass().as_dvec3().truncate();
        (place, f64::from(ahead.y).atan2(ahead.x.into()))
    }

    /// The point on the bed that a car stands over (`m`, from the truck's origin, in its axes).
    fn seat(&self, car: usize) -> DVec2 {
        let truck = self.body(0).position();
        let seat = truck.inverse_transform_point(self.body(car + 1).translation());
        seat.as_dvec3().truncate()
    }
}

/// Truck and cars after a step.
struct Moment {
    time: f64,
    /// Centers of mass (`m`) and headings, to the left of +x (`rad`); the truck is the first.
    places: Vec<(DVec2, f64)>,
    /// The truck's speed (`m/s`).
    speed: f32,
    /// Distance of each car from its first position on the bed (`mm`).
    moved: Vec<f64>,
}

/// A drive of truck and cars.
struct Haul {
    /// Solver of the cars; the truck has rows.
    solver: &'static str,
    vehicles: Vec<Car>,
    moments: Vec<Moment>,
}

impl Haul {
    fn measure(solver: &'static str) -> Result<Self, Box<dyn Error>> {
        let mut vehicles = vec![presets::load(TRUCK)?];
        let mut road = Road::new();
        road.put(&vehicles[0], Vec3::ZERO, &BOXES)?;
        for (name, ahead) in CARS {
            let car = without_aids(name)?.with("solver", solver)?;
            road.put(&car, Vec3::new(ahead, 0.0, BED), &[hull(&car)])?;
            vehicles.push(car);
        }
        for _ in 0..steps(SETTLING, RATE) {
            road.step(BRAKED)?;
        }
        let stood: Vec<DVec2> = (0..CARS.len()).map(|car| road.seat(car)).collect();
        let mut moments = Vec::new();
        for n in 0..steps(DRIVE, RATE) {
            let time = n as f32 / RATE;
            road.step(drive(time))?;
            let seats = stood.iter().enumerate();
            let moved = seats.map(|(car, stood)| 1000.0 * road.seat(car).distance(*stood));
            moments.push(Moment {
                time: time.into(),
                places: (0..vehicles.len()).map(|n| road.place(n)).collect(),
                speed: road.body(0).linvel().length(),
                moved: moved.collect(),
            });
        }
        Ok(Self {
            solver,
            vehicles,
            moments,
        })
    }

    /// The truck's highest speed (`m/s`).
    fn fastest(&self) -> f32 {
        let speeds = self.moments.iter().map(|moment| moment.speed);
        speeds.fold(0.0, f32::max)
    }

    fn last(&self) -> &Moment {
        &self.moments[self.moments.len() - 1]
    }

    /// The most that a car is ever away from where it stood on the bed (`mm`): springs and tires yield.
    fn most(&self, car: usize) -> f64 {
        let moved = self.moments.iter().map(|moment| moment.moved[car]);
        moved.fold(0.0, f64::max)
    }

    fn curve(&self, car: usize) -> ChartCurve {
        let points = self.moments.iter().step_by(4);
        let dashed = self.solver == "explicit";
        ChartCurve {
            dashed,
            ..ChartCurve::new(
                if dashed { "" } else { CARS[car].0 },
                [0, 1, 4][car],
                points.map(|m| DVec2::new(m.time, m.moved[car])).collect(),
            )
        }
    }
}

/// The body of a car as a box: two corners (`m`, from its origin).
fn hull(car: &Car) -> [Vec3; 2] {
    let (middle, half) = (car.hull.center, 0.5 * car.hull.size);
    [middle - half, middle + half]
}

fn table(hauls: &[Haul]) -> ReportTable {
    let mut head = vec!["moved on the bed [mm]".to_owned()];
    for solver in SOLVERS {
        head.push(format!("{solver}: most on the way"));
        head.push(format!("{solver}: when it stands again"));
    }
    let row = |car: usize| {
        let cells = hauls
            .iter()
            .flat_map(|haul| [haul.most(car), haul.last().moved[car]]);
        let cells = cells.map(|moved| format!("{moved:.2}"));
        core::iter::once(CARS[car].0.to_owned())
            .chain(cells)
            .collect()
    };
    ReportTable {
        rows: (0..CARS.len()).map(row).collect(),
        head,
    }
}

/// Truck and cars from the side.
fn side(haul: &Haul) -> String {
    let mut shapes = profile(&haul.vehicles[0], &BOXES, DVec2::ZERO, 0.0);
    let mut pins = Vec::new();
    for (car, (name, ahead)) in haul.vehicles[1..].iter().zip(CARS) {
        let place = DVec2::new(ahead.into(), BED.into());
        shapes.extend(profile(car, &[hull(car)], place, 0.0));
        pins.push(Pin {
            at: place + DVec2::Y * f64::from(hull(car)[1].z),
            color: 5,
            text: name.to_owned(),
        });
    }
    Plan {
        title: "From the side".to_owned(),
        how: "Each car stands on its own tires, braked; nothing else holds it.".to_owned(),
        window: Window {
            low: DVec2::new(-11.5, -1.0),
            size: DVec2::new(20.0, 5.5),
        },
        curves: Vec::new(),
        shapes,
        pins,
    }
    .html()
}

/// The drive from above: truck and cars every few seconds.
fn plan(haul: &Haul) -> String {
    let path: Vec<DVec2> = haul.moments.iter().map(|m| m.places[0].0).collect();
    let window = Window::around(path.iter().copied()).expect("it drives");
    let shown = haul
        .moments
        .iter()
        .step_by(steps(3.0, RATE))
        .chain([haul.last()]);
    let shapes = shown.flat_map(|m| {
        let vehicles = haul.vehicles.iter().zip(&m.places);
        vehicles.map(|(car, (place, heading))| outline(car, *place, *heading))
    });
    Plan {
        title: "From above".to_owned(),
        how: "Every 3 s, and at the end.".to_owned(),
        window: window.resized(window.size + DVec2::splat(30.0)),
        shapes: shapes.collect(),
        curves: vec![ChartCurve::new("truck", 0, path)],
        pins: Vec::new(),
    }
    .html()
}

fn sheet(hauls: &[Haul], table: &ReportTable) -> Sheet {
    let moved = Chart {
        title: "Moved on the bed".to_owned(),
        unit: "mm",
        how: "Between each car and its place on the bed; the scale is logarithmic.".to_owned(),
        curves: (hauls.iter())
            .flat_map(|haul| (0..CARS.len()).map(|car| haul.curve(car)))
            .collect(),
        scale: Scale::Decades(-2, 3),
        goal: Some((GOAL, "1 mm")),
        words: vec![
            (DVec2::new(5.0, 500.0), "full throttle"),
            (DVec2::new(13.5, 500.0), "left"),
            (DVec2::new(20.5, 500.0), "right"),
            (DVec2::new(25.5, 500.0), "brakes"),
            (DVec2::new(15.0, 60.0), "dashed: explicit solver"),
            (DVec2::new(15.0, 7.0), "solid: rows solver"),
        ],
        height: 260,
    };
    Sheet {
        brand: "jounce example: loaded".to_owned(),
        title: "A truck loaded with cars".to_owned(),
        what: "Three braked cars stand on the bed of a truck on their own tires. The truck drives off, \
               takes a bend to the left and one to the right, and brakes to a standstill; the cars stay \
               where they were. In Rapier, all four are vehicles of one fleet: the cars' wheels stand on the \
               truck's collider, and the truck's springs feel their weight. With the key solver = \
               \"explicit\", which holds a car as PhysX does, the cars slide."
            .to_owned(),
        facts: vec![
            ("world", "rapier".to_owned()),
            ("step", format!("1/{RATE} s")),
            ("truck", TRUCK.to_owned()),
            ("fastest", format!("{:.0} m/s", hauls[0].fastest())),
        ],
        sections: vec![
            heading("The truck and its load"),
            side(&hauls[0]),
            plan(&hauls[0]),
            moved.html(),
            heading("Figures"),
            table.html(),
            note(
                "On the way, springs and tires of the cars yield by millimeters. What counts is where \
                 they stand once the truck stands again.",
            ),
        ],
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let hauls = SOLVERS.map(Haul::measure);
    let hauls: Vec<Haul> = hauls.into_iter().collect::<Result<_, _>>()?;
    let table = table(&hauls);
    let path = sheet(&hauls, &table).save(Path::new("out"), "loaded.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_rows_cars_stay_where_they_were_on_the_bed_and_explicit_ones_do_not() {
        let hauls: Vec<Haul> = SOLVERS.map(|solver| Haul::measure(solver).unwrap()).into();
        for haul in &hauls {
            assert!(haul.fastest() > 10.0, "{} m/s", haul.fastest());
            assert!(haul.last().speed < 0.1, "{} m/s", haul.last().speed);
            for (car, (name, _)) in CARS.iter().enumerate() {
                let (most, end) = (haul.most(car), haul.last().moved[car]);
                // Measured tires yield by centimeters on the way.
                let stays = most < 30.0 && end < GOAL;
                assert_eq!(stays, haul.solver == "rows", "{name}: {most} mm, {end} mm");
            }
        }
        let html = sheet(&hauls, &table(&hauls)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
