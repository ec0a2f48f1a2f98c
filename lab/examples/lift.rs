//! A car on a platform that lifts it by its wheels, and on a hoist that lifts it by its body, on
//! Rapier: `cargo run --release -p jounce-lab --example lift`.
//!
//! Writes `out/lift.html`.

use core::error::Error;
use std::path::Path;

use glam::{DVec2, DVec3, Vec3};
use jounce::core::{Air, CarCommand, Command, Environment, Frame, Surfaces, Vehicle, step};
use jounce::file::Car;
use jounce::presets;
use jounce::rapier::{RapierLink, RapierWorld};
use jounce_lab::report::{
    Chart, ChartCurve, Plan, ReportTable, Scale, Sheet, Window, abreast, heading, profile,
};
use proving_ground::stage::{FREE, GRAVITY, steps};
use rapier3d::prelude::*;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Axes of the car's body in the engine.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;
/// Durations of the phases (`s`). The car settles, then the clock starts: it is lifted, held up, put down again, and stands.
const SETTLING: f32 = 3.0;
const MOVING: f32 = 5.0;
const HELD: f32 = 5.0;
const STANDING: f32 = 5.0;
const END: f32 = 2.0 * MOVING + HELD + STANDING;
/// Greatest rise of the lift (`m`).
const HEIGHT: f32 = 1.8;
/// Goal for the distance of the car from its first position (`mm`).
const GOAL: f64 = 0.2;
/// Out of gear, handbrake pulled.
const PARKED: CarCommand = CarCommand {
    handbrake: 1.0,
    ..FREE
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lift {
    Platform,
    Hoist,
}

impl Lift {
    const BOTH: [Self; 2] = [Self::Platform, Self::Hoist];

    /// Boxes of the lift (corners in `m`): a slab on the floor, or four arms below the sills.
    fn boxes(self, car: &Car) -> Vec<[Vec3; 2]> {
        let solid = |center: Vec3, half: Vec3| [center - half, center + half];
        if self == Self::Platform {
            return vec![solid(Vec3::Z * 0.05, Vec3::new(2.6, 1.3, 0.05))];
        }
        let arms = [(0.7, 0.8), (0.7, -0.8), (-0.7, 0.8), (-0.7, -0.8)];
        let below = hull(car)[0].z - 0.1;
        let arms = arms.map(|(x, y)| solid(Vec3::new(x, y, below), Vec3::new(0.25, 0.3, 0.05)));
        arms.to_vec()
    }

    /// Height of the surface below the car's wheels (`m`).
    fn floor(self) -> f32 {
        if self == Self::Platform { 0.1 } else { 0.0 }
    }

    fn name(self) -> &'static str {
        if self == Self::Platform {
            "platform"
        } else {
            "hoist"
        }
    }
}

/// Rise of the lift at a time (`m`).
fn risen(time: f32) -> f32 {
    let part = time.min(2.0 * MOVING + HELD - time) / MOVING;
    let part = part.clamp(0.0, 1.0);
    HEIGHT * part * part * (3.0 - 2.0 * part)
}

/// The body of a car as a box: two corners (`m`, from its origin).
fn hull(car: &Car) -> [Vec3; 2] {
    let (middle, half) = (car.hull.center, 0.5 * car.hull.size);
    [middle - half, middle + half]
}

fn collider([from, to]: [Vec3; 2]) -> ColliderBuilder {
    let half = 0.5 * (to - from);
    ColliderBuilder::cuboid(half.x, half.y, half.z).translation(from + half)
}

/// The car after a step.
#[derive(Clone, Copy)]
struct Moment {
    /// Since the clock started (`s`).
    time: f32,
    /// Origin of the car (`m`).
    place: DVec3,
    /// Load on all wheels (`N`).
    load: f32,
    /// Jounce of the front left wheel (`m`).
    jounce: f32,
}

