//! A few rays, one shape.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{FeatureId, HalfSpace, Shape, TypedShape};
use vehicle_core::math;

use crate::four::FourRays;
use crate::triangles::cast_on_triangles;

/// Whether a shape consists of triangles and so has no inside.
#[must_use]
pub fn is_surface(shape: &dyn Shape) -> bool {
    matches!(
        shape.as_typed_shape(),
        TypedShape::TriMesh(_) | TypedShape::HeightField(_)
    )
}

/// The unit normal on the ray's side; `−direction` if the ray starts inside a solid (Parry's normal
/// is zero there).
#[must_use]
pub fn normal_against(hit: &RayIntersection, surface: bool, direction: Vec3) -> Vec3 {
    against(math::unit_or_zero(hit.normal), hit, surface, direction)
}

/// The same, of the hit's unit `normal` (zero for that of a start inside a solid).
#[inline]
pub(crate) fn against(normal: Vec3, hit: &RayIntersection, surface: bool, direction: Vec3) -> Vec3 {
    if normal == Vec3::ZERO || (hit.time_of_impact == 0.0 && !surface) {
        -direction
    } else if normal.dot(direction) > 0.0 {
        -normal
    } else {
        normal
    }
}

/// The nearest hit of a ray on a shape with a pose, within `reach` (`m`), without gaps along the
/// grid lines of heightfields. The normal is on either side, see [`normal_against`].
#[must_use]
pub fn cast_ray(shape: &dyn Shape, pose: &Pose, ray: &Ray, reach: f32) -> Option<RayIntersection> {
    let mut nearest = None;
    cast_rays(shape, pose, &FourRays::one(ray, reach), |_, hit| {
        nearest = Some(hit);
    });
    nearest
}

/// Calls `found` with the number and the nearest hit of each ray that has one, as [`cast_ray`] finds it: what several
/// rays need of a shape is looked up once.
pub(crate) fn cast_rays(
    shape: &dyn Shape,
    pose: &Pose,
    rays: &FourRays,
    mut found: impl FnMut(usize, RayIntersection),
) {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => cast_on_triangles(mesh, pose, rays, found),
        TypedShape::HeightField(field) => cast_on_triangles(field, pose, rays, found),
        TypedShape::HalfSpace(HalfSpace { normal }) => {
            let normal = pose.rotation * *normal;
            let (distances, hit, inside) = rays.on_half_space(pose.translation, normal);
            for n in 0..rays.count {
                let (distance, normal) = if inside.lane(n) {
                    (0.0, Vec3::ZERO)
                } else if hit.lane(n) {
                    (distances.lane(n), normal)
                } else {
                    continue;
                };
                found(
                    n,
                    RayIntersection::new(distance, normal, FeatureId::Face(0)),
                );
            }
        }
        _ => {
            let bounds = shape.compute_aabb(pose);
            for n in 0..rays.count {
                let (ray, within) = (rays.ray(n), rays.within.lane(n));
                if bounds.cast_local_ray(&ray, within, true).is_some()
                    && let Some(hit) = shape.cast_ray_and_get_normal(pose, &ray, within, true)
                {
                    found(n, hit);
                }
            }
        }
    }
}
