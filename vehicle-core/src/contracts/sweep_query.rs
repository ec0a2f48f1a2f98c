//! The contract [`SweepQuery`]: where does a wheel of some width meet the ground?

use glam::{DVec3, Vec3};

use crate::contracts::ground::{GroundHit, QueryFilter};
use crate::params::wheel_shape::WheelShape;

/// A wheel-shaped sweep along a straight line without rotation, in world axes.
///
/// Points are offsets from an `anchor`, like those of a [`GroundRay`](crate::GroundRay).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundSweep {
    /// Center of mass of the vehicle (`m`, world).
    pub anchor: DVec3,
    /// Center of the shape at the start, relative to the anchor (`m`, world axes).
    pub offset: Vec3,
    /// Unit direction of the axle (world axes); either sense, shapes are symmetric.
    pub axle: Vec3,
    /// The swept shape.
    pub shape: WheelShape,
    /// Unit direction of the sweep (world axes).
    pub direction: Vec3,
    /// Length of the sweep (`m`).
    pub length: f32,
    /// Filter of the colliders that the sweep may hit.
    pub filter: QueryFilter,
}

/// Hit of a sweep on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepHit {
    /// The hit; `distance` is the shape's displacement (`m`).
    pub ground: GroundHit,
    /// A contact point, relative to the sweep's anchor (`m`, world axes).
    pub point: Vec3,
}

/// Finds ground under wheels with a width.
///
/// In both calls:
///
/// * Only what the sweep's own [`QueryFilter`] admits is hit; sensors never are.
/// * A hit at exactly `length` counts.
/// * The normal has unit length, points from the ground to the shape and against the sweep: a face along which
///   the shape slides, or from which it moves away, is not hit.
/// * The point lies on the ground, and on the shape at the hit: the shape's farthest point against the normal
///   lies in the plane through `point`.
/// * Each triangle of a mesh or a heightfield and each part of a compound counts separately, every other
///   collider as a whole.
/// * A shape that overlaps or touches something at its start hits it at distance 0. Point and normal are those
///   of the surface: for a triangle its plane, facing the sweep; for a solid the direction of minimum
///   penetration. A wheel that was placed in the ground thus finds its surface. If that direction is not against
///   the sweep, the shape slides along or moves away, and there is no hit.
/// * A sweep that is not finite misses.
pub trait SweepQuery {
    /// Writes the first hit of `sweeps[i]` to `hits[i]`; a miss is `None`.
    ///
    /// Initial overlaps do not hide later hits: an overlap is reported only if there is no other hit; of
    /// several, the one whose normal points most against the sweep.
    ///
    /// # Panics
    /// If `sweeps.len() != hits.len()`.
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]);

    /// Calls `on_hit` for all hits with the index of the sweep and the hit. Sweeps come in order, the hits of
    /// each in any order, which is the same for the same world.
    fn sweep_all(&self, sweeps: &[GroundSweep], on_hit: &mut dyn FnMut(usize, SweepHit));
}
