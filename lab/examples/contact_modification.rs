//! Swept wheels at a curb and at a wall on Rapier, with and without wheel colliders that share
//! their contacts with the suspension: `cargo run --release -p jounce-lab --example contact_modification`.
//!
//! Writes `out/contact_modification.html`.

use std::path::Path;

use glam::{DVec2, DVec3, Vec3};
use jounce::file::Car;
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Sheet, Window, abreast, heading, note,
};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, car_with, steps};
use proving_ground::world::WorldKind;
use proving_ground::world::{ColliderShape, ColliderSpec};

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Start and length of the obstacles (`m`).
const FOOT: f64 = 5.0;
const LENGTH: f64 = 12.0;
/// The car's approach speed (`m/s`), and the duration (`s`).
const SPEED: f32 = 5.0;
const WATCH: f32 = 1.5;

/// An obstacle.
#[derive(Clone, Copy)]
struct Obstacle {
    name: &'static str,
    /// (`m`)
    height: f64,
    /// Limit for points and normals: below it they belong to the suspension (`°`).
    angle: f64,
}

impl Obstacle {
    fn text(&self) -> String {
        format!("{} of {} m", self.name, self.height)
    }
}

const fn obstacle(name: &'static str, height: f64, angle: f64) -> Obstacle {
    Obstacle {
        name,
        height,
        angle,
    }
}

const OBSTACLES: [Obstacle; 4] = [
    obstacle("low curb", 0.06, 45.0),
    obstacle("high curb", 0.1, 45.0),
    obstacle("high curb", 0.1, 60.0),
    obstacle("wall", 1.5, 45.0),
];

/// The front left wheel after a step.
struct Moment {
    /// Center of the wheel in side view: forward and up (`m`).
    center: DVec2,
    /// Suspension force (`N`).
    suspension: f32,
    /// The car's speed ahead (`m/s`).
    speed: f32,
    /// Other longitudinal force [N]: tires and rigid contact.
    pushed: f32,
}

struct Run {
    obstacle: Obstacle,
    shares: bool,
    radius: f64,
    moments: Vec<Moment>,
}

impl Run {
    /// A car without a hull: only its wheels can stop it.
    fn measure(obstacle: Obstacle, shares: bool) -> Result<Self, ProvingError> {
        let mut sweep = toml::Table::new();
        for key in ["point_angle_deg", "normal_angle_deg"] {
            sweep.insert(key.to_owned(), obstacle.angle.into());
        }
        let car = &car_with("sedan", "sweep", sweep)?;
        let setup = Setup {
            world: WorldKind::Rapier,
            car,
        };
        let scene = Scene {
            speed: SPEED,
            hull: false,
            ..Scene::LEVEL
        };
        let mut stage = Stage::new(&setup, &scene, RATE)?;
        let half = DVec3::new(0.5 * LENGTH, 10.0, 0.5 * obstacle.height);
        let middle = DVec3::new(FOOT + half.x, 0.0, half.z);
        let shape = ColliderShape::Cuboid(half.as_vec3());
        stage
            .world
            .add_collider(&ColliderSpec::fixed(shape, middle))?;
        if shares {
            stage.add_wheels()?;
        }
        let mut before = SPEED;
        let step = |_| {
            stage.step(&FREE)?;
            let moment = moment(&stage, car, before)?;
            before = moment.speed;
            Ok(moment)
        };
        let moments: Result<_, ProvingError> = (0..steps(WATCH, RATE)).map(step).collect();
        Ok(Self {
            obstacle,
            shares,
            radius: car.model().params().wheels[0].radius.into(),
            moments: moments?,
        })
    }

    fn name(&self) -> &'static str {
        if self.shares {
            "shared contacts"
        } else {
            "suspension only"
        }
    }

    fn curve(&self, points: impl Iterator<Item = DVec2>) -> ChartCurve {
        ChartCurve {
            dashed: !self.shares,
            ..ChartCurve::new(self.name(), usize::from(!self.shares), points.collect())
        }
    }

    fn timed(&self, value: impl Fn(&Moment) -> f32) -> ChartCurve {
        let moments = self.moments.iter().enumerate();
        self.curve(moments.map(|(n, m)| DVec2::new(n as f64 / f64::from(RATE), value(m).into())))
    }

    /// Distance by which the rim passed the obstacle's face (`m`).
    fn beyond(&self) -> f64 {
        let most = self.moments.iter().map(|m| m.center.x);
        most.fold(0.0, f64::max) + self.radius - FOOT
    }

    /// The maximum rise of the wheel's center (`m`).
    fn climbed(&self) -> f64 {
        let heights = self.moments.iter().map(|m| m.center.y);
        heights.fold(0.0, f64::max) - self.moments[0].center.y
    }
}

fn moment(stage: &Stage, car: &Car, before: f32) -> Result<Moment, ProvingError> {
    let body = stage.body()?;
    let pose = stage.vehicle.unrolled_wheel_pose(0);
    let arm = body.rotation * (pose.position - car.center_of_mass());
    let center = body.position + arm.as_dvec3();
    let speed = body.linear_velocity.dot(body.rotation * Vec3::X);
    Ok(Moment {
        center: DVec2::new(center.x, center.z),
        suspension: stage.vehicle.wheel_report(0).suspension_force,
        speed,
        pushed: car.mass() * (before - speed) / stage.dt,
    })
}

/// Runs without and with shared contacts, at every obstacle.
fn measure() -> Result<Vec<[Run; 2]>, ProvingError> {
    let pair = |obstacle| {
        let runs = [false, true].map(|shares| Run::measure(obstacle, shares));
        let [alone, shared] = runs;
        Ok([alone?, shared?])
    };
    OBSTACLES.into_iter().map(pair).collect()
}

