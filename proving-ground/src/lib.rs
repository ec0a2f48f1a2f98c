//! Worlds to drive in, and drives: the basis of the suite and the `jounce` command.
//!
//! ```text
//! vehicle file ─▶ car ──────────┐
//! ground ─▶ world ──────────────┼─▶ stage: a car, step by step
//!                               ├─▶ drive: a whole maneuver ─▶ samples ─▶ summary
//! maneuver ─▶ driver ──────────┘
//! header of a PhysX trace ─▶ scenario ─▶ world
//! ```
//!
//! ```
//! use proving_ground::drive::{DrivePlan, End, run};
//! use proving_ground::ground::GroundSpec;
//!
//! let plan = DrivePlan {
//!     maneuver: Some("brake".to_owned()),
//!     ground: Some(GroundSpec::Flat),
//!     ..DrivePlan::of("sedan")
//! };
//! let drive = run(&plan, |_time, _longest| ())?;
//! assert_eq!(drive.end, End::Finished);
//! assert!(drive.samples.last().is_some_and(|sample| sample.speed < 0.1));
//! # Ok::<(), proving_ground::ProvingError>(())
//! ```
//!
//! World axes are the vehicle frame's: x forward, y left, z up; gravity is along −z, by default 9.81 m/s².
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order: a module uses those above it.
pub mod error;
pub mod columns;
pub mod changed;
pub mod digest;
pub mod track;
pub mod surface;
pub mod ground;
pub mod world;
pub mod gears;
pub mod stage;
pub mod car;
pub mod jointed;
pub mod ladder;
pub mod maneuver;
pub mod driver;
pub mod electric;
pub mod performance;
pub mod racing;
pub mod energy;
pub mod sample;
pub mod tow;
pub mod course;
pub mod session;
pub mod drive;
pub mod summary;
#[cfg(feature = "scenarios")]
pub mod text;
#[cfg(feature = "scenarios")]
pub mod scenario;

pub use error::ProvingError;