/// The car is lifted, held and put down.
fn lifted(car: &Car, lift: Lift) -> Result<Vec<Moment>, Box<dyn Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = GRAVITY;
    world.integration_parameters.dt = 1.0 / RATE;
    world.insert_collider(
        ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
        None,
    );
    let device = world.insert_body(RigidBodyBuilder::kinematic_position_based());
    for solid in lift.boxes(car) {
        world.insert_collider(collider(solid), Some(device));
    }
    let standing = Vec3::Z * lift.floor();
    let body = RigidBodyBuilder::dynamic().translation(standing);
    let body = world.insert_body(body.can_sleep(false));
    world.insert_collider(collider(hull(car)), Some(body));

    let mut link = RapierLink::new(FRAME);
    let chassis = link.attach(&mut world, body, car)?;

    let (mut vehicle, dt) = (Vehicle::new(car.model(), chassis), 1.0 / RATE);
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &Surfaces::new(),
        air: Air::STILL,
    };
    let mut moments = Vec::new();
    for n in 0..steps(SETTLING + END, RATE) {
        let time = (n + 1) as f32 * dt - SETTLING;
        world.bodies[device].set_next_kinematic_translation(Vec3::Z * risen(time));
        let mut view = RapierWorld::of(&mut link, &mut world);
        let parked = Command::Car(PARKED);
        step(&mut vehicle, &mut view, &parked, &environment, dt)?;
        world.step();
        link.end_step(&mut world.bodies);
        let wheels = (0..vehicle.model().wheel_count()).map(|n| vehicle.wheel_report(n));
        moments.push(Moment {
            time,
            place: world.bodies[body].translation().as_dvec3(),
            load: wheels.map(|wheel| wheel.load).sum(),
            jounce: vehicle.wheel_report(0).jounce,
        });
    }
    Ok(moments)
}

/// A car's stay on a lift.
struct Visit {
    lift: Lift,
    /// State of the car as the clock started; `moments` has those since.
    stood: Moment,
    moments: Vec<Moment>,
}

impl Visit {
    fn measure(car: &Car, lift: Lift) -> Result<Self, Box<dyn Error>> {
        let mut settling = lifted(car, lift)?;
        let moments = settling.split_off(steps(SETTLING, RATE));
        Ok(Self {
            lift,
            stood: settling[settling.len() - 1],
            moments,
        })
    }

    /// State of the car after it has been up for a while.
    fn held(&self) -> &Moment {
        &self.moments[steps(MOVING + 0.9 * HELD, RATE)]
    }

    /// Horizontal distance of the car from its first position (`mm`).
    fn aside(&self, moment: &Moment) -> f64 {
        1000.0 * (moment.place - self.stood.place).truncate().length()
    }

    /// Distance of the car at the end from its first position, in any direction (`mm`).
    fn left(&self) -> f64 {
        let last = self.moments[self.moments.len() - 1];
        1000.0 * last.place.distance(self.stood.place)
    }

    /// Greatest horizontal distance of the car from its first position (`mm`).
    fn most(&self) -> f64 {
        let aside = self.moments.iter().map(|moment| self.aside(moment));
        aside.fold(0.0, f64::max)
    }

    fn curve(&self, value: impl Fn(&Moment) -> f64) -> ChartCurve {
        let points = self.moments.iter();
        let points = points.map(|m| DVec2::new(m.time.into(), value(m)));
        let color = usize::from(self.lift == Lift::Hoist);
        ChartCurve::new(self.lift.name(), color, points.collect())
    }
}

