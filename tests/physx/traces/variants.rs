//! An update of ours, and the same from inputs that are moved by their rounding.

use std::sync::Arc;

use glam::{DVec3, Mat3, Quat, Vec3};
use jounce::core::internals::stage_results;
use jounce::core::lanes::{LANES, W4};
use jounce::core::math;
use jounce::core::params::WheelParams;
use jounce::core::state::WheelState;
use jounce::core::{BodyState, Vehicle, VehicleModel, phases};
use proving_ground::scenario::{Scenario, TraceFrame, to_physx};
use serde_json::Value;

use super::recorded::Columns;
use super::{lanes, rounded};
use crate::rounding::{TIMES, Ways};
use crate::row::numbers;

/// Number of times that an update is computed from differently rounded inputs; every other time these are moved by
/// several roundings.
const VARIANTS: u32 = 32;
/// Number of rounds of variants. Where the first does not explain PhysX's values, as many more follow, of which each moves
/// half as many inputs: an update that amplifies rounding may only decide like PhysX's if few are moved.
pub(super) const ROUNDS: u32 = 8;

/// Roundings of a variant's inputs: one, or as many as PhysX may lose. What these change may be less than in proportion
/// where it is limited, and more where they decide something.
const fn ways(variant: u32) -> Ways {
    Ways::by(if is_far(variant) { TIMES as f32 } else { 1.0 }, variant)
}

/// Whether a variant's inputs are moved by several roundings.
const fn is_far(variant: u32) -> bool {
    !variant.is_multiple_of(2)
}

/// Models of a scenario's vehicle from differently rounded parameters.
#[derive(Debug)]
pub(super) struct RoundedModels {
    /// Models with the numbers of their variants.
    models: Vec<(u32, Arc<VehicleModel>)>,
    /// The shortest substep (`s`).
    substep: f32,
    /// Velocity that gravity adds within an update, and PhysX takes away (`m/s`).
    fall: f32,
}

impl RoundedModels {
    /// Vehicles of a header by differently rounded parameters, without such as break a rule, which a parameter at its
    /// limit may do.
    ///
    /// # Errors
    /// If there is no other.
    pub(super) fn of(header: &Value, scenario: &Scenario) -> Result<Self, String> {
        let name = scenario.name();
        let model = |variant: u32| {
            let rounded = rounded(header, name, &mut ways(variant));
            rounded.map(|scenario| (variant, scenario.model()))
        };
        let (models, refused): (Vec<_>, Vec<_>) = (0..VARIANTS).map(model).partition(Result::is_ok);
        if let (true, Some(Err(refused))) = (models.is_empty(), refused.first()) {
            return Err(format!("no rounding of the parameters is valid: {refused}"));
        }
        let policy = scenario.model().params().substeps;
        Ok(Self {
            models: models.into_iter().flatten().collect(),
            substep: scenario.dt() / policy.slow.max(policy.fast) as f32,
            fall: scenario.gravity().length() * scenario.dt(),
        })
    }

    /// `vehicle` at `body` after `probe` and `update` from differently rounded parameters, positions, ground, jounces,
    /// spins, engine speeds, rotations and velocities, the spins also by their `doubts` (`rad/s`); every `round` rounds
    /// otherwise. Explicit tires and limited slip amplify rounding, near a standstill by some hundreds in every substep,
    /// so that no single bound fits all updates.
    ///
    /// # Errors
    /// Those of `probe` and `update`.
    pub(super) fn updated<T>(
        &self,
        round: u32,
        vehicle: &Vehicle,
        body: &BodyState,
        doubts: &[f32],
        probe: &impl Fn(&mut Vehicle, &BodyState) -> Result<(), String>,
        update: &impl Fn(&mut Vehicle, &BodyState) -> Result<T, String>,
    ) -> Result<Vec<Updated>, String> {
        let up = math::matrix(body.rotation).z_axis;
        let variant = |(variant, model): &(u32, Arc<VehicleModel>)| {
            let variant = variant + round * VARIANTS;
            let (mut vehicle, mut ways) = (vehicle.clone(), ways(variant).halved(round));
            if round == 0 {
                vehicle.set_model(Arc::clone(model));
            }
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
            let contacts = stage_results::contacts(&vehicle);
            let heights = heights(&vehicle, body, |n| {
                let contact = contacts[n].filter(|contact| contact.carries);
                contact.map_or(Vec3::ZERO, |contact| contact.hit.normal)
            });
            let alike = variant % 4 < 2;
            let moves = Moves {
                doubts,
                heights: &heights,
                substep: self.substep,
                alike,
            };
            moves.apply(&mut vehicle, moved.position, &mut ways)?;
            // Rounding of heights in every substep is a speed of jounce.
            let heave = heights.iter().copied().fold(0.0, f32::max) / self.substep;
            let pushed = [pushed[0] + up * (ways.way() * heave), pushed[1]];
            let body = BodyState {
                linear_velocity: linear + pushed[0],
                angular_velocity: angular + pushed[1],
                ..moved
            };
            let (updated, _) = Updated::new(vehicle, &body, pushed, update)?;
            Ok(Updated {
                is_far: is_far(variant),
                ..updated
            })
        };
        self.models.iter().map(variant).collect()
    }
}

