//! What is asked of the ground, and what it answers.

use glam::{DVec3, Vec3};

use crate::base::ids::{BodyId, ColliderId, MaterialId};

/// What one query may hit. It travels with each query, so that one batch serves a whole fleet.
///
/// Sensors are never hit, whatever the filter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QueryFilter {
    /// Ground layers that this wheel drives on, one bit each. A collider answers if it shares a
    /// bit. By default all layers.
    pub layers: u32,
    /// Bodies that never answer: the own chassis, and for example its trailer.
    pub ignore: [Option<BodyId>; 2],
    /// Whether bodies that move freely (crates, other cars) are ground, too.
    pub dynamic_bodies: bool,
}

impl QueryFilter {
    /// Everything drivable except `own`.
    #[must_use]
    pub const fn except(own: BodyId) -> Self {
        Self {
            layers: u32::MAX,
            ignore: [Some(own), None],
            dynamic_bodies: true,
        }
    }
}

/// A ray, in world axes.
///
/// Points are given as an offset (`m`) from an `anchor`, the vehicle's centre of mass, so that
/// single precision suffices far away from the world's origin: core never computes with the anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundRay {
    /// Centre of mass of the vehicle that asks (`m`, world).
    pub anchor: DVec3,
    /// Start of the ray relative to the anchor (`m`, world axes).
    pub offset: Vec3,
    /// Unit direction (world axes).
    pub direction: Vec3,
    /// Length of the ray (`m`).
    pub length: f32,
    /// What it may hit.
    pub filter: QueryFilter,
}

impl GroundRay {
    /// To plan into: no way to go, and nothing to hit.
    pub const BLANK: Self = Self {
        anchor: DVec3::ZERO,
        offset: Vec3::ZERO,
        direction: Vec3::ZERO,
        length: 0.0,
        filter: QueryFilter {
            layers: 0,
            ignore: [None; 2],
            dynamic_bodies: false,
        },
    };
}

/// Where a ray met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundHit {
    /// Way along the ray (`m`); 0 is an initial overlap.
    pub distance: f32,
    /// Unit normal of the ground, towards the side that the ray came from (world axes).
    pub normal: Vec3,
    /// Material of the ground at the hit.
    pub material: MaterialId,
    /// The body that was hit, if it can move; `None` for fixed ground.
    pub body: Option<BodyId>,
    /// The collider that was hit.
    pub collider: ColliderId,
    /// Triangle of a mesh or heightfield, if the ground is made of triangles.
    pub triangle: Option<u32>,
}
