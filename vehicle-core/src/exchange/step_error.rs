//! Errors of bodies, of steps and of restoring states.

use glam::Vec3;

use crate::base::ids::BodyId;
use crate::exchange::air::Air;

/// Why a step, one of its inputs, or a state was refused. If it [stops the step](Self::stops_step), the body is unchanged, and so
/// is the state but after an [overflow](Self::Overflow); otherwise, the step is made without that input.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A value of the command is not finite. The last accepted command goes on.
    #[error("command.{field} = {value}: must be finite")]
    NotFinite {
        /// Name of the value.
        field: &'static str,
        /// The value.
        value: f32,
    },
    /// A finite value of the command is out of range. The last accepted command goes on.
    #[error("command.{field} = {value}: must be within {low}..={high}")]
    OutOfRange {
        /// Name of the value.
        field: &'static str,
        /// The value.
        value: f32,
        /// Minimum allowed value.
        low: f32,
        /// Maximum allowed value.
        high: f32,
    },
    /// The drivetrain accepts another kind of command. The last accepted command goes on.
    #[error("the drivetrain takes {expected} commands")]
    WrongCommand {
        /// The accepted kind.
        expected: &'static str,
    },
    /// The vehicle has no chassis, or, in a [`Fleet`](crate::Fleet), none of its own.
    #[error(transparent)]
    Chassis(#[from] BodyError),
    /// The time step is not positive and finite.
    #[error("dt = {0} s: must be finite and > 0")]
    TimeStep(f32),
    /// Gravity is not finite.
    #[error("gravity = {0} m/s²: must be finite")]
    Gravity(Vec3),
    /// The air has a value that is not finite, or a negative density. The last sound air stays.
    #[error("air = {0:?}: must be finite, with a density >= 0")]
    Air(Air),
    /// The engine's body has a value that is not finite, no mass, or negative damping.
    #[error("the chassis has a value that is not finite, a mass not > 0 or a damping not >= 0")]
    Body,
    /// The world has not been stepped since the vehicle's last step. A second one would move the vehicle without the
    /// world. (The explicit solver, which may run several times in a step of the world, does not ask.)
    #[error(
        "the world has not moved the chassis since the last step: there is one step of a vehicle for each of its world"
    )]
    NotStepped,
    /// The wheels are swept, and the world has no sweeps.
    #[error("the wheels are swept, and this world answers rays only")]
    NoSweeps,
    /// The wheels meet sections of the ground, and the world does not tell its triangles.
    #[error("the wheels meet sections of the ground, and this world does not tell its triangles")]
    NoTriangles,
    /// The probe of a wheel gave a value that is not finite. The wheel has no ground in this step, others have theirs.
    #[error("the contact of wheel {wheel} is not finite")]
    Contact {
        /// The first such wheel.
        wheel: usize,
    },
    /// The step left the range of finite numbers; the vehicle was put to rest.
    #[error("the step left the range of finite numbers; the vehicle was put to rest")]
    Overflow,
    /// The state to restore belongs to a vehicle with other wheels.
    #[error("a state of {groups} groups of four wheels, for a vehicle of {expected}")]
    ForeignState {
        /// Number of wheel groups of the state.
        groups: usize,
        /// Number of wheel groups of the vehicle.
        expected: usize,
    },
}

impl StepError {
    /// Whether the vehicle's step was not made, and the body is left to the engine. Otherwise, the step was made
    /// without the refused input: with the last accepted command, in the last sound air, or without the ground of a
    /// wheel.
    #[must_use]
    pub const fn stops_step(&self) -> bool {
        !matches!(
            self,
            Self::NotFinite { .. }
                | Self::OutOfRange { .. }
                | Self::WrongCommand { .. }
                | Self::Air(_)
                | Self::Contact { .. }
        )
    }
}

/// A body cannot be a vehicle's chassis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The id names no body of this world (any more).
    #[error("body {0:?} does not exist")]
    Missing(BodyId),
    /// A vehicle's chassis must be a dynamic body.
    #[error("body {0:?} is not dynamic")]
    NotDynamic(BodyId),
    /// A body is the chassis of one vehicle of a [`Fleet`](crate::Fleet).
    #[error("body {0:?} is the chassis of another vehicle of the fleet")]
    Shared(BodyId),
}

impl BodyError {
    /// The body.
    #[must_use]
    pub const fn body(&self) -> BodyId {
        let (Self::Missing(id) | Self::NotDynamic(id) | Self::Shared(id)) = *self;
        id
    }
}
