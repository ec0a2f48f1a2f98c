//! Tire laws for the contract [`vehicle_core::TireModel`], and the registry that builds one from a
//! vehicle file.
//!
//! ```
//! use tire_models::{Michigan, MichiganParams};
//! use vehicle_core::{Checked, TireInput, TireModel};
//!
//! let tire = Michigan::new(Checked::new(MichiganParams::physx()).unwrap());
//! let forces = tire.forces(&TireInput {
//!     slip_ratio: 0.05,
//!     radius: 0.3,
//!     load: 4000.0,
//!     rest_load: 4000.0,
//!     friction: 1.0,
//!     gravity: 9.81,
//!     ..TireInput::default()
//! });
//! assert!(forces.longitudinal > 0.0 && forces.longitudinal <= 4000.0);
//! ```
//!
//! | module | law |
//! |---|---|
//! | [`michigan`] | combined slip as in the PhysX vehicle SDK: four stiffnesses |
//! | [`linear`] | constant stiffnesses inside the friction circle |
//! | [`magic_formula`] | Pacejka's Magic Formula 5.2, 6.1 and 6.2 |
//! | [`tir`] | files of Magic Formula parameters |
//! | [`real`] | the numbers that formulas are written in |
//! | [`registry`] | models of any sort by name |
//! | [`spec`] | tire models by name: what a vehicle file's `model = "…"` means |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod linear;
pub mod magic_formula;
pub mod michigan;
pub mod real;
pub mod registry;
pub mod spec;
pub mod tir;

mod limits;

pub use linear::{Linear, LinearParams};
pub use michigan::{Michigan, MichiganParams};
pub use registry::{Registry, SpecError, table_of};
pub use spec::{TireParams, TireRegistry};
