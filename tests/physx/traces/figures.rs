//! What a single update leaves behind, column by column of the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::reference::Comparison;
use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::internals::V3x4;
use jounce::core::lanes::{LANES, W4};
use jounce::core::math;
use jounce::core::params::WheelParams;
use jounce::core::state::{VehicleState, WheelState};
use jounce::core::{BodyState, Vehicle, VehicleKind};
use proving_ground::scenario::{Scenario, TraceFrame, to_physx};
use serde_json::Value;

use super::recorded::Columns;
use super::{Recorded, lanes, rounded, single_line};
use crate::rounding::{TIMES, Ways, range};
use crate::row::numbers;

/// Minimum effect of rounding on a value, relative to the largest one of its row and column.
const SHARE: f64 = f32::EPSILON as f64;
/// Number of times that an update is computed from differently rounded inputs; every other time these are moved by
/// several roundings.
const VARIANTS: u32 = 32;

/// Roundings of a variant's inputs: one, or as many as PhysX may lose. What these change may be less than in proportion
/// where it is limited, and more where they decide something.
const fn ways(variant: u32) -> Ways {
    Ways::by(if is_far(variant) { TIMES as f32 } else { 1.0 }, variant)
}

/// Whether a variant's inputs are moved by several roundings.
const fn is_far(variant: u32) -> bool {
    !variant.is_multiple_of(2)
}

