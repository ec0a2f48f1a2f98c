//! Tier D: assertions of other vehicle libraries' tests, restated for our cars in any world, and
//! behaviors that need engines with joints.

mod axes;
mod constraints;
mod jointed;
mod ladder;
mod jolt;
mod physx;
mod six;
mod retuned;
mod trailer;
mod trestle;

use jounce::file::Car;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::stage::{Scene, Stage};

use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

/// Every case of this tier.
pub(crate) fn cases() -> impl Iterator<Item = &'static Case> {
    let jolt = jolt::CASES.iter().chain(&trestle::CASES);
    let physx = physx::CASES
        .iter()
        .chain(&retuned::CASES)
        .chain(&six::CASES)
        .chain(&axes::CASES);
    jolt.chain(physx)
        .chain(&trailer::CASES)
        .chain(&constraints::CASES)
        .chain(&jointed::CASES)
        .chain(&ladder::CASES)
}

/// Steps per second of these cases, as in the original tests (`Hz`).
const RATE: f32 = 60.0;

/// A vehicle file of this folder, with some of its keys changed.
fn car_of(text: &str, change: impl FnOnce(&mut toml::Table)) -> Result<Car, Failure> {
    let mut table: toml::Table = text.parse().expect("it is TOML");
    change(&mut table);
    let car = Car::parse(&table.to_string(), "a car of facts");
    car.map_err(|error| Failure::Broken(error.to_string()))
}

/// A car on the level plane.
fn on_level(backend: &dyn Backend, car: &Car, scene: &Scene) -> Result<Stage, Failure> {
    at_rate(backend, car, scene, RATE)
}

/// A car on the level plane, with this step rate (`Hz`).
fn at_rate(backend: &dyn Backend, car: &Car, scene: &Scene, rate: f32) -> Result<Stage, Failure> {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let world = backend.open(&terrain, 1.0 / rate)?;
    Ok(Stage::put(world, &terrain, car, scene, 1.0 / rate)?)
}

/// An assertion that holds or not, with the measured values.
fn noted(holds: bool, note: String) -> Result<Measure, Failure> {
    expect(holds, || note.clone())?;
    Ok(Measure { value: 0.0, note })
}
