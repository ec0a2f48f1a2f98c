//! Errors of updates and of restoring states.

use glam::Vec3;

use crate::contracts::rigid_bodies::BodyError;
use crate::exchange::command::CommandFault;

/// Why a step or a state was refused. State and body are then unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The command cannot be carried out.
    #[error(transparent)]
    Command(#[from] CommandFault),
    /// The vehicle has no chassis, or, in a [`Fleet`](crate::Fleet), none of its own.
    #[error(transparent)]
    Chassis(#[from] BodyError),
    /// The time step is not positive and finite.
    #[error("dt = {0} s: must be finite and > 0")]
    TimeStep(f32),
    /// Gravity is zero, nearly zero, or not finite.
    #[error("gravity = {0} m/s²: must be finite and not zero")]
    Gravity(Vec3),
    /// The engine's body has a value that is not finite, no mass, or negative damping.
    #[error("the chassis has a value that is not finite, a mass not > 0 or a damping not >= 0")]
    Body,
    /// The wheels are swept, and the world has no sweeps.
    #[error("the wheels are swept, and this world answers rays only")]
    NoSweeps,
    /// The probe of a wheel gave a value that is not finite.
    #[error("the contact of wheel {wheel} is not finite")]
    Contact {
        /// Which wheel.
        wheel: usize,
    },
    /// The step left the range of finite numbers; the vehicle was put to rest.
    #[error("the step left the range of finite numbers; the vehicle was put to rest")]
    Overflow,
    /// The state to restore belongs to a vehicle with other wheels.
    #[error("a state of {found} groups of four wheels, for a vehicle of {expected}")]
    ForeignState {
        /// Number of wheel groups of the state.
        found: usize,
        /// Number of wheel groups of the vehicle.
        expected: usize,
    },
}
