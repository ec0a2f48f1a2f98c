//! The contract [`SceneQuery`]: where is the ground?

use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::sweep_query::SweepQuery;

/// Finds ground under wheels.
///
/// Implemented by backends, by analytic grounds, and for `&T`. Hits depend on world and rays only, not on the
/// order of the batch.
pub trait SceneQuery {
    /// Writes the nearest hit of `rays[i]` to `hits[i]`; a miss is `None`.
    ///
    /// * Only what the ray's own [`QueryFilter`](crate::QueryFilter) admits is hit; sensors never are.
    /// * A hit at exactly `length` counts.
    /// * A ray that starts inside a solid is a hit at distance 0 with the normal `−direction`.
    /// * The normal has unit length and points against the ray.
    /// * Of hits at the same distance, the engine chooses; in the same world, always the same one.
    /// * Whether a mesh is hit from behind, too, is the engine's own: cars do not need it.
    ///
    /// # Panics
    /// If `rays.len() != hits.len()`.
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]);

    /// The world's sweeps, if it has any. By default there are none, and vehicles with swept wheels are refused
    /// instead of silently using rays.
    fn sweeps(&self) -> Option<&dyn SweepQuery> {
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
}

impl<T: SceneQuery + ?Sized> SceneQuery for &mut T {
    fn cast_rays(&self, rays: &[GroundRay], hits: &mut [Option<GroundHit>]) {
        (**self).cast_rays(rays, hits);
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        (**self).sweeps()
    }
}
