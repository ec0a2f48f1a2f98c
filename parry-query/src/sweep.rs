//! All hits of one wheel-shaped sweep on one shape.

use glam::{DMat3, DVec3, Quat, Vec3};
use vehicle_core::sweep_query::{GroundSweep, SweepHit};
use vehicle_core::{BodyId, ColliderId, GroundHit, MaterialId};

use crate::convex::Convex;
use crate::touch::{TouchPoint, first_touch};
use crate::wheel::WheelSweep;

/// The wheel slides along a face whose inclination against the sweep (a sine) is less than this.
const GRAZING: f64 = 1e-3;

/// Hit of a sweep on a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// Distance traveled by the wheel (`m`), from 0 to the length of the sweep; 0 is an overlap
    /// (or a touch) at the start.
    pub distance: f32,
    /// Unit normal, from the shape to the wheel and against the sweep (world axes).
    pub normal: Vec3,
    /// Point of contact, from the wheel's center at the start (`m`, world axes).
    pub point: Vec3,
    /// Triangle of a mesh or heightfield.
    pub triangle: Option<u32>,
}

impl ShapeHit {
    /// The answer to `sweep` for a `collider` of this `material` and `body`.
    #[must_use]
    pub fn answer(
        &self,
        sweep: &GroundSweep,
        material: MaterialId,
        body: Option<BodyId>,
        collider: ColliderId,
    ) -> SweepHit {
        SweepHit {
            ground: GroundHit {
                distance: self.distance,
                normal: self.normal,
                material,
                body,
                collider,
                triangle: self.triangle,
            },
            point: sweep.offset + self.point,
        }
    }
}

/// The hit on one triangle, with its corners relative to the wheel's center at the start (`m`,
/// world axes), from either side. `None` also for a triangle without area.
#[must_use]
pub fn sweep_triangle(corners: [DVec3; 3], sweep: &WheelSweep) -> Option<ShapeHit> {
    Some(sweep.hit(&sweep.triangle(corners)?, None))
}

/// The hit on the ground below a plane: its unit `normal` points out of the ground, and the wheel's
/// center starts `height` (`m`) above it.
#[must_use]
pub fn sweep_plane(normal: DVec3, height: f64, sweep: &WheelSweep) -> Option<ShapeHit> {
    Some(sweep.hit(&sweep.plane(normal, height)?, None))
}

/// The hit on a plane through `point` (`m`, from the wheel's center at the start) with this outward unit `normal`: makes
/// exact what an engine found with a wheel of corners, or stopped short of.
#[must_use]
pub fn sweep_contact(point: Vec3, normal: Vec3, sweep: &WheelSweep) -> Option<ShapeHit> {
    let (point, normal) = (point.as_dvec3(), normal.as_dvec3().try_normalize()?);
    sweep_plane(normal, -point.dot(normal), sweep)
}

/// The hit on a solid box at `place` (`m`) relative to the wheel's center at the start, with this
/// `rotation` and these half extents (`m`).
#[must_use]
pub fn sweep_cuboid(
    half_extents: Vec3,
    place: Vec3,
    rotation: Quat,
    sweep: &WheelSweep,
) -> Option<ShapeHit> {
    let (seen, axes) = sweep.seen_from(place, rotation);
    let touch = seen.solid(&Convex::cuboid(half_extents))?;
    Some(sweep.hit(&touch.turned(axes), None))
}

/// The hit on a solid capsule, all within `radius` (`m`) of the line between two `ends` (`m`, world axes, from the
/// wheel's center at the start).
#[must_use]
pub fn sweep_capsule(ends: [DVec3; 2], radius: f64, sweep: &WheelSweep) -> Option<ShapeHit> {
    let touch = sweep.solid(&Convex::capsule(ends, radius))?;
    Some(sweep.hit(&touch, None))
}

impl TouchPoint {
    /// This touch in the axes that `axes` maps to.
    pub(crate) fn turned(self, axes: DMat3) -> Self {
        Self {
            normal: axes * self.normal,
            point: axes * self.point,
            ..self
        }
    }
}

impl WheelSweep {
    pub(crate) fn hit(&self, touch: &TouchPoint, triangle: Option<u32>) -> ShapeHit {
        ShapeHit {
            distance: touch.distance.clamp(0.0, self.length) as f32,
            normal: touch.normal.as_vec3().normalize_or_zero(),
            point: touch.point.as_vec3(),
            triangle,
        }
    }

    fn reach(&self) -> f64 {
        self.length + self.rounding
    }

