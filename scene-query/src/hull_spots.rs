//! Contact points of a body's hull with the ground.
//!
//! The hull is a box, and the ground is its triangles near the path of the box within the step. A
//! normal counts only if the ground there does not rise along it: seams between triangles of one
//! slope, and edges in a hollow, have no normals of their own, and nothing that slides over them is
//! held. A hull whose center is inside a solid rises against gravity.

use glam::{DVec3, Mat3, Vec3};
use vehicle_core::math;

use crate::body::{Body, CollisionBox};
use crate::box_triangle::{BoxSpot, FacingTriangle, MovingBox};
use crate::ground::{GroundRegion, Ray, SurfaceTriangle};
use crate::grounds::Grounds;

/// Points up to this height above the ground are considered (`m`), plus their motion within the
/// step.
const MARGIN: f32 = 0.02;
/// Ground this close to a point is at it (`m`).
const NEAR: f64 = 1e-3;
/// Ground rises along a normal if its sine against the plane across it is larger (–): at 30 m/s, a
/// normal that is wrong by less changes the speed by 3 cm/s.
const RISE: f64 = 1e-3;
/// Overlap with a triangle, at an edge without a normal of its own, above which it counts only if ground parts it from the
/// hull's center (`m`).
const DEEP: f32 = 0.01;
/// Normals closer than this (cosine, –), of planes closer than this (`m`), are of one plane.
const SAME_PLANE: (f32, f32) = (0.9995, 0.01);
/// Points closer than this are one (`m`).
const SAME_SPOT: f32 = 1e-3;
/// A point that is deeper than others by less is not deeper (`m`), but rounded.
const LEVEL: f32 = 1e-4;
/// Most planes that a hull touches; of more, those with the largest gaps are left out.
const PLANES: usize = 16;

/// A point of a hull near the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HullSpot {
    /// Position of the point, from the center of mass (`m`, world axes).
    pub(crate) arm: Vec3,
    /// Unit normal of the ground (world axes).
    pub(crate) normal: Vec3,
    /// Distance over the ground (`m`), negative for an overlap.
    pub(crate) gap: f32,
}

/// The environment of the hulls in one step.
pub(crate) struct Surroundings<'a> {
    pub(crate) ground: &'a Grounds,
    /// The world's origin in the ground's coordinates (`m`).
    pub(crate) origin: DVec3,
    /// Unit vector against gravity (world axes); `None` without gravity, in which case hulls inside a
    /// solid stay there.
    pub(crate) up: Option<DVec3>,
    /// The step (`s`).
    pub(crate) dt: f32,
}

/// The points where a hull touches the ground. Lists are kept, so that steps do not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct HullSpots {
    planes: Vec<TouchedPlane>,
    spots: Vec<HullSpot>,
}

/// The points on one plane that bear a hull: the deepest, and those farthest toward each of its eight
/// corners.
#[derive(Clone, Copy, Debug)]
struct TouchedPlane {
    /// Height over the center of mass along the normal (`m`).
    level: f32,
    deepest: HullSpot,
    /// Outermost point toward each corner, with its distance in shares of the half extents.
    outermost: [(f32, HullSpot); 8],
}

/// A hull within a step.
struct HullMotion<'a> {
    around: &'a Surroundings<'a>,
    body: &'a Body,
    layers: u32,
    moving: MovingBox,
    /// Rotation from the hull's axes to the world's.
    turn: Mat3,
    /// Center of the hull, from the center of mass (`m`, world axes).
    middle: Vec3,
    /// Center of the hull in the ground's coordinates (`m`).
    center: DVec3,
}

impl HullSpots {
    /// The points where the hull of a body is near the ground.
    pub(crate) fn find(
        &mut self,
        around: &Surroundings<'_>,
        body: &Body,
        hull: &CollisionBox,
    ) -> &[HullSpot] {
        let hull = HullMotion::new(around, body, hull);
        self.planes.clear();
        self.spots.clear();
        if hull.is_buried() {
            self.spots.extend(hull.buried_corners());
            return &self.spots;
        }
        let planes = &mut self.planes;
        hull.touches(&mut |place, spot| add(planes, place, spot));
        for plane in planes.iter() {
            let first = self.spots.len();
            for spot in plane.spots() {
                let known = |other: &HullSpot| (other.arm - spot.arm).length_squared();
                let mut others = self.spots[first..].iter().map(known);
                if others.all(|square| square > SAME_SPOT * SAME_SPOT) {
                    self.spots.push(spot);
                }
            }
        }
        &self.spots
    }
}

