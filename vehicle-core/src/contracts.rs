//! Contracts for other crates: worlds, tires, drivetrains.

pub(crate) mod ground;
pub mod ground_triangles;
pub mod sweep_query;
pub mod scene_query;
pub mod rigid_bodies;
pub mod tire;
pub(crate) mod tire_outputs;
pub mod stateful_tire;
pub mod tire_model;
pub(crate) mod sensors;
pub(crate) mod shafts;
pub mod drivetrain;
pub(crate) mod wheel_output;
pub(crate) mod driver_aid;
pub(crate) mod in_units;
