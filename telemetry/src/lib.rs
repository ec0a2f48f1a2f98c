//! The last samples of every channel of a vehicle, and graphs of them as data. `no_std`, no renderer.
//!
//! ```
//! use telemetry::{EngineChannel, Layout, Telemetry};
//! # use vehicle_core::{Command, Vehicle};
//! # fn frame(telemetry: &mut Telemetry, vehicle: &Vehicle, command: &Command) {
//! // After an update:
//! telemetry.record(vehicle, command, 9.81);
//! // When drawing:
//! let layout = Layout::four_wheeler();
//! let channel = EngineChannel::Speed;
//! let [_lower_left, _upper_right] = layout.engine.corners();
//! for point in layout.engine.line(channel.channel(), telemetry.engine(channel)) {
//!     let ([_x, _y], [_red, _green, _blue]) = (point.place, point.color);
//! }
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`channel`] | channels of wheels, engine and driver, air, steering wheel, body and gears, with keys, units and ranges |
//! | [`ring`] | the last 256 samples of a channel |
//! | [`recorder`] | all channels of one vehicle |
//! | [`graph`] | boxes, lines and colors |
//! | [`event`] | engine, gears, tires and aids that begin and end something, for sounds |
//!
//! Points of application of forces are not channels: see
//! [`WheelReport`](vehicle_core::WheelReport).
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

pub mod channel;
pub mod ring;
pub mod recorder;
pub mod graph;
pub mod event;

pub use channel::{
    AirChannel, BodyChannel, BodySample, Channel, DriveChannel, EngineChannel, FuelChannel,
    SteeringChannel, WheelChannel,
};
pub use event::{EventWatcher, VehicleEvent, WatchedEngine, WatchedStep, WheelSlip};
pub use graph::{Color, Graph, GraphPoint, Layout, Style};
pub use recorder::Telemetry;
pub use ring::{Ring, SAMPLES};
