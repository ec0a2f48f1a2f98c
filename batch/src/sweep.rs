//! Sweeps: many drives of one maneuver, each with other parameters.
//!
//! ```text
//! request ─▶ plan, a text ─▶ chunks, each a pure function of the plan and its number ─▶ columns
//! ```
//!
//! ```
//! use jounce_batch::sweep::{Distribution, Sweep, SweepRequest, SweepValues};
//! use jounce_batch::Uniform;
//!
//! let mut request = SweepRequest::new(jounce::presets::sedan(), "brake", 4);
//! let grip = Distribution::Uniform(Uniform { low: 0.3, high: 1.0 });
//! request.space.insert("grip".to_owned(), grip);
//! let sweep = Sweep::new(&request)?;
//! let columns = sweep.run(0)?;
//! let column = |name| columns.iter().find(|column| column.name == name).unwrap();
//! let SweepValues::Numbers(distances) = &column("brake.distance").values else { unreachable!() };
//! assert!(distances.iter().all(|distance| (30.0..160.0).contains(distance)));
//! # Ok::<(), jounce_batch::BatchError>(())
//! ```
//!
//! A plan holds all that its results depend on: the vehicle's file, the maneuver, the ground, distributions, seed, and the version of
//! Jounce. Chunks may be run anywhere, in any order, and again: the same bits.

mod space;
mod plan;
mod figures;
mod chunk;

pub use chunk::{SweepColumn, SweepValues};
pub use plan::{Sweep, SweepRequest};
pub use space::Distribution;

#[cfg(test)]
mod tests;
