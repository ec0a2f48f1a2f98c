//! A power take-off: a shaft by which the engine drives an implement.

use serde::{Deserialize, Serialize};
use vehicle_core::{Check, Inspector};

/// Parameters of a power take-off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerTakeOffParams {
    /// Torque that it draws from the turning engine with the lever at its end (`N·m`), > 0.
    pub torque: f32,
}

impl Check for PowerTakeOffParams {
    fn check(&self, i: &mut Inspector) {
        i.positive("torque", self.torque, "N·m");
    }
}
