//! Parts of a fleet, to be probed or updated on several threads.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3;

use crate::base::ids::BodyId;
use crate::contracts::ground::GroundRay;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::command::Command;
use crate::exchange::step_error::StepError;
use crate::exchange::step_result::StepResult;
use crate::params::surface::Surfaces;
use crate::solvers::rows::{self, group::GroupRows};
use crate::vehicle::Vehicle;
use crate::vehicle::detail::UpdateLevel;
use crate::vehicle::fleet::probing::{PART, Probing, World};
use crate::vehicle::fleet::stops;

/// Consecutive vehicles of a fleet to be probed or updated. Each vehicle is computed independently: results are
/// bitwise equal for any split, on any number of threads.
#[derive(Debug)]
pub struct Part<'a> {
    /// Place of the first vehicle in the fleet.
    pub(super) first: usize,
    pub(super) vehicles: &'a mut [Vehicle],
    pub(super) bodies: &'a mut [BodyState],
    pub(super) update_levels: &'a mut [UpdateLevel],
    pub(super) errors: &'a mut [Option<StepError>],
    pub(super) phase: FleetPhase<'a>,
}

/// Read the bodies, and look for the ground.
#[derive(Clone, Copy)]
pub(super) struct ProbePhase<'a> {
    pub(super) world: &'a (dyn World + Sync),
    pub(super) ids: &'a [BodyId],
    pub(super) surfaces: &'a Surfaces,
    pub(super) update_level: &'a (dyn Fn(usize, &Vehicle) -> UpdateLevel + Sync),
    /// Number of vehicles in parts that have not been run.
    pub(super) left: &'a AtomicUsize,
}

/// Task for the vehicles of a part.
pub(super) enum FleetPhase<'a> {
    Probe(ProbePhase<'a>),
    /// Compute the step.
    Update {
        /// Command of the vehicle with this index in the fleet.
        command: &'a (dyn Fn(usize) -> Command + Sync),
        results: &'a mut [StepResult],
        /// Vehicles on ground that can move: only these push any.
        pushing: &'a mut [bool],
        gravity: Vec3,
        dt: f32,
    },
}

impl fmt::Debug for FleetPhase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Probe(_) => "Probe",
            Self::Update { .. } => "Update",
        })
    }
}

impl<'a> FleetPhase<'a> {
    /// The phases of the first `at` vehicles, and of the others.
    fn split_at(self, at: usize) -> (Self, Self) {
        match self {
            Self::Probe(phase) => {
                let (ids, other_ids) = phase.ids.split_at(at);
                let with = |ids| Self::Probe(ProbePhase { ids, ..phase });
                (with(ids), with(other_ids))
            }
            Self::Update {
                command,
                results,
                pushing,
                gravity,
                dt,
            } => {
                let (results, other_results) = results.split_at_mut(at);
                let (pushing, other_pushing) = pushing.split_at_mut(at);
                let with = |results, pushing| Self::Update {
                    command,
                    results,
                    pushing,
                    gravity,
                    dt,
                };
                (with(results, pushing), with(other_results, other_pushing))
            }
        }
    }
}

impl Part<'_> {
    /// Number of vehicles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vehicles.len()
    }

    /// Whether the part has no vehicles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vehicles.is_empty()
    }

    /// The first `at` vehicles, and the others.
    ///
    /// # Panics
    /// If there are fewer vehicles.
    #[must_use]
    pub fn split_at(self, at: usize) -> (Self, Self) {
        let (vehicles, other_vehicles) = self.vehicles.split_at_mut(at);
        let (bodies, other_bodies) = self.bodies.split_at_mut(at);
        let (update_levels, other_efforts) = self.update_levels.split_at_mut(at);
        let (errors, other_refused) = self.errors.split_at_mut(at);
        let (phase, other_phase) = self.phase.split_at(at);
        let first = Self {
            first: self.first,
            vehicles,
            bodies,
            update_levels,
            errors,
            phase,
        };
        let others = Self {
            first: self.first + at,
            vehicles: other_vehicles,
            bodies: other_bodies,
            update_levels: other_efforts,
            errors: other_refused,
            phase: other_phase,
        };
        (first, others)
    }

    /// Probes or updates its vehicles, except those whose step an error stops.
    pub fn run(self) {
        let Self {
            first,
            vehicles,
            bodies,
            update_levels,
            errors,
            phase,
        } = self;
        match phase {
            FleetPhase::Probe(phase) => {
                phase.left.fetch_sub(vehicles.len(), Ordering::Relaxed);
                let probing = Probing {
                    vehicles,
                    ids: phase.ids,
                    bodies,
                    update_levels,
                    errors,
                    surfaces: phase.surfaces,
                };
                let update_level = |n, vehicle: &Vehicle| (phase.update_level)(first + n, vehicle);
                let (rays, hits) = (&mut [GroundRay::BLANK; PART], &mut [None; PART]);
                probing.run(phase.world, update_level, rays, hits);
            }
            FleetPhase::Update {
                command,
                results,
                pushing,
                gravity,
                dt,
            } => {
                let groups = vehicles.iter().map(Vehicle::rows_groups).max();
                let updating = Updating {
                    vehicles,
                    bodies,
                    update_levels,
                    errors,
                    results,
                    pushing,
                    gravity,
                    dt,
                };
                rows::with_scratch(groups.unwrap_or(0), |rows| {
                    updating.run(rows, |n| command(first + n));
                });
            }
        }
    }
}

/// Vehicles that compute a step.
struct Updating<'a> {
    vehicles: &'a mut [Vehicle],
    bodies: &'a [BodyState],
    update_levels: &'a [UpdateLevel],
    errors: &'a mut [Option<StepError>],
    results: &'a mut [StepResult],
    pushing: &'a mut [bool],
    gravity: Vec3,
    dt: f32,
}

impl Updating<'_> {
    /// Updates all with one scratch memory for their `rows`.
    fn run(self, rows: &mut [GroupRows], command: impl Fn(usize) -> Command) {
        let (gravity, dt) = (self.gravity, self.dt);
        for (n, vehicle) in self.vehicles.iter_mut().enumerate() {
            if stops(&self.errors[n]) {
                continue;
            }
            let body = &self.bodies[n];
            let result = match self.update_levels[n] {
                UpdateLevel::Extrapolated => vehicle.extrapolate(body, gravity, dt),
                UpdateLevel::Full | UpdateLevel::KnownGround => {
                    vehicle.update_with(rows, body, &command(n), gravity, dt)
                }
            };
            match result {
                Ok(result) => {
                    self.results[n] = result;
                    self.pushing[n] = vehicle.ground.moves();
                    self.errors[n] = self.errors[n].or(vehicle.input_error);
                }
                Err(error) => self.errors[n] = Some(error),
            }
        }
    }
}
