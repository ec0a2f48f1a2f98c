//! Traces: each update in isolation, and whole drives closed loop.

mod closed_loop;
mod figures;
mod planes;
mod rigid;
mod single;
mod vehicle2;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lines;
use crate::reference::{self, Comparison};
use glam::{DVec3, Quat, Vec3};
use jounce::core::drivetrain::Control;
use jounce::core::lanes::{LANES, W4};
use jounce::core::{BodyId, BodyState, GroundRay, QueryFilter, SceneQuery, Vehicle};

use proving_ground::scenario::{Frame, Scenario, from_physx, rotation_from_physx};
use serde_json::Value;

use figures::Columns;
use planes::Plane;

use crate::row::{number, numbers};

/// Compares a trace both ways.
pub(crate) fn compare(path: &Path, noise: &NoiseFloor) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let rows = lines::rows(path)?;
    let header = rows.first().and_then(|row| row.get("header"));
    let header = header.ok_or_else(|| format!("{name}: no header"))?;
    let named = |error: String| format!("{name}: {error}");
    let scenario = scenario(header, &name)?;
    let frames = recorded(&rows[1..], &scenario).map_err(named)?;
    let mut lines = single_updates(&name, header, &scenario, &frames)?;
    lines.extend(closed_loop::compare(&name, &scenario, &frames, noise)?);
    Ok(lines)
}

/// Compares each update with the frame before it, up to the first rigid contact.
pub(crate) fn compare_updates(
    name: &str,
    header: &Value,
    rows: &[Value],
) -> Result<Vec<Comparison>, String> {
    let scenario = scenario(header, name)?;
    let frames = recorded(rows, &scenario)?;
    let free = rigid::frames_before(&scenario, &frames);
    single_updates(name, header, &scenario, &frames[..free])
}

fn scenario(header: &Value, name: &str) -> Result<Scenario, String> {
    Scenario::from_header(header, name).map_err(|error| format!("{name}: {error}"))
}

fn recorded(rows: &[Value], scenario: &Scenario) -> Result<Vec<Recorded>, String> {
    let read = match scenario.legacy() {
        Some(_) => Recorded::read,
        None => vehicle2::read,
    };
    rows.iter().map(|row| read(row, scenario)).collect()
}

fn single_updates(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
) -> Result<Vec<Comparison>, String> {
    let compare = match scenario.legacy() {
        Some(_) => single::compare,
        None => vehicle2::compare,
    };
    compare(name, header, scenario, frames)
}

/// A frame of our own as a file has it: PhysX 5 counts jounce from full droop and displays true spins. Without engine where there is
/// none, and without what only PhysX shows otherwise.
pub(crate) fn as_recorded(mut frame: Value, scenario: &Scenario, vehicle: &Vehicle) -> Value {
    let engine: &[&str] = match scenario.has_engine() {
        true => &[],
        false => &["eng", "gear", "tgear", "gst", "abt", "gu", "gd"],
    };
    let object = frame.as_object_mut().expect("a frame is an object");
    object.retain(|key, _| {
        !["cslip", "camber"].contains(&key.as_str()) && !engine.contains(&key.as_str())
    });
    if scenario.legacy().is_none() {
        let wheels = (0..vehicle.kind().wheel_count()).map(|n| vehicle.wheel_report(n));
        let kind = vehicle.kind();
        let droops = kind
            .params()
            .wheels
            .iter()
            .map(|wheel| wheel.suspension.max_droop);
        frame["omega"] = wheels.clone().map(|wheel| wheel.spin).collect();
        frame["jounce"] = wheels
            .zip(droops)
            .map(|(wheel, droop)| wheel.jounce + droop)
            .collect();
    }
    frame
}

