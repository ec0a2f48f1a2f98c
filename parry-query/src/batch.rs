//! Batches of rays: those of a vehicle are answered together, and what is near four vehicles is looked up at once.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::Bvh;
use vehicle_core::lanes::LANES;
use vehicle_core::{GroundHit, GroundRay};

use crate::four::FourBoxes;
use crate::group::{RayGroup, VehicleRays};
use crate::tree::{leaves_near, leaves_near_four};

/// Number of colliders near one vehicle, ground or not, above which a search per ray visits fewer.
const MOST_NEAR: usize = 64;

/// Answers rays: those of one vehicle `together`, four vehicles at a time; others, and those of a vehicle that
/// [gives up](RayGroup::give_up), each `alone`.
///
/// # Panics
/// If there is not one slot per ray.
pub fn cast_by_vehicle(
    rays: &[GroundRay],
    hits: &mut [Option<GroundHit>],
    together: impl Fn(&mut RayGroups<'_>),
    alone: impl Fn(&GroundRay) -> Option<GroundHit>,
) {
    hits.fill(None);
    let mut runs = by_vehicle(rays, hits);
    let mut groups = RayGroups([None, None, None, None]);
    loop {
        for group in &mut groups.0 {
            *group = runs.next().map(RayGroup::of);
        }
        if groups.0[0].is_none() {
            return;
        }
        together(&mut groups);
        let groups = groups.0.iter_mut().flatten();
        groups
            .filter(|group| group.gave_up())
            .for_each(|group| group.answer(&alone));
    }
}

/// Splits a batch into runs of up to four rays from one anchor and with one filter, as each vehicle plans them, with
/// their slots.
fn by_vehicle<'a>(
    mut rays: &'a [GroundRay],
    mut hits: &'a mut [Option<GroundHit>],
) -> impl Iterator<Item = VehicleRays<'a>> {
    assert_eq!(rays.len(), hits.len(), "one slot per ray");
    core::iter::from_fn(move || {
        let (first, others) = rays.split_first()?;
        let alike = |ray: &&GroundRay| ray.anchor == first.anchor && ray.filter == first.filter;
        let count = 1 + others.iter().take(LANES - 1).take_while(alike).count();
        let (run, own);
        (run, rays) = rays.split_at(count);
        (own, hits) = core::mem::take(&mut hits).split_at_mut(count);
        Some((run, own))
    })
}

/// The rays of up to four vehicles, of which those that come one after the other in a batch are often near each other.
#[derive(Debug)]
pub struct RayGroups<'a>([Option<RayGroup<'a>>; LANES]);

impl<'a> RayGroups<'a> {
    /// The rays of each vehicle that has not given up.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut RayGroup<'a>> {
        let groups = self.0.iter_mut().flatten();
        groups.filter(|group| !group.gave_up())
    }

    /// Calls `visit` with each leaf of a tree and each vehicle whose boxes touch. Those with very many leaves near them
    /// give up.
    pub fn visit_near(&mut self, tree: &Bvh, visit: impl Fn(u32, &mut RayGroup<'a>)) {
        let mut room = [(0, 0); MOST_NEAR];
        let together = self.0[1].is_some();
        if together && let Some(near) = leaves_near_four(tree, &self.boxes(), &mut room) {
            for &(leaf, mut whose) in near {
                while whose != 0 {
                    if let Some(group) = &mut self.0[whose.trailing_zeros() as usize] {
                        visit(leaf, group);
                    }
                    whose &= whose - 1;
                }
            }
            return;
        }
        for group in self.iter_mut() {
            let mut room = [0; MOST_NEAR];
            match leaves_near(tree, &group.bounds(), &mut room) {
                Some(near) => near.iter().for_each(|&leaf| visit(leaf, group)),
                None => group.give_up(),
            }
        }
    }

    /// Boxes around the rays of each vehicle.
    fn boxes(&self) -> FourBoxes {
        let bounds = self.0.each_ref().map(|group| match group {
            Some(group) => group.bounds(),
            None => Aabb::new_invalid(),
        });
        FourBoxes::between(bounds.map(|b| b.mins), bounds.map(|b| b.maxs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ray;
    use core::cell::RefCell;
    use glam::Vec3;
    use parry3d::partitioning::BvhBuildStrategy;
    use rstest::rstest;

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

    /// Vehicles in a row along x among slabs, `beside` each other; which slab each finds does not depend on the others.
    #[rstest]
    #[case::alone(1, 1)]
    #[case::two(2, 1)]
    #[case::five(5, 1)]
    #[case::with_many_slabs_near_some(5, MOST_NEAR / 2)]
    #[case::with_too_many_near_each(3, 2 * MOST_NEAR)]
    fn each_vehicle_finds_what_is_near_it(#[case] vehicles: u64, #[case] slabs: usize) {
        let place = |n: usize| Vec3::X * (100.0 * (n / slabs) as f32);
        let boxes = (0..vehicles as usize * slabs + 7)
            .map(|n| Aabb::from_half_extents(place(n), Vec3::ONE));
        let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &boxes.collect::<Vec<_>>());
        let rays: Vec<_> = (0..2 * vehicles)
            .map(|n| ray(n / 2, Vec3::Y * (n % 2) as f32))
            .collect();
        let mut hits = vec![None; rays.len()];
        let found = RefCell::new(vec![vec![]; vehicles as usize]);
        let together = |groups: &mut RayGroups<'_>| {
            groups.visit_near(&tree, |leaf, group| {
                let vehicle = group.first().anchor.x as usize / 100;
                found.borrow_mut()[vehicle].push(leaf as usize);
            });
        };
        let alone = |ray: &GroundRay| {
            assert!(slabs > MOST_NEAR, "{ray:?}");
            None
        };
        cast_by_vehicle(&rays, &mut hits, together, alone);
        for (vehicle, mut found) in found.into_inner().into_iter().enumerate() {
            found.sort_unstable();
            let near = (vehicle * slabs..(vehicle + 1) * slabs).filter(|_| slabs <= MOST_NEAR);
            assert_eq!(found, near.collect::<Vec<_>>(), "{vehicle}");
        }
    }
}
