//! Traces of PhysX 5's `vehicle2`, update by update and closed loop.
//!
//! The files lack the timers of autobox and low-speed hold: ours continue over consecutive frames;
//! after a gap, pairs that depend on them are counted separately.

use jounce::core::grip_memory::{ExplicitGrip, GripMemory};
use std::path::Path;

use crate::lines;
use crate::reference::{self, Comparison};
use glam::{Mat3, Vec3};
use jounce::core::lanes::W4;
use jounce::core::{BodyId, BodyState, DriveState, Gear, Motion, SceneQuery, Vehicle, math};
use jounce::core::{GroundRay, QueryFilter};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::figures::{Figures, RoundedKinds, Update};
use super::{NoiseFloor, Recorded, closed_loop, without_engine};
use crate::row::numbers;

/// Below this speed a low-speed hold may be imminent (`m/s`).
const SLOW: f32 = 0.4;
/// Wheels of all these vehicles.
const WHEELS: usize = 4;

/// Compares a trace both ways.
pub(crate) fn compare(path: &Path) -> Result<Vec<Comparison>, String> {
    let name = reference::stem(path);
    let rows = lines::rows(path)?;
    let header = rows.first().and_then(|row| row.get("header"));
    let header = header.ok_or_else(|| format!("{name}: no header"))?;
    let scenario =
        Scenario::from_header(header, &name).map_err(|error| format!("{name}: {error}"))?;
    let frames: Vec<Recorded> = rows[1..]
        .iter()
        .map(|row| read(row, &scenario))
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{name}: {error}"))?;
    let mut lines = single(&name, header, &scenario, &frames)?;
    let noise = NoiseFloor::default();
    lines.extend(closed_loop::compare(&name, &scenario, &frames, &noise)?);
    Ok(lines)
}

/// A frame in the format of the other traces; missing parts are at rest.
fn read(row: &Value, scenario: &Scenario) -> Result<Recorded, String> {
    let mut row = if scenario.has_engine() {
        row.clone()
    } else {
        without_engine(row)
    };
    let list = |key: &str| row.get(key).map(numbers).unwrap_or_default();
    let separations = list("sep");
    let kind = scenario.kind();
    let wheels = kind.params().wheels.iter();
    let jounce: Vec<f64> = list("jounce")
        .iter()
        .zip(wheels)
        .map(|(jounce, wheel)| jounce - f64::from(wheel.suspension.max_droop))
        .collect();
    let flags = |holds: fn(f64) -> bool| -> Value {
        separations
            .iter()
            .map(|sep| u8::from(holds(*sep)))
            .collect()
    };
    row["air"] = flags(|sep| sep > 0.0);
    row["lim"] = flags(|sep| sep < 0.0);
    row["jounce"] = jounce.into();
    for key in ["camber", "lft", "lst"] {
        row[key] = vec![0; WHEELS].into();
    }
    for key in ["abt", "gu", "gd", "skipped"] {
        row[key] = 0.into();
    }
    row["in"] = vec![0; 5].into();
    // Without a gear change, PhysX's switch time is a marker.
    let switch_time = row["gst"].as_f64().unwrap_or_default().max(0.0);
    row["gst"] = switch_time.into();
    let object = row.as_object_mut().ok_or("a frame is an object")?;
    for known in [
        "jounce_speed",
        "sep",
        "thr",
        "brake",
        "tratio",
        "ngroups",
        "hit",
    ] {
        object.remove(known);
    }
    Recorded::parse(&row, WHEELS)
}

#[derive(Default)]
struct Errors {
    figures: Figures,
    skipped: usize,
    apart: usize,
}

fn single(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
) -> Result<Vec<Comparison>, String> {
    let mut rig = Rig::new(scenario, RoundedKinds::of(header, name));
    let mut errors = Errors::default();
    let start = rig.start();
    rig.update(&start, &frames[0], &mut errors)?;
    for pair in frames.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if after.f != before.f + 1 {
            rig.follows = false;
            continue;
        }
        rig.pair(before, after, &mut errors)
            .map_err(|error| format!("{name} frame {}: {error}", after.f))?;
    }
    let note = format!(
        "{} forces, {} skipped frames, {} pairs apart: timers not in the file",
        errors.figures.forces(),
        errors.skipped,
        errors.apart
    );
    Ok(errors.figures.lines(name, scenario, &note))
}

struct Rig<'a> {
    scenario: &'a Scenario,
    kinds: RoundedKinds,
    vehicle: Vehicle,
    inverse_inertia: Mat3,
    /// Whether the last update ended at the frame from which the next one starts.
    follows: bool,
}

impl<'a> Rig<'a> {
    fn new(scenario: &'a Scenario, kinds: RoundedKinds) -> Self {
        let mut vehicle = Vehicle::new(scenario.kind(), BodyId(0));
        scenario.prepare(&mut vehicle);
        Self {
            scenario,
            kinds,
            vehicle,
            inverse_inertia: Mat3::from_diagonal(1.0 / scenario.body().inertia),
            follows: true,
        }
    }

