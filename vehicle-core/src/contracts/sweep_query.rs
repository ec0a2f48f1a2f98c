//! The contract [`SweepQuery`]: where does a wheel of some width meet the ground?

use glam::{DVec3, Vec3};

use crate::contracts::ground::{GroundHit, QueryFilter};
use crate::params::wheel_shape::WheelShape;

/// A wheel-shaped body that moves along a straight line without turning, in world axes.
///
/// Points are offsets from an `anchor`, as those of a [`GroundRay`](crate::GroundRay).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundSweep {
    /// Centre of mass of the vehicle that asks (`m`, world).
    pub anchor: DVec3,
    /// Centre of the shape at the start, relative to the anchor (`m`, world axes).
    pub offset: Vec3,
    /// Unit direction of the axle (world axes); either sense, shapes are symmetric.
    pub axle: Vec3,
    /// What is swept.
    pub shape: WheelShape,
    /// Unit direction of the way (world axes).
    pub direction: Vec3,
    /// Length of the way (`m`).
    pub length: f32,
    /// What it may hit.
    pub filter: QueryFilter,
}

/// Where a sweep met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepHit {
    /// What was hit; `distance` is the way of the shape (`m`).
    pub ground: GroundHit,
    /// A point where they touch, relative to the sweep's anchor (`m`, world axes).
    pub point: Vec3,
}

/// Finds ground under wheels of some width.
///
/// In both calls:
///
/// * Only what the sweep's own [`QueryFilter`] admits is hit; sensors never are.
/// * A hit at exactly `length` counts.
/// * The normal has unit length, points from the ground to the shape, and so against the way: a face
///   that the shape only slides along or moves away from is not hit.
/// * The point lies on the ground, and on the shape where it then is: the shape's farthest point
///   against the normal lies in the plane through `point`.
/// * Each triangle of a mesh or a heightfield and each part of a compound is something of its own,
///   every other collider is one thing.
/// * A shape that overlaps something at its start, or touches it there, hits it at distance 0. Point
///   and normal are those of the surface: for a triangle its plane, turned against the way; for a
///   solid the nearest way out of it. So a wheel that was put into the ground learns where the
///   surface is. Where the nearest way out is not against the way, the shape slides along or moves
///   away, and there is no hit.
/// * A sweep that is not finite misses.
pub trait SweepQuery {
    /// Writes the first hit of `sweeps[i]` to `hits[i]`; a miss is `None`.
    ///
    /// What overlaps at the start does not hide what comes later: an overlap is reported only where
    /// there is no other hit; of several, the one whose normal points most against the sweep.
    ///
    /// # Panics
    /// If `sweeps.len() != hits.len()`.
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]);

    /// Tells `found` all hits: the number of the sweep, and the hit. The sweeps come one after the
    /// other, the hits of each in no particular order, but in the same order for the same world.
    fn sweep_all(&self, sweeps: &[GroundSweep], found: &mut dyn FnMut(usize, SweepHit));
}
