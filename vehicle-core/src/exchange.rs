//! Inputs and results of a step: the driver's command, the vehicle's state, the step result.

pub mod air;
pub(crate) mod step_error;
pub mod command;
pub mod tire_state;
pub(crate) mod steering_wheel;
pub(crate) mod fuel_use;
pub(crate) mod extra_states;
pub(crate) mod grip_memory;
pub(crate) mod step_record;
pub mod state;
pub(crate) mod wheel_snapshot;
pub mod step_result;
