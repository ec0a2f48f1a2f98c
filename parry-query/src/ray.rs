//! A few rays, one shape.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{FeatureId, HalfSpace, Shape, ShapeType, TypedShape};
use vehicle_core::math;

use crate::four::{FourHits, FourRays};
use crate::triangles::cast_on_triangles;

/// Whether a shape consists of triangles and so has no inside.
#[inline]
#[must_use]
pub fn is_surface(shape: &dyn Shape) -> bool {
    matches!(
        shape.shape_type(),
        ShapeType::TriMesh | ShapeType::HeightField
    )
}

/// The unit normal on the ray's side; `−direction` if the ray starts inside a solid (Parry's normal
/// is zero there).
#[must_use]
pub fn normal_against(hit: &RayIntersection, surface: bool, direction: Vec3) -> Vec3 {
    let normal = math::unit_or_zero(hit.normal);
    if normal == Vec3::ZERO || (hit.time_of_impact == 0.0 && !surface) {
        -direction
    } else if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}

/// The nearest hit of a ray on a shape with a pose, within `reach` (`m`), without gaps along the
/// grid lines of heightfields. The normal is on either side, see [`normal_against`]; the feature is not reported.
#[must_use]
pub fn cast_ray(shape: &dyn Shape, pose: &Pose, ray: &Ray, reach: f32) -> Option<RayIntersection> {
    let found = cast_rays(shape, pose, &FourRays::one(ray, reach));
    found.hit.lane(0).then(|| {
        let (distance, normal) = (found.distance.lane(0), found.normal.lane(0));
        RayIntersection::new(distance, normal, FeatureId::Unknown).with_subshape(found.triangle[0])
    })
}

/// The nearest hit of each ray, as [`cast_ray`] finds it: what several rays need of a shape is looked up once.
#[inline(always)]
pub(crate) fn cast_rays(shape: &dyn Shape, pose: &Pose, rays: &FourRays) -> FourHits {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => cast_on_triangles(mesh, pose, rays),
        TypedShape::HeightField(field) => cast_on_triangles(field, pose, rays),
        TypedShape::HalfSpace(HalfSpace { normal }) => {
            rays.on_half_space(pose.translation, pose.rotation * *normal)
        }
        _ => {
            let bounds = shape.compute_aabb(pose);
            let mut found = FourHits::NONE;
            for n in 0..rays.count {
                let (ray, within) = (rays.ray(n), rays.within.lane(n));
                if bounds.cast_local_ray(&ray, within, true).is_some()
                    && let Some(hit) = shape.cast_ray_and_get_normal(pose, &ray, within, true)
                {
                    found.set_ray(n, &hit);
                }
            }
            found
        }
    }
}
