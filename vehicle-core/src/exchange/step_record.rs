//! Record of the last step's motion, which the rows solver compares with the engine's.

use glam::Vec3;

use crate::base::velocity::Velocity;
#[cfg(doc)]
use crate::exchange::state::VehicleState;

/// Motion with which the last step ended, and the estimates of what the engine adds ([`observer`]). World
/// axes.
///
/// [`observer`]: crate::solvers::rows::observer
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StepRecord {
    /// Displacement at which the step should end, from [`VehicleState::position`] (`m`).
    pub position: Vec3,
    /// Rotation at the end of the last update, vehicle → world: x, y, z, w of a unit quaternion (an array is not padded).
    pub rotation: [f32; 4],
    /// Expected velocity after the step (`m/s`, `rad/s`).
    pub expected: Velocity,
    /// Estimated acceleration that the engine adds (`m/s²`, `rad/s²`).
    pub push: Velocity,
    /// The body that can move under the wheels.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ground: GroundRecord,
    /// Length of the step (`s`); 0 without a step to compare with.
    pub duration: f32,
}

/// A body under the wheels in the last step. World axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GroundRecord {
    /// Position at which the ground body's center of mass should end, from that of the vehicle's (`m`).
    pub position: Vec3,
    /// Rotation of the ground body at the end of the last update, body → world: x, y, z, w of a unit quaternion.
    pub rotation: [f32; 4],
    /// Velocity of the ground body in the step, as reported (`m/s`, `rad/s`).
    pub velocity: Velocity,
    /// Velocity beyond the reported one at which the ground was expected to move at the vehicle's center of mass (`m/s`).
    pub lag: Vec3,
}

impl GroundRecord {
    /// No body. (An `Option` would not fit into the 512 bytes of a four-wheeler's state.)
    pub const NONE: Self = Self {
        position: Vec3::ZERO,
        rotation: [0.0; 4],
        velocity: Velocity::ZERO,
        lag: Vec3::ZERO,
    };

    /// Whether a body was under the wheels.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.rotation != Self::NONE.rotation
    }
}

impl Default for GroundRecord {
    fn default() -> Self {
        Self::NONE
    }
}

impl StepRecord {
    /// No step before.
    pub const NONE: Self = Self {
        position: Vec3::ZERO,
        rotation: [0.0, 0.0, 0.0, 1.0],
        expected: Velocity::ZERO,
        push: Velocity::ZERO,
        ground: GroundRecord::NONE,
        duration: 0.0,
    };
}
