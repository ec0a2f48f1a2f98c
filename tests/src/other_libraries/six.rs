//! Six wheels: a 6x6 between ramps with two wheels in the air, those of its middle axle or two
//! diagonally opposite ones, where only an uneven torque split gets it out, with both layouts of
//! its steering; the same for preset trucks; and the chassis on tracks.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Command, TankCommand};
use jounce::file::Car;
use jounce::presets;
use jounce::scene::Triangles;
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, Scene, Stage, steps};
use serde_json::json;

use super::{RATE, car_of, noted, on_level};
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 11] = [
    Case::assertion(
        "a 6x6 with its middle axle in the air is stuck with an equal split",
        |backend| stuck(backend, &IN_LINE, &six(&FRONT_FOUR, &equal())?),
    ),
    Case::assertion(
        "torque vectoring gets a 6x6 with its middle axle in the air out",
        |backend| climbs(backend, &IN_LINE, &six(&FRONT_FOUR, &vectoring())?),
    ),
    Case::assertion(
        "limited slip between the axles gets a 6x6 with its middle axle in the air out",
        |backend| climbs(backend, &IN_LINE, &six(&FRONT_FOUR, &limited_slip())?),
    ),
    Case::assertion(
        "with the rear axle steered, an equal split is stuck, too",
        |backend| stuck(backend, &IN_LINE, &six(&FRONT_AND_REAR, &equal())?),
    ),
    Case::assertion(
        "with the rear axle steered, torque vectoring gets out, too",
        |backend| climbs(backend, &IN_LINE, &six(&FRONT_AND_REAR, &vectoring())?),
    ),
    Case::assertion(
        "a 6x6 on crossed ramps is stuck with an equal split",
        |backend| stuck(backend, &CROSSED, &six(&FRONT_FOUR, &equal())?),
    ),
    Case::assertion("torque vectoring gets a 6x6 off crossed ramps", |backend| {
        climbs(backend, &CROSSED, &six(&FRONT_FOUR, &vectoring())?)
    }),
    Case::assertion(
        "6x6 trucks that ship are stuck on crossed ramps with an equal split",
        |backend| {
            both(TRUCKS.map(|name| stuck(backend, &LESS_STEEP, &truck(name, Some(equal()))?)))
        },
    ),
    Case::assertion("6x6 trucks get off crossed ramps as they ship", |backend| {
        both(TRUCKS.map(|name| climbs(backend, &LESS_STEEP, &truck(name, None)?)))
    }),
    Case::assertion(
        "a 6x6 turns more sharply with its rear axle steered",
        sharper,
    ),
    Case::assertion("a tank turns on the spot, and then drives straight", tank),
];

/// Steering angle of each axle (`°`); negative steers against the front one.
pub(super) type AxleAngles = [f64; 3];

/// Angles of a car with four front wheels: the middle axle turns half as far.
pub(super) const FRONT_FOUR: AxleAngles = [30.0, 15.0, 0.0];
const FRONT_AND_REAR: AxleAngles = [30.0, 0.0, -30.0];

pub(super) fn six(layout: &AxleAngles, differential: &serde_json::Value) -> Result<Car, Failure> {
    car_of(include_str!("six.toml"), |table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        for (axle, degrees) in axles.iter_mut().zip(layout) {
            let axle = axle.as_table_mut().expect("a table");
            axle.remove("steering");
            if *degrees != 0.0 {
                let steering = json!({ "max_deg": degrees.abs(), "counter": *degrees < 0.0 });
                let steering = toml::Value::try_from(steering).expect("it is a table");
                axle.insert("steering".to_owned(), steering);
            }
        }
        let differential = toml::Value::try_from(differential).expect("it is a table");
        table["drivetrain"]["differential"] = differential;
    })
}

pub(super) fn equal() -> serde_json::Value {
    json!({ "model": "equal", "wheels": [0, 1, 2, 3, 4, 5] })
}

fn vectoring() -> serde_json::Value {
    json!({
        "model": "torque-vectoring",
        "wheels": [0, 1, 2, 3, 4, 5],
        "air_share": 0.01,
        "least_grounded": 3,
    })
}

fn limited_slip() -> serde_json::Value {
    let axle = |first: usize| json!({ "wheels": [first, first + 1], "share": 1.0 / 3.0 });
    json!({ "model": "limited-slip", "bias": 1.3, "axles": [axle(0), axle(2), axle(4)] })
}

