//! Reasons why a vehicle cannot be on wheels of its own.

use vehicle_core::{BodyError, BodyId, StepError};

/// Reason why a vehicle cannot be put on wheels of its own, or driven on them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JointedError {
    /// The chassis does not exist in this world, or is not dynamic.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The command does not suit the drivetrain.
    #[error(transparent)]
    StepError(#[from] StepError),
    /// This chassis has no jointed wheels in this world: they were attached in another, or it was
    /// removed.
    #[error("{0:?} has no jointed wheels in this world")]
    NotAttached(BodyId),
    /// The chassis has its wheels already.
    #[error("{0:?} has jointed wheels already")]
    Twice(BodyId),
    /// A rung of a ladder stands on joints, and no world that has them was given.
    #[error("`{0}` needs wheels on joints, and no world that has them is there")]
    NoJoints(String),
    /// A vehicle that joints cannot carry.
    #[error("{wheel}: {what}")]
    Unsuited {
        /// Name of the wheel.
        wheel: String,
        /// The part that the vehicle has, or lacks.
        what: &'static str,
    },
    /// Wheels that turn together: tracks, locked axles and centers.
    #[error("the drivetrain binds wheels to each other, which joints do not")]
    Bound,
    /// A drivetrain that turns shafts: torque converters, motors, planetary gears.
    #[error("the drivetrain turns shafts, which joints do not")]
    Shafts,
    /// The engine's own reason.
    #[error("{0}")]
    Engine(String),
}
