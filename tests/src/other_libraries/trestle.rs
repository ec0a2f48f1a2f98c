//! Jolt's test of differentials: a car whose hull rests on a trestle, so that a side or an axle is
//! in the air. Torque then reaches the ground only through limited slip.
//!
//! The trestle is under the edge of the hull, where bodies of all worlds have contacts, and wheels
//! ignore it; Jolt's car stands on a cube between the wheels. The assertions are unaffected.

use glam::{DVec2, DVec3};
use jounce::core::CarCommand;
use proving_ground::stage::{FREE, Scene, Stage};
use proving_ground::world::{ColliderShape, ColliderSpec};
use serde_json::json;

use super::{car_of, jolt, noted, on_level};
use crate::backend::Backend;
use crate::backend::Need;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 14] = [
    case(
        "an open drive is stuck with its left wheels in the air",
        |backend| stuck(backend, &LEFT, &OPEN),
    ),
    case(
        "a drive limited between its axles is stuck with its left wheels in the air",
        |backend| stuck(backend, &LEFT, &BETWEEN),
    ),
    case(
        "a limited drive gets off with its left wheels in the air",
        |backend| moves(backend, &LEFT, &LIMITED),
    ),
    case(
        "an open drive is stuck with its right wheels in the air",
        |backend| stuck(backend, &RIGHT, &OPEN),
    ),
    case(
        "a drive limited between its axles is stuck with its right wheels in the air",
        |backend| stuck(backend, &RIGHT, &BETWEEN),
    ),
    case(
        "a limited drive gets off with its right wheels in the air",
        |backend| moves(backend, &RIGHT, &LIMITED),
    ),
    case(
        "an open drive is stuck with its front wheels in the air",
        |backend| stuck(backend, &FRONT, &OPEN),
    ),
    case(
        "a drive limited between its axles gets off with its front wheels in the air",
        |backend| moves(backend, &FRONT, &BETWEEN),
    ),
    case(
        "a limited drive gets off with its front wheels in the air",
        |backend| moves(backend, &FRONT, &LIMITED),
    ),
    case(
        "an open drive is stuck with its rear wheels in the air",
        |backend| stuck(backend, &REAR, &OPEN),
    ),
    case(
        "a drive limited between its axles gets off with its rear wheels in the air",
        |backend| moves(backend, &REAR, &BETWEEN),
    ),
    case(
        "a limited drive gets off with its rear wheels in the air",
        |backend| moves(backend, &REAR, &LIMITED),
    ),
    case(
        "a front drive is stuck with its front wheels in the air",
        |backend| stuck(backend, &FRONT, &FRONT_ONLY),
    ),
    case(
        "a front drive gets off with its rear wheels in the air",
        |backend| moves(backend, &REAR, &FRONT_ONLY),
    ),
];

const fn case(name: &'static str, run: fn(&dyn Backend) -> Result<Measure, Failure>) -> Case {
    Case::assertion(name, run).needs(Need::Hulls)
}

/// Torque distribution: limited slip uses a ratio of 1.4.
struct TorqueSplit {
    /// Share of the front axle (–).
    front: f64,
    /// Whether slip between the axles is limited.
    between: bool,
    /// Whether slip between left and right wheels is limited.
    across: bool,
}

const OPEN: TorqueSplit = TorqueSplit {
    front: 0.5,
    between: false,
    across: false,
};
const BETWEEN: TorqueSplit = TorqueSplit {
    between: true,
    ..OPEN
};
const LIMITED: TorqueSplit = TorqueSplit {
    across: true,
    ..BETWEEN
};
const FRONT_ONLY: TorqueSplit = TorqueSplit {
    front: 1.0,
    ..LIMITED
};

impl TorqueSplit {
    /// The table of a vehicle file.
    fn table(&self) -> toml::Value {
        const BIAS: f64 = 1.4;
        let mut table = json!({ "model": "limited-slip", "axles": [
            { "wheels": [0, 1], "share": self.front },
            { "wheels": [2, 3], "share": 1.0 - self.front },
        ] });
        if self.between {
            table["bias"] = BIAS.into();
        }
        if self.across {
            table["axles"][0]["bias"] = BIAS.into();
            table["axles"][1]["bias"] = BIAS.into();
        }
        toml::Value::try_from(table).expect("it is a table")
    }
}