/// The preset 6x6 trucks, with either layout of their steering.
const TRUCKS: [&str; 2] = ["truck-6x6", "truck-6x6-agile"];

/// A preset truck, optionally with another differential.
fn truck(name: &str, differential: Option<serde_json::Value>) -> Result<Car, Failure> {
    let file = presets::FILES.into_iter().find(|(known, _)| *known == name);
    let (_, text) = file.expect("it ships");
    car_of(text, |table| {
        if let Some(differential) = differential {
            let differential = toml::Value::try_from(differential).expect("it is a table");
            table["drivetrain"]["differential"] = differential;
        }
    })
}

/// Combines the measurements of two.
fn both(measures: [Result<Measure, Failure>; 2]) -> Result<Measure, Failure> {
    let [a, b] = measures;
    let note = format!("{}, {}", a?.note, b?.note);
    noted(true, note)
}

/// Ramps up and down.
struct Trap {
    /// Inclination of the ramps (`°`).
    degrees: f64,
    /// Distances from the middle (`m`), and heights (`m`) on the left and right side ahead of it,
    /// of ramps of [`STEEP`] for axles 1.7 m apart; behind the middle, the sides are exchanged.
    half: &'static [(f64, f64, f64)],
    /// Wheels in the air.
    hanging: [usize; 2],
}

/// Inclination for the heights below (`°`).
const STEEP: f64 = 25.0;

/// Distance at which the ground ends (`m`).
const FAR: f64 = 120.0;

/// Transverse ramps: front and rear axle stand at the feet of two of them, and the middle axle is
/// over a third, deeper one.
const IN_LINE: Trap = Trap {
    degrees: STEEP,
    half: &[
        (0.0, -0.35, -0.35),
        (1.2, 0.23, 0.23),
        (1.7, 0.0, 0.0),
        (2.9, 0.56, 0.56),
        (FAR, 0.56, 0.56),
    ],
    hanging: [2, 3],
};

/// Crossed ramps: on the left the front wheel stands at the foot of one and the rear wheel is over
/// a hole, on the right vice versa; both middle wheels stand at feet, too.
const CROSSED: Trap = Trap {
    degrees: STEEP,
    half: &[
        (0.0, 0.0, 0.0),
        (0.5, 0.23, 0.23),
        (1.2, 0.23, -0.108),
        (1.7, 0.0, -0.35),
        (2.9, 0.56, 0.21),
        (3.65, 0.56, 0.56),
        (FAR, 0.56, 0.56),
    ],
    hanging: [1, 4],
};

/// A trap for trucks, whose engines start from standstill with half their torque: enough for 20° in first gear.
const LESS_STEEP: Trap = Trap {
    degrees: 17.5,
    ..CROSSED
};

/// The ground of a trap, for axles this far apart (`m`).
fn ramps(trap: &Trap, spacing: f64) -> Result<Terrain, Failure> {
    let scale = spacing / 1.7;
    let climb = |degrees: f64| libm::tan(degrees.to_radians());
    let height = scale * climb(trap.degrees) / climb(STEEP);
    let behind = trap.half[1..].iter().rev().map(|(x, l, r)| (-x, *r, *l));
    let profile: Vec<(f64, f64, f64)> = behind.chain(trap.half.iter().copied()).collect();
    let vertices = profile.iter().flat_map(|&(x, left, right)| {
        let row = [(-20.0, right), (-0.3, right), (0.3, left), (20.0, left)];
        row.map(|(y, z)| DVec3::new(x * scale, y, z * height))
    });
    let corners = (0..profile.len() as u32 - 1).flat_map(|n| {
        (0..3).flat_map(move |strip| {
            let [a, b, c, d] = [0, 1, 4, 5].map(|k| 4 * n + strip + k);
            [[a, c, d], [a, d, b]]
        })
    });
    let triangles = Triangles {
        vertices: vertices.collect(),
        corners: corners.collect(),
    };
    let terrain = Terrain::triangles("ramps".to_owned(), triangles);
    terrain.map_err(|error| ProvingError::from(error).into())
}

