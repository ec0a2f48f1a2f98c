//! Ground without an engine, and the standalone world.
//!
//! Fixed grounds of many shapes serve the rays and sweeps of wheels
//! ([`SceneQuery`](vehicle_core::SceneQuery), [`SweepQuery`](vehicle_core::SweepQuery)); the
//! [`Standalone`] world adds scripted platforms and free rigid bodies
//! ([`RigidBodies`](vehicle_core::RigidBodies)). It needs no engine, and serves as the reference
//! for those.
//!
//! ```
//! use glam::{DVec3, Mat3, Vec3};
//! use scene_query::{Axes, BodyDesc, Grounds, GroundPart, Plane, Standalone, Steps};
//! use vehicle_core::{Axis, MaterialId};
//!
//! # fn main() -> Result<(), scene_query::GroundError> {
//! // A curb of 12 cm, 20 m ahead, over a level plane; z is up.
//! let ground = Grounds(vec![
//!     GroundPart::new(Plane::level(Axis::Z, 0.0)?),
//!     GroundPart::new(Steps::curb(Axes::Z_UP, DVec3::X * 20.0, 0.12)?).of(MaterialId(1)),
//! ]);
//! let mut world = Standalone::new(ground);
//! let inertia = Mat3::from_diagonal(Vec3::new(700.0, 2500.0, 2800.0));
//! let car = BodyDesc::at_rest(DVec3::Z, 1500.0, inertia);
//! let car = world.add(&car)?;
//! world.step(Vec3::NEG_Z * 9.81, 1.0 / 60.0);
//! assert!(world.body(car)?.now().position.z < 1.0);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! plane  ramp  steps  heightfield  mesh        one Ground each: a ray, a sweep
//!    └─────┴─────┴────────┴─────────┘
//!                grounds                       materials, layers, the nearest: SceneQuery
//!                   │
//!               platform                       grounds that a script moves
//!                   │
//!  body ─ hull ─ standalone                    free bodies over it: RigidBodies
//!    └─── joint ───┘                            their joints and wheels
//!                   │
//!                smooth                         normals interpolated, around any world
//! ```
//!
//! Engines that need a surface as data can get it from the ground: each one with edges provides its
//! [`Triangles`].
//!
//! Rays and sweeps are computed in double precision, so results 100 km from the world's origin are
//! the same as at it. Any world axis may be up: see [`Axes`]. The same calls give the same bits on
//! every platform.
//!
//! Hulls of the standalone world are solid to each other, and ground for wheels, where
//! [`Standalone::set_presence`] says so.
//!
//! Hulls touch the triangles that a ground tells of itself ([`Ground::triangles_in`]): faces, edges and
//! corners, above and below, also those that they would pass through within a step.
//!
//! Limits: hulls do not collide with platforms; two that meet edge to edge meet on a face; a capsule has
//! flat facets for them: 16 around its axis, and 4 rings at each end.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order.
pub mod axes;
pub mod text;
pub mod error;
pub mod ground;
pub mod plane;
mod sleep;
pub mod body;
pub mod block;
pub mod capsule;
pub mod triangles;
mod profile;
pub mod ramp;
pub mod steps;
pub mod heightfield;
mod heightfield_text;
pub mod height_grid;
mod tree;
pub mod mesh;
mod triangulate;
mod obj;
pub mod generate;
pub mod grounds;
pub mod platform;
mod scenery;
mod contact_rows;
mod polygon;
mod box_triangle;
mod hull_spots;
mod hull;
mod touch;
mod boxes;
pub mod hulls;
pub mod tread;
pub mod coupling;
pub mod joint;
mod shared;
mod constraints;
pub mod standalone;
mod queries;
mod contact;
mod wheels;
pub mod smooth;

pub use axes::Axes;
pub use block::Block;
pub use body::{Body, BodyDesc, CollisionBox};
pub use capsule::Capsule;
pub use coupling::CouplingJoint;
pub use error::GroundError;
pub use ground::{Gap, Ground, GroundRegion, Hit, Ray, SurfaceTriangle, Sweep};
pub use hulls::HullPresence;
// For sweeps of custom grounds.
pub use grounds::{GroundPart, Grounds};
pub use height_grid::HeightGrid;
pub use heightfield::HeightField;
pub use joint::{JOINT_ROWS, JointDesc, JointFrame, JointId, JointKind, WheelJoint};
pub use mesh::TriangleMesh;
pub use obj::ObjMesh;
pub use parry_query::{ShapeHit, WheelSweep, sweep_plane, sweep_triangle};
pub use plane::Plane;
pub use platform::Platform;
pub use ramp::Ramp;
pub use smooth::{SmoothNormals, SmoothSurface, SmoothSurfaces};
pub use standalone::Standalone;
pub use steps::Steps;
pub use text::read_text;
pub use tread::Tread;
pub use triangles::Triangles;
