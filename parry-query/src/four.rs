//! Up to four rays at once, in lanes: those of a car.

use glam::Vec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::query::{Ray, RayIntersection};
use parry3d::shape::Triangle;
use vehicle_core::lanes::{LANES, Mask4, V3x4, W4, by_wheel, ray_lanes};
use vehicle_core::{GroundRay, math};

use crate::wheel::ROUNDING;

/// One to four rays with unit directions. Lanes without a ray repeat the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourRays {
    pub(crate) count: usize,
    pub(crate) start: V3x4,
    pub(crate) direction: V3x4,
    /// Hits beyond this distance do not count (`m`).
    pub(crate) within: W4,
}

impl FourRays {
    /// The first four of these rays, from their anchors.
    #[inline(always)]
    pub(crate) fn of(rays: &[GroundRay]) -> Self {
        let ray = |n: usize| rays.get(n).unwrap_or(&rays[0]);
        let (start, direction, within) = ray_lanes(core::array::from_fn(ray));
        Self {
            count: rays.len().min(LANES),
            start,
            direction,
            within,
        }
    }

    /// One ray.
    pub(crate) fn one(ray: &Ray, within: f32) -> Self {
        Self {
            count: 1,
            start: V3x4::splat(ray.origin),
            direction: V3x4::splat(ray.dir),
            within: W4::splat(within),
        }
    }

    pub(crate) fn ray(&self, n: usize) -> Ray {
        Ray::new(self.start.lane(n), self.direction.lane(n))
    }

    /// Returns these rays in the axes of a pose.
    #[inline(always)]
    pub(crate) fn seen_from(&self, pose: &Pose) -> Self {
        let axes = math::matrix(pose.rotation);
        Self {
            start: (self.start - V3x4::splat(pose.translation)).rotated_back(&axes),
            direction: self.direction.rotated_back(&axes),
            ..*self
        }
    }

    /// Single-precision rounding at each ray (`m`).
    #[inline(always)]
    pub(crate) fn rounding(&self) -> W4 {
        let far = |x: W4, y: W4| x.abs().max(y.abs());
        let size = far(self.start.x, self.start.y).max(far(self.start.z, self.within));
        size.max(W4::ONE) * W4::splat(ROUNDING)
    }

    /// Boxes around the rays, wider by the rounding of their coordinates.
    #[inline(always)]
    pub(crate) fn boxes(&self) -> FourBoxes {
        let (start, end) = (self.start, self.start + self.direction * self.within);
        let border = self.rounding();
        let low = |start: W4, end: W4| start.min(end) - border;
        let high = |start: W4, end: W4| start.max(end) + border;
        FourBoxes {
            low: V3x4 {
                x: low(start.x, end.x),
                y: low(start.y, end.y),
                z: low(start.z, end.z),
            },
            high: V3x4 {
                x: high(start.x, end.x),
                y: high(start.y, end.y),
                z: high(start.z, end.z),
            },
        }
    }

    /// Hits of the rays on a half space below a plane through `point` (`m`) with this unit `normal`.
    #[inline]
    pub(crate) fn on_half_space(&self, point: Vec3, normal: Vec3) -> FourHits {
        let normal = V3x4::splat(normal);
        let depth = (V3x4::splat(point) - self.start).dot(normal);
        let distance = depth / self.direction.dot(normal);
        let inside = depth.gt(W4::ZERO);
        FourHits {
            hit: inside | (distance.ge(W4::ZERO) & distance.le(self.within)),
            distance: (!inside).keep(distance),
            normal: normal.kept(!inside),
            triangle: [0; LANES],
        }
    }

    /// Hits of the rays on a triangle with this `across`, (b − a) × (c − a): the distance, and the mask of the rays that hit. The
    /// bits of Parry's `local_ray_intersection_with_triangle`.
    #[inline]
    pub(crate) fn on_triangle(&self, triangle: &Triangle, across: Vec3) -> (W4, Mask4) {
        let Triangle { a, b, c } = *triangle;
        let across = V3x4::splat(across);
        let from_a = self.start - V3x4::splat(a);
        let (approach, height) = (across.dot(self.direction), from_a.dot(across));
        let side = -self.direction.cross(from_a);
        let (along_ac, along_ab) = (V3x4::splat(c - a).dot(side), V3x4::splat(b - a).dot(side));
        let behind = height.lt(W4::ZERO);
        let v = behind.select(-along_ac, along_ac);
        let w = behind.select(along_ab, -along_ab);
        let size = approach.abs();
        let distance = height.abs() * (W4::ONE / size);
        let toward = behind.select(approach, -approach).gt(W4::ZERO)
            | (height.same(W4::ZERO) & !approach.same(W4::ZERO));
        let covered = v.ge(W4::ZERO) & v.le(size) & w.ge(W4::ZERO) & (v + w).le(size);
        (distance, toward & covered & distance.le(self.within))
    }
}

