//! A side view extruded sideways without limit: the basis of ramps and steps.

use glam::{DVec2, DVec3};
use parry_query::{ShapeHit, sweep_plane};

use crate::axes::Axes;
use crate::ground::{GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
use crate::triangles::Triangles;

/// A line of heights over x, continued level before its first and after its last point, and
/// infinite along y. It is solid below.
///
/// Two points may have the same x: the wall between them is vertical.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeightProfile {
    axes: Axes,
    origin: DVec3,
    /// (x, z) (`m`, own axes), x never decreasing.
    points: Vec<DVec2>,
}

/// The part of the line between two points, or the infinite part beyond an end point.
struct Piece {
    /// A point of the piece.
    start: DVec2,
    /// Direction of the piece, toward increasing x (or up or down a wall).
    along: DVec2,
    /// Sides of the ray on which the two ends lie, by sign. A shared end has the same value in both pieces, so a ray cannot
    /// slip between them.
    sides: [f64; 2],
}

impl HeightProfile {
    /// The profile of `points` relative to `origin` (`m`, world). At least one point.
    pub(crate) fn new(axes: Axes, origin: DVec3, points: Vec<DVec2>) -> Self {
        debug_assert!(!points.is_empty() && points.is_sorted_by(|a, b| a.x <= b.x));
        Self {
            axes,
            origin,
            points,
        }
    }

    /// The surface up to `reach` (`m`) before the first point, after the last one and to either
    /// side of the origin.
    pub(crate) fn triangles(&self, reach: f64) -> Triangles {
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        let line = [first - DVec2::X * reach]
            .into_iter()
            .chain(self.points.iter().copied())
            .chain([last + DVec2::X * reach]);
        let vertices = line.flat_map(|p| {
            [-reach, reach].map(|y| self.origin + self.axes.to_world(DVec3::new(p.x, y, p.y)))
        });
        // Between points n and n + 1; vertices on the right are even, on the left odd.
        let strip = |n: u32| {
            let [right, left] = [2 * n, 2 * n + 1];
            [[right, right + 2, left + 2], [right, left + 2, left]]
        };
        Triangles {
            vertices: vertices.collect(),
            corners: (0..=self.points.len() as u32).flat_map(strip).collect(),
        }
    }

    /// The nearest hit of a valid ray.
    pub(crate) fn cast(&self, ray: &Ray) -> Option<Hit> {
        let origin = self.axes.to_local(ray.origin - self.origin);
        let direction = self.axes.to_local(ray.direction);
        let start = DVec2::new(origin.x, origin.z);
        let way = DVec2::new(direction.x, direction.z);
        if start.y < self.lowest(start.x) {
            return Some(Hit::inside(ray));
        }
        let mut nearest: Option<(f32, DVec2)> = None;
        self.for_each_piece(start, way, |piece| {
            let outward = DVec2::new(-piece.along.y, piece.along.x);
            let approach = -way.dot(outward);
            let crosses = (piece.sides[0] <= 0.0 && piece.sides[1] >= 0.0)
                || (piece.sides[0] >= 0.0 && piece.sides[1] <= 0.0);
            if approach <= 0.0 || !crosses {
                return;
            }
            let distance = (start - piece.start).dot(outward) / approach;
            let Some(distance) = ray.reach(distance) else {
                return;
            };
            if nearest.is_none_or(|(best, _)| distance < best) {
                nearest = Some((distance, outward));
            }
        });
        nearest.map(|(distance, outward)| {
            let unit = outward / outward.length();
            let normal = self.axes.to_world(DVec3::new(unit.x, 0.0, unit.y));
            Hit {
                distance,
                normal: normal.as_vec3(),
                triangle: None,
                inside: false,
            }
        })
    }

