//! NVIDIA's vehicle tests drive along every pair of axes, in meters and centimeters; this sedan
//! does the same, in worlds with every right-handed pair.

use glam::{DVec3, Quat, Vec3};
use jounce::core::{
    Air, Axis, CarCommand, Command, Environment, Frame, Gear, InUnits, Surfaces, UnitScale,
    Vehicle, step,
};
use jounce::presets;
use jounce::scene::BodyDesc;
use proving_ground::ProvingError;
use proving_ground::ground::Terrain;
use proving_ground::stage::{FREE, GRAVITY};

use super::RATE;
use crate::backend::Backend;
use crate::case::Case;
use crate::finding::{Failure, Measure, expect};

pub(super) const CASES: [Case; 2] = [
    Case::measured_assertion(
        "any forward and up axes of the world give the same drive",
        APART,
        5e-4,
        along_axes,
    ),
    Case::measured_assertion(
        "a world of centimetres gives the same drive, z up and y up",
        APART,
        5e-4,
        in_centimetres,
    ),
];

const APART: &str = "distance [m]";
const AXES: [Axis; 6] = [
    Axis::X,
    Axis::Y,
    Axis::Z,
    Axis::NegX,
    Axis::NegY,
    Axis::NegZ,
];
/// Forward and up axes of our own worlds, and of many others.
const Z_UP: [Axis; 2] = [Axis::X, Axis::Z];
const Y_UP: [Axis; 2] = [Axis::Z, Axis::Y];
const STEPS: usize = 240;
/// Engines with a speed limit of 400 units per second keep a car of centimeters below this (`m/s`).
const FASTEST: f64 = 4.0;

/// Gentle start, a bend, and a stop.
fn command(n: usize) -> CarCommand {
    CarCommand {
        throttle: if n < 120 { 0.5 } else { 0.0 },
        brake: if n < 180 { 0.0 } else { 0.5 },
        steer: if n < 60 { 0.0 } else { 0.6 },
        ..FREE
    }
}

/// Path of a sedan in a world with these axes and units (`m`, x forward, y left, z up).
fn drive(
    backend: &dyn Backend,
    [forward, up]: [Axis; 2],
    units: UnitScale,
) -> Result<Vec<DVec3>, Failure> {
    let broken = |error: &dyn core::fmt::Display| Failure::Broken(error.to_string());
    let frame = Frame::new(forward, up).map_err(|error| broken(&error))?;
    let sedan = presets::sedan();
    let up = up.unit();
    let terrain = Terrain::plane("level".to_owned(), DVec3::ZERO, up.as_dvec3());
    let mut world = backend.open(&terrain.map_err(|error| broken(&error))?, 1.0 / RATE)?;
    let start = BodyDesc {
        rotation: frame.vehicle_rotation(Quat::IDENTITY),
        sleep_threshold: 0.0,
        ..BodyDesc::at_rest(
            up.as_dvec3() * sedan.ride_height(),
            sedan.mass(),
            sedan.inertia(),
        )
    };
    let body = world.add_body(&start.in_units(units))?;
    let mut vehicle = Vehicle::new(sedan.model(), body);
    vehicle.state_mut().drive.force_gear(Gear::FIRST);
    let gravity = up * GRAVITY.z;
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let way = (0..STEPS).map(|n| {
        let command = Command::Car(command(n));
        let mut in_si = InUnits::new(&mut *world, units).map_err(|error| broken(&error))?;
        step(&mut vehicle, &mut in_si, &command, &environment, 1.0 / RATE)
            .map_err(ProvingError::from)?;
        world.advance(gravity * units.length as f32, 1.0 / RATE);
        let place = world.body_state(body)?.position / units.length;
        let along = |axis: Vec3| place.dot(frame.to_body(axis).as_dvec3());
        Ok(DVec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)))
    });
    way.collect()
}

/// The reference drive: it moves, through a bend, and not too fast.
fn first(backend: &dyn Backend) -> Result<Vec<DVec3>, Failure> {
    let way = drive(backend, Z_UP, UnitScale::SI)?;
    let steps = way.windows(2).map(|pair| pair[0].distance(pair[1]));
    let fastest = steps.fold(0.0, f64::max) * f64::from(RATE);
    let end = way[STEPS - 1];
    let drives = end.x > 3.0 && end.y < -0.5 && fastest < FASTEST;
    expect(drives, || format!("to {end} at up to {fastest} m/s"))?;
    Ok(way)
}

/// The maximum distance of `one` from the drives along these axes, in other units.
fn apart(
    backend: &dyn Backend,
    one: &[DVec3],
    axes: impl IntoIterator<Item = [Axis; 2]>,
    units: UnitScale,
) -> Result<Measure, Failure> {
    let mut most = Measure::from(0.0);
    for axes in axes {
        let other = drive(backend, axes, units)?;
        let apart = one.iter().zip(&other).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f64::max);
        if apart >= most.value {
            most.value = apart;
            most.note = format!("forward and up along {axes:?}, to {}", other[STEPS - 1]);
        }
    }
    Ok(most)
}

fn along_axes(backend: &dyn Backend) -> Result<Measure, Failure> {
    let all = AXES
        .into_iter()
        .flat_map(|ahead| AXES.map(|up| [ahead, up]));
    let pairs = all.filter(|[ahead, up]| Frame::new(*ahead, *up).is_ok());
    apart(backend, &first(backend)?, pairs, UnitScale::SI)
}

fn in_centimetres(backend: &dyn Backend) -> Result<Measure, Failure> {
    let one = first(backend)?;
    apart(backend, &one, [Z_UP, Y_UP], UnitScale::CENTIMETRES)
}