    /// The body at the scenario's start.
    fn start(&self) -> BodyState {
        let desc = self.scenario.body();
        BodyState {
            position: desc.position,
            rotation: desc.rotation,
            linear_velocity: desc.linear_velocity,
            angular_velocity: desc.angular_velocity,
            mass: desc.mass,
            inverse_inertia: self.inverse_inertia,
            linear_damping: desc.linear_damping,
            angular_damping: desc.angular_damping,
            asleep: false,
        }
    }

    /// The body at the end of a frame.
    fn body(&self, before: &Recorded) -> BodyState {
        let rotation = math::unit(before.rotation);
        let centre = math::matrix(rotation) * self.scenario.origin();
        BodyState {
            position: before.origin.as_dvec3() - centre.as_dvec3(),
            rotation,
            linear_velocity: before.linear,
            angular_velocity: before.angular,
            asleep: before.asleep,
            ..self.start()
        }
    }

    /// Whether timers that are not in the file could affect the result.
    fn is_unknown(&self, before: &Recorded, after: &Recorded) -> bool {
        let changes = |frame: &Recorded| frame.gear != frame.target_gear;
        let slow = before.linear.length() < SLOW && !before.asleep;
        let shifts = before.target_gear != after.target_gear;
        !self.follows && (slow || changes(before) || changes(after) || shifts)
    }

    fn pair(
        &mut self,
        before: &Recorded,
        after: &Recorded,
        errors: &mut Errors,
    ) -> Result<(), String> {
        if self.is_unknown(before, after) {
            errors.apart += 1;
            return Ok(());
        }
        self.restore(before);
        let body = self.body(before);
        self.update(&body, after, errors)
    }

    /// Sets the vehicle to the state at the end of `before`; timers continue.
    fn restore(&mut self, before: &Recorded) {
        let follows = self.follows;
        let state = self.vehicle.state_mut();
        let drive = state.drive;
        state.drive = DriveState {
            engine_speed: before.engine,
            ..drive
        };
        if self.scenario.has_engine() {
            state.drive.gear = Gear(before.gear);
            state.drive.target_gear = Gear(before.target_gear);
        }
        if !follows {
            state.drive.switch_time = before.switch_time;
            // No gear change begins in compared pairs.
            state.drive.autobox_time = 0.0;
            (state.drive.gear_up, state.drive.gear_down) = (false, false);
        }
        let lanes = |values: &[f32]| W4::from_fn(|lane| values[lane]);
        let wheels = &mut state.wheels[0];
        wheels.spin = lanes(&before.spin);
        wheels.steer = lanes(&before.steer);
        wheels.jounce = lanes(&before.jounce);
        if !follows {
            wheels.grip = GripMemory::Explicit(ExplicitGrip {
                still: [W4::ZERO; 2],
                ..wheels.grip.explicit()
            });
        }
        state.carry = jounce::core::Velocity::ZERO;
        self.follows = true;
    }

    fn update(
        &mut self,
        body: &BodyState,
        after: &Recorded,
        errors: &mut Errors,
    ) -> Result<(), String> {
        self.probe(body)?;
        let command = self.scenario.scheduled(after.f).command;
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let update = |vehicle: &mut Vehicle, body: &BodyState| {
            let outcome = vehicle.update(body, &command, gravity, dt);
            outcome.map_err(|refused| refused.to_string())
        };
        let rounded = self.kinds.updated(&self.vehicle, body, &[], update)?;
        let outcome = update(&mut self.vehicle, body)?;
        let skipped = body.asleep && after.asleep;
        if skipped != (outcome.motion == Motion::Keep) {
            return Err(format!("PhysX skipped: {skipped}, ours: {}", !skipped));
        }
        if skipped {
            errors.skipped += 1;
        } else {
            let update = Update {
                vehicle: &self.vehicle,
                rounded: &rounded,
                speed: body.linear_velocity.length(),
                after,
                velocities: Some(after.updated),
                spin: |wheel| wheel.spin,
            };
            errors.figures.add(&update, gravity.length());
        }
        Ok(())
    }

    fn probe(&mut self, body: &BodyState) -> Result<(), String> {
        let ground: &dyn SceneQuery = &self.scenario.terrain().grounds;
        let surfaces = self.scenario.surfaces();
        let taken = if self.vehicle.sweep_settings().is_some() {
            let sweeps = ground.sweeps().ok_or("this ground has no sweeps")?;
            self.vehicle.sweep(body, sweeps, surfaces, |_| None)
        } else {
            let mut rays = [GroundRay {
                anchor: body.position,
                offset: Vec3::ZERO,
                direction: Vec3::NEG_Z,
                length: 0.0,
                filter: QueryFilter::except(BodyId(0)),
            }; WHEELS];
            let mut hits = [None; WHEELS];
            self.vehicle.plan_rays(body, &mut rays);
            ground.cast_rays(&rays, &mut hits);
            self.vehicle.take_hits(&rays, &hits, surfaces, |_| None)
        };
        taken.map_err(|refused| refused.to_string())
    }
}
