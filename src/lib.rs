//! Vehicle dynamics for any rigid-body engine.
//!
//! Jounce drives a chassis that a physics engine owns: suspension, tires, drivetrain and driver
//! input are computed here, the engine moves the body.
//!
//! ```
//! use glam::Vec3;
//! use jounce::core::{Axis, CarCommand, Command, Air, Environment, Surfaces, Vehicle, step};
//! use jounce::scene::{BodyDesc, Plane, Standalone};
//!
//! let car = jounce::presets::sedan();
//! let mut world = Standalone::new(Plane::level(Axis::Z, 0.0)?);
//! let start = glam::DVec3::Z * car.ride_height();
//! let body = world.add(&BodyDesc::at_rest(start, car.mass(), car.inertia()))?;
//! let mut vehicle = Vehicle::new(car.model(), body);
//! let surfaces = Surfaces::new();
//! let environment = Environment { gravity: Vec3::NEG_Z * 9.81, surfaces: &surfaces, air: Air::STILL };
//! let command = Command::Car(CarCommand { throttle: 0.5, ..CarCommand::default() });
//! for _ in 0..120 {
//!     step(&mut vehicle, &mut world, &command, &environment, 1.0 / 60.0)?;
//!     world.step(environment.gravity, 1.0 / 60.0);
//! }
//! assert!(world.body(body)?.state().linear_velocity.x > 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | what it holds |
//! |---|---|
//! | [`core`] | contracts, parameters, command, state, the step |
//! | [`tires`] | tire laws and their registry |
//! | [`drive`] | engine, clutch, gearbox, differentials, steering, brakes |
//! | [`aids`] | ABS, traction and stability control, hill hold and other driver aids |
//! | [`input`] | keys and pads to commands: smoothing, auto-reverse, counter-steer |
//! | [`telemetry`] | the last samples of every channel, and graphs of them as data |
//! | [`jointed`] | wheels as bodies on an engine's joints |
//! | [`scene`] | ground without an engine, and the standalone world |
//! | [`document`] | parameters, states and vehicles in TOML, JSON, postcard |
//! | [`file`](mod@file) | vehicle files |
//! | [`presets`] | preset vehicles |
#![cfg_attr(feature = "avian", doc = "| [`avian`] | Avian as a world |")]
#![cfg_attr(feature = "box3d", doc = "| [`box3d`] | Box3D as a world |")]
#![cfg_attr(feature = "jolt", doc = "| [`jolt`] | Jolt as a world |")]
#![cfg_attr(feature = "rayon", doc = "| [`parallel`] | fleets on all cores |")]
#![cfg_attr(feature = "rapier", doc = "| [`rapier`] | Rapier as a world |")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub use driver_aids as aids;
pub use driver_input as input;
pub use drivetrain as drive;
pub use jointed_wheels as jointed;
pub use scene_query as scene;
pub use tire_models as tires;
pub use vehicle_core as core;
pub use vehicle_telemetry as telemetry;

#[cfg(feature = "avian")]
pub use backend_avian as avian;
#[cfg(feature = "box3d")]
pub use backend_box3d as box3d;
#[cfg(feature = "jolt")]
pub use backend_jolt as jolt;
#[cfg(feature = "rapier")]
pub use backend_rapier as rapier;

pub mod document;
pub mod file;
#[cfg(feature = "rayon")]
pub mod parallel;
pub mod presets;

/// The program of the README compiles, and its car drives off.
#[cfg(all(doctest, feature = "rapier"))]
#[doc = include_str!("../README.md")]
mod readme {}