/// The first number of a frame that is not finite, which JSON has no number for.
pub(crate) fn not_finite(frame: &Value) -> Option<&String> {
    let is_null = |value: &Value| match value {
        Value::Array(list) => list.iter().any(Value::is_null),
        other => other.is_null(),
    };
    let mut fields = frame.as_object().into_iter().flatten();
    fields.find(|(_, value)| is_null(value)).map(|(key, _)| key)
}

/// The result line of one quantity over all single updates of trace `name`.
fn single_line(
    name: &str,
    what: &str,
    (rows, max_error): (usize, f64),
    bound: f64,
    note: &str,
) -> Comparison {
    Comparison {
        name: format!("{name}/single/{what}"),
        rows,
        max_error,
        bound,
        note: note.to_owned(),
    }
}

/// The larger error; NaN counts as the worst.
fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// One recorded frame, in our axes.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) f: usize,
    /// The actor's origin (`m`).
    pub(crate) origin: DVec3,
    pub(crate) rotation: Quat,
    pub(crate) linear: Vec3,
    pub(crate) angular: Vec3,
    /// Velocities after the update, before the scene's step.
    pub(crate) updated: [Vec3; 2],
    pub(crate) analog: [f32; 5],
    pub(crate) engine: f32,
    pub(crate) gear: i8,
    pub(crate) target_gear: i8,
    pub(crate) switch_time: f32,
    pub(crate) autobox_time: f32,
    pub(crate) gear_up: bool,
    pub(crate) gear_down: bool,
    pub(crate) spin: Vec<f32>,
    pub(crate) angle: Vec<f32>,
    pub(crate) steer: Vec<f32>,
    pub(crate) jounce: Vec<f32>,
    pub(crate) in_air: Vec<bool>,
    pub(crate) held: Vec<bool>,
    pub(crate) at_stop: Vec<bool>,
    pub(crate) still_forward: Vec<f32>,
    pub(crate) still_sideways: Vec<f32>,
    pub(crate) asleep: bool,
    pub(crate) skipped: bool,
    /// What the update left behind.
    pub(crate) columns: Columns,
    /// Hit of each wheel's query, where the file has it.
    pub(crate) ground: Option<Vec<Option<Plane>>>,
}

/// Columns of a frame that are not results of its update: number, input, what the scene makes of the update, planes.
const OTHERS: [&str; 10] = [
    "f", "p", "q", "v", "w", "in", "asleep", "skipped", "cn", "cp",
];

/// The results of an update in a row of a file.
fn columns(row: &Value) -> Columns {
    let columns = row.as_object().into_iter().flatten();
    let results = columns.filter(|(key, _)| !OTHERS.contains(&key.as_str()));
    results
        .map(|(key, value)| (key.clone(), numbers(value)))
        .collect()
}

/// Columns of the planes that wheels hit: normals and points, per wheel.
const PLANES: [&str; 2] = ["cn", "cp"];

/// Hit of each wheel's query, if the frame has it; a normal of 0 means no hit.
fn recorded_planes(
    frame: &serde_json::Map<String, Value>,
    wheels: usize,
) -> Result<Option<Vec<Option<Plane>>>, String> {
    let [Some(normals), Some(points)] = PLANES.map(|key| frame.get(key)) else {
        return Ok(None);
    };
    let vectors = |value: &Value| -> Option<Vec<Vec3>> {
        let vector = |v: &Value| {
            let numbers: [f64; 3] = numbers(v).try_into().ok()?;
            Some(from_physx(numbers.map(|x| x as f32)))
        };
        let vectors: Vec<Vec3> = value
            .as_array()?
            .iter()
            .map(vector)
            .collect::<Option<_>>()?;
        (vectors.len() == wheels).then_some(vectors)
    };
    let pair = vectors(normals).zip(vectors(points));
    let (normals, points) = pair.ok_or("cn, cp: three numbers per wheel")?;
    let plane = |(normal, point)| (normal != Vec3::ZERO).then_some(Plane { normal, point });
    Ok(Some(normals.into_iter().zip(points).map(plane).collect()))
}

