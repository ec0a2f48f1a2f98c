//! Rays and wheel-shaped sweeps against single shapes of Parry, without its gaps: what every engine
//! that is built on Parry needs to be ground for vehicles.
//!
//! [`ray`]: a ray, tight along the grid lines of heightfields.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod ray;

pub use ray::{cast_ray, is_surface, normal_against, reach};
