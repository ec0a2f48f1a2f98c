//! Traces of PhysX 5's `vehicle2`, update by update and closed loop.
//!
//! The files lack the timers of autobox and low-speed hold: ours continue over consecutive frames;
//! after a gap, pairs that depend on them are counted separately. Which do is asked of our own update.

use jounce::core::internals::{ExplicitGrip, GripMemory};

use crate::reference::Comparison;
use glam::{Mat3, Vec3};
use jounce::core::internals::Groups;
use jounce::core::lanes::W4;
use jounce::core::state::WheelState;
use jounce::core::{
    BodyId, BodyState, DriveState, Gear, Motion, Outcome, SceneQuery, Vehicle, WheelReport, math,
};
use jounce::drive::{FreeAxle, LockingDifferential, MultiWheel, SpeedLimit, TorqueBy};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::figures::{Figures, Own, RoundedKinds, Update, Updated};
use super::recorded::{ANALOG, columns, without_engine};
use super::{Recorded, clutch_slip, explicit, lanes, look_for, ratio};
use crate::row::{number, numbers};

/// A frame in the format of the other traces; missing parts are at rest.
pub(super) fn read(row: &Value, scenario: &Scenario) -> Result<Recorded, String> {
    let list = |key: &str| row.get(key).map(numbers).unwrap_or_default();
    let separations = list("sep");
    let kind = scenario.kind();
    let (count, wheels) = (kind.wheel_count(), kind.params().wheels.iter());
    // PhysX 5 counts jounce from full droop.
    let jounce: Vec<f64> = list("jounce")
        .iter()
        .zip(wheels)
        .map(|(jounce, wheel)| jounce - f64::from(wheel.suspension.max_droop))
        .collect();
    let mut row = row.clone();
    row["jounce"] = jounce.into();
    // Without a gear change, PhysX's switch time is a marker.
    if let Some(time) = row.get("gst").and_then(Value::as_f64) {
        row["gst"] = time.max(0.0).into();
    }
    let columns = columns(&row);
    if !scenario.has_engine() {
        row = without_engine(&row);
    }
    let flags = |holds: fn(f64) -> bool| -> Value {
        separations
            .iter()
            .map(|sep| u8::from(holds(*sep)))
            .collect()
    };
    let rest = [
        ("air", flags(|sep| sep > 0.0)),
        ("lim", flags(|sep| sep < 0.0)),
        ("lft", vec![0; count].into()),
        ("lst", vec![0; count].into()),
        ("abt", 0.into()),
        ("gu", 0.into()),
        ("gd", 0.into()),
        ("skipped", 0.into()),
        ("in", vec![0; ANALOG].into()),
    ];
    for (key, value) in rest {
        if row.get(key).is_none() {
            row[key] = value;
        }
    }
    Recorded::parse(&row, count, columns)
}

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

/// What only these files have, or count otherwise: PhysX 5 displays the true spins and, with the opposite sign, the
/// slip of the clutch before the substep, for tracks as if both drove forward.
fn of_vehicle2(updated: &Updated, shares: &[f32], groups: f64) -> Own {
    let vehicle = &updated.after;
    let each = |figure: fn(&WheelReport) -> f32| -> Vec<f64> {
        let wheels = 0..vehicle.kind().wheel_count();
        let figures = wheels.map(|n| f64::from(figure(&vehicle.wheel_report(n))));
        figures.collect()
    };
    let control = vehicle.control();
    let stands = |wheels: &WheelState| {
        let ground = wheels.ground_normal;
        ground.dot(ground).gt(W4::ZERO).keep(W4::ONE)
    };
    let throttle = control
        .coupling
        .as_ref()
        .map_or(0.0, |engine| engine.throttle);
    let before = updated.before.state();
    let spins = before.wheels.iter().flat_map(|four| four.spin.to_array());
    let spins: Vec<f32> = spins.collect();
    let slip = clutch_slip(before.drive.engine_speed, ratio(control), shares, &spins);
    vec![
        ("omega", each(|wheel| wheel.spin)),
        ("jounce_speed", each(|wheel| wheel.jounce_speed)),
        ("sep", separations(vehicle)),
        ("hit", per_wheel(vehicle, &vehicle.state().wheels, stands)),
        // A marker where no gear is changed.
        (
            "gst",
            vec![f64::from(vehicle.state().drive.switch_time.max(0.0))],
        ),
        (
            "brake",
            per_wheel(vehicle, &control.wheels, |four| four.brake),
        ),
        (
            "tratio",
            per_wheel(vehicle, &control.wheels, |four| four.torque_share),
        ),
        ("thr", vec![f64::from(throttle)]),
        ("cslip", vec![-f64::from(slip)]),
        ("ngroups", vec![groups]),
    ]
}

/// A figure of each wheel, from groups of four.
fn per_wheel<T>(vehicle: &Vehicle, groups: &Groups<T>, figure: impl Fn(&T) -> W4) -> Vec<f64> {
    let all = groups.iter().flat_map(|four| figure(four).to_array());
    let wheels = all.take(vehicle.kind().wheel_count());
    wheels.map(f64::from).collect()
}

