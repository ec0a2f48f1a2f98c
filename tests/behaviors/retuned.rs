//! Cars whose parameters are changed while they run.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use jounce::core::lanes::{Groups, LANES};
use jounce::core::state::WheelState;
use jounce::core::{CarCommand, Checked, Gear, Vehicle, VehicleModel, VehicleParams, VehicleState};
use jounce::document::{ModelSpec, Registries, VehicleSpec};
use jounce::file::Car;
use jounce::presets;
use proving_ground::stage::{Scene, Stage};
use proving_ground::world::WorldKind;
use rstest::rstest;
use serde_json::{Value, json};

use super::{FREE, car, stage};

const DRIVEN: CarCommand = CarCommand {
    throttle: 0.3,
    steer: 0.1,
    ..FREE
};

/// Factor by which a number changes.
const CHANGE: f64 = 1.01;
/// Value that replaces a 0.
const INSTEAD_OF_ZERO: f64 = 0.002;
/// Most that a change may do to the position (`m`) and to the velocity (`m/s`) in the step after it.
const JUMP: f64 = 0.001;
const KICK: f32 = 0.03;

/// A car that has been driven for a second from this speed (`m/s`), in this gear.
fn under_way(car: &Car, speed: f32, gear: i8) -> Stage {
    let scene = Scene {
        speed,
        gear: Gear(gear),
        ..Scene::LEVEL
    };
    let mut stage = stage(WorldKind::Standalone, car, &scene);
    stage.run(1.0, &DRIVEN).unwrap();
    stage
}

/// Place and velocity after another step.
fn goes_on(mut stage: Stage) -> (DVec3, Vec3) {
    let speed = stage.velocity().x;
    stage.step(&DRIVEN).unwrap();
    let body = stage.body().unwrap();
    let velocity = stage.vehicle.state().at_end_of_step(&body).linear_velocity;
    stage.run(0.5, &DRIVEN).unwrap();
    assert!(stage.velocity().x > speed / 1.5, "it drives on");
    (body.position, velocity)
}

/// A change of `path` makes no jump.
fn assert_smooth(path: &str, stage: Stage, (place, velocity): (DVec3, Vec3)) {
    let (p, v) = goes_on(stage);
    assert!((p - place).length() < JUMP, "{path}: {}", p - place);
    assert!((v - velocity).length() < KICK, "{path}: {}", v - velocity);
}

/// Every leaf of a value, changed: its path and the whole with it.
fn changed(whole: &Value) -> Vec<(String, Vec<Value>)> {
    fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), v)).collect(),
            Value::Array(list) => list
                .iter()
                .enumerate()
                .map(|(n, v)| (n.to_string(), v))
                .collect(),
            _ => return found.push(path.to_owned()),
        };
        for (key, child) in children {
            walk(child, &format!("{path}/{key}"), found);
        }
    }
    let mut paths = Vec::new();
    walk(whole, "", &mut paths);
    let with = |path: &str, leaf: Value| {
        let mut whole = whole.clone();
        *whole.pointer_mut(path).expect("the leaf") = leaf;
        whole
    };
    paths
        .into_iter()
        .map(|path| {
            let leaf = whole.pointer(&path).expect("the leaf");
            let others = other_values(leaf);
            let wholes = others.into_iter().map(|other| with(&path, other)).collect();
            (path, wholes)
        })
        .collect()
}

/// Other values that a leaf may have; for words, the ones that any field knows.
fn other_values(leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Bool(yes) => vec![json!(!yes)],
        Value::Number(n) if n.is_f64() && n.as_f64() == Some(0.0) => vec![json!(INSTEAD_OF_ZERO)],
        Value::Number(n) if n.is_f64() => {
            let x = n.as_f64().unwrap_or_default();
            vec![json!(x * CHANGE), json!(x / CHANGE)]
        }
        Value::Number(n) if n.as_u64() == Some(u64::from(u32::MAX)) => vec![json!(u32::MAX >> 1)],
        Value::Number(n) => vec![json!(n.as_u64().unwrap_or_default() + 1)],
        Value::String(word) => {
            let words = [
                "explicit",
                "velocity-change",
                "refuse",
                "Refuse",
                "axle",
                "steered",
                "ground",
                "wheel-end",
                "ground-jounce",
                "own-jounce",
                "down-strut",
                "into-ground",
                "pure",
                "other",
            ];
            let words = words.iter().filter(|other| *other != word);
            words
                .map(|other| json!(other))
                .chain([json!({ "sweep": {} })])
                .collect()
        }
        // What may be there, and is not.
        Value::Null => vec![
            json!(430.0),
            json!({ "speed": 0.1, "rate": 1000.0 }),
            json!([[0.0, 0.9]]),
            json!({ "mass": 4.0, "position": [0.5, 0.0, 0.5] }),
            json!({ "lateral": 0.1 }),
            json!({ "mass": 40.0, "tire_stiffness": 2e5 }),
        ],
        other => panic!("{other} is no parameter"),
    }
}

