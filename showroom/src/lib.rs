//! The showroom: drive any vehicle of Jounce, see inside it, tune it while it drives. A native window and a page.
//!
//! ```text
//! keys, pad, touch, script ─▶ orders ─▶ Showroom: driver, session in time, garage ─▶ what is shown
//!                                                         │                            │
//!                                             proving-ground: session        scene, panels, state as JSON
//! ```
//!
//! Nothing is computed twice: what is shown is read from the library's reports.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order.
mod clock;
mod files;
mod numbers;
pub mod sliders;
pub mod levers;
pub mod input;
pub mod camera;
pub mod orders;
pub mod sim;
mod saved;
pub mod parts;
pub mod bounds;
pub mod guide;
pub mod spares;
pub mod garage;
pub mod watch;
pub mod flow;
pub mod sound;
pub mod voice;
mod levels;
pub mod fleet;
pub mod scene;
mod glass;
pub mod app;
mod panels;
pub mod pad;
pub mod window;
#[cfg(target_arch = "wasm32")]
pub mod web;
