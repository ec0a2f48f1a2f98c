//! The contract [`SceneQuery`]: where is the ground?

use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::ground_triangles::GroundTriangles;
use crate::contracts::sweep_query::SweepQuery;

/// Finds ground under wheels.
///
/// Implemented by backends, by analytic grounds, and for `&T`. Hits depend on world and rays only, not on the
/// order of the batch.
pub trait SceneQuery {
    /// Writes the nearest hit of `rays[i]` to `hits[i]`; a miss is `None`.
    ///
    /// * Only colliders that the ray's own [`QueryFilter`](crate::QueryFilter) admits are hit; sensors never are.
    /// * A hit at exactly `length` counts.
    /// * A ray that starts inside a solid is a hit at distance 0 with the normal `−direction`.
    /// * The normal has unit length and points against the ray.
    /// * The engine chooses one of several hits at the same distance; in the same world, always the same one.
    /// * An engine may or may not report hits of a mesh from behind: cars do not need them.
    ///
    /// # Panics
    /// If `rays.len() != hits.len()`.
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]);

    /// The world's sweeps, if it has any. By default there are none, and vehicles with swept wheels are refused
    /// instead of silently using rays.
    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        None
    }

    /// The triangles of the world's ground, if it tells them. By default it does not, and vehicles whose wheels meet
    /// sections of the ground are refused instead of silently using rays.
    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        None
    }
}

impl<T: SceneQuery + ?Sized> SceneQuery for &T {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        (**self).cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        (**self).sweeps()
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        (**self).triangles()
    }
}

impl<T: SceneQuery + ?Sized> SceneQuery for &mut T {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        (**self).cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        (**self).sweeps()
    }

    fn triangles(&self) -> Option<&dyn GroundTriangles> {
        (**self).triangles()
    }
}
