//! Smoothed keys, automatic reverse and counter-steering: `cargo run --release -p jounce-lab --example
//! input`.
//!
//! Writes `out/input.html`.

use std::path::Path;

use glam::{DVec2, Vec3};
use jounce::core::{CarCommand, Checked, Gear};
use jounce::file::Car;
use jounce::input::{
    AutoReverse, CarHands, CarKeys, CarRates, CarSmoothing, CounterSteer, Rate, ReverseSpeeds,
    SteerLimit,
};
use jounce::presets;
use jounce_lab::report::{
    Chart, ChartCurve, Pin, Plan, ReportTable, Sheet, Window, abreast, heading, note, outline,
};
use proving_ground::ProvingError;
use proving_ground::stage::{FREE, Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 60.0;
/// Duration of each drive (`s`).
const KEYS_TIME: f32 = 16.0;
const SLIDE_TIME: f32 = 5.0;
/// Instant hands without a steering limit: the effect of raw keys.
const AT_ONCE: Rate = Rate::new(1000.0, 1000.0);
/// Counter-steering for the sports car, whose front wheels turn by 34°.
const ASSIST: CounterSteer = CounterSteer {
    gain: 2.5,
    tolerance: 0.05,
    limit: 1.0,
};

/// Keys at a time: start, a swerve at speed, a stop followed by reverse, and forward again.
fn keys(time: f32) -> CarKeys {
    let during = |from: f32, to: f32| (from..to).contains(&time);
    CarKeys {
        throttle: during(0.0, 5.0) || during(12.5, 16.0),
        brake: during(7.0, 12.0),
        left: during(5.0, 5.7) || during(10.5, 12.0),
        right: during(5.7, 6.6),
        ..CarKeys::FREE
    }
}

/// One step of a drive.
struct Moment {
    time: f64,
    command: CarCommand,
    /// Speed ahead (`m/s`).
    forward_speed: f64,
    gear: Gear,
    place: DVec2,
    heading: f64,
    /// Angle between heading and course (`°`), ≥ 0.
    slide: f64,
}

/// A drive from its start on.
struct Drive {
    car: Car,
    moments: Vec<Moment>,
}

impl Drive {
    /// Drives a car; `driver` sees it before every step.
    fn run(
        car: Car,
        scene: &Scene,
        seconds: f32,
        mut driver: impl FnMut(f32, &Stage) -> Result<CarCommand, ProvingError>,
    ) -> Result<Self, ProvingError> {
        let world = WorldKind::Standalone;
        let mut stage = Stage::new(&Setup { world, car: &car }, scene, RATE)?;
        let mut moments = Vec::new();
        for n in 0..steps(seconds, RATE) {
            let time = n as f32 / RATE;
            let command = driver(time, &stage)?;
            stage.step(&command)?;
            moments.push(Moment::of(&stage, time, command)?);
        }
        Ok(Self { car, moments })
    }

    /// A sedan driven by raw keys with this smoothing.
    fn by_keys(smoothing: CarSmoothing) -> Result<Self, ProvingError> {
        let smoothing = Checked::new(smoothing)?;
        let (mut reverse, mut hands) = (AutoReverse::default(), CarHands::default());
        Self::run(
            presets::sedan(),
            &Scene::IN_FIRST,
            KEYS_TIME,
            |time, stage| {
                let seen = stage.vehicle.report(&stage.body()?);
                let keys = reverse.keys(&ReverseSpeeds::PHYSX, &keys(time), &seen);
                Ok(hands.press(&smoothing, &keys, &seen, stage.dt)?)
            },
        )
    }

    /// A sports car in a corner whose driver pulls the handbrake and then releases everything.
    fn slide(assist: Option<CounterSteer>) -> Result<Self, ProvingError> {
        let assist = assist.map(Checked::new).transpose()?;
        let scene = Scene {
            speed: 25.0,
            gear: Gear(3),
            ..Scene::LEVEL
        };
        Self::run(presets::sports_car(), &scene, SLIDE_TIME, |time, stage| {
            let command = CarCommand {
                steer: if time < 1.0 { 0.2 } else { 0.0 },
                handbrake: if (0.5..1.0).contains(&time) { 1.0 } else { 0.0 },
                ..FREE
            };
            Ok(assist.as_ref().map_or(command, |assist| {
                CounterSteer::add(assist, &command, &stage.vehicle)
            }))
        })
    }

    fn curve(&self, name: &str, color: usize, y: impl Fn(&Moment) -> f64) -> ChartCurve {
        let points = self.moments.iter().map(|m| DVec2::new(m.time, y(m)));
        ChartCurve::new(name, color, points.collect())
    }

    fn way(&self, name: &str, color: usize) -> ChartCurve {
        let points = self.moments.iter().map(|moment| moment.place);
        ChartCurve {
            width: 3.0,
            ..ChartCurve::new(name, color, points.collect())
        }
    }

    fn end(&self) -> &Moment {
        self.moments.last().expect("drives have steps")
    }

    /// Maximum slide angle (`°`).
    fn most(&self) -> f64 {
        self.moments.iter().map(|m| m.slide).fold(0.0, f64::max)
    }

    /// The car at this interval (s).
    fn shapes(&self, every: f32) -> Vec<Vec<DVec2>> {
        let moments = self.moments.iter().step_by(steps(every, RATE));
        let shape = |moment: &Moment| outline(&self.car, moment.place, moment.heading);
        moments.map(shape).collect()
    }
}

impl Moment {
    fn of(stage: &Stage, time: f32, command: CarCommand) -> Result<Self, ProvingError> {
        let body = stage.body()?;
        let seen = stage.vehicle.report(&body);
        let ahead = body.rotation * Vec3::X;
        let slide = libm::atan2f(seen.lateral_speed, seen.forward_speed).to_degrees();
        let moving = seen.forward_speed.hypot(seen.lateral_speed) > 3.0;
        Ok(Self {
            time: time.into(),
            command,
            forward_speed: seen.forward_speed.into(),
            gear: seen.gear,
            place: body.position.truncate(),
            heading: f64::from(libm::atan2f(ahead.y, ahead.x)),
            slide: if moving { slide.abs().into() } else { f64::NAN },
        })
    }
}

/// A raw key as a curve: 1 while it is down, −1 while the opposite one is.
fn pressed(name: &str, color: usize, [down, against]: [fn(CarKeys) -> bool; 2]) -> ChartCurve {
    let points = (0..steps(KEYS_TIME, RATE)).map(|n| {
        let time = n as f32 / RATE;
        let value = |key: fn(CarKeys) -> bool| f64::from(u8::from(key(keys(time))));
        DVec2::new(time.into(), value(down) - value(against))
    });
    ChartCurve {
        dashed: true,
        width: 1.3,
        ..ChartCurve::new(name, color, points.collect())
    }
}

fn chart(title: &str, unit: &'static str, how: &str, curves: Vec<ChartCurve>) -> String {
    Chart::plain(title, unit, how, curves).html()
}

fn pedals(smooth: &Drive) -> [String; 3] {
    let steer = |moment: &Moment| f64::from(moment.command.steer);
    let none: fn(CarKeys) -> bool = |_| false;
    [
        chart(
            "Pedals",
            "0…1",
            "Dashed: keys. After the stop the brake key is the accelerator, and the other way round.",
            vec![
                smooth.curve("throttle", 4, |m| m.command.throttle.into()),
                smooth.curve("brake", 1, |m| m.command.brake.into()),
                pressed("key: ahead", 4, [|keys| keys.throttle, none]),
                pressed("key: back", 1, [|keys| keys.brake, none]),
            ],
        ),
        chart(
            "Steering",
            "right is positive",
            "The same key steers less at 17 m/s than in reverse.",
            vec![
                smooth.curve("steer", 0, steer),
                pressed("keys", 5, [|keys| keys.right, |keys| keys.left]),
            ],
        ),
        chart(
            "Speed and gear",
            "m/s",
            "",
            vec![
                smooth.curve("speed ahead", 0, |m| m.forward_speed),
                smooth.curve("gear", 3, |m| m.gear.0.into()),
            ],
        ),
    ]
}

fn plan(title: &str, how: &str, drives: [(&str, usize, &Drive); 2], every: f32) -> String {
    let curves: Vec<ChartCurve> = drives
        .iter()
        .map(|(name, color, drive)| drive.way(name, *color))
        .collect();
    let points = curves.iter().flat_map(|curve| curve.points.iter().copied());
    let window = Window::around(points).expect("drives go somewhere");
    let size = (window.size + 12.0).max(DVec2::new(0.0, 14.0));
    let pins = drives.iter().map(|(_, color, drive)| Pin {
        at: drive.end().place,
        color: *color,
        text: format!("{:.0} m/s", drive.end().forward_speed),
    });
    Plan {
        title: title.to_owned(),
        how: how.to_owned(),
        window: window.resized(size),
        shapes: drives
            .iter()
            .flat_map(|(_, _, drive)| drive.shapes(every))
            .collect(),
        pins: pins.collect(),
        curves,
    }
    .html()
}

/// Drives that the page compares.
struct Drives {
    smooth: Drive,
    raw: Drive,
    saved: Drive,
    spun: Drive,
}

impl Drives {
    fn measure() -> Result<Self, ProvingError> {
        let raw = CarSmoothing {
            grip: None,
            rates: CarRates::symmetric(AT_ONCE, AT_ONCE, AT_ONCE),
            steer_limit: SteerLimit::none(),
        };
        Ok(Self {
            smooth: Drive::by_keys(presets::sedan().smoothing())?,
            raw: Drive::by_keys(raw)?,
            saved: Drive::slide(Some(ASSIST))?,
            spun: Drive::slide(None)?,
        })
    }

    fn table(&self) -> ReportTable {
        let row = |name: &str, drive: &Drive| {
            let speed = drive.end().forward_speed;
            vec![
                name.to_owned(),
                format!("{:.0}", drive.most()),
                format!("{speed:.1}"),
            ]
        };
        ReportTable {
            head: ["", "maximum slide [°]", "speed at the end [m/s]"]
                .map(str::to_owned)
                .into(),
            rows: vec![
                row("hands off", &self.spun),
                row("counter-steer", &self.saved),
            ],
        }
    }

    fn sheet(&self) -> Sheet {
        let slide = |m: &Moment| m.slide;
        let counter = |m: &Moment| f64::from(m.command.steer);
        let mut sections = vec![heading("A sedan by keys, smoothed")];
        sections.extend(pedals(&self.smooth));
        sections.extend([
            plan(
                "The same keys, smoothed and raw",
                "Raw keys turn the wheels to full lock at speed, and the front tires slide straight on.",
                [("smoothed", 0, &self.smooth), ("raw", 1, &self.raw)],
                2.0,
            ),
            heading(
                "A sports car, the handbrake pulled in a corner at 25 m/s, hands off from 1 s on",
            ),
            plan(
                "Its path",
                "A car every 0.5 s.",
                [("counter-steer", 4, &self.saved), ("none", 1, &self.spun)],
                0.5,
            ),
            abreast(&[
                chart(
                    "Slide",
                    "°",
                    "Between the car's heading and its course.",
                    vec![
                        self.saved.curve("counter-steer", 4, slide),
                        self.spun.curve("none", 1, slide),
                    ],
                ),
                chart(
                    "Steering",
                    "right is positive",
                    "The command to the front wheels.",
                    vec![
                        self.saved.curve("counter-steer", 4, counter),
                        self.spun.curve("none", 1, counter),
                    ],
                ),
            ]),
            heading("Figures"),
            self.table().html(),
            note("The rates and the steering limit are those of the guide to PhysX's vehicles."),
        ]);
        Sheet {
            brand: "jounce example: input".to_owned(),
            title: "From keys to a command".to_owned(),
            what: "Keys are down or up. The car gets pedals and steering with finite rates, which \
                   steer less at speed, reverse when the brake is held in a car that has stopped, and \
                   steer against a slide."
                .to_owned(),
            facts: vec![("step", format!("1/{RATE} s")), ("world", "standalone".to_owned())],
            sections,
        }
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let drives = Drives::measure()?;
    let path = drives.sheet().save(Path::new("out"), "input.html")?;
    println!("{}\nwritten: {}", drives.table(), path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothed_keys_and_counter_steering_keep_the_car_in_line() {
        let drives = Drives::measure().unwrap();
        assert!(drives.spun.most() > 120.0 && drives.saved.most() < 45.0);
        let gears: Vec<i8> = drives.smooth.moments.iter().map(|m| m.gear.0).collect();
        assert!(gears.contains(&-1) && gears.last() > Some(&0), "{gears:?}");
        let html = drives.sheet().html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
