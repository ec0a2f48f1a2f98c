//! Wheel hop of cars with unsprung masses on their tires.

use core::f32::consts::PI;

use jounce::core::CarCommand;
use jounce::file::Car;
use jounce::presets;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::{FREE, GRAVITY, Scene, Stage};

use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure};

pub(super) const CASES: [Case; 3] = [
    Case::closed_form(
        "wheels on tires stand by load over stiffness lower",
        "loaded radius [mm]",
        0.1,
        loaded_radii,
    ),
    Case::closed_form(
        "a car on its tires stands still on a slope",
        "way in 10 s on 20° [mm]",
        0.5,
        stands_still,
    ),
    Case::closed_form(
        "a car that falls 2 m onto its tires comes to rest",
        "height at rest [mm]",
        1.0,
        falls,
    ),
];

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
const RATES: [f32; 4] = [30.0, 60.0, 120.0, 240.0];
/// Vertical stiffness of the tires (`N/m`).
const STIFFNESS: f32 = 210_000.0;

/// The sedan on tires that give.
fn on_tires() -> Result<Car, Failure> {
    let (_, text) = presets::FILES[0];
    let hub = format!(
        "unsprung = {{ mass = 42.0, tire_stiffness = {STIFFNESS:?}, tire_damping = 120.0 }}"
    );
    let text = text.replace("\n[[axles]]\n", &format!("\n[[axles]]\n{hub}\n"));
    let car = Car::parse(&text, "a sedan on tires that give");
    car.map_err(|error| Failure::Broken(error.to_string()))
}

fn put(
    backend: &dyn Backend,
    car: &Car,
    ground: &GroundSpec,
    scene: &Scene,
    rate: f32,
) -> Result<Stage, Failure> {
    let terrain = Terrain::new(ground, MeshUp::Z)?;
    let world = backend.open(&terrain, 1.0 / rate)?;
    Ok(Stage::put(world, &terrain, car, scene, 1.0 / rate)?)
}

/// Most by which a loaded radius is away from the radius less load over stiffness, and the weight from the loads.
fn loaded_radii(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = on_tires()?;
    let mut off = Vec::new();
    for rate in RATES {
        let mut stage = put(backend, &car, &GroundSpec::Flat, &Scene::LEVEL, rate)?;
        stage.run(4.0, &BRAKED)?;
        for (n, params) in car.spec().params.wheels.iter().enumerate() {
            let report = stage.vehicle.wheel_report(n);
            let carried = params.suspension.sprung_mass + params.unsprung_mass();
            let expected = params.radius - carried * GRAVITY.length() / STIFFNESS;
            off.push(f64::from(1000.0 * (report.loaded_radius - expected)));
        }
    }
    Ok(Measure {
        value: off.iter().map(|x| x.abs()).fold(0.0, f64::max),
        note: format!("{off:.4?}"),
    })
}

/// Braked, nose down, at each rate.
fn stands_still(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = on_tires()?;
    let scene = Scene {
        heading: PI,
        ..Scene::LEVEL
    };
    let mut worst = Measure::default();
    for rate in RATES {
        let mut stage = put(backend, &car, &GroundSpec::Slope(20.0), &scene, rate)?;
        stage.run(3.0, &BRAKED)?;
        let start = stage.position()?;
        stage.run(10.0, &BRAKED)?;
        let way = 1000.0 * stage.position()?.distance(start);
        if way.is_nan() || way > worst.value {
            let note = format!("{rate} Hz");
            worst = Measure { value: way, note };
        }
    }
    Ok(worst)
}

/// Most by which the height, 6 s after a fall from 2 m, is away from that of a car that was put down.
fn falls(backend: &dyn Backend) -> Result<Measure, Failure> {
    let car = on_tires()?;
    let lifted = Scene {
        lift: 2.0,
        hull: false,
        ..Scene::LEVEL
    };
    let mut off = Vec::new();
    for rate in RATES {
        let ends = [&Scene::LEVEL, &lifted].map(|scene| {
            let mut stage = put(backend, &car, &GroundSpec::Flat, scene, rate)?;
            stage.run(6.0, &BRAKED)?;
            Ok::<f64, Failure>(stage.position()?.z)
        });
        let [rest, fallen] = ends;
        off.push(1000.0 * (fallen? - rest?));
    }
    Ok(Measure {
        value: off.iter().map(|x| x.abs()).fold(0.0, f64::max),
        note: format!("{off:.4?}"),
    })
}