/// Columns by their names.
pub(super) type Own = Vec<(&'static str, Vec<f64>)>;

/// The largest error of a column.
#[derive(Default)]
struct Worst {
    /// Number of compared updates.
    updates: usize,
    /// As a share of what rounding explains.
    error: f64,
    frame: usize,
}

/// The largest errors of all updates of a trace.
#[derive(Default)]
pub(super) struct Figures {
    /// By column.
    worst: BTreeMap<String, Worst>,
    /// Spins whose true value the file does not show: the blended one is compared.
    blended: usize,
}

/// Kinds of a scenario's vehicle from differently rounded parameters.
#[derive(Debug)]
pub(super) struct RoundedKinds {
    kinds: Vec<Arc<VehicleKind>>,
    /// The shortest substep (`s`).
    substep: f32,
    /// What gravity adds to a velocity within an update, and PhysX takes away (`m/s`).
    fall: f32,
}

impl RoundedKinds {
    /// Those of a header, without such as break a rule, which a parameter at its limit may do.
    ///
    /// # Errors
    /// If there is no other.
    pub(super) fn of(header: &Value, scenario: &Scenario) -> Result<Self, String> {
        let name = scenario.name();
        let kind = |variant: u32| {
            rounded(header, name, &mut ways(variant)).map(|scenario| scenario.kind())
        };
        let (kinds, refused): (Vec<_>, Vec<_>) = (0..VARIANTS).map(kind).partition(Result::is_ok);
        if let (true, Some(Err(refused))) = (kinds.is_empty(), refused.first()) {
            return Err(format!("no rounding of the parameters is valid: {refused}"));
        }
        let policy = scenario.kind().params().substeps;
        Ok(Self {
            kinds: kinds.into_iter().flatten().collect(),
            substep: scenario.dt() / policy.slow.max(policy.fast) as f32,
            fall: scenario.gravity().length() * scenario.dt(),
        })
    }

    /// `vehicle` at `body` after `probe` and `update` from differently rounded parameters, places, ground, jounces,
    /// spins, engine speeds, rotations and velocities, the spins also by their `doubts` (`rad/s`). Explicit tires and limited slip amplify
    /// rounding, near a standstill by some hundreds in every substep, so that no single bound fits all updates.
    ///
    /// # Errors
    /// Those of `probe` and `update`.
    pub(super) fn updated<T>(
        &self,
        vehicle: &Vehicle,
        body: &BodyState,
        doubts: &[f32],
        probe: &impl Fn(&mut Vehicle, &BodyState) -> Result<(), String>,
        update: &impl Fn(&mut Vehicle, &BodyState) -> Result<T, String>,
    ) -> Result<Vec<Updated>, String> {
        let up = math::matrix(body.rotation).z_axis;
        let variant = |(variant, kind): (u32, &Arc<VehicleKind>)| {
            let (mut vehicle, mut ways) = (vehicle.clone(), ways(variant));
            vehicle.set_kind(Arc::clone(kind));
            let mut step = || Vec3::from_array([(); 3].map(|()| ways.way() * f32::EPSILON));
            let (linear, angular) = (body.linear_velocity, body.angular_velocity);
            let (turn, shift) = (step(), step().as_dvec3() * body.position);
            let pushed = [
                step() * (linear.length() + self.fall),
                step() * angular.length(),
            ];
            let moved = BodyState {
                position: body.position + shift,
                rotation: turned(body.rotation, turn),
                ..*body
            };
            probe(&mut vehicle, &moved)?;
            let heights = heights(&vehicle, body);
            let alike = variant % 4 < 2;
            let moves = Moves {
                doubts,
                heights: &heights,
                substep: self.substep,
                alike,
            };
            moves.apply(vehicle.state_mut(), &mut ways);
            // Rounding of heights in every substep is a speed of jounce.
            let heave = heights.iter().copied().fold(0.0, f32::max) / self.substep;
            let pushed = [pushed[0] + up * (ways.way() * heave), pushed[1]];
            let body = BodyState {
                linear_velocity: linear + pushed[0],
                angular_velocity: angular + pushed[1],
                ..moved
            };
            Updated::new(vehicle, &body, pushed, update).map(|(updated, _)| updated)
        };
        (0..).zip(&self.kinds).map(variant).collect()
    }
}

/// A vehicle before and after an update.
pub(super) struct Updated {
    pub(super) before: Vehicle,
    pub(super) after: Vehicle,
    /// How much faster the body was before than the file says (`m/s`, `rad/s`).
    pushed: [Vec3; 2],
}

impl Updated {
    /// `vehicle` after `update` of it on `body`, which is faster than the file says by `pushed`; and what the update
    /// says.
    ///
    /// # Errors
    /// Those of `update`.
    pub(super) fn new<T>(
        vehicle: Vehicle,
        body: &BodyState,
        pushed: [Vec3; 2],
        update: &impl Fn(&mut Vehicle, &BodyState) -> Result<T, String>,
    ) -> Result<(Self, T), String> {
        let mut after = vehicle.clone();
        let outcome = update(&mut after, body)?;
        let updated = Self {
            before: vehicle,
            after,
            pushed,
        };
        Ok((updated, outcome))
    }

    /// Its values by the file's names, without those that only files of one generation have.
    pub(super) fn columns(&self) -> Columns {
        let still = [0.0; 5];
        let frame = TraceFrame::of(0, &self.after, &AT_REST, Vec3::ZERO, still, false);
        let frame = serde_json::to_value(frame).expect("numbers");
        let columns = frame.as_object().into_iter().flatten();
        let mut columns: Columns = columns
            .map(|(key, value)| (key.clone(), numbers(value)))
            .collect();
        for (key, pushed) in ["v1", "w1"].into_iter().zip(self.pushed) {
            let axes = columns.get_mut(key).into_iter().flatten();
            axes.zip(to_physx(pushed))
                .for_each(|(x, pushed)| *x -= f64::from(pushed));
        }
        columns
    }
}

/// The largest amount of a figure that one rounding of the inputs makes.
pub(super) fn widest(rounded: &[Updated], figure: impl Fn(&Vehicle) -> f32) -> f32 {
    let near = (0..).zip(rounded).filter(|(variant, _)| !is_far(*variant));
    near.map(|(_, updated)| figure(&updated.after).abs())
        .fold(0.0, f32::max)
}

/// Rotated by what a small change of the quaternion does: twice as much, as an angle.
pub(super) fn turned(rotation: Quat, change: Vec3) -> Quat {
    math::unit(math::compose(Quat::from_vec4(change.extend(1.0)), rotation))
}

/// Rounding of the height of each wheel above its ground (`m`), which PhysX computes from places in the world.
fn heights(vehicle: &Vehicle, body: &BodyState) -> Vec<f32> {
    let turn = math::matrix(body.rotation);
    let place = body.position.as_vec3().abs();
    let height = |(n, wheel): (usize, &WheelParams)| {
        let normal = vehicle.state().wheels[n / LANES]
            .ground_normal
            .lane(n % LANES);
        let reach = place + (turn * wheel.position).abs();
        f32::EPSILON * normal.abs().dot(reach)
    };
    let wheels = vehicle.kind().params().wheels.iter();
    wheels.enumerate().map(height).collect()
}

/// Moves what a drive goes on with by its rounding: spins, the engine's speed, and jounces by that of heights, which is
/// what their speeds are off by. `body` is near that of the vehicle.
pub(super) fn move_on(vehicle: &mut Vehicle, body: &BodyState, ways: &mut Ways) {
    let heights = heights(vehicle, body);
    let state = vehicle.state_mut();
    for (g, wheels) in state.wheels.iter_mut().enumerate() {
        let mut four = || W4::from_fn(|_| ways.way());
        wheels.spin += four() * wheels.spin * W4::splat(f32::EPSILON);
        let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        wheels.jounce += known.keep(four() * lanes(&heights, g));
    }
    state.drive.engine_speed *= 1.0 + ways.way() * f32::EPSILON;
}

/// By how much what an update begins with is moved.
struct Moves<'a> {
    /// What rounding has made of spins (`rad/s`).
    doubts: &'a [f32],
    /// Rounding of heights above the ground (`m`); over a substep, of the speeds of jounce.
    heights: &'a [f32],
    /// The shortest substep (`s`).
    substep: f32,
    /// Whether all wheels are moved alike, as a common cause does.
    alike: bool,
}

