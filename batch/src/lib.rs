//! Thousands of cars, stepped together: for learning, sweeps and Monte Carlo.
//!
//! ```text
//! setup ─▶ batch ─▶ arenas, each a world and a fleet, stepped at the same time
//! actions by name ─▶ hands ─▶ commands ─▶ physics steps ─▶ observations by name, rewards by term, flags
//! ```
//!
//! ```
//! use jounce_batch::{Batch, Setup, Steps};
//! use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
//!
//! let flat = Terrain::new(&GroundSpec::Flat, MeshUp::Z)?;
//! let mut setup = Setup::new(jounce::presets::sedan(), 100, flat);
//! setup.observe = vec!["body.velocity.x".to_owned(), "wheel.*.slip_ratio".to_owned()];
//! let mut batch = Batch::new(&setup)?;
//! let (actions, mut steps) = ([1.0, 0.0].repeat(100), Steps::default());
//! for _ in 0..40 {
//!     batch.step(&actions, &mut steps)?;
//! }
//! assert_eq!(batch.columns()[0].name, "body.velocity.x");
//! assert!(steps.observations[0] > 4.0, "two seconds at full throttle");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The life of a car depends on the setup, the seed, its number and its actions alone: the same bits whatever the number of cars,
//! arenas and threads, and whatever becomes of the other cars. A call is checked as a whole before any car moves.
//!
//! | module | what |
//! |---|---|
//! | [`error`] | argument, expected, found, unit |
//! | [`random`] | random numbers by seed, car, episode and term |
//! | [`task`] | limits of an episode, a pose to reach |
//! | [`track`] | what a car sees of its track |
//! | [`observe`] | observations by name |
//! | [`act`] | actions by name; hands |
//! | [`reward`] | rewards as named terms |
//! | [`rows`] | results of a step |
//! | [`setup`] | the description of a batch |
//! | [`batch`] | the batch |
//! | [`sweep`] | many drives of one maneuver, each with other parameters |
//!
//! Not here: cars that touch each other.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order: a module uses those above it.
pub mod error;
mod parallel;
pub mod random;
pub mod task;
pub mod track;
mod trailer;
pub mod observe;
pub mod act;
pub mod reward;
pub mod rows;
pub mod setup;
mod episode;
mod snapshot;
mod arena;
pub mod batch;
pub mod sweep;

pub use act::Action;
pub use batch::{Batch, Parameter};
pub use error::{ArgumentFault, BatchError};
pub use observe::Column;
pub use random::Uniform;
pub use reward::Term;
pub use rows::{Rows, Steps};
pub use setup::{Focus, Randomize, Setup};
pub use task::{Goal, Limits};
pub use track::Sight;
