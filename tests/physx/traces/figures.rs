//! Body, wheels and engine after single updates, compared with the file.

use std::sync::Arc;

use crate::reference::Comparison;
use glam::{Quat, Vec3};
use jounce::core::lanes::W4;
use jounce::core::math;
use jounce::core::state::{VehicleState, WheelState};
use jounce::core::{BodyState, Vehicle, VehicleKind, WheelReport};
use proving_ground::scenario::Scenario;
use serde_json::Value;

use super::{Recorded, lanes, single_line};
use crate::rounding::{TIMES, Ways, range};

/// Bounds: velocities (`m/s`) and (`rad/s`), jounce (`m`), forces relative to the rest load.
const VELOCITY: f64 = 2e-4;
const JOUNCE: f64 = 2e-5;
const FORCE: f64 = 1e-3;
/// Minimum effect of rounding on a spin, relative to the spin or to 1 rad/s, whichever is larger.
const SHARE: f64 = 1e-6;
/// How far rounding moves the ground below a wheel [m]: as much as jounces of PhysX's are off by in most traces.
const HEIGHT: f32 = 1e-6;
/// Number of times that an update is computed from differently rounded inputs.
const VARIANTS: u32 = 16;

/// Forces are compared above this speed (`m/s`).
const FORCE_SPEED: f32 = 1.0;

/// Largest errors of all updates of a trace, and how many were compared.
#[derive(Default)]
pub(super) struct Figures {
    updates: usize,
    velocities: usize,
    forces: usize,
    /// Spins whose true value the file does not show: the blended one is compared.
    blended: usize,
    linear: f64,
    angular: f64,
    jounce: f64,
    spin: f64,
    engine: f64,
    force: f64,
}

/// Kinds of a scenario's vehicle from differently rounded parameters.
#[derive(Debug)]
pub(super) struct RoundedKinds(Vec<Arc<VehicleKind>>);

impl RoundedKinds {
    /// Those of a header, without such as break a rule, which a parameter at its limit may do.
    pub(super) fn of(header: &Value, name: &str) -> Self {
        let kind = |variant: u32| {
            let (mut header, mut ways) = (header.clone(), Ways::new(variant));
            for part in ["vehicle", "params"] {
                let part = header.get_mut(part);
                part.into_iter().for_each(|part| ways.take(part));
            }
            Some(Scenario::from_header(&header, name).ok()?.kind())
        };
        Self((0..VARIANTS).filter_map(kind).collect())
    }

    /// `vehicle` after `update` from differently rounded parameters, ground, jounces, spins, engine speeds, rotations
    /// and velocities, the spins also by their `doubts` (`rad/s`). Explicit tires and limited slip amplify rounding,
    /// near a standstill by some hundreds in every substep, so that no single bound fits all updates.
    ///
    /// # Errors
    /// Those of `update`.
    pub(super) fn updated<T>(
        &self,
        vehicle: &Vehicle,
        body: &BodyState,
        doubts: &[f32],
        update: impl Fn(&mut Vehicle, &BodyState) -> Result<T, String>,
    ) -> Result<Vec<Vehicle>, String> {
        let variant = |(variant, kind): (u32, &Arc<VehicleKind>)| {
            let (mut vehicle, mut ways) = (vehicle.clone(), Ways::new(variant));
            vehicle.set_kind(Arc::clone(kind));
            move_state(vehicle.state_mut(), doubts, &mut ways);
            let mut step = || Vec3::from_array([(); 3].map(|()| ways.way() * f32::EPSILON));
            let (linear, angular) = (body.linear_velocity, body.angular_velocity);
            let body = BodyState {
                linear_velocity: linear + step() * linear.length(),
                angular_velocity: angular + step() * angular.length(),
                rotation: turned(body.rotation, step()),
                ..*body
            };
            update(&mut vehicle, &body)?;
            Ok(vehicle)
        };
        (0..).zip(&self.0).map(variant).collect()
    }
}

/// Rotated by what a small change of the quaternion does: twice as much, as an angle.
fn turned(rotation: Quat, change: Vec3) -> Quat {
    math::unit(math::compose(Quat::from_vec4(change.extend(1.0)), rotation))
}

/// Moves what an update begins with by its rounding.
fn move_state(state: &mut VehicleState, doubts: &[f32], ways: &mut Ways) {
    let step = W4::splat(f32::EPSILON);
    for (g, wheels) in state.wheels.iter_mut().enumerate() {
        let mut four = || W4::from_fn(|_| ways.way());
        wheels.spin += four() * (wheels.spin.abs() * step + lanes(doubts, g));
        wheels.ground_height += four() * W4::splat(HEIGHT);
        wheels.ground_friction += four() * wheels.ground_friction * step;
        let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        wheels.jounce += known.keep(four() * wheels.jounce * step);
    }
    state.drive.engine_speed *= 1.0 + ways.way() * f32::EPSILON;
}

