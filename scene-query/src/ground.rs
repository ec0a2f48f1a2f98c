//! The trait [`Ground`]: one fixed shape, queried with a ray or a wheel-shaped sweep.

use core::fmt;

use glam::{DVec3, Vec3};
use parry_query::{ShapeHit, WheelSweep, sweep_triangle};
use vehicle_core::sweep_query::GroundSweep;
use vehicle_core::{ColliderId, GroundRay, GroundTriangle, MaterialId, TriangleQuery};

/// A ray in world axes, in double precision, so that results 100 km from the world's origin are the
/// same as at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start (`m`, world).
    pub origin: DVec3,
    /// Unit direction (world axes).
    pub direction: DVec3,
    /// Length (`m`). A hit at exactly this distance counts.
    pub length: f32,
}

impl Ray {
    /// The ray of a query; `None` if one of its numbers is not finite, its direction is not a unit
    /// vector within 1 %, or its length is negative.
    #[must_use]
    pub fn new(query: &GroundRay) -> Option<Self> {
        let ray = Self {
            origin: query.anchor + query.offset.as_dvec3(),
            direction: query.direction.as_dvec3(),
            length: query.length,
        };
        ray.is_sound().then_some(ray)
    }

    /// Whether the ray is finite, with a direction of unit length within 1 % and a non-negative length.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let square = self.direction.length_squared();
        self.origin.is_finite()
            && (square - 1.0).abs() < 0.02
            && self.length >= 0.0
            && self.length.is_finite()
    }

    /// The point at `distance` (`m`).
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// `distance` (`m`) in single precision if it lies on the ray. Distances less than a nanometer
    /// behind the start, due to rounding, count as 0.
    #[must_use]
    pub fn reach(&self, distance: f64) -> Option<f32> {
        // Compared after rounding, or 0.9 + 0.1 would not reach 1.
        let rounded = distance.max(0.0) as f32;
        (distance >= -1e-9 && rounded <= self.length).then_some(rounded)
    }
}

/// Hit of a ray on a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray (`m`).
    pub distance: f32,
    /// Unit normal, against the ray (world axes).
    pub normal: Vec3,
    /// Triangle of a mesh or heightfield.
    pub triangle: Option<u32>,
    /// Whether the ray started inside the solid; then `distance` is 0 and `normal` is minus the
    /// ray's direction.
    pub inside: bool,
}

impl Hit {
    /// A hit of a ray that starts inside a solid.
    #[must_use]
    pub fn inside(ray: &Ray) -> Self {
        Self {
            distance: 0.0,
            normal: -ray.direction.as_vec3(),
            triangle: None,
            inside: true,
        }
    }
}

/// A wheel-shaped sweep, as exact far from the world's origin as near it: ground is taken relative
/// to its start.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Center of the wheel at the start (`m`, world).
    pub start: DVec3,
    /// The motion from there: 0 is the start.
    pub way: WheelSweep,
}

impl Sweep {
    /// The sweep of a query; `None` if one of its numbers is not finite, the shape is invalid, a
    /// direction is not a unit vector within 1 %, or its length is negative.
    #[must_use]
    pub fn new(query: &GroundSweep) -> Option<Self> {
        let start = query.anchor + query.offset.as_dvec3();
        let way = WheelSweep::new(query, Vec3::ZERO).filter(|_| start.is_finite())?;
        Some(Self { start, way })
    }

    /// The corners of the bounding box of the whole sweep (`m`, world).
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let (low, high) = self.way.bounds();
        (self.start + low.as_dvec3(), self.start + high.as_dvec3())
    }

    /// The hit on a triangle (`m`, world), from either side.
    pub(crate) fn triangle(&self, corners: [DVec3; 3]) -> Option<ShapeHit> {
        sweep_triangle(corners.map(|corner| corner - self.start), &self.way)
    }

    /// Whether a face with this outward normal, of any length, faces the sweep.
    pub(crate) fn meets(&self, outward: DVec3) -> bool {
        outward.dot(self.way.direction()) < 0.0
    }
}

/// A triangle of a ground's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceTriangle {
    /// Corners of the triangle (`m`, world), counter-clockwise as seen from outside a solid.
    pub corners: [DVec3; 3],
    /// Whether a solid is behind the triangle; otherwise it has two sides.
    pub solid: bool,
    /// Number of the triangle in a mesh or heightfield, as in hits.
    pub number: Option<u32>,
}