    /// All faces that a sweep hits, from outside.
    pub(crate) fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit)) {
        let (low, high) = sweep.bounds();
        let (low, high) = [low, high]
            .map(|corner| self.axes.to_local(corner - self.origin))
            .into();
        let (low, high) = (low.min(high) - DVec3::ONE, low.max(high) + DVec3::ONE);
        let mut overlaps = false;
        self.for_each_face(low.x, high.x, |ends| {
            let along = ends[1] - ends[0];
            let outward = self.to_world(DVec2::new(-along.y, along.x));
            if !sweep.meets(outward) {
                return;
            }
            let corner =
                |p: DVec2, y: f64| self.origin + self.axes.to_world(DVec3::new(p.x, y, p.y));
            let [right, ahead] = ends.map(|p| corner(p, low.y));
            let [left, opposite] = ends.map(|p| corner(p, high.y));
            let halves = [[right, ahead, opposite], [right, opposite, left]];
            let hits = halves.map(|half| sweep.triangle(half));
            let nearest = hits
                .into_iter()
                .flatten()
                .reduce(|a, b| if b.distance < a.distance { b } else { a });
            if let Some(hit) = nearest {
                overlaps |= hit.distance == 0.0;
                found(hit);
            }
        });
        if !overlaps {
            self.buried(sweep).into_iter().for_each(found);
        }
    }

    /// The overlap of a wheel whose center is inside the solid.
    fn buried(&self, sweep: &Sweep) -> Option<ShapeHit> {
        let start = self.axes.to_local(sweep.start - self.origin);
        let start = DVec2::new(start.x, start.z);
        if start.y >= self.lowest(start.x) {
            return None;
        }
        let mut nearest = (f64::INFINITY, DVec2::Y, 0.0);
        self.for_each_face(start.x, start.x, |ends| {
            let along = ends[1] - ends[0];
            let share = (start - ends[0]).dot(along) / along.length_squared();
            let way = start - (ends[0] + along * share.clamp(0.0, 1.0));
            let outward = DVec2::new(-along.y, along.x).normalize_or_zero();
            if way.length() < nearest.0 {
                nearest = (way.length(), outward, (start - ends[0]).dot(outward));
            }
        });
        let (_, outward, height) = nearest;
        sweep_plane(self.to_world(outward), height, &sweep.way)
    }

    /// The triangles of the faces near a region, cut off a meter outside it.
    pub(crate) fn triangles_in(
        &self,
        region: &GroundRegion,
        found: &mut dyn FnMut(&SurfaceTriangle),
    ) {
        let ends = [region.low, region.high].map(|end| self.axes.to_local(end - self.origin));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let corner = |p: DVec2, y: f64| self.origin + self.axes.to_world(DVec3::new(p.x, y, p.y));
        for [start, end] in self.faces_between(low.x, high.x) {
            if start.y.max(end.y) < low.z || start.y.min(end.y) > high.z {
                continue;
            }
            let [right, ahead] = [start, end].map(|p| corner(p, low.y - 1.0));
            let [left, opposite] = [start, end].map(|p| corner(p, high.y + 1.0));
            for corners in [[right, ahead, opposite], [right, opposite, left]] {
                found(&SurfaceTriangle {
                    corners,
                    solid: true,
                    number: None,
                });
            }
        }
    }

    /// The pieces of the line that reach into `low` to `high` (`m`), with the infinite ones cut off a
    /// meter outside.
    fn faces_between(&self, low: f64, high: f64) -> impl Iterator<Item = [DVec2; 2]> {
        let points = &self.points;
        let (first, last) = (points[0], points[points.len() - 1]);
        let end = move |n: usize| match n {
            0 => DVec2::new(low.min(first.x) - 1.0, first.y),
            n if n <= points.len() => points[n - 1],
            _ => DVec2::new(high.max(last.x) + 1.0, last.y),
        };
        let from = points.partition_point(|p| p.x < low);
        let to = points.partition_point(|p| p.x <= high);
        (from..=to).map(move |n| [end(n), end(n + 1)])
    }

    /// A direction of the side view, in world axes.
    fn to_world(&self, direction: DVec2) -> DVec3 {
        self.axes
            .to_world(DVec3::new(direction.x, 0.0, direction.y))
    }

    /// The pieces of the line, with the infinite ones cut off a meter outside `low` to `high`
    /// (`m`).
    fn for_each_face(&self, low: f64, high: f64, mut visit: impl FnMut([DVec2; 2])) {
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        visit([DVec2::new(low.min(first.x) - 1.0, first.y), first]);
        for pair in self.points.windows(2) {
            visit([pair[0], pair[1]]);
        }
        visit([last, DVec2::new(high.max(last.x) + 1.0, last.y)]);
    }

    /// Height at `x`; at a wall, of its lower end.
    fn lowest(&self, x: f64) -> f64 {
        let points = &self.points;
        let after = points.partition_point(|p| p.x < x);
        let Some(&right) = points.get(after) else {
            return points[points.len() - 1].y;
        };
        if right.x == x {
            let end = points.partition_point(|p| p.x <= x);
            return points[after..end]
                .iter()
                .fold(f64::INFINITY, |low, p| low.min(p.y));
        }
        let Some(&left) = after.checked_sub(1).and_then(|i| points.get(i)) else {
            return right.y;
        };
        left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x))
    }

    fn for_each_piece(&self, start: DVec2, way: DVec2, mut visit: impl FnMut(&Piece)) {
        let side = |p: DVec2| way.perp_dot(p - start);
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        visit(&Piece {
            start: first,
            along: DVec2::X,
            sides: [way.perp_dot(DVec2::NEG_X), side(first)],
        });
        for pair in self.points.windows(2) {
            visit(&Piece {
                start: pair[0],
                along: pair[1] - pair[0],
                sides: [side(pair[0]), side(pair[1])],
            });
        }
        visit(&Piece {
            start: last,
            along: DVec2::X,
            sides: [side(last), way.perp_dot(DVec2::X)],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Ground as _;
    use crate::mesh::TriangleMesh;
    use proptest::prelude::*;

    fn rough(heights: &[f64]) -> HeightProfile {
        let points = heights
            .iter()
            .enumerate()
            .map(|(i, &z)| DVec2::new((i / 2) as f64, z));
        HeightProfile::new(Axes::Y_UP, DVec3::new(1e5, -3e4, 7e4), points.collect())
    }

    proptest! {
        // Slopes and walls: a ray from above to below everything must hit the line.
        #[test]
        fn no_ray_slips_through(
            heights in proptest::collection::vec(-1.0..1.0_f64, 2..12),
            corner in 0..12_usize,
            dx in -3.0..3.0_f64,
        ) {
            let profile = rough(&heights);
            // Aim exactly at a corner.
            let aim = profile.points[corner % profile.points.len()];
            let local = DVec3::new(aim.x + dx, 0.3, aim.y + 4.0);
            let direction = DVec3::new(-dx, 0.0, -4.0).normalize();
            let ray = Ray {
                origin: profile.origin + profile.axes.to_world(local),
                direction: profile.axes.to_world(direction),
                length: 30.0,
            };
            let hit = profile.cast(&ray).unwrap();
            let there = profile.axes.to_local(ray.at(f64::from(hit.distance)) - profile.origin);
            prop_assert!(there.z >= profile.lowest(there.x - 1e-5).min(profile.lowest(there.x + 1e-5)) - 1e-4);
            prop_assert!(hit.normal.as_dvec3().dot(ray.direction) < 0.0);
        }

        // The same surface by another implementation; its triangles face outwards.
        #[test]
        fn its_triangles_give_the_same_hits(
            heights in proptest::collection::vec(-1.0..1.0_f64, 2..12),
            x in -8.0..14.0_f64,
            lean in prop::array::uniform2(-3.0..3.0_f64),
        ) {
            let profile = rough(&heights);
            let triangles = profile.triangles(20.0);
            let ray = Ray {
                origin: profile.origin + profile.axes.to_world(DVec3::new(x, 1.0, 2.0)),
                direction: profile.axes.to_world(DVec3::new(lean[0], lean[1], -2.0).normalize()),
                length: 30.0,
            };
            let exact = profile.cast(&ray).unwrap();
            let hit = TriangleMesh::of(&triangles).unwrap().cast(&ray).unwrap();
            prop_assert!((hit.distance - exact.distance).abs() < 1e-5);
            prop_assert!((hit.normal - exact.normal).length() < 1e-5);
            let corners = triangles.corners[hit.triangle.unwrap() as usize];
            let [a, b, c] = corners.map(|corner| triangles.vertices[corner as usize]);
            prop_assert!((b - a).cross(c - a).dot(hit.normal.as_dvec3()) > 0.0);
        }

        #[test]
        fn straight_down_is_the_height(
            heights in proptest::collection::vec(-1.0..1.0_f64, 2..12),
            x in -2.0..8.0_f64,
        ) {
            let profile = rough(&heights);
            let ray = Ray {
                origin: profile.origin + profile.axes.to_world(DVec3::new(x, 5.0, 3.0)),
                direction: DVec3::NEG_Y,
                length: 9.0,
            };
            let x = profile.axes.to_local(ray.origin - profile.origin).x;
            let hit = profile.cast(&ray).unwrap();
            prop_assert!((3.0 - f64::from(hit.distance) - profile.lowest(x)).abs() < 1e-6);
        }
    }
}
