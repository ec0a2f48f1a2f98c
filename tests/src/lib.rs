//! One suite for every backend of Jounce, and one for every tire law.
//!
//! For a tire law, declare its properties: see [`tires`].
//!
//! For an engine, implement [`Backend`]: how to open a world, and its known failures. The suite
//! tests it in four tiers:
//!
//! ```text
//! contracts (A)         every requirement of SceneQuery, SweepQuery, RigidBodies
//! closed_forms (B)      rest loads, free fall, roads, curbs, cracks
//! agreement (C)         the same cars through the same maneuvers as in other worlds
//! other_libraries (D)   assertions of other vehicle libraries' tests, restated
//!       └──────────┴──────────┴──▶ suite ─▶ harness (cargo test) · report (tables)
//! ```
//!
//! ```no_run
//! use vehicle_conformance::{Backend, Terrain, World, WorldSource, harness};
//!
//! /// As an example, the standalone world.
//! struct Mine;
//!
//! impl WorldSource for Mine {
//!     fn name(&self) -> &'static str {
//!         "mine"
//!     }
//!     fn open(&self, terrain: &Terrain, dt: f32) -> Result<Box<dyn World>, vehicle_conformance::ProvingError> {
//!         proving_ground::world::open(proving_ground::world::WorldKind::Standalone, terrain, dt)
//!     }
//! }
//!
//! impl Backend for Mine {}
//!
//! // The main function of a test without libtest's harness: one test per behavior.
//! fn main() -> std::process::ExitCode {
//!     harness::main_for(&Mine)
//! }
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order: a module uses those above it.
pub mod backend;
pub mod finding;
pub mod agreement;
pub mod case;
pub mod contracts;
pub mod closed_forms;
pub mod other_libraries;
pub mod stability;
pub mod aids;
pub mod ground;
pub mod suite;
pub mod worlds;
pub mod harness;
pub mod report;

pub mod tires;

pub mod validation;

pub use backend::{Backend, Expected, Need, expected};
pub use jounce::scene::BodyDesc;
pub use proving_ground::ProvingError;
pub use proving_ground::ground::{Solid, Terrain};
pub use proving_ground::world::abilities::*;
pub use proving_ground::world::{ColliderShape, ColliderSpec, World, WorldSource};
pub use suite::without;

/// The programs of the guide for backends compile, and its car drives off.
#[cfg(doctest)]
#[doc = include_str!("../../docs/BACKENDS.md")]
mod guide {}

/// The programs of the book compile and run.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../book/src/aid.md")]
    mod aid {}
    #[doc = include_str!("../../book/src/powertrains.md")]
    mod powertrains {}
    #[doc = include_str!("../../book/src/detail.md")]
    mod detail {}
    #[doc = include_str!("../../book/src/engine.md")]
    mod engine {}
    #[doc = include_str!("../../book/src/rapier.md")]
    mod rapier {}
    #[doc = include_str!("../../book/src/rollback.md")]
    mod rollback {}
    #[doc = include_str!("../../book/src/standalone.md")]
    mod standalone {}
    #[doc = include_str!("../../book/src/tire.md")]
    mod tire {}
    #[doc = include_str!("../../book/src/tires.md")]
    mod tires {}
    #[doc = include_str!("../../book/src/tuning.md")]
    mod tuning {}

    #[cfg(feature = "avian")]
    #[doc = include_str!("../../book/src/avian.md")]
    mod avian {}
}
