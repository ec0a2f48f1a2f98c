//! Rays and shapes for tests.

use glam::{DVec3, Vec3};
use parry3d::shape::ConvexPolyhedron;
use vehicle_core::{BodyId, GroundRay, QueryFilter};

/// A ray of 2 m downwards of a vehicle whose anchor is 100 m along x for each before it, and which does not stand on itself.
pub(crate) fn ray(vehicle: u64, offset: Vec3) -> GroundRay {
    GroundRay {
        anchor: DVec3::new(100.0 * vehicle as f64, 0.0, 0.0),
        offset,
        direction: Vec3::NEG_Z,
        length: 2.0,
        filter: QueryFilter::except(BodyId(vehicle)),
    }
}

/// An irregular polyhedron of five corners.
pub(crate) fn hull() -> ConvexPolyhedron {
    let corners = [
        Vec3::new(0.2, -0.5, 0.1),
        Vec3::new(1.1, 0.3, -0.4),
        Vec3::new(-0.7, 0.2, 0.6),
        Vec3::new(0.1, 1.3, 0.2),
        Vec3::new(-0.1, 0.1, -0.9),
    ];
    ConvexPolyhedron::from_convex_hull(&corners).unwrap()
}
