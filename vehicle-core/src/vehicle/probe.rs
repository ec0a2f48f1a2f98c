//! The first phase: plans rays and sets ground planes.

use alloc::sync::Arc;

use glam::{DVec3, Vec3};

use super::{Refused, Vehicle};
use crate::MAX_WHEELS;
use crate::base::ids::BodyId;
use crate::base::lanes::{LANES, W4};
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay, QueryFilter};
use crate::contracts::rigid_bodies::{BodyState, GroundMotion};
use crate::exchange::state::WheelState;
use crate::params::surface::Surfaces;
use crate::stages::contact::{self, Contact};
use crate::vehicle::detail::Effort;

/// Extension of a ray along `direction` for a wheel that moves at `velocity` (`m/s`), so that the rows solver
/// sees a landing before it happens: the distance along the ray by which ground inclined up to 60° against it
/// approaches in a step of 1/20 s (`m`).
pub(super) fn look_ahead(velocity: Vec3, direction: Vec3) -> f32 {
    const TIME: f32 = 0.05;
    const STEEPEST: f32 = 1.732;
    let along = velocity.dot(direction);
    let across = velocity - direction * along;
    let sideways = math::sqrt(across.dot(across));
    TIME * (along + STEEPEST * sideways).max(0.0)
}

impl Vehicle {
    /// Writes one suspension ray per wheel, for a chassis at `body`. For vehicles with swept wheels, see
    /// [`Vehicle::sweep`].
    ///
    /// # Panics
    /// If `rays` has not one element per wheel.
    pub fn plan_rays(&self, body: &BodyState, rays: &mut [GroundRay]) {
        assert_eq!(rays.len(), self.kind.wheel_count(), "one ray per wheel");
        let matrix = math::matrix(body.rotation);
        let looks_ahead = self.kind.params().profile.rows().is_some();
        for (n, ray) in rays.iter_mut().enumerate() {
            let (k, lane) = (&self.kind.wheels()[n / LANES], n % LANES);
            let offset = matrix * k.ray_start.lane(lane);
            let direction = matrix * k.travel.lane(lane);
            let mut length = k.ray_length.lane(lane);
            if looks_ahead {
                let foot = offset + direction * length;
                let velocity = body.linear_velocity + body.angular_velocity.cross(foot);
                length += look_ahead(velocity, direction);
            }
            *ray = GroundRay {
                anchor: body.position,
                offset,
                direction,
                length,
                filter: self.wheel_filter(n),
            };
        }
    }

    /// Filter of wheel `wheel`; it hits nothing if the wheel is disabled.
    ///
    /// # Panics
    /// If there is no such wheel.
    #[must_use]
    pub fn wheel_filter(&self, wheel: usize) -> QueryFilter {
        let wheel = &self.kind.params().wheels[wheel];
        let layers = if wheel.enabled { wheel.layers } else { 0 };
        QueryFilter {
            layers: self.filter.layers & layers,
            ..self.filter
        }
    }

    /// Sets contacts from the hits of [`Vehicle::plan_rays`]; `motion` returns the motion of a hit body.
    ///
    /// # Errors
    /// If a hit is not finite; the vehicle then keeps its previous ground.
    ///
    /// # Panics
    /// If `rays` or `hits` have not one element per wheel.
    pub fn take_hits(
        &mut self,
        rays: &[GroundRay],
        hits: &[Option<GroundHit>],
        surfaces: &Surfaces,
        mut motion: impl FnMut(BodyId) -> Option<GroundMotion>,
    ) -> Result<(), Refused> {
        assert_eq!(rays.len(), self.contacts.len(), "one ray per wheel");
        assert_eq!(hits.len(), self.contacts.len(), "one answer per wheel");
        let kind = Arc::clone(&self.kind);
        let contact = |wheel: usize| {
            let hit = hits[wheel]?;
            let surface = surfaces.surface_type(hit.material);
            let friction = surfaces.friction(surface, kind.params().wheels[wheel].tire.kind);
            let contact = Contact {
                surface,
                ..Contact::new(&rays[wheel], hit, friction)
            };
            Some((contact, hit.body.and_then(&mut motion)))
        };
        self.take_contacts(rays[0].anchor, contact)
    }

    /// Sets contacts by the user instead of a probe: `contact(wheel)` for each wheel, with points relative to a
    /// center of mass at `position` (`m`, world), and the motion of its ground, if that can move.
    ///
    /// # Errors
    /// If a contact or a motion is not finite; the vehicle then keeps its previous ground.
    pub fn take_contacts(
        &mut self,
        position: DVec3,
        mut contact: impl FnMut(usize) -> Option<(Contact, Option<GroundMotion>)>,
    ) -> Result<(), Refused> {
        let wheels = self.contacts.len();
        let mut incoming = [None; MAX_WHEELS];
        let mut motions = [None; MAX_WHEELS];
        for wheel in 0..wheels {
            let Some((contact, motion)) = contact(wheel) else {
                continue;
            };
            let sound = |motion: &GroundMotion| motion.is_sound();
            if !(contact.is_finite() && motion.as_ref().is_none_or(sound)) {
                return Err(Refused::Contact { wheel });
            }
            (incoming[wheel], motions[wheel]) = (Some(contact), motion);
        }
        self.contacts.copy_from_slice(&incoming[..wheels]);
        self.state.move_to(position);
        for (g, wheels) in self.state.wheels.iter_mut().enumerate() {
            contact::store_planes(&self.contacts[g * LANES..], wheels);
        }
        self.ground
            .take(&self.contacts, &motions[..wheels], position);
        self.state.on_moving_ground = self.stands_on_moving_ground();
        self.probed = true;
        self.has_contacts = true;
        Ok(())
    }

    /// Whether the ground is known well enough for an update without a probe. It is not before the first probe,
    /// after a rest, for new wheels, and on a body that can move, whose motion is only known in the step of a
    /// probe.
    #[must_use]
    pub fn knows_ground(&self) -> bool {
        let pairs = self.state.wheels.iter().zip(self.kind.wheels().iter());
        let mut new = pairs.map(|(wheels, k)| {
            let normal = wheels.ground_normal;
            let blank = wheels.jounce.same(W4::splat(WheelState::UNKNOWN))
                & normal.dot(normal).same(W4::ZERO);
            k.enabled & blank
        });
        !self.state.on_moving_ground && !new.any(|wheels| wheels.any())
    }

    /// The effort of a step in which `asked` is requested: [`Effort::Full`] if the vehicle does not [know its
    /// ground](Self::knows_ground).
    #[must_use]
    pub fn least_effort(&self, asked: Effort) -> Effort {
        if asked == Effort::Full || self.knows_ground() {
            asked
        } else {
            Effort::Full
        }
    }

    /// Moves the ground planes to the body's present position; planes of an earlier step are fixed and have no
    /// material. Returns how far the body has moved since the probe or the last step (`m`, world axes).
    pub(super) fn follow(&mut self, body: &BodyState) -> Vec3 {
        let moved = (body.position - self.state.position).as_vec3();
        for wheels in self.state.wheels.iter_mut() {
            contact::move_planes(wheels, moved);
        }
        if !self.probed && self.has_contacts {
            self.forget_contacts();
        }
        self.state.move_to(body.position);
        moved
    }

    /// Forgets the contacts, but not the planes under the wheels.
    pub(super) fn forget_contacts(&mut self) {
        self.ground.forget();
        self.contacts.fill(None);
        self.has_contacts = false;
    }
}
