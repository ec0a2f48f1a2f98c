//! The planes below PhysX's wheels, as a ground with a plane for each wheel.

use glam::{DVec3, Vec3};
use jounce::core::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use jounce::core::{ColliderId, GroundHit, GroundRay, MaterialId, scene_query::SceneQuery};

/// A plane that a wheel's query hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    /// Unit normal.
    pub(crate) normal: Vec3,
    /// A point of the plane (`m`).
    pub(crate) point: Vec3,
}

impl Plane {
    /// Intersection with a ray from `offset` relative to `anchor` along `direction`. PhysX has
    /// recorded the plane, so there is a hit, and not at the start.
    fn met(&self, anchor: DVec3, offset: Vec3, direction: Vec3) -> GroundHit {
        let normal = self.normal.as_dvec3();
        let start = anchor + offset.as_dvec3() - self.point.as_dvec3();
        let way = -start.dot(normal) / direction.as_dvec3().dot(normal);
        GroundHit {
            distance: (way as f32).max(f32::MIN_POSITIVE),
            normal: self.normal,
            material: MaterialId(0),
            body: None,
            collider: ColliderId(0),
            triangle: None,
        }
    }
}

/// One plane per wheel; `None` where PhysX recorded no hit. Queries come in the order of wheels.
#[derive(Debug)]
pub(super) struct Planes<'a> {
    pub(super) planes: &'a [Option<Plane>],
    /// Ways of direct sweeps (`m`); `None` where the wheel did not reach the ground.
    pub(super) ways: Option<Vec<Option<f32>>>,
}

impl Planes<'_> {
    fn sweep(&self, wheel: usize, sweep: &GroundSweep) -> Option<SweepHit> {
        let plane = self.planes[wheel]?;
        let lowest = sweep.offset + sweep.shape.lowest(plane.normal, sweep.axle);
        let ground = plane.met(sweep.anchor, lowest, sweep.direction);
        let Some(ways) = &self.ways else {
            let point = lowest + sweep.direction * ground.distance;
            return Some(SweepHit { ground, point });
        };
        let (distance, point) = (ways[wheel]?, plane.point.as_dvec3() - sweep.anchor);
        Some(SweepHit {
            ground: GroundHit { distance, ..ground },
            point: point.as_vec3(),
        })
    }
}

impl SceneQuery for Planes<'_> {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        for ((ray, plane), hit) in rays.iter().zip(self.planes).zip(hits) {
            *hit = plane.map(|plane| plane.met(ray.anchor, ray.offset, ray.direction));
        }
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        Some(self)
    }
}

impl SweepQuery for Planes<'_> {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        for (wheel, (sweep, hit)) in sweeps.iter().zip(hits).enumerate() {
            *hit = self.sweep(wheel, sweep);
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit)) {
        for (wheel, sweep) in sweeps.iter().enumerate() {
            if let Some(hit) = self.sweep(wheel, sweep) {
                found(wheel, hit);
            }
        }
    }
}
