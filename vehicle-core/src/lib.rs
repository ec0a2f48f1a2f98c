//! Vehicle dynamics on a rigid body: contracts, parameters, and the step. `no_std`, pure math.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

// In data-flow order.
pub mod checked;
pub mod command;
pub mod drivetrain;
pub mod frame;
pub mod lanes;
pub mod math;
pub mod outcome;
pub mod params;
pub mod profile;
pub mod rigid_bodies;
pub mod scene_query;
pub mod state;
pub mod surface;
pub mod tire_model;

#[cfg(test)]
mod testing;

/// Most wheels that a vehicle may have (PhysX's limit, ALGORITHMS §1.3).
pub const MAX_WHEELS: usize = 20;

pub use checked::{Check, Checked, Fault, Inspector, InvalidParams};
pub use command::{
    CarCommand, Command, CommandFault, Gear, GearCommand, TankCommand, WheelCommand,
};
pub use drivetrain::{Control, DriveState, Drivetrain};
pub use frame::{Axis, Frame};
pub use outcome::{Motion, Outcome, Reaction};
pub use params::VehicleParams;
pub use profile::Profile;
pub use rigid_bodies::{BodyError, BodyState, GroundMotion, RigidBodies};
pub use scene_query::{BodyId, GroundHit, GroundRay, MaterialId, QueryFilter, SceneQuery};
pub use state::VehicleState;
pub use surface::{SurfaceType, Surfaces, TireType};
pub use tire_model::{TireForces, TireInput, TireModel};
