//! The first phase: plans rays and sets ground planes.

use alloc::sync::Arc;

use glam::{DVec3, Vec3};

use super::{StepError, Vehicle};
use crate::MAX_WHEELS;
use crate::base::ids::BodyId;
use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay, QueryFilter};
use crate::contracts::rigid_bodies::{BodyState, GroundMotion};
use crate::exchange::state::WheelState;
use crate::params::surface::Surfaces;
use crate::stages::contact::{self, Contact, ProbedGround};
use crate::vehicle::detail::{Detail, UpdateLevel};
use crate::vehicle::ground_chord::time_ahead;

/// Whose contacts a vehicle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbeAge {
    /// There was no probe, or its contacts are no longer known.
    Forgotten,
    /// The contacts are those of a probe before the last update.
    Past,
    /// The contacts are those of a probe for the next update.
    Present,
}

impl ProbeAge {
    /// Whether the next update has a probe.
    #[inline]
    pub(super) fn is_present(self) -> bool {
        self == Self::Present
    }

    /// The update that the probe was for is done.
    #[inline]
    pub(super) fn end(&mut self) {
        if self.is_present() {
            *self = Self::Past;
        }
    }
}

impl Vehicle {
    /// Implements [`phases::plan_rays`](crate::phases::plan_rays).
    pub(crate) fn plan_rays(&self, body: &BodyState, rays: &mut [GroundRay]) {
        assert_eq!(rays.len(), self.model.wheel_count(), "one ray per wheel");
        let matrix = math::matrix(body.rotation);
        let looks_ahead = self.model.params().profile.rows().is_some();
        for (g, rays) in rays.chunks_mut(LANES).enumerate() {
            let k = &self.model.wheels()[g];
            let mut offset = k.ray_start.rotated(&matrix);
            let direction = k.travel.rotated(&matrix);
            let mut length = k.ray_length;
            if looks_ahead {
                let ahead = self.look_ahead(g, body, &matrix);
                offset = offset + ahead.displacement;
                length += ahead.extension;
            }
            for (lane, ray) in rays.iter_mut().enumerate() {
                *ray = GroundRay {
                    anchor: body.position,
                    offset: offset.lane(lane),
                    direction: direction.lane(lane),
                    length: length.lane(lane),
                    filter: self.wheel_filter(g * LANES + lane),
                };
            }
        }
    }

    /// Implements [`phases::wheel_filter`](crate::phases::wheel_filter).
    #[must_use]
    pub(crate) fn wheel_filter(&self, wheel: usize) -> QueryFilter {
        let wheel = &self.model.params().wheels[wheel];
        let layers = if wheel.enabled { wheel.layers } else { 0 };
        QueryFilter {
            layers: self.filter.layers & layers,
            ..self.filter
        }
    }

    /// Implements [`phases::take_hits`](crate::phases::take_hits).
    pub(crate) fn take_hits(
        &mut self,
        rays: &[GroundRay],
        hits: &[Option<GroundHit>],
        surfaces: &Surfaces,
        mut motion: impl FnMut(BodyId) -> Option<GroundMotion>,
    ) -> Result<(), StepError> {
        assert_eq!(rays.len(), self.contacts.len(), "one ray per wheel");
        assert_eq!(hits.len(), self.contacts.len(), "one answer per wheel");
        self.probe_result.met_sections = Some(false);
        let (model, position) = (Arc::clone(&self.model), rays[0].anchor);
        let (time, grip) = (time_ahead(&self.state, position), self.grip);
        self.take_contacts_ahead(position, time, |wheel| {
            let hit = hits[wheel]?;
            let surface = surfaces.surface_type(hit.material);
            let friction =
                grip * surfaces.friction(surface, model.params().wheels[wheel].tire.kind);
            let contact = Contact {
                surface,
                ..Contact::new(&rays[wheel], hit, friction)
            };
            Some((contact, hit.body.and_then(&mut motion)))
        })
    }

    /// Implements [`phases::take_contacts`](crate::phases::take_contacts).
    pub(crate) fn take_contacts(
        &mut self,
        position: DVec3,
        contact: impl FnMut(usize) -> Option<(Contact, Option<GroundMotion>)>,
    ) -> Result<(), StepError> {
        self.take_contacts_ahead(position, 0.0, contact)
    }

