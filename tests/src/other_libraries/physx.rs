//! Assertions of NVIDIA's vehicle tests, with their limits, for our sedan.

use glam::{DVec3, Vec3};
use jounce::core::{CarCommand, Gear};
use jounce::file::Car;
use jounce::presets;
use proving_ground::stage::{FREE, Scene, Stage, car_with};
use proving_ground::world::{ColliderShape, ColliderSpec};
use serde_json::json;

use super::{car_of, noted, on_level};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 11] = [
    Case::assertion("torque on two wheels moves a car, none does not", torques),
    Case::assertion("a car launched with rolling wheels coasts", coasts),
    Case::measured_assertion(
        "wheels that steer by Ackermann share their circle's center",
        "track [m]",
        0.01,
        ackermann,
    ),
    Case::assertion("a car that was put back at rest stays", rests).needs(Need::Placing),
    Case::measured_assertion(
        "swept wheels bridge a gap of 10 cm",
        "height [m]",
        0.01,
        |b| sinks(b, true),
    )
    .needs(Need::Sweeps),
    Case::assertion("wheels with rays fall into a gap of 10 cm", |backend| {
        let depth = sinks(backend, false)?.value;
        noted(depth > 0.1, format!("{depth} m"))
    }),
    Case::assertion(
        "an engine moves a car unless it is too heavy, weak or slow",
        engines,
    ),
    Case::assertion("a car creeps by what its clutch drags", idles),
    Case::assertion("brakes slow the wheels that they are on", brakes),
    Case::assertion("a car drives back in reverse", reverses),
    Case::measured_assertion(
        "the order of wheels does not matter",
        "of its way [%]",
        0.01,
        shuffled,
    ),
];

const THROTTLE: CarCommand = CarCommand {
    throttle: 1.0,
    ..FREE
};

/// The sedan with keys of its file changed.
pub(super) fn sedan(change: impl FnOnce(&mut toml::Table)) -> Result<Car, Failure> {
    car_of(presets::BENCHMARK_SEDAN, change)
}

/// Forward distance of a car driven like this for two seconds (`m`).
fn way(stage: &mut Stage, command: &CarCommand) -> Result<f64, Failure> {
    let start = stage.position()?;
    stage.run(2.0, command)?;
    Ok(stage.position()?.x - start.x)
}

fn torques(backend: &dyn Backend) -> Result<Measure, Failure> {
    let moved = |torque: f32| {
        let drive = json!({ "model": "direct", "max_torques": [torque, torque, 0.0, 0.0] });
        let car = car_with("sedan", "drivetrain", drive)?;
        way(&mut on_level(backend, &car, &Scene::IN_FIRST)?, &THROTTLE)
    };
    let ways = [moved(0.0)?, moved(300.0)?, moved(600.0)?];
    let holds = ways[0].abs() < 0.01 && ways[1] > 1.0 && ways[2] > 3.0;
    noted(holds, format!("{ways:.4?} m"))
}

fn coasts(backend: &dyn Backend) -> Result<Measure, Failure> {
    let scene = Scene {
        speed: 10.0,
        ..Scene::LEVEL
    };
    let way = way(&mut on_level(backend, &presets::sedan(), &scene)?, &FREE)?;
    noted((18.0..20.0).contains(&way), format!("{way:.3} m"))
}

