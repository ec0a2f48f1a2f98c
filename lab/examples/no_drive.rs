//! A skateboard without a drivetrain, steered by leaning: the program sets torque, brake and angle
//! of every wheel: `cargo run --release -p jounce-lab --example no_drive`.
//!
//! Writes `out/no_drive.html`.

use core::f32::consts::TAU;
use std::path::Path;

use glam::{DVec2, Vec3};
use jounce::core::{Command, WheelCommand};
use jounce::file::Car;
use jounce::presets;
use jounce_lab::report::{Chart, ChartCurve, Plan, Sheet, Window, heading, note, outline};
use proving_ground::ProvingError;
use proving_ground::stage::{Scene, Setup, Stage, steps};
use proving_ground::world::WorldKind;

/// Rate of the world (`Hz`).
const RATE: f32 = 120.0;
/// Duration of the ride (`s`).
const END: f32 = 16.0;
/// Time at which the rider brakes (`s`).
const BRAKES: f32 = 11.0;
/// Angle of the truck axes [rad]: the fraction of an inclination that becomes steering.
const PIVOT: f32 = 0.7;
/// Wheels: front left, front right, rear left, rear right.
const FRONT: [usize; 2] = [0, 1];
const REAR: [usize; 2] = [2, 3];

/// The rider's input: inclination, to the left (`rad`); push and brake, per wheel (`N·m`).
#[derive(Clone, Copy)]
struct Rider {
    lean: f32,
    push: f32,
    brake: f32,
}

fn rider(time: f32) -> Rider {
    let (lean, push, brake) = match time {
        ..3.0 => (0.0, 2.2, 0.0),
        ..BRAKES => (0.07 * libm::sinf(TAU * (time - 3.0) / 4.75), 0.6, 0.0),
        _ => (0.0, 0.0, 2.5),
    };
    Rider { lean, push, brake }
}

/// A truck turns about its inclined axis when leaned on; the rear one is mounted in reverse.
fn command(rider: Rider) -> Command {
    let mut wheels = WheelCommand::default();
    let steer = libm::atanf(libm::tanf(PIVOT) * libm::sinf(rider.lean));
    for wheel in FRONT {
        wheels.steer[wheel] = steer;
        wheels.brake[wheel] = rider.brake;
    }
    for wheel in REAR {
        wheels.steer[wheel] = -steer;
        wheels.drive[wheel] = rider.push;
    }
    Command::Wheels(wheels)
}

/// The board after a step.
#[derive(Clone, Copy)]
struct Moment {
    /// (`s`)
    time: f32,
    lean: f32,
    place: DVec2,
    /// Heading, to the left of +x (`rad`).
    heading: f64,
    /// Speed over ground (`m/s`).
    speed: f32,
    /// Yaw rate, to the left (`rad/s`).
    yaw: f32,
}

fn ride(board: &Car) -> Result<Vec<Moment>, ProvingError> {
    let setup = Setup {
        world: WorldKind::Standalone,
        car: board,
    };
    let mut stage = Stage::new(&setup, &Scene::LEVEL, RATE)?;
    let step = |step: usize| {
        let time = step as f32 / RATE;
        let rider = rider(time);
        stage.obey(&command(rider), stage.dt)?;
        let body = stage.body()?;
        let ahead = body.rotation * Vec3::X;
        Ok(Moment {
            time,
            lean: rider.lean,
            place: body.position.truncate(),
            heading: f64::from(ahead.y).atan2(ahead.x.into()),
            speed: stage.velocity().truncate().length(),
            yaw: body.angular_velocity.z,
        })
    };
    (0..steps(END, RATE)).map(step).collect()
}

fn curve(ride: &[Moment], name: &str, color: usize, value: impl Fn(&Moment) -> f32) -> ChartCurve {
    let points = ride.iter();
    let points = points.map(|m| DVec2::new(m.time.into(), value(m).into()));
    ChartCurve::new(name, color, points.collect())
}

fn chart(title: &str, unit: &'static str, curves: Vec<ChartCurve>) -> String {
    Chart::plain(title, unit, "", curves).html()
}

fn plan(board: &Car, ride: &[Moment]) -> String {
    let path: Vec<DVec2> = ride.iter().map(|moment| moment.place).collect();
    let window = Window::around(path.iter().copied()).expect("rides have steps");
    let every = ride.iter().step_by(steps(0.5, RATE));
    Plan {
        title: "The path".to_owned(),
        how: "The board, every half second.".to_owned(),
        window: window.resized(window.size + DVec2::splat(3.0)),
        curves: vec![ChartCurve::new("board", 0, path)],
        shapes: every.map(|m| outline(board, m.place, m.heading)).collect(),
        pins: Vec::new(),
    }
    .html()
}

fn sheet(board: &Car, ride: &[Moment]) -> Sheet {
    let degrees = |value: f32| value.to_degrees();
    let turning = vec![
        curve(ride, "lean, °", 1, |m| degrees(m.lean)),
        curve(ride, "yaw rate, °/s", 0, |m| degrees(m.yaw)),
    ];
    Sheet {
        brand: "jounce example: no_drive".to_owned(),
        title: "A skateboard without a drivetrain".to_owned(),
        what: "Nothing of this board is a car: there is no pedal, gear or steering wheel. The program \
               sets torque, brake and angle of every wheel. The rider pushes with the rear wheels, \
               leans from side to side, which turns the trucks in opposite directions, and brakes \
               with the front ones."
            .to_owned(),
        facts: vec![
            ("world", "standalone".to_owned()),
            ("board", "skateboard".to_owned()),
            ("step", format!("1/{RATE} s")),
        ],
        sections: vec![
            heading("Seen from above"),
            plan(board, ride),
            heading("Leaning"),
            chart("Lean and yaw rate", "to the left", turning),
            chart("Speed", "m/s", vec![curve(ride, "speed", 2, |m| m.speed)]),
            note("The same lean gives more yaw rate at higher speed."),
        ],
    }
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let board = presets::by_name("skateboard").expect("it ships");
    let ride = ride(&board)?;
    let path = sheet(&board, &ride).save(Path::new("out"), "no_drive.html")?;
    println!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_turns_with_the_lean_and_stops_when_braked() {
        let board = presets::by_name("skateboard").unwrap();
        let ride = ride(&board).unwrap();
        let fastest = ride.iter().map(|m| m.speed).fold(0.0, f32::max);
        let end = ride.last().unwrap();
        println!("{fastest} m/s, {} at {}", end.speed, end.place);
        assert!(fastest > 2.0 && end.speed < 0.01);
        let leaning = |m: &&Moment| m.lean.abs() > 0.03;
        assert!(ride.iter().filter(leaning).count() > 500);
        for moment in ride.iter().filter(leaning) {
            assert!(moment.yaw * moment.lean > 0.0, "{} s", moment.time);
        }
        let straight = ride.iter().filter(|m| m.time < 3.0);
        assert!(straight.into_iter().all(|m| m.place.y.abs() < 1e-3));
        let html = sheet(&board, &ride).html();
        assert!(!html.contains("NaN") && !html.contains("http"));
    }
}
