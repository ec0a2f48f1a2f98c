//! Gap-free rays and wheel-shaped sweeps against single shapes of Parry: what any engine built on
//! Parry needs to provide ground for vehicles.
//!
//! [`wheel`]: a moving wheel · [`sweep`](mod@sweep): hits on planes, triangles, boxes and capsules ·
//! [`first`]: the blocking hit · [`single`]: points relative to anchors, half spaces as boxes, sizes of wheel colliders ·
//! [`ids`]: numbers for ids · [`options`]: what counts as ground ·
//! [`tree`]: leaves near a box ·
//! [`ray`]: rays without gaps along the grid lines of heightfields · [`group`]: rays of one vehicle together · [`batch`]: those of many ·
//! [`shapes`]: hits of sweeps on Parry's shapes · [`surface`]: triangles as data · [`near`]: those near a wheel.
//!
//! The last seven need the feature `parry` (default); without it, Parry is not compiled.
//!
//! Sweeps are computed in double precision relative to the wheel, so that they are as exact on a
//! box of 800 m as on a small one: distances are within rounding of the shape's own
//! single-precision coordinates.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod wheel;

mod convex;
mod touch;
pub mod sweep;

pub mod first;

pub mod single;

pub mod ids;

pub mod options;

#[cfg(all(test, feature = "parry"))]
mod testing;

#[cfg(feature = "parry")]
mod four;
#[cfg(feature = "parry")]
pub mod tree;
#[cfg(feature = "parry")]
mod triangles;
#[cfg(feature = "parry")]
pub mod ray;
#[cfg(feature = "parry")]
pub mod group;
#[cfg(feature = "parry")]
pub mod batch;
#[cfg(feature = "parry")]
pub mod shapes;
#[cfg(feature = "parry")]
pub mod surface;
#[cfg(feature = "parry")]
pub mod near;

#[cfg(feature = "parry")]
pub use batch::{RayGroups, cast_by_vehicle};
pub use first::First;
#[cfg(feature = "parry")]
pub use group::{RayGroup, ground_hit};
pub use ids::IdTable;
#[cfg(feature = "parry")]
pub use near::{ShapeTriangle, triangles_near};
pub use options::GroundOptions;
#[cfg(feature = "parry")]
pub use ray::{cast_ray, is_surface, normal_against};
#[cfg(feature = "parry")]
pub use shapes::sweep;
pub use single::{HalfSpaceBlock, WheelSize, from_anchor, reach, to_anchor, to_offset};
#[cfg(feature = "parry")]
pub use surface::surface_triangles;
pub use sweep::{
    ShapeHit, sweep_capsule, sweep_contact, sweep_cuboid, sweep_plane, sweep_triangle,
};
pub use wheel::WheelSweep;