fn table(visits: &[Visit]) -> ReportTable {
    let head = [
        "lift",
        "held: body risen [m]",
        "held: wheels hang down by [mm]",
        "held: on the wheels [kN]",
        "most sideways [mm]",
        "put down: from where it stood [mm]",
    ];
    let row = |visit: &Visit| {
        let held = visit.held();
        vec![
            visit.lift.name().to_owned(),
            format!("{:.4}", held.place.z - visit.stood.place.z),
            format!("{:.1}", -1000.0 * held.jounce),
            format!("{:.2}", 1e-3 * held.load),
            format!("{:.3}", visit.most()),
            format!("{:.3}", visit.left()),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: visits.iter().map(row).collect(),
    }
}

/// Lift and car from the side, held.
fn side(car: &Car, visit: &Visit) -> String {
    let place = DVec2::new(visit.held().place.x, visit.held().place.z);
    let mut shapes = profile(car, &[hull(car)], place, visit.held().jounce);
    // The floor.
    shapes.push(vec![DVec2::NEG_X * 3.5, DVec2::X * 3.5]);
    let rise = Vec3::Z * HEIGHT;
    for [from, to] in visit.lift.boxes(car) {
        let corners = [from + rise, to + rise].map(|c| DVec2::new(c.x.into(), c.z.into()));
        let [low, high] = corners;
        let window = Window {
            low,
            size: high - low,
        };
        shapes.push(window.corners());
    }
    Plan {
        title: format!("On a {}", visit.lift.name()),
        how: "Held, from the side; below, the floor.".to_owned(),
        window: Window {
            low: DVec2::new(-3.5, -0.5),
            size: DVec2::new(7.0, 4.0),
        },
        curves: Vec::new(),
        shapes,
        pins: Vec::new(),
    }
    .html()
}

fn sheet(car: &Car, visits: &[Visit], table: &ReportTable) -> Sheet {
    let each = |value: &dyn Fn(&Visit, &Moment) -> f64| -> Vec<ChartCurve> {
        let curve = |visit: &Visit| visit.curve(|moment| value(visit, moment));
        visits.iter().map(curve).collect()
    };
    let plain = |title, unit, curves| Chart::plain(title, unit, "", curves).html();
    let aside = Chart {
        goal: Some((GOAL, "goal: 0.2 mm")),
        scale: Scale::Linear(GOAL),
        ..Chart::plain(
            "Sideways from where it stood",
            "mm",
            "",
            each(&|visit, m| visit.aside(m)),
        )
    };
    let sides: Vec<String> = visits.iter().map(|visit| side(car, visit)).collect();
    Sheet {
        brand: "jounce example: lift".to_owned(),
        title: "A car on a lift".to_owned(),
        what: "A sedan with its handbrake pulled is lifted, held and put down again: by a platform under its wheels, and \
               by the four arms of a hoist under its body, which is a collider of Rapier. On the platform its springs \
               carry it all the time; on the hoist the wheels hang down as far as their springs go. Then it \
               stands where it stood."
            .to_owned(),
        facts: vec![
            ("world", "rapier".to_owned()),
            ("step", format!("1/{RATE} s")),
            ("lifted by", format!("{HEIGHT} m")),
        ],
        sections: vec![
            abreast(&sides),
            plain("Height of the body", "m", each(&|visit, m| m.place.z - visit.stood.place.z)),
            plain("On the wheels", "kN", each(&|_, m| f64::from(1e-3 * m.load))),
            aside.html(),
            heading("Figures"),
            table.html(),
        ],
    }
}

fn measure(car: &Car) -> Result<Vec<Visit>, Box<dyn Error>> {
    let visits = Lift::BOTH.into_iter();
    visits.map(|lift| Visit::measure(car, lift)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = presets::sedan();
    let visits = measure(&car)?;
    let table = table(&visits);
    let path = sheet(&car, &visits, &table).save(Path::new("out"), "lift.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_car_that_was_lifted_stands_where_it_stood() {
        let car = presets::sedan();
        let visits = measure(&car).unwrap();
        for visit in &visits {
            let (most, left) = (visit.most(), visit.left());
            assert!(
                most < GOAL && left < GOAL,
                "{:?}: {most} mm, {left} mm",
                visit.lift
            );
        }
        let weight = f64::from(car.mass()) * 9.81;
        let [platform, hoist] = [&visits[0], &visits[1]].map(Visit::held);
        assert!(
            (f64::from(platform.load) / weight - 1.0).abs() < 1e-3,
            "{} N",
            platform.load
        );
        assert!((platform.place.z - f64::from(HEIGHT) - 0.1).abs() < 1e-4);
        let droop = car.model().params().wheels[0].suspension.max_droop;
        assert!(hoist.load == 0.0 && (hoist.jounce + droop).abs() < 1e-6);
        let html = sheet(&car, &visits, &table(&visits)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
