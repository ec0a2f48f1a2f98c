//! The `jounce` command as a library: drive a vehicle file over a ground and inspect the result.
//!
//! ```text
//! options ─▶ drive of the proving ground ─┬▶ report
//!                                         └▶ csv
//! scenario ─▶ trace
//! measurements ─▶ fit ──▶ tire
//! tire file ────────────▶ tire
//! vehicle file ─────────▶ check, show
//! data sheet ───────────▶ new ─▶ vehicle file
//! hard points ──────────▶ kinematics ─▶ vehicle file
//! vehicle file ─▶ rules, a short drive ─▶ lint
//! ```
//!
//! Vehicles, grounds and drives are in the crate [`proving_ground`].
//!
//! World axes are the vehicle frame's: x forward, y left, z up; gravity is 9.81 m/s² along −z.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order: a module uses those above it.
pub mod error;
pub mod options;
pub mod csv;
pub mod report;
#[cfg(feature = "rerun")]
pub mod rrd;
pub mod drive;
pub mod trace;
pub mod fit;
pub mod tire;
pub mod lint;
mod migrate;
pub mod check;
pub mod show;
pub mod kinematics;
pub mod new;
pub mod replay;

pub use drive::{ConditionArgs, DriveArgs, DriveOutcome, drive_command};
pub use error::LabError;
