//! Vehicle dynamics for any rigid-body engine.
//!
//! Jounce drives a chassis that a physics engine owns: suspension, tires, drivetrain and driver
//! input are computed here, the engine moves the body.
//!
//! # Install
//!
//! ```toml
//! [dependencies]
//! jounce = "0.1"                                              # with Rapier 0.36
//! glam = "0.33"                                               # its vectors
//! ```
//!
//! `cargo add jounce --no-default-features` takes no engine, `cargo add jounce --no-default-features -F avian` takes Avian.
//!
//! # A first car
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
//! # A step
//!
//! <div>
#![doc = include_str!("../docs/step.svg")]
//! </div>
//!
//! # Parts
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
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `rapier` (default) | `jounce::rapier`: Rapier as a world |
//! | `avian` | `jounce::avian`: Avian as a world, and a plugin for Bevy |
//! | `gizmos` | `avian`, with lines of suspensions, contact planes and forces |
//! | `box3d` | `jounce::box3d`: Box3D as a world; takes a C compiler |
//! | `jolt` | `jounce::jolt`: Jolt as a world; takes a C++ compiler and CMake |
//! | `rayon` | `jounce::parallel`: fleets on all cores |
//! | `typetag` | `document::typetag`: tire and drive models that register themselves by name |
//!
//! Parts are crates of their own. Who writes a tire law, a drivetrain, an aid or a backend for others needs `vehicle-core` alone;
//! `vehicle-conformance` tests it.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[doc(inline)]
pub use driver_aids as aids;
#[doc(inline)]
pub use driver_input as input;
#[doc(inline)]
pub use drivetrain as drive;
#[doc(inline)]
pub use jointed_wheels as jointed;
#[doc(inline)]
pub use scene_query as scene;
#[doc(inline)]
pub use telemetry;
#[doc(inline)]
pub use tire_models as tires;
#[doc(inline)]
pub use vehicle_core as core;

// Not inline: they re-export their engines, whose thousands of pages would follow.
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
