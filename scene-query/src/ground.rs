//! The trait [`Ground`]: one fixed shape, asked with one ray or one wheel-shaped sweep.

use core::fmt;

use glam::{DVec3, Vec3};
use parry_query::{ShapeHit, WheelSweep, sweep_triangle};
use vehicle_core::GroundRay;
use vehicle_core::sweep_query::GroundSweep;

/// A ray in world axes, in double precision, so that a ground answers 100 km from the world's
/// origin as it does there.
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
    /// The ray of a query; `None` if a number of it is not finite, its direction is not a unit
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

    /// Whether it is finite, of a direction that has unit length within 1 %, and not of negative
    /// length.
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

    /// `distance` (`m`) in single precision if it lies on the ray. Distances that rounding has put
    /// less than a nanometre behind the start count as 0.
    #[must_use]
    pub fn reach(&self, distance: f64) -> Option<f32> {
        // Compared after rounding, or 0.9 + 0.1 would not reach 1.
        let rounded = distance.max(0.0) as f32;
        (distance >= -1e-9 && rounded <= self.length).then_some(rounded)
    }
}

/// Where a ray met a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Way along the ray (`m`).
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

/// A wheel-shaped sweep, far from the world's origin as exact as near it: what it meets is taken
/// relative to its start.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Centre of the wheel at the start (`m`, world).
    pub start: DVec3,
    /// The way from there: 0 is the start.
    pub way: WheelSweep,
}

impl Sweep {
    /// The sweep of a query; `None` if a number of it is not finite, the shape is not sound, a
    /// direction is not a unit vector within 1 %, or its length is negative.
    #[must_use]
    pub fn new(query: &GroundSweep) -> Option<Self> {
        let start = query.anchor + query.offset.as_dvec3();
        let way = WheelSweep::new(query, Vec3::ZERO).filter(|_| start.is_finite())?;
        Some(Self { start, way })
    }

    /// The corners of the box around its whole way (`m`, world).
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let (low, high) = self.way.bounds();
        (self.start + low.as_dvec3(), self.start + high.as_dvec3())
    }

    /// What it hits of a triangle (`m`, world), from either side.
    pub(crate) fn triangle(&self, corners: [DVec3; 3]) -> Option<ShapeHit> {
        sweep_triangle(corners.map(|corner| corner - self.start), &self.way)
    }

    /// Whether a face with this outward normal, of any length, looks against the way.
    pub(crate) fn meets(&self, outward: DVec3) -> bool {
        outward.dot(self.way.direction()) < 0.0
    }
}

/// One fixed shape that wheels can drive on.
pub trait Ground: fmt::Debug + Send + Sync {
    /// The nearest hit of `ray`; `None` on a miss.
    ///
    /// * A hit at exactly the ray's length counts.
    /// * A ray that starts inside a solid is a hit at distance 0 with the normal `−direction`.
    ///   Planes, ramps, steps and heightfields are solid below their surface, without end;
    ///   a triangle mesh is a surface with nothing inside, hit from both sides.
    /// * The normal has unit length and points against the ray.
    ///
    /// The ray [is sound](Ray::is_sound).
    fn cast(&self, ray: &Ray) -> Option<Hit>;

    /// Tells `found` all hits of a wheel-shaped sweep, in the same order each time, as
    /// [`SweepQuery`](vehicle_core::SweepQuery) has it. A ramp's and a staircase's faces are hits
    /// of their own, as the parts of a compound are. A wheel whose centre is below the surface of a
    /// solid, and which reaches up to no face of it, overlaps with the face that is nearest.
    fn sweep(&self, sweep: &Sweep, found: &mut dyn FnMut(ShapeHit));
}

/// How far a point is above a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance from the plane that touches the ground there (`m`); negative below it.
    pub distance: f64,
    /// Unit normal of the ground (world axes).
    pub normal: Vec3,
    /// Whether the search already started in the ground: then it is at least as deep as
    /// `distance` says, and the normal is `up`.
    pub buried: bool,
}

/// How far `point` (`m`, world) is above the ground of `cast`, by a ray along the unit vector −`up`
/// that starts `above` (`m`) over the point and ends `below` (`m`) under it; `None` if it finds none.
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
