//! Parts of a fleet, to be probed or updated on several threads.

use core::fmt;
use core::ops::Range;

use glam::Vec3;

use crate::base::ids::BodyId;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::{BodyState, GroundMotion, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::contracts::sweep_query::SweepQuery;
use crate::exchange::command::Command;
use crate::exchange::outcome::Outcome;
use crate::exchange::refused::Refused;
use crate::params::surface::Surfaces;
use crate::solvers::rows::{self, group::GroupRows};
use crate::vehicle::Vehicle;
use crate::vehicle::detail::Effort;

/// Consecutive vehicles of a fleet to be probed or updated. Each vehicle is computed independently: results are
/// bitwise equal for any split, on any number of threads.
#[derive(Debug)]
pub struct Part<'a> {
    pub(super) vehicles: &'a mut [Vehicle],
    pub(super) bodies: &'a [BodyState],
    pub(super) efforts: &'a [Effort],
    pub(super) refused: &'a mut [Option<Refused>],
    pub(super) phase: FleetPhase<'a>,
}

/// What is to be done with the vehicles of a part.
pub(super) enum FleetPhase<'a> {
    /// Look for the ground.
    Probe {
        ground: &'a (dyn ProbedWorld + Sync),
        surfaces: &'a Surfaces,
    },
    /// Compute the step.
    Update {
        /// Of the vehicle with this place in the fleet.
        command: &'a (dyn Fn(usize) -> Command + Sync),
        /// Place of the first vehicle of the part.
        first: usize,
        outcomes: &'a mut [Outcome],
        /// Which vehicles are on ground that can move: only these push any.
        pushing: &'a mut [bool],
        gravity: Vec3,
        dt: f32,
    },
}

impl fmt::Debug for FleetPhase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Probe { .. } => "Probe",
            Self::Update { .. } => "Update",
        })
    }
}

impl<'a> FleetPhase<'a> {
    /// The phases of the first `at` vehicles, and of the others.
    fn split_at(self, at: usize) -> (Self, Self) {
        match self {
            Self::Probe { ground, surfaces } => (
                Self::Probe { ground, surfaces },
                Self::Probe { ground, surfaces },
            ),
            Self::Update {
                command,
                first,
                outcomes,
                pushing,
                gravity,
                dt,
            } => {
                let (outcomes, other_outcomes) = outcomes.split_at_mut(at);
                let (pushing, other_pushing) = pushing.split_at_mut(at);
                let with = |first, outcomes, pushing| Self::Update {
                    command,
                    first,
                    outcomes,
                    pushing,
                    gravity,
                    dt,
                };
                (
                    with(first, outcomes, pushing),
                    with(first + at, other_outcomes, other_pushing),
                )
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

    /// Whether there are no vehicles.
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
        let (refused, other_refused) = self.refused.split_at_mut(at);
        let (phase, other_phase) = self.phase.split_at(at);
        let first = Self {
            vehicles,
            bodies: &self.bodies[..at],
            efforts: &self.efforts[..at],
            refused,
            phase,
        };
        let others = Self {
            vehicles: other_vehicles,
            bodies: &self.bodies[at..],
            efforts: &self.efforts[at..],
            refused: other_refused,
            phase: other_phase,
        };
        (first, others)
    }

    /// Probes or updates its vehicles, except those already refused.
    pub fn run(self) {
        let Self {
            vehicles,
            bodies,
            efforts,
            refused,
            phase,
        } = self;
        match phase {
            FleetPhase::Probe { ground, surfaces } => Probing {
                vehicles,
                bodies,
                efforts,
                refused,
                surfaces,
            }
            .run(ground, &mut [GroundRay::BLANK; PART], &mut [None; PART]),
            FleetPhase::Update {
                command,
                first,
                outcomes,
                pushing,
                gravity,
                dt,
            } => {
                let groups = vehicles.iter().map(Vehicle::rows_groups).max();
                let updating = Updating {
                    vehicles,
                    bodies,
                    efforts,
                    refused,
                    outcomes,
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
    efforts: &'a [Effort],
    refused: &'a mut [Option<Refused>],
    outcomes: &'a mut [Outcome],
    pushing: &'a mut [bool],
    gravity: Vec3,
    dt: f32,
}

impl Updating<'_> {
    /// Updates all with one scratch memory for their `rows`.
    fn run(self, rows: &mut [GroupRows], command: impl Fn(usize) -> Command) {
        let (gravity, dt) = (self.gravity, self.dt);
        for (n, vehicle) in self.vehicles.iter_mut().enumerate() {
            if self.refused[n].is_some() {
                continue;
            }
            let body = &self.bodies[n];
            let result = match self.efforts[n] {
                Effort::Extrapolated => vehicle.extrapolate(body, gravity, dt),
                Effort::Full | Effort::KnownGround => {
                    vehicle.update_with(rows, body, &command(n), gravity, dt)
                }
            };
            match result {
                Ok(outcome) => {
                    self.outcomes[n] = outcome;
                    self.pushing[n] = vehicle.ground.moves();
                }
                Err(error) => self.refused[n] = Some(error),
            }
        }
    }
}

/// Rays that a part of a fleet casts at once: enough for a world to use them together, and few enough to stay in the
/// cache.
pub(super) const PART: usize = 64;

/// Number of wheels of some vehicles.
pub(super) fn wheels_of(vehicles: &[Vehicle]) -> usize {
    vehicles.iter().map(|v| v.kind().wheel_count()).sum()
}

/// A world as probes see it.
pub(super) trait ProbedWorld {
    /// [`SceneQuery::cast_rays`].
    fn cast(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]);
    /// [`SceneQuery::sweeps`].
    fn sweeps(&self) -> Option<&dyn SweepQuery>;
    /// [`RigidBodies::ground_motion`].
    fn motion(&self, id: BodyId) -> Option<GroundMotion>;
}

/// A world that is only looked at.
pub(super) struct SeenWorld<'a, W: ?Sized>(pub(super) &'a W);

impl<W: SceneQuery + RigidBodies + ?Sized> ProbedWorld for SeenWorld<'_, W> {
    fn cast(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.0.cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.0.sweeps()
    }

    fn motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.0.ground_motion(id)
    }
}

/// Vehicles that look for the ground.
pub(super) struct Probing<'a> {
    pub(super) vehicles: &'a mut [Vehicle],
    pub(super) bodies: &'a [BodyState],
    pub(super) efforts: &'a [Effort],
    pub(super) refused: &'a mut [Option<Refused>],
    pub(super) surfaces: &'a Surfaces,
}

