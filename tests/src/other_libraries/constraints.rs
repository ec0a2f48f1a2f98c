//! Friction as bounded velocity constraints, and suspensions as constraints with limits (seed 003, "Friction
//! Constraints" and "Suspension Constraints").

use core::f32::consts::PI;

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::{FREE, GRAVITY, Scene, Stage};

use super::RATE;
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 4] = [
    Case::measured_assertion(
        "friction as a constraint stays within its bound",
        "force / μN",
        // Some tens of roundings in single precision, where links lift.
        1.000_01,
        stays_bounded,
    ),
    Case::measured_assertion(
        "cars on constraints stand still on a slope",
        "way in 10 s on 20° [mm]",
        0.5,
        stand_still,
    ),
    Case::measured_assertion(
        "struts that are constraints carry what statics say",
        "loads off [%]",
        0.1,
        carry,
    ),
    Case::measured_assertion(
        "a fall of 2 m onto constraints is the same at every rate",
        "heights apart, of 2 m [%]",
        1.0,
        fall,
    ),
];

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
/// Steps per second from the slowest to the fastest (`Hz`).
const RATES: [f32; 4] = [30.0, 60.0, 120.0, 240.0];

/// The sedan, changed.
fn changed(change: impl FnOnce(&mut toml::Table)) -> Result<Car, Failure> {
    let (_, text) = presets::FILES[0];
    super::car_of(text, change)
}

/// The sedan on tires that stick or slide.
fn sticking(shape: &str) -> Result<Car, Failure> {
    changed(|table| {
        let tires = table["tires"].as_table_mut().expect("a table");
        for (_, tire) in tires.iter_mut() {
            let law = format!("model = 'friction'\nshape = '{shape}'");
            *tire = law.parse::<toml::Table>().expect("a table").into();
        }
    })
}

/// The sedan whose struts are constraints of this frequency (`Hz`).
fn constrained(frequency: f32) -> Result<Car, Failure> {
    let constraint = format!("frequency = {frequency:?}\ndamping_ratio = 1.0");
    let constraint: toml::Table = constraint.parse().expect("a table");
    changed(|table| {
        for axle in table["axles"].as_array_mut().expect("a list") {
            let strut = axle["suspension"].as_table_mut().expect("a table");
            for key in ["stiffness", "damping", "bump_stop_stiffness"] {
                strut.remove(key);
            }
            strut.insert("constraint".to_owned(), constraint.clone().into());
        }
    })
}

/// Braked into a bend: in a cone both directions together, in a pyramid each by itself, and then at its corners more
/// than in a cone.
fn stays_bounded(backend: &dyn Backend) -> Result<Measure, Failure> {
    let fast = Scene {
        speed: 20.0,
        ..Scene::LEVEL
    };
    let bend = CarCommand {
        brake: 0.5,
        steer: 0.5,
        ..FREE
    };
    let (mut worst, mut note) = (0.0_f64, String::new());
    for (shape, is_cone) in [("cone", true), ("pyramid", false)] {
        let mut stage = super::on_level(backend, &sticking(shape)?, &fast)?;
        let (mut together, mut each, mut beyond) = (0.0_f64, 0.0_f64, 0.0_f64);
        for step in 0..120 {
            stage.step(if step < 30 { &FREE } else { &bend })?;
            for wheel in (0..4).map(|n| stage.vehicle.wheel_report(n)) {
                let bound = f64::from(wheel.friction * wheel.load);
                if bound > 0.0 {
                    let [x, y] = [wheel.longitudinal_force, wheel.lateral_force].map(f64::from);
                    together = together.max(x.hypot(y) / bound);
                    each = each.max(x.abs().max(y.abs()) / bound);
                    let force = if is_cone {
                        x.hypot(y)
                    } else {
                        x.abs().max(y.abs())
                    };
                    // Over the rest load: rounding of what links lift is that of larger forces than a light wheel's.
                    let rest = f64::from(wheel.friction * wheel.rest_mass * -GRAVITY.z);
                    beyond = beyond.max((force - bound) / rest);
                }
            }
        }
        note += &format!(
            "{shape}: {together:.7} together, {each:.7} in one direction, {beyond:.1e} of the rest load beyond; "
        );
        let reached = each > 0.9 && (is_cone || together > 1.2);
        expect(reached, || note.clone())?;
        worst = worst.max(1.0 + beyond);
    }
    Ok(Measure { value: worst, note })
}

/// Braked, nose down, at each rate, whichever constraints a car has.
fn stand_still(backend: &dyn Backend) -> Result<Measure, Failure> {
    let cars = [
        ("cone", sticking("cone")?),
        ("pyramid", sticking("pyramid")?),
        ("2 Hz", constrained(2.0)?),
        ("8 Hz", constrained(8.0)?),
    ];
    let terrain = Terrain::new(&GroundSpec::Slope(20.0), MeshUp::Z)?;
    let scene = Scene {
        heading: PI,
        ..Scene::LEVEL
    };
    let mut worst = Measure::default();
    for (name, car) in &cars {
        for rate in [30.0, RATE, 240.0] {
            let dt = 1.0 / rate;
            let mut stage = Stage::put(backend.open(&terrain, dt)?, &terrain, car, &scene, dt)?;
            stage.run(3.0, &BRAKED)?;
            let start = stage.position()?;
            stage.run(10.0, &BRAKED)?;
            let way = 1000.0 * stage.position()?.distance(start);
            if way.is_nan() || way > worst.value {
                let note = format!("{name}, {rate} Hz");
                worst = Measure { value: way, note };
            }
        }
    }
    Ok(worst)
}

/// Most by which a load at rest is away from the weight that its wheel carries.
fn carry(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = constrained(3.0)?;
    let mut loads = Vec::new();
    for rate in RATES {
        let mut stage = super::at_rate(backend, &car, &Scene::LEVEL, rate)?;
        stage.run(3.0, &BRAKED)?;
        for (n, wheel) in car.spec().params.wheels.iter().enumerate() {
            let weight = wheel.suspension.sprung_mass * stage.gravity.length();
            let load = stage.vehicle.wheel_report(n).suspension_force;
            loads.push(f64::from(100.0 * (load / weight - 1.0)));
        }
    }
    Ok(Measure {
        value: loads.iter().map(|off| off.abs()).fold(0.0, f64::max),
        note: format!("{loads:.4?}"),
    })
}

/// Most by which the heights of a car that was dropped from 2 m are away from those at the fastest rate, in 3 s.
fn fall(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = constrained(3.0)?;
    let lifted = Scene {
        lift: 2.0,
        hull: false,
        ..Scene::LEVEL
    };
    let mut falls = Vec::new();
    for rate in RATES {
        let mut stage = super::at_rate(backend, &car, &lifted, rate)?;
        let mut heights = Vec::new();
        for _ in 0..90 {
            stage.run(1.0 / 30.0, &BRAKED)?;
            heights.push(stage.position()?.z);
        }
        falls.push(heights);
    }
    let finest = &falls[RATES.len() - 1];
    let apart = falls.iter().map(|heights| {
        let apart = heights.iter().zip(finest).map(|(a, b)| (a - b).abs());
        100.0 * apart.fold(0.0, f64::max) / lifted.lift
    });
    let apart: Vec<f64> = apart.collect();
    Ok(Measure {
        value: apart.iter().copied().fold(0.0, f64::max),
        note: format!("{apart:.3?}"),
    })
}