/// A trestle, and the wheels it lifts.
struct Trestle {
    /// Low and high corner of the trestle, seen from above (`m`).
    corners: [DVec2; 2],
    /// The wheels in the air.
    hanging: [usize; 2],
}

const LEFT: Trestle = Trestle {
    corners: [DVec2::new(-20.0, 0.85), DVec2::new(20.0, 1.35)],
    hanging: [0, 2],
};
const RIGHT: Trestle = Trestle {
    corners: [DVec2::new(-20.0, -1.35), DVec2::new(20.0, -0.85)],
    hanging: [1, 3],
};
const FRONT: Trestle = Trestle {
    corners: [DVec2::new(1.0, -2.0), DVec2::new(20.0, 2.0)],
    hanging: [0, 1],
};
/// Trestle that the car drops off within a meter, as off Jolt's cube.
const REAR: Trestle = Trestle {
    corners: [DVec2::new(-3.0, -2.0), DVec2::new(-1.0, 2.0)],
    hanging: [2, 3],
};
/// Height of the trestle (`m`): hulls rest at 0.64 m, and wheels leave the ground 0.14 m above that.
const HEIGHT: f64 = 0.87;
/// Drop height of the car: its hull just clears the trestle (`m`).
const DROP: f64 = 0.25;
/// A layer ignored by wheels.
const LAYER: u32 = 2;
/// Ten times the grip, as in Jolt's test (–).
const FRICTION: f32 = 4.47;
/// Maximum settling time of the car (`s`), and driving time after that (`s`).
const TIMES: [f32; 2] = [2.0, 2.0];

/// A car dropped on a trestle.
fn lying(backend: &dyn Backend, trestle: &Trestle, drive: &TorqueSplit) -> Result<Stage, Failure> {
    let car = car_of(jolt::CAR, |table| {
        table["drivetrain"]["differential"] = drive.table();
    })?;
    let scene = Scene {
        lift: DROP,
        friction: FRICTION,
        ..Scene::IN_FIRST
    };
    let mut stage = on_level(backend, &car, &scene)?;
    let [low, high] = trestle.corners.map(|corner| corner.extend(0.0));
    let half = (0.5 * (high - low) + DVec3::Z * 0.5 * HEIGHT).as_vec3();
    stage.world.add_collider(&ColliderSpec {
        layers: LAYER,
        ..ColliderSpec::fixed(
            ColliderShape::Cuboid(half),
            low.midpoint(high) + DVec3::Z * 0.5 * HEIGHT,
        )
    })?;
    stage.run(TIMES[0], &FREE)?;
    Ok(stage)
}

/// Distance of the car (`m`), once it rests with exactly the expected wheels in the air.
fn way(backend: &dyn Backend, trestle: &Trestle, drive: &TorqueSplit) -> Result<f64, Failure> {
    let mut stage = lying(backend, trestle, drive)?;
    let start = stage.position()?;
    let hanging: Vec<usize> = (0..4)
        .filter(|wheel| stage.vehicle.wheel_report(*wheel).in_air)
        .collect();
    let lies = hanging == trestle.hanging && start.x.abs() < 0.03;
    expect(lies, || {
        format!("it lies at {start}, {hanging:?} in the air")
    })?;
    let flat_out = CarCommand {
        throttle: 1.0,
        ..FREE
    };
    stage.run(TIMES[1], &flat_out)?;
    Ok(stage.position()?.x - start.x)
}

fn stuck(
    backend: &dyn Backend,
    trestle: &Trestle,
    drive: &TorqueSplit,
) -> Result<Measure, Failure> {
    let way = way(backend, trestle, drive)?;
    noted(way.abs() < 0.06, format!("{way:.3} m"))
}

fn moves(
    backend: &dyn Backend,
    trestle: &Trestle,
    drive: &TorqueSplit,
) -> Result<Measure, Failure> {
    let way = way(backend, trestle, drive)?;
    noted(way > 0.5, format!("{way:.3} m"))
}
