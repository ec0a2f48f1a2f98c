//! Rays for tests.

use glam::{DVec3, Vec3};
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
