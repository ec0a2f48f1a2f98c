//! A sedan on wheels that are bodies on the engine's joints (seed 003, "Suspension Constraints +
//! Rigid Body Wheels"), beside the same car on rays.

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{DVec2, DVec3, Vec3};
use jounce::core::params::WheelParams;
use jounce::core::{Air, CarCommand, Gear};
use jounce::jointed::{JointedCar, JointedError};
use jounce::presets;
use jounce::scene::{Axes, Steps};
use proving_ground::ProvingError;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::jointed::JointedStage;
use proving_ground::stage::{FLAT_OUT, FREE, NO_AIR, Scene, Stage, steps};

use super::{RATE, noted};
use crate::backend::{Backend, Need};
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 8] = [
    Case::measured_assertion(
        "a sedan on jointed wheels rests where it is designed to",
        "travel [mm]",
        0.5,
        rests,
    )
    .needs(Need::JointedWheels),
    Case::measured_assertion(
        "a sedan on jointed wheels parks on a slope",
        "way in 10 s on 20° [mm]",
        10.0,
        parks,
    )
    .needs(Need::JointedWheels),
    Case::measured_assertion(
        "a sedan on jointed wheels brakes as on rays",
        "way from 100 km/h [%]",
        5.0,
        brakes,
    )
    .needs(Need::JointedWheels),
    Case::measured_assertion(
        "a sedan on jointed wheels accelerates as on rays",
        "time to 20 m/s [%]",
        5.0,
        accelerates,
    )
    .needs(Need::JointedWheels),
    Case::measured_assertion(
        "the air slows a sedan on jointed wheels as its coefficients say",
        "speed lost [%]",
        5.0,
        is_blown,
    )
    .needs(Need::JointedWheels),
    Case::measured_assertion(
        "a sedan on jointed wheels follows the slalom of one on rays",
        "paths apart [m]",
        0.5,
        slaloms,
    )
    .needs(Need::JointedWheels),
    Case::assertion("a sedan on jointed wheels climbs six stairs", climbs)
        .needs(Need::JointedWheels),
    Case::assertion("jointed wheels that do not fit are refused", refuses)
        .needs(Need::JointedWheels),
];

const BRAKED: CarCommand = CarCommand { brake: 1.0, ..FREE };
const DT: f32 = 1.0 / RATE;
/// A course along x: how far it goes to each side, and its wavelength (`m`).
const SLALOM: (f64, f64) = (1.5, 40.0);
/// The sedan's wheelbase (`m`), and how far its wheels turn (`rad`).
const SEDAN: (f64, f64) = (2.72, 0.628);
/// Six stairs ahead (`m`): height and depth of each.
const STAIRS: (u32, f64, f64) = (6, 0.17, 0.3);

fn jointed(
    backend: &dyn Backend,
    spec: &GroundSpec,
    scene: &Scene,
) -> Result<JointedStage, Failure> {
    let terrain = Terrain::new(spec, MeshUp::Z)?;
    let world = backend.open(&terrain, DT)?;
    Ok(JointedStage::put(
        world,
        &terrain,
        &presets::benchmark_sedan(),
        scene,
        DT,
    )?)
}

fn on_rays(backend: &dyn Backend, scene: &Scene) -> Result<Stage, Failure> {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
    let world = backend.open(&terrain, DT)?;
    Ok(Stage::put(
        world,
        &terrain,
        &presets::benchmark_sedan(),
        scene,
        DT,
    )?)
}

/// The largest travel of a wheel after 3 s.
fn rests(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = jointed(backend, &GroundSpec::Flat, &Scene::LEVEL)?;
    stage.run(3.0, &BRAKED)?;
    let travels: Vec<f32> = stage
        .car
        .motions()
        .iter()
        .map(|m| 1000.0 * m.travel)
        .collect();
    Ok(Measure {
        value: travels
            .iter()
            .fold(0.0, |most, travel| travel.abs().max(most))
            .into(),
        note: format!("{travels:.3?}"),
    })
}

/// Nose up, across and nose down, after 3 s of settling.
fn parks(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut ways = Vec::new();
    for heading in [0.0, FRAC_PI_2, PI] {
        let scene = Scene {
            heading,
            ..Scene::LEVEL
        };
        let mut stage = jointed(backend, &GroundSpec::Slope(20.0), &scene)?;
        stage.run(3.0, &BRAKED)?;
        let (stood, mut way) = (stage.position()?, 0.0_f64);
        for _ in 0..steps(10.0, RATE) {
            stage.step(&BRAKED)?;
            way = way.max(1000.0 * stage.position()?.distance(stood));
        }
        ways.push(way);
    }
    Ok(Measure {
        value: ways.iter().copied().fold(0.0, f64::max),
        note: format!("nose up, across, nose down: {ways:.3?}"),
    })
}