    /// A half-space in closed form.
    pub(crate) fn plane(&self, normal: DVec3, height: f64) -> Option<TouchPoint> {
        let approach = -self.direction.dot(normal);
        let lowest = self.wheel.farthest(-normal);
        let gap = height + lowest.dot(normal);
        let distance = (gap / approach).max(0.0);
        (approach > GRAZING && distance <= self.reach()).then(|| TouchPoint {
            distance,
            normal,
            // In an overlap, the wheel's lowest point projected onto the plane.
            point: lowest + self.direction * distance - normal * gap.min(0.0),
        })
    }

    /// One triangle, with corners relative to the start.
    pub(crate) fn triangle(&self, corners: [DVec3; 3]) -> Option<TouchPoint> {
        let [a, b, c] = corners;
        let across = (b - a).cross(c - a).try_normalize()?;
        let normal = if across.dot(self.direction) > 0.0 {
            -across
        } else {
            across
        };
        let lowest = self.wheel.farthest(-normal);
        let gap = (lowest - a).dot(normal);
        let approach = -self.direction.dot(normal);
        if gap > self.reach() * approach {
            return None;
        }
        let faces = approach > GRAZING;
        let distance = gap / approach;
        let point = lowest + self.direction * distance;
        if faces && distance > 0.0 && covers(corners, across, point) {
            return Some(TouchPoint {
                distance,
                normal,
                point,
            });
        }
        let triangle = Convex::triangle(corners);
        let touch = self.first_touch(&|direction: DVec3| triangle.farthest(direction))?;
        if touch.distance > 0.0 {
            return Some(touch);
        }
        // Only the position of the plane matters, not the solid below it.
        faces.then(|| TouchPoint {
            distance: 0.0,
            normal,
            point: lowest - normal * gap,
        })
    }

    /// One convex solid.
    pub(crate) fn solid(&self, solid: &Convex<'_>) -> Option<TouchPoint> {
        let farthest = |direction: DVec3| solid.farthest(direction) - self.start;
        let touch = self.first_touch(&farthest)?;
        if touch.distance > 0.0 {
            return Some(touch);
        }
        let out = self.way_out(&farthest)?;
        (out.normal.dot(self.direction) < -GRAZING).then_some(TouchPoint {
            distance: 0.0,
            ..out
        })
    }

    /// The first touch; its distance is not positive if the wheel already touches at the start,
    /// `None` if it only slides along or moves away.
    ///
    /// The search uses a wheel thinner by the single-precision rounding, so that faces the wheel
    /// slides along do not block it.
    fn first_touch(&self, farthest: &impl Fn(DVec3) -> DVec3) -> Option<TouchPoint> {
        let thin = self.wheel.without(self.rounding);
        // Extra distance due to the skin at a face inclined by `GRAZING`.
        let reach = self.reach() + self.rounding / GRAZING;
        let touch = first_touch(&thin, self.direction, reach, farthest)?;
        let approach = -touch.normal.dot(self.direction);
        let distance = touch.distance - self.rounding / approach;
        if distance > 0.0 {
            return (approach > GRAZING && distance <= self.reach())
                .then_some(TouchPoint { distance, ..touch });
        }
        // It entered behind the start: is it still inside?
        let back = first_touch(&thin, -self.direction, 0.0, farthest);
        (touch.distance > 0.0 || back.is_some()).then_some(TouchPoint { distance, ..touch })
    }

    /// The shortest displacement out of a solid that the wheel overlaps: its normal, and the solid's point
    /// there.
    ///
    /// Where a unit direction leaves the solid, the tangent plane is no farther than the exit:
    /// following its normal instead is shorter, which converges to a local minimum. This is tried
    /// from six directions.
    fn way_out(&self, farthest: &impl Fn(DVec3) -> DVec3) -> Option<TouchPoint> {
        let (right, up) = self.direction.any_orthonormal_pair();
        let starts = [-self.direction, right, -right, up, -up, self.direction];
        let shortest = starts.into_iter().filter_map(|start| {
            let mut way = start;
            let mut out = None;
            for _ in 0..16 {
                // Move in deeper first: where does the wheel touch on the way back?
                let touch = first_touch(&self.wheel, -way, self.rounding, farthest)?;
                out = Some(touch);
                let same = touch.normal.dot(way) > 1.0 - 1e-12;
                way = touch.normal;
                if same {
                    break;
                }
            }
            out
        });
        // The distance is negative.
        shortest.reduce(|best, next| {
            if next.distance > best.distance {
                next
            } else {
                best
            }
        })
    }
}

/// Whether a point of a triangle's plane lies in the triangle; `across` is its normal by the
/// orientation of its corners.
fn covers([a, b, c]: [DVec3; 3], across: DVec3, point: DVec3) -> bool {
    let inside = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(across) >= 0.0;
    inside(a, b) && inside(b, c) && inside(c, a)
}
