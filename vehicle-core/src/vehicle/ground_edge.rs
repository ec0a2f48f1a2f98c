//! Edges at which the ground ends within a step: until then, its last part carries a wheel.
//!
//! Without them, the time between the axles of a car at the end of a ramp is known to whole steps only: a ski jump is left at
//! 30 Hz with a pitch rate up to 70 % off.

use glam::Mat3;

use super::Vehicle;
use crate::base::lanes::{LANES, Mask4, W4};
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::BodyState;
use crate::params::Probe;
use crate::params::surface::Surfaces;
use crate::stages::contact::{Contact, ProbedGround};

/// Number of bisections: an edge is found to 1/32 of a wheel's displacement.
const BISECTIONS: u32 = 5;

/// Asks a world where rays meet the ground, as [`SceneQuery::cast_rays`](crate::SceneQuery::cast_rays) does.
type CastRays<'a> = dyn FnMut(&[GroundRay], &mut [Option<GroundHit>]) + 'a;

/// The last ground before an edge.
struct LastGround {
    ray: GroundRay,
    hit: GroundHit,
    /// Parts of the wheel's displacement at which the ray found it, and at which it ends (–).
    fractions: [f32; 2],
}

impl Vehicle {
    /// Implements [`phases::find_ground_edges`](crate::phases::find_ground_edges).
    pub(crate) fn find_ground_edges(
        &mut self,
        body: &BodyState,
        surfaces: &Surfaces,
        cast: &mut CastRays<'_>,
    ) {
        let casts_rays = self.probe() == Probe::Ray;
        if !self.probe_times.looks_ahead() || !casts_rays || self.ground.moves() {
            return;
        }
        for g in 0..self.state.wheels.len() {
            for lane in self.without_ground(g).lanes() {
                let wheel = g * LANES + lane;
                if let Some(last) = self.last_ground(wheel, body, cast) {
                    self.stand_until(wheel, &last, surfaces);
                }
            }
        }
    }

    /// Wheels of group `g` that were carried in the last step, and are out of reach of the ground of the last probe.
    #[inline]
    fn without_ground(&self, g: usize) -> Mask4 {
        let contacts = &self.contacts[g * LANES..];
        let distance = |lane: usize| Some(contacts.get(lane)?.as_ref()?.hit.distance);
        let distances = W4::from_fn(|lane| distance(lane).unwrap_or_default());
        let carried = self.state.wheels[g].normal_force.gt(W4::ZERO);
        carried & !(distances.gt(W4::ZERO) & distances.le(self.contact_depth(g)))
    }

    /// Largest distance from the starts of the rays at which the ground carries the wheels of group `g` (`m`).
    fn contact_depth(&self, g: usize) -> W4 {
        let k = &self.model.wheels()[g];
        k.rest_distance + k.max_droop
    }

    /// The last ground under a wheel as it moves to where the last probe looked, by bisection; `None` if there is none.
    fn last_ground(
        &self,
        wheel: usize,
        body: &BodyState,
        cast: &mut CastRays<'_>,
    ) -> Option<LastGround> {
        let (k, lane) = (&self.model.wheels()[wheel / LANES], wheel % LANES);
        let matrix: Mat3 = math::matrix(body.rotation);
        let normal = self.state.wheels[wheel / LANES].ground_normal;
        let displacement = self
            .probed_displacement(wheel / LANES, normal, body, &matrix)
            .lane(lane);
        let start = k.ray_start.rotated(&matrix).lane(lane);
        let reach = self.contact_depth(wheel / LANES).lane(lane);
        let (mut from, mut to, mut last) = (0.0, 1.0, None);
        for _ in 0..BISECTIONS {
            let fraction = 0.5 * (from + to);
            let ray = GroundRay {
                anchor: body.position,
                offset: start + displacement * fraction,
                direction: k.travel.rotated(&matrix).lane(lane),
                length: k.ray_length.lane(lane),
                filter: self.wheel_filter(wheel),
            };
            let mut hits = [None];
            cast(&[ray], &mut hits);
            let carries =
                |hit: &GroundHit| hit.body.is_none() && hit.distance > 0.0 && hit.distance <= reach;
            match hits[0].filter(carries) {
                Some(hit) => (from, last) = (fraction, Some((ray, hit))),
                None => to = fraction,
            }
        }
        let (ray, hit) = last?;
        Some(LastGround {
            ray,
            hit,
            fractions: [from, 0.5 * (from + to)],
        })
    }

    /// Lets a wheel stand on the last ground until that ends.
    fn stand_until(&mut self, wheel: usize, last: &LastGround, surfaces: &Surfaces) {
        let g = wheel / LANES;
        let surface = surfaces.surface_type(last.hit.material);
        let tire = self.model.params().wheels[wheel].tire.kind;
        let friction = self.grip * surfaces.friction(surface, tire);
        let contact = Contact {
            surface,
            ..Contact::new(&last.ray, last.hit, friction)
        };
        if !contact.is_finite() {
            return;
        }
        self.contacts[wheel] = Some(contact);
        self.probe_result.ground[g] = ProbedGround::under(&self.contacts[g * LANES..]);
        self.probe_result.needs_probe = true;
        self.probe_times.end(wheel, last.fractions);
    }
}