impl Moves<'_> {
    /// Moves what an update begins with by its rounding.
    fn apply(&self, state: &mut VehicleState, ways: &mut Ways) {
        let step = W4::splat(f32::EPSILON);
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            let normals = core::array::from_fn(|lane| {
                let normal = wheels.ground_normal.lane(lane);
                let tilt = Vec3::from_array([(); 3].map(|()| ways.way() * f32::EPSILON));
                normal + tilt * normal.length()
            });
            wheels.ground_normal = V3x4::from_array(normals);
            let mut four = || match self.alike {
                true => W4::splat(ways.way()),
                false => W4::from_fn(|_| ways.way()),
            };
            let heights = lanes(self.heights, g);
            wheels.spin += four() * (wheels.spin.abs() * step + lanes(self.doubts, g));
            wheels.ground_height += four() * heights;
            wheels.ground_friction += four() * wheels.ground_friction * step;
            let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
            wheels.jounce += known.keep(four() * wheels.jounce * step);
            wheels.jounce_speed += four() * heights / W4::splat(self.substep);
        }
        state.drive.engine_speed *= 1.0 + ways.way() * f32::EPSILON;
    }
}

/// One of our updates, to be compared.
pub(super) struct Update<'a> {
    pub(super) ours: &'a Updated,
    /// The same from differently rounded inputs.
    pub(super) rounded: &'a [Updated],
    /// The recorded next frame, and the velocities after PhysX's update, where they are known.
    pub(super) after: &'a Recorded,
    pub(super) velocities: Option<[Vec3; 2]>,
    /// Columns that the file does not determine here.
    pub(super) unknown: &'a [&'a str],
    /// Our values of what files of this generation have otherwise than our own.
    pub(super) own: &'a dyn Fn(&Updated) -> Own,
}

impl Update<'_> {
    /// PhysX's values, as far as the file determines them.
    fn theirs(&self) -> Columns {
        let mut theirs = self.after.columns.clone();
        theirs.retain(|key, _| !self.unknown.contains(&key.as_str()));
        for (n, key) in ["v1", "w1"].into_iter().enumerate() {
            match self.velocities {
                Some(velocities) => {
                    let velocity = to_physx(velocities[n]).map(f64::from);
                    theirs.insert(key.to_owned(), velocity.to_vec())
                }
                None => theirs.remove(key),
            };
        }
        theirs
    }

    /// The same values of one of our vehicles.
    fn ours(&self, updated: &Updated) -> Columns {
        let mut columns = updated.columns();
        let own = (self.own)(updated).into_iter();
        columns.extend(own.map(|(key, values)| (key.to_owned(), values)));
        columns
    }
}

