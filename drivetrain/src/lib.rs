//! The drive of a wheeled vehicle for the contract [`vehicle_core::Drivetrain`]: engine, clutch,
//! gearbox, autobox, differential, steering and brakes. `no_std`, pure math.
//!
//! ```
//! use drivetrain::{DirectDrive, DirectDriveParams, DriveRules, Responses, SteeringParams};
//! use vehicle_core::{CarCommand, Checked, Command, Control, Drivetrain};
//!
//! let drive = DirectDrive::new(Checked::new(DirectDriveParams {
//!     max_torques: vec![0.0, 0.0, 300.0, 300.0],
//!     responses: Responses::default(),
//!     rules: DriveRules::Physx4,
//!     steering: SteeringParams::default(),
//!     brakes: vec![],
//! })?);
//! let mut state = drive.initial_state();
//! let mut control = Control::idle(4);
//! let half = Command::Car(CarCommand { throttle: 0.5, ..CarCommand::default() });
//! drive.control(&half, &mut state, &mut control)?;
//! assert_eq!(control.wheels.first().drive.to_array(), [0.0, 0.0, 150.0, 150.0]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`response`] | how much of a command is given, by speed |
//! | [`engine`] | torque, damping and friction |
//! | [`gearbox`] | ratios, and how a change of gears goes on |
//! | [`autobox`] | when to change gears |
//! | [`clutch`] | clutch strength and how it is solved |
//! | [`differential`] | how any wheels share torque and speed, and which turn together |
//! | [`steering`] | steering command to wheel angles |
//! | [`brakes`] | pedals to brake torques |
//! | [`rules`] | where PhysX's two generations differ |
//! | [`engine_drive`] | all of these together: a vehicle with an engine, on wheels or on tracks |
//! | [`direct`] | torque straight to the wheels |
//! | [`presets`] | the drives of PhysX by their names |
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

pub mod autobox;
pub mod brakes;
pub mod clutch;
pub mod differential;
pub mod direct;
pub mod engine;
pub mod engine_drive;
pub mod gearbox;
pub mod presets;
pub mod response;
pub mod rules;
pub mod steering;
mod three_wheeler;

mod pedals;
mod per_wheel;

pub use autobox::AutoboxParams;
pub use brakes::BrakeParams;
pub use clutch::ClutchParams;
pub use differential::{
    Differential, Differential4W, DifferentialKind, DrivenAxle, EqualSplit, LimitedSlip,
    LockingDifferential, MultiWheel, SpeedLimit, TankDifferential, TankLaw, TorqueVectoring, Track,
    TrackSide,
};
pub use direct::{DirectDrive, DirectDriveParams};
pub use engine::EngineParams;
pub use engine_drive::{EngineDrive, EngineDriveParams};
pub use gearbox::GearboxParams;
pub use response::{ResponseRow, ResponseTable, Responses};
pub use rules::DriveRules;
pub use steering::{SteeredAxle, SteeredWheel, SteeringParams, ackermann};