/// Way from 100 km/h, reached at full throttle.
fn brakes(backend: &dyn Backend) -> Result<Measure, Failure> {
    const FROM: f32 = 100.0 / 3.6;
    let mut stage = jointed(backend, &GroundSpec::Flat, &Scene::IN_FIRST)?;
    let speed = |stage: &JointedStage| Ok::<_, Failure>(stage.body()?.linear_velocity.length());
    until(40.0, || {
        stage.step(&FLAT_OUT)?;
        Ok(speed(&stage)? > FROM)
    })?;
    let start = stage.position()?;
    until(10.0, || {
        stage.step(&BRAKED)?;
        Ok(speed(&stage)? < 0.05)
    })?;
    let found = stage.position()?.distance(start);
    let mut car = on_rays(backend, &Scene::IN_FIRST)?;
    until(40.0, || {
        car.step(&FLAT_OUT)?;
        Ok(car.velocity().length() > FROM)
    })?;
    let start = car.position()?;
    until(10.0, || {
        car.step(&BRAKED)?;
        Ok(car.velocity().length() < 0.05)
    })?;
    Ok(beside(found, car.position()?.distance(start), "m"))
}

/// Time from a standstill to 20 m/s.
fn accelerates(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = jointed(backend, &GroundSpec::Flat, &Scene::IN_FIRST)?;
    let found = until(20.0, || {
        stage.step(&FLAT_OUT)?;
        Ok(stage.body()?.linear_velocity.length() > 20.0)
    })?;
    let mut car = on_rays(backend, &Scene::IN_FIRST)?;
    let expected = until(20.0, || {
        car.step(&FLAT_OUT)?;
        Ok(car.velocity().length() > 20.0)
    })?;
    Ok(beside(found, expected, "s"))
}

/// Speed that it loses in 5 s, out of gear, more than in a vacuum; expected is what the equation of a coasting car gives,
/// with drag and the damping of bearings. Lift makes an engine's own contacts lose less: it may be off as braking may.
fn is_blown(backend: &dyn Backend) -> Result<Measure, Failure> {
    const TIME: f32 = 5.0;
    let car = presets::benchmark_sedan();
    let model = car.model();
    let params = model.params();
    let shape = params.aerodynamics.as_ref();
    let shape = shape.ok_or_else(|| Failure::Broken("no aerodynamics".to_owned()))?;
    let over_square = |part: fn(&WheelParams) -> f32| -> f32 {
        let wheels = params.wheels.iter();
        wheels.map(|w| part(w) / (w.radius * w.radius)).sum()
    };
    let mass = params.chassis.mass + over_square(|w| w.inertia);
    let bearings = over_square(|w| w.damping);
    let drag = 0.5 * Air::STILL.density * shape.area * shape.drag.at(0.0);
    let scene = Scene {
        speed: 25.0,
        gear: Gear::NEUTRAL,
        ..Scene::LEVEL
    };
    let lost = |air: Air, drag: f32| -> Result<[f32; 2], Failure> {
        let mut stage = jointed(backend, &GroundSpec::Flat, &scene)?;
        stage.run(0.5, &FREE)?;
        let from = stage.body()?.linear_velocity.x;
        stage.air = air;
        stage.run(TIME, &FREE)?;
        let found = from - stage.body()?.linear_velocity.x;
        let coast = |v: f32, _| v - DT * (drag * v + bearings) * v / mass;
        Ok([found, from - (0..steps(TIME, RATE)).fold(from, coast)])
    };
    let ([vacuum, still], [blown, slowed]) = (lost(NO_AIR, 0.0)?, lost(Air::STILL, drag)?);
    let (found, expected) = (blown - vacuum, slowed - still);
    Ok(Measure {
        value: f64::from(100.0 * (found / expected - 1.0).abs()),
        note: format!("{found:.3} m/s, expected {expected:.3} m/s, without air {vacuum:.3} m/s"),
    })
}

/// Steps until `done`; the time it took (`s`).
fn until(longest: f32, mut done: impl FnMut() -> Result<bool, Failure>) -> Result<f64, Failure> {
    for step in 1..=steps(longest, RATE) {
        if done()? {
            return Ok(step as f64 * f64::from(DT));
        }
    }
    Err(Failure::Broken(format!("not within {longest} s")))
}

fn beside(found: f64, on_rays: f64, unit: &str) -> Measure {
    Measure {
        value: 100.0 * (found / on_rays - 1.0).abs(),
        note: format!("{found:.3} {unit}, on rays {on_rays:.3} {unit}"),
    }
}

