//! One tank with both ways of steering, under the same commands: `cargo run --release -p jounce-lab
//! --example tank`.
//!
//! Writes `out/tank.html`.

use std::path::Path;

use glam::{DVec2, Vec3};
use jounce::core::{Command, TankCommand};
use jounce::drive::{Differential, EngineDriveParams, TankDifferential, TankReport};
use jounce::file::Car;
use jounce::presets;
use jounce_lab::report::{
    Chart, ChartCurve, Plan, ReportTable, Scale, Sheet, Window, abreast, heading, note, outline,
};
use proving_ground::ProvingError;
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;

/// A phase of the drive, in first gear.
struct Phase {
    name: &'static str,
    /// (`s`)
    end: f32,
    throttle: f32,
    /// Thrusts of the left and the right track; a track without thrust is braked.
    thrust: [f32; 2],
}

const fn phase(name: &'static str, end: f32, throttle: f32, thrust: [f32; 2]) -> Phase {
    Phase {
        name,
        end,
        throttle,
        thrust,
    }
}

/// The driver's input.
const PHASES: [Phase; 6] = [
    phase("ahead", 2.5, 0.5, [1.0, 1.0]),
    phase("bend", 6.0, 0.7, [0.0, 1.0]),
    phase("stop", 10.0, 0.0, [0.0; 2]),
    phase("opposite thrusts", 15.0, 1.0, [-1.0, 1.0]),
    phase("stop", 17.0, 0.0, [0.0; 2]),
    phase("ahead", 20.0, 0.8, [1.0, 1.0]),
];

fn command(phase: &Phase) -> Command {
    Command::Tank(TankCommand {
        throttle: phase.throttle,
        thrust: phase.thrust,
        brake: phase
            .thrust
            .map(|thrust| if thrust == 0.0 { 1.0 } else { 0.0 }),
        ..TankCommand::default()
    })
}

/// The tank after a step.
#[derive(Clone, Copy)]
struct Moment {
    place: DVec2,
    /// Heading, to the left of +x (`rad`), continuous over full turns.
    heading: f64,
    /// Speeds of the left and the right track (`m/s`).
    tracks: [f64; 2],
    /// Distances that both tracks have run (`m`).
    run: [f64; 2],
    phase: usize,
}

struct Drive {
    special: bool,
    car: Car,
    moments: Vec<Moment>,
}

/// The preset tank, with standard or special steering.
fn tank(special: bool) -> Result<Car, ProvingError> {
    let known = presets::FILES.into_iter().find(|(name, _)| *name == "tank");
    let (name, text) = known.expect("it ships");
    let text = text.replace("special = true", &format!("special = {special}"));
    Ok(Car::parse(&text, name)?)
}

/// The tracks of a tank.
fn tracks_of(car: &Car) -> TankDifferential {
    let mut drive = car.spec().drive.0.clone();
    drive.remove("model");
    let drive: EngineDriveParams = drive.try_into().expect("it has an engine");
    match drive.differential {
        Differential::Tank(tank) => tank,
        other => unreachable!("the tank has {other:?}"),
    }
}

impl Drive {
    fn measure(special: bool) -> Result<Self, ProvingError> {
        let car = tank(special)?;
        let setup = Setup {
            world: WorldKind::Standalone,
            car: &car,
        };
        let mut stage = Stage::new(&setup, &Scene::IN_FIRST, RATE)?;
        let tank = tracks_of(&car);
        let mut belts = TankReport::new(&tank);
        let (mut moments, mut heading) = (Vec::new(), 0.0);
        for (phase, part) in PHASES.iter().enumerate() {
            for _ in moments.len()..steps(part.end, RATE) {
                stage.obey(&command(part), stage.dt)?;
                let body = stage.body()?;
                let ahead = (body.rotation * Vec3::X).as_dvec3().truncate();
                heading += DVec2::from_angle(heading).angle_to(ahead);
                belts.follow(&tank, &stage.vehicle);
                let [left, right] = [0, 1].map(|n| &belts.tracks[n]);
                moments.push(Moment {
                    place: body.position.truncate(),
                    heading,
                    tracks: [left, right].map(|track| f64::from(track.speed)),
                    run: [left, right].map(|track| track.run),
                    phase,
                });
            }
        }
        Ok(Self {
            special,
            car,
            moments,
        })
    }

    fn name(&self) -> &'static str {
        if self.special {
            "special steering"
        } else {
            "standard steering"
        }
    }

    /// Angle turned (`°`) and maximum distance from its start (`m`), in a phase.
    fn turned(&self, phase: usize) -> (f64, f64) {
        let mut moments = self.moments.iter().filter(|m| m.phase == phase);
        let first = *moments.next().expect("phases have steps");
        moments.fold((0.0, 0.0_f64), |(_, far), moment| {
            let angle = (moment.heading - first.heading).to_degrees();
            (angle, far.max(moment.place.distance(first.place)))
        })
    }

    /// Distances that the tracks ran in a phase (`m`).
    fn run(&self, phase: usize) -> [f64; 2] {
        let mut moments = self.moments.iter().filter(|m| m.phase == phase);
        let first = moments.next().expect("phases have steps").run;
        let last = moments.next_back().map_or(first, |moment| moment.run);
        [0, 1].map(|n| last[n] - first[n])
    }

    fn curve(&self, points: impl Fn(usize, &Moment) -> DVec2) -> ChartCurve {
        let points = self.moments.iter().enumerate().map(|(n, m)| points(n, m));
        ChartCurve {
            dashed: !self.special,
            ..ChartCurve::new(self.name(), usize::from(!self.special), points.collect())
        }
    }

    /// Outline of the body at the end of every phase.
    fn outlines(&self) -> impl Iterator<Item = Vec<DVec2>> {
        let ends = PHASES.map(|phase| self.moments[steps(phase.end, RATE) - 1]);
        ends.into_iter()
            .map(|end| outline(&self.car, end.place, end.heading))
    }
}

