//! What one update asks of the engine.

use glam::{DVec3, Vec3};

use crate::scene_query::BodyId;

/// How the chassis is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Motion {
    /// Leave the body alone (asleep, or the update was refused).
    #[default]
    Keep,
    /// Add to the velocities, before the engine adds gravity.
    VelocityChange {
        /// [m/s, world axes]
        linear: Vec3,
        /// [rad/s, world axes]
        angular: Vec3,
    },
    /// Accelerate over the next step, on top of gravity.
    Acceleration {
        /// [m/s², world axes]
        linear: Vec3,
        /// [rad/s², world axes]
        angular: Vec3,
    },
    /// Move through the next step at these mean velocities: set them, and spare the body as much
    /// gravity as is named for this step. What else pushes it acts as ever.
    StepMotion {
        /// Mean velocity of the centre of mass [m/s, world axes].
        linear: Vec3,
        /// Mean angular velocity [rad/s, world axes].
        angular: Vec3,
        /// Acceleration of gravity that the wheels already carry [m/s², world axes]: the engine
        /// is to cancel it by a force, in all its substeps.
        carried_gravity: Vec3,
    },
}

/// What one update asks of the engine, for the next step only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What to do with the chassis.
    pub motion: Motion,
    /// Wake the chassis first.
    pub wake: bool,
}

/// A push of a wheel on the dynamic body under it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The body to push.
    pub body: BodyId,
    /// Mean force over the step [N, world axes].
    pub force: Vec3,
    /// Centre of mass of the vehicle [m, world], which `offset` counts from.
    pub anchor: DVec3,
    /// Where the force acts, relative to the anchor [m, world axes].
    pub offset: Vec3,
}
