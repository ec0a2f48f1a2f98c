//! Rays and wheel sweeps against Box3D's shapes.
//!
//! A ray is Box3D's own. So is a sweep, of a wheel with corners; [`parry_query::sweep_contact`]
//! then finds where the round wheel meets the plane that was hit.

use boxddd::{
    BodyType, QueryFilter as BoxFilter, RayHit, ShapeCastInput, ShapeId, ShapeProxy, World,
};
use glam::{DVec3, Vec3};
use parry_query::{First, WheelSweep, reach, sweep_contact};
use vehicle_core::{
    BodyId, GroundHit, GroundRay, GroundSweep, MaterialId, QueryFilter, SceneQuery, SweepHit,
    SweepQuery,
};

use crate::Box3dLink;
use crate::convert::{from_position, from_vector, position, vector};

/// Length that sweeps have beyond the one asked for (`m`): Box3D's wheel of corners is that much smaller.
const SPARE: f32 = 0.02;

/// A read-only world: implements [`SceneQuery`].
#[derive(Clone, Copy, Debug)]
pub struct Box3dScene<'a> {
    pub(crate) link: &'a Box3dLink,
    pub(crate) world: &'a World,
}

/// A shape as a query needs to know it before it may hit it.
struct ShapeGround {
    /// Body of the shape, if it can move.
    body: Option<BodyId>,
}

impl<'a> Box3dScene<'a> {
    /// Borrows a world and its link.
    #[must_use]
    pub const fn new(link: &'a Box3dLink, world: &'a World) -> Self {
        Self { link, world }
    }

    /// The shape as ground, if it is for this filter.
    fn ground(&self, shape: ShapeId, filter: &QueryFilter) -> Option<ShapeGround> {
        if self.world.shape_sensor(shape).ok()? {
            return None;
        }
        let body = self.world.shape_body(shape).ok()?;
        let kind = self.world.body_type(body).ok()?;
        if kind == BodyType::Static {
            return Some(ShapeGround { body: None });
        }
        let id = self.link.body_id(body);
        let options = &self.link.options;
        let dynamic = kind == BodyType::Dynamic;
        let excluded = filter.ignore.contains(&Some(id))
            || (!options.drive_on_vehicles && self.link.is_chassis(id))
            || (dynamic && !(filter.dynamic_bodies && options.drive_on_dynamic));
        (!excluded).then_some(ShapeGround { body: Some(id) })
    }

    fn cast(&self, ray: &GroundRay) -> Option<GroundHit> {
        let far = reach(ray.length, ray.offset);
        let start = ray.anchor + ray.offset.as_dvec3();
        if !(start.is_finite() && ray.direction.is_finite() && far.is_finite()) || ray.length < 0.0
        {
            return None;
        }
        let way = vector(ray.direction * far);
        let hits = self.world.cast_ray(position(start), way, bits(&ray.filter));
        let answers = hits.ok()?.into_iter().filter_map(|hit| {
            let ground = self.ground(hit.shape_id, &ray.filter)?;
            let distance = (hit.fraction * far).min(ray.length);
            Some(self.hit(&hit, &ground, distance, ray.direction))
        });
        answers.min_by(|a, b| {
            (a.distance, a.collider)
                .partial_cmp(&(b.distance, b.collider))
                .unwrap_or(core::cmp::Ordering::Equal)
        })
    }

    fn hit(&self, hit: &RayHit, ground: &ShapeGround, distance: f32, direction: Vec3) -> GroundHit {
        let outwards = from_vector(hit.normal).normalize_or_zero();
        GroundHit {
            distance,
            // Zero where a ray starts inside a solid.
            normal: if outwards.dot(direction) < 0.0 {
                outwards
            } else {
                -direction
            },
            // The low 32 bits: truncation is intended.
            material: MaterialId(hit.user_material_id as u32),
            body: ground.body,
            collider: self.link.collider_id(hit.shape_id),
            triangle: u32::try_from(hit.triangle_index).ok(),
        }
    }

    /// Calls `found` with the hits of one sweep: one per shape.
    fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let Some(way) = WheelSweep::new(query, Vec3::ZERO) else {
            return;
        };
        let start = query.anchor + query.offset.as_dvec3();
        let Some(hits) = self.cast_wheel(query, &way, start, 0.0) else {
            return;
        };
        // Of what overlaps at the start Box3D knows no normal: come from farther away.
        let back = 2.0 * query.shape.radius;
        let behind = if hits.iter().any(|hit| hit.fraction == 0.0) {
            self.cast_wheel(query, &way, start, back)
                .unwrap_or_default()
        } else {
            Vec::new()
        };
        for hit in &hits {
            let overlaps = hit.fraction == 0.0;
            let same = |other: &&RayHit| other.shape_id == hit.shape_id && other.fraction > 0.0;
            let Some(hit) = (if overlaps {
                behind.iter().find(same)
            } else {
                Some(hit)
            }) else {
                continue;
            };
            let Some(ground) = self.ground(hit.shape_id, &query.filter) else {
                continue;
            };
            let point = (from_position(hit.point) - start).as_vec3();
            if let Some(exact) = sweep_contact(point, from_vector(hit.normal), &way) {
                let ground = self.hit(hit, &ground, exact.distance, query.direction);
                let mut answer = exact.answer(query, ground.material, ground.body, ground.collider);
                answer.ground.triangle = ground.triangle;
                found(answer);
            }
        }
    }

    /// Box3D's cast of the wheel from `back` (`m`) behind its start.
    fn cast_wheel(
        &self,
        query: &GroundSweep,
        way: &WheelSweep,
        start: DVec3,
        back: f32,
    ) -> Option<Vec<RayHit>> {
        let (corners, radius) = way.hull();
        let corners: Vec<_> = corners.into_iter().map(vector).collect();
        let proxy = ShapeProxy::new(corners, radius).ok()?;
        let direction = query.direction;
        let length = query.length + back + SPARE;
        let input = ShapeCastInput::new(proxy, vector(direction * length)).ok()?;
        let from = start - (direction * back).as_dvec3();
        self.world
            .cast_shape(position(from), input, bits(&query.filter))
            .ok()
    }
}

/// Layers as category bits.
fn bits(filter: &QueryFilter) -> BoxFilter {
    BoxFilter::new().mask_bits(filter.layers.into())
}

impl SceneQuery for Box3dScene<'_> {
    /// A ray that is not finite misses.
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        assert_eq!(rays.len(), hits.len(), "one slot per ray");
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.cast(ray);
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Box3dScene<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        assert_eq!(sweeps.len(), hits.len(), "one slot per sweep");
        for (query, hit) in sweeps.iter().zip(hits) {
            let mut first = First::new(query.direction);
            self.sweep(query, &mut |hit| first.offer(hit));
            *hit = first.take();
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        for (number, query) in sweeps.iter().enumerate() {
            self.sweep(query, &mut |hit| found(number, hit));
        }
    }
}
