//! Rays and wheel-shaped sweeps against single shapes of Parry, without its gaps: what every engine
//! that is built on Parry needs to be ground for vehicles.
//!
//! [`ray`]: a ray, tight along the grid lines of heightfields · [`wheel`]: a wheel on its way ·
//! [`sweep`](mod@sweep): what it hits · [`first`]: what it stops at · [`surface`]: triangles as data.
//!
//! Sweeps are computed in double precision in coordinates that begin at the wheel, so that they are
//! as exact on a box of 800 m as on a small one: distances within rounding of the shape's own
//! single-precision coordinates.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod ray;

pub mod wheel;

mod convex;
mod touch;
pub mod sweep;

pub mod first;

pub mod surface;

pub use first::First;
pub use ray::{cast_ray, is_surface, normal_against, reach};
pub use surface::surface_triangles;
pub use sweep::{ShapeHit, sweep, sweep_plane, sweep_triangle};
pub use wheel::WheelSweep;
