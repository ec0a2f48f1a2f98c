//! Shapes near a vehicle, and the nearest hit of its rays on them.

use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast as _, RayIntersection};
use parry3d::shape::Shape;
use vehicle_core::{ColliderId, GroundRay};

use crate::group::Candidates;
use crate::ray::{cast_ray, is_surface};
use crate::single::{from_anchor, reach};

/// A shape near a vehicle.
#[derive(Clone, Copy)]
pub struct NearShape<'a, T> {
    /// Its collider.
    pub id: ColliderId,
    /// What its engine wants to know about it.
    pub tag: T,
    shape: &'a dyn Shape,
    /// From the vehicle's anchor, so that shapes stay precise far from the origin.
    pose: Pose,
    /// Around it, from the same anchor.
    bounds: Aabb,
}

impl<T> core::fmt::Debug for NearShape<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("NearShape")
            .field("id", &self.id)
            .field("pose", &self.pose)
            .finish_non_exhaustive()
    }
}

impl<'a, T> NearShape<'a, T> {
    /// A shape with its pose relative to the vehicle's anchor.
    #[must_use]
    pub fn new(id: ColliderId, tag: T, shape: &'a dyn Shape, pose: Pose) -> Self {
        let bounds = shape.compute_aabb(&pose);
        Self {
            id,
            tag,
            shape,
            pose,
            bounds,
        }
    }

    /// Whether it consists of triangles and so has no inside.
    #[must_use]
    pub fn is_surface(&self) -> bool {
        is_surface(self.shape)
    }

    fn cast(&self, line: &Ray, within: f32) -> Option<RayIntersection> {
        self.bounds.cast_local_ray(line, within, true)?;
        cast_ray(self.shape, &self.pose, line, within)
    }
}

/// The nearest hit of a ray of the vehicle; of two equally near ones that on the lower collider.
#[must_use]
pub fn nearest<'c, 'a, T>(
    near: &'c Candidates<NearShape<'a, T>>,
    ray: &GroundRay,
) -> Option<(&'c NearShape<'a, T>, RayIntersection)> {
    let line = Ray::new(ray.offset, ray.direction);
    let mut within = reach(ray.length, from_anchor(ray.anchor, ray.offset));
    let mut best: Option<(&NearShape<'a, T>, RayIntersection)> = None;
    for shape in near.iter() {
        let Some(hit) = shape.cast(&line, within) else {
            continue;
        };
        let key =
            |shape: &NearShape<'a, T>, hit: &RayIntersection| (hit.time_of_impact, shape.id.0);
        if best.is_none_or(|(other, known)| key(shape, &hit) < key(other, &known)) {
            within = hit.time_of_impact;
            best = Some((shape, hit));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, Vec3};
    use parry3d::shape::Cuboid;
    use vehicle_core::{BodyId, QueryFilter};

    #[test]
    fn the_nearest_hit_wins_and_of_equal_ones_the_lower_collider() {
        let slab = Cuboid::new(Vec3::new(5.0, 5.0, 0.5));
        let at = |id, z| {
            NearShape::new(
                ColliderId(id),
                (),
                &slab,
                Pose::from_translation(Vec3::Z * z),
            )
        };
        let mut near = Candidates::default();
        for shape in [at(7, -3.0), at(9, -2.0), at(8, -2.0), at(1, 9.0)] {
            assert!(near.push(shape));
        }
        let ray = GroundRay {
            anchor: DVec3::new(1e5, 0.0, 0.0),
            offset: Vec3::ZERO,
            direction: Vec3::NEG_Z,
            length: 4.0,
            filter: QueryFilter::except(BodyId(0)),
        };
        let (shape, hit) = nearest(&near, &ray).expect("it looks down");
        assert_eq!((shape.id, hit.time_of_impact), (ColliderId(8), 1.5));
        let short = GroundRay { length: 1.0, ..ray };
        assert!(nearest(&near, &short).is_none());
    }
}