/// A frame without engine, gears and analog values, as if all were at rest.
fn without_engine(row: &Value) -> Value {
    let mut row = row.clone();
    for key in ["eng", "gst", "abt", "gu", "gd"] {
        row[key] = 0.into();
    }
    row["in"] = vec![0; 5].into();
    for key in ["gear", "tgear"] {
        row[key] = 1.into();
    }
    row
}

impl Recorded {
    fn read(row: &Value, scenario: &Scenario) -> Result<Self, String> {
        let wheels = scenario.kind().wheel_count();
        let columns = columns(row);
        if scenario.has_engine() {
            Self::parse(row, wheels, columns)
        } else {
            Self::parse(&without_engine(row), wheels, columns)
        }
    }

    fn parse(row: &Value, wheels: usize, columns: Columns) -> Result<Self, String> {
        let object = row.as_object().ok_or("a frame is an object")?;
        let get = |key: &str| {
            let value = object.get(key);
            value.ok_or_else(|| format!("unknown schema: no {key}"))
        };
        let list =
            |value: &Value| -> Vec<f32> { numbers(value).into_iter().map(|x| x as f32).collect() };
        let per_wheel = |key: &str| {
            let values = list(get(key)?);
            if values.len() == wheels {
                Ok(values)
            } else {
                Err(format!("{key}: {} values", values.len()))
            }
        };
        let spin = per_wheel("omega")?;
        let angle = per_wheel("angle")?;
        let steer = per_wheel("steer")?;
        let jounce = per_wheel("jounce")?;
        let in_air = per_wheel("air")?;
        let (long, lat) = (per_wheel("stick_l")?, per_wheel("stick_t")?);
        let at_stop = per_wheel("lim")?;
        let still_forward = per_wheel("lft")?;
        let still_sideways = per_wheel("lst")?;
        let vector = |key: &str| -> Result<Vec3, String> {
            Ok(from_physx(
                list(get(key)?).try_into().map_err(|_| key.to_owned())?,
            ))
        };
        let [x, y, z] = numbers(get("p")?).try_into().map_err(|_| "p".to_owned())?;
        let (linear, angular) = (vector("v")?, vector("w")?);
        let updated = [vector("v1")?, vector("w1")?];
        let rotation = list(get("q")?).try_into().map_err(|_| "q".to_owned())?;
        let flag = |key: &str| Ok::<_, String>(number(get(key)?) != 0.0);
        let (gear_up, gear_down) = (flag("gu")?, flag("gd")?);
        let (asleep, skipped) = (flag("asleep")?, flag("skipped")?);
        let scalar = |key: &str| Ok::<_, String>(number(get(key)?) as f32);
        Ok(Self {
            f: scalar("f")? as usize,
            engine: scalar("eng")?,
            gear: scalar("gear")? as i8 - 1,
            target_gear: scalar("tgear")? as i8 - 1,
            switch_time: scalar("gst")?,
            autobox_time: scalar("abt")?,
            analog: list(get("in")?).try_into().map_err(|_| "in".to_owned())?,
            origin: DVec3::new(z, x, y),
            rotation: rotation_from_physx(rotation),
            linear,
            angular,
            updated,
            gear_up,
            gear_down,
            spin,
            angle,
            steer,
            jounce,
            in_air: in_air.into_iter().map(|x| x != 0.0).collect(),
            held: long.iter().zip(&lat).map(|(a, b)| a + b != 0.0).collect(),
            at_stop: at_stop.into_iter().map(|x| x != 0.0).collect(),
            still_forward,
            still_sideways,
            asleep,
            skipped,
            columns,
            ground: recorded_planes(object, wheels)?,
        })
    }

    /// Whether a solver row acted in this frame.
    pub(crate) fn has_rows(&self) -> bool {
        self.held.iter().chain(&self.at_stop).any(|&active| active)
    }
}

