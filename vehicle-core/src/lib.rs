//! Vehicle dynamics on a rigid body owned by a physics engine: contracts, parameters, and the step.
//!
//! Pure math, `no_std` with `alloc`. An engine implements [`SceneQuery`] (where is the ground?) and
//! [`RigidBodies`] (how does the chassis move?), tires implement [`TireModel`], drivetrains [`Drivetrain`]; the
//! crate `jounce` provides implementations of all four, and an example that runs. Aids such as an ABS implement [`DriverAid`].
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
//! command ─▶ drivetrain: pedals, gear, brakes, steering
//! chassis ─▶ probe: rays, sweeps or sections ─▶ [engine] ─▶ contact: ground planes
//!    rows, per substep: drivetrain, aids ─▶ reach ─▶ warm start ─▶ struts ─▶ tire laws ─▶ clutch ─▶ wheels ─▶ chassis
//!    explicit: suspension ─▶ load ─▶ slip ─▶ sticky ─▶ tire ─▶ anti-roll ─▶ clutch ─▶ spin ─▶ chassis
//! ─▶ step result ─▶ [engine] ─▶ report, pose
//! ```
//!
//! | rooms, in that order; a room uses only those above it | |
//! |---|---|
//! | `base`: [`math`], [`checked`], [`curve`], [`frame`], [`inertia`], [`units`] | what everything is made of |
//! | [`params`], with [`surface`], [`wheel_shape`], [`contact_policy`], [`profile`], [`sprung_mass`], [`retune`] | what a designer writes |
//! | `exchange`: [`command`], [`air`], [`tire_state`], [`state`], [`step_result`] | what goes into a step and comes out of it |
//! | `contracts`: [`ground_triangles`], [`sweep_query`], [`scene_query`], [`rigid_bodies`], [`tire`], [`stateful_tire`], [`tire_model`], [`drivetrain`] | what others implement |
//! | `stages` | free functions of plain data, which both solvers call |
//! | `solvers`: `rows`, `explicit` | the stages, one under the other |
//! | [`vehicle`], with [`detail`], [`rigid_contact`], [`pose`], [`report`], [`fleet`], [`phases`] | the step around them |
//!
//! Feature `serde` makes parameters, commands and states serializable; `std` takes square roots from the standard library,
//! with the same bits. Limits: 20 wheels, and one ground plane per wheel: from one ray or one sweep, and where the ground ends
//! within a step, from [five more rays](phases::find_ground_edges).
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod base;
pub mod params;
mod exchange;
mod contracts;
mod stages;
mod solvers;
pub mod vehicle;

#[cfg(test)]
mod testing;

/// Most wheels that a vehicle may have (PhysX's limit, ALGORITHMS §1.3).
pub const MAX_WHEELS: usize = 20;

pub use base::{checked, curve, frame, inertia, math, units};
pub use contracts::{
    drivetrain, ground_triangles, rigid_bodies, scene_query, stateful_tire, sweep_query, tire,
    tire_model,
};
pub use exchange::{air, command, state, step_result, tire_state};
pub use params::{contact_policy, profile, retune, sprung_mass, surface, wheel_shape};
pub use vehicle::{detail, fleet, phases, pose, report, rigid_contact};

/// Numbers of four wheels at once, in which this workspace's crates compute. Versions may change them.
#[doc(hidden)]
pub mod lanes {
    pub use crate::base::lanes::across::by_wheel;
    pub use crate::base::lanes::groups::Groups;
    pub use crate::base::lanes::vector::V3x4;
    pub use crate::base::lanes::{LANES, Mask4, W4};
    pub use crate::stages::contact::ray_lanes;
}

/// Stages, solvers and their memory, for the tests that compare them with references. Versions may change them.
#[doc(hidden)]
pub mod internals {
    pub use crate::base::velocity::{Velocity, VelocityLanes};
    pub use crate::exchange::extra_states::ExtraStates;
    pub use crate::exchange::grip_memory::{ExplicitGrip, GripMemory, RowsGrip};
    pub use crate::exchange::step_record::{GroundRecord, StepRecord};
    pub use crate::solvers::{explicit, rows};
    pub use crate::stages::{
        air, alignment, anti_roll, chassis, contact, edge_ground, load, model, outputs, section,
        slip, spin, steering, strut_curves, suspension, tire_use, wheel_consts,
    };
    pub use crate::vehicle::stage_results;
}

pub use air::{Air, AirLoad};
pub use base::ids::{BodyId, ColliderId, MaterialId};
pub use base::locked_axes::LockedAxes;
pub use checked::{Check, Checked, Fault, Inspector, InvalidParams};
pub use command::{
    CarCommand, Command, Gear, GearCommand, Levers, SteeringInput, TankCommand, WheelCommand,
};
pub use contact_policy::ContactPolicy;
pub use contracts::driver_aid::{DriverAid, EngineRequest, Requests, WheelRequest};
pub use contracts::ground::{GroundHit, GroundRay, QueryFilter};
pub use contracts::in_units::InUnits;
pub use contracts::sensors::{Sensors, WheelSensors};
pub use contracts::shafts::{ShaftNode, ShaftRow, Shafts};
pub use contracts::wheel_output::WheelOutput;
pub use curve::Curve;
pub use detail::{Detail, UpdateLevel};
pub use drivetrain::{Control, Drivetrain};
pub use exchange::fuel_use::FuelUse;
pub use exchange::steering_wheel::SteeringWheel;
pub use exchange::step_error::{BodyError, StepError};
pub use exchange::wheel_snapshot::WheelSnapshot;
pub use fleet::{Environment, Fleet};
pub use frame::{Axis, Frame};
/// The version whose vectors this crate takes: an engine's adapter that names it so can have no other.
pub use glam;
pub use ground_triangles::{GroundTriangle, GroundTriangles, TriangleQuery};
pub use params::VehicleParams;
pub use pose::WheelPose;
pub use profile::Profile;
pub use report::{VehicleReport, WheelReport};
pub use rigid_bodies::{BodyState, GroundMotion, RigidBodies};
pub use rigid_contact::{WheelColliderSettings, WheelContact};
pub use scene_query::SceneQuery;
pub use stages::contact::Contact;
pub use stages::model::VehicleModel;
pub use state::{DriveState, VehicleState};
pub use stateful_tire::{StatefulTire, TireCondition};
pub use step_result::{Motion, Reaction, StepResult};
pub use surface::{SurfaceType, Surfaces, TireType};
pub use sweep_query::{GroundSweep, SweepHit, SweepQuery};
pub use tire::{TireForces, TireInput, TireProperties};
pub use tire_model::TireModel;
pub use tire_state::TireState;
pub use units::UnitScale;
pub use vehicle::{Vehicle, step};
pub use wheel_shape::{ShapeKind, WheelShape};
