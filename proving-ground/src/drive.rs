//! A whole drive: a vehicle performs a manoeuvre in a world and is recorded.

mod run;

use core::fmt;

use jounce::file::Car;

use crate::driver::StageStart;
use crate::error::ProvingError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
use crate::manoeuvre::Manoeuvre;
use crate::sample::Sample;
use crate::tow::{self, Towed};
use crate::world::{self, Start, WorldKind};
use run::Run;

/// What to drive, where and how.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivePlan {
    /// Vehicle file, or the name of a preset.
    pub vehicle: String,
    /// Name of a built-in manoeuvre, or a TOML file; by default `tour`, or `tow` when towing.
    pub manoeuvre: Option<String>,
    /// The ground; by default the manoeuvre's, otherwise hills.
    pub ground: Option<GroundSpec>,
    /// Which axis of a mesh file is up.
    pub up: MeshUp,
    /// Start position; by default the ground's.
    pub start: Option<Start>,
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
            manoeuvre: None,
            ground: None,
            up: MeshUp::default(),
            start: None,
            tow: Vec::new(),
            world: None,
            dt: 1.0 / 60.0,
            query_every: 1,
        }
    }
}

/// Why a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The manoeuvre was completed.
    Finished,
    /// The car fell off the ground.
    LeftTheGround,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "the manoeuvre was finished",
            Self::LeftTheGround => "the car fell off the ground",
        })
    }
}

/// A completed drive.
#[derive(Clone, Debug)]
pub struct Drive {
    /// The car.
    pub car: Car,
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
    /// The ground.
    pub terrain: Terrain,
    /// The towed vehicles, from front to rear.
    pub towed: Vec<Towed>,
    /// Which engine moved the chassis.
    pub world: &'static str,
    /// Time step (`s`).
    pub dt: f32,
    /// The ground was queried only in every n-th step.
    pub query_every: u32,
    /// Start times of the stages.
    pub stages: Vec<StageStart>,
    /// One sample per step; the first is the start.
    pub samples: Vec<Sample>,
    /// Why it ended.
    pub end: End,
    /// The first refusal, if any, by the car or a towed vehicle.
    pub refusal: Option<String>,
}

/// Performs the drive. `progress` receives the time since the start and the maximum duration (`s`).
///
/// # Errors
/// If a file is invalid, the ground has no start position, or the world loses the car.
pub fn run(plan: &DrivePlan, mut progress: impl FnMut(f32, f32)) -> Result<Drive, ProvingError> {
    let train = tow::vehicles(&plan.vehicle, &plan.tow)?;
    train.iter().try_for_each(world::probing)?;
    let usual = if train.len() > 1 { "tow" } else { "tour" };
    let manoeuvre = Manoeuvre::load(plan.manoeuvre.as_deref().unwrap_or(usual))?;
    let terrain = Terrain::new(&ground(plan, &manoeuvre), plan.up)?;
    let kind = plan.world.unwrap_or_default();
    let mut world = world::open(kind, &terrain, plan.dt)?;
    let start = plan.start.unwrap_or(Start {
        place: terrain.start,
        heading: 0.0,
    });
    let mut run = Run::new(&mut *world, &train, &terrain, start)?;
    let mut drive = Drive {
        car: train[0].clone(),
        manoeuvre,
        terrain,
        towed: Vec::new(),
        world: run.world.name(),
        dt: plan.dt,
        query_every: plan.query_every,
        stages: Vec::new(),
        samples: Vec::new(),
        end: End::Finished,
        refusal: None,
    };
    let longest = drive.manoeuvre.duration;
    run.go(&mut drive, |time| progress(time, longest))?;
    drive.towed = run.hooks.into_iter().map(|hook| hook.towed).collect();
    Ok(drive)
}

/// The ground of a plan: its own, otherwise the manoeuvre's, otherwise hills.
fn ground(plan: &DrivePlan, manoeuvre: &Manoeuvre) -> GroundSpec {
    let own = || manoeuvre.ground.as_deref()?.parse().ok();
    let chosen = plan.ground.clone().or_else(own);
    chosen.unwrap_or(GroundSpec::Hills(1))
}

impl Drive {
    /// Names of the manoeuvre's stages.
    #[must_use]
    pub fn stage_names(&self) -> Vec<String> {
        let stages = self.manoeuvre.stages.iter();
        stages.map(|stage| stage.name.clone()).collect()
    }

    /// Names of the wheels.
    #[must_use]
    pub fn wheel_names(&self) -> Vec<String> {
        let kind = self.car.kind();
        let wheels = kind.params().wheels.iter();
        wheels.map(|wheel| wheel.name.clone()).collect()
    }
}

#[cfg(test)]
mod trailers;
