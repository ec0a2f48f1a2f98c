//! Searches of Parry's trees of boxes.

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhNode, TraversalAction};

use crate::four::FourBoxes;

/// The leaves of a tree whose boxes touch this one, in any order; `None` if there are more than there is room for.
///
/// Parry's `intersect_aabb` finds the same. It calls a function for every node that it passes, and keeps its place between
/// leaves, which takes a fifth longer. A visitor instead of the list would be called so, too.
pub fn leaves_near<'a>(tree: &Bvh, near: &Aabb, room: &'a mut [u32]) -> Option<&'a [u32]> {
    let of = |leaf, ()| leaf;
    collect(tree, |node| touches(node, near).then_some(()), of, room)
}

/// A leaf, and a bit for each of four boxes that it touches.
pub(crate) type SharedLeaf = (u32, u32);

/// The leaves of a tree whose boxes touch any of four boxes, in the order in which each would find its own: a node
/// near several of them is looked at once.
pub(crate) fn leaves_near_four<'a>(
    tree: &Bvh,
    near: &FourBoxes,
    room: &'a mut [SharedLeaf],
) -> Option<&'a [SharedLeaf]> {
    let touched = |node: &BvhNode| {
        let (low, high) = (node.mins(), node.maxs());
        let along = near.touch_along_x(low, high);
        if !along.any() {
            return None;
        }
        let whose = (along & near.touch_across(low, high)).bits();
        (whose != 0).then_some(whose)
    };
    collect(tree, touched, |leaf, whose| (leaf, whose), room)
}

/// Collects what `of` makes of the leaves below nodes that `touched` tells something of.
#[inline]
fn collect<'a, T, U>(
    tree: &Bvh,
    touched: impl Fn(&BvhNode) -> Option<T>,
    of: impl Fn(u32, T) -> U,
    room: &'a mut [U],
) -> Option<&'a [U]> {
    let mut count = 0;
    let mut all = true;
    tree.traverse(|node| {
        let Some(what) = touched(node) else {
            return TraversalAction::Prune;
        };
        if let Some(leaf) = node.leaf_data() {
            let Some(slot) = room.get_mut(count) else {
                all = false;
                return TraversalAction::EarlyExit;
            };
            *slot = of(leaf, what);
            count += 1;
        }
        TraversalAction::Continue
    });
    all.then(|| &room[..count])
}

/// Whether a node's box touches another one: most boxes that do not are excluded by their first coordinate.
#[inline]
fn touches(node: &BvhNode, near: &Aabb) -> bool {
    let (low, high) = (node.mins(), node.maxs());
    low.x <= near.maxs.x
        && high.x >= near.mins.x
        && low.y <= near.maxs.y
        && high.y >= near.mins.y
        && low.z <= near.maxs.z
        && high.z >= near.mins.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use parry3d::partitioning::BvhBuildStrategy;
    use rstest::rstest;

    /// The leaves near a box, of a row of boxes of 1 m along x.
    fn found(count: u32, near: Aabb) -> Vec<u32> {
        let place = |n: u32| Vec3::X * (2.0 * n as f32);
        let boxes = (0..count).map(|n| Aabb::new(place(n), place(n) + Vec3::ONE));
        let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &boxes.collect::<Vec<_>>());
        let mut parrys: Vec<u32> = tree.intersect_aabb(&near).collect();
        let mut room = vec![0; parrys.len()];
        let mut found = leaves_near(&tree, &near, &mut room).unwrap().to_vec();
        found.sort_unstable();
        parrys.sort_unstable();
        assert_eq!(found, parrys);
        if let Some((_, less)) = room.split_last_mut() {
            assert_eq!(leaves_near(&tree, &near, less), None);
        }
        found
    }

    fn between(from: f32, to: f32) -> Aabb {
        Aabb::new(Vec3::new(from, 0.5, 0.5), Vec3::new(to, 0.6, 0.6))
    }

    #[rstest]
    #[case::none(0, 0.0, 9.0, &[])]
    #[case::the_only_one(1, 0.5, 9.0, &[0])]
    #[case::not_even_the_only_one(1, 1.5, 9.0, &[])]
    #[case::of_two(2, 2.5, 9.0, &[1])]
    #[case::some(100, 5.0, 10.0, &[2, 3, 4, 5])]
    #[case::in_a_gap(100, 5.5, 5.6, &[])]
    fn leaves_that_touch_are_found(
        #[case] count: u32,
        #[case] from: f32,
        #[case] to: f32,
        #[case] expected: &[u32],
    ) {
        assert_eq!(found(count, between(from, to)), expected);
    }

    /// Boxes above, below and beside touch in the other coordinates alone.
    #[test]
    fn every_coordinate_counts() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for side in [-5.0, 5.0] {
                let beside = Aabb::new(axis * side, axis * side + Vec3::ONE);
                assert!(found(1, beside).is_empty(), "{axis} {side}");
            }
        }
    }
}
