//! Six wheels: a 6x6 whose middle axle hangs in the air between ramps, where only an uneven share of the
//! torque gets it out, with both layouts of its steering; and the same chassis on tracks.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Command, TankCommand};
use jounce::file::Car;
use jounce::scene::Triangles;
use lab::LabError;
use lab::ground::Terrain;
use lab::stage::{FREE, Scene, Stage, steps};
use serde_json::json;

use super::{RATE, car_of, noted, on_level};
use crate::backend::Backend;
use crate::suite::{Case, Failure, Measure, expect};

pub(super) const CASES: [Case; 7] = [
    Case::fact(
        "a 6x6 with its middle axle in the air is stuck with an equal split",
        |backend| stuck(backend, &FRONT_FOUR),
    ),
    Case::fact(
        "torque vectoring gets a 6x6 with its middle axle in the air out",
        |backend| climbs(backend, &FRONT_FOUR),
    ),
    Case::fact(
        "limited slip between the axles gets a 6x6 with its middle axle in the air out",
        |backend| {
            let way = way(backend, &six(&FRONT_FOUR, &limited_slip())?)?;
            noted(way > 8.0, format!("{way:.3} m"))
        },
    ),
    Case::fact(
        "with the rear axle steered, an equal split is stuck, too",
        |backend| stuck(backend, &FRONT_AND_REAR),
    ),
    Case::fact(
        "with the rear axle steered, torque vectoring gets out, too",
        |backend| climbs(backend, &FRONT_AND_REAR),
    ),
    Case::fact(
        "a 6x6 turns more sharply with its rear axle steered",
        sharper,
    ),
    Case::fact("a tank turns on the spot, and then drives straight", tank),
];

/// Which axles steer: as far as this [°], and against the front one where negative.
pub(super) type Layout = [f64; 3];

/// As a car with four front wheels: the middle axle turns half as far.
pub(super) const FRONT_FOUR: Layout = [30.0, 15.0, 0.0];
const FRONT_AND_REAR: Layout = [30.0, 0.0, -30.0];

pub(super) fn six(layout: &Layout, differential: &serde_json::Value) -> Result<Car, Failure> {
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

/// Ramps of 25° across the way, up and down: front and rear axle of a 6x6 stand at the feet of two of
/// them, and its middle axle is over a third, deeper foot.
fn ramps() -> Result<Terrain, Failure> {
    let (far, wide) = (120.0, 20.0);
    let half = [
        (0.0, -0.35),
        (1.2, 0.23),
        (1.7, 0.0),
        (2.9, 0.56),
        (far, 0.56),
    ];
    let behind = half[1..].iter().rev().map(|(x, z)| (-x, *z));
    let profile: Vec<(f64, f64)> = behind.chain(half).collect();
    let vertices = profile
        .iter()
        .flat_map(|&(x, z)| [-wide, wide].map(|y| DVec3::new(x, y, z)));
    let corners = (0..profile.len() as u32 - 1).flat_map(|n| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| 2 * n + k);
        [[a, c, d], [a, d, b]]
    });
    let triangles = Triangles {
        vertices: vertices.collect(),
        corners: corners.collect(),
    };
    let terrain = Terrain::triangles("ramps".to_owned(), triangles);
    terrain.map_err(|error| LabError::from(error).into())
}

/// How far a 6x6 gets within eight seconds from those ramps [m].
fn way(backend: &dyn Backend, car: &Car) -> Result<f64, Failure> {
    let terrain = ramps()?;
    let world = backend.open(&terrain, 1.0 / RATE)?;
    let mut stage = Stage::put(world, &terrain, car, &Scene::IN_FIRST, 1.0 / RATE)?;
    stage.run(2.0, &CarCommand { brake: 1.0, ..FREE })?;
    let hanging: Vec<usize> = (0..6)
        .filter(|wheel| stage.vehicle.wheel_report(*wheel).in_air)
        .collect();
    let text = || format!("{hanging:?} in the air");
    expect(hanging == [2, 3], text)?;
    let start = stage.position()?;
    let flat_out = CarCommand {
        throttle: 1.0,
        ..FREE
    };
    stage.run(8.0, &flat_out)?;
    Ok(stage.position()?.x - start.x)
}

fn stuck(backend: &dyn Backend, layout: &Layout) -> Result<Measure, Failure> {
    let way = way(backend, &six(layout, &equal())?)?;
    noted(way.abs() < 0.5, format!("{way:.3} m"))
}

fn climbs(backend: &dyn Backend, layout: &Layout) -> Result<Measure, Failure> {
    let way = way(backend, &six(layout, &vectoring())?)?;
    noted(way > 8.0, format!("{way:.3} m"))
}

/// Radii of slow circles.
fn sharper(backend: &dyn Backend) -> Result<Measure, Failure> {
    let radius = |layout: &Layout| -> Result<f32, Failure> {
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