/// A vehicle before and after an update.
pub(super) struct Updated {
    pub(super) before: Vehicle,
    pub(super) after: Vehicle,
    /// Excess of the body's velocities before the update over those in the file (`m/s`, `rad/s`).
    pushed: [Vec3; 2],
    /// Whether the update's inputs are moved by several roundings.
    pub(super) is_far: bool,
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
            is_far: false,
        };
        Ok((updated, outcome))
    }

    /// Values of the update by the file's names, without those that only files of one generation have.
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
    let near = rounded.iter().filter(|updated| !updated.is_far);
    near.map(|updated| figure(&updated.after).abs())
        .fold(0.0, f32::max)
}

/// Rotated by what a small change of the quaternion does: twice as much, as an angle.
pub(super) fn turned(rotation: Quat, change: Vec3) -> Quat {
    math::unit(math::compose(Quat::from_vec4(change.extend(1.0)), rotation))
}

/// Rounding of the height of each wheel above ground with this `normal` (`m`), which PhysX computes from positions in the world.
fn heights(vehicle: &Vehicle, body: &BodyState, normal: impl Fn(usize) -> Vec3) -> Vec<f32> {
    let turn = math::matrix(body.rotation);
    let place = body.position.as_vec3().abs();
    let height = |(n, wheel): (usize, &WheelParams)| {
        let reach = place + (turn * wheel.position).abs();
        f32::EPSILON * normal(n).abs().dot(reach)
    };
    let wheels = vehicle.model().params().wheels.iter();
    wheels.enumerate().map(height).collect()
}

/// Moves what a drive goes on with by its rounding: spins, the engine's speed, and jounces by that of heights, which is
/// what their speeds are off by. `body` is near that of the vehicle.
pub(super) fn move_on(vehicle: &mut Vehicle, body: &BodyState, ways: &mut Ways) {
    let known = &vehicle.state().wheels;
    let normal = |n: usize| known[n / LANES].ground_normal.lane(n % LANES);
    let heights = heights(vehicle, body, normal);
    let state = vehicle.state_mut();
    for (g, wheels) in state.wheels.iter_mut().enumerate() {
        let mut four = || W4::from_fn(|_| ways.way());
        wheels.spin += four() * wheels.spin * W4::splat(f32::EPSILON);
        let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
        wheels.jounce += known.keep(four() * lanes(&heights, g));
    }
    state.drive.engine_speed *= 1.0 + ways.way() * f32::EPSILON;
}

/// Distances by which the inputs of an update are moved.
struct Moves<'a> {
    /// Errors of spins by rounding (`rad/s`).
    doubts: &'a [f32],
    /// Rounding of heights above the ground (`m`); over a substep, of the speeds of jounce.
    heights: &'a [f32],
    /// The shortest substep (`s`).
    substep: f32,
    /// Whether all wheels are moved alike, as a common cause does.
    alike: bool,
}

impl Moves<'_> {
    /// Moves what an update begins with by its rounding, with the ground of a probe at a `position` (`m`, world).
    ///
    /// # Errors
    /// If ground is not finite.
    fn apply(&self, vehicle: &mut Vehicle, position: DVec3, ways: &mut Ways) -> Result<(), String> {
        let step = W4::splat(f32::EPSILON);
        let mut contacts = stage_results::contacts(vehicle).to_vec();
        for lane in 0..LANES * vehicle.state().wheels.len() {
            let tilt = Vec3::from_array([(); 3].map(|()| ways.way() * f32::EPSILON));
            if let Some(Some(contact)) = contacts.get_mut(lane) {
                contact.hit.normal += tilt * contact.hit.normal.length();
            }
        }
        let common = self.alike.then(|| [(); 5].map(|()| ways.way()));
        for (g, wheels) in vehicle.state_mut().wheels.iter_mut().enumerate() {
            let [spin, height, friction, jounce, speed] = match common {
                Some(common) => common.map(W4::splat),
                None => [(); 5].map(|()| W4::from_fn(|_| ways.way())),
            };
            let heights = lanes(self.heights, g);
            wheels.spin += spin * (wheels.spin.abs() * step + lanes(self.doubts, g));
            let contacts = contacts.iter_mut().skip(g * LANES).take(LANES);
            for (lane, contact) in contacts.enumerate() {
                if let Some(contact) = contact {
                    contact.height += (height * heights).lane(lane);
                    contact.friction += (friction * step).lane(lane) * contact.friction;
                }
            }
            let known = !wheels.jounce.same(W4::splat(WheelState::UNKNOWN));
            wheels.jounce += known.keep(jounce * wheels.jounce * step);
            wheels.jounce_speed += speed * heights / W4::splat(self.substep);
        }
        vehicle.state_mut().drive.engine_speed *= 1.0 + ways.way() * f32::EPSILON;
        let moved = |wheel: usize| contacts[wheel].map(|contact| (contact, None));
        let taken = phases::take_contacts(vehicle, position, moved);
        taken.map_err(|refused| refused.to_string())
    }
}

/// A body for frames whose position does not matter.
pub(super) const AT_REST: BodyState = BodyState {
    position: DVec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
    mass: 1.0,
    inverse_inertia: Mat3::IDENTITY,
    locked_axes: jounce::core::LockedAxes::NONE,
    linear_damping: 0.0,
    angular_damping: 0.0,
    asleep: false,
};
