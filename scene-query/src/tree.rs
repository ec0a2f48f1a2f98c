//! A bounding volume tree.

use glam::Vec3;

/// A box along the axes (`m`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

impl Bounds {
    fn around(self, other: &Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    fn middle(&self) -> Vec3 {
        self.low.midpoint(self.high)
    }
}

/// A box around all following nodes, up to `end`.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The first node outside it.
    end: u32,
    /// The item, for a leaf.
    leaf: Option<u32>,
}

/// Nested boxes; inner ones follow the outer one, so that a list suffices.
#[derive(Clone, Debug)]
pub(crate) struct BoxTree(Vec<Node>);

impl BoxTree {
    /// A tree of items with these boxes; items are named by their index.
    pub(crate) fn of(boxes: &[Bounds]) -> Self {
        let mut tree = Self(Vec::with_capacity(2 * boxes.len()));
        let mut things: Vec<u32> = (0..boxes.len() as u32).collect();
        tree.grow(boxes, &mut things);
        tree
    }

    /// Appends the node of these items: both halves along the longest side.
    fn grow(&mut self, boxes: &[Bounds], things: &mut [u32]) {
        let place = |thing: u32| &boxes[thing as usize];
        let Some((&first, rest)) = things.split_first() else {
            return;
        };
        let bounds = rest
            .iter()
            .fold(*place(first), |all, &thing| all.around(place(thing)));
        let own = self.0.len();
        self.0.push(Node {
            bounds,
            end: 0,
            leaf: rest.is_empty().then_some(first),
        });
        if !rest.is_empty() {
            let axis = (bounds.high - bounds.low).max_position();
            let key = |thing: &u32| place(*thing).middle()[axis];
            let half = things.len() / 2;
            things.select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
            let (low, high) = things.split_at_mut(half);
            self.grow(boxes, low);
            self.grow(boxes, high);
        }
        self.0[own].end = self.0.len() as u32;
    }

    /// Visits boxes from the outside in, leaves with their item; the contents of a box are visited
    /// only if `look` returns true.
    pub(crate) fn visit(&self, mut look: impl FnMut(&Bounds, Option<u32>) -> bool) {
        let mut n = 0;
        while let Some(node) = self.0.get(n) {
            n = if look(&node.bounds, node.leaf) {
                n + 1
            } else {
                node.end as usize
            };
        }
    }

    /// Calls `found` with all items whose boxes overlap this one.
    pub(crate) fn near(&self, around: &Bounds, mut found: impl FnMut(u32)) {
        self.visit(|bounds, thing| {
            let meets = bounds.meets(around);
            if let Some(thing) = thing.filter(|_| meets) {
                found(thing);
            }
            meets
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of many sizes at many positions.
    fn boxes() -> Vec<Bounds> {
        let boxed = |n: u16| {
            let n = f32::from(n);
            let place = |k: f32| (n * k).sin() * 50.0;
            let low = Vec3::new(place(1.3), place(2.7), place(4.1));
            let size = Vec3::new(n % 5.0, n % 3.0, n % 7.0);
            Bounds {
                low,
                high: low + size,
            }
        };
        (0..500).map(boxed).collect()
    }

    fn near(tree: &BoxTree, around: &Bounds) -> Vec<u32> {
        let mut found = Vec::new();
        tree.near(around, |thing| found.push(thing));
        found.sort_unstable();
        found
    }

    #[test]
    fn exactly_the_near_items_are_found() {
        let boxes = boxes();
        let tree = BoxTree::of(&boxes);
        for around in boxes.iter().step_by(7) {
            let all = (0..).zip(&boxes);
            let expected: Vec<u32> = all
                .filter(|(_, bounds)| bounds.meets(around))
                .map(|(n, _)| n)
                .collect();
            assert_eq!(near(&tree, around), expected);
        }
    }

    #[test]
    fn boxes_contain_their_nodes_and_the_tree_has_minimum_depth() {
        let tree = BoxTree::of(&boxes());
        let mut leaves = 0;
        for (n, node) in tree.0.iter().enumerate() {
            leaves += usize::from(node.leaf.is_some());
            for inner in &tree.0[n..node.end as usize] {
                assert_eq!(node.bounds.around(&inner.bounds), node.bounds);
            }
        }
        assert_eq!((leaves, tree.0.len()), (500, 999));
        assert!(near(&BoxTree::of(&[]), &boxes()[0]).is_empty());
    }
}