/// Adds a point, at `place` in shares of the half extents, to those of its plane.
fn add(planes: &mut Vec<TouchedPlane>, place: Vec3, spot: HullSpot) {
    let level = spot.normal.dot(spot.arm) - spot.gap;
    let same = |plane: &&mut TouchedPlane| plane.is_same(spot.normal, level);
    if let Some(plane) = planes.iter_mut().find(same) {
        plane.add(place, spot);
        return;
    }
    if planes.len() == PLANES {
        let gap = |plane: &TouchedPlane| plane.deepest.gap;
        let all = planes.iter().enumerate();
        let highest = all.max_by(|(_, a), (_, b)| gap(a).total_cmp(&gap(b)));
        match highest {
            Some((n, plane)) if spot.gap < gap(plane) => planes.swap_remove(n),
            _ => return,
        };
    }
    planes.push(TouchedPlane::new(level, place, spot));
}

impl TouchedPlane {
    fn new(level: f32, place: Vec3, spot: HullSpot) -> Self {
        Self {
            level,
            deepest: spot,
            outermost: core::array::from_fn(|corner| (outwards(corner, place), spot)),
        }
    }

    fn is_same(&self, normal: Vec3, level: f32) -> bool {
        let (cosine, apart) = SAME_PLANE;
        self.deepest.normal.dot(normal) > cosine && (self.level - level).abs() < apart
    }

    fn add(&mut self, place: Vec3, spot: HullSpot) {
        if spot.gap < self.deepest.gap {
            self.deepest = spot;
        }
        for (corner, most) in self.outermost.iter_mut().enumerate() {
            let outwards = outwards(corner, place);
            if outwards > most.0 {
                *most = (outwards, spot);
            }
        }
    }

    fn spots(&self) -> impl Iterator<Item = HullSpot> {
        let outermost = self.outermost.iter().map(|(_, spot)| *spot);
        let most = |spot: HullSpot| spot.gap > self.deepest.gap + LEVEL;
        let deepest = outermost.clone().all(most).then_some(self.deepest);
        outermost.chain(deepest)
    }
}

/// Distance of a point toward a corner; both in shares of the half extents.
fn outwards(corner: usize, place: Vec3) -> f32 {
    corner_sign(corner).dot(place)
}

/// A corner of a box in shares of its half extents.
fn corner_sign(corner: usize) -> Vec3 {
    let sign = |bit: usize| if corner & bit == 0 { 1.0 } else { -1.0 };
    Vec3::new(sign(1), sign(2), sign(4))
}

impl<'a> HullMotion<'a> {
    fn new(around: &'a Surroundings<'a>, body: &'a Body, hull: &CollisionBox) -> Self {
        let turn = math::matrix(body.now.rotation);
        let middle = turn * hull.center;
        let (half, spin) = (hull.half_extents, body.now.angular_velocity);
        let velocity = body.now.linear_velocity + spin.cross(middle);
        let turning = math::sqrt(spin.dot(spin) * half.dot(half));
        Self {
            around,
            body,
            layers: hull.layers,
            moving: MovingBox {
                half_extents: half,
                motion: turn.transpose() * velocity * around.dt,
                reach: MARGIN + turning * around.dt,
            },
            turn,
            middle,
            center: around.origin + body.now.position + middle.as_dvec3(),
        }
    }

    /// A point of the box, or a direction in its axes, as seen from its center (world axes).
    fn to_world(&self, place: Vec3) -> Vec3 {
        self.turn * place
    }

    /// A vector in the box's axes.
    fn to_box(&self, world: DVec3) -> Vec3 {
        self.turn.transpose() * world.as_vec3()
    }

    /// Whether the hull's center is inside a solid.
    fn is_buried(&self) -> bool {
        let Some(up) = self.around.up else {
            return false;
        };
        let here = Ray {
            origin: self.center,
            direction: -up,
            length: 0.0,
        };
        let hit = self.around.ground.cast(&here, self.layers);
        hit.is_some_and(|(hit, _)| hit.inside)
    }

    /// The corners inside the solid around its center. A ray along gravity, from the height of the
    /// center at least, measures how deep they are.
    fn buried_corners(&self) -> impl Iterator<Item = HullSpot> {
        (0..8).filter_map(|corner| {
            let up = self.around.up?;
            let side = self.to_world(corner_sign(corner) * self.moving.half_extents);
            let arm = self.middle + side;
            let above = (-side.as_dvec3().dot(up)).max(0.0);
            let place = self.center + side.as_dvec3();
            let reach = self.reach(arm).into();
            let gap = self
                .around
                .ground
                .gap(place, up, above, reach, self.layers)?;
            gap.buried.then_some(HullSpot {
                arm,
                normal: gap.normal,
                gap: gap.distance as f32,
            })
        })
    }

