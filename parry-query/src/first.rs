//! Choice of the hit that blocks a sweep.

use glam::Vec3;
use vehicle_core::sweep_query::SweepHit;

/// The rule of [`SweepQuery::sweep_first`](vehicle_core::SweepQuery::sweep_first): the nearest hit
/// that is not an overlap; if there is none, the overlap whose normal points most against the
/// sweep. Ties go to the lower collider and triangle, so that the order of offers does not matter.
#[derive(Clone, Copy, Debug)]
pub struct First {
    direction: Vec3,
    best: Option<SweepHit>,
}

impl First {
    /// A choice without a hit yet, for a sweep along the unit `direction` (world axes).
    #[must_use]
    pub const fn new(direction: Vec3) -> Self {
        Self {
            direction,
            best: None,
        }
    }

    /// Keeps `hit` if it precedes the hits offered so far.
    pub fn offer(&mut self, hit: SweepHit) {
        if self.best.is_none_or(|best| self.goes_before(&hit, &best)) {
            self.best = Some(hit);
        }
    }

    /// The first of the offered hits.
    #[must_use]
    pub const fn take(self) -> Option<SweepHit> {
        self.best
    }

    fn goes_before(&self, hit: &SweepHit, best: &SweepHit) -> bool {
        let key = |hit: &SweepHit| {
            let overlaps = hit.ground.distance == 0.0;
            let rank = if overlaps {
                hit.ground.normal.dot(self.direction)
            } else {
                hit.ground.distance
            };
            let number = (hit.ground.collider, hit.ground.triangle);
            (overlaps, rank, number)
        };
        key(hit) < key(best)
    }
}
