//! A whole drive: a vehicle performs a maneuver in a world and is recorded.

mod conditions;
mod input;
mod ending;
mod race;
mod run;
mod prepared;

use core::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use jounce::core::VehicleModel;
use jounce::file::Car;
use serde::{Serialize, Serializer};

use crate::driver::StageStart;
use crate::error::ProvingError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
use crate::maneuver::Maneuver;
use crate::sample::Sample;
use crate::tow::Towed;
use crate::world::{Start, WorldKind};

pub use conditions::DriveConditions;
pub use input::InputTrack;
pub use prepared::PreparedDrive;
pub use race::{Lap, Race, RaceLine, RacePlan};

/// Plan of a drive: the car, the ground and the maneuver.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivePlan {
    /// Vehicle file, or the name of a preset.
    pub vehicle: String,
    /// Name of a built-in maneuver, or a TOML file; by default `tour`, or `tow` when towing.
    pub maneuver: Option<String>,
    /// Laps of a track by a racing driver, in place of a maneuver, recorded input, ground and start; such a car tows nothing.
    pub race: Option<RacePlan>,
    /// File of recorded pedals and steering, which are repeated instead of the maneuver's.
    pub input: Option<PathBuf>,
    /// The ground; by default the maneuver's or that of the recorded input, otherwise hills.
    pub ground: Option<GroundSpec>,
    /// Up axis of a mesh file.
    pub up: MeshUp,
    /// Start position; by default the ground's.
    pub start: Option<Start>,
    /// Initial motion, gravity, grip and wind.
    pub conditions: DriveConditions,
    /// Distance of the camera (`m`), ≥ 0: vehicles with a ladder of detail are what they are there.
    pub distance: f32,
    /// Vehicle files, or names of presets, to tow by joints, one behind the other.
    pub tow: Vec<String>,
    /// The world; by default the standalone one.
    pub world: Option<WorldKind>,
    /// Time step (`s`), > 0.
    pub dt: f32,
    /// The ground is queried only in every n-th step, n > 0.
    pub query_every: u32,
}

impl DrivePlan {
    /// A vehicle's default plan, in steps of 1/60 s.
    #[must_use]
    pub fn of(vehicle: &str) -> Self {
        Self {
            vehicle: vehicle.to_owned(),
            maneuver: None,
            race: None,
            input: None,
            ground: None,
            up: MeshUp::default(),
            start: None,
            conditions: DriveConditions::USUAL,
            distance: 0.0,
            tow: Vec::new(),
            world: None,
            dt: 1.0 / 60.0,
            query_every: 1,
        }
    }
}

/// Reason for the end of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The maneuver was completed.
    Finished,
    /// The car fell off the ground.
    LeftTheGround,
    /// The car lies on its roof or side.
    OnItsRoof,
    /// The car stayed where it was, though it was to drive.
    NeverMoved,
    /// The car did not complete its laps in time.
    LapsMissing,
}

impl End {
    /// Name in files and tables.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::LeftTheGround => "left-the-ground",
            Self::OnItsRoof => "on-its-roof",
            Self::NeverMoved => "never-moved",
            Self::LapsMissing => "laps-missing",
        }
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "the maneuver was finished",
            Self::LeftTheGround => "the car fell off the ground",
            Self::OnItsRoof => "the car lies on its roof or side",
            Self::NeverMoved => "the car never moved, though its throttle was pressed",
            Self::LapsMissing => "the car did not complete its laps in time",
        })
    }
}

/// A completed drive.
#[derive(Clone, Debug)]
pub struct Drive {
    /// The car.
    pub car: Car,
    /// The car's model: on its ladder of detail, that of a rung.
    pub model: Arc<VehicleModel>,
    /// The maneuver.
    pub maneuver: Maneuver,
    /// The ground as it is named on the command line.
    pub ground: GroundSpec,
    /// The ground.
    pub terrain: Terrain,
    /// The race, if it is one.
    pub race: Option<Race>,
    /// The towed vehicles, from front to rear.
    pub towed: Vec<Towed>,
    /// Name of the world that moved the chassis.
    pub world: &'static str,
    /// Time step (`s`).
    pub dt: f32,
    /// The ground was queried only in every n-th step.
    pub query_every: u32,
    /// Start times of the stages.
    pub stages: Vec<StageStart>,
    /// One sample per step; the first is the start.
    pub samples: Vec<Sample>,
    /// Reason for the end of the drive.
    pub end: End,
    /// The first refusal, if any, by the car or a towed vehicle.
    pub refusal: Option<String>,
}

/// Performs the drive. `progress` receives the time since the start and the maximum duration (`s`).
///
/// # Errors
/// If a file is invalid, the ground has no start position, or the world loses the car.
pub fn run(plan: &DrivePlan, progress: impl FnMut(f32, f32)) -> Result<Drive, ProvingError> {
    PreparedDrive::read(plan)?.run(progress)
}

impl Drive {
    /// Names of the maneuver's stages.
    #[must_use]
    pub fn stage_names(&self) -> Vec<String> {
        let stages = self.maneuver.stages.iter();
        stages.map(|stage| stage.name.clone()).collect()
    }

    /// Names of the towed vehicles, from front to rear, each with its number if there are others.
    #[must_use]
    pub fn towed_names(&self) -> Vec<String> {
        let names = self.towed.iter().map(|towed| &towed.trailer);
        match self.towed.len() {
            1 => names.cloned().collect(),
            _ => names
                .zip(1..)
                .map(|(name, n)| format!("{name} {n}"))
                .collect(),
        }
    }

    /// Names of the wheels.
    #[must_use]
    pub fn wheel_names(&self) -> Vec<String> {
        let wheels = self.model.params().wheels.iter();
        wheels.map(|wheel| wheel.name.clone()).collect()
    }

    /// Names of the car's driver aids, in the order of [`Sample::aids`].
    #[must_use]
    pub fn aid_names(&self) -> Vec<String> {
        let aids = self.model.aids().iter();
        aids.map(|aid| aid.name().to_owned()).collect()
    }
}

#[cfg(test)]
mod trailers;
