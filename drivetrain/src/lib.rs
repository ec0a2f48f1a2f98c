//! The drive of a wheeled vehicle for the contract [`vehicle_core::Drivetrain`]: engine, clutch,
//! gearbox, autobox, differential, steering and brakes. `no_std`, pure math.
//!
//! ```
//! use drivetrain::{DirectDrive, DirectDriveParams, DriveLogic, Responses, SteeringParams};
//! use vehicle_core::{CarCommand, Checked, Command, Control, Drivetrain};
//!
//! let drive = DirectDrive::new(Checked::new(DirectDriveParams {
//!     max_torques: vec![0.0, 0.0, 300.0, 300.0],
//!     responses: Responses::default(),
//!     logic: DriveLogic::Waiting,
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
//! | module, in data-flow order | what |
//! |---|---|
//! | [`response`] | how much of a command takes effect, by speed |
//! | [`steering`] | steering command to wheel angles |
//! | [`brakes`] | pedals to brake torques |
//! | [`speed_map`] | a quantity over engine speed and another one |
//! | [`fuel`] | an engine's fuel |
//! | [`turbo`] | boost with a lag |
//! | [`limiter`] | rev limiter |
//! | [`engine`] | torque, damping and friction |
//! | [`clutch`] | clutch strength and how it is solved |
//! | [`logic`] | which logic changes gears |
//! | [`converter`] | torque of a torque converter |
//! | [`dual_clutch`] | hand-over between two clutches |
//! | [`variator`] | ratio of a continuously variable transmission |
//! | [`retarder`] | a brake on the output shaft |
//! | [`power_take_off`] | an implement that the engine drives |
//! | [`gearbox`] | ratios of gears |
//! | [`autobox`] | engine speeds at which to change them |
//! | `gear_change` | how a change starts, continues and ends |
//! | `under_torque` | clutches of a gearbox that change gears under torque |
//! | [`differential`] | how wheels share torque and speed, and which turn together |
//! | [`engine_drive`] | all of these together: a vehicle with an engine, on wheels or on tracks |
//! | [`direct`] | torque straight to the wheels |
//! | [`electric`] | motors, battery and regeneration; an engine beside them, on a power split or in parallel |
//! | [`belt`] | the belts of a tank's tracks, for drawing |
//! | [`physx`] | PhysX's rules, its default parts, and its drives by name |
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod pedals;
mod per_wheel;
mod tick;
pub mod response;
mod speed_limit;
pub mod steering_system;
pub mod steering;
pub mod brakes;
mod long_sum;
pub mod speed_map;
pub mod fuel;
pub mod turbo;
pub mod limiter;
pub mod engine;
pub mod clutch;
pub mod logic;
pub mod converter;
pub mod variator;
pub mod dual_clutch;
pub mod retarder;
pub mod power_take_off;
pub mod gearbox;
pub mod autobox;
mod gear_change;
mod under_torque;
mod selector;
mod intention;
pub mod differential;
pub mod engine_drive;
pub mod direct;
pub mod electric;
mod three_wheeler;
pub mod belt;
pub mod physx;

pub use autobox::AutoboxParams;
pub use belt::{TankReport, TrackReport};
pub use brakes::BrakeParams;
pub use clutch::{ClutchParams, ClutchPedalParams};
pub use converter::{ConverterParams, LockUpParams};
pub use differential::{
    Differential, Differential4W, DifferentialKind, DrivenAxle, EqualSplit, FreeAxle, LimitedSlip,
    LockingDifferential, MultiWheel, SlipLimiter, SpeedLimit, TankDifferential, TankLaw, TorqueBy,
    TorqueVectoring, Track, TrackCoupling, TrackSide,
};
pub use direct::{DirectDrive, DirectDriveParams};
pub use dual_clutch::DualClutchParams;
pub use electric::{
    BatteryParams, CreepParams, ElectricDrive, ElectricDriveParams, ElectricReport, EngineReport,
    MotorHeatParams, MotorLosses, MotorParams, MotorReport, ParallelHybridParams, PowerSplitParams,
    RegenerationParams, YawVectoringParams,
};
pub use engine::EngineParams;
pub use engine_drive::{EngineDrive, EngineDriveParams};
pub use fuel::FuelParams;
pub use gearbox::GearboxParams;
pub use limiter::LimiterParams;
pub use logic::DriveLogic;
pub use power_take_off::PowerTakeOffParams;
pub use response::{ResponseRow, ResponseTable, Responses, SpeedAxis};
pub use retarder::RetarderParams;
pub use speed_map::SpeedMap;
pub use steering::{AxleLaw, SteeredAxle, SteeredWheel, SteeringParams, ackermann};
pub use steering_system::{AssistRow, KingpinAxis, SteeringSystem, TreadTwist};
pub use tick::Tick;
pub use turbo::TurboParams;
pub use variator::{SpeedMapRow, VariatorParams};
