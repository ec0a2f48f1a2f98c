//! From raw keys and pads to the commands of [`vehicle_core`].
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

pub mod car;
pub mod counter_steer;
pub mod fault;
pub mod rate;
pub mod reverse;
pub mod steer_limit;
pub mod tank;

pub use car::{CarHands, CarKeys, CarPad, CarSmoothing};
pub use counter_steer::{CounterSteer, slide};
pub use fault::InputFault;
pub use rate::{CarRates, Rate, TankRates};
pub use reverse::{AutoReverse, ReverseSpeeds};
pub use steer_limit::SteerLimit;
pub use tank::{TankHands, TankKeys, TankMode, TankPad, TankSmoothing};
