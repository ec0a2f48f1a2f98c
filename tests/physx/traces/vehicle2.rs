//! Traces of PhysX 5's `vehicle2`, update by update and closed loop.
//!
//! The files lack the timers of autobox and low-speed hold: ours continue over consecutive frames;
//! after a gap, pairs that depend on them are counted separately. Which do is asked of our own update.

mod frames;

use crate::reference::Comparison;
use glam::{Mat3, Vec3};
use jounce::core::internals::{ExplicitGrip, GripMemory};
use jounce::core::lanes::W4;
use jounce::core::state::WheelState;
use jounce::core::{
    BodyId, BodyState, DriveState, Gear, Motion, SceneQuery, StepResult, Vehicle, inertia, math,
    phases,
};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::figures::{Figures, Update};
use super::variants::{RoundedModels, Updated};
use super::{Recorded, explicit, lanes, look_for};
use crate::row::numbers;
pub(super) use frames::read;

#[derive(Default)]
struct Errors {
    figures: Figures,
    skipped: usize,
    apart: usize,
}

/// Compares every update of consecutive frames.
pub(super) fn compare(
    name: &str,
    header: &Value,
    scenario: &Scenario,
    frames: &[Recorded],
) -> Result<Vec<Comparison>, String> {
    let mut rig = Rig::new(header, scenario)?;
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
        "{} skipped frames, {} pairs apart: timers not in the file",
        errors.skipped, errors.apart
    );
    Ok(errors.figures.lines(name, &note))
}

/// Shares of the wheels in the mean spin; without an engine there are none.
fn shares(params: &Value) -> Vec<f32> {
    let shares = params["four_wheel_diff"]
        .get("ave_speed_ratios")
        .map(numbers);
    shares
        .into_iter()
        .flatten()
        .map(|share| share as f32)
        .collect()
}

/// Whether the file has the timers of the hold for a frame.
fn is_timed(frame: &Recorded) -> bool {
    ["lft", "lst"]
        .iter()
        .all(|&times| frame.columns.contains_key(times))
}

/// Speeds of jounce at the end of a frame (`m/s`), to which struts of limited expansion hold on.
fn jounce_speed(frame: &Recorded) -> Vec<f32> {
    let speeds = frame.columns.get("jounce_speed").into_iter().flatten();
    speeds.map(|speed| *speed as f32).collect()
}

/// Grip of wheels that have stood for these times, forward and sideways (`s`).
fn standing(wheels: &WheelState, still: [W4; 2]) -> GripMemory {
    GripMemory::Explicit(ExplicitGrip {
        still,
        ..wheels.grip.explicit()
    })
}

struct Rig<'a> {
    scenario: &'a Scenario,
    models: RoundedModels,
    vehicle: Vehicle,
    inverse_inertia: Mat3,
    /// Shares of the wheels in the mean spin, whatever their track's direction.
    shares: Vec<f32>,
    /// Whether every frame so far was consecutive, so that timers are known.
    follows: bool,
}