    /// Sets contacts as [`Vehicle::take_contacts`] does, found where the wheels will be in `time` (`s`); 0 if they were found
    /// where the wheels are.
    pub(super) fn take_contacts_ahead(
        &mut self,
        position: DVec3,
        time: f32,
        mut contact: impl FnMut(usize) -> Option<(Contact, Option<GroundMotion>)>,
    ) -> Result<(), StepError> {
        let mut motions = [None; MAX_WHEELS];
        let mut first = None;
        for (wheel, known) in self.contacts.iter_mut().enumerate() {
            *known = None;
            let Some((found, motion)) = contact(wheel) else {
                continue;
            };
            if found.is_finite() && motion.as_ref().is_none_or(GroundMotion::is_sound) {
                (*known, motions[wheel]) = (Some(found), motion);
            } else {
                first = first.or(Some(wheel));
            }
        }
        self.probe_times.look_ahead_by(time);
        for (g, ground) in self.probe_result.ground.iter_mut().enumerate() {
            *ground = ProbedGround::under(&self.contacts[g * LANES..]);
        }
        self.take_ground(position, &motions[..self.contacts.len()]);
        self.probe_result.needs_probe |= first.is_some();
        first.map_or(Ok(()), |wheel| Err(StepError::Contact { wheel }))
    }

    /// Takes contacts and planes as the ground, for a center of mass at `position` (`m`, world); `motions` are those of each
    /// wheel's ground, none if all of it is fixed.
    fn take_ground(&mut self, position: DVec3, motions: &[Option<GroundMotion>]) {
        self.ground.take(&self.contacts, motions, position);
        self.probe_result.position = position;
        self.probe_result.needs_probe = self.stands_on_moving_ground();
        self.probed = ProbeAge::Present;
    }

    /// Implements [`phases::knows_ground`](crate::phases::knows_ground).
    #[must_use]
    pub(crate) fn knows_ground(&self) -> bool {
        let result = self.probed.is_present().then_some(&self.probe_result);
        let needs_probe = result.map_or(self.state.needs_probe, |result| result.needs_probe);
        let pairs = self.state.wheels.iter().zip(self.model.wheels().iter());
        let mut new = pairs.enumerate().map(|(g, (wheels, k))| {
            let normal = result.map_or(wheels.ground_normal, |it| it.ground[g].planes.normal);
            let blank = wheels.jounce.same(W4::splat(WheelState::UNKNOWN))
                & normal.dot(normal).same(W4::ZERO);
            k.enabled & blank
        });
        !needs_probe && !new.any(|wheels| wheels.any())
    }

    /// The update level of step number `step` with a detail, for the vehicle at this `index`: that of [`Detail::update_level`], with
    /// fewer probes [while it sleeps](Detail::while_asleep), and at least the one that it [requires](crate::phases::required_level).
    #[must_use]
    pub fn update_level(&self, detail: Detail, step: u64, index: u64) -> UpdateLevel {
        let asleep = self.sleeps().then(|| detail.while_asleep());
        self.required_level(asleep.unwrap_or(detail).update_level(step, index))
    }

    /// Implements [`phases::required_level`](crate::phases::required_level).
    #[must_use]
    pub(crate) fn required_level(&self, asked: UpdateLevel) -> UpdateLevel {
        match asked {
            UpdateLevel::KnownGround | UpdateLevel::Extrapolated if !self.knows_ground() => {
                UpdateLevel::Full
            }
            UpdateLevel::Extrapolated if self.state.needs_update() => UpdateLevel::KnownGround,
            _ => asked,
        }
    }

    /// Moves the ground planes to the body's present position; planes of an earlier step are fixed and have no
    /// material. Returns how far the body has moved since the probe or the last step (`m`, world axes).
    #[inline(always)]
    pub(super) fn follow(&mut self, body: &BodyState) -> Vec3 {
        let moved = (body.position - self.state.position).as_vec3();
        let wheels = &mut self.state.wheels;
        wheels.each_mut(|_, wheels| contact::move_planes(wheels, moved));
        if self.probed == ProbeAge::Past {
            self.forget_contacts();
        }
        self.state.count_step(self.probed.is_present());
        self.state.move_by(moved, body.position);
        moved
    }

    /// Forgets the contacts, but not the planes under the wheels.
    pub(super) fn forget_contacts(&mut self) {
        self.ground.forget();
        self.contacts.fill(None);
        self.probed = ProbeAge::Forgotten;
    }
}