/// Values of group `g`, 0 beyond the last wheel.
fn lanes(values: &[f32], g: usize) -> W4 {
    W4::from_fn(|lane| values.get(g * LANES + lane).copied().unwrap_or(0.0))
}

/// Slip of the clutch (`rad/s`): the engine's speed minus the ratio times the mean of some spins by their shares.
fn clutch_slip(engine: f32, ratio: f32, shares: &[f32], spins: &[f32]) -> f32 {
    let each = shares.iter().zip(spins);
    engine - ratio * each.map(|(share, spin)| share * spin).sum::<f32>()
}

/// The total ratio; 0 without an engine.
fn ratio(control: &Control) -> f32 {
    control.coupling.as_ref().map_or(0.0, |engine| engine.ratio)
}

/// Lets the vehicle look for this ground.
fn look_for(
    vehicle: &mut Vehicle,
    scenario: &Scenario,
    body: &BodyState,
    ground: &dyn SceneQuery,
) -> Result<(), String> {
    let surfaces = scenario.surfaces();
    let taken = if vehicle.sweep_settings().is_some() {
        let sweeps = ground.sweeps().ok_or("this ground has no sweeps")?;
        vehicle.sweep(body, sweeps, surfaces, |_| None)
    } else {
        let ray = GroundRay {
            anchor: DVec3::ZERO,
            offset: Vec3::ZERO,
            direction: Vec3::NEG_Z,
            length: 0.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut rays = vec![ray; scenario.kind().wheel_count()];
        let mut hits = vec![None; rays.len()];
        vehicle.plan_rays(body, &mut rays);
        ground.cast_rays(&rays, &mut hits);
        vehicle.take_hits(&rays, &hits, surfaces, |_| None)
    };
    taken.map_err(|refused| refused.to_string())
}

/// The origin of our vehicle in a frame (`m`).
fn place(frame: &Frame) -> DVec3 {
    DVec3::new(frame.p[2], frame.p[0], frame.p[1])
}

/// Sensitivity of the traces to a start moved by 1e-5 m: the maximum difference of positions in
/// each time window (`m`).
#[derive(Debug, Default)]
pub(crate) struct NoiseFloor {
    perturbed: BTreeMap<String, Vec<f64>>,
}

/// Ends of the windows (`s`); the last is open.
pub(crate) const WINDOWS: [f32; 4] = [1.0, 2.0, 5.0, 10.0];
const WINDOW_NAMES: [&str; 5] = [
    "max_dpos_dvel_dang_0_1s",
    "1_2s",
    "2_5s",
    "5_10s",
    "10s_plus",
];

impl NoiseFloor {
    /// Reads the noise floors among the files.
    pub(crate) fn read(files: &[PathBuf]) -> Self {
        let mut floor = Self::default();
        for path in files {
            if reference::stem(path) != "trace_noise_floor" {
                continue;
            }
            let text = reference::text(path).unwrap_or_default();
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            for (name, noise) in value.as_object().into_iter().flatten() {
                let windows = WINDOW_NAMES.map(|window| {
                    noise
                        .get("pert")
                        .and_then(|pert| pert.get(window)?.get(0)?.as_f64())
                        .unwrap_or(0.0)
                });
                floor.perturbed.insert(name.clone(), windows.to_vec());
            }
        }
        floor
    }

    /// Noise of one scenario, by window (`m`).
    fn of_one(name: &str, windows: Vec<f64>) -> Self {
        Self {
            perturbed: BTreeMap::from([(name.to_owned(), windows)]),
        }
    }

    /// Whether the noise of a scenario is known.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.perturbed.contains_key(name)
    }

    /// Noise of a scenario in window `window` (`m`); 0 if it is not known.
    pub(crate) fn of(&self, name: &str, window: usize) -> f64 {
        self.perturbed
            .get(name)
            .map_or(0.0, |windows| windows[window])
    }
}
