//! The `jounce` command as a library: drive a vehicle file over a ground, look at what it did.
//!
//! ```text
//! options ─▶ ground ─▶ world ────┐
//!            manoeuvre ─▶ driver ├─▶ drive ─▶ telemetry ─▶ summary ─▶ report
//!            vehicle file ───────┘
//!            vehicle file ─────────▶ check
//!            vehicle file ─▶ rules, world ─▶ lint
//!            scenario ─▶ world ────▶ trace
//!            tire file ────────────▶ tire
//!            measurements ─▶ fit ──▶ tire
//! ```
//!
//! World axes are the vehicle frame's: x forward, y left, z up; gravity is 9.81 m/s² along −z.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order.
pub mod error;
pub mod options;
pub mod text;
pub mod ground;
pub mod world;
pub mod scenario;
pub mod manoeuvre;
pub mod driver;
pub mod telemetry;
pub mod tow;
pub mod drive;
pub mod stage;
pub mod versions;
pub mod summary;
pub mod report;
pub mod check;
pub mod lint;
pub mod fit;
pub mod tire;

pub use drive::{Drive, DriveArgs, drive_command};
pub use error::LabError;