    /// Distance from the ground up to which a point of the hull counts (`m`).
    fn reach(&self, arm: Vec3) -> f32 {
        let now = &self.body.now;
        let speed = now.linear_velocity + now.angular_velocity.cross(arm);
        math::sqrt(speed.dot(speed)) * self.around.dt + MARGIN
    }

    /// Region that the hull may reach within the step.
    fn region(&self) -> GroundRegion {
        let half = self.moving.half_extents;
        let extent = self.turn.x_axis.abs() * half.x
            + self.turn.y_axis.abs() * half.y
            + self.turn.z_axis.abs() * half.z
            + Vec3::splat(self.moving.reach);
        let motion = self.to_world(self.moving.motion);
        GroundRegion {
            low: self.center + (motion.min(Vec3::ZERO) - extent).as_dvec3(),
            high: self.center + (motion.max(Vec3::ZERO) + extent).as_dvec3(),
        }
    }

    /// Calls `found` with every point that touches, and its position in shares of the half extents.
    fn touches(&self, found: &mut dyn FnMut(Vec3, HullSpot)) {
        self.around
            .ground
            .triangles_in(&self.region(), self.layers, &mut |triangle| {
                if let Some(facing) = self.facing(triangle) {
                    self.touch(&facing, found);
                }
            });
    }

    /// A triangle as seen from the box; `None` from behind a solid's, or if it has no area.
    fn facing(&self, triangle: &SurfaceTriangle) -> Option<FacingTriangle> {
        let corners = triangle.corners.map(|corner| corner - self.center);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).try_normalize()?;
        let height = -normal.dot(a);
        let side = if height < 0.0 { -1.0 } else { 1.0 };
        (height >= 0.0 || !triangle.solid).then(|| FacingTriangle {
            corners: corners.map(|corner| self.to_box(corner)),
            normal: self.to_box(normal * side),
            height: height.abs() as f32,
        })
    }

    fn touch(&self, triangle: &FacingTriangle, found: &mut dyn FnMut(Vec3, HullSpot)) {
        let Some(meeting) = self.moving.meet(triangle) else {
            return;
        };
        let mut tell = |spot: BoxSpot, counts: &dyn Fn() -> bool| {
            let arm = self.middle + self.to_world(spot.place);
            let told = spot.gap <= self.reach(arm) && counts();
            if told {
                let normal = self.to_world(spot.normal);
                let gap = spot.gap;
                found(
                    spot.place / self.moving.half_extents,
                    HullSpot { arm, normal, gap },
                );
            }
            told
        };
        let mut touches = false;
        self.moving.edge_spots(triangle, &meeting, |spot| {
            touches |= tell(spot, &|| !self.rises(&spot));
        });
        if touches {
            return;
        }
        let face = self.moving.face_over(triangle, &meeting);
        if face.rim.is_some_and(|rim| self.is_covered(triangle, rim)) {
            return;
        }
        let doubtful = meeting.is_on_edge();
        for spot in face.spots(triangle) {
            tell(spot, &|| {
                !doubtful || spot.gap > -DEEP || self.is_parted(spot.place)
            });
        }
    }

    /// Whether any ground at a point of contact rises along the normal there.
    fn rises(&self, spot: &BoxSpot) -> bool {
        let normal = self.to_world(spot.normal).as_dvec3();
        let mut rises = false;
        self.at(spot.ground, &mut |triangle, point| {
            rises |= rises_from(triangle, point, normal);
        });
        rises
    }

    /// Whether a triangle lies behind another one that begins at its rim, as the side of a curb does
    /// behind its top for a hull that lies on it.
    fn is_covered(&self, triangle: &FacingTriangle, rim: Vec3) -> bool {
        let normal = self.to_world(triangle.normal).as_dvec3();
        let inward = self.to_world(triangle.middle() - rim).as_dvec3();
        let mut covered = false;
        self.at(rim, &mut |other, point| {
            let outward = self.facing(other).map(|other| self.to_world(other.normal));
            let behind = outward.is_some_and(|outward| {
                inward.dot(outward.as_dvec3()) < -RISE * inward.length() - NEAR
            });
            covered |= behind && rises_from(other, point, normal);
        });
        covered
    }

    /// Calls `found` with each triangle at a point, in the box's axes from its center, and that point
    /// (`m`, world).
    fn at(&self, point: Vec3, found: &mut dyn FnMut(&SurfaceTriangle, DVec3)) {
        let point = self.center + self.to_world(point).as_dvec3();
        let here = GroundRegion {
            low: point - NEAR,
            high: point + NEAR,
        };
        self.around
            .ground
            .triangles_in(&here, self.layers, &mut |triangle| {
                if is_at(triangle, point) {
                    found(triangle, point);
                }
            });
    }

    /// Whether ground lies between the hull's center and a point of the hull.
    fn is_parted(&self, place: Vec3) -> bool {
        let outwards = self.to_world(place).as_dvec3();
        let length = outwards.length();
        let ray = Ray {
            origin: self.center,
            direction: outwards / length,
            length: length as f32,
        };
        self.around.ground.cast(&ray, self.layers).is_some()
    }
}

