//! A whole drive: a vehicle performs a maneuver in a world and is recorded.

mod conditions;
mod input;
mod ending;
mod race;
mod run;

use core::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jounce::core::{Detail, VehicleModel};
use jounce::file::Car;
use jounce::scene::read_text;

use crate::driver::StageStart;
use crate::error::ProvingError;
use crate::ground::{GroundSpec, MeshUp, Terrain};
use crate::ladder::{abilities, ladder_of};
use crate::maneuver::{Maneuver, ManeuverStage};
use crate::sample::Sample;
use crate::tow::{self, Towed};
use crate::world::{self, Start, World, WorldKind};
use run::{Launch, Run};

pub use conditions::DriveConditions;
pub use input::InputTrack;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
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
pub fn run(plan: &DrivePlan, mut progress: impl FnMut(f32, f32)) -> Result<Drive, ProvingError> {
    let train = tow::vehicles(&plan.vehicle, &plan.tow)?;
    train.iter().try_for_each(world::probing)?;
    plan.conditions.check_for(&train[0].model())?;
    let track = plan.input.as_deref().map(recorded).transpose()?;
    let (race, maneuver, ground) = asked(plan, &train, track.as_ref())?;
    let terrain = Terrain::new(&ground, plan.up)?;
    let kind = plan.world.unwrap_or_default();
    let mut world = world::open(kind, &terrain, plan.dt)?;
    let usual = Start {
        position: terrain.start,
        heading: terrain.heading(),
    };
    let start = race.as_ref().map(Race::start).or(plan.start);
    let start = start.unwrap_or(usual);
    let (model, detail) = on_its_rung(&train[0], plan.distance, &mut *world)?;
    let launch = Launch {
        start,
        conditions: plan.conditions,
        model: Arc::clone(&model),
        detail,
        stays_awake: maneuver.follows_a_trace(),
    };
    let mut run = Run::new(&mut *world, &train, &terrain, &launch)?;
    let mut drive = Drive {
        car: train[0].clone(),
        model,
        maneuver,
        ground,
        terrain,
        race,
        towed: Vec::new(),
        world: run.world.name(),
        dt: plan.dt,
        query_every: plan.query_every,
        stages: Vec::new(),
        samples: Vec::new(),
        end: End::Finished,
        refusal: None,
    };
    let longest = drive.maneuver.duration;
    run.go(&mut drive, track.as_ref(), |time| progress(time, longest))?;
    drive.towed = run.hooks.into_iter().map(|hook| hook.towed).collect();
    Ok(drive)
}

/// The race of a plan, if it is one, the maneuver and the ground.
fn asked(
    plan: &DrivePlan,
    train: &[Car],
    track: Option<&InputTrack>,
) -> Result<(Option<Race>, Maneuver, GroundSpec), ProvingError> {
    let Some(planned) = &plan.race else {
        let maneuver = maneuver(plan, track, train.len() > 1)?;
        let ground = ground(plan, &maneuver, track);
        return Ok((None, maneuver, ground));
    };
    race_alone(plan, train.len())?;
    let race = Race::new(planned, &train[0], &plan.conditions)?;
    let maneuver = race.maneuver();
    let ground = GroundSpec::Track(planned.track.clone());
    Ok((Some(race), maneuver, ground))
}

/// Checks that a plan asks nothing of a racing driver that he does not do.
///
/// # Errors
/// With the first that he does not.
fn race_alone(plan: &DrivePlan, vehicles: usize) -> Result<(), ProvingError> {
    let asked = [
        ("maneuver", plan.maneuver.is_some()),
        ("recorded input", plan.input.is_some()),
        ("ground", plan.ground.is_some()),
        ("start", plan.start.is_some()),
        ("towed vehicle", vehicles > 1),
    ];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((what, _)) => Err(ProvingError::RaceExcludes { what }),
        None => Ok(()),
    }
}

/// The recorded input in a file.
fn recorded(path: &Path) -> Result<InputTrack, ProvingError> {
    let text = read_text(path).map_err(|source| ProvingError::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(InputTrack::parse(&text, &path.display().to_string())?)
}

/// The maneuver of a plan; one that only names the stages of recorded input, if nothing else is given.
fn maneuver(
    plan: &DrivePlan,
    track: Option<&InputTrack>,
    tows: bool,
) -> Result<Maneuver, ProvingError> {
    let usual = if tows { "tow" } else { "tour" };
    let Some(track) = track else {
        return Maneuver::load(plan.maneuver.as_deref().unwrap_or(usual));
    };
    let named = plan.maneuver.as_deref().map(Maneuver::load).transpose()?;
    let file = plan.input.as_deref().and_then(Path::file_stem);
    let name = file.unwrap_or_default().to_string_lossy().into_owned();
    let stages = track.stages.iter().map(|name| ManeuverStage {
        name: name.clone(),
        ..ManeuverStage::default()
    });
    Ok(Maneuver {
        schema: 1,
        name: named.as_ref().map_or(name, |named| named.name.clone()),
        description: "recorded pedals and steering".to_owned(),
        ground: named.and_then(|named| named.ground),
        duration: track.duration(),
        stages: stages.collect(),
    })
}

/// The ground of a plan: its own, otherwise the maneuver's or that of the recorded input, otherwise hills.
fn ground(plan: &DrivePlan, maneuver: &Maneuver, track: Option<&InputTrack>) -> GroundSpec {
    let own = || maneuver.ground.as_deref()?.parse().ok();
    let recorded = || track?.ground.clone();
    let chosen = plan.ground.clone().or_else(own).or_else(recorded);
    chosen.unwrap_or(GroundSpec::Hills(1))
}

/// The model of a car at a distance from the camera (`m`), and its level of detail: those of a rung, if its file has
/// a ladder.
///
/// # Errors
/// If the world cannot do one of the rungs, or the wheels are bodies on this one.
fn on_its_rung(
    car: &Car,
    distance: f32,
    world: &mut dyn World,
) -> Result<(Arc<VehicleModel>, Detail), ProvingError> {
    if car.ladder.is_none() {
        return Ok((car.model(), Detail::FULL));
    }
    let ladder = ladder_of(car, abilities(world))?;
    let index = ladder.rung_at(distance, 0);
    let rung = &ladder.rungs()[index];
    match (&rung.attachments, ladder.ends().get(index)) {
        (Some(_), Some(end)) => Err(ProvingError::RigidRung {
            vehicle: car.name.clone(),
            rung: rung.name.clone(),
            end: *end,
        }),
        _ => Ok((Arc::clone(&rung.model), rung.detail)),
    }
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
