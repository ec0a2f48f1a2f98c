//! Wheels as rigid bodies on an engine's joints.
//!
//! The vehicles of `vehicle-core` compute suspension and tires themselves. Here, the engine does:
//! each wheel is a body on a joint with a spring, and its contact with the ground is the engine's,
//! with Coulomb friction. The vehicle's drivetrain still has pedals, gear requests, clutch, gears,
//! differentials, brakes and steering, and turns the wheels by torques on the joints.
//!
//! ```text
//! VehicleModel ─▶ attachment: bodies and joints ─▶ JointedWheels::attach
//! command ─▶ Drivetrain::control ─▶ motor: torques ─▶ JointedWheels::drive ─▶ [engine steps]
//!                  ▲                                                               │
//!                  └──────── spins, travels ◀── JointedWheels::motions ◀───────────┘
//! ```
//!
//! A [`LadderCar`] is on such wheels near the camera only: a [`Ladder`] says on which rung of detail a car
//! is at a distance, down to no update.
//!
//! [`rows`] solve such joints where an engine's own cannot.
//!
//! Not there: tire laws and their slip, camber, toe, links, stops softer than rigid, loads of supports:
//! [`left_out()`] names what of a vehicle.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

// In data-flow order.
pub mod error;
pub mod motion;
pub mod attachment;
pub mod left_out;
pub mod contract;
pub mod rows;
mod motor;
pub mod car;
pub mod ladder;
pub mod ladder_car;

pub use attachment::{Attachments, WheelAttachment};
pub use car::JointedCar;
pub use contract::{ChassisBody, JointedWheels, Motor, WheelDrive, WheelPlacing};
pub use error::JointedError;
pub use ladder::{Ladder, Rung, WorldAbilities};
pub use ladder_car::{LadderCar, Ride};
pub use left_out::left_out;
pub use motion::WheelMotion;
