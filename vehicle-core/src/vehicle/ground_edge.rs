//! Edges at which the ground ends within a step: until then, its last part carries a wheel.

use glam::Mat3;

use super::Vehicle;
use crate::base::lanes::LANES;
use crate::base::math;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::BodyState;
use crate::params::surface::Surfaces;
use crate::stages::contact::Contact;

/// Number of bisections: an edge is found to 1/32 of a wheel's displacement.
const BISECTIONS: u32 = 5;

/// Asks a world where rays meet the ground, as [`SceneQuery::cast_rays`](crate::SceneQuery::cast_rays) does.
type CastRays<'a> = dyn FnMut(&[GroundRay], &mut [Option<GroundHit>]) + 'a;

/// The last ground before an edge.
struct LastGround {
    ray: GroundRay,
    hit: GroundHit,
    /// Parts of the wheel's displacement at which the ray found it, and at which it ends (–).
    shares: [f32; 2],
}

impl Vehicle {
    /// Finds where the ground ends under wheels that it carried so far and that lose it within the next step: at the edge of a
    /// ramp, a wheel is carried up to the edge. Call it after [`Vehicle::take_hits`], with the same `body` and surfaces. `cast`
    /// casts a ray; it is called for such wheels only, five times each.
    ///
    /// Without this call, such a wheel has no ground from the start of the step on. Swept wheels, and wheels on bodies that can
    /// move, have no edges.
    pub fn find_ground_edges(
        &mut self,
        body: &BodyState,
        surfaces: &Surfaces,
        cast: &mut CastRays<'_>,
    ) {
        if !self.previous.looks_ahead() || self.sweep_settings().is_some() || self.ground.moves() {
            return;
        }
        for wheel in 0..self.contacts.len() {
            if self.loses_ground(wheel)
                && let Some(last) = self.last_ground(wheel, body, cast)
            {
                self.stand_until(wheel, &last, surfaces);
            }
        }
    }

    /// Whether a wheel was carried in the last step, and the ground of the last probe is out of its reach.
    fn loses_ground(&self, wheel: usize) -> bool {
        let hit = self.contacts[wheel].as_ref().map(|contact| contact.hit);
        let force = self.state.wheels[wheel / LANES].normal_force;
        force.lane(wheel % LANES) > 0.0 && !self.is_in_reach(wheel, hit.as_ref())
    }

    /// Whether a wheel can stand where its ray met the ground.
    fn is_in_reach(&self, wheel: usize, hit: Option<&GroundHit>) -> bool {
        let (k, lane) = (&self.kind.wheels()[wheel / LANES], wheel % LANES);
        let farthest = (k.rest_distance + k.max_droop).lane(lane);
        hit.is_some_and(|hit| hit.distance > 0.0 && hit.distance <= farthest)
    }

    /// The last ground under a wheel as it moves to where the last probe looked, by bisection; `None` if there is none.
    fn last_ground(
        &self,
        wheel: usize,
        body: &BodyState,
        cast: &mut CastRays<'_>,
    ) -> Option<LastGround> {
        let (k, lane) = (&self.kind.wheels()[wheel / LANES], wheel % LANES);
        let matrix: Mat3 = math::matrix(body.rotation);
        let displacement = self
            .probed_displacement(wheel / LANES, body, &matrix)
            .lane(lane);
        let start = k.ray_start.rotated(&matrix).lane(lane);
        let (mut from, mut to, mut last) = (0.0, 1.0, None);
        for _ in 0..BISECTIONS {
            let share = 0.5 * (from + to);
            let ray = GroundRay {
                anchor: body.position,
                offset: start + displacement * share,
                direction: k.travel.rotated(&matrix).lane(lane),
                length: k.ray_length.lane(lane),
                filter: self.wheel_filter(wheel),
            };
            let mut hits = [None];
            cast(&[ray], &mut hits);
            let fixed = |hit: &GroundHit| hit.body.is_none();
            match hits[0].filter(|hit| fixed(hit) && self.is_in_reach(wheel, Some(hit))) {
                Some(hit) => (from, last) = (share, Some((ray, hit))),
                None => to = share,
            }
        }
        let (ray, hit) = last?;
        Some(LastGround {
            ray,
            hit,
            shares: [from, 0.5 * (from + to)],
        })
    }

    /// Lets a wheel stand on the last ground until that ends.
    fn stand_until(&mut self, wheel: usize, last: &LastGround, surfaces: &Surfaces) {
        let (g, lane) = (wheel / LANES, wheel % LANES);
        let surface = surfaces.surface_type(last.hit.material);
        let friction = surfaces.friction(surface, self.kind.params().wheels[wheel].tire.kind);
        let contact = Contact {
            surface,
            ..Contact::new(&last.ray, last.hit, friction)
        };
        if !contact.is_finite() {
            return;
        }
        self.contacts[wheel] = Some(contact);
        contact.store(lane, &mut self.state.wheels[g]);
        self.previous.end(wheel, last.shares);
    }
}
