//! From raw keys and pads to the commands of [`vehicle_core`]. `no_std`, pure functions and plain data.
//!
//! ```
//! use driver_input::{AutoReverse, CarHands, CarKeys, CarSmoothing, ReverseSpeeds};
//! use vehicle_core::{Checked, Command, VehicleReport};
//!
//! let smoothing = Checked::new(CarSmoothing::physx_keys())?; // Or `for_car(vehicle.model())`.
//! let (mut reverse, mut hands) = (AutoReverse::default(), CarHands::default());
//! // In a game: `vehicle.report(&body)`.
//! let seen = VehicleReport { forward_speed: 10.0, ..VehicleReport::STANDING };
//! let keys = CarKeys { throttle: true, left: true, ..CarKeys::FREE };
//! let keys = reverse.keys(&ReverseSpeeds::PHYSX, &keys, &seen);
//! let command = hands.press(&smoothing, &keys, &seen, 0.1)?;
//! assert!((command.throttle - 0.3).abs() < 1e-6 && (command.steer + 0.25).abs() < 1e-6);
//! // With counter-steer: `let command = CounterSteer::add(&settings, &command, &vehicle);`
//! let command = Command::Car(command);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! ```text
//! keys, pad ─▶ reverse: pedals swapped, gear ─▶ hands: rates, steering limit, grip ─▶ counter-steer ─▶ command
//! ```
//!
//! | module, in that order | what |
//! |---|---|
//! | [`fault`] | why raw input is refused |
//! | [`raw`] | keys and pads of cars and tanks |
//! | [`reverse`] | reverse by the brake pedal |
//! | [`rate`] | how fast pedals, levers and the steering wheel move |
//! | [`steer_limit`] | less steering at speed |
//! | [`grip_control`] | a driver who keeps a car within its grip |
//! | [`car`], [`tank`] | keys and pads of cars and tanks, smoothed |
//! | [`counter_steer`] | steering against a slide |
//! | [`physx`] | rates, limits and rules of PhysX's samples |
//!
//! [`CarSmoothing::for_car`] makes the smoothing for a car from its own data: steering limit, rates and grip.
//!
//! Each part is optional; all except counter-steering work on plain numbers. Values that are not
//! finite are refused and change nothing; values out of range are clamped and flagged
//! ([`CarHands::clamped`]).
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

pub mod fault;
pub mod raw;
pub mod reverse;
pub mod rate;
pub mod steer_limit;
pub mod grip_control;
pub mod car;
pub mod tank;
pub mod counter_steer;
pub mod physx;
mod planar;
mod for_car;

pub use car::{CarHands, CarSmoothing};
pub use counter_steer::{CounterSteer, slide};
pub use fault::InputFault;
pub use grip_control::GripControl;
pub use rate::{CarRates, Rate, TankRates};
pub use raw::{CarKeys, CarPad, TankKeys, TankMode, TankPad};
pub use reverse::{AutoReverse, ReverseSpeeds};
pub use steer_limit::SteerLimit;
pub use tank::{BrakeKeys, TankHands, TankSmoothing};