/// A body for frames whose place does not matter.
pub(super) const AT_REST: BodyState = BodyState {
    position: DVec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
    mass: 1.0,
    inverse_inertia: Mat3::IDENTITY,
    linear_damping: 0.0,
    angular_damping: 0.0,
    asleep: false,
};

impl Figures {
    /// Adds an update.
    ///
    /// # Errors
    /// If the file has a column that we do not know.
    pub(super) fn add(&mut self, update: &Update<'_>) -> Result<(), String> {
        let ours = update.ours(update.ours);
        let rounded: Vec<Columns> = update.rounded.iter().map(|v| update.ours(v)).collect();
        for (column, theirs) in update.theirs() {
            let unknown = || format!("unknown schema: column {column}");
            let ours = ours.get(&column).ok_or_else(unknown)?;
            if ours.len() != theirs.len() {
                return Err(format!("{column}: {} values", theirs.len()));
            }
            let spread = |n: usize| {
                let all = (0..).zip(&rounded);
                let some = |far: bool| {
                    let some = all.clone().filter(|(variant, _)| is_far(*variant) == far);
                    range(
                        some.map(|(_, rounded)| rounded[&column][n])
                            .chain([ours[n]]),
                    )
                };
                some(true).max(TIMES * some(false))
            };
            let widest = (0..ours.len()).map(spread).fold(0.0, f64::max);
            let error = largest_share(ours, &theirs, widest);
            let worst = self.worst.entry(column).or_default();
            worst.updates += 1;
            if error > worst.error {
                (worst.error, worst.frame) = (error, update.after.f);
            }
        }
        let vehicle = &update.ours.after;
        let wheels = 0..vehicle.kind().wheel_count();
        let reports = wheels.map(|n| vehicle.wheel_report(n));
        self.blended += reports
            .filter(|wheel| wheel.spin != wheel.spin_shown)
            .count();
        Ok(())
    }

    /// One line per column of trace `name`; `note` says what was not compared.
    pub(super) fn lines(&self, name: &str, note: &str) -> Vec<Comparison> {
        let mut lines: Vec<Comparison> = (self.worst.iter())
            .map(|(column, worst)| {
                let note = match worst.error {
                    0.0 => String::new(),
                    _ => format!("of what rounding explains, at frame {}", worst.frame),
                };
                single_line(name, column, (worst.updates, worst.error), 1.0, &note)
            })
            .collect();
        if let Some(first) = lines.first_mut() {
            first.note = format!("{note}; {}", first.note);
        }
        let spins = lines.iter_mut().find(|line| line.name.ends_with("/omega"));
        if let Some(line) = spins.filter(|_| self.blended > 0) {
            line.note += &format!("; {} of wheels as shown, blended", self.blended);
        }
        lines
    }
}

/// The largest error of a row's column, as a share of what rounding explains. Where PhysX's is not finite, ours must
/// only be.
fn largest_share(ours: &[f64], theirs: &[f64], spread: f64) -> f64 {
    let finite = theirs.iter().filter(|x| x.is_finite());
    let scale = finite.fold(0.0, |scale: f64, x| scale.max(x.abs()));
    let share = |(ours, theirs): (&f64, &f64)| {
        let off = (ours - theirs).abs();
        match (ours.is_finite(), theirs.is_finite()) {
            (false, _) => f64::INFINITY,
            (true, false) => 0.0,
            (true, true) if off == 0.0 => 0.0,
            (true, true) => off / (spread + TIMES * SHARE * scale),
        }
    };
    let pairs = ours.iter().zip(theirs);
    pairs.map(share).fold(0.0, f64::max)
}
