//! Vehicle dynamics on a rigid body that somebody else moves: contracts, parameters, and the step.
//!
//! Pure math, `no_std` with `alloc`. An engine implements [`SceneQuery`] (where is the ground?) and
//! [`RigidBodies`] (how does the chassis move?); tires implement [`TireModel`], drives
//! [`Drivetrain`]. The crate `jounce` brings implementations of all four, and an example that runs.
//!
//! ```
//! use vehicle_core::{TireForces, TireInput, TireModel};
//!
//! /// A tire of one's own is one method.
//! #[derive(Debug)]
//! struct Rubber;
//!
//! impl TireModel for Rubber {
//!     fn forces(&self, tire: &TireInput) -> TireForces {
//!         let grip = tire.friction * tire.load;
//!         let longitudinal = (12.0 * tire.load * tire.slip_ratio).clamp(-grip, grip);
//!         TireForces {
//!             longitudinal,
//!             lateral: (-10.0 * tire.load * tire.tan_slip_angle).clamp(-grip, grip),
//!             wheel_torque: -longitudinal * tire.radius,
//!             ..TireForces::default()
//!         }
//!     }
//! }
//! ```
//!
//! ```text
//! command ─▶ drivetrain: pedals, lever, brakes, steering
//! chassis ─▶ probe: rays ─▶ [engine] ─▶ contact: ground planes
//!    rows, per substep: reach ─▶ warm start ─▶ struts ─▶ tire laws ─▶ clutch ─▶ wheels ─▶ chassis
//!    explicit: suspension ─▶ load ─▶ slip ─▶ sticky ─▶ tire ─▶ anti-roll ─▶ clutch ─▶ spin ─▶ chassis
//! ─▶ outcome ─▶ [engine] ─▶ report, pose
//! ```
//!
//! | modules, in that order | |
//! |---|---|
//! | [`checked`], [`curve`], [`frame`], [`lanes`], [`math`], [`units`] | what everything is made of |
//! | [`params`], [`profile`], [`sprung_mass`], [`retune`], [`surface`], [`command`], [`state`] | a vehicle and what it is told |
//! | [`scene_query`], [`wheel_shape`], [`sweep_query`], [`rigid_bodies`], [`tire_model`], [`tire_state`], [`drivetrain`] | the contracts |
//! | [`strut_curves`], [`kind`], [`tire_use`], [`contact`], [`chassis`], [`suspension`], [`anti_roll`], [`load`], [`slip`], [`spin`], [`steering`], [`outputs`] | the stages |
//! | [`rows`], [`explicit`] | the two solvers |
//! | [`outcome`], [`contact_policy`], [`vehicle`], [`detail`], [`fleet`], [`pose`], [`report`] | the step around them |
//!
//! Feature `serde` makes parameters, commands and states serialisable. Limits: 20 wheels; one ray per
//! wheel.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

// What everything is made of.
pub mod checked;
pub mod curve;
pub mod frame;
pub mod lanes;
pub mod math;
pub mod units;
#[cfg(feature = "serde")]
mod infinite;

// A vehicle and what it is told.
pub mod params;
pub mod profile;
pub mod sprung_mass;
pub mod retune;
pub mod surface;
pub mod command;
pub mod state;

// The contracts.
pub mod scene_query;
pub mod wheel_shape;
pub mod sweep_query;
pub mod rigid_bodies;
pub mod tire_model;
pub mod tire_state;
pub mod drivetrain;

// One step, as data flows.
pub mod strut_curves;
pub mod kind;
pub mod tire_use;
pub mod contact;
pub mod chassis;
pub mod suspension;
pub mod anti_roll;
pub mod load;
pub mod slip;
pub mod spin;
pub mod steering;
pub mod outputs;
pub mod rows;
pub mod explicit;
pub mod outcome;
pub mod contact_policy;
pub mod vehicle;
pub mod detail;
pub mod fleet;
pub mod pose;
pub mod report;

#[cfg(test)]
mod testing;

/// Most wheels that a vehicle may have (PhysX's limit, ALGORITHMS §1.3).
pub const MAX_WHEELS: usize = 20;

pub use checked::{Check, Checked, Fault, Inspector, InvalidParams};
pub use command::{
    CarCommand, Command, CommandFault, Gear, GearCommand, TankCommand, WheelCommand,
};
pub use contact_policy::{ContactPolicy, RigidWheels, WheelContact};
pub use curve::Curve;
pub use detail::{Detail, Effort};
pub use drivetrain::{Control, Drivetrain};
pub use fleet::{Environment, Fleet, StepError, step};
pub use frame::{Axis, Frame};
pub use kind::VehicleKind;
pub use outcome::{Motion, Outcome, Reaction};
pub use params::VehicleParams;
pub use pose::WheelPose;
pub use profile::Profile;
pub use report::{VehicleReport, WheelReport};
pub use rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
pub use scene_query::{
    BodyId, ColliderId, GroundHit, GroundRay, MaterialId, QueryFilter, SceneQuery,
};
pub use state::{DriveState, VehicleState};
pub use surface::{SurfaceType, Surfaces, TireType};
pub use sweep_query::{GroundSweep, SweepHit, SweepQuery};
pub use tire_model::{TireForces, TireInput, TireModel, TireProperties};
pub use tire_state::{StatefulTire, TireCondition, TireState};
pub use units::{Scaled, UnitScale};
pub use vehicle::{ForeignState, Refused, Vehicle};
pub use wheel_shape::{ShapeKind, WheelShape};
