//! Wheel sweeps on Parry's shapes. `JOUNCE_LONG=1` runs many more random cases.

mod dice;
mod judge;
mod contract;
mod first;
mod random;
mod flat;
mod moved;

use glam::{DVec3, Vec3};
use parry_query::{ShapeHit, WheelSweep, sweep};
use parry3d::math::Pose;
use parry3d::shape::Shape;
use vehicle_core::{GroundSweep, QueryFilter, ShapeKind, WheelShape};

const KINDS: [ShapeKind; 4] = [
    ShapeKind::Cylinder,
    ShapeKind::Sphere,
    ShapeKind::Capsule,
    ShapeKind::RoundedDisc,
];

/// Number of random cases: `long` if the environment variable `JOUNCE_LONG` is 1, otherwise
/// `quick`. The first cases are the same in both.
fn cases(long: u32, quick: u32) -> u32 {
    if std::env::var_os("JOUNCE_LONG").is_some_and(|value| value == "1") {
        long
    } else {
        quick
    }
}

fn wheel(kind: ShapeKind) -> WheelShape {
    WheelShape {
        kind,
        radius: 0.35,
        half_width: 0.1,
    }
}

/// Straight down (−y) for 2 m, the axle along z.
fn down(kind: ShapeKind, from: Vec3) -> GroundSweep {
    GroundSweep {
        anchor: DVec3::ZERO,
        offset: from,
        axle: Vec3::Z,
        shape: wheel(kind),
        direction: Vec3::NEG_Y,
        length: 2.0,
        filter: QueryFilter {
            layers: u32::MAX,
            ignore: [None, None],
            dynamic_bodies: true,
        },
    }
}

/// All hits of a sweep on one shape.
fn hits(query: &GroundSweep, shape: &dyn Shape, pose: &Pose) -> Vec<ShapeHit> {
    let mut found = Vec::new();
    if let Some(way) = WheelSweep::new(query, query.offset) {
        sweep(shape, pose, &way, &mut |hit| found.push(hit));
    }
    found
}

/// The nearest hit.
fn nearest(query: &GroundSweep, shape: &dyn Shape, pose: &Pose) -> Option<ShapeHit> {
    let found = hits(query, shape, pose);
    found
        .into_iter()
        .min_by(|a, b| a.distance.total_cmp(&b.distance))
}
