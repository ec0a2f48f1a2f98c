//! The experiments of the book's tuning guide.

use jounce::core::{CarCommand, Gear};
use proving_ground::changed::KeyChange;
use proving_ground::sample::{Sample, rpm};
use proving_ground::stage::{FLAT_OUT, FREE, Scene};

use crate::experiment::{Experiment, Shown, Version};

fn set(value: impl Into<toml::Value>) -> KeyChange {
    KeyChange::Set(value.into())
}

fn version(name: &'static str, changes: impl Into<Vec<(&'static str, KeyChange)>>) -> Version {
    Version {
        name,
        changes: changes.into(),
    }
}

/// A value of one key.
fn one(name: &'static str, key: &'static str, change: KeyChange) -> Version {
    version(name, [(key, change)])
}

/// Scene on level ground at a speed (`m/s`), out of gear.
fn rolling(speed: f32) -> Scene {
    Scene {
        speed,
        ..Scene::LEVEL
    }
}

/// A friction curve with one value at every slip.
fn friction(value: f64) -> KeyChange {
    let points = [0.0, 0.1, 1.0].map(|slip| toml::Value::from(vec![slip, value]));
    set(points.to_vec())
}

/// A locked rear axle.
fn locked() -> KeyChange {
    let ratios = "[0.0, 0.0, 0.5, 0.5]";
    let text = format!(
        "model = 'locking'\nfront = [0, 1]\nrear = [2, 3]\nrear_limit = {{ bias = 1.0, target = 1.0 }}\n\
         ratios = {{ torque_ratios = {ratios}, speed_ratios = {ratios} }}"
    );
    set(text.parse::<toml::Table>().expect("it is TOML"))
}

/// Brakes after the first second.
fn brakes(seen: &Sample) -> CarCommand {
    CarCommand {
        brake: if seen.time < 1.0 { 0.0 } else { 0.6 },
        ..FREE
    }
}

/// Steers to the left by `part` of full lock, within 0.2 s after half a second.
fn turns(seen: &Sample, part: f32) -> CarCommand {
    CarCommand {
        steer: -part * ((seen.time - 0.5) / 0.2).clamp(0.0, 1.0),
        ..FREE
    }
}

const ROLL: (&str, Shown) = ("roll, °, away from the bend", |s| s.roll.to_degrees());
const YAW: (&str, Shown) = ("yaw rate, °/s", |s| s.yaw_rate.to_degrees());
const SIDESLIP: (&str, Shown) = ("body's slip angle, °, nose into the bend", |s| {
    -libm::atan2f(s.lateral_speed, s.forward_speed.max(1.0)).to_degrees()
});
const SPEED: (&str, Shown) = ("speed, km/h", |s| 3.6 * s.forward_speed);
const ENGINE: (&str, Shown) = ("engine, 1000/min", |s| 1e-3 * rpm(s.engine_speed));

const INNER_LOAD: (&str, Shown) = ("load of the inner front tire, kN", |s| {
    1e-3 * s.wheels[0].load
});

