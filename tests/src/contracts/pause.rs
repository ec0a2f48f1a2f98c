//! Steps without duration, as games make them that are paused.

use glam::DVec3;
use jounce::core::{Air, Command, Environment, Fleet, StepError, step};
use jounce::presets;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, GRAVITY, Scene, Stage};

use super::DT;
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 2] = [
    Case::sentence("a step without duration is refused", refused),
    Case::measured(
        "after steps without duration a car drives on",
        "way off [m]",
        1e-4,
        drives_on,
    ),
];

/// A sedan that rolls at 10 m/s, on a platform where the world has some.
fn rolling(backend: &dyn Backend) -> Result<Stage, Failure> {
    let plane = Terrain::plane("plane".to_owned(), DVec3::ZERO, DVec3::Z);
    let plane = plane.map_err(|error| Failure::Broken(error.to_string()))?;
    let mut world = backend.open(&plane, DT)?;
    let scene = Scene {
        speed: 10.0,
        platform: world.platforms().map(|_| DVec3::Z),
        ..Scene::LEVEL
    };
    let mut stage = Stage::put(world, &plane, &presets::sedan(), &scene, DT)?;
    stage.run(0.5, &FREE)?;
    Ok(stage)
}

/// Results of a vehicle and of a fleet of the same vehicle in a step of `dt` (`s`).
fn answers(stage: &mut Stage, dt: f32) -> Result<[Option<StepError>; 2], Failure> {
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &stage.surfaces,
        air: Air::STILL,
    };
    let (world, command) = (&mut *stage.world, Command::Car(FREE));
    let alone = step(&mut stage.vehicle, world, &command, &environment, dt).err();
    let mut fleet: Fleet = [stage.vehicle.clone()].into_iter().collect();
    let stepped = fleet.step(world, &[FREE], &environment, dt);
    stepped.map_err(|error| Failure::Broken(error.to_string()))?;
    Ok([alone, fleet.errors()[0]])
}

/// The body stays as it is, too.
fn refused(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = rolling(backend)?;
    for dt in [0.0, -DT, f32::NAN] {
        let before = stage.body()?;
        for answer in answers(&mut stage, dt)? {
            let told = matches!(answer, Some(StepError::TimeStep(_)));
            expect(told, || format!("dt = {dt} s: {answer:?}"))?;
        }
        let after = stage.body()?;
        expect(after == before, || format!("{before:?}, then {after:?}"))?;
    }
    Ok(Measure::KEPT)
}

/// Compares a car after a pause with one that was not paused.
fn drives_on(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (mut paused, mut other) = (rolling(backend)?, rolling(backend)?);
    for _ in 0..10 {
        answers(&mut paused, 0.0)?;
        paused.world.advance(GRAVITY, 0.0);
    }
    for stage in [&mut paused, &mut other] {
        stage.run(1.0, &FREE)?;
    }
    Ok(paused.position()?.distance(other.position()?).into())
}
