//! A few rays on a mesh or a heightfield: the triangles near all of them are looked up once.

use core::ops::Range;

use glam::Vec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayCast, RayIntersection};
use parry3d::shape::{HeightField, TriMesh, Triangle};
use vehicle_core::lanes::{Mask4, W4};
use vehicle_core::math;

use crate::four::{FourBoxes, FourHits, FourRays};
use crate::tree::leaves_near;

/// Number of triangles near some rays above which fewer are near each of them; with more near one ray, it is a long one.
const MOST: usize = 32;

/// A shape of triangles.
pub(crate) trait TriangleShape: RayCast {
    /// Calls `visit` with all triangles that may touch a box; returns `false`, having called it with some of them or
    /// none, if there are more than [`MOST`].
    fn visit_near(&self, near: &Aabb, visit: impl FnMut(u32, &Triangle)) -> bool;

    /// The nearest hit of a ray that none of the triangles near it stops.
    fn cast_in_gap(&self, ray: &Ray, within: f32) -> Option<RayIntersection>;
}

/// The nearest hit of each ray. Of triangles hit at the same distance, the one with the lowest number counts.
///
/// Which triangles are tried with a ray depends on this ray alone: those whose box touches its own.
pub(crate) fn cast_on_triangles(
    shape: &impl TriangleShape,
    pose: &Pose,
    rays: &FourRays,
) -> FourHits {
    let mut search = Search::new(rays.seen_from(pose));
    search.run(shape);
    search.close_gaps(shape);
    let found = search.nearest;
    // In lanes, and not hit by hit: a number beside a normal, read with it as one vector, is a denormal, and arithmetic
    // with these takes a hundred times as long.
    FourHits {
        normal: found.normal.rotated(&math::matrix(pose.rotation)),
        ..found
    }
}

/// Cells of a heightfield between two positions along one of its sides, which goes from −0.5 to 0.5 and has so many cells.
#[inline]
fn cells(low: f32, high: f32, count: usize) -> Range<usize> {
    let place = |x: f32| (x + 0.5) * count as f32;
    // What is left of the field becomes 0.
    let whole = |place: f32| (place as u32 as usize).min(count);
    whole(place(low))..whole(place(high) + 1.0)
}

/// Rays in the axes of the triangles, and their nearest hits so far.
struct Search {
    rays: FourRays,
    boxes: FourBoxes,
    nearest: FourHits,
}

impl Search {
    #[inline(always)]
    fn new(rays: FourRays) -> Self {
        Self {
            rays,
            boxes: rays.boxes(),
            nearest: FourHits::NONE,
        }
    }

    /// Searches for all rays together, else for each by itself, else as Parry does.
    fn run(&mut self, shape: &impl TriangleShape) {
        let near = self.boxes.together();
        let mut offer = |number: u32, triangle: &Triangle| self.offer(number, triangle);
        // Parry casts rays without end, too.
        if near.is_some_and(|near| shape.visit_near(&near, &mut offer)) {
            let across = self.nearest.normal;
            self.nearest.normal = across * (W4::ONE / across.dot(across).sqrt());
            return;
        }
        self.nearest = FourHits::NONE;
        for n in 0..self.rays.count {
            let (ray, within) = (self.rays.ray(n), self.rays.within.lane(n));
            if self.rays.count > 1 {
                let mut alone = Self::new(FourRays::one(&ray, within));
                alone.run(shape);
                self.nearest.take(n, &alone.nearest);
            } else if let Some(hit) = shape.cast_local_ray_and_get_normal(&ray, within, true) {
                self.nearest.set_ray(n, &hit);
            }
        }
    }

    /// Tries a triangle; its normal does not have the length 1 yet.
    fn offer(&mut self, number: u32, triangle: &Triangle) {
        let near = self.boxes.touch(triangle);
        if !near.any() {
            return;
        }
        let across = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
        let (distances, hit) = self.rays.on_triangle(triangle, across);
        let hit = hit & near;
        if !hit.any() {
            return;
        }
        let best = &self.nearest;
        let mut nearer = hit & (!best.hit | distances.lt(best.distance));
        let as_near = hit & best.hit & distances.same(best.distance);
        if as_near.any() {
            let lower = |n: usize| number < best.triangle[n];
            nearer = nearer | (as_near & Mask4::from_fn(lower));
        }
        self.nearest.set(nearer, distances, across, number);
    }

    /// Casts the rays that no triangle stops where the shape may have gaps.
    fn close_gaps(&mut self, shape: &impl TriangleShape) {
        for n in 0..self.rays.count {
            if !self.nearest.hit.lane(n)
                && let Some(hit) = shape.cast_in_gap(&self.rays.ray(n), self.rays.within.lane(n))
            {
                self.nearest.set_ray(n, &hit);
            }
        }
    }
}

impl TriangleShape for TriMesh {
    fn visit_near(&self, near: &Aabb, mut visit: impl FnMut(u32, &Triangle)) -> bool {
        let mut room = [0; MOST];
        let Some(leaves) = leaves_near(self.bvh(), near, &mut room) else {
            return false;
        };
        for &number in leaves {
            visit(number, &self.triangle(number));
        }
        true
    }

    fn cast_in_gap(&self, _: &Ray, _: f32) -> Option<RayIntersection> {
        None
    }
}

impl TriangleShape for HeightField {
    fn visit_near(&self, near: &Aabb, mut visit: impl FnMut(u32, &Triangle)) -> bool {
        let (rows, columns) = (self.nrows(), self.ncols());
        let (low, high) = (near.mins / self.scale(), near.maxs / self.scale());
        let (i, j) = (cells(low.z, high.z, rows), cells(low.x, high.x, columns));
        if 2 * i.len() * j.len() > MOST {
            return false;
        }
        for j in j {
            for i in i.clone() {
                let (left, right) = self.triangles_at(i, j);
                // As Parry numbers them.
                let number = (j * rows + i) as u32;
                let other = number + (rows * columns) as u32;
                left.into_iter().for_each(|left| visit(number, &left));
                right.into_iter().for_each(|right| visit(other, &right));
            }
        }
        true
    }

    /// A ray along an edge of two triangles can miss both by rounding: a car that drives along one would fall through.
    /// It is cast again, offset toward the middle of the field (so that it cannot leave it); the distance is then
    /// measured along the original ray to the plane of the triangle found.
    fn cast_in_gap(&self, ray: &Ray, within: f32) -> Option<RayIntersection> {
        // One millimeter, or the single-precision resolution of a large field. Unequal in x and
        // z, to avoid running along a diagonal.
        let step = (2e-6 * self.scale().abs().max_element()).max(1e-3);
        let aside = Vec3::new(
            -step.copysign(ray.origin.x),
            0.0,
            -0.7 * step.copysign(ray.origin.z),
        );
        let moved = ray.translate_by(aside);
        let mut hit = self.cast_local_ray_and_get_normal(&moved, within + step, true)?;
        hit.time_of_impact += hit.normal.dot(aside) / hit.normal.dot(ray.dir);
        (0.0..=within).contains(&hit.time_of_impact).then_some(hit)
    }
}
