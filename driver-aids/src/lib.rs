//! Driver aids: each is a struct of parameters that implements [`vehicle_core::DriverAid`]. `no_std`.
//!
//! ```
//! use driver_aids::{Abs, AidSuite, SlipTarget, StabilityControl, TractionControl};
//!
//! let suite = AidSuite {
//!     stability_control: Some(StabilityControl::car()),
//!     traction_control: Some(TractionControl::car()),
//!     abs: Some(Abs { slip: SlipTarget::Fixed(0.1), ..Abs::car() }),
//!     ..AidSuite::default()
//! };
//! // In a program: `let model = model.with_aids(&suite.aids())?;`
//! let names: Vec<String> = suite.aids().iter().map(|aid| aid.name().to_owned()).collect();
//! assert_eq!(names, ["stability-control", "traction-control", "abs"]);
//! ```
//!
//! Aids request bounds, and the solver keeps them at the end of each substep: results hardly depend on the rate. Each can be
//! [switched](vehicle_core::VehicleState::enable_aid) at run time, and [reports](vehicle_core::VehicleModel::aid_activity) how
//! much it acts. Each says which of its knowledge a real one lacks.
//!
//! | module, in that order | aid |
//! |---|---|
//! | [`slip_target`] | slips to keep: a number, or the tire's best |
//! | [`speed_limiter`], [`cruise_control`] | speed and distance, by the engine and brakes |
//! | [`hill_descent`], [`hill_hold`] | slopes, by the brakes |
//! | [`parking_brake`] | standing, by the rear brakes |
//! | [`launch_control`] | the start, by the engine |
//! | [`torque_vectoring`], [`rollover_mitigation`], [`trailer_sway_control`] | yaw, roll and sway, by single brakes |
//! | [`stability_control`] | yaw and side slip, by single brakes |
//! | [`traction_control`] | slip of driven wheels, by brakes and engine |
//! | [`brake_fade`] | heat of the discs |
//! | [`brake_distribution`] | slip of rear wheels |
//! | [`abs`], [`valve_abs`] | slip of braked wheels, ideal and by valves |
//! | [`suite`] | all aids of a vehicle, in the order in which they act |
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod slip_target;
mod sensing;
mod yaw;
pub mod speed_limiter;
pub mod cruise_control;
pub mod hill_descent;
pub mod hill_hold;
pub mod parking_brake;
pub mod launch_control;
pub mod torque_vectoring;
pub mod rollover_mitigation;
pub mod trailer_sway_control;
pub mod stability_control;
pub mod traction_control;
pub mod brake_fade;
pub mod brake_distribution;
pub mod abs;
pub mod valve_abs;
pub mod suite;

pub use abs::{Abs, RearChannels};
pub use brake_distribution::BrakeDistribution;
pub use brake_fade::BrakeFade;
pub use cruise_control::CruiseControl;
pub use hill_descent::HillDescent;
pub use hill_hold::HillHold;
pub use launch_control::LaunchControl;
pub use parking_brake::ParkingBrake;
pub use rollover_mitigation::RolloverMitigation;
pub use slip_target::SlipTarget;
pub use speed_limiter::SpeedLimiter;
pub use stability_control::StabilityControl;
pub use suite::AidSuite;
pub use torque_vectoring::TorqueVectoring;
pub use traction_control::TractionControl;
pub use trailer_sway_control::TrailerSwayControl;
pub use valve_abs::ValveAbs;