/// Coasting from 10 m/s, each steered along the same course; the largest distance from the other
/// car's path.
fn slaloms(backend: &dyn Backend) -> Result<Measure, Failure> {
    let scene = Scene {
        speed: 10.0,
        ..Scene::LEVEL
    };
    let mut stage = jointed(backend, &GroundSpec::Flat, &scene)?;
    let mut car = on_rays(backend, &scene)?;
    let (mut path, mut other) = (Vec::new(), Vec::new());
    for _ in 0..steps(10.0, RATE) {
        stage.step(&along(stage.position()?, stage.body()?.rotation * Vec3::X))?;
        car.step(&along(car.position()?, car.body()?.rotation * Vec3::X))?;
        path.push(stage.position()?.truncate());
        other.push(car.position()?.truncate());
    }
    let apart = |at: &DVec2| {
        let ways = other.iter().map(|other| other.distance(*at));
        ways.fold(f64::MAX, f64::min)
    };
    let wide = |path: &[DVec2]| path.iter().map(|at| at.y.abs()).fold(0.0, f64::max);
    let far = path.iter().map(|at| at.x).fold(0.0, f64::max);
    let note = format!(
        "{:.2} m to a side, on rays {:.2} m, over {far:.1} m",
        wide(&path),
        wide(&other)
    );
    expect(wide(&path) > 1.0 && far > 80.0, || note.clone())?;
    Ok(Measure {
        value: path.iter().map(apart).fold(0.0, f64::max),
        note,
    })
}

/// Steers a car at `place`, heading along `ahead`, to the point of the course 8 m further on: pure
/// pursuit.
fn along(place: DVec3, ahead: Vec3) -> CarCommand {
    const AIM: f64 = 8.0;
    let (aside, length) = SLALOM;
    let (wheelbase, lock) = SEDAN;
    let x = place.x + AIM;
    let aim = DVec2::new(
        AIM,
        aside * libm::sin(f64::from(TAU) * x / length) - place.y,
    );
    let angle = ahead.truncate().as_dvec2().angle_to(aim);
    let curvature = 2.0 * libm::sin(angle) / aim.length();
    let steer = (-libm::atan(wheelbase * curvature) / lock) as f32;
    CarCommand {
        steer: steer.clamp(-1.0, 1.0),
        ..FREE
    }
}

/// Climbs six stairs at some 5 m/s, as its front wheels alone could not pull it up 30°; on the landing it stands as high as six
/// stairs more.
fn climbs(backend: &dyn Backend) -> Result<Measure, Failure> {
    let (count, rise, depth) = STAIRS;
    let stairs = Steps::new(Axes::Z_UP, DVec3::X * 12.0, rise, depth, count);
    let stairs = stairs.map_err(ProvingError::from)?;
    let terrain = Terrain::triangles("six stairs".to_owned(), stairs.triangles(200.0));
    let terrain = terrain.map_err(ProvingError::from)?;
    let world = backend.open(&terrain, DT)?;
    let car = presets::sedan();
    let mut stage = JointedStage::put(world, &terrain, &car, &Scene::IN_FIRST, DT)?;
    let start = stage.position()?;
    for _ in 0..steps(12.0, RATE) {
        let throttle = if stage.body()?.linear_velocity.x < 5.0 {
            1.0
        } else {
            0.0
        };
        stage.step(&CarCommand { throttle, ..FREE })?;
    }
    stage.run(3.0, &BRAKED)?;
    let end = stage.position()?;
    let up = stage.body()?.rotation * Vec3::Z;
    let climbed = (end.z - start.z - rise * f64::from(count)).abs() < 0.05;
    let note = format!(
        "{:.2} m ahead, {:.3} m up, {up:.3}",
        end.x - start.x,
        end.z - start.z
    );
    noted(climbed && up.z > 0.99, note)
}

/// Wheels on a body that is not there, twice on one, and a car of another world.
fn refuses(backend: &dyn Backend) -> Result<Measure, Failure> {
    let mut stage = jointed(backend, &GroundSpec::Flat, &Scene::LEVEL)?;
    let attachments = stage.car.attachments().clone();
    let body = stage.car.body();
    let model = stage.car.model().clone();
    let again = {
        let mut wheels = stage.world.on_joints()?;
        JointedCar::new(&mut *wheels, model, attachments, body)
    };
    let twice = matches!(again, Err(JointedError::Twice(id)) if id == body);
    let mut other = jointed(backend, &GroundSpec::Flat, &Scene::LEVEL)?;
    let mut gone = on_rays(
        backend,
        &Scene {
            gear: Gear::NEUTRAL,
            ..Scene::LEVEL
        },
    )?;
    core::mem::swap(&mut other.world, &mut gone.world);
    let before = gone.position()?;
    let elsewhere = other.step(&BRAKED);
    let named = matches!(
        elsewhere,
        Err(ProvingError::Jointed(JointedError::NotAttached(_)) | ProvingError::Body(_))
    );
    let kept = gone.position()?.distance(before) == 0.0;
    noted(twice && named && kept, format!("{again:?}, {elsewhere:?}"))
}