/// A sedan at 25 m/s that is steered to the left.
fn bend(
    file: &'static str,
    what: &'static str,
    driver: fn(&Sample) -> CarCommand,
    versions: [Version; 3],
    strips: Vec<(&'static str, Shown)>,
) -> Experiment {
    Experiment {
        file,
        what,
        car: "sedan",
        versions: versions.into(),
        scene: rolling(25.0),
        seconds: 4.0,
        driver,
        strips,
    }
}

pub(crate) fn experiments() -> Vec<Experiment> {
    [suspension(), balance(), drive()]
        .into_iter()
        .flatten()
        .collect()
}

fn suspension() -> Vec<Experiment> {
    let (spring, damper) = ("axles.suspension.stiffness", "axles.suspension.damping");
    let (bar, center) = ("anti_roll.0.stiffness", "chassis.center_of_mass");
    let at = |height: f64| set(vec![0.14, 0.0, height]);
    vec![
        Experiment {
            file: "spring.svg",
            what: "A braked sedan on softer and stiffer springs",
            car: "sedan",
            versions: vec![
                one("half", spring, KeyChange::Times(0.5)),
                version("as it is", []),
                one("twice", spring, KeyChange::Times(2.0)),
            ],
            scene: rolling(25.0),
            seconds: 4.0,
            driver: brakes,
            strips: vec![
                ("nose down, °", |s| -s.pitch.to_degrees()),
                ("compression of the front left spring, mm", |s| {
                    1e3 * s.wheels[0].jounce
                }),
            ],
        },
        Experiment {
            file: "damper.svg",
            what: "A sedan dropped from 8 cm on weaker and stronger dampers",
            car: "sedan",
            versions: vec![
                one("a quarter", damper, KeyChange::Times(0.25)),
                version("as it is", []),
                one("three times", damper, KeyChange::Times(3.0)),
            ],
            scene: Scene {
                lift: 0.08,
                ..Scene::LEVEL
            },
            seconds: 3.0,
            driver: |_| FREE,
            strips: vec![
                ("compression of the front left spring, mm", |s| {
                    1e3 * s.wheels[0].jounce
                }),
                ("load of the front left tire, kN", |s| {
                    1e-3 * s.wheels[0].load
                }),
            ],
        },
        bend(
            "anti-roll.svg",
            "A sedan turns into a bend with weaker and stronger front anti-roll bars",
            |s| turns(s, 0.1),
            [
                one("none", bar, set(1e-3)),
                version("4.5 kN/m", []),
                one("20 kN/m", bar, set(20e3)),
            ],
            vec![ROLL, INNER_LOAD, YAW],
        ),
        bend(
            "center-of-mass.svg",
            "A sedan turns into a bend with a lower and a higher center of mass",
            |s| turns(s, 0.1),
            [
                one("0.40 m", center, at(0.40)),
                version("0.54 m", []),
                one("0.75 m", center, at(0.75)),
            ],
            vec![ROLL, INNER_LOAD],
        ),
    ]
}

fn balance() -> Vec<Experiment> {
    let (front, rear) = ("axles.0.tire.friction_curve", "axles.1.tire.friction_curve");
    let (before, behind) = ("axles.0.brakes.max_torque", "axles.1.brakes.max_torque");
    vec![
        bend(
            "grip.svg",
            "A sedan turns hard with less grip in front or behind",
            |s| turns(s, 0.2),
            [
                one("front 0.85", front, friction(0.85)),
                version("as it is", []),
                one("rear 0.85", rear, friction(0.85)),
            ],
            vec![YAW, SIDESLIP],
        ),
        Experiment {
            file: "brake-balance.svg",
            what: "A sedan brakes hard in a bend with more braking in front or behind",
            car: "sedan",
            versions: vec![
                version(
                    "all in front",
                    [
                        (before, set(2850.0)),
                        (behind, set(0.0)),
                        // Its links have no brakes to lead to the body.
                        ("axles.1.links.anti_lift", set(0.0)),
                    ],
                ),
                version("as it is", []),
                version(
                    "half behind",
                    [(before, set(1425.0)), (behind, set(1425.0))],
                ),
            ],
            scene: rolling(30.0),
            seconds: 4.5,
            driver: |s| CarCommand {
                brake: if s.time < 1.5 { 0.0 } else { 0.5 },
                ..turns(s, 0.025)
            },
            strips: vec![
                SPEED,
                ("slip of the inner rear tire, %", |s| {
                    100.0 * s.wheels[2].slip_ratio
                }),
                SIDESLIP,
            ],
        },
    ]
}

fn drive() -> Vec<Experiment> {
    let differential = "drivetrain.differential";
    let (kind, bias) = (
        "drivetrain.differential.kind",
        "drivetrain.differential.rear_bias",
    );
    let (plates, ratio) = (
        "drivetrain.clutch.capacity",
        "drivetrain.gearbox.final_ratio",
    );
    vec![
        Experiment {
            file: "differential.svg",
            what: "A sports car accelerates out of a bend with three differentials",
            car: "sports-car",
            versions: vec![
                one("open", kind, set("open-rear")),
                one("limited slip", bias, set(1.1)),
                one("locked", differential, locked()),
            ],
            scene: Scene {
                gear: Gear(2),
                ..rolling(11.0)
            },
            seconds: 4.0,
            driver: |s| CarCommand {
                throttle: 0.1 + 0.7 * ((s.time - 1.0) / 0.3).clamp(0.0, 1.0),
                ..turns(s, 0.3)
            },
            strips: vec![
                ("inner rear rim over ground, m/s", |s| {
                    s.wheels[2].spin * 0.345 - s.wheels[2].forward_speed
                }),
                ("outer rear rim over ground, m/s", |s| {
                    s.wheels[3].spin * 0.345 - s.wheels[3].forward_speed
                }),
                YAW,
            ],
        },
        Experiment {
            file: "clutch.svg",
            what: "A sedan launched with a weaker clutch",
            car: "sedan",
            versions: vec![one("100 N·m", plates, set(100.0)), version("320 N·m", [])],
            scene: Scene::IN_FIRST,
            seconds: 4.0,
            driver: |s| CarCommand {
                throttle: 1.0,
                clutch: if s.time < 0.6 { 1.0 } else { 0.0 },
                ..FREE
            },
            strips: vec![ENGINE, ("acceleration, m/s²", |s| s.acceleration.x), SPEED],
        },
        Experiment {
            file: "final-ratio.svg",
            what: "A sedan at full throttle with shorter and longer gears",
            car: "sedan",
            versions: vec![
                one("3.2", ratio, set(3.2)),
                version("4.05", []),
                one("5.2", ratio, set(5.2)),
            ],
            scene: Scene::IN_FIRST,
            seconds: 8.0,
            driver: |_| FLAT_OUT,
            strips: vec![SPEED, ENGINE],
        },
    ]
}