fn table(pairs: &[[Run; 2]]) -> ReportTable {
    let head = [
        "obstacle",
        "angles [°]",
        "contacts",
        "climbed [m]",
        "beyond its face [m]",
        "most on the strut [kN]",
        "most against the car [kN]",
        "speed at the end [m/s]",
    ];
    let row = |run: &Run| {
        let most = |value: fn(&Moment) -> f32| run.moments.iter().map(value).fold(0.0, f32::max);
        vec![
            run.obstacle.text(),
            format!("{}", run.obstacle.angle),
            run.name().to_owned(),
            format!("{:.3}", run.climbed()),
            format!("{:.3}", run.beyond()),
            format!("{:.1}", 1e-3 * most(|m| m.suspension)),
            format!("{:.1}", 1e-3 * most(|m| m.pushed)),
            format!("{:.2}", run.moments.last().map_or(f32::NAN, |m| m.speed)),
        ]
    };
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: pairs.iter().flatten().map(row).collect(),
    }
}

/// The rim about its center.
fn rim(run: &Run, center: DVec2) -> Vec<DVec2> {
    let angles = (0..36).map(|n| f64::from(n) * core::f64::consts::TAU / 36.0);
    let point = |angle| center + run.radius * DVec2::from_angle(angle);
    angles.map(point).collect()
}

fn side(pair: &[Run; 2]) -> String {
    let Obstacle { height, angle, .. } = pair[0].obstacle;
    let corners = [(0.0, 0.0), (0.0, height), (2.0, height), (2.0, 0.0)];
    let obstacle = corners.map(|(x, z)| DVec2::new(FOOT + x, z)).to_vec();
    let end = |run: &Run| run.moments.last().map_or(DVec2::ZERO, |m| m.center);
    let rims = pair
        .iter()
        .map(|run| rim(run, end(run).min(DVec2::new(FOOT + 2.0, 9.0))));
    let path = |run: &Run| {
        let centers = run.moments.iter().map(|m| m.center);
        run.curve(centers.filter(|c| c.x < FOOT + 2.0))
    };
    Plan {
        title: format!("The front wheel, angles of {angle}°"),
        how: "Seen from the side: the path of its center, and the rims at the end.".to_owned(),
        window: Window {
            low: DVec2::new(FOOT - 3.0, -0.2),
            size: DVec2::new(5.5, 2.2),
        },
        curves: pair.iter().map(path).collect(),
        shapes: rims.chain([obstacle]).collect(),
        pins: vec![Pin {
            at: DVec2::new(FOOT, height),
            color: 5,
            text: "edge".to_owned(),
        }],
    }
    .html()
}

fn chart(pair: &[Run; 2], title: &str, unit: &'static str, value: fn(&Moment) -> f32) -> String {
    Chart::plain(
        title,
        unit,
        "",
        pair.iter().map(|run| run.timed(value)).collect(),
    )
    .html()
}

fn sheet(pairs: &[[Run; 2]], table: &ReportTable) -> Sheet {
    let mut sections = Vec::new();
    for pair in pairs {
        sections.push(heading(&pair[0].obstacle.text()));
        sections.push(side(pair));
        sections.push(abreast(&[
            chart(pair, "On the strut", "kN", |m| 1e-3 * m.suspension),
            chart(pair, "Speed", "m/s", |m| m.speed),
        ]));
    }
    sections.extend([heading("Figures"), table.html()]);
    sections.push(note(
        "The suspension handles what is under a wheel; rigid contact handles what is in front of it. \
         Two angles decide, of the contact's point and of its normal, to the direction of the \
         suspension. Within 45° are edges up to 0.29 of the radius: the low curb, and not the high \
         one, which 60° give to the suspension, too. \
         Every contact has one owner, and the hooks of the wheel colliders drop the suspension's.",
    ));
    Sheet {
        brand: "jounce example: contact_modification".to_owned(),
        title: "Which contacts of a wheel are rigid".to_owned(),
        what: "A sedan with swept wheels rolls against a curb and against a wall, in neutral. Its body \
               has no hull, so that only wheels can stop it: by their suspension alone, or with \
               wheel colliders that take what the suspension leaves."
            .to_owned(),
        facts: vec![
            ("world", "rapier".to_owned()),
            ("speed", format!("{SPEED} m/s")),
        ],
        sections,
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let pairs = measure()?;
    let table = table(&pairs);
    let path = sheet(&pairs, &table).save(Path::new("out"), "contact_modification.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suspension_handles_what_is_under_a_wheel_and_not_what_is_in_front() {
        let pairs = measure().unwrap();
        let [low, high, wide, wall] = pairs.first_chunk().unwrap();
        for run in low.iter().chain(wide) {
            let (beyond, climbed) = (run.beyond(), run.climbed());
            assert!(beyond > 1.0, "{}: {beyond}", run.name());
            let over = climbed - run.obstacle.height;
            assert!(over.abs() < 0.03, "{}: {climbed}", run.name());
        }
        let lost = |run: &Run| SPEED - run.moments.last().unwrap().speed;
        // Rolling resistance slows it by 0.1 m/s².
        assert!(lost(&low[0]) < 1.0 && lost(&low[1]) < 1.0);
        assert!(lost(&wide[0]) < 1.0 && lost(&wide[1]) < 1.0);
        assert!(lost(&high[0]) < 1.0 && lost(&high[1]) > 3.0);
        assert!(wall[0].beyond() > 1.0, "{}", wall[0].beyond());
        assert!(wall[1].beyond() < 0.05, "{}", wall[1].beyond());
        let html = sheet(&pairs, &table(&pairs)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
