//! Inputs and results of a step: the driver's command, the vehicle's state, the outcome.

pub mod command;
pub mod air;
pub mod tire_state;
pub mod grip_memory;
pub mod state;
pub mod outcome;
