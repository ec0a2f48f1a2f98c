//! Traces: each update in isolation, and whole drives closed loop.

mod noise;
mod planes;
mod recorded;
mod variants;
mod figures;
mod own;
mod shifts;
mod rigid;
mod closed_loop;
mod spins;
mod single;
mod vehicle2;

use std::path::Path;

use crate::lines;
use crate::reference::{self, Comparison};
use glam::{DVec3, Vec3};
use jounce::core::drivetrain::Control;
use jounce::core::lanes::{LANES, W4};
use jounce::core::profile::ExplicitSettings;
use jounce::core::{BodyId, BodyState, GroundRay, QueryFilter, SceneQuery, Vehicle, phases};

use proving_ground::scenario::{Scenario, TraceFrame};
use serde_json::Value;

pub(crate) use noise::NoiseFloor;
use recorded::Recorded;

use crate::rounding::Ways;

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
    lines.extend(closed_loop::compare(&name, header, &scenario, &frames, noise).map_err(named)?);
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

/// A frame of our own as a file has it: PhysX 5 counts jounce from full droop, shows its speed, and displays true spins. Without engine where there is
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
        let wheels = (0..vehicle.model().wheel_count()).map(|n| vehicle.wheel_report(n));
        let model = vehicle.model();
        let droops = model
            .params()
            .wheels
            .iter()
            .map(|wheel| wheel.suspension.max_droop);
        frame["omega"] = wheels.clone().map(|wheel| wheel.spin).collect();
        frame["jounce_speed"] = wheels.clone().map(|wheel| wheel.jounce_speed).collect();
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

/// The scenario of a header whose parameters are moved by their rounding.
///
/// # Errors
/// If that breaks a rule, as a parameter at its limit may do.
fn rounded(header: &Value, name: &str, ways: &mut Ways) -> Result<Scenario, String> {
    let mut header = header.clone();
    for part in ["vehicle", "params"] {
        let part = header.get_mut(part);
        part.into_iter().for_each(|part| ways.take(part));
    }
    scenario(&header, name)
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

/// The settings of PhysX's solver.
fn explicit(scenario: &Scenario) -> ExplicitSettings {
    let model = scenario.model();
    let settings = model.params().profile.explicit();
    *settings.expect("PhysX's own solver")
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
    let taken = if vehicle.model().params().probe.sweep().is_some() {
        let sweeps = ground.sweeps().ok_or("this ground has no sweeps")?;
        phases::sweep(vehicle, body, sweeps, surfaces, |_| None)
    } else {
        let ray = GroundRay {
            anchor: DVec3::ZERO,
            offset: Vec3::ZERO,
            direction: Vec3::NEG_Z,
            length: 0.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let mut rays = vec![ray; scenario.model().wheel_count()];
        let mut hits = vec![None; rays.len()];
        phases::plan_rays(vehicle, body, &mut rays);
        ground.cast_rays(&rays, &mut hits);
        phases::take_hits(vehicle, &rays, &hits, surfaces, |_| None)
    };
    taken.map_err(|refused| refused.to_string())
}

/// The origin of our vehicle in a frame (`m`).
fn place(frame: &TraceFrame) -> DVec3 {
    DVec3::new(frame.p[2], frame.p[0], frame.p[1])
}
