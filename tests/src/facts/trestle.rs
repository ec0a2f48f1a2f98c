//! Jolt's test of differentials: a car whose hull rests on a trestle, so that a side or an axle hangs
//! in the air. Torque then gets to the ground only through a limited slip.
//!
//! The trestle is under the edge of the hull, where bodies of all worlds have contacts, and wheels do
//! not see it; Jolt's car stands on a cube between the wheels. That leaves what is asserted as it is.

use glam::{DVec2, DVec3};
use jounce::core::CarCommand;
use lab::stage::{FREE, Scene, Stage};
use lab::world::{ColliderShape, ColliderSpec};

use super::{car_of, jolt, on_level};
use crate::backend::Backend;
use crate::suite::{Case, Failure, Measure, Need, expect};

pub(super) const CASES: [Case; 10] = [
    case(
        "an open drive is stuck with its left wheels in the air",
        |backend| stuck(backend, &LEFT, "open-all"),
    ),
    case(
        "a limited drive gets off with its left wheels in the air",
        |backend| moves(backend, &LEFT, "limited-slip-all"),
    ),
    case(
        "an open drive is stuck with its right wheels in the air",
        |backend| stuck(backend, &RIGHT, "open-all"),
    ),
    case(
        "a limited drive gets off with its right wheels in the air",
        |backend| moves(backend, &RIGHT, "limited-slip-all"),
    ),
    case(
        "an open drive is stuck with its front wheels in the air",
        |backend| stuck(backend, &FRONT, "open-all"),
    ),
    case(
        "a limited drive gets off with its front wheels in the air",
        |backend| moves(backend, &FRONT, "limited-slip-all"),
    ),
    case(
        "an open drive is stuck with its rear wheels in the air",
        |backend| stuck(backend, &REAR, "open-all"),
    ),
    case(
        "a limited drive gets off with its rear wheels in the air",
        |backend| moves(backend, &REAR, "limited-slip-all"),
    ),
    case(
        "a front drive is stuck with its front wheels in the air",
        |backend| stuck(backend, &FRONT, "limited-slip-front"),
    ),
    case(
        "a front drive gets off with its rear wheels in the air",
        |backend| moves(backend, &REAR, "limited-slip-front"),
    ),
];

const fn case(name: &'static str, run: fn(&dyn Backend) -> Result<Measure, Failure>) -> Case {
    Case::fact(name, run).needs(Need::Hulls)
}

/// A trestle, and what it lifts.
struct Trestle {
    /// Its low and its high corner, seen from above [m].
    corners: [DVec2; 2],
    /// The wheels that hang in the air.
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
/// The car drops off it within a metre, as off Jolt's cube.
const REAR: Trestle = Trestle {
    corners: [DVec2::new(-3.0, -2.0), DVec2::new(-1.0, 2.0)],
    hanging: [2, 3],
};
/// How high it is [m]: hulls rest at 0.64 m, and wheels leave the ground 0.14 m above that.
const HEIGHT: f64 = 0.87;
/// The height that the car is dropped from: its hull just clears the trestle [m].
const DROP: f64 = 0.25;
/// A layer that no wheel looks for.
const LAYER: u32 = 2;
/// Ten times the grip, as there [−].
const FRICTION: f32 = 4.47;
/// The longest that the car may take to lie still [s], and how much longer than that it is driven [s].
const TIMES: [f32; 2] = [2.0, 2.0];

/// A car that was dropped on a trestle.
fn lying(backend: &dyn Backend, trestle: &Trestle, kind: &str) -> Result<Stage, Failure> {
    let car = car_of(jolt::CAR, |table| {
        table["drivetrain"]["differential"]["kind"] = kind.into();
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

/// How far the car gets [m], once it lies with just those wheels in the air that hang there.
fn way(backend: &dyn Backend, trestle: &Trestle, kind: &str) -> Result<f64, Failure> {
    let mut stage = lying(backend, trestle, kind)?;
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

fn stuck(backend: &dyn Backend, trestle: &Trestle, kind: &str) -> Result<Measure, Failure> {
    told(way(backend, trestle, kind)?, |way| way.abs() < 0.06)
}

fn moves(backend: &dyn Backend, trestle: &Trestle, kind: &str) -> Result<Measure, Failure> {
    told(way(backend, trestle, kind)?, |way| way > 0.5)
}

fn told(way: f64, holds: impl Fn(f64) -> bool) -> Result<Measure, Failure> {
    let note = format!("{way:.3} m");
    expect(holds(way), || note.clone())?;
    Ok(Measure { value: 0.0, note })
}