fn time(step: usize) -> f64 {
    (step + 1) as f64 / f64::from(RATE)
}

fn table(drives: &[Drive]) -> ReportTable {
    let head = [
        "phase",
        "until [s]",
        "steering",
        "turned [°]",
        "away by [m]",
        "left track ran [m]",
        "right track ran [m]",
    ];
    let rows = PHASES.iter().enumerate().flat_map(|(n, phase)| {
        drives.iter().map(move |drive| {
            let ((angle, far), run) = (drive.turned(n), drive.run(n));
            vec![
                phase.name.to_owned(),
                format!("{:.1}", phase.end),
                drive.name().to_owned(),
                format!("{angle:.1}"),
                format!("{far:.2}"),
                format!("{:.2}", run[0]),
                format!("{:.2}", run[1]),
            ]
        })
    });
    ReportTable {
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

fn plan(drive: &Drive, window: Window) -> String {
    Plan {
        title: format!("The path, {}", drive.name()),
        how: "Seen from above: the path of the center of mass, and the hull after every phase."
            .to_owned(),
        window,
        curves: vec![drive.curve(|_, moment| moment.place)],
        shapes: drive.outlines().collect(),
        pins: Vec::new(),
    }
    .html()
}

/// Plans of both paths, in windows of the same scale.
fn plans(drives: &[Drive]) -> String {
    let corners = drives.iter().flat_map(Drive::outlines).flatten();
    let window = Window::around(corners).expect("tanks have corners");
    let window = window.resized(window.size + DVec2::splat(4.0));
    abreast(
        &drives
            .iter()
            .map(|drive| plan(drive, window))
            .collect::<Vec<_>>(),
    )
}

fn tracks(drive: &Drive) -> String {
    let side = |n: usize, name: &str| {
        let points = drive.moments.iter().enumerate();
        let points = points.map(|(step, m)| DVec2::new(time(step), m.tracks[n]));
        ChartCurve::new(name, n, points.collect())
    };
    Chart {
        title: format!("Speeds of the tracks, {}", drive.name()),
        unit: "m/s",
        how: String::new(),
        curves: vec![side(0, "left"), side(1, "right")],
        scale: Scale::Linear(2.0),
        goal: None,
        words: Vec::new(),
        height: 200,
    }
    .html()
}

fn sheet(drives: &[Drive], table: &ReportTable) -> Sheet {
    let mut sections = vec![heading("The two paths"), plans(drives), heading("Tracks")];
    sections.extend(drives.iter().map(tracks));
    sections.extend([heading("Phase by phase"), table.html()]);
    sections.push(note(
        "With standard steering a negative thrust counts as zero, and a track without thrust is \
         held by its brake: the tank turns about that track. With special steering the track runs \
         backwards, and the tank turns on the spot.",
    ));
    Sheet {
        brand: "jounce example: tank".to_owned(),
        title: "Two ways to steer a tank".to_owned(),
        what: "A tank of 42 t goes ahead, through a bend and to a stop. Its driver gives opposite thrusts; \
               then the tank stops and goes ahead again. Both tanks get the same commands."
            .to_owned(),
        facts: vec![
            ("world", "standalone".to_owned()),
            ("ground", "flat".to_owned()),
            ("step", format!("1/{RATE} s")),
        ],
        sections,
    }
}

fn measure() -> Result<Vec<Drive>, ProvingError> {
    [true, false].map(Drive::measure).into_iter().collect()
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let drives = measure()?;
    let table = table(&drives);
    let path = sheet(&drives, &table).save(Path::new("out"), "tank.html")?;
    println!("{table}\nwritten: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The phase that shows the difference.
    const TURN: usize = 3;

    #[test]
    fn special_steering_turns_on_the_spot_and_standard_about_a_track() {
        let drives = measure().unwrap();
        let [special, standard] = [&drives[0], &drives[1]].map(|drive| drive.turned(TURN));
        println!("{special:?} {standard:?}");
        assert!(special.0 > 90.0 && special.1 < 0.5, "{special:?}");
        assert!(standard.0 > 45.0 && standard.1 > 1.0, "{standard:?}");
        let [left, right] = drives[0].run(TURN);
        assert!(left < -1.0 && right > 1.0, "{left} {right}");
        let html = sheet(&drives, &table(&drives)).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }

    #[test]
    fn until_thrusts_are_opposite_both_drive_the_same_path() {
        let drives = measure().unwrap();
        let last = steps(PHASES[TURN - 1].end, RATE) - 1;
        let [a, b] = [&drives[0], &drives[1]].map(|drive| drive.moments[last]);
        assert_eq!((a.place, a.heading), (b.place, b.heading));
        assert!(
            drives[0].turned(1).0 > 80.0,
            "a braked track turns the tank"
        );
    }
}
