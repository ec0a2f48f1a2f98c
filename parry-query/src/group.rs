//! Rays of one vehicle, answered together: each collider near them is looked at once.

use glam::Vec4Swizzles as _;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::RayIntersection;
use parry3d::shape::Shape;
use vehicle_core::lanes::{Mask4, V3x4, W4, by_wheel};
use vehicle_core::{BodyId, ColliderId, GroundHit, GroundRay, MaterialId};

use crate::four::{FourHits, FourRays};
use crate::ray::{cast_rays, is_surface, normal_against};

/// Number of colliders near one vehicle that are ground for it, above which a search per ray visits fewer.
const MOST: usize = 8;

/// Rays and their slots.
pub(crate) type VehicleRays<'a> = (&'a [GroundRay], &'a mut [Option<GroundHit>]);

/// Ground of a hit: its material, and its body, if that can move.
pub type GroundTag = (MaterialId, Option<BodyId>);

/// Up to four rays from one anchor and with one filter, and their nearest hits so far.
#[derive(Debug)]
pub struct RayGroup<'a> {
    rays: &'a [GroundRay],
    hits: &'a mut [Option<GroundHit>],
    /// Rays from the anchor, each to its greatest distance, or to its hit.
    lanes: FourRays,
    /// Lengths of the rays (`m`).
    lengths: W4,
    /// Lanes with a hit.
    found: Mask4,
    bounds: Aabb,
    /// Colliders that may still come; `None` if each ray is answered alone.
    room: Option<usize>,
}

impl<'a> RayGroup<'a> {
    /// Groups rays whose hits are `None` yet. A single ray gives up, and so do rays of which one is not finite.
    #[inline(always)]
    pub(crate) fn of((rays, hits): VehicleRays<'a>) -> Self {
        let lanes = FourRays::of(rays);
        // As `from_anchor`.
        let place = |from: f64, offset: W4| {
            W4::from_array(offset.to_array().map(|x| (from + f64::from(x)) as f32))
        };
        let (anchor, offsets) = (rays[0].anchor, lanes.start);
        let world = FourRays {
            start: V3x4 {
                x: place(anchor.x, offsets.x),
                y: place(anchor.y, offsets.y),
                z: place(anchor.z, offsets.z),
            },
            ..lanes
        };
        // As `reach`.
        let within = world.within + world.rounding();
        let bounds = FourRays { within, ..world }.boxes().together();
        Self {
            room: bounds.filter(|_| rays.len() > 1).map(|_| MOST),
            rays,
            hits,
            lanes: FourRays { within, ..lanes },
            lengths: lanes.within,
            found: Mask4::NONE,
            bounds: bounds.unwrap_or_else(Aabb::new_invalid),
        }
    }

    /// Leaves each ray to be answered alone.
    pub fn give_up(&mut self) {
        self.room = None;
    }

    /// Whether each ray is answered alone.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.room.is_none()
    }

    /// Answers each ray by itself.
    pub(crate) fn answer(&mut self, alone: impl Fn(&GroundRay) -> Option<GroundHit>) {
        for (ray, hit) in self.rays.iter().zip(self.hits.iter_mut()) {
            *hit = alone(ray);
        }
    }

    /// The first ray: its anchor and its filter are those of all.
    #[must_use]
    pub fn first(&self) -> &GroundRay {
        &self.rays[0]
    }

    /// Box around all rays (`m`, world).
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Casts all rays on a collider's `shape`, whose pose is relative to the anchor, so that shapes stay precise far
    /// from the origin; `tag` is asked for what a hit (on a triangle) tells. Of equally near hits, that on the lower
    /// collider counts, so that their order does not matter (but for compound shapes and very dense meshes). Gives up if there is no room for one
    /// more collider.
    pub fn cast(
        &mut self,
        collider: ColliderId,
        shape: &dyn Shape,
        pose: &Pose,
        tag: impl Fn(Option<u32>) -> GroundTag,
    ) {
        self.room = self.room.and_then(|room| room.checked_sub(1));
        if self.gave_up() {
            return;
        }
        let found = cast_rays(shape, pose, &self.lanes);
        let nearer = self.nearer(&found, collider);
        if !nearer.any() {
            return;
        }
        self.lanes.within = nearer.select(found.distance, self.lanes.within);
        self.found = self.found | nearer;
        let surface = is_surface(shape);
        let distance = found.distance.min(self.lengths);
        let normal = found.normals_against(self.lanes.direction, surface);
        let answers = by_wheel([distance, normal.x, normal.y, normal.z]);
        let whole = (!surface).then(|| tag(None));
        for (n, (best, answer)) in self.hits.iter_mut().zip(&answers).enumerate() {
            if !nearer.lane(n) {
                continue;
            }
            let triangle = surface.then_some(found.triangle[n]);
            let (material, body) = whole.unwrap_or_else(|| tag(triangle));
            *best = Some(GroundHit {
                distance: answer.x,
                normal: answer.yzw(),
                material,
                body,
                collider,
                triangle,
            });
        }
    }

    /// Mask of the hits on a collider that are nearer than those before, or as near while the collider is lower.
    #[inline]
    fn nearer(&self, found: &FourHits, collider: ColliderId) -> Mask4 {
        if !self.found.any() {
            return found.hit;
        }
        let lower = |n: usize| {
            let best = self.hits.get(n).and_then(Option::as_ref);
            best.is_some_and(|best| collider < best.collider)
        };
        let as_near = found.distance.same(self.lanes.within) & Mask4::from_fn(lower);
        found.hit & (!self.found | found.distance.lt(self.lanes.within) | as_near)
    }
}

