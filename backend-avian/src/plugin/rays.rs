//! The rays of many vehicles as one batch.

use vehicle_core::{BodyState, GroundHit, GroundRay, Vehicle, phases};

/// Rays of vehicles that are asked of a world at once; it keeps its capacity. `K` says whose rays they
/// are.
#[derive(Clone, Debug)]
pub(super) struct RayBatch<K> {
    /// Whose, and where theirs end.
    vehicles: Vec<(K, usize)>,
    rays: Vec<GroundRay>,
    hits: Vec<Option<GroundHit>>,
}

impl<K> Default for RayBatch<K> {
    fn default() -> Self {
        Self {
            vehicles: Vec::new(),
            rays: Vec::new(),
            hits: Vec::new(),
        }
    }
}

impl<K: Copy> RayBatch<K> {
    /// Forgets all rays.
    pub(super) fn clear(&mut self) {
        self.vehicles.clear();
        self.rays.clear();
    }

    /// Adds the rays of a vehicle whose chassis is at `body`.
    pub(super) fn plan(&mut self, key: K, vehicle: &Vehicle, body: &BodyState) {
        let start = self.rays.len();
        let end = start + vehicle.model().wheel_count();
        self.vehicles.push((key, end));
        self.rays.resize(end, GroundRay::BLANK);
        phases::plan_rays(vehicle, body, &mut self.rays[start..]);
    }

    /// Asks for the ground under all of them; `cast` does as [`SceneQuery::cast_rays`], at once or in pieces.
    ///
    /// [`SceneQuery::cast_rays`]: vehicle_core::SceneQuery::cast_rays
    pub(super) fn cast(&mut self, cast: impl FnOnce(&[GroundRay], &mut [Option<GroundHit>])) {
        self.hits.clear();
        self.hits.resize(self.rays.len(), None);
        cast(&self.rays, &mut self.hits);
    }

    /// Keys, rays and hits of [`RayBatch::cast`] of each vehicle, in the order in which they were planned.
    pub(super) fn results(&self) -> impl Iterator<Item = (K, &[GroundRay], &[Option<GroundHit>])> {
        let mut start = 0;
        self.vehicles.iter().map(move |&(key, end)| {
            let range = start..end;
            start = end;
            (key, &self.rays[range.clone()], &self.hits[range])
        })
    }
}