impl<'a> Rig<'a> {
    fn new(header: &Value, scenario: &'a Scenario) -> Result<Self, String> {
        let mut vehicle = Vehicle::new(scenario.model(), BodyId(0));
        scenario.prepare(&mut vehicle);
        Ok(Self {
            scenario,
            models: RoundedModels::of(header, scenario)?,
            vehicle,
            shares: shares(&header["params"]),
            inverse_inertia: inertia::inverse(scenario.body().inertia),
            follows: true,
        })
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
            locked_axes: jounce::core::LockedAxes::NONE,
            linear_damping: desc.linear_damping,
            angular_damping: desc.angular_damping,
            asleep: false,
        }
    }

    /// The body at the end of a frame.
    fn body(&self, before: &Recorded) -> BodyState {
        let rotation = math::unit(before.rotation);
        let center = math::matrix(rotation) * self.scenario.origin();
        BodyState {
            position: before.origin - center.as_dvec3(),
            rotation,
            linear_velocity: before.linear,
            angular_velocity: before.angular,
            asleep: before.asleep,
            ..self.start()
        }
    }

    /// Whether timers that are not in the file decide about this update: that of the autobox, whose gear changes are in the
    /// file, or those of the hold, for which wheels that have stood for its time are another car than wheels that have just
    /// moved.
    fn is_unknown(
        &self,
        before: &Recorded,
        after: &Recorded,
        body: &BodyState,
    ) -> Result<bool, String> {
        let changes = |frame: &Recorded| frame.gear != frame.target_gear;
        let shifts = before.target_gear != after.target_gear;
        if self.follows || changes(before) || changes(after) || shifts {
            return Ok(!self.follows);
        }
        if is_timed(before) {
            return Ok(false);
        }
        let sticky = explicit(self.scenario).sticky;
        let stood = [sticky.forward_time, sticky.side_time].map(W4::splat);
        let results = |still: [W4; 2]| {
            let mut vehicle = self.vehicle.clone();
            for wheels in vehicle.state_mut().wheels.iter_mut() {
                wheels.grip = standing(wheels, still);
            }
            self.probe(&mut vehicle, body)?;
            let update =
                |vehicle: &mut Vehicle, body: &BodyState| self.advance(vehicle, body, after);
            let (updated, _) = Updated::new(vehicle, body, [Vec3::ZERO; 2], &update)?;
            let mut columns = updated.columns();
            columns.retain(|column, _| after.columns.contains_key(column));
            Ok::<_, String>(columns)
        };
        Ok(results([W4::ZERO; 2])? != results(stood)?)
    }

    fn pair(
        &mut self,
        before: &Recorded,
        after: &Recorded,
        errors: &mut Errors,
    ) -> Result<(), String> {
        self.restore(before);
        let body = self.body(before);
        if self.is_unknown(before, after, &body)? {
            errors.apart += 1;
            return Ok(());
        }
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
        let is_known = follows && !is_timed(before);
        let jounce_speed = jounce_speed(before);
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            wheels.spin = lanes(&before.spin, g);
            wheels.angle = lanes(&before.angle, g);
            wheels.steer = lanes(&before.steer, g);
            wheels.jounce = lanes(&before.jounce, g);
            wheels.jounce_speed = lanes(&jounce_speed, g);
            if !is_known {
                let still = [&before.still_forward, &before.still_lateral];
                wheels.grip = standing(wheels, still.map(|times| lanes(times, g)));
            }
        }
        state.carry = jounce::core::internals::Velocity::ZERO;
    }

    fn update(
        &mut self,
        body: &BodyState,
        after: &Recorded,
        errors: &mut Errors,
    ) -> Result<(), String> {
        let update = |vehicle: &mut Vehicle, body: &BodyState| self.advance(vehicle, body, after);
        let probe = |vehicle: &mut Vehicle, body: &BodyState| self.probe(vehicle, body);
        let rounded = |round: u32| {
            let models = &self.models;
            models.updated(round, &self.vehicle, body, &[], &probe, &update)
        };
        let mut vehicle = self.vehicle.clone();
        probe(&mut vehicle, body)?;
        let (ours, outcome) = Updated::new(vehicle, body, [Vec3::ZERO; 2], &update)?;
        let skipped = body.asleep && after.asleep;
        if skipped != (outcome.motion == Motion::Keep) {
            return Err(format!("PhysX skipped: {skipped}, ours: {}", !skipped));
        }
        if skipped {
            errors.skipped += 1;
        } else {
            errors.figures.add(&Update {
                ours: &ours,
                rounded: &rounded(0)?,
                more: &rounded,
                after,
                velocities: Some(after.updated),
                unknown: self.unknown(body),
                own: &|updated| frames::computed(updated, &self.shares, self.groups(updated)),
            })?;
        }
        self.vehicle = ours.after;
        Ok(())
    }

    fn probe(&self, vehicle: &mut Vehicle, body: &BodyState) -> Result<(), String> {
        let ground: &dyn SceneQuery = &self.scenario.terrain().grounds;
        look_for(vehicle, self.scenario, body, ground)
    }

    /// Updates the vehicle as before this frame.
    fn advance(
        &self,
        vehicle: &mut Vehicle,
        body: &BodyState,
        after: &Recorded,
    ) -> Result<StepResult, String> {
        let command = self.scenario.scheduled(after.f).command;
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let outcome = phases::update(vehicle, body, &command, gravity, dt);
        outcome.map_err(|refused| refused.to_string())
    }

    /// Columns that are unknown: the file has values of the start of the last substep only where that is the first.
    fn unknown(&self, body: &BodyState) -> &'static [&'static str] {
        let policy = self.scenario.model().params().substeps;
        match policy.count(body.forward_speed()) {
            1 => &[],
            _ => &["cslip", "ngroups"],
        }
    }

    /// Number of groups of wheels that are locked together.
    fn groups(&self, updated: &Updated) -> f64 {
        let mut control = updated.after.control().clone();
        if let Some(locking) = self.scenario.locking() {
            locking.hold_wheels(
                &updated.before.state().wheels,
                self.scenario.dt(),
                &mut control,
            );
        }
        f64::from(control.wheel_couplings)
    }
}