/// The answer to a ray whose nearest hit is this one, on a `surface` of triangles or a solid.
pub fn ground_hit(
    ray: &GroundRay,
    collider: ColliderId,
    hit: &RayIntersection,
    surface: bool,
    tag: impl FnOnce(Option<u32>) -> GroundTag,
) -> GroundHit {
    let triangle = surface.then_some(hit.subshape);
    let (material, body) = tag(triangle);
    GroundHit {
        distance: hit.time_of_impact.min(ray.length),
        normal: normal_against(hit, surface, ray.direction),
        material,
        body,
        collider,
        triangle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ray;
    use glam::Vec3;
    use parry3d::shape::Cuboid;

    #[test]
    fn a_box_holds_its_rays() {
        let rays = [ray(1, Vec3::ONE), ray(1, Vec3::new(-1.0, 0.5, 0.0))];
        let mut hits = [None; 2];
        let Aabb { mins, maxs } = RayGroup::of((&rays, &mut hits)).bounds();
        assert!(mins.abs_diff_eq(Vec3::new(99.0, 0.5, -2.0), 1e-4), "{mins}");
        assert!(maxs.abs_diff_eq(Vec3::new(101.0, 1.0, 1.0), 1e-4), "{maxs}");
        let bad = [ray(1, Vec3::ONE), ray(1, Vec3::NAN)];
        assert!(RayGroup::of((&bad, &mut hits)).gave_up());
        assert!(RayGroup::of((&rays[..1], &mut hits[..1])).gave_up());
    }

    /// Slabs of 1 m below the rays of a vehicle, by collider and height of the middle.
    fn hit(slabs: &[(u64, f32)], length: f32) -> Option<GroundHit> {
        let down = GroundRay {
            length,
            ..ray(1, Vec3::ZERO)
        };
        let mut hits = [None; 2];
        let (slab, rays) = (Cuboid::new(Vec3::new(5.0, 5.0, 0.5)), [down; 2]);
        let mut group = RayGroup::of((&rays, &mut hits));
        for &(id, height) in slabs {
            let pose = Pose::from_translation(Vec3::Z * height);
            let tag = |triangle| {
                assert_eq!(triangle, None);
                GroundTag::default()
            };
            group.cast(ColliderId(id), &slab, &pose, tag);
        }
        assert!(!group.gave_up());
        assert_eq!(hits[0], hits[1]);
        hits[0]
    }

    #[test]
    fn the_nearest_hit_wins_and_of_equal_ones_the_lower_collider() {
        let slabs = [(7, -3.0), (9, -2.0), (8, -2.0), (1, 9.0)];
        for turned in 0..slabs.len() {
            let mut slabs = slabs;
            slabs.rotate_left(turned);
            let hit = hit(&slabs, 4.0).expect("it looks down");
            assert_eq!((hit.collider, hit.distance), (ColliderId(8), 1.5));
        }
        assert_eq!(hit(&slabs, 1.0), None);
    }

    #[test]
    fn beyond_the_last_collider_with_room_it_gives_up() {
        let (rays, mut hits) = ([ray(1, Vec3::ZERO); 2], [None; 2]);
        let mut group = RayGroup::of((&rays, &mut hits));
        let slab = Cuboid::new(Vec3::ONE);
        let mut added = 0..MOST as u64 + 2;
        let last = added.find(|&n| {
            group.cast(ColliderId(n), &slab, &Pose::IDENTITY, |_| {
                GroundTag::default()
            });
            group.gave_up()
        });
        assert_eq!(last, Some(MOST as u64));
    }
}
