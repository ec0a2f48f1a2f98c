//! Stages of a step in data-flow order: free functions of plain data, called by both solvers.

pub(crate) mod axles;
pub mod wheel_consts;
pub mod steering;
pub(crate) mod polyline;
pub(crate) mod force_curves;
pub mod strut_curves;
pub mod alignment;
pub mod anti_roll;
pub mod tire_use;
pub mod slip;
pub(crate) mod best_slip;
pub mod chassis;
pub mod air;
pub mod load;
pub(crate) mod shaft_memory;
pub mod model;
pub mod contact;
pub mod suspension;
pub mod section;
pub mod edge_ground;
pub mod spin;
pub mod outputs;
pub(crate) mod sensing;
