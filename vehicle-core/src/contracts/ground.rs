//! Queries of the ground, and their hits.

use glam::{DVec3, Vec3};

use crate::base::ids::{BodyId, ColliderId, MaterialId};

/// Filter of a query. It is part of each query, so that one batch serves a whole fleet.
///
/// Sensors are never hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QueryFilter {
    /// Ground layers of this wheel, one bit each. A collider is hit if it shares a bit. By default all layers.
    pub layers: u32,
    /// Bodies that are never hit: the vehicle's chassis and, for example, its trailer.
    pub ignore: [Option<BodyId>; 2],
    /// Whether dynamic bodies (crates, other cars) are ground, too.
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
/// Points are offsets (`m`) from an `anchor`, the vehicle's center of mass, so that single precision suffices
/// far from the world's origin: the core never computes with the anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundRay {
    /// Center of mass of the vehicle (`m`, world).
    pub anchor: DVec3,
    /// Start of the ray relative to the anchor (`m`, world axes).
    pub offset: Vec3,
    /// Unit direction (world axes).
    pub direction: Vec3,
    /// Length of the ray (`m`).
    pub length: f32,
    /// Filter of the ray.
    pub filter: QueryFilter,
}

impl GroundRay {
    /// Initial value: no length, hits nothing.
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

/// Hit of a ray on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundHit {
    /// Distance along the ray (`m`); 0 is an initial overlap.
    pub distance: f32,
    /// Unit normal of the ground, against the ray (world axes).
    pub normal: Vec3,
    /// Material of the ground at the hit.
    pub material: MaterialId,
    /// The hit body, if it can move; `None` for fixed ground.
    pub body: Option<BodyId>,
    /// The hit collider.
    pub collider: ColliderId,
    /// Triangle of a mesh or heightfield. Its number is the one the mesh was given with, or the engine's own, if that
    /// reorders them; smooth normals need to know which.
    pub triangle: Option<u32>,
}