/// The nearest hits of four rays on a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourHits {
    /// Lanes whose ray hits; values of the other lanes are meaningless.
    pub(crate) hit: Mask4,
    pub(crate) distance: W4,
    /// Normal on the side of the ray; zero for a start inside a solid.
    pub(crate) normal: V3x4,
    pub(crate) triangle: [u32; LANES],
}

impl FourHits {
    pub(crate) const NONE: Self = Self {
        hit: Mask4::NONE,
        distance: W4::ZERO,
        normal: V3x4::ZERO,
        triangle: [0; LANES],
    };

    /// Sets these lanes.
    pub(crate) fn set(&mut self, lanes: Mask4, distance: W4, normal: Vec3, triangle: u32) {
        self.hit = self.hit | lanes;
        self.distance = lanes.select(distance, self.distance);
        self.normal = V3x4::splat(normal).kept_or(lanes, self.normal);
        for n in 0..LANES {
            if lanes.lane(n) {
                self.triangle[n] = triangle;
            }
        }
    }

    /// Sets the hit of ray `n`.
    pub(crate) fn set_ray(&mut self, n: usize, hit: &RayIntersection) {
        let lane = Mask4::from_fn(|lane| lane == n);
        self.set(
            lane,
            W4::splat(hit.time_of_impact),
            hit.normal,
            hit.subshape,
        );
    }

    /// Sets the hit of ray `n`, if it has one, to that of a ray `alone`.
    pub(crate) fn take(&mut self, n: usize, alone: &Self) {
        if alone.hit.lane(0) {
            let lane = Mask4::from_fn(|lane| lane == n);
            let distance = W4::splat(alone.distance.lane(0));
            self.set(lane, distance, alone.normal.lane(0), alone.triangle[0]);
        }
    }

    /// Unit normals against rays with these directions, in lanes: what [`normal_against`](crate::normal_against) finds.
    #[inline]
    pub(crate) fn normals_against(&self, direction: V3x4, surface: bool) -> V3x4 {
        let square = self.normal.dot(self.normal);
        let unit = self.normal * (W4::ONE / square.sqrt());
        let unit = unit.kept(square.gt(W4::ZERO));
        let along = unit.dot(direction).gt(W4::ZERO);
        let zero = |lanes: W4| lanes.same(W4::ZERO);
        let mut inside = zero(unit.x) & zero(unit.y) & zero(unit.z);
        if !surface {
            inside = inside | zero(self.distance);
        }
        (-direction).kept_or(inside, (-unit).kept_or(along, unit))
    }
}

/// Boxes around four rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourBoxes {
    low: V3x4,
    high: V3x4,
}

impl FourBoxes {
    /// Boxes with these corners, lane by lane.
    pub(crate) fn between(low: [Vec3; LANES], high: [Vec3; LANES]) -> Self {
        Self {
            low: V3x4::from_array(low),
            high: V3x4::from_array(high),
        }
    }

    /// The box around all of them; `None` if a ray is not finite.
    #[inline(always)]
    pub(crate) fn together(&self) -> Option<Aabb> {
        let Self { low, high } = self;
        let sum = low.x + low.y + low.z + high.x + high.y + high.z;
        let corners = |lanes: &V3x4| by_wheel([lanes.x, lanes.y, lanes.z, W4::ZERO]);
        let ([a, b, c, d], [e, f, g, h]) = (corners(low), corners(high));
        // Finite lanes have finite extremes.
        sum.is_finite().then(|| Aabb {
            mins: a.min(b).min(c.min(d)).truncate(),
            maxs: e.max(f).max(g.max(h)).truncate(),
        })
    }

    /// Mask of the boxes that touch a triangle's.
    pub(crate) fn touch(&self, triangle: &Triangle) -> Mask4 {
        let Triangle { a, b, c } = *triangle;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        self.touch_along_x(low, high) & self.touch_across(low, high)
    }

    /// Mask of the boxes that touch a box with these corners, by their extent along x.
    #[inline]
    pub(crate) fn touch_along_x(&self, low: Vec3, high: Vec3) -> Mask4 {
        self.low.x.le(W4::splat(high.x)) & self.high.x.ge(W4::splat(low.x))
    }

    /// Lanes of the boxes that touch a box with these corners, by their extents along y and z.
    #[inline]
    pub(crate) fn touch_across(&self, low: Vec3, high: Vec3) -> Mask4 {
        let (low, high) = (V3x4::splat(low), V3x4::splat(high));
        self.low.y.le(high.y)
            & self.low.z.le(high.z)
            & self.high.y.ge(low.y)
            & self.high.z.ge(low.z)
    }
}