/// Whether a triangle contains a point, within a tolerance.
fn is_at(triangle: &SurfaceTriangle, point: DVec3) -> bool {
    let [a, b, c] = triangle.corners.map(|corner| corner - point);
    let Some(normal) = (b - a).cross(c - a).try_normalize() else {
        return false;
    };
    let inside = |start: DVec3, end: DVec3| {
        let inward = normal.cross(end - start).normalize_or_zero();
        -start.dot(inward) >= -NEAR
    };
    normal.dot(a).abs() <= NEAR && inside(a, b) && inside(b, c) && inside(c, a)
}

/// Whether a triangle at a point rises along a unit normal.
fn rises_from(triangle: &SurfaceTriangle, point: DVec3, normal: DVec3) -> bool {
    triangle.corners.iter().any(|corner| {
        let way = *corner - point;
        way.dot(normal) > RISE * way.length() + NEAR
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyDesc;
    use crate::{Axes, HeightField, TriangleMesh};
    use rstest::rstest;

    const HALF: Vec3 = Vec3::new(2.0, 1.0, 0.5);

    fn field(cell: f64, size: usize, height: impl FnMut(f64, f64) -> f64) -> HeightField {
        let middle = 0.5 * cell * (size - 1) as f64;
        let low = DVec3::new(-middle, -middle, 0.0);
        HeightField::from_fn(Axes::Z_UP, low, cell, [size; 2], height).unwrap()
    }

    /// The points of a hull at rest with its bottom at the height 0.
    fn spots(ground: &Grounds) -> Vec<HullSpot> {
        let around = Surroundings {
            ground,
            origin: DVec3::ZERO,
            up: Some(DVec3::Z),
            dt: 1.0 / 60.0,
        };
        let hull = CollisionBox {
            half_extents: HALF,
            center: Vec3::ZERO,
            friction: 0.5,
            layers: u32::MAX,
        };
        let inertia = BodyDesc::box_inertia(1.0, HALF);
        let body = Body::new(&BodyDesc::at_rest(DVec3::Z * 0.5, 1.0, inertia));
        HullSpots::default().find(&around, &body, &hull).to_vec()
    }

    /// However many triangles a floor has, four corners bear the hull.
    #[rstest]
    fn a_floor_bears_the_corners(
        #[values(9.0, 1.0, 0.13)] cell: f64,
        #[values(false, true)] as_mesh: bool,
    ) {
        let field = field(cell, (20.0 / cell) as usize, |_, _| -0.001);
        let ground: Grounds = if as_mesh {
            TriangleMesh::of(&field.triangles()).unwrap().into()
        } else {
            field.into()
        };
        let found = spots(&ground);
        assert_eq!(found.len(), 4, "{found:?}");
        for spot in found {
            assert!((spot.normal - Vec3::Z).length() < 1e-6, "{spot:?}");
            assert!((spot.gap - 0.001).abs() < 1e-6, "{spot:?}");
            assert!((spot.arm.abs() - HALF).length() < 1e-3, "{spot:?}");
        }
    }

    /// The deepest planes stay if there are more than there is room for.
    #[test]
    fn the_deepest_planes_are_kept() {
        let bumps = field(0.25, 41, |x, y| {
            let bump = (13.0 * x).sin() * (11.0 * y).cos();
            0.02 * bump + 0.01 * (x + y - 10.0) - 0.01
        });
        let found = spots(&bumps.into());
        let deepest = found
            .iter()
            .map(|spot| spot.gap)
            .fold(f32::INFINITY, f32::min);
        assert!(deepest < -0.01 && found.len() <= PLANES * 9, "{found:?}");
    }
}