/// One of our updates, to be compared.
pub(super) struct Update<'a> {
    pub(super) vehicle: &'a Vehicle,
    /// The same from differently rounded inputs.
    pub(super) rounded: &'a [Vehicle],
    /// Speed of the body before (`m/s`).
    pub(super) speed: f32,
    /// The recorded next frame, and the velocities after PhysX's update, where they are known.
    pub(super) after: &'a Recorded,
    pub(super) velocities: Option<[Vec3; 2]>,
    /// The spin in the file.
    pub(super) spin: fn(&WheelReport) -> f32,
}

impl Figures {
    /// Number of updates with compared forces.
    pub(super) const fn forces(&self) -> usize {
        self.forces
    }

    /// Adds an update under `gravity` (`m/s²`).
    pub(super) fn add(&mut self, update: &Update<'_>, gravity: f32) {
        let Update { vehicle, after, .. } = *update;
        self.updates += 1;
        if let Some([linear, angular]) = update.velocities {
            let ours = vehicle.updated_velocity();
            self.velocities += 1;
            self.linear = worse(self.linear, largest(ours.0 - linear));
            self.angular = worse(self.angular, largest(ours.1 - angular));
        }
        self.add_turns(update);
        let fast = update.speed > FORCE_SPEED;
        self.forces += usize::from(fast);
        for n in 0..after.spin.len() {
            let report = vehicle.wheel_report(n);
            self.jounce = worse(self.jounce, apart(report.jounce, after.jounce[n]));
            if fast {
                self.add_forces(&report, gravity * report.rest_mass, after, n);
            }
        }
    }

    /// Spins and engine speed, relative to the effect of rounding on them.
    fn add_turns(&mut self, update: &Update<'_>) {
        let Update { vehicle, after, .. } = *update;
        let engine = |vehicle: &Vehicle| vehicle.state().drive.engine_speed;
        let wheel = |vehicle: &Vehicle, n: usize| (update.spin)(&vehicle.wheel_report(n));
        let spread = |ours: &dyn Fn(&Vehicle) -> f32| {
            range(update.rounded.iter().map(|v| f64::from(ours(v))))
        };
        let wheels = 0..after.spin.len();
        let spreads = wheels.clone().map(|n| spread(&|v| wheel(v, n)));
        let widest = spreads.fold(0.0, f64::max);
        let times = |ours: f32, theirs: f32, spread: f64| {
            apart(ours, theirs) / (spread + SHARE * f64::from(theirs.abs().max(1.0)))
        };
        for n in wheels {
            let error = times(wheel(vehicle, n), after.spin[n], widest);
            self.spin = worse(self.spin, error);
            self.blended += usize::from(wheel(vehicle, n) != vehicle.wheel_report(n).spin);
        }
        let error = times(engine(vehicle), after.engine, spread(&engine));
        self.engine = worse(self.engine, error);
    }

    fn add_forces(&mut self, report: &WheelReport, rest: f32, after: &Recorded, n: usize) {
        let pairs = [
            (report.suspension_force, after.suspension[n]),
            (report.load, after.load[n]),
            (report.long_force, after.long_force[n]),
            (report.lat_force, after.lat_force[n]),
        ];
        for (ours, theirs) in pairs {
            self.force = worse(self.force, apart(ours, theirs) / f64::from(rest));
        }
    }

    /// One line per figure of trace `name`; `note` says what was not compared.
    pub(super) fn lines(&self, name: &str, scenario: &Scenario, note: &str) -> Vec<Comparison> {
        let mut lines = vec![
            single_line(name, "v1", (self.velocities, self.linear), VELOCITY, note),
            single_line(name, "w1", (self.velocities, self.angular), VELOCITY, ""),
            single_line(name, "jounce", (self.updates, self.jounce), JOUNCE, ""),
        ];
        let blended = match self.blended {
            0 => String::new(),
            count => format!("{count} of wheels as shown, blended"),
        };
        lines.push(single_line(
            name,
            "spin",
            (self.updates, self.spin),
            TIMES,
            &blended,
        ));
        if scenario.has_engine() {
            let engine = (self.updates, self.engine);
            lines.push(single_line(name, "engine", engine, TIMES, ""));
        }
        if self.forces > 0 {
            let (forces, note) = ((self.forces, self.force), "of the rest load");
            lines.push(single_line(name, "force", forces, FORCE, note));
        }
        lines
    }
}

fn apart(ours: f32, theirs: f32) -> f64 {
    f64::from((ours - theirs).abs())
}

/// The largest component; NaN counts as the largest.
fn largest(v: Vec3) -> f64 {
    v.to_array()
        .map(|x| f64::from(x.abs()))
        .into_iter()
        .fold(0.0, worse)
}

/// The larger error; NaN counts as the worst.
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}