/// Distance of a 6x6 within eight seconds from such ramps (`m`).
fn way(backend: &dyn Backend, trap: &Trap, car: &Car) -> Result<f64, Failure> {
    let model = car.model();
    let wheels = &model.params().wheels;
    let spacing = wheels[0].position.x - wheels[2].position.x;
    let terrain = ramps(trap, spacing.into())?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let mut stage = Stage::put(world, &terrain, car, &Scene::IN_FIRST, 1.0 / RATE)?;
    stage.run(2.0, &CarCommand { brake: 1.0, ..FREE })?;
    let hanging: Vec<usize> = (0..6)
        .filter(|wheel| stage.vehicle.wheel_report(*wheel).in_air)
        .collect();
    let text = || format!("{hanging:?} in the air");
    expect(hanging == trap.hanging, text)?;
    let start = stage.position()?;
    let flat_out = CarCommand {
        throttle: 1.0,
        ..FREE
    };
    stage.run(8.0, &flat_out)?;
    Ok(stage.position()?.x - start.x)
}

fn stuck(backend: &dyn Backend, trap: &Trap, car: &Car) -> Result<Measure, Failure> {
    let way = way(backend, trap, car)?;
    noted(way.abs() < 0.5, format!("{way:.3} m"))
}

fn climbs(backend: &dyn Backend, trap: &Trap, car: &Car) -> Result<Measure, Failure> {
    let way = way(backend, trap, car)?;
    noted(way > 8.0, format!("{way:.3} m"))
}

/// Radii of slow circles.
fn sharper(backend: &dyn Backend) -> Result<Measure, Failure> {
    let radius = |layout: &AxleAngles| -> Result<f32, Failure> {
        let mut stage = on_level(backend, &six(layout, &vectoring())?, &Scene::IN_FIRST)?;
        for _ in 0..steps(8.0, RATE) {
            let lacking = 3.0 - stage.velocity().length();
            stage.step(&CarCommand {
                throttle: lacking.clamp(0.0, 1.0),
                steer: 1.0,
                ..FREE
            })?;
        }
        Ok(stage.velocity().length() / stage.body()?.angular_velocity.z.abs())
    };
    let (four, both) = (radius(&FRONT_FOUR)?, radius(&FRONT_AND_REAR)?);
    noted(
        both < 0.8 * four,
        format!("{both:.2} m, with four front wheels {four:.2} m"),
    )
}

/// NVIDIA's: two seconds of opposite thrusts, then, from a stop, two of equal ones.
fn tank(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = car_of(include_str!("six.toml"), |table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        for (axle, x) in axles.iter_mut().zip([0.6, 0.0, -0.6]) {
            let axle = axle.as_table_mut().expect("a table");
            axle.insert("x".to_owned(), x.into());
            axle.insert("track".to_owned(), 2.2.into());
            axle.remove("steering");
        }
        let tracks = json!({ "model": "tank", "special": true });
        let tracks = toml::Value::try_from(tracks).expect("it is a table");
        table["drivetrain"]["differential"] = tracks;
    })?;
    let mut stage = on_level(backend, &car, &Scene::IN_FIRST)?;
    let thrust = |thrust| {
        Command::Tank(TankCommand {
            throttle: 1.0,
            thrust,
            ..TankCommand::default()
        })
    };
    let start = stage.body()?;
    let mut yaw = 0.0;
    for _ in 0..steps(2.0, RATE) {
        stage.obey(&thrust([-1.0, 1.0]), stage.dt)?;
        yaw += stage.body()?.angular_velocity.z / RATE;
    }
    let turned = stage.body()?;
    let moved = (turned.position - start.position).abs();
    let stop = Command::Tank(TankCommand {
        brake: [1.0; 2],
        ..TankCommand::default()
    });
    for (seconds, command) in [(1.0, stop), (2.0, thrust([1.0; 2]))] {
        for _ in 0..steps(seconds, RATE) {
            stage.obey(&command, stage.dt)?;
        }
    }
    let way = (stage.position()? - turned.position).as_vec3();
    let ahead = (stage.body()?.rotation * Vec3::X).dot(way) / way.length();
    let note = format!(
        "{:.1}° at {moved:.4}, then {:.2} m, {ahead:.4} ahead",
        yaw.to_degrees(),
        way.length()
    );
    let spot = moved.x < 0.8 && moved.y < 0.3 && moved.z < 1e-3;
    noted(yaw.to_degrees() > 50.0 && spot && ahead > 0.95, note)
}
