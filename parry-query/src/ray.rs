//! A few rays, one shape.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{Shape, TypedShape};
use vehicle_core::math;

use crate::triangles::{Look, cast_on_triangles};

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
/// grid lines of heightfields.
#[must_use]
pub fn cast_ray(shape: &dyn Shape, pose: &Pose, ray: &Ray, reach: f32) -> Option<RayIntersection> {
    let look = Look {
        ray: *ray,
        within: reach,
    };
    let mut nearest = None;
    cast_rays(shape, pose, &[look], |_, hit| nearest = Some(hit));
    nearest
}

/// Calls `found` with the nearest hit of each ray that has one, as [`cast_ray`] finds it: what several rays need of a
/// shape is looked up once. Of triangles hit at the same distance, the one with the lowest number counts.
///
/// # Panics
/// If there are more than [`TOGETHER`](crate::triangles::TOGETHER).
pub(crate) fn cast_rays(
    shape: &dyn Shape,
    pose: &Pose,
    looks: &[Look],
    mut found: impl FnMut(usize, RayIntersection),
) {
    match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => cast_on_triangles(mesh, pose, looks, found),
        TypedShape::HeightField(field) => cast_on_triangles(field, pose, looks, found),
        TypedShape::HalfSpace(half_space) => {
            for (n, look) in looks.iter().enumerate() {
                half_space
                    .cast_ray_and_get_normal(pose, &look.ray, look.within, true)
                    .into_iter()
                    .for_each(|hit| found(n, hit));
            }
        }
        _ => {
            let bounds = shape.compute_aabb(pose);
            for (n, Look { ray, within }) in looks.iter().enumerate() {
                if bounds.cast_local_ray(ray, *within, true).is_some() {
                    shape
                        .cast_ray_and_get_normal(pose, ray, *within, true)
                        .into_iter()
                        .for_each(|hit| found(n, hit));
                }
            }
        }
    }
}
