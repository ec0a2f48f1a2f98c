//! Vehicles that are probed: their bodies are read, and the ground under them is looked for.

use core::ops::Range;

use crate::base::ids::BodyId;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::ground_triangles::GroundTriangles;
use crate::contracts::rigid_bodies::{BodyState, GroundMotion, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::contracts::sweep_query::SweepQuery;
use crate::exchange::step_error::{BodyError, StepError};
use crate::params::Probe;
use crate::params::surface::Surfaces;
use crate::vehicle::Vehicle;
use crate::vehicle::detail::UpdateLevel;
use crate::vehicle::fleet::without_lost;

/// Rays that vehicles cast at once: enough for a world to use them together, and few enough to stay in the cache.
pub(super) const PART: usize = 64;

/// Number of wheels of some vehicles.
pub(super) fn wheels_of(vehicles: &[Vehicle]) -> usize {
    vehicles.iter().map(|v| v.model().wheel_count()).sum()
}

/// A world as probes see it.
pub(in crate::vehicle) trait World {
    /// [`RigidBodies::read`].
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError>;
    /// [`SceneQuery::cast_rays`].
    fn cast(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]);
    /// [`SceneQuery::sweeps`].
    fn sweeps(&self) -> Option<&dyn SweepQuery>;
    /// [`SceneQuery::triangles`].
    fn triangles(&self) -> Option<&dyn GroundTriangles>;
    /// [`RigidBodies::ground_motion`].
    fn motion(&self, id: BodyId) -> Option<GroundMotion>;
}

/// A world that is only looked at.
pub(in crate::vehicle) struct WorldRef<'a, W: ?Sized>(pub(in crate::vehicle) &'a W);

impl<W: SceneQuery + RigidBodies + ?Sized> World for WorldRef<'_, W> {
    fn read(&self, ids: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        self.0.read(ids, out)
    }

    fn cast(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        self.0.cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        self.0.sweeps()
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        self.0.triangles()
    }

    fn motion(&self, id: BodyId) -> Option<GroundMotion> {
        self.0.ground_motion(id)
    }
}

/// Vehicles whose bodies are read, and that look for the ground.
pub(super) struct Probing<'a> {
    pub(super) vehicles: &'a mut [Vehicle],
    pub(super) ids: &'a [BodyId],
    pub(super) bodies: &'a mut [BodyState],
    pub(super) update_levels: &'a mut [UpdateLevel],
    pub(super) errors: &'a mut [Option<StepError>],
    pub(super) surfaces: &'a Surfaces,
}

impl Probing<'_> {
    /// Reads all bodies; then probes vehicles without rays one by one, and casts the rays of the others at once, as many as there is
    /// room for: at least those of one vehicle.
    pub(super) fn run(
        mut self,
        world: &dyn World,
        mut update_level: impl FnMut(usize, &Vehicle) -> UpdateLevel,
        rays: &mut [GroundRay],
        hits: &mut [Option<GroundHit>],
    ) {
        for (n, vehicle) in self.vehicles.iter().enumerate() {
            self.update_levels[n] = vehicle.required_level(update_level(n, vehicle));
        }
        read(world, self.ids, self.bodies, self.errors);
        let mut first = 0;
        while first < self.vehicles.len() {
            let (end, planned) = self.plan(first, world, rays);
            let (rays, hits) = (&rays[..planned], &mut hits[..planned]);
            hits.fill(None);
            world.cast(rays, hits);
            self.take(first..end, world, rays, hits);
            first = end;
        }
    }

    /// Plans the rays of vehicles from the `first` on while there is room, and probes the others one by one; returns
    /// which vehicle comes next, and the number of rays.
    fn plan(&mut self, first: usize, world: &dyn World, rays: &mut [GroundRay]) -> (usize, usize) {
        let mut planned = 0;
        for n in first..self.vehicles.len() {
            if self.update_levels[n] != UpdateLevel::Full || self.errors[n].is_some() {
                continue;
            }
            let vehicle = &mut self.vehicles[n];
            if !casts_rays(vehicle, world) {
                let probed = probe_alone(world, vehicle, &self.bodies[n], self.surfaces);
                self.errors[n] = probed.err();
                continue;
            }
            let end = planned + vehicle.model().wheel_count();
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
        world: &dyn World,
        rays: &[GroundRay],
        hits: &[Option<GroundHit>],
    ) {
        let mut taken = 0;
        for n in these {
            let vehicle = &mut self.vehicles[n];
            let probed = self.update_levels[n] == UpdateLevel::Full && self.errors[n].is_none();
            if !probed || !casts_rays(vehicle, world) {
                continue;
            }
            let own = taken..taken + vehicle.model().wheel_count();
            taken = own.end;
            let motion = |id| world.motion(id);
            let took = vehicle.take_hits(&rays[own.clone()], &hits[own], self.surfaces, motion);
            self.errors[n] = took.err();
            if self.errors[n].is_none() {
                let cast = &mut |rays: &[_], hits: &mut [_]| world.cast(rays, hits);
                vehicle.find_ground_edges(&self.bodies[n], self.surfaces, cast);
            }
        }
    }
}

/// Reads the bodies that there are; the vehicles of the others are refused.
pub(super) fn read(
    world: &dyn World,
    ids: &[BodyId],
    bodies: &mut [BodyState],
    errors: &mut [Option<StepError>],
) {
    // Lost vehicles have an entry in `errors`.
    let _ = without_lost(ids, errors, |these| {
        world.read(&ids[these.clone()], &mut bodies[these])
    });
}

/// Whether a vehicle is probed by rays in a world, together with others.
pub(in crate::vehicle) fn casts_rays(vehicle: &Vehicle, world: &dyn World) -> bool {
    match vehicle.model().params().probe {
        Probe::Ray => true,
        Probe::Sweep(_) | Probe::Sections => false,
        Probe::Auto => world.triangles().is_none(),
    }
}

/// Probes a vehicle with swept wheels, or with wheels that meet sections of the ground.
pub(in crate::vehicle) fn probe_alone(
    world: &dyn World,
    vehicle: &mut Vehicle,
    body: &BodyState,
    surfaces: &Surfaces,
) -> Result<(), StepError> {
    let motion = |id| world.motion(id);
    if vehicle.sweep_settings().is_some() {
        let query = world.sweeps().ok_or(StepError::NoSweeps)?;
        return vehicle.sweep(body, query, surfaces, motion);
    }
    let query = world.triangles().ok_or(StepError::NoTriangles)?;
    vehicle.meet_sections(body, query, surfaces, motion)
}
