//! One ray, one shape.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{HeightField, Shape, TypedShape};
use vehicle_core::math;

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
    match shape.as_typed_shape() {
        TypedShape::HeightField(field) => cast_heightfield(field, pose, ray, reach),
        _ => shape.cast_ray_and_get_normal(pose, ray, reach, true),
    }
}

/// A ray on a heightfield, without gaps along grid lines.
///
/// Parry chooses the cell by rounding and then checks only that cell, so a ray along a grid line
/// can miss both neighbors: a car that drives along one would fall through. After a miss the ray
/// is cast again, offset towards the middle of the field (so that it cannot leave it); the distance
/// is then measured along the original ray to the plane of the triangle found. Rays that hit at
/// first have no extra cost.
fn cast_heightfield(
    field: &HeightField,
    pose: &Pose,
    ray: &Ray,
    reach: f32,
) -> Option<RayIntersection> {
    let ray = ray.inverse_transform_by(pose);
    let hit = field
        .cast_local_ray_and_get_normal(&ray, reach, true)
        .or_else(|| {
            // One millimeter, or the single-precision resolution of a large field. Unequal in x and
            // z, to avoid running along a diagonal.
            let step = (2e-6 * field.scale().abs().max_element()).max(1e-3);
            let aside = Vec3::new(
                -step.copysign(ray.origin.x),
                0.0,
                -0.7 * step.copysign(ray.origin.z),
            );
            let moved = ray.translate_by(aside);
            let mut hit = field.cast_local_ray_and_get_normal(&moved, reach + step, true)?;
            hit.time_of_impact += hit.normal.dot(aside) / hit.normal.dot(ray.dir);
            (0.0..=reach).contains(&hit.time_of_impact).then_some(hit)
        })?;
    Some(hit.transform_by(pose))
}
