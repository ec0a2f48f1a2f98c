//! What can go wrong before or during a drive.

use std::io;
use std::path::PathBuf;

use jounce::core::checked::InvalidParams;
use jounce::core::{BodyError, Fault, StepError};
use jounce::file::FileError;
use jounce::input::InputFault;
use jounce::scene::GroundError;

/// Why nothing can be driven, or why a drive cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProvingError {
    /// The vehicle file.
    #[error(transparent)]
    Vehicle(#[from] FileError),
    /// The ground.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The driver's input is refused.
    #[error(transparent)]
    Input(#[from] InputFault),
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not written as it must be.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Where and why.
        message: String,
    },
    /// A manoeuvre breaks rules.
    #[error("{file}: {} fault(s):{}", faults.0.len(), list(file, &faults.0))]
    Manoeuvre {
        /// The file.
        file: String,
        /// All that was found.
        faults: InvalidParams,
    },
    /// A vehicle can neither tow nor be towed.
    #[error("{vehicle}: has no coupling, so that it can neither tow nor be towed")]
    NoCoupling {
        /// Which vehicle.
        vehicle: String,
    },
    /// There is no ground to start on.
    #[error("{ground}: no ground at the start x = {x} m, y = {y} m")]
    NoGround {
        /// Which ground.
        ground: String,
        /// Start (`m`).
        x: f64,
        /// Start (`m`).
        y: f64,
    },
    /// An engine refuses a mesh.
    #[error("{ground}: {message}")]
    Mesh {
        /// Which ground.
        ground: String,
        /// Why.
        message: String,
    },
    /// A collider breaks rules.
    #[error(transparent)]
    Collider(#[from] InvalidParams),
    /// A world has no such body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Rapier cannot share a wheel's contacts.
    #[cfg(feature = "rapier")]
    #[error(transparent)]
    Wheels(#[from] jounce::rapier::WheelFault),
    /// Avian cannot attach wheels.
    #[cfg(feature = "avian")]
    #[error(transparent)]
    AvianWheels(#[from] jounce::avian::WheelError),
    /// A world lacks what only some have.
    #[error("{world} has no {what}")]
    Lacks {
        /// What the world is called.
        world: &'static str,
        /// What it lacks.
        what: &'static str,
    },
    /// A snapshot is of another kind of world.
    #[error("{world}: the snapshot is of another world")]
    OtherWorld {
        /// Which world was to be restored.
        world: &'static str,
    },
    /// The world lost the chassis.
    #[error("after {time:.3} s: {source}")]
    Lost {
        /// When (`s`).
        time: f32,
        /// What the world said.
        source: BodyError,
    },
}

fn list(file: &str, faults: &[Fault]) -> String {
    faults
        .iter()
        .map(|fault| format!("\n{file}: {fault}"))
        .collect()
}