/// Any parameter can be changed in a running car through `Checked`: its path goes on without a jump,
/// and it drives on. Values that rules refuse are those that cannot be changed alone.
#[test]
fn every_parameter_changes_in_a_running_car() {
    let car = car("sedan");
    let model = car.model();
    let whole = serde_json::to_value(model.params()).unwrap();
    let sedan = || under_way(&car, 15.0, 3);
    let expected = goes_on(sedan());
    let (mut tried, mut refused) = (0, Vec::new());
    for (path, wholes) in changed(&whole) {
        let parsed = wholes
            .into_iter()
            .map(serde_json::from_value::<VehicleParams>);
        let parsed: Vec<VehicleParams> = parsed.filter_map(Result::ok).collect();
        assert!(!parsed.is_empty(), "{path} has no other value");
        let before = tried;
        for params in parsed {
            let Ok(other) = Checked::new(params).and_then(|params| model.with_params(params))
            else {
                continue;
            };
            let mut stage = sedan();
            stage.vehicle.set_model(Arc::new(other));
            assert_smooth(&path, stage, expected);
            tried += 1;
        }
        if tried == before {
            refused.push(path);
        }
    }
    assert!(tried > 150, "{tried}");
    // An index of what is not there, a wheel that leaves its load, a
    // direction that has a length, links and unsprung masses that all wheels have or none.
    let tied = [
        "friction_curve",
        "model",
        "anti_roll",
        "enabled",
        "travel_direction/2",
        "compliance/links",
        "unsprung",
    ];
    for path in refused {
        assert!(tied.iter().any(|name| path.contains(name)), "{path}");
    }
}

/// Numbers of drive and tires, too: what the vehicle remembers stays, and it drives on without a jump.
#[rstest]
#[case::sedan("sedan", 15.0, 3)]
#[case::rally_car("rally-car", 15.0, 3)]
#[case::tank("tank", 8.0, 3)]
fn every_number_of_drive_and_tires_changes_in_a_running_vehicle(
    #[case] name: &str,
    #[case] speed: f32,
    #[case] gear: i8,
) {
    let (car, models) = (car(name), Registries::with_builtins());
    let expected = goes_on(under_way(&car, speed, gear));
    let whole = serde_json::to_value((&car.spec().drive, &car.spec().tires)).unwrap();
    let numbers = changed(&whole).into_iter();
    let numbers = numbers.filter(|(path, _)| whole.pointer(path).is_some_and(Value::is_number));
    let (mut tried, mut refused) = (0, Vec::new());
    for (path, wholes) in numbers {
        let before = tried;
        for other in wholes {
            let (drive, tires): (ModelSpec, Vec<ModelSpec>) =
                serde_json::from_value(other).unwrap();
            let spec = VehicleSpec {
                drive,
                tires,
                ..car.spec().clone()
            };
            let Ok(model) = spec.build(&models) else {
                continue;
            };
            let mut stage = under_way(&car, speed, gear);
            let state = remembered(&stage.vehicle);
            stage.vehicle.set_model(Arc::new(model));
            assert_eq!(remembered(&stage.vehicle), state, "{path}");
            assert_smooth(&path, stage, expected);
            tried += 1;
        }
        if tried == before {
            refused.push(path);
        }
    }
    assert!(tried > 100, "{tried}");
    // Wheels of a differential, a track or an axle, which each have one place only.
    for path in refused {
        assert!(path.contains("wheels") || path.contains("/left"), "{path}");
    }
}

/// State that a vehicle carries on, without the digest of its inputs, and without lanes that have no wheel.
fn remembered(vehicle: &Vehicle) -> VehicleState {
    let (state, count) = (vehicle.state(), vehicle.model().wheel_count());
    let wheel = |group: usize, lane: usize| {
        let wheel = group * LANES + lane;
        (wheel < count).then_some(wheel)
    };
    let gathered = |group| WheelState::gathered(&state.wheels, |lane| wheel(group, lane));
    VehicleState {
        wheels: Groups::for_wheels(count, gathered),
        input_digest: 0,
        ..state.clone()
    }
}

/// A gear that the new drive has not becomes the nearest that it has.
#[test]
fn a_car_that_loses_its_gear_drives_on_in_the_nearest() {
    let model = car("sedan").model();
    let short = car_without_gears();
    let scene = Scene {
        speed: 20.0,
        gear: Gear(5),
        ..Scene::LEVEL
    };
    let mut stage = stage(WorldKind::Standalone, &car("sedan"), &scene);
    stage.run(0.5, &FREE).unwrap();
    assert_eq!(stage.vehicle.model().params(), model.params());
    stage.vehicle.set_model(short);
    assert_eq!(stage.vehicle.state().drive.gear, Gear(2));
    stage
        .run(
            1.0,
            &CarCommand {
                throttle: 1.0,
                ..FREE
            },
        )
        .unwrap();
    let coupling = stage.vehicle.control().coupling.expect("it has an engine");
    assert!(coupling.ratio > 0.0, "{coupling:?}");
    assert!(stage.velocity().x > 21.0, "{}", stage.velocity());
}

/// The sedan with two forward gears.
fn car_without_gears() -> Arc<VehicleModel> {
    let (_, text) = presets::FILES[0];
    let line = |key: &str| {
        let start = text.find(key).expect("the sedan has it");
        let end = start + text[start..].find('\n').expect("it ends");
        &text[start..end]
    };
    let mut short = text.to_owned();
    for (key, value) in [
        ("forward = [", "[3.4, 2.1]"),
        ("up = [", "[0.8, 1.0]"),
        ("down = [", "[0.0, 0.4]"),
    ] {
        let name = key.split(' ').next().expect("a name");
        short = short.replacen(line(key), &format!("{name} = {value}"), 1);
    }
    Car::parse(&short, "short.toml").unwrap().model()
}