impl SurfaceTriangle {
    /// The answer to a query of `anchor` (`m`, world), for a triangle of a fixed `part` with this collider.
    pub(crate) fn answer(
        &self,
        anchor: DVec3,
        material: MaterialId,
        collider: ColliderId,
    ) -> GroundTriangle {
        GroundTriangle {
            corners: self.corners.map(|corner| (corner - anchor).as_vec3()),
            solid: self.solid,
            material,
            body: None,
            collider,
            triangle: self.number,
        }
    }
}

/// An axis-aligned box (`m`, world): the region in which a hull looks for ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundRegion {
    /// Least coordinates.
    pub low: DVec3,
    /// Greatest coordinates.
    pub high: DVec3,
}

impl GroundRegion {
    /// The region of a query; `None` if one of its numbers is not finite.
    #[must_use]
    pub fn of(query: &TriangleQuery) -> Option<Self> {
        let region = Self {
            low: query.anchor + query.low.as_dvec3(),
            high: query.anchor + query.high.as_dvec3(),
        };
        (region.low.is_finite() && region.high.is_finite()).then_some(region)
    }

    /// Whether a box with these minimum and maximum coordinates (`m`, world) overlaps the region.
    #[must_use]
    pub fn meets(&self, low: DVec3, high: DVec3) -> bool {
        low.cmple(self.high).all() && self.low.cmple(high).all()
    }

    /// The extent along each axis (`m`).
    #[must_use]
    pub fn size(&self) -> DVec3 {
        self.high - self.low
    }

    /// Center of the region (`m`, world).
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        self.low.midpoint(self.high)
    }
}

/// One fixed shape that wheels can drive on, and that hulls touch.
pub trait Ground: fmt::Debug + Send + Sync {
    /// The nearest hit of `ray`; `None` on a miss.
    ///
    /// * A hit at exactly the ray's length counts.
    /// * A ray that starts inside a solid is a hit at distance 0 with the normal `−direction`.
    ///   Planes, ramps, steps and heightfields are infinitely solid below their surface;
    ///   a triangle mesh is a surface with nothing inside, hit from both sides.
    /// * The normal has unit length and points against the ray.
    ///
    /// The ray [is valid](Ray::is_sound).
    fn cast(&self, ray: &Ray) -> Option<Hit>;

    /// Calls `found` with all hits of a wheel-shaped sweep, always in the same order, as
    /// [`SweepQuery`](vehicle_core::SweepQuery) requires. The faces of a ramp or a staircase are
    /// separate hits, like the parts of a compound. A wheel whose center is below the surface of a
    /// solid, and which reaches up to none of its faces, overlaps the nearest face.
    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit));

    /// Calls `found` with the triangles of the surface that overlap `region`, always in the same order;
    /// others may be among them. Hulls touch these triangles and nothing else. Those of an unbounded
    /// surface end somewhere outside the region.
    fn triangles_in(&self, region: &GroundRegion, found: &mut dyn FnMut(&SurfaceTriangle));
}

/// Distance of a point above a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance from the ground's tangent plane (`m`); negative below it.
    pub distance: f64,
    /// Unit normal of the ground (world axes).
    pub normal: Vec3,
    /// Whether the search started inside the ground: then the depth is at least `distance`, and the normal is `up`.
    pub buried: bool,
}

/// Distance of `point` (`m`, world) above the ground of `cast`, by a ray along the unit vector
/// −`up` that starts `above` (`m`) over the point and ends `below` (`m`) under it; `None` if there
/// is no hit.
pub(crate) fn gap(
    cast: impl FnOnce(&Ray) -> Option<Hit>,
    point: DVec3,
    up: DVec3,
    above: f64,
    below: f64,
) -> Option<Gap> {
    let ray = Ray {
        origin: point + up * above,
        direction: -up,
        length: (above + below) as f32,
    };
    if !ray.is_sound() {
        return None;
    }
    let hit = cast(&ray)?;
    let along_up = f64::from(hit.distance) - above;
    Some(Gap {
        distance: along_up * hit.normal.as_dvec3().dot(up),
        normal: hit.normal,
        buried: hit.inside,
    })
}