/// Compares wheel angles with Ackermann's, at full and at half steering to both sides.
fn ackermann(backend: &dyn Backend) -> Result<Measure, Failure> {
    const WHEELBASE: f32 = 4.0;
    const TRACK: f32 = 1.8;
    let car = sedan(|table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        for (axle, x) in axles.iter_mut().zip([0.5, -0.5]) {
            let axle = axle.as_table_mut().expect("a table");
            axle.insert("x".to_owned(), f64::from(x * WHEELBASE).into());
            axle.insert("track".to_owned(), f64::from(TRACK).into());
            axle.insert("toe_deg".to_owned(), 0.0.into());
            axle.remove("steering");
        }
        let steering = toml::toml! { max_deg = 30.0
        ackermann = 1.0 };
        axles[0]
            .as_table_mut()
            .expect("a table")
            .insert("steering".to_owned(), steering.into());
    })?;
    let mut worst = 0.0_f32;
    for steer in [1.0, -0.5] {
        let mut stage = on_level(backend, &car, &Scene::LEVEL)?;
        stage.run(0.1, &CarCommand { steer, ..FREE })?;
        let center = |wheel| WHEELBASE / stage.vehicle.wheel_report(wheel).steer.tan();
        worst = worst.max(((center(0) - center(1)).abs() - TRACK).abs());
    }
    Ok(f64::from(worst).into())
}

fn rests(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = presets::sedan();
    let mut stage = on_level(backend, &car, &Scene::LEVEL)?;
    stage.run(2.0, &FREE)?;
    let stood = stage.body()?;
    stage.vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let driven = way(&mut stage, &THROTTLE)?;
    expect(driven > 1.0, || format!("driven {driven} m"))?;
    let body = stage.vehicle.body();
    stage.world.place(body, stood.position, stood.rotation)?;
    stage.vehicle.reset_to_rest();
    stage.run(1.0, &FREE)?;
    let now = stage.body()?;
    let moved = now.position.distance(stood.position);
    let speed = now.linear_velocity.length();
    noted(
        moved < 0.005 && speed < 0.007,
        format!("{moved:.6} m, {speed:.6} m/s"),
    )
}

/// Depth to which a car sinks with its wheels over gaps between boxes, 20 cm deep (`m`).
fn sinks(backend: &dyn Backend, swept: bool) -> Result<Measure, Failure> {
    const HEIGHT: f64 = 0.2;
    const GAP: f64 = 0.1;
    let car = sedan(|table| {
        if swept {
            table.insert("sweep".to_owned(), toml::Table::new().into());
        }
    })?;
    let scene = Scene {
        lift: HEIGHT,
        hull: false,
        ..Scene::LEVEL
    };
    let mut stage = on_level(backend, &car, &scene)?;
    let wheels = &stage.vehicle.model().params().wheels;
    let [front, rear] = [0, 2].map(|wheel| f64::from(wheels[wheel].position.x));
    let gap = 0.5 * GAP;
    for (low, high) in [
        (rear - 4.0, rear - gap),
        (rear + gap, front - gap),
        (front + gap, front + 4.0),
    ] {
        let half = DVec3::new(0.5 * (high - low), 2.0, 0.5 * HEIGHT);
        let middle = DVec3::new(low.midpoint(high), 0.0, 0.5 * HEIGHT);
        let shape = ColliderShape::Cuboid(half.as_vec3());
        let spec = ColliderSpec::fixed(shape, middle);
        stage.world.add_collider(&spec)?;
    }
    let height = stage.position()?.z;
    stage.run(1.0, &FREE)?;
    Ok((height - stage.position()?.z).into())
}

/// Distance of a sedan whose engine has this value instead of its own (`m`).
fn way_with(
    backend: &dyn Backend,
    key: &str,
    value: f64,
    command: &CarCommand,
) -> Result<f64, Failure> {
    let car = sedan(|table| {
        let engine = table["drivetrain"]["engine"].as_table_mut();
        engine
            .expect("a table")
            .insert(key.to_owned(), value.into());
    })?;
    way(&mut on_level(backend, &car, &Scene::IN_FIRST)?, command)
}

/// One faulty engine value at a time.
fn engines(backend: &dyn Backend) -> Result<Measure, Failure> {
    let moved = |key, value| way_with(backend, key, value, &THROTTLE);
    let faulty = [
        moved("inertia", 1e6)?,
        moved("peak_torque", 1.0)?,
        moved("max_speed", 0.1)?,
    ];
    let sound = moved("idle_speed", 0.0)?;
    let holds = faulty.iter().all(|way| way.abs() < 0.09) && sound > 1.0;
    noted(holds, format!("{faulty:.4?} and {sound:.3} m"))
}

