//! Traces of PhysX 5's `vehicle2`, update by update and closed loop.
//!
//! The files lack the timers of autobox and low-speed hold: ours continue over consecutive frames;
//! after a gap, pairs that depend on them are counted separately.

use jounce::core::internals::{ExplicitGrip, GripMemory};

use crate::reference::Comparison;
use glam::{Mat3, Vec3};
use jounce::core::lanes::W4;
use jounce::core::{
    BodyId, BodyState, DriveState, Gear, Motion, SceneQuery, Vehicle, WheelReport, math,
};
use jounce::drive::{FreeAxle, LockingDifferential, MultiWheel, SpeedLimit, TorqueBy};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::figures::{Figures, Own, RoundedKinds, Update, Updated};
use super::recorded::{columns, without_engine};
use super::{Recorded, clutch_slip, look_for, ratio};
use crate::row::{number, numbers};

/// Below this speed a low-speed hold may be imminent (`m/s`).
const SLOW: f32 = 0.4;
/// Wheels of all these vehicles.
const WHEELS: usize = 4;

/// A frame in the format of the other traces; missing parts are at rest.
pub(super) fn read(row: &Value, scenario: &Scenario) -> Result<Recorded, String> {
    let list = |key: &str| row.get(key).map(numbers).unwrap_or_default();
    let separations = list("sep");
    let kind = scenario.kind();
    let wheels = kind.params().wheels.iter();
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
        ("lft", vec![0; WHEELS].into()),
        ("lst", vec![0; WHEELS].into()),
        ("abt", 0.into()),
        ("gu", 0.into()),
        ("gd", 0.into()),
        ("skipped", 0.into()),
        ("in", vec![0; 5].into()),
    ];
    for (key, value) in rest {
        if row.get(key).is_none() {
            row[key] = value;
        }
    }
    Recorded::parse(&row, WHEELS, columns)
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
    let reports: [WheelReport; WHEELS] = core::array::from_fn(|n| vehicle.wheel_report(n));
    let each = |figure: fn(&WheelReport) -> f32| -> Vec<f64> {
        reports
            .iter()
            .map(|wheel| f64::from(figure(wheel)))
            .collect()
    };
    let all = |four: W4| four.to_array().map(f64::from).to_vec();
    let (control, ground) = (
        vehicle.control(),
        vehicle.state().wheels.first().ground_normal,
    );
    let throttle = control
        .coupling
        .as_ref()
        .map_or(0.0, |engine| engine.throttle);
    let before = updated.before.state();
    let spins = before.wheels.first().spin.to_array();
    let slip = clutch_slip(before.drive.engine_speed, ratio(control), shares, &spins);
    let wheels = control.wheels.first();
    vec![
        ("omega", each(|wheel| wheel.spin)),
        ("jounce_speed", each(|wheel| wheel.jounce_speed)),
        ("sep", separations(vehicle)),
        ("hit", all(ground.dot(ground).gt(W4::ZERO).keep(W4::ONE))),
        // A marker where no gear is changed.
        (
            "gst",
            vec![f64::from(vehicle.state().drive.switch_time.max(0.0))],
        ),
        ("brake", all(wheels.brake)),
        ("tratio", all(wheels.torque_share)),
        ("thr", vec![f64::from(throttle)]),
        ("cslip", vec![-f64::from(slip)]),
        ("ngroups", vec![groups]),
    ]
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
    let out = vehicle.outputs().first();
    let beyond = -out.touch.beyond_stop.max(W4::ZERO);
    let marked = out.carrying.select(beyond, W4::splat(f32::MIN_POSITIVE));
    marked.to_array().map(f64::from).to_vec()
}

struct Rig<'a> {
    scenario: &'a Scenario,
    kinds: RoundedKinds,
    vehicle: Vehicle,
    inverse_inertia: Mat3,
    locking: Option<LockingDifferential>,
    /// Shares of the wheels in the mean spin, whatever their track's direction.
    shares: Vec<f32>,
    /// Whether the last update ended at the frame from which the next one starts.
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
        wheels.angle = lanes(&before.angle);
        wheels.steer = lanes(&before.steer);
        wheels.jounce = lanes(&before.jounce);
        let is_timed = before.columns.contains_key("lft");
        if is_timed || !follows {
            let still = [&before.still_forward, &before.still_sideways];
            wheels.grip = GripMemory::Explicit(ExplicitGrip {
                still: still.map(|times| lanes(times)),
                ..wheels.grip.explicit()
            });
        }
        state.carry = jounce::core::internals::Velocity::ZERO;
        self.follows = true;
    }

    fn update(
        &mut self,
        body: &BodyState,
        after: &Recorded,
        errors: &mut Errors,
    ) -> Result<(), String> {
        let command = self.scenario.scheduled(after.f).command;
        let (gravity, dt) = (self.scenario.gravity(), self.scenario.dt());
        let update = |vehicle: &mut Vehicle, body: &BodyState| {
            let outcome = vehicle.update(body, &command, gravity, dt);
            outcome.map_err(|refused| refused.to_string())
        };
        let ground: &dyn SceneQuery = &self.scenario.terrain().grounds;
        let probe = |vehicle: &mut Vehicle, body: &BodyState| {
            look_for(vehicle, self.scenario, body, ground)
        };
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
