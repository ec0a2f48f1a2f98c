//! Fixed ground and platforms of the standalone world.

use glam::DVec3;
use vehicle_core::sweep_query::{GroundSweep, SweepHit};
use vehicle_core::{BodyId, ColliderId, GroundHit, GroundRay, GroundTriangle, TriangleQuery};

use crate::grounds::Grounds;
use crate::platform::Platform;

/// First id of platforms.
const PLATFORMS: u64 = 1 << 63;

/// Fixed ground and platforms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scenery {
    pub(crate) ground: Grounds,
    /// The world's origin in the ground's coordinates (`m`).
    pub(crate) origin: DVec3,
    /// Platforms by [`platform_index`].
    pub(crate) platforms: Vec<Platform>,
}

pub(crate) fn platform_id(index: usize) -> BodyId {
    BodyId(PLATFORMS + index as u64)
}

/// The index of a platform.
pub(crate) fn platform_index(id: BodyId) -> Option<usize> {
    usize::try_from(id.0.checked_sub(PLATFORMS)?).ok()
}

/// The collider of a platform's part: beyond those of any fixed ground.
fn platform_collider(index: usize, part: ColliderId) -> ColliderId {
    ColliderId(((index as u64 + 1) << 32) | part.0)
}

impl Scenery {
    /// The nearest hit of a ray; the fixed ground's if a platform is equally near.
    pub(crate) fn answer(&self, ray: &GroundRay) -> Option<GroundHit> {
        let fixed = self.ground.answer(&GroundRay {
            anchor: ray.anchor + self.origin,
            ..*ray
        });
        let platforms = self.platforms.iter().enumerate();
        platforms.fold(fixed, |nearest, (index, platform)| {
            let body = Some(platform_id(index));
            if ray.filter.ignore.contains(&body) {
                return nearest;
            }
            let hit = platform.answer(ray).map(|hit| GroundHit {
                body,
                collider: platform_collider(index, hit.collider),
                ..hit
            });
            match (nearest, hit) {
                (Some(nearest), Some(hit)) if hit.distance < nearest.distance => Some(hit),
                (nearest, hit) => nearest.or(hit),
            }
        })
    }

    /// Calls `found` with all hits of one sweep, the fixed ground's first.
    pub(crate) fn sweep(&self, query: &GroundSweep, found: &mut dyn FnMut(SweepHit)) {
        let shifted = GroundSweep {
            anchor: query.anchor + self.origin,
            ..*query
        };
        self.ground.sweep(&shifted, found);
        for (index, platform) in self.platforms.iter().enumerate() {
            let body = Some(platform_id(index));
            if query.filter.ignore.contains(&body) {
                continue;
            }
            platform.sweep(query, &mut |hit| {
                let ground = GroundHit {
                    body,
                    collider: platform_collider(index, hit.ground.collider),
                    ..hit.ground
                };
                found(SweepHit { ground, ..hit });
            });
        }
    }

    /// Calls `found` with the triangles of one query, those of the fixed ground first.
    pub(crate) fn tell_triangles(
        &self,
        query: &TriangleQuery,
        found: &mut dyn FnMut(&GroundTriangle),
    ) {
        let shifted = TriangleQuery {
            anchor: query.anchor + self.origin,
            ..*query
        };
        self.ground.tell_triangles(&shifted, found);
        for (index, platform) in self.platforms.iter().enumerate() {
            let body = Some(platform_id(index));
            if query.filter.ignore.contains(&body) {
                continue;
            }
            platform.tell_triangles(query, &mut |triangle| {
                found(&GroundTriangle {
                    body,
                    collider: platform_collider(index, triangle.collider),
                    ..*triangle
                });
            });
        }
    }

    /// The layers of the ground that was hit.
    pub(crate) fn layers(&self, hit: &GroundHit) -> u32 {
        let platform = hit.body.and_then(platform_index);
        let grounds = platform.map_or(&self.ground, |index| &self.platforms[index].grounds);
        let part = hit.collider.0 & u64::from(u32::MAX);
        grounds.0[part as usize].layers
    }
}