/// Practically the same as without throttle.
fn idles(backend: &dyn Backend) -> Result<Measure, Failure> {
    let hardly = CarCommand {
        throttle: 1e-4,
        ..FREE
    };
    let creeps = |torque: f64| {
        let keys = [
            ("drivetrain.engine.idle_speed", 80.0.into()),
            ("drivetrain.clutch.automatic", true.into()),
            ("drivetrain.clutch.creep_torque", torque.into()),
        ];
        let car = presets::sedan().with_all(keys);
        let car = car.map_err(|error| Failure::Broken(error.to_string()))?;
        way(&mut on_level(backend, &car, &Scene::IN_FIRST)?, &hardly)
    };
    let [drags, none] = [creeps(30.0)?, creeps(0.0)?];
    noted(
        drags > 1.0 && none.abs() < 0.09,
        format!("{drags:.3} m, {none:.4} m without"),
    )
}

/// Brakes the wheels in the air for one step of 3600 N·m, on one axle and then on the other.
fn brakes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut notes = Vec::new();
    for braked in [0, 1] {
        let car = sedan(|table| {
            for axle in 0..2 {
                // Those of an axle without brakes cannot lead braking to the body.
                table["axles"][axle]
                    .as_table_mut()
                    .expect("a table")
                    .remove("links");
                let torque = if axle == braked { 3600.0 } else { 0.0 };
                table["axles"][axle]["brakes"]["max_torque"] = torque.into();
            }
        })?;
        let scene = Scene {
            lift: 20.0,
            speed: 30.0,
            ..Scene::LEVEL
        };
        let mut stage = on_level(backend, &car, &scene)?;
        let before = stage.spins();
        stage.step(&CarCommand { brake: 1.0, ..FREE })?;
        let spins = stage.spins();
        let shares: Vec<f32> = spins
            .iter()
            .zip(&before)
            .map(|(now, was)| now / was)
            .collect();
        let holds = shares.iter().enumerate().all(|(wheel, share)| {
            if wheel / 2 == braked {
                *share < 0.5
            } else {
                *share > 0.95
            }
        });
        let note = format!("{shares:.3?} of their speeds");
        expect(holds, || note.clone())?;
        notes.push(note);
    }
    noted(true, notes.join(", "))
}

fn reverses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let scene = Scene {
        gear: Gear::REVERSE,
        ..Scene::LEVEL
    };
    let way = way(
        &mut on_level(backend, &presets::sedan(), &scene)?,
        &THROTTLE,
    )?;
    noted(way < -1.0, format!("{way:.3} m"))
}

/// Five seconds of a bend, with the rear axle named first.
fn shuffled(backend: &dyn Backend) -> Result<Measure, Failure> {
    let turned = sedan(|table| {
        let axles = table["axles"].as_array_mut().expect("a list");
        axles.reverse();
        let bars = table["anti_roll"].as_array_mut().expect("a list");
        let wheels = bars.iter().map(|bar| bar["wheels"].clone());
        let wheels: Vec<_> = wheels.collect();
        for (bar, wheels) in bars.iter_mut().zip(wheels.into_iter().rev()) {
            bar["wheels"] = wheels;
        }
        table["drivetrain"]["differential"]["wheels"] = toml::Value::from(vec![2, 3, 0, 1]);
    })?;
    let bend = CarCommand {
        throttle: 0.4,
        steer: 0.2,
        ..FREE
    };
    let end = |car: &Car| -> Result<(DVec3, Vec3), Failure> {
        let mut stage = on_level(backend, car, &Scene::IN_FIRST)?;
        stage.run(5.0, &bend)?;
        Ok((stage.position()?, stage.velocity()))
    };
    let ((one, speed), (other, _)) = (end(&presets::benchmark_sedan())?, end(&turned)?);
    let note = format!("to {one}, {speed} m/s");
    Ok(Measure {
        value: 100.0 * one.distance(other) / one.length(),
        note,
    })
}
