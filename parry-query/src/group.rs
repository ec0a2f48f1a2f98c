//! Rays of one vehicle, answered together: what is near all of them is looked up once.

use glam::Vec3;
use vehicle_core::{GroundHit, GroundRay};

use crate::single::{from_anchor, reach};

/// Answers rays: those of one vehicle that are more than one from what is `near` them all, others, and those of a vehicle
/// for which that is `None`, each `alone`.
///
/// # Panics
/// If there is not one slot per ray.
pub fn cast_by_vehicle<N>(
    rays: &[GroundRay],
    hits: &mut [Option<GroundHit>],
    near: impl Fn(&[GroundRay]) -> Option<N>,
    on: impl Fn(&N, &GroundRay) -> Option<GroundHit>,
    alone: impl Fn(&GroundRay) -> Option<GroundHit>,
) {
    for (rays, hits) in by_vehicle(rays, hits) {
        let near = if rays.len() > 1 { near(rays) } else { None };
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = match &near {
                Some(near) => on(near, ray),
                None => alone(ray),
            };
        }
    }
}

/// Splits a batch into runs of rays from one anchor and with one filter, as each vehicle plans them, with their slots.
fn by_vehicle<'a>(
    rays: &'a [GroundRay],
    mut hits: &'a mut [Option<GroundHit>],
) -> impl Iterator<Item = (&'a [GroundRay], &'a mut [Option<GroundHit>])> {
    assert_eq!(rays.len(), hits.len(), "one slot per ray");
    let alike = |a: &GroundRay, b: &GroundRay| a.anchor == b.anchor && a.filter == b.filter;
    rays.chunk_by(alike).map(move |run| {
        let (own, later) = core::mem::take(&mut hits).split_at_mut(run.len());
        hits = later;
        (run, own)
    })
}

/// Lowest and highest corner of the box around rays (`m`, world); `None` if a number is not finite.
#[must_use]
pub fn bounds(rays: &[GroundRay]) -> Option<(Vec3, Vec3)> {
    let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
    for ray in rays {
        let start = from_anchor(ray.anchor, ray.offset);
        let end = start + ray.direction * reach(ray.length, start);
        if !(start.is_finite() && end.is_finite()) {
            return None;
        }
        low = low.min(start.min(end));
        high = high.max(start.max(end));
    }
    Some((low, high))
}

/// A few things near a vehicle, without allocation.
#[derive(Clone, Debug)]
pub struct Candidates<T> {
    things: [Option<T>; MOST],
    count: usize,
}

/// With more than these near one vehicle, a search per ray visits fewer.
const MOST: usize = 8;

impl<T> Default for Candidates<T> {
    fn default() -> Self {
        Self {
            things: core::array::from_fn(|_| None),
            count: 0,
        }
    }
}

impl<T> Candidates<T> {
    /// Adds a thing; returns whether there was room for it.
    pub fn push(&mut self, thing: T) -> bool {
        let room = self.things.get_mut(self.count);
        self.count += usize::from(room.is_some());
        room.map(|place| *place = Some(thing)).is_some()
    }

    /// All of them, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.things.iter().map_while(Option::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use vehicle_core::{BodyId, QueryFilter};

    fn ray(vehicle: u64, offset: Vec3) -> GroundRay {
        GroundRay {
            anchor: DVec3::new(100.0 * vehicle as f64, 0.0, 0.0),
            offset,
            direction: Vec3::NEG_Z,
            length: 2.0,
            filter: QueryFilter::except(BodyId(vehicle)),
        }
    }

    #[test]
    fn a_batch_splits_where_the_vehicle_or_its_filter_changes() {
        let deaf = |mut ray: GroundRay| {
            ray.filter.layers = 1;
            ray
        };
        let rays = [
            ray(1, Vec3::X),
            ray(1, Vec3::Y),
            deaf(ray(1, Vec3::Z)),
            ray(2, Vec3::X),
        ];
        let mut hits = [None; 4];
        let runs: Vec<_> = by_vehicle(&rays, &mut hits)
            .map(|(run, slots)| (run.len(), slots.len()))
            .collect();
        assert_eq!(runs, [(2, 2), (1, 1), (1, 1)]);
    }

    #[test]
    fn a_box_holds_its_rays() {
        let rays = [ray(1, Vec3::ONE), ray(1, Vec3::new(-1.0, 0.5, 0.0))];
        let (low, high) = bounds(&rays).unwrap();
        assert!(low.abs_diff_eq(Vec3::new(99.0, 0.5, -2.0), 1e-4), "{low}");
        assert!(high.abs_diff_eq(Vec3::new(101.0, 1.0, 1.0), 1e-4), "{high}");
        assert_eq!(bounds(&[ray(1, Vec3::NAN)]), None);
    }

    #[test]
    fn what_has_no_room_is_told() {
        let mut few = Candidates::default();
        let added = (0..MOST + 2).filter(|&n| few.push(n)).count();
        assert_eq!(added, MOST);
        assert_eq!(
            few.iter().copied().collect::<Vec<_>>(),
            (0..MOST).collect::<Vec<_>>()
        );
    }
}
