//! Errors before and during a drive.

use std::io;
use std::path::PathBuf;

use jounce::core::checked::InvalidParams;
use jounce::core::{BodyError, StepError};
use jounce::file::FileError;
use jounce::input::InputFault;
use jounce::scene::GroundError;
use jounce::scene::error::InvalidText;

/// Remarks after a message.
fn listed(notes: &[String]) -> String {
    notes.iter().map(|note| format!("; {note}")).collect()
}

/// Reason why a drive cannot start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProvingError {
    /// A vehicle file, or a maneuver.
    #[error(transparent)]
    Vehicle(#[from] FileError),
    /// The ground.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The driver's input was refused.
    #[error(transparent)]
    Input(#[from] InputFault),
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file has a syntax error.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// Position and reason.
        message: String,
    },
    /// No maneuver has this name.
    #[error("{name}: neither a file nor a built-in maneuver; these are {known}")]
    UnknownManeuver {
        /// The requested name.
        name: String,
        /// Names of the built-in ones.
        known: String,
    },
    /// Recorded input has faults.
    #[error(transparent)]
    Track(#[from] InvalidText),
    /// The nearest rung of a vehicle's ladder has wheels that are bodies.
    #[error(
        "{vehicle}: [ladder]: its rung {rung:?} has wheels that are bodies; here wheels probe the ground, as on the rungs farther away: from --distance {end} on"
    )]
    RigidRung {
        /// The vehicle.
        vehicle: String,
        /// The rung.
        rung: String,
        /// Distance at which the rung ends (`m`).
        end: f32,
    },
    /// A vehicle that can neither tow nor be towed.
    #[error("{vehicle}: has no coupling, so that it can neither tow nor be towed")]
    NoCoupling {
        /// The vehicle.
        vehicle: String,
    },
    /// A trailer that is to tow another one.
    #[error("{vehicle}: has no rear_coupling, so that it can be towed but does not tow")]
    NoRearCoupling {
        /// The vehicle.
        vehicle: String,
    },
    /// A road train of more vehicles than it may have.
    #[error("a road train of more than {most} vehicles: towed_by leads in a circle")]
    LongTrain {
        /// Most vehicles.
        most: usize,
    },
    /// A vehicle that a racing driver cannot drive.
    #[error(
        "{vehicle}: cannot race: a racing driver needs a car that moves and steers by wheels ahead of its center of mass"
    )]
    CannotRace {
        /// The vehicle.
        vehicle: String,
    },
    /// A race with what it excludes.
    #[error("a race has its own driver, ground and start: it excludes a {what}")]
    RaceExcludes {
        /// What is excluded.
        what: &'static str,
    },
    /// More than one lap of an open track.
    #[error("{track}: {laps} laps of an open track: must be 1")]
    OpenTrack {
        /// The track.
        track: String,
        /// Number of laps.
        laps: u32,
    },
    /// A track that is narrower than a vehicle.
    #[error(
        "{track}: is {width:.2} m wide at its narrowest: must be at least {needed:.2} m, the width of {vehicle}"
    )]
    NarrowTrack {
        /// The track.
        track: String,
        /// Its least width (`m`).
        width: f64,
        /// The vehicle.
        vehicle: String,
        /// Width of the vehicle (`m`).
        needed: f64,
    },
    /// A vehicle whose file has no rungs of detail.
    #[error("{0}: its file has no [ladder]")]
    NoLadder(String),
    /// A vehicle whose wheels are bodies, where they are to probe the ground.
    #[error(
        "{vehicle}: wheels = \"rigid\": bodies are driven step by step, by a JointedCar; here wheels probe the ground"
    )]
    JointedWheels {
        /// The vehicle.
        vehicle: String,
    },
    /// The start has no ground.
    #[error(
        "{ground}: no ground at the start x = {x} m, y = {y} m{}",
        listed(notes)
    )]
    NoGround {
        /// The ground.
        ground: String,
        /// Start (`m`).
        x: f64,
        /// Start (`m`).
        y: f64,
        /// Remarks on the files of the ground.
        notes: Vec<String>,
    },
    /// An engine rejected a mesh.
    #[error("{ground}: {message}")]
    Mesh {
        /// The ground.
        ground: String,
        /// The reason.
        message: String,
    },
    /// A collider violates rules.
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
    /// A car cannot be put on wheels that are bodies, or driven on them.
    #[error(transparent)]
    Jointed(#[from] jounce::jointed::JointedError),
    /// An engine refused something.
    #[error("{0}")]
    Engine(String),
    /// A world lacks an ability.
    #[error("{world} has no {what}")]
    Lacks {
        /// Name of the world.
        world: &'static str,
        /// The missing ability.
        what: &'static str,
    },
    /// A snapshot is from another kind of world.
    #[error("{world}: the snapshot is of another world")]
    OtherWorld {
        /// The world to be restored.
        world: &'static str,
    },
    /// The world lost the chassis.
    #[error("after {time:.3} s: {source}")]
    Lost {
        /// Time (`s`).
        time: f32,
        /// The world's error.
        source: BodyError,
    },
}