impl Probing<'_> {
    /// Sweeps vehicle by vehicle, and casts the rays of the others at once, as many as there is room for: at least
    /// those of one vehicle.
    pub(super) fn run(
        mut self,
        ground: &dyn ProbedWorld,
        rays: &mut [GroundRay],
        hits: &mut [Option<GroundHit>],
    ) {
        let mut first = 0;
        while first < self.vehicles.len() {
            let (end, planned) = self.plan(first, ground, rays);
            let (rays, hits) = (&rays[..planned], &mut hits[..planned]);
            hits.fill(None);
            ground.cast(rays, hits);
            self.take(first..end, ground, rays, hits);
            first = end;
        }
    }

    /// Plans the rays of vehicles from the `first` on while there is room, and sweeps those with swept wheels; returns
    /// which vehicle comes next, and the number of rays.
    fn plan(
        &mut self,
        first: usize,
        ground: &dyn ProbedWorld,
        rays: &mut [GroundRay],
    ) -> (usize, usize) {
        let mut planned = 0;
        for n in first..self.vehicles.len() {
            if self.efforts[n] != Effort::Full || self.refused[n].is_some() {
                continue;
            }
            let vehicle = &mut self.vehicles[n];
            if vehicle.sweep_settings().is_some() {
                let swept = sweep(vehicle, ground, &self.bodies[n], self.surfaces);
                self.refused[n] = swept.err();
                continue;
            }
            let end = planned + vehicle.kind().wheel_count();
            if end > rays.len() {
                return (n, planned);
            }
            vehicle.plan_rays(&self.bodies[n], &mut rays[planned..end]);
            planned = end;
        }
        (self.vehicles.len(), planned)
    }

    /// Hands the hits to these vehicles.
    fn take(
        &mut self,
        these: Range<usize>,
        ground: &dyn ProbedWorld,
        rays: &[GroundRay],
        hits: &[Option<GroundHit>],
    ) {
        let mut taken = 0;
        for n in these {
            let vehicle = &mut self.vehicles[n];
            let swept = vehicle.sweep_settings().is_some();
            if self.efforts[n] != Effort::Full || self.refused[n].is_some() || swept {
                continue;
            }
            let own = taken..taken + vehicle.kind().wheel_count();
            taken = own.end;
            let motion = |id| ground.motion(id);
            let took = vehicle.take_hits(&rays[own.clone()], &hits[own], self.surfaces, motion);
            self.refused[n] = took.err();
        }
    }
}

/// Probes a vehicle with swept wheels.
pub(super) fn sweep(
    vehicle: &mut Vehicle,
    ground: &dyn ProbedWorld,
    body: &BodyState,
    surfaces: &Surfaces,
) -> Result<(), Refused> {
    let query = ground.sweeps().ok_or(Refused::NoSweeps)?;
    vehicle.sweep(body, query, surfaces, |id| ground.motion(id))
}
