//! The phases for a batch of vehicles.

mod probing;
mod part;

use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::AtomicUsize;

use glam::{DVec3, Vec3};

use crate::base::ids::BodyId;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::{BodyState, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::exchange::air::Air;
use crate::exchange::command::Command;
use crate::exchange::step_error::BodyError;
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::surface::Surfaces;
use crate::vehicle::Vehicle;
use crate::vehicle::detail::UpdateLevel;
use crate::vehicle::fleet::part::{FleetPhase, ProbePhase};
use crate::vehicle::fleet::probing::{PART, Probing, read, wheels_of};

pub use part::Part;
pub(super) use probing::{WorldRef, casts_rays, probe_alone};

/// Environment of the vehicles, which may change between steps.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'a> {
    /// Gravity (`m/s²`, world axes), 0 in space, of all vehicles without [their own](Vehicle::set_gravity).
    pub gravity: Vec3,
    /// Materials, surfaces and friction.
    pub surfaces: &'a Surfaces,
    /// Density of the air and its wind.
    pub air: Air,
}

impl<'a> Environment<'a> {
    /// Gravity (`m/s²`, world axes) and surfaces in [still air](Air::STILL).
    #[must_use]
    pub fn in_still_air(gravity: Vec3, surfaces: &'a Surfaces) -> Self {
        Self {
            gravity,
            surfaces,
            air: Air::STILL,
        }
    }
}

/// A batch of vehicles, stepped phase by phase.
///
/// `probe` reads a shared world, `update` accesses no world, `apply` needs exclusive access to the world.
///
/// Each vehicle has a body of its own. One whose body is gone, not dynamic, or the chassis of a vehicle before it, is
/// [refused](Self::errors) and named in the error; the others go on.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    vehicles: Vec<Vehicle>,
    /// Whether `bodies` and the other buffers belong to these vehicles.
    probed: bool,
    ids: Vec<BodyId>,
    /// Indices of the vehicles, sorted by their bodies.
    by_body: Vec<u32>,
    bodies: Vec<BodyState>,
    update_levels: Vec<UpdateLevel>,
    /// Rays of one batch.
    rays: Vec<GroundRay>,
    hits: Vec<Option<GroundHit>>,
    results: Vec<StepResult>,
    /// Vehicles on ground that can move: only these push any.
    pushing: Vec<bool>,
    errors: Vec<Option<StepError>>,
    reactions: Vec<Reaction>,
}

impl Fleet {
    /// No vehicles.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a vehicle and returns its index. A fleet that is there as a whole is better collected: it then has room
    /// for these vehicles and no more.
    ///
    /// ```
    /// # use vehicle_core::{Fleet, Vehicle};
    /// # let vehicles: Vec<Vehicle> = vec![];
    /// let fleet: Fleet = vehicles.into_iter().collect();
    /// ```
    pub fn push(&mut self, vehicle: Vehicle) -> usize {
        self.probed = false;
        self.vehicles.push(vehicle);
        self.vehicles.len() - 1
    }

    /// Removes a vehicle; those after it move up.
    ///
    /// # Panics
    /// If there is no such vehicle.
    pub fn remove(&mut self, index: usize) -> Vehicle {
        self.probed = false;
        self.vehicles.remove(index)
    }