/// The differential of PhysX's sample, which finds the groups of wheels that are held together, though nothing but the
/// file learns of them.
fn locking(params: &Value) -> Option<LockingDifferential> {
    let row = &params["four_wheel_diff"];
    let list = |key: &str| numbers(&row[key]).into_iter().map(|x| x as f32).collect();
    let limit = |bias: &str, target: &str| {
        let [bias, target] = [bias, target].map(|key| number(&row[key]) as f32);
        (bias != 0.0).then_some(SpeedLimit { bias, target })
    };
    (params["diff_type"] == "four_wheel").then(|| LockingDifferential {
        ratios: MultiWheel {
            torque_ratios: list("torque_ratios"),
            speed_ratios: list("ave_speed_ratios"),
            torque_by: TorqueBy::SpeedRatio,
        },
        front: [0, 1],
        rear: [2, 3],
        front_limit: limit("front_bias", "front_target"),
        rear_limit: limit("rear_bias", "rear_target"),
        centre_limit: limit("center_bias", "center_target"),
        rate: Some(number(&row["rate"]) as f32),
        free_axle: FreeAxle::StopsSecond,
    })
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

/// Distances of wheels from the ground (`m`): negative beyond the stop; in the air a mark.
fn separations(vehicle: &Vehicle) -> Vec<f64> {
    per_wheel(vehicle, vehicle.outputs(), |out| {
        let beyond = -out.touch.beyond_stop.max(W4::ZERO);
        out.carrying.select(beyond, W4::splat(f32::MIN_POSITIVE))
    })
}

/// Whether the file has the timers of the hold.
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
    kinds: RoundedKinds,
    vehicle: Vehicle,
    inverse_inertia: Mat3,
    locking: Option<LockingDifferential>,
    /// Shares of the wheels in the mean spin, whatever their track's direction.
    shares: Vec<f32>,
    /// Whether every frame so far was consecutive, so that timers are known.
    follows: bool,
}

impl<'a> Rig<'a> {
    fn new(header: &Value, scenario: &'a Scenario) -> Result<Self, String> {
        let mut vehicle = Vehicle::new(scenario.kind(), BodyId(0));
        scenario.prepare(&mut vehicle);
        Ok(Self {
            scenario,
            kinds: RoundedKinds::of(header, scenario)?,
            vehicle,
            locking: locking(&header["params"]),
            shares: shares(&header["params"]),
            inverse_inertia: Mat3::from_diagonal(1.0 / scenario.body().inertia),
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
            position: before.origin - centre.as_dvec3(),
            rotation,
            linear_velocity: before.linear,
            angular_velocity: before.angular,
            asleep: before.asleep,
            ..self.start()
        }
    }

    /// Whether timers that are not in the file decide about this update: that of the autobox, whose gear changes are in
    /// the file, or those of the hold, for which wheels that have stood for its time are another car than wheels that
    /// have just moved.
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
                let still = [&before.still_forward, &before.still_sideways];
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
        let rounded = self
            .kinds
            .updated(&self.vehicle, body, &[], &probe, &update)?;
        let mut vehicle = self.vehicle.clone();
        probe(&mut vehicle, body)?;
        let (ours, outcome) = Updated::new(vehicle, body, [Vec3::ZERO; 2], &update)?;
        self.vehicle = ours.after.clone();
        let skipped = body.asleep && after.asleep;
        if skipped != (outcome.motion == Motion::Keep) {
            return Err(format!("PhysX skipped: {skipped}, ours: {}", !skipped));
        }
        if skipped {
            errors.skipped += 1;
        } else {
            errors.figures.add(&Update {
                ours: &ours,
                rounded: &rounded,
                after,
                velocities: Some(after.updated),
                unknown: self.unknown(body),
                own: &|updated| of_vehicle2(updated, &self.shares, self.groups(updated)),
            })?;
        }
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
    ) -> Result<Outcome, String> {
        let command = self.scenario.scheduled(after.f).command;
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let outcome = vehicle.update(body, &command, gravity, dt);
        outcome.map_err(|refused| refused.to_string())
    }

    /// What PhysX computes at the start of the last substep is in the file only where that is the first.
    fn unknown(&self, body: &BodyState) -> &'static [&'static str] {
        let policy = self.scenario.kind().params().substeps;
        match policy.count(body.forward_speed()) {
            1 => &[],
            _ => &["cslip", "ngroups"],
        }
    }

    /// How many groups of wheels are held together.
    fn groups(&self, updated: &Updated) -> f64 {
        let mut control = updated.after.control().clone();
        if let Some(locking) = &self.locking {
            locking.hold_wheels(
                &updated.before.state().wheels,
                self.scenario.dt(),
                &mut control,
            );
        }
        f64::from(control.bonds)
    }
}