    /// The vehicles.
    #[must_use]
    pub fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }

    /// The vehicles, mutable.
    #[must_use]
    pub fn vehicles_mut(&mut self) -> &mut [Vehicle] {
        &mut self.vehicles
    }

    /// The error of each vehicle's last step, if it or one of its inputs was refused. The step was made all the same unless
    /// the error [stops it](StepError::stops_step).
    #[must_use]
    pub fn errors(&self) -> &[Option<StepError>] {
        &self.errors
    }

    /// Begins a step in an environment: sets the air around all vehicles, reads their bodies, and probes the ground under those
    /// with [`Full`](UpdateLevel::Full) `update_level`: rays in batches of up to 64, and sweeps vehicle by vehicle. Others use
    /// the ground that they know; those that [do not know it](crate::phases::knows_ground) get full updates.
    ///
    /// # Errors
    /// For the first vehicle without a chassis of its own; the others are probed, and the updates can follow.
    pub fn probe<W: SceneQuery + RigidBodies + ?Sized>(
        &mut self,
        world: &W,
        environment: &Environment<'_>,
        update_level: impl FnMut(usize, &Vehicle) -> UpdateLevel,
    ) -> Result<(), BodyError> {
        self.begin_probe(environment.air);
        // Each has a wheel: more vehicles have no fewer.
        let some = self.vehicles.len().min(PART);
        let room = wheels_of(&self.vehicles[..some]).min(PART);
        self.rays.resize(room, GroundRay::BLANK);
        self.hits.resize(room, None);
        let probing = Probing {
            vehicles: &mut self.vehicles,
            ids: &self.ids,
            bodies: &mut self.bodies,
            update_levels: &mut self.update_levels,
            errors: &mut self.errors,
            surfaces: environment.surfaces,
        };
        let (rays, hits) = (&mut self.rays, &mut self.hits);
        probing.run(&WorldRef(world), update_level, rays, hits);
        self.chassis_of_each()
    }

    /// [`Fleet::probe`] on the caller's threads: `run` gets all vehicles as one [`Part`], splits it as desired, and
    /// runs each part, which reads its bodies and casts its rays, up to 64 at a time. The hits, and so the results, are
    /// those of one batch, to the bit. Vehicles in parts that are not run keep the ground that they know.
    ///
    /// # Errors
    /// As [`Fleet::probe`].
    pub fn probe_by<W: SceneQuery + RigidBodies + Sync + ?Sized>(
        &mut self,
        world: &W,
        environment: &Environment<'_>,
        update_level: impl Fn(usize, &Vehicle) -> UpdateLevel + Sync,
        run: impl FnOnce(Part<'_>),
    ) -> Result<(), BodyError> {
        self.begin_probe(environment.air);
        let left = AtomicUsize::new(self.vehicles.len());
        run(Part {
            first: 0,
            vehicles: &mut self.vehicles,
            bodies: &mut self.bodies,
            update_levels: &mut self.update_levels,
            errors: &mut self.errors,
            phase: FleetPhase::Probe(ProbePhase {
                world: &WorldRef(world),
                ids: &self.ids,
                surfaces: environment.surfaces,
                update_level: &update_level,
                left: &left,
            }),
        });
        if left.into_inner() > 0 {
            let (bodies, errors) = (&mut self.bodies, &mut self.errors);
            read(&WorldRef(world), &self.ids, bodies, errors);
        }
        self.chassis_of_each()
    }

    /// Sets the air, makes room for what a probe finds, and refuses vehicles on the body of another one.
    fn begin_probe(&mut self, air: Air) {
        let count = self.vehicles.len();
        for vehicle in &mut self.vehicles {
            vehicle.set_air(air);
        }
        self.errors.clear();
        self.errors.resize(count, None);
        self.ids.clear();
        self.ids.extend(self.vehicles.iter().map(Vehicle::body));
        self.bodies.resize(count, BodyState::BLANK);
        self.update_levels.clear();
        self.update_levels.resize(count, UpdateLevel::Full);
        self.refuse_shared();
        self.probed = true;
    }

    /// Whether each vehicle has a chassis of its own.
    fn chassis_of_each(&self) -> Result<(), BodyError> {
        let of_chassis = |error: &StepError| match error {
            StepError::Chassis(error) => Some(*error),
            _ => None,
        };
        let mut errors = self.errors.iter().flatten();
        errors.find_map(of_chassis).map_or(Ok(()), Err)
    }

    /// Refuses vehicles on the body of a vehicle before them.
    fn refuse_shared(&mut self) {
        let ids = &self.ids;
        // Those of most fleets are in order.
        if ids.is_sorted_by(|body, next| body < next) {
            return;
        }
        self.by_body.clear();
        self.by_body.extend((0..).take(ids.len()));
        self.by_body
            .sort_unstable_by_key(|&index| (ids[index as usize], index));
        for pair in self.by_body.windows(2) {
            let (body, n) = (ids[pair[0] as usize], pair[1] as usize);
            if body == ids[n] {
                self.errors[n] = Some(BodyError::Shared(body).into());
            }
        }
    }

    /// Sets the air around each vehicle between probe and update, instead of the environment's: `air` gets its index and the position of its
    /// center of mass (`m`, world) in the probe. This is how a field of wind, with gusts and lulls, reaches them:
    ///
    /// ```
    /// use vehicle_core::{Air, Fleet};
    /// use glam::{DVec3, Vec3};
    ///
    /// # let (mut fleet, time) = (Fleet::new(), 3.0_f32);
    /// // A wind of 5 m/s along x carries gusts of 8 m/s from the side, 60 m long.
    /// fleet.set_air(|_, position| {
    ///     let wind = Air { wind: Vec3::X * 5.0, ..Air::STILL };
    ///     wind.with_gust(Vec3::Y * 8.0, 5.0 * time - position.x as f32, 30.0)
    /// });
    /// ```
    pub fn set_air(&mut self, mut air: impl FnMut(usize, DVec3) -> Air) {
        for (n, vehicle) in self.vehicles.iter_mut().enumerate() {
            let position = self.bodies.get(n).map_or(DVec3::ZERO, |body| body.position);
            vehicle.set_air(air(n, position));
        }
    }

    /// Sets the gravity of each vehicle between probe and update ([`Vehicle::set_gravity`]): `gravity` gets its index and the
    /// position of its center of mass (`m`, world) in the probe. On a small planet it points to the center:
    ///
    /// ```
    /// use vehicle_core::Fleet;
    ///
    /// # let mut fleet = Fleet::new();
    /// fleet.set_gravity(|_, position| (position.normalize_or_zero() * -9.81).as_vec3());
    /// ```
    pub fn set_gravity(&mut self, mut gravity: impl FnMut(usize, DVec3) -> Vec3) {
        for (n, vehicle) in self.vehicles.iter_mut().enumerate() {
            let position = self.bodies.get(n).map_or(DVec3::ZERO, |body| body.position);
            vehicle.set_gravity(Some(gravity(n, position)));
        }
    }

    /// Updates all vehicles under the gravity of an environment, that of the probe, each with its command: a [`Command`], or the command of one kind of vehicles, such as a
    /// list of [`CarCommand`](crate::CarCommand)s, an eighth of the memory, if all are cars. A vehicle whose command is
    /// refused goes on with the last accepted one; the body of one whose step is [stopped](StepError::stops_step) is not
    /// changed.
    ///
    /// # Panics
    /// If there is not one command per vehicle, or there was no probe since vehicles were last added or
    /// removed.
    pub fn update<C>(&mut self, commands: &[C], environment: &Environment<'_>, dt: f32)
    where
        C: Into<Command> + Copy + Sync,
    {
        self.update_by(commands, environment, dt, |all| all.run());
    }

    /// [`Fleet::update`] on the caller's threads: `run` gets all vehicles as one [`Part`], splits it as
    /// desired, and runs each part. Vehicles in parts that are not run stay unchanged.
    ///
    /// # Panics
    /// As [`Fleet::update`].
    pub fn update_by<C>(
        &mut self,
        commands: &[C],
        environment: &Environment<'_>,
        dt: f32,
        run: impl FnOnce(Part<'_>),
    ) where
        C: Into<Command> + Copy + Sync,
    {
        let count = self.vehicles.len();
        assert_eq!(commands.len(), count, "one command per vehicle");
        assert!(self.probed, "probe comes first");
        self.results.clear();
        self.results.resize(count, StepResult::default());
        self.pushing.clear();
        self.pushing.resize(count, false);
        run(Part {
            first: 0,
            vehicles: &mut self.vehicles,
            bodies: &mut self.bodies,
            update_levels: &mut self.update_levels,
            errors: &mut self.errors,
            phase: FleetPhase::Update {
                command: &|n| commands[n].into(),
                results: &mut self.results,
                pushing: &mut self.pushing,
                gravity: environment.gravity,
                dt,
            },
        });
        self.reactions.clear();
        for (vehicle, &pushing) in self.vehicles.iter().zip(&self.pushing) {
            if pushing {
                self.reactions.extend(vehicle.reactions());
            }
        }
    }

    /// Applies all step results to the world.
    ///
    /// # Errors
    /// For the first vehicle whose chassis does not exist; the others' step results are applied.
    pub fn apply<W: RigidBodies + ?Sized>(&mut self, world: &mut W) -> Result<(), BodyError> {
        let (ids, results) = (&self.ids, &self.results);
        let (mut applied, mut from) = (Ok(()), 0);
        while from < ids.len() {
            // A second step result of a body would replace the first.
            let ahead = self.errors[from..].iter().position(is_shared);
            let end = ahead.map_or(ids.len(), |ahead| from + ahead);
            let these = without_lost(&ids[from..end], &mut self.errors[from..end], |these| {
                let these = from + these.start..from + these.end;
                world.apply(&ids[these.clone()], &results[these])
            });
            applied = applied.and(these);
            from = end + 1;
        }
        world.react(&self.reactions);
        applied
    }

    /// All three phases, with a probe for every vehicle.
    ///
    /// # Errors
    /// For the first vehicle without a chassis of its own; the others are stepped.
    ///
    /// # Panics
    /// As [`Fleet::update`].
    pub fn step<W, C>(
        &mut self,
        world: &mut W,
        commands: &[C],
        environment: &Environment<'_>,
        dt: f32,
    ) -> Result<(), BodyError>
    where
        W: SceneQuery + RigidBodies + ?Sized,
        C: Into<Command> + Copy + Sync,
    {
        let probed = self.probe(&*world, environment, |_, _| UpdateLevel::Full);
        self.update(commands, environment, dt);
        probed.and(self.apply(world))
    }
}

impl FromIterator<Vehicle> for Fleet {
    fn from_iter<I: IntoIterator<Item = Vehicle>>(vehicles: I) -> Self {
        Self {
            vehicles: vehicles.into_iter().collect(),
            ..Self::default()
        }
    }
}

/// Whether a vehicle was refused since its body is that of a vehicle before it.
fn is_shared(error: &Option<StepError>) -> bool {
    matches!(error, Some(StepError::Chassis(BodyError::Shared(_))))
}

/// Whether an error stops a vehicle's step.
fn stops(error: &Option<StepError>) -> bool {
    error.is_some_and(|error| error.stops_step())
}

/// Calls `serve` with ranges of `ids` until all are served but those that it finds lost, which are refused.
///
/// # Errors
/// For the first lost body.
fn without_lost(
    ids: &[BodyId],
    errors: &mut [Option<StepError>],
    mut serve: impl FnMut(Range<usize>) -> Result<(), BodyError>,
) -> Result<(), BodyError> {
    let (mut first, mut from) = (Ok(()), 0);
    while let Err(error) = serve(from..ids.len()) {
        first = first.and(Err(error));
        let Some(ahead) = ids[from..].iter().position(|id| *id == error.body()) else {
            break;
        };
        let lost = from + ahead;
        errors[lost] = Some(error.into());
        from = lost + 1;
    }
    first
}

#[cfg(test)]
mod tests;
